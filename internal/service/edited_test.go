package service

import (
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"strongroom/internal/crypto/devicekey"
)

// An edited entry neither explains that a row is gone nor erases
// one.
func TestAForgedErasureEntryDoesNotExplainAMissingRow(t *testing.T) {
	v := tamperable(t)
	key := v.issue("phone")
	if err := v.beside().erase("tablet", "reason"); err != nil {
		t.Fatal(err)
	}
	i := v.insider()
	i.write("UPDATE audit_log SET record = (SELECT 'attempts/' || id FROM attempts WHERE @pin) WHERE event = 'attempts.erased'")
	if err := v.guard.FollowErasures(v.ctx, v.clock.Now().Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	v.expect("the row that was not erased", v.verifyPIN(key, "1357"), "true")
	i.write("DELETE FROM attempts WHERE @pin")
	v.expect("a guess after the row was deleted", v.verifyPIN(key, "0000"), "INTERNAL")
	v.refusesEverything(key)
}

// edits make rows of the phone look older or newer than they are.
var edits = map[string]string{
	"an older attempt counter": "UPDATE attempts SET version = version - 1 WHERE @pin",
	"a newer attempt counter":  "UPDATE attempts SET version = version + 1 WHERE @pin",
	"another attempt counter":  "UPDATE attempts SET id = 'aaaaaaaaaaaaaaaaaaaaaaaaaa' WHERE @pin",
	"an older credential":      "UPDATE credential SET version = version - 1 WHERE @pin",
	"a newer credential":       "UPDATE credential SET version = version + 1 WHERE @pin",
	"a newer key":              "UPDATE device_key SET version = version + 1 WHERE account_id = @phone",
}

// An edited row is refused when it is read. It does not count as a rollback, or an
// insider could stop the service by an edit. Everything else continues.
func TestAnEditedRowDoesNotCountAsARollback(t *testing.T) {
	for name, edit := range edits {
		t.Run(name, func(t *testing.T) {
			v := tamperable(t)
			v.editedRowIsNoRollback(v, edit)
		})
	}
}

func TestAnEditedRowOfAnotherInstanceDoesNotCountAsARollback(t *testing.T) {
	for name, edit := range edits {
		t.Run(name, func(t *testing.T) {
			v, w := followers(t)
			key := v.issue("phone")
			v.expect("a guess", v.verifyPIN(key, "0000"), "false")
			v.setPIN(key, "1357")
			w.look("after what the other did", nil)
			v.setPIN(v.issue("tablet"), "1357")
			w.editedRowIsNoRollback(v, edit)
		})
	}
}

// editedRowIsNoRollback: v refuses the edited row, and nothing else.
func (v *instance) editedRowIsNoRollback(wrote *instance, edit string) {
	v.t.Helper()
	key, tablet := wrote.issue("phone"), wrote.issue("tablet")
	i := v.insider()
	kept := i.keep("attempts", "credential")
	kept.rows["device_key"] = i.read("SELECT * FROM device_key WHERE account_id = @phone")
	i.write(edit)
	v.expect("the right PIN, with the edited row", v.verifyPIN(key, "1357"), "INTERNAL")
	v.tamperingWasSeen()
	v.expect("another account", v.verifyPIN(tablet, "1357"), "true")
	table := strings.Fields(edit)[1]
	i.put(table, kept.rows[table])
	v.expect("the right PIN, with the row as it was", v.verifyPIN(key, "1357"), "true")
	if v.guard.Seen() {
		v.t.Error("it counted as a rollback")
	}
}

// The key cache keeps only the precomputed values of an opened key.
func TestACachedKeyHoldsNoPrivateNumbers(t *testing.T) {
	v := openVault(t, func(c *Config) { c.KeyCache = 1 })
	k := v.issue("phone")
	v.expect("verify", v.verifyPIN(k, "1357"), "false")
	cached, _ := v.keyCache.Get(k.KeyID)
	kept, ok := cached.(devicekey.RSAKey)
	if !ok {
		t.Fatal("no key is in the cache")
	}
	// With fips140=only, crypto/rsa must see two primes, but not which.
	isPrime := func(n *big.Int) bool { return n.BitLen() > 1 }
	if p := kept.Precomputed; kept.D != nil || slices.ContainsFunc(kept.Primes, isPrime) || p.Dp != nil || p.Dq != nil || p.Qinv != nil {
		t.Error("the cached key holds numbers of the private key")
	}
}
