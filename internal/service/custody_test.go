package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"filippo.io/age"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/custody"
	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/rollback"
	"strongroom/internal/rootkey"
	"strongroom/internal/store"
	"strongroom/internal/store/postgres/pgtest"
)

// newRootKey makes a root key in a file, and returns its URL.
func newRootKey(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "another.key")
	if err := rootkey.CreateFile(path); err != nil {
		t.Fatal(err)
	}
	return "file:" + path
}

func (v *instance) storedKeyset() (stored seal.Stored) {
	v.t.Helper()
	v.view(func(tx store.Tx) (err error) {
		stored, err = record.StoredKeyset(tx)
		return err
	})
	return stored
}

// done fails the test if an act failed.
func (v *instance) done(_ domain.ActResult, err error) {
	v.t.Helper()
	if err != nil {
		v.t.Fatal(err)
	}
}

var becauseOf = domain.Act{Reason: "a test"}

// Any one of several root keys starts the service. A root key that was removed does
// not.
func TestAnyRootKeyOfTheListOpensTheDatabase(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	first, second := "file:"+v.rootKey, newRootKey(t)
	missing := "file:" + filepath.Join(t.TempDir(), "missing.key")
	if _, err := v.AddRootKey(v.ctx, missing, becauseOf); err == nil || !strings.Contains(err.Error(), "root-key create '"+missing+"'") {
		t.Errorf("adding one that does not exist: %v", err)
	}
	if _, err := v.RotateRootKey(v.ctx, "", missing, becauseOf); err == nil || !strings.Contains(err.Error(), "root-key create '"+missing+"'") {
		t.Errorf("rotating to one that does not exist: %v", err)
	}
	v.done(v.AddRootKey(v.ctx, second, becauseOf))
	if _, err := v.AddRootKey(v.ctx, second, becauseOf); err == nil || !strings.Contains(err.Error(), "wraps the database already") {
		t.Errorf("adding it again: %v", err)
	}
	starts := func(url string, want error) {
		t.Helper()
		v.tweak = func(c *Config) { c.RootKeys.URLs = []string{url} }
		if err := v.start(); !errors.Is(err, want) {
			t.Fatalf("a start with %s: %v, want %v", url, err, want)
		}
	}
	starts(second, nil)
	v.expect("verify", v.verifyPIN(k, "1357"), "true")
	v.done(v.RemoveRootKey(v.ctx, first, becauseOf))
	starts(first, seal.ErrWrongRootKey)
	starts(second, nil)
	if _, err := v.RemoveRootKey(v.ctx, second, becauseOf); err == nil || !strings.Contains(err.Error(), "no other root key") {
		t.Errorf("removing the last one: %v", err)
	}
	third := newRootKey(t)
	v.done(v.RotateRootKey(v.ctx, "", third, becauseOf))
	v.expect("verify after the rotation", v.verifyPIN(k, "1357"), "true")
	starts(second, seal.ErrWrongRootKey)
	starts(third, nil)
	v.expect("verify", v.verifyPIN(k, "1357"), "true")
	events := v.events()
	for event, want := range map[domain.Event]int{domain.EventRootKeyAdded: 1, domain.EventRootKeyRemoved: 1, domain.EventRootKeyRotated: 1} {
		if events[event] != want {
			t.Errorf("%d entries %s, want %d", events[event], event, want)
		}
	}
	v.intact()
}

// The other root key of the list was lost, or its file holds another key. Without this
// refusal, no later start would open the database.
func TestTheLastRootKeyThatOpensTheDatabaseStays(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	first, second := "file:"+v.rootKey, newRootKey(t)
	v.done(v.AddRootKey(v.ctx, second, becauseOf))
	v.done(v.AddRootKey(v.ctx, "age:"+anotherRecipient(t), becauseOf))
	path := strings.TrimPrefix(second, "file:")
	moved := filepath.Join(t.TempDir(), "moved.key")
	if err := os.Rename(path, moved); err != nil {
		t.Fatal(err)
	}
	stays := func(parts ...string) {
		t.Helper()
		_, err := v.RemoveRootKey(v.ctx, first, becauseOf)
		for _, part := range append(parts, "stays", v.storedKeyset().Wraps[1].RootKey, "nothing was changed") {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("removing the last one that opens: %v, want %q", err, part)
			}
		}
		if _, err := v.RotateRootKey(v.ctx, first, "age:"+anotherRecipient(t), becauseOf); err == nil || !strings.Contains(err.Error(), "no server could start") {
			t.Errorf("rotating the last one that opens to a recipient: %v", err)
		}
		if n := len(v.storedKeyset().Wraps); n != 3 {
			t.Errorf("%d root keys are left, want 3", n)
		}
	}
	stays("root key file "+path, "does not exist")
	if err := rootkey.CreateFile(path); err != nil {
		t.Fatal(err)
	}
	stays(second + " has another key now")

	lost := v.storedKeyset().Wraps[1].RootKey
	v.tweak = func(c *Config) { c.RootKeys.URLs = []string{first, "file:" + moved} }
	if err := v.start(); err != nil {
		t.Fatal(err)
	}
	v.done(v.RemoveRootKey(v.ctx, first, becauseOf)) // the other one is given at its new place
	v.done(v.AddRootKey(v.ctx, first, becauseOf))
	if err := os.Remove(moved); err != nil {
		t.Fatal(err)
	}
	v.done(v.RemoveRootKey(v.ctx, lost, becauseOf))
	v.tweak = func(c *Config) { c.RootKeys.URLs = []string{first} }
	if err := v.start(); err != nil {
		t.Fatal(err)
	}
	v.expect("verify", v.verifyPIN(k, "1357"), "true")
	v.intact()
}

func anotherRecipient(t *testing.T) string {
	t.Helper()
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	return identity.Recipient().String()
}

// A root key file was replaced by a new one at the same place, and both wrap the database.
func TestAURLOfTwoRootKeysRemovesNone(t *testing.T) {
	v := openVault(t, nil)
	url := newRootKey(t)
	v.done(v.AddRootKey(v.ctx, url, becauseOf))
	path := strings.TrimPrefix(url, "file:")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := rootkey.CreateFile(path); err != nil {
		t.Fatal(err)
	}
	v.done(v.AddRootKey(v.ctx, url, becauseOf))
	wraps := v.storedKeyset().Wraps
	refused := func(what string, err error) {
		t.Helper()
		for _, part := range []string{"2 root keys", wraps[1].RootKey, wraps[2].RootKey, "by its id", "root-key list"} {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v, want %q", what, err, part)
			}
		}
	}
	_, err := v.RemoveRootKey(v.ctx, url, becauseOf)
	refused("removing", err)
	_, err = v.RotateRootKey(v.ctx, url, newRootKey(t), becauseOf)
	refused("rotating", err)
	v.done(v.RemoveRootKey(v.ctx, wraps[1].RootKey, becauseOf))
	v.done(v.RemoveRootKey(v.ctx, "file:"+v.rootKey, becauseOf))
	v.tweak = func(c *Config) { c.RootKeys.URLs = []string{url} }
	if err := v.start(); err != nil {
		t.Errorf("a start with the root key that is at the place now: %v", err)
	}
}

// Someone who kept a removed root key and can write to the database puts the row of the
// keyset back to before the removal. A start would accept it, and wrap the next data key
// under that root key too.
func TestARestoredKeysetIsRefused(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	stolen, kept := "file:"+v.rootKey, newRootKey(t)
	v.done(v.AddRootKey(v.ctx, kept, becauseOf))
	var before []byte
	v.view(func(tx store.Tx) (err error) {
		before, err = tx.Setting("keyset")
		return err
	})
	v.done(v.RemoveRootKey(v.ctx, stolen, becauseOf))
	v.insider().write("UPDATE setting SET value = $1 WHERE name = 'keyset'", before)
	v.follows()
	v.expect("at a running instance", v.verifyPIN(k, "1357"), "true")
	if _, err := v.AddRootKey(v.ctx, newRootKey(t), becauseOf); err == nil {
		t.Error("the running instance writes the restored keyset")
	}
	for _, url := range []string{stolen, kept} {
		v.tweak = func(c *Config) { c.RootKeys.URLs = []string{url} }
		if err := v.start(); !errors.Is(err, seal.ErrDamaged) || !strings.Contains(err.Error(), "was put back to generation") {
			t.Errorf("a start with %s: %v", url, err)
		}
	}
}

// A command that opened the database before another one added a data key has not read that
// key. A wrap by it would lack the key, and no longer open the database.
func TestAProcessWithOlderDataKeysChangesNoKeys(t *testing.T) {
	v, w := openTwo(t)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	second := newRootKey(t)
	v.addDataKey()
	refused := func(what string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "another process changed the keys") {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := w.AddRootKey(w.ctx, second, becauseOf)
	refused("adding a root key", err)
	_, err = w.RotateRootKey(w.ctx, "", second, becauseOf)
	refused("rotating the root key", err)
	_, _, err = w.custody.AddDataKey(w.ctx)
	refused("adding a data key", err)
	_, err = w.custody.ActivateDataKey(w.ctx)
	refused("activating a data key", err)
	w.follows()
	w.done(w.AddRootKey(w.ctx, second, becauseOf))
	v.activateDataKey()
	v.setPIN(k, "2468")
	for _, url := range []string{"file:" + v.rootKey, second} {
		v.tweak = func(c *Config) { c.RootKeys.URLs = []string{url} }
		if err := v.start(); err != nil {
			t.Fatalf("a start with %s: %v", url, err)
		}
		v.expect("verify", v.verifyPIN(k, "2468"), "true")
	}
	v.intact()
}

// A root key is rotated between the two steps of a rotation of the data key.
func TestARotationThatAddedADataKeySaysSo(t *testing.T) {
	v, w := openTwo(t)
	v.addDataKey()
	says := func(what string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "the new data key was added") || strings.Contains(err.Error(), "nothing was changed") {
			t.Errorf("%s: %v", what, err)
		}
		all, _, err := v.DataKeys(v.ctx)
		if err != nil || len(all) != 2 || all[1].State != domain.DataKeyAdded {
			t.Errorf("%s: the data keys are %v: %v", what, all, err)
		}
	}
	_, err := w.custody.ActivateDataKey(w.ctx) // it has not read the new data key
	says("preparing the second step", err)
	ch, err := v.custody.ActivateDataKey(v.ctx)
	if err != nil {
		t.Fatal(err)
	}
	v.done(v.RotateRootKey(v.ctx, "", newRootKey(t), becauseOf))
	says("writing the second step", v.records.Update(v.ctx, record.System, func(tx *record.Tx) error { return ch.Write(tx, tx.Note("", "ok")) }))
	v.activateDataKey() // the command is run again
	v.intact()
}

// A rotation was killed after it had added its data key. The rewrap of the rotation before
// it is done, but no data key can be destroyed until the rotation continues.
func TestAKilledRotationOfTheDataKeySaysThatItMustContinue(t *testing.T) {
	v := openVault(t, nil)
	v.issue("phone")
	v.done(v.RotateDataKey(v.ctx, becauseOf, nil))
	if !v.rewraps(60) {
		t.Fatal("the rewrap did not end")
	}
	v.addDataKey()
	all, rewrap, err := v.DataKeys(v.ctx)
	if err != nil || rewrap.Phase != domain.RewrapDone || len(all) != 3 || all[2].State != domain.DataKeyAdded {
		t.Fatalf("the data keys are %v, %v: %v", all, rewrap, err)
	}
	_, err = v.DestroyDataKeys(v.ctx, becauseOf)
	if err == nil || !strings.Contains(err.Error(), "the newest data key was added and is not used yet") || !strings.Contains(err.Error(), "data-key rotate") {
		t.Errorf("destroying the old data key: %v", err)
	}
	v.done(v.RotateDataKey(v.ctx, becauseOf, nil))
	if !v.rewraps(60) {
		t.Fatal("the second rewrap did not end")
	}
	v.done(v.DestroyDataKeys(v.ctx, becauseOf))
	if all, _, err = v.DataKeys(v.ctx); err != nil || len(all) != 1 {
		t.Errorf("the data keys are %v: %v", all, err)
	}
	v.intact()
}

// All root keys are lost. The identity in the safe opens the database.
func TestAnAgeIdentityOpensADatabaseWhoseRootKeysAreLost(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	recovery := "age:" + identity.Recipient().String()
	if _, err := v.RotateRootKey(v.ctx, "", recovery, becauseOf); err == nil || !strings.Contains(err.Error(), "no server could start") {
		t.Errorf("rotating to a recipient: %v", err)
	}
	v.done(v.AddRootKey(v.ctx, recovery, becauseOf))
	if _, err := v.RemoveRootKey(v.ctx, "file:"+v.rootKey, becauseOf); err == nil || !strings.Contains(err.Error(), "no other root key") {
		t.Errorf("removing the last one that a server can use: %v", err)
	}
	_, err = v.PauseRewrap(v.ctx, true, becauseOf)
	v.code("pausing no rewrap", err, domain.CodeConflict, "No rewrap")
	if err := os.Remove(v.rootKey); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "identity")
	if err := os.WriteFile(path, []byte("# in the safe\n"+identity.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	v.tweak = func(c *Config) { c.RootKeys.URLs = []string{"age-identity:" + path} }
	if err := v.start(); err != nil {
		t.Fatal(err)
	}
	fresh := newRootKey(t)
	v.done(v.AddRootKey(v.ctx, fresh, becauseOf))
	v.tweak = func(c *Config) { c.RootKeys.URLs = []string{fresh} }
	if err := v.start(); err != nil {
		t.Fatal(err)
	}
	v.expect("verify", v.verifyPIN(k, "1357"), "true")
}

// write writes a prepared change of the keys.
func (v *instance) write(ch custody.Change, err error) {
	v.t.Helper()
	if err == nil {
		err = v.records.Update(v.ctx, record.System, func(tx *record.Tx) error { return ch.Write(tx, tx.Note("", "ok")) })
	}
	if err != nil {
		v.t.Fatal(err)
	}
}

func (v *instance) follows() {
	v.t.Helper()
	if err := v.custody.Follow(v.ctx); err != nil {
		v.t.Fatal(err)
	}
}

// addDataKey is the first step of a rotation, and activateDataKey the second.
func (v *instance) addDataKey() {
	v.t.Helper()
	ch, needed, err := v.custody.AddDataKey(v.ctx)
	if !needed {
		v.t.Fatal("there is an unused data key already")
	}
	v.write(ch, err)
}

func (v *instance) activateDataKey() {
	v.t.Helper()
	ch, err := v.custody.ActivateDataKey(v.ctx)
	v.write(ch, err)
}

// rewraps does parts of the rewrap until it is done, at most n.
func (v *instance) rewraps(n int) (done bool) {
	v.t.Helper()
	for range n {
		v.clock.Advance(time.Second) // in which a slow process stops to use the old data key
		if _, err := v.custody.RewrapPart(v.ctx); err != nil {
			v.t.Fatal(err)
		}
		_, rewrap, err := v.DataKeys(v.ctx)
		if err != nil {
			v.t.Fatal(err)
		}
		if rewrap.Phase == domain.RewrapDone {
			return true
		}
	}
	return false
}

// dataKeysInUse are the ids of the data keys that any stored value is under.
func (v *instance) dataKeysInUse() map[string]int {
	v.t.Helper()
	used := map[string]int{}
	sealed := func(b []byte) {
		if len(b) > 0 {
			id, err := seal.KeyID(b)
			if err != nil {
				v.t.Error(err)
			}
			used[fmt.Sprintf("%08x", id)]++
		}
	}
	macs := map[uint32]uint32{}
	for _, k := range v.keys.DataKeys() {
		macs[k.MAC] = k.ID
	}
	maced := func(b []byte) {
		id, err := seal.MACKeyID(b)
		if err != nil {
			v.t.Error(err)
		}
		used[fmt.Sprintf("%08x", macs[id])]++
	}
	v.view(func(tx store.Tx) error {
		signing, err := tx.SigningKeys()
		for _, k := range signing {
			sealed(k.Sealed)
			maced(k.MAC)
		}
		previous, err2 := tx.PreviousAfter(nil, 1000)
		for _, c := range previous {
			sealed(c.Sealed)
		}
		return errors.Join(err, err2,
			tx.EachKey(func(k domain.DeviceKey) error { sealed(k.Sealed); maced(k.MAC); return nil }),
			tx.EachCredential(func(c domain.Credential) error { sealed(c.Sealed); return nil }),
			tx.EachAttempts(func(l domain.ListedLock) error { maced(l.Counter.MAC); return nil }))
	})
	return used
}

func primary(v *instance) string {
	v.t.Helper()
	all, _, err := v.DataKeys(v.ctx)
	if err != nil {
		v.t.Fatal(err)
	}
	for _, k := range all {
		if k.State == domain.DataKeyPrimary {
			return k.ID
		}
	}
	return ""
}

// Two instances serve while the data key is rotated. No request is refused, all values
// are sealed again, and the old data key then opens nothing.
func TestADataKeyCanBeRotatedWhileInstancesRun(t *testing.T) {
	v := openVault(t, func(c *Config) { c.Writers, c.History = max(c.Writers, 2), 3 })
	w := v.beside()
	v.tend()
	phone, tablet := v.issue("phone"), w.issue("tablet")
	for _, pin := range []string{"1357", "2468", "9753"} {
		v.setPIN(phone, pin)
	}
	w.setPIN(tablet, "8642")
	v.expect("a guess before", v.verifyPIN(phone, "0000"), "false")
	dead := v.issue("lost phone")
	if err := v.revoke(dead.KeyID, "stolen"); err != nil {
		t.Fatal(err)
	}
	works := func(when string) {
		t.Helper()
		for _, one := range []*instance{v, w} {
			one.expect("phone "+when, one.verifyPIN(phone, "9753"), "true")
			one.expect("tablet "+when, one.verifyPIN(tablet, "8642"), "true")
			one.expect("a wrong PIN "+when, one.verifyPIN(tablet, "1111"), "false")
			one.expect("a revoked key "+when, one.verifyPIN(dead, "9753"), "KEY_NOT_USABLE")
			one.expect("the right PIN again "+when, one.verifyPIN(tablet, "8642"), "true")
		}
	}
	old := primary(v)
	thief, err := v.storedKeyset().Open(v.ctx, mustOpen(t, "file:"+v.rootKey)) // has an old copy of the database and its root key
	if err != nil {
		t.Fatal(err)
	}
	v.addDataKey()
	works("before the other instance has learnt the new data key")
	w.follows()
	v.activateDataKey()
	works("before the other instance uses the new data key")
	w.follows()
	works("with the new data key")
	if primary(w) == old {
		t.Fatal("the old data key is still the primary one")
	}
	if _, err := v.custody.DestroyDataKeys(v.ctx); err == nil {
		t.Error("the old data key could be destroyed while rows are under it")
	}
	if v.rewraps(3) {
		t.Error("the rewrap ended before the processes had time to follow")
	}
	if !w.rewraps(40) {
		t.Fatal("the rewrap did not end")
	}
	works("after the rewrap")
	if used := v.dataKeysInUse(); used[old] != 0 || used[primary(v)] == 0 {
		t.Errorf("values by data key: %v; the old one is %s", used, old)
	}
	v.done(v.DestroyDataKeys(v.ctx, becauseOf))
	w.follows()
	works("after the old data key was destroyed")
	v.view(func(tx store.Tx) error {
		return tx.EachKey(func(k domain.DeviceKey) error {
			if thiefs := record.New(record.Config{Keys: thief}); len(k.Sealed) > 0 {
				if _, err := thiefs.OpenKey(k); err == nil {
					t.Error("the old data key opens a private key")
				}
			}
			return nil
		})
	})
	v.setPIN(phone, "1928")
	v.expect("an earlier PIN", v.setPIN(phone, "9753"), "false")
	v.intact()
	v.kill()
	v.expect("after a restart", v.verifyPIN(phone, "1928"), "true")
	v.intact()
}

func mustOpen(t *testing.T, url string) seal.RootKey {
	t.Helper()
	root, err := rootkey.Open(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// rotated has a data key rotated, with nothing left under the old one.
func (v *instance) rotatedDataKey() {
	v.t.Helper()
	v.addDataKey()
	v.activateDataKey()
	if !v.rewraps(60) {
		v.t.Fatal("the rewrap did not end")
	}
	v.done(v.DestroyDataKeys(v.ctx, becauseOf))
}

// PostgreSQL lets one of two transactions run again if each reads what the other writes. The
// activation of a data key must not be the one that loses to every verify of a busy service.
func TestOnPostgreSQLVerifiesDoNotDelayARotation(t *testing.T) {
	if testing.Short() {
		t.Skip("the short form runs on SQLite only")
	}
	pgtest.Shared(t) // or skip
	v := openVault(t, nil)
	v.toPostgreSQL()
	w := v.beside()
	k := w.issue("phone")
	w.expect("set", w.setPIN(k, "9753"), "true")
	v.addDataKey()
	w.follows()
	ch, err := v.custody.ActivateDataKey(v.ctx)
	if err != nil {
		t.Fatal(err)
	}
	runs := 0
	err = v.records.Update(v.ctx, record.System, func(tx *record.Tx) error {
		runs++
		if err := ch.Write(tx, tx.Note("", "ok")); err != nil || runs > 1 {
			return err
		}
		w.expect("a verify meanwhile", w.verifyPIN(k, "9753"), "true")
		return nil
	})
	if err != nil || runs != 1 {
		t.Errorf("the activation ran %d times: %v", runs, err)
	}
	v.follows()
	v.expect("after the rotation", v.verifyPIN(k, "9753"), "true")
}

// A rewrap that is paused before a server begins it stays paused until it is resumed, also
// after a restart and another rotation. The metrics of every instance show its progress.
func TestAPausedRewrapStaysPaused(t *testing.T) {
	v := openVault(t, nil)
	v.setPIN(v.issue("phone"), "9753")
	stays := func(what string, left int) {
		t.Helper()
		for _, w := range []*instance{v, v.beside()} {
			if worked, err := w.custody.RewrapPart(w.ctx); worked || err != nil {
				t.Errorf("%s: the rewrap goes on: %v, %v", what, worked, err)
			}
			if shown := fmt.Sprintf("strongroom_rewrap_rows_left %d\n", left); !strings.Contains(w.scrape(), shown) {
				t.Errorf("%s: the metrics lack %s", what, shown)
			}
		}
		if _, rewrap, err := v.DataKeys(v.ctx); err != nil || !rewrap.Paused || rewrap.Rows == 0 || rewrap.Left != int64(left) {
			t.Errorf("%s: %+v, %v", what, rewrap, err)
		}
	}
	rotates := func() {
		t.Helper()
		v.addDataKey()
		v.activateDataKey()
	}
	pauses := func(pause bool) {
		t.Helper()
		v.done(v.PauseRewrap(v.ctx, pause, becauseOf))
	}
	rotates()
	pauses(true)
	stays("after a rotation", 0)
	pauses(false)
	if worked, err := v.custody.RewrapPart(v.ctx); !worked || err != nil {
		t.Fatalf("the first part: %v, %v", worked, err)
	}
	_, rewrap, err := v.DataKeys(v.ctx)
	if err != nil || rewrap.Left == 0 {
		t.Fatalf("after the first part: %+v, %v", rewrap, err)
	}
	pauses(true)
	v.kill()
	stays("after a restart", int(rewrap.Left))
	rotates()
	stays("after another rotation", 0)
	pauses(false)
	if !v.rewraps(60) {
		t.Error("the rewrap did not end")
	}
	rotates()
	if _, rewrap, err = v.DataKeys(v.ctx); err != nil || rewrap.Paused || rewrap.Phase != domain.RewrapCounting {
		t.Errorf("a later rotation: %+v, %v", rewrap, err)
	}
	v.intact()
}

// A process may have used the old data key until a moment ago, and the rewrap waits for
// it. Each part of a rewrap is a commit, so there are no parts during that wait.
func TestARewrapPausesWhileItWaitsForOtherProcesses(t *testing.T) {
	v := openVault(t, nil)
	v.setPIN(v.issue("phone"), "9753")
	v.addDataKey()
	v.activateDataKey()
	parts := 0
	var err error
	for worked := true; worked; parts++ {
		if worked, err = v.custody.RewrapPart(v.ctx); err != nil || parts > 20 {
			t.Fatalf("it does not pause, %d parts so far: %v", parts, err)
		}
	}
	if _, rewrap, err := v.DataKeys(v.ctx); err != nil || rewrap.Phase != domain.RewrapVerifying || rewrap.Rewrapped == 0 {
		t.Errorf("after %d parts: %+v, %v", parts, rewrap, err)
	}
	if !v.rewraps(20) {
		t.Error("the rewrap did not end")
	}
}

// A rewrap tries again each second while it fails. The log does not repeat the failure as
// often.
func TestARewrapThatFailsIsLoggedLikeOtherBackgroundWork(t *testing.T) {
	s := &away{}
	v := openVault(t, func(c *Config) { s.Store = c.Store; c.Store = s })
	v.addDataKey()
	v.activateDataKey()
	s.writes.Store(true)
	ctx, cancel := context.WithCancel(v.ctx)
	var ended sync.WaitGroup
	ended.Go(func() { v.custody.Rewrap(ctx) })
	until(func() bool { return s.failed.Load() >= 3 })
	cancel()
	ended.Wait()
	log := v.log.String()
	if strings.Count(log, "background work failed") != 1 || !strings.Contains(log, "work=rewrapping") || !strings.Contains(log, "omitted=0") {
		t.Errorf("after %d failures the log says\n%s", s.failed.Load(), log)
	}
}

// A large store: the walk that verifies begins while another process still uses the old
// data key, and ends when none does. Behind that walk a row may be under the old data key.
func TestARewrapWalksAgainIfItsWalkBeganTooEarly(t *testing.T) {
	v, w := openTwo(t)
	for i := range 210 { // more than a part
		v.issue(fmt.Sprint("device ", i))
	}
	old := primary(v)
	v.addDataKey()
	v.activateDataKey()
	for verifying := false; !verifying; {
		if _, err := v.custody.RewrapPart(v.ctx); err != nil {
			t.Fatal(err)
		}
		_, rewrap, err := v.DataKeys(v.ctx)
		verifying = err == nil && rewrap.Phase == domain.RewrapVerifying && rewrap.Visited > 0
	}
	for i := range 20 { // some of them behind the walk
		w.issue(fmt.Sprint("late device ", i))
	}
	v.clock.Advance(time.Minute)
	if !v.rewraps(60) {
		t.Fatal("the rewrap did not end")
	}
	if used := v.dataKeysInUse(); used[old] != 0 {
		t.Errorf("values by data key: %v; the old one is %s", used, old)
	}
	v.intact()
}

// The machine's clock was ahead and is set back, and the process that rewrapped is killed.
func TestARewrapContinuesAfterTheClockIsSetBack(t *testing.T) {
	v, w := openTwo(t)
	v.setPIN(v.issue("phone"), "9753")
	v.addDataKey()
	v.activateDataKey()
	v.rewraps(3)
	v.clock.Set(-24 * time.Hour)
	w.follows()
	if !w.rewraps(30) {
		t.Error("the rewrap did not end within 30 s")
	}
}

// queues adds events to the outbox that are about no account.
func (v *instance) queues(n int) {
	v.t.Helper()
	err := v.records.Update(v.ctx, record.System, func(tx *record.Tx) error {
		for range n {
			tx.Enter(tx.Note(domain.EventGuessingSuspected, "ok"))
		}
		return nil
	})
	if err != nil {
		v.t.Fatal(err)
	}
}

// eventMACs are the MACs of the events that wait and of the dead letters.
func (v *instance) eventMACs() map[string]bool {
	v.t.Helper()
	all := map[string]bool{}
	for _, table := range []string{"outbox", "outbox_dead"} {
		for _, row := range v.insider().rows("SELECT mac FROM " + table) {
			mac, _ := row["mac"].([]byte)
			all[string(mac)] = true
		}
	}
	return all
}

// The receiver was away for days. One transaction with all its events would stop requests
// for long, and need memory for all of them.
func TestARewrapRenewsManyEventsInParts(t *testing.T) {
	v := openVault(t, func(c *Config) { c.Webhook = &Webhook{Events: domain.EventsOut} })
	const n, dead = 700, 250
	v.queues(n)
	for range dead {
		l, _, err := v.outbox.First(v.ctx, domain.StorePartition)
		if err == nil {
			err = v.outbox.SetAside(v.ctx, l, domain.DeadRefused, "status 410")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	v.issue("phone")
	first := v.eventMACs()
	v.addDataKey()
	v.activateDataKey()
	for before, done := first, false; !done; {
		done = v.rewraps(1)
		now, changed := v.eventMACs(), 0
		for mac := range now {
			if !before[mac] {
				changed++
			}
		}
		if before = now; changed > 200 {
			t.Errorf("one part renewed %d events, want 200 or fewer", changed)
		}
	}
	v.done(v.DestroyDataKeys(v.ctx, becauseOf))
	for mac := range v.eventMACs() {
		if first[mac] {
			t.Fatal("an event has its old MAC")
		}
	}
	v.outboxHolds(n-dead+1, dead)
	v.intact()
}

// A process that still uses the old data key queues an event, behind the part that renews
// the MACs of events. It changes no row that the rewrap visits.
func TestAnEventUnderTheOldDataKeySurvivesTheRotation(t *testing.T) {
	send := func(c *Config) { c.Webhook = &Webhook{Events: domain.EventsOut} }
	v := openVault(t, send)
	w := v.beside()
	v.addDataKey()
	v.activateDataKey()
	for verifying := false; !verifying; {
		if _, err := v.custody.RewrapPart(v.ctx); err != nil {
			t.Fatal(err)
		}
		_, rewrap, err := v.DataKeys(v.ctx)
		verifying = err == nil && rewrap.Phase == domain.RewrapVerifying
	}
	w.queues(1)
	if !v.rewraps(60) {
		t.Fatal("the rewrap did not end")
	}
	v.done(v.DestroyDataKeys(v.ctx, becauseOf))
	if _, ok, err := v.outbox.First(v.ctx, domain.StorePartition); err != nil || !ok {
		t.Errorf("the event is not sent: %t, %v", ok, err)
	}
	v.outboxHolds(1, 0)
	v.intact()
}

// A process that stood still during a rotation finds an event under a data key that it
// does not know.
func TestAnEventUnderANewDataKeyIsSentByAProcessThatStoodStill(t *testing.T) {
	v := openVault(t, func(c *Config) { c.Webhook = &Webhook{Events: domain.EventsOut} })
	w := v.beside()
	v.addDataKey()
	v.activateDataKey()
	v.queues(1)
	if _, ok, err := w.outbox.First(w.ctx, domain.StorePartition); err != nil || !ok {
		t.Errorf("the event is not sent: %t, %v", ok, err)
	}
	w.outboxHolds(1, 0)
	v.intact()
}

// The database's clock was ahead, and an instance was killed before it was set back.
func TestARotationWaitsForNoEndedInstanceAfterTheClockIsSetBack(t *testing.T) {
	v, w := openTwo(t)
	w.beginBeats()
	if err := w.guard.Beat(w.ctx); err != nil {
		t.Fatal(err)
	}
	w.store.Close()
	v.clock.Set(-time.Hour)
	ctx, cancel := context.WithTimeout(v.ctx, 20*time.Second)
	defer cancel()
	_, err := v.RotateDataKey(ctx, becauseOf, func(instances []string) { v.clock.Advance(time.Second) })
	if err != nil {
		t.Errorf("the rotation: %v", err)
	}
	v.intact()
}

func TestAnInterruptedRotationSaysThatTheDataKeyIsStored(t *testing.T) {
	v, w := openTwo(t)
	w.beginBeats()
	if err := w.guard.Beat(w.ctx); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(v.ctx)
	defer cancel()
	_, err := v.RotateDataKey(ctx, becauseOf, func([]string) { cancel() })
	if err == nil || err.Error() != "interrupted: the new data key is stored and not used yet; run the command again" {
		t.Errorf("the rotation: %v", err)
	}
}

// A rotation waits for each running server. So a server keeps reporting which data keys
// it knows, even after someone restored an old keyset for a moment.
func TestAServerKeepsReportingWhichDataKeysItKnows(t *testing.T) {
	v, w := openTwo(t)
	w.follows()
	w.custody.Serve()
	keyset := func() []byte {
		text, _ := v.insider().read("SELECT value FROM setting WHERE name = 'keyset'")["value"].([]byte)
		return text
	}
	put := func(text []byte) { v.insider().write("UPDATE setting SET value = $1 WHERE name = 'keyset'", text) }
	var last []byte
	says := func(when string) {
		t.Helper()
		v.clock.Advance(2 * time.Second)
		w.follows()
		told := v.insider().rows("SELECT value FROM setting WHERE name LIKE 'keyset/%'")
		if len(told) != 1 {
			t.Fatalf("%s: %d servers report which data keys they know, want 1", when, len(told))
		}
		is, _ := told[0]["value"].([]byte)
		if bytes.Equal(is, last) {
			t.Errorf("%s, the server reports nothing new", when)
		}
		last = is
	}
	before := keyset()
	v.addDataKey()
	says("when a data key was added")
	says("later")
	added := keyset()
	put(before)
	if err := w.custody.Follow(w.ctx); err == nil || !strings.Contains(err.Error(), "was put back from generation") {
		t.Errorf("when the keyset was put back: %v", err)
	}
	put(added)
	says("when the keyset is back")
}

// A process that was paused in the middle of a write continues after the rewrap is done. Its
// row would be lost with the old data key.
func TestARowWrittenUnderTheOldDataKeyAfterTheRewrapIsNotLost(t *testing.T) {
	v, w := openTwo(t)
	phone, tablet := v.issue("phone"), w.issue("tablet")
	v.setPIN(phone, "1357")
	v.addDataKey()
	w.follows()
	v.activateDataKey()
	if !v.rewraps(60) {
		t.Fatal("the rewrap did not end")
	}
	w.records.FollowKeys(nil, w.custody.Renewed) // it was paused just after it had read the keyset
	w.setPIN(tablet, "2468")
	w.records.FollowKeys(w.custody.Fresh, w.custody.Renewed)
	_, err := v.DestroyDataKeys(v.ctx, becauseOf)
	for _, part := range []string{"rows are under an older data key", "no data key was destroyed", "the rewrap begins again"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Fatalf("destroying the old data key: %v, want %q", err, part)
		}
	}
	if !v.rewraps(60) {
		t.Fatal("the rewrap did not end again")
	}
	v.done(v.DestroyDataKeys(v.ctx, becauseOf))
	w.follows()
	for _, one := range []*instance{v, w} {
		one.expect("the phone", one.verifyPIN(phone, "1357"), "true")
		one.expect("the tablet", one.verifyPIN(tablet, "2468"), "true")
	}
	v.intact()
}

// An edited row does not keep the old data key from being destroyed. A row that was edited
// only for a time does, even if the number of rows under the old data key is as before.
func TestARowWhoseEditWasUndoneKeepsItsDataKey(t *testing.T) {
	v := openVault(t, nil)
	phone, watch := v.issue("phone"), v.issue("watch")
	v.setPIN(phone, "1357")
	v.insider().write(`UPDATE device_key SET app_version = 'edited'`)
	v.addDataKey()
	v.activateDataKey()
	refused := func(want int64) {
		t.Helper()
		if !v.rewraps(60) {
			t.Fatal("the rewrap did not end")
		}
		if _, rewrap, err := v.DataKeys(v.ctx); err != nil || rewrap.Phase != domain.RewrapDone || rewrap.Refused != want || rewrap.Left != want {
			t.Errorf("%+v, %v; want %d refused rows", rewrap, err, want)
		}
	}
	refused(2)
	v.insider().write(`UPDATE device_key SET app_version = '' WHERE id = '` + phone.KeyID + `'`)
	if _, err := v.DestroyDataKeys(v.ctx, becauseOf); err == nil || !strings.Contains(err.Error(), "1 rows are under an older data key") {
		t.Fatalf("destroying the old data key: %v", err)
	}
	refused(1)
	v.done(v.DestroyDataKeys(v.ctx, becauseOf))
	v.expect("the phone", v.verifyPIN(phone, "1357"), "true")
	v.expect("the watch", v.setPIN(watch, "1357"), "INTERNAL")
}

// An instance is paused, or cut off from the database, while others rotate the data key and
// destroy the old one. Its stored beat then has a MAC by a key that no longer counts. An
// older beat of it that is put back meanwhile is still found.
func TestAnInstanceThatWasPausedWhileItsDataKeyWasDestroyedContinues(t *testing.T) {
	for name, putBack := range map[string]bool{"nothing was put back": false, "its beat was put back": true} {
		t.Run(name, func(t *testing.T) {
			v, w := beating(t)
			key := v.issue("phone")
			beat := "beat/" + w.chains.Chain
			older := v.insider().read("SELECT value FROM setting WHERE name = '" + beat + "'")["value"]
			v.clock.Advance(3 * time.Second)
			w.beat(nil)
			v.rotatedDataKey()
			if putBack {
				v.insider().write("UPDATE setting SET value = $1 WHERE name = $2", older, beat)
			}
			v.beat(nil)
			v.expect("at the other meanwhile", v.verifyPIN(key, "1357"), "true")
			w.follows()
			if putBack {
				w.beat(rollback.ErrSeen)
				w.refusesEverything(key)
				return
			}
			for range 2 {
				w.beat(nil)
				v.beat(nil)
			}
			for _, one := range []*instance{v, w} {
				one.look("after the pause", nil)
				one.expect("the right PIN", one.verifyPIN(key, "1357"), "true")
				if err := one.Ready(one.ctx); err != nil {
					t.Error(err)
				}
			}
			v.unanswered("a guess that the other does not know of", v.beginGuess(key))
			v.intact()
		})
	}
}

// Someone who has an old data key and can write to the database puts a row back that
// it authenticates.
func TestARowUnderADestroyedDataKeyIsRefused(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	v.expect("a guess", v.verifyPIN(k, "0000"), "false")
	row := v.insider().read("SELECT * FROM attempts WHERE @pin")
	for range 4 {
		v.expect("a guess", v.verifyPIN(k, "0000"), "false")
	}
	v.rotatedDataKey()
	v.insider().put("attempts", row)
	v.kill()
	v.expect("a guess at the row that was put back", v.verifyPIN(k, "1357"), "INTERNAL")
}

// The epoch and rotation plans are not sealed but have a MAC.
func TestSettingsSurviveADataKeyRotation(t *testing.T) {
	v := openVault(t, nil)
	v.issue("phone")
	plan := v.startPlan(domain.RotationPlan{CreatedBefore: v.clock.Now().Add(-time.Hour)})
	err := v.records.Update(v.ctx, record.System, func(tx *record.Tx) error {
		_, err := tx.RaiseEpoch(tx.Note("", "ok"), tx.Now(), "a state of the witness")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	v.rotatedDataKey()
	v.kill()
	plans, err := v.RotationPlans(v.ctx)
	if err != nil || len(plans) != 1 || plans[0].ID != plan.ID {
		t.Errorf("plans %v, %v", plans, err)
	}
	v.intact()
}

// A process is killed again and again while it rewraps.
func TestARewrapContinuesAfterAKill(t *testing.T) {
	v := openVault(t, nil)
	for i := range 70 { // more than a part
		v.issue(fmt.Sprint("device ", i))
	}
	old := primary(v)
	v.addDataKey()
	v.activateDataKey()
	for !v.rewraps(1) {
		v.kill()
	}
	if used := v.dataKeysInUse(); used[old] != 0 {
		t.Errorf("values by data key: %v; the old one is %s", used, old)
	}
	v.intact()
}

// An instance that cannot reach its root key continues with the data keys that it has.
// It refuses to write as soon as others use a data key that it does not know.
func TestAnInstanceWithoutTheActiveDataKeyRefusesToWrite(t *testing.T) {
	v, w := openTwo(t)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	v.follows()
	w.follows()
	if err := os.Rename(v.rootKey, v.rootKey+".away"); err != nil {
		t.Fatal(err)
	}
	w.follows()
	w.expect("without its root key", w.verifyPIN(k, "1357"), "true")
	back := func() {
		if err := os.Rename(v.rootKey+".away", v.rootKey); err != nil {
			t.Fatal(err)
		}
	}
	back()
	v.addDataKey()
	if err := os.Rename(v.rootKey, v.rootKey+".away"); err != nil {
		t.Fatal(err)
	}
	w.follows()
	w.expect("while a data key is added that it cannot learn", w.verifyPIN(k, "1357"), "true")
	v.activateDataKey() // without waiting for the other instance
	v.expect("at the instance that knows it", v.verifyPIN(k, "1357"), "true")
	v.clock.Advance(time.Minute)
	w.expect("once it is in use", w.verifyPIN(k, "1357"), "INTERNAL")
	back()
	v.clock.Advance(time.Minute)
	w.expect("when the root key is back", w.verifyPIN(k, "1357"), "true")
	v.intact()
}

// The instance was paused while a data key that it knows became the primary one and
// another one was added.
func TestAnInstanceThatCannotLearnAllDataKeysDoesNotWriteUnderAnOldOne(t *testing.T) {
	v, w := openTwo(t)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	v.addDataKey()
	w.follows()
	v.activateDataKey() // without waiting for the other instance
	v.addDataKey()
	if err := os.Rename(v.rootKey, v.rootKey+".away"); err != nil {
		t.Fatal(err)
	}
	v.clock.Advance(time.Minute)
	w.expect("while it cannot learn the newest data key", w.verifyPIN(k, "1357"), "INTERNAL")
	if err := os.Rename(v.rootKey+".away", v.rootKey); err != nil {
		t.Fatal(err)
	}
	v.clock.Advance(time.Minute)
	w.expect("when the root key is back", w.verifyPIN(k, "1357"), "true")
	v.intact()
}

// The provider of its root key does not answer, not even with an error.
func TestAnInstanceWhoseRootKeyHangsRefusesToWrite(t *testing.T) {
	v := openVault(t, func(c *Config) { c.Writers = max(c.Writers, 2) })
	k := v.issue("phone")
	v.setPIN(k, "1357")
	var hangs atomic.Bool
	asked, release := make(chan struct{}, 10), make(chan struct{})
	v.tweak = func(c *Config) {
		c.Writers = max(c.Writers, 2)
		open := c.RootKeys.Open
		c.RootKeys.Open = func(ctx context.Context, url string) (seal.RootKey, error) {
			if hangs.Load() {
				asked <- struct{}{}
				<-release
				return nil, context.DeadlineExceeded
			}
			return open(ctx, url)
		}
	}
	w := v.beside()
	w.follows()
	v.addDataKey()
	v.activateDataKey() // without waiting for the other instance
	hangs.Store(true)
	followed := make(chan error, 1)
	go func() { followed <- w.custody.Follow(w.ctx) }()
	<-asked
	v.clock.Advance(time.Minute)
	w.expect("while its root key hangs", w.verifyPIN(k, "1357"), "INTERNAL")
	close(release)
	if err := <-followed; err == nil {
		t.Error("it learnt the data key without its root key")
	}
	hangs.Store(false)
	v.clock.Advance(time.Minute)
	w.expect("when the root key answers", w.verifyPIN(k, "1357"), "true")
	v.intact()
}

// A request reads the new keyset, and its client hangs up while the root keys are checked.
func TestAServerReportsItsDataKeysAfterACancelledCheck(t *testing.T) {
	v := openVault(t, func(c *Config) { c.Writers = max(c.Writers, 2) })
	ctx, hangUp := context.WithCancel(v.ctx)
	var following atomic.Bool
	asked := 0
	v.tweak = func(c *Config) {
		c.Writers = max(c.Writers, 2)
		open := c.RootKeys.Open
		c.RootKeys.Open = func(ctx context.Context, url string) (seal.RootKey, error) {
			if following.Load() {
				if asked++; asked == 2 { // the first time, the new data key is learnt
					hangUp()
				}
			}
			return open(ctx, url)
		}
	}
	w := v.beside()
	w.follows()
	w.custody.Serve()
	v.addDataKey()
	following.Store(true)
	if err := w.custody.Follow(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	v.clock.Advance(2 * time.Second)
	w.follows()
	if told := v.insider().rows("SELECT value FROM setting WHERE name LIKE 'keyset/%'"); len(told) != 1 {
		t.Errorf("%d servers report which data keys they know, want 1: a rotation would wait for the missing one", len(told))
	}
}

// corruptRoot is a root key whose wraps are corrupted.
type corruptRoot struct{ seal.RootKey }

func (r corruptRoot) Wrap(ctx context.Context, plaintext, associatedData []byte) ([]byte, error) {
	wrapped, err := r.RootKey.Wrap(ctx, plaintext, associatedData)
	if err == nil {
		wrapped[len(wrapped)-1] ^= 1
	}
	return wrapped, err
}

// Such a wrap would be noticed only at the next start, when no process has the data keys.
func TestAWrapThatDoesNotOpenIsNeverStored(t *testing.T) {
	var corrupts atomic.Bool
	corrupt := func(c *Config) {
		open := c.RootKeys.Open
		c.RootKeys.Open = func(ctx context.Context, url string) (seal.RootKey, error) {
			root, err := open(ctx, url)
			if corrupts.Load() {
				root = corruptRoot{root}
			}
			return root, err
		}
	}
	v := openVault(t, corrupt)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	corrupts.Store(true)
	if ch, _, err := v.custody.AddDataKey(v.ctx); err == nil {
		t.Error("a new data key is stored under a wrap that does not open")
		v.write(ch, err)
	} else if !errors.Is(err, seal.ErrSeal) || !strings.Contains(err.Error(), "nothing was changed") {
		t.Errorf("a new data key: %v", err)
	}
	corrupts.Store(false)
	if err := v.start(); err != nil {
		t.Errorf("a restart: %v", err)
	} else {
		v.expect("verify after a restart", v.verifyPIN(k, "1357"), "true")
	}
	corrupts.Store(true)
	cfg, empty := v.cfg, &instance{t: t, ctx: v.ctx, clock: v.clock, database: newDatabase(t)}
	cfg.Store, cfg.RootKeys = empty.handle(), rootKeys(filepath.Join(t.TempDir(), "root.key"))
	t.Cleanup(func() { _ = cfg.Store.Close() })
	corrupt(&cfg)
	if _, err := Open(v.ctx, cfg); !errors.Is(err, seal.ErrSeal) {
		t.Errorf("a new database begins under a wrap that does not open: %v", err)
	}
}

// The service stops while the provider of its root key is slow.
func TestACancelledCheckReportsNoRootKeyAsDown(t *testing.T) {
	var stop atomic.Pointer[context.CancelFunc]
	v := openVault(t, func(c *Config) {
		open := c.RootKeys.Open
		c.RootKeys.Open = func(ctx context.Context, url string) (seal.RootKey, error) {
			if cancel := stop.Load(); cancel != nil {
				(*cancel)()
				return nil, ctx.Err()
			}
			return open(ctx, url)
		}
	})
	ctx, cancel := context.WithCancel(v.ctx)
	stop.Store(&cancel)
	if err := v.custody.Check(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if !v.custody.Up() || strings.Contains(v.log.String(), "does not open the database") {
		t.Errorf("the root key is reported as down:\n%s", v.log)
	}
}

// forger appends entries with a keyset that was stolen.
type forger struct{ store.Tx }

func (f forger) InsertEntry(e domain.Entry) error {
	return f.WriteBatch(store.Batch{Entries: []domain.Entry{e}})
}

// A process ended before the data key was destroyed. Someone who has that data key
// appends to its chain.
func TestAnEntryUnderADestroyedDataKeyIsFound(t *testing.T) {
	v, w := openTwo(t)
	w.setPIN(w.issue("phone"), "1357")
	w.store.Close()
	thief, err := v.storedKeyset().Open(v.ctx, mustOpen(t, "file:"+v.rootKey))
	if err != nil {
		t.Fatal(err)
	}
	v.rotatedDataKey()
	v.intact()
	forged := w.chains
	forged.Key = thief
	err = v.store.Update(v.ctx, func(tx store.Tx) error {
		return forged.Append(forger{tx}, domain.Entry{Actor: "system", Event: domain.EventKeyIssued, Outcome: "ok"})
	})
	if err != nil {
		t.Fatal(err)
	}
	if problems := v.problems(); len(problems) == 0 || !strings.Contains(problems[0].String(), "may be forged") {
		t.Errorf("audit verify finds %v", problems)
	}
}
