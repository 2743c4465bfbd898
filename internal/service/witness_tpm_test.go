package service

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strongroom/internal/witness/place"
	"strongroom/internal/witness/place/placetest"
)

// inTPM is a witness that a TPM counts.
func inTPM(t *testing.T, socket string) place.TPM {
	return place.TPM{File: place.File{Path: filepath.Join(t.TempDir(), "witness")}, Device: socket, Index: place.DefaultIndex,
		Auth: func() (string, error) { return "", nil }}
}

// onTPM is a vault whose witness a new TPM counts, before its first start.
func onTPM(t *testing.T) (v *instance, p place.TPM) {
	socket, _ := placetest.TPM(t, t.TempDir())
	p = inTPM(t, socket)
	return openVault(t, func(c *Config) { c.Witness.Place = p }), p
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Someone deletes the counter, so that a copy of the database and the note from the first
// run can be put back together.
func TestATPMThatWasClearedRefusesTheStart(t *testing.T) {
	v, p := onTPM(t)
	if err := v.CheckWitness(v.ctx); err != nil {
		t.Fatal(err)
	}
	first := read(t, p.Path)
	key := v.issue("phone")
	v.setPIN(key, "1357")
	v.verifyPIN(key, "0000")
	older := v.insider().keep("attempts")
	v.startsAfter("the first run", func() {})
	v.verifyPIN(key, "0000")
	if err := v.Stop(v.ctx); err != nil {
		t.Fatal(err)
	}
	newest := read(t, p.Path)

	placetest.Clear(t, p.Device)
	v.isRefused("a TPM that was cleared", "and the TPM has no counter")
	write(t, p.Path, first)
	v.isRefused("the note of the first run", "names no count of this TPM")
	older.putBack()
	v.isRefused("the first run, put back as a whole", "names no count of this TPM")

	write(t, p.Path, newest)
	name := toAccept(t, v.isRefused("the newest note", "start once with --accept-restored"))
	if err := v.startAccepting(name); err != nil {
		t.Fatalf("--accept-restored %s: %v", name, err)
	}
	v.startsAfter("it was accepted", func() {})
	write(t, p.Path, newest)
	v.isRefused("the note from before the TPM was cleared", "is older than its count")
}

// A note from before the switch to the TPM has no count.
func TestANoteFromBeforeTheTPMCountedItIsRefused(t *testing.T) {
	v, p := onTPM(t)
	counted := v.tweak
	v.tweak = func(c *Config) { c.Witness.Place = p.File }
	v.kill()
	if err := v.CheckWitness(v.ctx); err != nil {
		t.Fatal(err)
	}
	v.issue("phone")
	if err := v.Stop(v.ctx); err != nil {
		t.Fatal(err)
	}
	uncounted := read(t, p.Path)
	v.tweak = counted
	v.startsAfter("the switch to the TPM", func() {})
	if err := v.Stop(v.ctx); err != nil {
		t.Fatal(err)
	}
	write(t, p.Path, uncounted)
	v.isRefused("beside the counter", "is older than its count")
	placetest.Clear(t, p.Device)
	name := toAccept(t, v.isRefused("after the TPM was cleared", "names no count of this TPM"))
	if err := v.startAccepting(name); err != nil {
		t.Fatalf("--accept-restored %s: %v", name, err)
	}
	v.startsAfter("it was accepted", func() {})
}

var errKilled = errors.New("the process was killed")

// mortal is a witness of a process that is killed before one of its writes and counts.
type mortal struct {
	place.TPM
	left *int // writes and counts until the kill
}

func (m mortal) killed() bool { *m.left--; return *m.left < 0 }

func (m mortal) Write(ctx context.Context, k place.Key, text []byte, version string) error {
	if m.killed() {
		return errKilled
	}
	return m.TPM.Write(ctx, k, text, version)
}

func (m mortal) Raise(ctx context.Context) (count int64, err error) {
	if m.killed() {
		return 0, errKilled
	}
	return m.TPM.Raise(ctx)
}

// Each start is killed one step later than the one before, until one succeeds. The TPM has
// counted something before, so it decides the first value of the counter.
func TestAKillOfTheFirstStartsWithATPMRefusesNoStart(t *testing.T) {
	v, p := onTPM(t)
	other := p
	other.Index--
	for range 5 {
		if _, err := other.Raise(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	for start, want := range []int{4, 3} { // of the steps: note, note that is counted, count
		kills := 0
		for {
			left := kills
			v.tweak = func(c *Config) { c.Witness.Place = mortal{p, &left} }
			v.kill()
			err := v.CheckWitness(v.ctx)
			if err == nil {
				break
			}
			if !errors.Is(err, errKilled) {
				t.Fatalf("start %d, after a kill at step %d: %v", start, kills-1, err)
			}
			kills++
		}
		if kills != want {
			t.Errorf("start %d was killed %d times, want %d", start, kills, want)
		}
	}
	v.tweak = func(c *Config) { c.Witness.Place = p }
	for range 2 {
		v.kill()
		if err := v.CheckWitness(v.ctx); err != nil {
			t.Errorf("after the kills: %v", err)
		}
	}
}

// The counter is deleted under a running service. The service must not hide that with a
// new one.
func TestACounterThatIsDeletedWhileTheServiceRunsIsLogged(t *testing.T) {
	v, p := onTPM(t)
	if err := v.CheckWitness(v.ctx); err != nil {
		t.Fatal(err)
	}
	key := v.issue("phone")
	v.setPIN(key, "1357")
	placetest.Clear(t, p.Device)
	for range 5 {
		if err := v.witness.Keep(v.ctx); err != nil {
			t.Fatal(err)
		}
	}
	if verdict := v.verifyPIN(key, "1357"); verdict != "true" {
		t.Errorf("without the counter, the right PIN is %s", verdict)
	}
	if err := v.Stop(v.ctx); err != nil {
		t.Error(err)
	}
	if n := strings.Count(v.log.String(), "the witness is not counted any more"); n != 1 {
		t.Errorf("the log reports it %d times:\n%s", n, v.log)
	}
	if scrape := v.scrape(); !strings.Contains(scrape, "\nstrongroom_witness_failures_total 6\n") {
		t.Error("the metrics do not count five failures and that of the end")
	}
	if count, err := p.Count(v.ctx); count != 0 || err != nil {
		t.Errorf("the counter is at %d again: %v", count, err)
	}
	v.isRefused("the next start", "the counter was deleted, or the TPM was cleared or replaced")
}
