package service

import (
	"context"
	"errors"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// A process that has opened a key caches its record for a minute, and decrypts
// with it before it reads the record in the store. Meanwhile another process ends the
// key.
func TestACachedKeyThatAnotherProcessEndedIsRefused(t *testing.T) {
	v := openVault(t, nil)
	w := v.beside()
	other := v.issue("another device")
	for name, request := range map[string]func(k domain.KeyPair) string{
		"a right verify":                func(k domain.KeyPair) string { return v.verifyPIN(k, "8302") },
		"a wrong verify":                func(k domain.KeyPair) string { return v.verifyPIN(k, "0000") },
		"a set":                         func(k domain.KeyPair) string { return v.setPIN(k, "8303") },
		"a set that the policy forbids": func(k domain.KeyPair) string { return v.setPIN(k, "1") },
		"a ciphertext of another key": func(k domain.KeyPair) string {
			sub := submission(t, other, domain.TransactionPIN, "8302")
			sub.KeyID = k.KeyID
			return v.verify(sub)
		},
		"no ciphertext": func(k domain.KeyPair) string {
			sub := submission(t, k, domain.TransactionPIN, "8302")
			sub.Ciphertext = "AAAA"
			return v.verify(sub)
		},
	} {
		t.Run(name, func(t *testing.T) {
			device := "phone of " + name
			k := v.issue(device)
			v.expect("set", v.setPIN(k, "8302"), "true")
			v.expect("verify", v.verifyPIN(k, "8302"), "true")
			if _, kept := v.keyCache.Record(k.KeyID); !kept {
				t.Fatal("the key is not cached, so this test proves nothing")
			}
			w.rotate(device)
			v.expect(name, request(k), "KEY_NOT_USABLE")
			if _, kept := v.keyCache.Record(k.KeyID); kept {
				t.Error("the key is cached although it was refused")
			}
			next := v.issue(device)
			v.expect("the PIN under the next key", v.verifyPIN(next, "8302"), "true")
		})
	}
	if n := v.events()[domain.EventCredentialMismatch]; n != 0 {
		t.Errorf("%d guesses were counted", n)
	}
	v.intact()
}

// A set under a key in its grace period is refused because of the key, even if the
// key is cached and the ciphertext does not decrypt. The refusal uses nothing of the
// budget for failed decryptions: verifies in the grace period need that budget.
func TestASetUnderAKeyInGraceUsesNoDecryptionBudget(t *testing.T) {
	v := openVault(t, func(c *Config) { c.DecryptionFailures, c.RotationGrace = 1, time.Minute })
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	v.expect("verify", v.verifyPIN(k, "8302"), "true")
	v.beside().rotate("phone")
	bad := submission(t, v.issue("another device"), domain.TransactionPIN, "8303")
	bad.KeyID = k.KeyID
	v.expect("a set that does not decrypt", v.set(bad), "KEY_NOT_USABLE")
	v.expect("verify in the grace period", v.verifyPIN(k, "8302"), "true")
	v.expect("a verify that does not decrypt", v.verify(bad), "DECRYPTION_FAILED")
	v.expect("another", v.verify(bad), "TOO_MANY_REQUESTS")
}

// If a client hangs up, the process does not read the key again. The failure still
// counts, or the client could try any number of ciphertexts.
func TestAClientThatHangsUpStillUsesTheBudgetOfACachedKey(t *testing.T) {
	v := openVault(t, func(c *Config) { c.DecryptionFailures = 3 })
	k := v.issue("phone")
	bad := submission(t, v.issue("another device"), domain.TransactionPIN, "8303")
	bad.KeyID = k.KeyID
	gone := *v
	var hangUp context.CancelFunc
	gone.ctx, hangUp = context.WithCancel(v.ctx)
	hangUp()
	for n := range 20 {
		if answer := v.setPIN(k, "1"); answer == "TOO_MANY_REQUESTS" {
			v.expect("one that stays", v.verify(bad), "TOO_MANY_REQUESTS")
			return
		}
		if _, kept := v.keyCache.Record(k.KeyID); !kept {
			t.Fatalf("after %d requests the key is not cached, so this test proves nothing", n)
		}
		gone.verify(bad)
	}
	t.Error("20 ciphertexts that did not decrypt did not use up a budget of 3")
}

// If another process has bound the device to a key, a request without a proof of
// that key uses up no attempt.
func TestACachedKeyThatAnotherProcessBoundNeedsItsProof(t *testing.T) {
	v := openVault(t, nil)
	w := v.beside()
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	v.expect("verify", v.verifyPIN(k, "8302"), "true")
	v.expect("verify with a proof", w.with(proving("A")).verifyPIN(k, "8302"), "true")
	for _, pin := range []string{"8302", "0000"} {
		v.expect("without the proof", v.verifyPIN(k, pin), "UNAUTHENTICATED")
	}
	if _, kept := v.keyCache.Record(k.KeyID); !kept {
		t.Fatal("the key is not cached, so the rest of this test proves nothing")
	}
	bad := submission(t, v.issue("another device"), domain.TransactionPIN, "8302")
	bad.KeyID = k.KeyID
	v.expect("a ciphertext that does not decrypt, without the proof", v.verify(bad), "UNAUTHENTICATED")
	if _, kept := v.keyCache.Record(k.KeyID); kept {
		t.Error("the key is cached, so that more such ciphertexts would be decrypted")
	}
	v.expect("a set without the proof", v.setPIN(k, "8303"), "UNAUTHENTICATED")
	v.expect("with the proof", v.with(proving("A")).verifyPIN(k, "8302"), "true")
	if n := v.events()[domain.EventCredentialMismatch]; n != 0 {
		t.Errorf("%d guesses were counted", n)
	}
}

// A caller with credential:reset needs no proof for a set, whether the key is cached or
// not.
func TestAResetUnderACachedKeyNeedsNoProof(t *testing.T) {
	v := openVault(t, func(c *Config) { c.Mode = domain.ModeGateway })
	alice, elsewhere := v.as("alice"), v.beside().as("alice", proving("A"))
	k := alice.issue("phone")
	v.expect("set", alice.setPIN(k, "8302"), "true")
	v.expect("verify", alice.verifyPIN(k, "8302"), "true")
	v.expect("verify with a proof", elsewhere.verifyPIN(k, "8302"), "true")
	if _, kept := v.keyCache.Record(k.KeyID); !kept {
		t.Fatal("the key is not cached, so this test proves nothing")
	}
	reset := v.as("alice", may(domain.MayResetCredential))
	v.expect("a PIN that the policy refuses", reset.setPIN(k, "1"), "false")
	v.expect("a PIN", reset.setPIN(k, "6174"), "true")
	v.expect("verify without a proof", alice.verifyPIN(k, "6174"), "true")
}

// In the modes with accounts, a stranger who knows a keyId does not learn whether the
// key is cached.
func TestACachedKeyServesOnlyItsAccount(t *testing.T) {
	v := openVault(t, func(c *Config) { c.Mode = domain.ModeGateway })
	ann, bob := v.as("ann"), v.as("bob")
	k := ann.issue("phone")
	ann.expect("set", ann.setPIN(k, "8302"), "true")
	ann.expect("verify", ann.verifyPIN(k, "8302"), "true")
	bob.expect("verify by another account", bob.verifyPIN(k, "8302"), "KEY_NOT_USABLE")
	if _, kept := v.keyCache.Record(k.KeyID); !kept {
		t.Error("a stranger removed the key from the cache")
	}
	ann.expect("verify", ann.verifyPIN(k, "8302"), "true")
}

// The last use of a key is recorded after its record was read, so that an erased
// account leaves nothing.
func TestARefusedKeyIsNotRecordedAsUsed(t *testing.T) {
	v := openVault(t, nil)
	w := v.beside()
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	if err := v.tally.Flush(v.ctx, true); err != nil {
		t.Fatal(err)
	}
	account := ""
	rows := func(fn func(store.Tx) error) {
		t.Helper()
		if err := v.store.Update(v.ctx, fn); err != nil {
			t.Fatal(err)
		}
	}
	rows(func(tx store.Tx) error {
		found, err := tx.Key(k.KeyID)
		account = found.AccountID
		return errors.Join(err, tx.DeleteKeyUses(account))
	})
	w.rotate("phone")
	v.clock.Advance(time.Hour)
	v.expect("verify", v.verifyPIN(k, "8302"), "KEY_NOT_USABLE")
	if err := v.tally.Flush(v.ctx, true); err != nil {
		t.Fatal(err)
	}
	rows(func(tx store.Tx) error {
		used, err := tx.KeysUsed(account, []string{k.KeyID})
		if err == nil && !used[0].IsZero() {
			t.Errorf("the key's last use: %v, want none", used[0])
		}
		return err
	})
}
