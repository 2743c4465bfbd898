package domain

import (
	"testing"
	"time"
)

// The forms that a verification computes hashes over, at the sizes that they
// have in practice.
func BenchmarkCanonical(b *testing.B) {
	now := time.Now()
	id := NewID()
	key := DeviceKey{ID: id, AccountID: id, DeviceID: "0d2b5f5e-6a0e-4f7e-9c5a-0a8a4f1f7a3b", Algorithm: "RSA-OAEP-256", Bits: 3072,
		PublicKey: make([]byte, 422), Sealed: make([]byte, 431), AppVersion: "1.2.3", State: KeyActive, Version: 1, CreatedAt: now}
	ledger := Attempts{ID: id, AccountID: id, Type: TransactionPIN, Version: 9, Recent: []time.Time{now, now}, Pending: []PendingAttempt{{ID: id, Lease: now}}}
	credential := Credential{ID: id, AccountID: id, Type: TransactionPIN, Sealed: make([]byte, 143), Version: 1, CreatedAt: now, UpdatedAt: now}
	entry := Entry{Chain: id, Seq: 1, Time: now, RequestID: id, Actor: "caller", Event: EventCredentialVerified, Outcome: "ok", Operation: OpVerifyPIN,
		Count: 1, Duration: time.Millisecond, KeyID: id, Account: make([]byte, 16), Device: make([]byte, 16), Record: RecordAttempts + "/" + id,
		Version: 9, Before: make([]byte, 32), Digest: make([]byte, 32), Prev: make([]byte, 37)}
	for name, f := range map[string]func() []byte{
		"key": key.Canonical, "attempts": ledger.Canonical, "attempts with pending": ledger.Authenticated,
		"credential": credential.Canonical, "entry": entry.Canonical,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
}
