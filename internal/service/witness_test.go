package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/trail"
	"strongroom/internal/witness"
	"strongroom/internal/witness/place"
)

// witnessed is a vault that keeps a witness, and was used.
func witnessed(t *testing.T) (v *instance, path string) {
	path = filepath.Join(t.TempDir(), "witness")
	v = openVault(t, func(c *Config) { c.Witness.Place = place.File{Path: path} })
	if err := v.CheckWitness(v.ctx); err != nil {
		t.Fatal(err)
	}
	v.setPIN(v.issue("phone"), "1357")
	return v, path
}

func (v *instance) startsAfter(what string, do func()) {
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
	name := toAccept(t, err)
	if !strings.Contains(err.Error(), path) {
		t.Errorf("the start says %v", err)
	}
	entry := name[:strings.LastIndex(name, ":")]
	for _, accept := range []string{"x:1", entry, entry + ":0000000000000000"} {
		if err := v.startAccepting(accept); err == nil || !strings.Contains(err.Error(), "given value "+accept+" does not name this loss") {
			t.Errorf("--accept-restored %s: %v", accept, err)
		}
	}
	note, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.startAccepting(name); err != nil {
		t.Fatalf("--accept-restored %s: %v", name, err)
	}
	if err := os.WriteFile(path, note, 0o600); err != nil { // as if it was killed before it wrote the note
		t.Fatal(err)
	}
	if n := v.events()[domain.EventStoreRestored]; n != 1 {
		t.Errorf("%d entries record the acceptance", n)
	}
	if err := v.startAccepting(name); err == nil || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("the setting is left where it is: %v", err)
	}
	v.kill()
	if err := v.CheckWitness(v.ctx); err != nil {
		t.Fatalf("it was accepted, and the setting was removed: %v", err)
	}
	if left := v.verifyPIN(key, "0000") + ", " + v.verifyPIN(key, "1357"); left != "false, CREDENTIAL_LOCKED" {
		t.Errorf("after the acceptance, a wrong PIN and the right one are %s", left)
	}
	v.startsAfter("it was accepted", func() {})
	v.intact()
}

// Someone puts the database back at once, before the note has the guess, so only the
// process remembers it.
func TestARestartAfterARollbackIsRefused(t *testing.T) {
	for where, witnessed := range map[string]func(*testing.T) *instance{
		"a file":         func(t *testing.T) *instance { v, _ := witnessed(t); return v },
		"a shared place": func(t *testing.T) *instance { v, _ := onShelf(t); return v },
	} {
		for how, end := range map[string]func(*instance){
			"a stop":                  func(v *instance) { _ = v.Stop(v.ctx) }, // fails: nothing can be written to the store
			"a kill one second later": (*instance).keepWitness,
		} {
			t.Run(where+", "+how, func(t *testing.T) {
				v := witnessed(t)
				key := v.issue("phone")
				v.expect("a guess", v.verifyPIN(key, "0000"), "false")
				v.keepWitness()
				kept := v.insider().keep("attempts")
				v.expect("another", v.verifyPIN(key, "0000"), "false")
				kept.putBack()
				v.expect("a guess that was put back", v.verifyPIN(key, "0000"), "INTERNAL")
				end(v)
				v.isRefused("the restart", "the database is older than before")
			})
		}
	}
}

// toAccept is the value that a refused start asks for.
func toAccept(t *testing.T, refusal error) string {
	t.Helper()
	if refusal == nil {
		t.Fatal("the start is not refused")
	}
	_, name, found := strings.Cut(refusal.Error(), "--accept-restored ")
	name, _, _ = strings.Cut(name, ";")
	if !found {
		t.Fatalf("the start says %v", refusal)
	}
	return name
}

// startAccepting starts the vault anew with --accept-restored, this once.
func (v *instance) startAccepting(name string) error {
	v.t.Helper()
	tweak := v.tweak
	v.tweak = func(c *Config) { tweak(c); c.Witness.Accept = name }
	v.kill()
	v.tweak = tweak
	return v.CheckWitness(v.ctx)
}

func (v *instance) isRefused(what, says string) error {
	v.t.Helper()
	v.kill()
	err := v.CheckWitness(v.ctx)
	if err == nil || !strings.Contains(err.Error(), says) {
		v.t.Errorf("%s: %v, want %q in it", what, err, says)
	}
	return err
}

func TestAStartWithoutTheWitnessIsRefusedUntilAccepted(t *testing.T) {
	v, path := witnessed(t)
	if err := v.Stop(v.ctx); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	put := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put(strings.Replace(string(whole), `"home":"`, `"home":"a`, 1))
	v.isRefused("its store was edited", "is of another database or was edited, and this database was started with a witness there before")
	remove := func() {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	remove()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	v.isRefused("a pipe", "is not a regular file")
	remove()
	v.isRefused("it is missing", "is missing, and this database")
	v.insider().write("DELETE FROM setting WHERE name LIKE 'witness/%'")
	name := toAccept(t, v.isRefused("its note is gone as well", "is missing, and this database"))
	if err := v.startAccepting(name); err != nil {
		t.Fatalf("--accept-restored %s: %v", name, err)
	}
	if e := v.lastEntry(domain.EventStoreRestored); e.Reason != name {
		t.Errorf("the entry gives %q, want %q", e.Reason, name)
	}
	v.startsAfter("it was accepted", func() {})
	remove()
	if err := v.startAccepting(name); err == nil {
		t.Error("the name is accepted a second time")
	}
}

// The note of a witness outlives its entry.
func TestAMissingWitnessIsDetectedAfterAPrune(t *testing.T) {
	v, path := witnessed(t)
	if err := v.Stop(v.ctx); err != nil {
		t.Fatal(err)
	}
	v.clock.Advance(24 * time.Hour * 3)
	w := v.beside()
	w.issue("newest")
	if done, err := w.PruneTrail(w.ctx, trail.Pruning{OlderThan: 24 * time.Hour * 2, Reason: "reason"}); err != nil || done.Entries == 0 {
		t.Fatalf("pruned %d: %v", done.Entries, err)
	}
	if n := v.events()[domain.EventWitnessBegun]; n != 0 {
		t.Fatalf("%d entries are about the witness", n)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	v.isRefused("it is missing", "is missing, and this database")
}

// An instance on a new machine has no witness yet, and begins one.
func TestAWitnessIsBegunAtANewPlace(t *testing.T) {
	v, path := witnessed(t)
	another := filepath.Join(t.TempDir(), "witness")
	was := v.tweak
	v.tweak = func(c *Config) { was(c); c.Witness.Place = place.File{Path: another} }
	v.startsAfter("a new place", func() {})
	entered := false
	v.eachEntry(func(e domain.Entry) {
		entered = entered || e.Event == domain.EventWitnessBegun && strings.HasSuffix(e.Reason, ":"+another)
	})
	if !entered {
		t.Error("the trail does not name the place")
	}
	if !strings.Contains(v.log.String(), "the database had one elsewhere") {
		t.Errorf("the log says %s", v.log)
	}
	v.tweak = func(c *Config) { c.Witness = witness.Settings{} }
	v.startsAfter("no witness", func() {})
	if !strings.Contains(v.log.String(), "--witness none turns it off") {
		t.Errorf("the log says %s", v.log)
	}
	v.tweak = func(c *Config) { c.Witness = witness.Settings{Place: place.File{Path: path}, Unkept: os.ErrPermission} }
	v.isRefused("its directory cannot be written", "the file cannot be written now")
	if n := v.events()[domain.EventWitnessBegun]; n != 2 {
		t.Errorf("%d entries are about a new witness, want 2", n)
	}
}

func TestAnEditedWitnessIsRefused(t *testing.T) {
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
}

// The volume of a database is not mounted, so the service finds an empty directory. The
// witness is needed again when the volume is back.
func TestAWitnessOfAnotherDatabaseIsKept(t *testing.T) {
	v, path := witnessed(t)
	if err := v.Stop(v.ctx); err != nil {
		t.Fatal(err)
	}
	file := place.File{Path: path}
	kept := read(t, path) + read(t, path+".keys")
	empty := openVault(t, func(c *Config) { c.Witness.Place = file })
	empty.isRefused("an empty database", "is of another database or was edited, and this database had no witness there before")
	if read(t, path)+read(t, path+".keys") != kept {
		t.Error("the refused start changed the witness")
	}
	v.startsAfter("its volume is back", func() {})

	if err := v.Stop(v.ctx); err != nil {
		t.Fatal(err)
	}
	if err := empty.startAccepting(toAccept(t, empty.isRefused("again", "start once with --accept-restored"))); err != nil {
		t.Errorf("an empty database that is to replace the other one: %v", err)
	}
	empty.startsAfter("it was accepted", func() {})
	v.isRefused("the other database", "this database was started with a witness there before")
}

// A data directory that was deleted is made anew, with the witness at its default place.
func TestTheDefaultWitnessOfAnotherDatabaseIsRenamed(t *testing.T) {
	v, path := witnessed(t)
	key := v.issue("phone")
	older := v.insider().keep()
	v.verifyPIN(key, "0000")
	if err := v.Stop(v.ctx); err != nil {
		t.Fatal(err)
	}
	file := place.File{Path: path}
	kept := read(t, path) + read(t, path+".keys")
	empty := openVault(t, func(c *Config) { c.Witness = witness.Settings{Place: file, SetAside: file.SetAside} })
	if err := empty.CheckWitness(empty.ctx); err != nil {
		t.Fatal(err)
	}
	if err := empty.Stop(empty.ctx); err != nil {
		t.Fatal(err)
	}
	renamed, err := filepath.Glob(path + ".*Z*")
	if err != nil || len(renamed) != 2 || renamed[1] != renamed[0]+".keys" || read(t, renamed[0])+read(t, renamed[1]) != kept {
		t.Fatalf("the old witness is %v: %v", renamed, err)
	}
	if !strings.Contains(empty.log.String(), "it was renamed, and a new witness was created") || !strings.Contains(empty.log.String(), renamed[0]) {
		t.Errorf("the log says %s", empty.log)
	}

	older.putBack()
	v.isRefused("an older copy", "is of another database or was edited")
	if err := errors.Join(os.Rename(renamed[0], path), os.Rename(renamed[1], path+".keys")); err != nil {
		t.Fatal(err)
	}
	v.isRefused("an older copy, beside its own witness", "the database is older than before")
	v.isRefused("the source of a copy looks the same", "or it was copied to another database (then start on that one)")
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Erasures and prunes by other processes and kills are no reason to refuse a start.
func TestLegitimateWorkDoesNotContradictTheWitness(t *testing.T) {
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
	v.clock.Advance(24 * time.Hour * 3)
	v.startsAfter("a prune", func() {
		w := v.beside()
		w.issue("newest")
		if done, err := w.PruneTrail(w.ctx, trail.Pruning{OlderThan: 24 * time.Hour * 2, Reason: "reason"}); err != nil || done.Entries == 0 {
			t.Fatalf("pruned %d: %v", done.Entries, err)
		}
	})
}

// counting is a place with a counter. lost: the answer to the next raising is lost.
type counting struct {
	place.File
	t     *testing.T
	count int64
	lost  bool
}

func (c *counting) Count(context.Context) (int64, error) { return c.count, nil }

func (c *counting) Raise(context.Context) (int64, error) {
	c.count++
	if c.lost {
		c.lost = false
		return 0, errors.New("no answer")
	}
	return c.count, nil
}

// Write checks that a start after a crash would accept the note.
func (c *counting) Write(ctx context.Context, k place.Key, text []byte, version string) error {
	var note struct{ Count int64 }
	if k.Part == place.Heads && json.Unmarshal(text, &note) == nil && note.Count != math.MaxInt64 && (note.Count < c.count || note.Count > c.count+1) {
		c.t.Errorf("a note names count %d, and the counter is at %d", note.Count, c.count)
	}
	return c.File.Write(ctx, k, text, version)
}

// The TPM raises the counter, and hangs before it answers.
func TestANoteIsNotOlderThanACountWhoseAnswerWasLost(t *testing.T) {
	c := &counting{File: place.File{Path: filepath.Join(t.TempDir(), "witness")}, t: t}
	v := openVault(t, func(cfg *Config) { cfg.Witness.Place = c })
	if err := v.CheckWitness(v.ctx); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		c.lost = true
		for range 2 {
			v.issue("phone")
			v.setPIN(v.rotate("phone"), "1357")
			if err := v.witness.Keep(v.ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	v.startsAfter("after the losses", func() {})
}
