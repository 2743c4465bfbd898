package storetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// everyByte is a value that a text column cannot hold.
func everyByte() []byte {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

// deviceIDs are ids that must come back byte for byte and be told apart.
func deviceIDs() []string {
	return []string{
		"device-1", "Device-1", "DEVICE-1", " device-1", "device-1 ", "0", "00", "1e3", "-1", "null", "NULL",
		"O'Brien", `"quoted"`, "`tick`", "a;DROP TABLE device_key;--", "%", "_", "*", "?1", "$1", ":name",
		"../../etc/passwd", `C:\Windows\system32`, "<script>alert(1)</script>", "a&amp;b", "{\"json\":[]}",
		"📱🔐", "👩‍👩‍👧", "é", "e\u0301", "ß", "ẞ", "\u202eabc", "\ufeffbom", "日本語", "2026-03-01 12:00:00",
		strings.Repeat("x", domain.MaxDeviceIDBytes), strings.Repeat("x", domain.MaxDeviceIDBytes-1),
	}
}

// newKey is an active key whose fields have different values.
func (w *world) newKey(account, device string) domain.DeviceKey {
	return domain.DeviceKey{
		ID: domain.NewID(), AccountID: account, DeviceID: device, Algorithm: "RSA-OAEP-256", Bits: 3072,
		PublicKey: append([]byte("public "), everyByte()...), Sealed: append([]byte("sealed "), everyByte()...),
		AppVersion: "1.2.3-β", State: domain.KeyActive, Version: 1, CreatedAt: w.now(),
	}
}

// issue stores a new active key.
func (w *world) issue(account, device string) domain.DeviceKey {
	w.Helper()
	k := w.newKey(account, device)
	w.must(func(tx store.Tx) error { return tx.InsertKey(k) })
	return k
}

// end stores an end of the key, made by change, and returns the key so ended.
func (w *world) end(k domain.DeviceKey, change func(*domain.DeviceKey)) domain.DeviceKey {
	w.Helper()
	k.State, k.EndedAt = domain.KeyInvalidated, w.now()
	change(&k)
	k.Version++
	w.must(func(tx store.Tx) error { return tx.UpdateKey(k) })
	return k
}

func erase(k *domain.DeviceKey) { k.Sealed = nil }

// sized is a name that sorts like its number.
func sized(prefix string, i int) string { return fmt.Sprintf("%s%05d", prefix, i) }

func (w *world) newCredential(account string, t domain.CredentialType) domain.Credential {
	return domain.Credential{ID: domain.NewID(), AccountID: account, Type: t, Version: 1,
		Sealed: append([]byte(t), everyByte()...), CreatedAt: w.now(), UpdatedAt: w.now().Add(time.Microsecond)}
}

func (w *world) newAttempts(account string, t domain.CredentialType) domain.Attempts {
	return domain.Attempts{ID: domain.NewID(), AccountID: account, Type: t, Version: 1, Failures: 3,
		Recent: []time.Time{w.now().Add(-time.Hour), w.now()}, LockedUntil: w.now().Add(time.Hour), Permanent: true,
		Pending: []domain.PendingAttempt{{ID: domain.NewID(), Lease: w.now()}, {ID: `odd "id"`, Lease: w.now().Add(time.Second), Device: domain.NewID()}},
		Devices: []domain.DeviceAttempts{
			{Device: domain.NewID(), Failures: 4, LockedUntil: w.now().Add(time.Minute), Permanent: true, LastFailure: w.now()},
			{Device: `odd "device"`, Failures: 1, LastFailure: w.now().Add(-time.Second)}},
		VerifiedAt: w.now().Add(-time.Minute), VerifiedBy: domain.NewID(), MAC: everyByte()}
}

// event is an event whose fields have different values.
func (w *world) event(partition string, seq int64) domain.OutboxEvent {
	return domain.OutboxEvent{Partition: partition, Seq: seq, ID: domain.NewID(), Event: domain.EventKeyIssued, Time: w.now(),
		Data: append([]byte(`{"β":`), everyByte()...), MAC: everyByte()}
}

func (w *world) newEntry(chain string, seq int64) domain.Entry {
	return domain.Entry{
		Chain: chain, Seq: seq, Time: w.now(), RequestID: domain.NewID(), Actor: "operator",
		Event: domain.EventCredentialMismatch, Outcome: "mismatch", Operation: domain.OpVerifyPIN, Failed: true,
		Count: 7, Duration: 1234567 * time.Microsecond, KeyID: domain.NewID(), Account: everyByte()[:16],
		Device: everyByte()[16:32], Record: "attempts/" + domain.NewID(), Version: 3, Before: everyByte()[96:128], Digest: everyByte(),
		Reason: `a "reason"; it's odd 📱`, Prev: everyByte()[32:64], Hash: everyByte()[64:96],
	}
}

// newVerdict is an entry that an engine may store in another form. Entries of the tests
// have one hash, so it can follow any of them.
func (w *world) newVerdict(chain string, seq int64) domain.Entry {
	e := w.newEntry(chain, seq)
	e.Actor, e.Count, e.Reason, e.Prev = "caller", 1, "", e.Hash
	return e
}

// newShortVerdict returns a short verdict that left its record unchanged.
func (w *world) newShortVerdict(chain string, seq int64) domain.Entry {
	e := w.newVerdict(chain, seq)
	e.Before, e.Digest, e.Hash = everyByte()[:domain.ShortDigest], everyByte()[:domain.ShortDigest], everyByte()[:domain.ShortHash]
	return e
}

// newEither is a verdict for every other number.
func (w *world) newEither(chain string, seq int64) domain.Entry {
	if seq%2 == 0 {
		return w.newVerdict(chain, seq)
	}
	return w.newEntry(chain, seq)
}

func (w *world) numbers(chain string, after int64) []int64 {
	w.Helper()
	var got []int64
	w.look(func(tx store.Tx) error {
		return tx.EachEntry(chain, after, func(e domain.Entry) error {
			equal(w, "chain", e.Chain, chain)
			got = append(got, e.Seq)
			return nil
		})
	})
	return got
}

func upTo(from, to int64) []int64 {
	var all []int64
	for i := from; i <= to; i++ {
		all = append(all, i)
	}
	return all
}

// digest is a digest that differs from others in its last byte only.
func digest(i int) []byte { return everyByte()[i : i+16] }

func putAttempts(tx store.Tx, all ...domain.Attempts) error {
	return tx.WriteBatch(store.Batch{Attempts: all})
}

func putEvents(tx store.Tx, all ...domain.OutboxEvent) error {
	return tx.WriteBatch(store.Batch{Events: all})
}

// keysOf are the keys of an account, in any state.
func keysOf(tx store.Tx, account string) (keys []domain.DeviceKey, err error) {
	err = tx.EachKey(func(k domain.DeviceKey) error {
		if k.AccountID == account {
			keys = append(keys, k)
		}
		return nil
	})
	return keys, err
}

func sorted(s []string) []string {
	slices.Sort(s)
	return s
}

const generationWindow = 24 * time.Hour

// generated counts a request, which must be answered with this reset.
func (w *world) generated(device []byte, limit int64, counted bool, reset time.Time) {
	w.Helper()
	w.must(func(tx store.Tx) error {
		gotReset, got, err := tx.CountKeyGeneration(device, generationWindow, limit)
		equal(w, "counted", got, counted)
		equal(w, "reset", gotReset, reset)
		return err
	})
}
