package service

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strongroom/internal/domain"
)

// witnessed is a vault that keeps a witness, and was used.
func witnessed(t *testing.T) (v *vault, path string) {
	path = filepath.Join(t.TempDir(), "witness")
	v = openVault(t, func(c *Config) { c.Witness.Path = path })
	if err := v.CheckWitness(v.ctx); err != nil {
		t.Fatal(err)
	}
	v.setPIN(v.issue("phone"), "1357")
	return v, path
}

func (v *vault) startsAfter(what string, do func()) {
	v.t.Helper()
	if err := v.Stop(v.ctx); err != nil {
		v.t.Fatal(err)
	}
	do()
	v.kill()
	if err := v.CheckWitness(v.ctx); err != nil {
		v.t.Errorf("%s: %v", what, err)
	}
}

func TestAnOlderDatabaseIsRefusedUntilItIsAcceptedByName(t *testing.T) {
	v, path := witnessed(t)
	key := v.issue("phone")
	v.verifyPIN(key, "0000")
	kept := v.insider().keep("attempts")
	v.verifyPIN(key, "0000")
	v.startsAfter("nothing", func() {})
	v.startsAfter("a row that is put back", func() { // for audit verify to find
		kept.put("attempts", kept.rows["attempts"])
	})
	if err := v.Stop(v.ctx); err != nil {
		t.Fatal(err)
	}
	kept.putBack()
	v.kill()
	err := v.CheckWitness(v.ctx)
	if err == nil {
		t.Fatal("an older database is served")
	}
	_, name, found := strings.Cut(err.Error(), "--accept-restored ")
	name, _, _ = strings.Cut(name, ";")
	if !found || !strings.Contains(err.Error(), path) {
		t.Fatalf("the start says %v", err)
	}
	tweak := v.tweak
	for _, accept := range []string{"x:1", name} {
		v.tweak = func(c *Config) { tweak(c); c.Witness.Accept = accept }
		v.kill()
		if err := v.CheckWitness(v.ctx); (err == nil) != (accept == name) {
			t.Errorf("--accept-restored %s: %v", accept, err)
		} else if err != nil && !strings.Contains(err.Error(), "x:1 was given, which names no missing entry") {
			t.Errorf("--accept-restored %s does not say that it names another entry: %v", accept, err)
		}
	}
	if n := v.events()[domain.EventStoreRestored]; n != 1 {
		t.Errorf("%d entries tell that it was accepted", n)
	}
	v.tweak = tweak
	v.startsAfter("it was accepted", func() {})
	v.intact()
}

func TestAWitnessThatWasEditedIsRefusedAndOneOfAnotherStoreIsNot(t *testing.T) {
	v, path := witnessed(t)
	if err := v.Stop(v.ctx); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{
		"cut":    string(whole[:len(whole)/2]),
		"empty":  "",
		"edited": strings.Replace(string(whole), `"seq":`, `"seq":1`, 1),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		v.kill()
		if err := v.CheckWitness(v.ctx); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	v.kill()
	if err := v.CheckWitness(v.ctx); err != nil {
		t.Error(err)
	}
	if usesPostgreSQL(t) {
		return // its databases are emptied, not begun anew beside each other
	}
	other := openVault(t, func(c *Config) { c.Witness.Path = path })
	if err := other.CheckWitness(other.ctx); err != nil {
		t.Errorf("a new store: %v", err)
	}
	if !strings.Contains(other.log.String(), "another database") {
		t.Error("the log does not say so")
	}
}

// What is pruned, erased, unlocked or appended beside is no reason to refuse.
func TestNoWitnessIsWrongOfWhatIsRightlyDone(t *testing.T) {
	v, _ := witnessed(t)
	v.startsAfter("a command beside", func() {
		w := v.beside()
		for n := range 5 {
			w.issue(fmt.Sprint("device", n))
		}
		if err := w.erase("phone", "reason"); err != nil {
			t.Fatal(err)
		}
	})
	for range 3 {
		v.startsAfter("a kill", func() { v.kill(); v.verifyPIN(v.issue("phone"), "0000") })
	}
	v.clock.Advance(pruneKeeps * 3)
	v.startsAfter("a prune", func() {
		w := v.beside()
		w.issue("newest")
		if done, err := w.PruneTrail(w.ctx, Pruning{OlderThan: pruneKeeps * 2, Reason: "reason"}); err != nil || done.Entries == 0 {
			t.Fatalf("pruned %d: %v", done.Entries, err)
		}
	})
}
