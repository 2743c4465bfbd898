package audit_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"strongroom/internal/audit"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
)

// export runs one process's export, with at most this many steps of a few
// entries each.
func export(t interface{ Fatal(...any) }, r *rows, state, file string, steps int) {
	x, err := audit.OpenExport(state, file, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	for range steps {
		next, err := x.Next(r, "home", 3)
		if err == nil {
			err = x.Put("home", next)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestAKilledExportResumesWithEveryEntryOnce(t *testing.T) {
	key, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	dirs := 0
	root := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		dirs++
		dir := filepath.Join(root, fmt.Sprint(dirs))
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		state, file := filepath.Join(dir, "state"), filepath.Join(dir, "lines")
		h := newHonest(t, key, true)
		for range rapid.IntRange(1, 5).Draw(t, "processes") {
			for n := rapid.IntRange(0, 6).Draw(t, "acts"); n > 0; n-- {
				h.act(t)
			}
			export(t, h.rows, state, file, rapid.IntRange(0, 3).Draw(t, "steps"))
			before, err := os.ReadFile(state)
			if err != nil {
				t.Fatal(err)
			}
			export(t, h.rows, state, file, 1)
			if rapid.Bool().Draw(t, "killed between lines and state") {
				if err := os.WriteFile(state, before, 0o600); err != nil {
					t.Fatal(err)
				}
				tear(t, file, before)
			}
		}
		export(t, h.rows, state, file, 100)
		count(t, h.rows, file)
	})
}

// headless is a store in which someone deleted the entries with which its chains begin.
type headless struct{ *rows }

func (headless) Heads(time.Time) ([]domain.Entry, error) { return nil, nil }

func TestAnExportHasChainsWithoutAHead(t *testing.T) {
	key, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		h := newHonest(t, key, true)
		h.act(t)
		x, err := audit.OpenExport("", "", io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		next, err := x.Next(headless{h.rows}, "home", math.MaxInt)
		entries := 0
		for _, chain := range h.chains {
			entries += len(chain)
		}
		if err != nil || len(next) != entries {
			t.Errorf("%d of %d entries, %v", len(next), entries, err)
		}
		if err := x.Put("home", next); err != nil {
			t.Fatal(err)
		}
		if next, err := x.Next(headless{h.rows}, "home", math.MaxInt); err != nil || len(next) > 0 {
			t.Errorf("again: %d entries, %v", len(next), err)
		}
	})
}

func TestAnExportThatIsKilledAfterItsFileWasMovedHasEveryEntryOnce(t *testing.T) {
	key, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	trail := audit.Trail{Chain: "home", Key: key}
	r := &rows{chains: map[string][]domain.Entry{}}
	if err := errors.Join(trail.Begin(r), trail.Append(r, make([]domain.Entry, 5)...)); err != nil {
		t.Fatal(err)
	}
	for name, torn := range map[string]int{"after the line": 0, "in the line": 20} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			state, file := filepath.Join(dir, "state"), filepath.Join(dir, "lines")
			export(t, r, state, file, 1)
			if err := os.Rename(file, file+".1"); err != nil {
				t.Fatal(err)
			}
			export(t, r, state, file, 0)
			before, err := os.ReadFile(state)
			if err != nil {
				t.Fatal(err)
			}
			export(t, r, state, file, 1)
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			left := bytes.IndexByte(text, '\n') + 1 - torn // the first line is written alone
			if err := errors.Join(os.WriteFile(state, before, 0o600), os.Truncate(file, int64(left))); err != nil {
				t.Fatal(err)
			}
			export(t, r, state, file, 1)
			var both []byte
			for _, path := range []string{file + ".1", file} {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				both = append(both, text...)
			}
			if err := os.WriteFile(file, both, 0o600); err != nil {
				t.Fatal(err)
			}
			count(t, r, file)
		})
	}
}

func TestAnExportDoesNotTruncateAnOlderOne(t *testing.T) {
	key, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	trail := audit.Trail{Chain: "home", Key: key}
	r := &rows{chains: map[string][]domain.Entry{}}
	if err := errors.Join(trail.Begin(r), trail.Append(r, make([]domain.Entry, 9)...)); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	state, file := filepath.Join(dir, "state"), filepath.Join(dir, "lines")
	export(t, r, state, file, 3)
	older := file + ".1"
	if err := os.Rename(file, older); err != nil {
		t.Fatal(err)
	}
	export(t, r, state, file, 1)
	was, err := os.ReadFile(older)
	if err != nil {
		t.Fatal(err)
	}
	_, err = audit.OpenExport(state, older, nil)
	if err == nil || !strings.Contains(err.Error(), "not the file that this export wrote") {
		t.Errorf("got %v", err)
	}
	if text, err := os.ReadFile(older); err != nil || !bytes.Equal(text, was) {
		t.Errorf("%d of %d bytes are left, %v", len(text), len(was), err)
	}
	export(t, r, state, file, 1)
}

// The file was moved away, and moved back before the export wrote to the new one.
func TestAnExportThatHasANewFileDoesNotTruncateAnother(t *testing.T) {
	key, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	trail := audit.Trail{Chain: "home", Key: key}
	r := &rows{chains: map[string][]domain.Entry{}}
	if err := errors.Join(trail.Begin(r), trail.Append(r, make([]domain.Entry, 9)...)); err != nil {
		t.Fatal(err)
	}
	for what, edit := range map[string]func(text []byte) []byte{
		"an older export": func(text []byte) []byte { return text },
		"another file":    func([]byte) []byte { return []byte("no line of an export\n") },
	} {
		dir := t.TempDir()
		state, file := filepath.Join(dir, "state"), filepath.Join(dir, "lines")
		export(t, r, state, file, 9)
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.Remove(file)
		}
		if err != nil {
			t.Fatal(err)
		}
		export(t, r, state, file, 0) // there is nothing new
		was := edit(text)
		if err := os.WriteFile(file, was, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err = audit.OpenExport(state, file, nil)
		if err == nil || !strings.Contains(err.Error(), "not the file that this export wrote") {
			t.Errorf("%s: got %v", what, err)
		}
		if text, err := os.ReadFile(file); err != nil || !bytes.Equal(text, was) {
			t.Errorf("%s: %d of %d bytes are left, %v", what, len(text), len(was), err)
		}
	}
}

// The process is killed before it writes to its file. Then its state is used with the file
// of another export, which may have entries of another store, or pruned ones.
func TestAnExportThatHasWrittenNothingDoesNotTruncateAnother(t *testing.T) {
	key, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	trail := audit.Trail{Chain: "home", Key: key}
	r := &rows{chains: map[string][]domain.Entry{}}
	if err := errors.Join(trail.Begin(r), trail.Append(r, make([]domain.Entry, 9)...)); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	state, other := filepath.Join(dir, "state"), filepath.Join(dir, "other")
	export(t, r, state, filepath.Join(dir, "lines"), 0)
	export(t, r, filepath.Join(dir, "other state"), other, 1)
	was, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	_, err = audit.OpenExport(state, other, nil)
	if err == nil || !strings.Contains(err.Error(), "not the file that this export wrote") {
		t.Errorf("got %v", err)
	}
	if text, err := os.ReadFile(other); err != nil || !bytes.Equal(text, was) {
		t.Errorf("%d of %d bytes are left, %v", len(text), len(was), err)
	}
}

// Otherwise its file could not be distinguished from that of another export.
func TestAnExportWhoseFirstStateIsNotWrittenLeavesOneLine(t *testing.T) {
	key, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	trail := audit.Trail{Chain: "home", Key: key}
	r := &rows{chains: map[string][]domain.Entry{}}
	if err := errors.Join(trail.Begin(r), trail.Append(r, make([]domain.Entry, 9)...)); err != nil {
		t.Fatal(err)
	}
	dir, away := filepath.Join(t.TempDir(), "dir"), filepath.Join(t.TempDir(), "away")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	state, file := filepath.Join(dir, "state"), filepath.Join(t.TempDir(), "lines")
	x, err := audit.OpenExport(state, file, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	next, err := x.Next(r, "home", 9)
	if err != nil || os.Rename(dir, away) != nil {
		t.Fatal(err)
	}
	if err := x.Put("home", next); err == nil {
		t.Error("it has written its state")
	}
	if text, err := os.ReadFile(file); err != nil || bytes.Count(text, []byte("\n")) != 1 {
		t.Errorf("%q, %v", text, err)
	}
	if err := os.Rename(away, dir); err != nil {
		t.Fatal(err)
	}
	export(t, r, state, file, 9)
	count(t, r, file)
}

// tear leaves a part of what was written after the state. The first line of a file is
// written alone.
func tear(t *rapid.T, file string, state []byte) {
	var at struct{ Bytes int64 }
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(state, &at)
	}
	end := len(text)
	if at.Bytes == 0 {
		end = bytes.IndexByte(text, '\n') + 1
	}
	if err == nil {
		err = os.Truncate(file, rapid.Int64Range(at.Bytes, int64(end)).Draw(t, "written"))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func count(t rapid.TB, r *rows, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int64{}
	for line := range strings.Lines(string(text)) {
		var l audit.Line
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		if l.Seq != seen[l.Chain]+1 {
			t.Fatalf("entry %d of chain %s follows %d", l.Seq, l.Chain, seen[l.Chain])
		}
		seen[l.Chain] = l.Seq
	}
	for chain, entries := range r.chains {
		if seen[chain] != int64(len(entries)) {
			t.Fatalf("%d of %d entries of chain %s", seen[chain], len(entries), chain)
		}
	}
}

func TestExportLinesHaveTheDocumentedFormat(t *testing.T) {
	var out bytes.Buffer
	x, err := audit.OpenExport("", "", &out)
	if err != nil {
		t.Fatal(err)
	}
	err = x.Put("home", []domain.Entry{
		{Chain: "c", Seq: 2, Time: time.Date(2026, 3, 1, 13, 0, 0, 5_000_000, time.FixedZone("", 3600)), RequestID: "r", Actor: "caller",
			Event: domain.EventCredentialMismatch, Outcome: "mismatch", Operation: domain.OpVerifyPIN, Failed: true, Count: 1, Duration: time.Millisecond,
			KeyID: "k", Account: []byte{1}, Device: []byte{2}, Record: "attempts/a", Version: 3, Before: []byte{4}, Digest: []byte{5}, Reason: "why \x1b<&>",
			Prev: []byte{6}, Hash: []byte{7}},
		{Chain: "c", Seq: 3, Actor: "system", Event: domain.EventOperationsCounted, Outcome: "ok", Count: 9, Hash: []byte{8}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"chain":"c","seq":2,"time":"2026-03-01T12:00:00.005000Z","requestId":"r","actor":"caller","event":"credential.mismatch","outcome":"mismatch","operation":"verifyUserTransactionPin","failed":true,"count":1,"durationMicros":1000,"keyId":"k","account":"01","device":"02","record":"attempts/a","version":3,"before":"04","digest":"05","reason":"why \u001b\u003c\u0026\u003e","prev":"06","hash":"07"}
{"chain":"c","seq":3,"time":"0001-01-01T00:00:00.000000Z","actor":"system","event":"operations.counted","outcome":"ok","count":9,"hash":"08"}
`
	want = strings.Replace(want, "verifyUserTransactionPin", string(domain.OpVerifyPIN), 1)
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

func TestAnExportRefusesDataThatItCannotContinue(t *testing.T) {
	key, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	trail := audit.Trail{Chain: "home", Key: key}
	r := &rows{chains: map[string][]domain.Entry{}}
	if err := trail.Begin(r); err != nil {
		t.Fatal(err)
	}
	if err := trail.Append(r, make([]domain.Entry, 5)...); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	state, file := filepath.Join(dir, "state"), filepath.Join(dir, "lines")
	export(t, r, state, file, 2)
	next := func(r *rows, home string) error {
		x, err := audit.OpenExport(state, file, nil)
		if err != nil {
			return err
		}
		defer x.Close()
		_, err = x.Next(r, home, 3)
		return err
	}
	refused := func(what string, err error, want string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	cut, other, gone := r.clone(), r.clone(), &rows{}
	cut.cut("home", 6)
	e := other.entry("home", 6)
	e.Hash = []byte("other")
	other.put("home", 6, e)
	refused("a tail cut off", next(cut, "home"), "entry 6 of chain home is not the one")
	refused("another entry", next(other, "home"), "entry 6 of chain home is not the one")
	refused("a chain that is gone", next(gone, "home"), "entry 6 of chain home is not the one")
	refused("another store", next(r, "elsewhere"), "another store")
	if err := next(r, "home"); err != nil {
		t.Error(err)
	}

	// After a file was moved away, a new one is begun. A file of another program
	// is not changed.
	if err := os.Rename(file, file+".1"); err != nil {
		t.Fatal(err)
	}
	if err := trail.Append(r, domain.Entry{}); err != nil {
		t.Fatal(err)
	}
	export(t, r, state, file, 2)
	if text, err := os.ReadFile(file); err != nil || strings.Count(string(text), "\n") != 1 || !strings.HasPrefix(string(text), `{"chain":"home","seq":7,`) {
		t.Errorf("%q, %v", text, err)
	}
	_, err = audit.OpenExport(filepath.Join(dir, "new"), file, nil)
	refused("another program's file", err, "is not empty")
	if err := os.WriteFile(state, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused("no state", next(r, "home"), "is not the state of an export")
}

// The lines would go to a file that the state replaces, and be lost without an error.
func TestAnExportIsNotWrittenToItsState(t *testing.T) {
	for what, name := range map[string]string{"state": "state", "draft": "state.new", "link": "link"} {
		dir := t.TempDir()
		state := filepath.Join(dir, "state")
		if err := os.Symlink(state, filepath.Join(dir, "link")); err != nil {
			t.Fatal(err)
		}
		for _, when := range []string{"begins", "goes on"} {
			_, err := audit.OpenExport(state, filepath.Join(dir, name), nil)
			if err == nil || !strings.Contains(err.Error(), "give another file for the entries") {
				t.Errorf("%s, the export %s: %v", what, when, err)
			}
			x, err := audit.OpenExport(state, filepath.Join(dir, "trail"), nil)
			if err != nil {
				t.Fatalf("%s, with another file: %v", what, err)
			}
			if err := x.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
