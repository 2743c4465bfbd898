package service

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

func TestAPrivateKeyOpensInItsOwnRecordOnly(t *testing.T) {
	v := openVault(t, func(c *Config) { c.KeyTTL = time.Hour })
	k, other := v.stored(v.issue("phone")), v.stored(v.issue("tablet"))
	if _, err := v.records.OpenKey(k); err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(*domain.DeviceKey){
		"public key": func(k *domain.DeviceKey) { k.PublicKey = other.PublicKey },
		"id":         func(k *domain.DeviceKey) { k.ID = other.ID },
		"account":    func(k *domain.DeviceKey) { k.AccountID = other.AccountID },
		"device":     func(k *domain.DeviceKey) { k.DeviceID = other.DeviceID },
		"algorithm":  func(k *domain.DeviceKey) { k.Algorithm += "x" },
		"age":        func(k *domain.DeviceKey) { k.CreatedAt = k.CreatedAt.Add(time.Microsecond) },
		"validity":   func(k *domain.DeviceKey) { k.ExpiresAt = k.ExpiresAt.Add(time.Microsecond) },
	} {
		changed := k
		change(&changed)
		if _, err := v.records.OpenKey(changed); err == nil {
			t.Errorf("it opens in a record with another %s", what)
		}
	}
}

func TestAVerifierOpensInItsOwnRowOnly(t *testing.T) {
	v := openVault(t, nil)
	var stored [2]domain.Credential
	for i, device := range []string{"phone", "tablet"} {
		k := v.issue(device)
		v.expect("set", v.setPIN(k, "1357"), "true")
		stored[i] = v.credential(k)
	}
	c, other := stored[0], stored[1]
	if _, _, err := v.records.OpenCredential(c); err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(*domain.Credential){
		"id":      func(c *domain.Credential) { c.ID = other.ID },
		"account": func(c *domain.Credential) { c.AccountID = other.AccountID },
		"type":    func(c *domain.Credential) { c.Type = domain.Passcode },
		"version": func(c *domain.Credential) { c.Version++ },
	} {
		changed := c
		change(&changed)
		if _, _, err := v.records.OpenCredential(changed); err == nil {
			t.Errorf("it opens in a row with another %s", what)
		}
	}
}

// A replaced PIN that is written back over its successor must not open there,
// not even for a process that has not seen the successor.
func TestAPreviousCredentialDoesNotOpenAsThePresentOne(t *testing.T) {
	v := openVault(t, func(c *Config) { c.History = 3 })
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "1357"), "true")
	v.expect("set", v.setPIN(k, "2468"), "true")
	i := v.insider()
	previous := i.read("SELECT * FROM credential_previous WHERE @pin")
	i.put("credential", previous)
	v.kill()
	v.expect("verify with the previous PIN", v.verifyPIN(k, "1357"), "INTERNAL")
	v.expect("verify with the present PIN", v.verifyPIN(k, "2468"), "INTERNAL")
	v.tamperingWasSeen()
}

func TestAnErasedAccountLeavesNoVerifierBehind(t *testing.T) {
	v := openVault(t, func(c *Config) { c.History = 4 })
	k := v.issue("phone")
	for _, secret := range []string{"1001", "2002", "3003"} {
		v.expect("set", v.setPIN(k, secret), "true")
		rule, err := v.Set(v.ctx, submission(t, k, domain.Passcode, "open sesame "+secret))
		v.expect("set", word(rule == "", err), "true")
	}
	i := v.insider()
	previous := func() int { return len(i.rows("SELECT * FROM credential_previous")) }
	if n := previous(); n != 4 {
		t.Fatalf("%d previous credentials, want 4", n)
	}
	if err := v.erase("phone", "the customer asked for it"); err != nil {
		t.Fatal(err)
	}
	if n := previous() + len(i.rows("SELECT * FROM credential")); n != 0 {
		t.Errorf("%d verifiers are left", n)
	}
	v.intact()
}

// No data about the devices of an erased account stays in plaintext, whether their
// keys were in use or had ended. Another account's data stays.
func TestAnErasedAccountLeavesNoDeviceDataInPlaintext(t *testing.T) {
	v := openJWT(t, nil)
	alice, bob := v.as("alice"), v.as("bob")
	input := domain.Identity{DeviceID: "alice's phone", AppVersion: "7.6.5-alice"}
	var keys []domain.KeyPair
	for range 3 {
		k, err := v.RotateKey(alice.ctx, input)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, k)
	}
	keys = append(keys, alice.issue("alice's tablet"))
	for _, secret := range []string{"8302", "8303"} {
		v.expect("set", alice.setPIN(keys[2], secret), "true")
	}
	v.expect("bob's set", bob.setPIN(bob.issue("bob's phone"), "1357"), "true")

	i := v.insider()
	inClear := func(what string, value []byte) (found []string) {
		for _, table := range store.Tables {
			for _, row := range i.rows("SELECT * FROM " + table.Name) {
				if strings.Contains(fmt.Sprintf("%s", row), string(value)) {
					found = append(found, fmt.Sprintf("%s in %s", what, table.Name))
				}
			}
		}
		return found
	}
	everything := func() (found []string) {
		for what, value := range map[string][]byte{"name": []byte("alice"), "deviceId": []byte("alice's phone"), "tablet": []byte("alice's tablet"),
			"appVersion": []byte("7.6.5-alice"), "current public key": keys[2].PublicKey, "ended public key": keys[0].PublicKey} {
			found = append(found, inClear(what, value)...)
		}
		return found
	}
	if got := everything(); len(got) < 6 {
		t.Fatalf("before the erasure only %q are found: this test looks in the wrong place", got)
	}
	must[domain.ActResult](t)(v.EraseAccount(v.ctx, v.accountID(domain.ModeJWT, testIssuer, "alice"), domain.Act{Reason: "she asked"}))
	if got := everything(); len(got) > 0 {
		t.Errorf("in plaintext after the erasure: %q", got)
	}
	if got := inClear("bob's device", []byte("bob's phone")); len(got) != 1 {
		t.Errorf("of another account: %q", got)
	}
	for _, k := range keys {
		v.expect("verify with a key of the erased account", alice.verifyPIN(k, "8303"), "KEY_NOT_USABLE")
	}
	if n := v.events()[domain.EventKeyRemoved]; n != len(keys) {
		t.Errorf("%d keys were removed, want %d", n, len(keys))
	}
	v.intact()
}

// Version 0.6.0 kept the records of the ended keys of an erased account.
func TestKeysOfAnAccountThatAnOlderVersionErasedAreRemoved(t *testing.T) {
	v := openJWT(t, nil)
	alice, bob := v.as("alice"), v.as("bob")
	old := alice.issue("phone")
	alice.rotate("phone")
	tampered := alice.issue("tablet")
	alice.rotate("tablet")
	bob.issue("phone")
	bob.rotate("phone")
	before := v.keyStates()
	sweep := func(want map[string]domain.KeyState) {
		t.Helper()
		if more, err := v.SweepErasedKeys(v.ctx); more || err != nil {
			t.Fatal(more, err)
		}
		if diff := cmp.Diff(want, v.keyStates()); diff != "" {
			t.Errorf("keys (-want +got):\n%s", diff)
		}
	}
	sweep(before)
	id := v.accountID(domain.ModeJWT, testIssuer, "alice")
	v.insider().write("DELETE FROM account WHERE id = $1", id)
	v.insider().write("UPDATE device_key SET app_version = 'edited' WHERE id = $1", tampered.KeyID)
	delete(before, old.KeyID) // the only one that has ended and was not edited
	sweep(before)
	sweep(before)
	if entries := v.entriesOf(domain.EventKeyRemoved); len(entries) != 1 || entries[0].KeyID != old.KeyID || entries[0].Actor != "system" {
		t.Errorf("the trail says %+v", entries)
	}
}

// keyStates are the states of all stored keys, by their ids.
func (v *instance) keyStates() map[string]domain.KeyState {
	v.t.Helper()
	all := map[string]domain.KeyState{}
	v.view(func(tx store.Tx) error {
		return tx.EachKey(func(k domain.DeviceKey) error {
			all[k.ID] = k.State
			return nil
		})
	})
	return all
}

// Erased data is also removed from the files, after the act or after the
// background has scrubbed the store.
func TestErasedKeysAndVerifiersAreNotInTheFiles(t *testing.T) {
	v := openVault(t, nil)
	source, err := url.Parse(v.database.source)
	if err != nil {
		t.Fatal(err)
	}
	left := func(value []byte) bool {
		for _, path := range []string{source.Path, source.Path + "-wal"} {
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(content, value) {
				return true
			}
		}
		return false
	}
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "1357"), "true")
	rotated, verifier := v.stored(k).Sealed, v.credential(k).Sealed
	if !left(rotated) || !left(verifier) {
		t.Fatal("the stored values are not in the files")
	}
	erased := v.stored(v.rotate("phone")).Sealed
	if err := v.records.Scrub(v.ctx); err != nil {
		t.Fatal(err)
	}
	if left(rotated) {
		t.Error("the private key of a rotated key is in the files")
	}
	if err := v.erase("phone", "the customer asked for it"); err != nil {
		t.Fatal(err)
	}
	if left(erased) || left(verifier) {
		t.Error("the private key or the verifier of an erased account is in the files")
	}
	v.tend()
	signs := v.insider().rows("SELECT sealed FROM signing_key")[0]["sealed"].([]byte)
	if !left(signs) {
		t.Fatal("the signing key is not in the files")
	}
	if _, err := v.WithdrawSigningKeys(v.ctx, domain.Act{Reason: "drill"}); err != nil {
		t.Fatal(err)
	}
	if left(signs) {
		t.Error("the private key of a withdrawn signing key is in the files")
	}
}
