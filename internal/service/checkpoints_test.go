package service

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/trail"
)

// kept is a sink that keeps what it takes, and refuses while the test says so.
type kept struct {
	notes   bytes.Buffer
	taken   int
	newest  []byte
	refuses bool
	called  chan struct{} // one for each call, or nil
}

var errRefused = errors.New("refused")

func (k *kept) take(_ context.Context, signed []byte) error {
	if k.called != nil {
		defer func() { k.called <- struct{}{} }()
	}
	if k.refuses {
		return errRefused
	}
	k.taken++
	k.newest = bytes.Clone(signed)
	k.notes.Write(signed)
	return nil
}

func withCheckpoints(t *testing.T, sink *kept, every time.Duration) (*instance, note.Verifier) {
	t.Helper()
	private, public, err := note.GenerateKey(rand.Reader, "strongroom")
	if err != nil {
		t.Fatal(err)
	}
	signer, err1 := note.NewSigner(private)
	by, err2 := note.NewVerifier(public)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return openVault(t, func(cfg *Config) { cfg.Checkpoints = trail.Checkpoints{Signer: signer, Every: every, Sink: sink.take} }), by
}

// after makes the next start continue after a checkpoint in the sink.
func (v *instance) after(last audit.Checkpoint) {
	tweak := v.tweak
	v.tweak = func(cfg *Config) {
		tweak(cfg)
		cfg.Checkpoints.Kept = func(string) (audit.Kept, error) { return audit.Kept{Checkpoint: last}, nil }
	}
}

// holds verifies the trail against the checkpoints in the sink, and returns the problems.
func (v *instance) holds(sink *kept, by note.Verifier) []audit.Problem {
	v.t.Helper()
	report, _, err := v.VerifyTrailHeld(v.ctx, bytes.NewReader(sink.notes.Bytes()), by, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	return report.Problems
}

func TestACheckpointIsRetriedUntilTheSinkAcceptsIt(t *testing.T) {
	sink := &kept{}
	v, by := withCheckpoints(t, sink, time.Hour)
	v.issue("phone")
	c := v.Checkpointer()
	next := func(taken int, want error) {
		t.Helper()
		if err := c.Next(v.ctx); !errors.Is(err, want) || sink.taken != taken {
			t.Errorf("%d were taken, want %d; %v", sink.taken, taken, err)
		}
	}
	next(1, nil)
	next(1, nil) // its own entry is not news
	v.issue("tablet")
	sink.refuses = true
	next(1, errRefused)
	next(1, errRefused)
	sink.refuses = false
	next(2, nil)
	next(2, nil)
	if n := v.events()[domain.EventCheckpoint]; n != 2 { // not one for each refusal
		t.Errorf("%d entries are about 2 checkpoints", n)
	}
	if problems := v.holds(sink, by); len(problems) > 0 {
		t.Errorf("found %v", problems)
	}

	// A cut trail is not signed, and the signed checkpoints reveal the cut.
	v.insider().write("DELETE FROM audit_log WHERE event = 'key.issued' OR event = 'audit.checkpoint'")
	last, err := audit.OpenCheckpoint(sink.newest, by)
	if err != nil {
		t.Fatal(err)
	}
	v.after(last)
	v.kill() // or it would remember what it wrote
	if err := v.Checkpointer().Next(v.ctx); err == nil || !strings.Contains(err.Error(), "cut off or exchanged") {
		t.Errorf("a cut trail: %v", err)
	}
	if problems := v.holds(sink, by); len(problems) == 0 {
		t.Error("nothing was found")
	}
}

// A process that starts after the trail was cut does not sign it, even if the trail
// has grown since. The cut is reported once in the trail, repeatedly in the log, and
// counted each time.
func TestACutTrailIsNotSignedByAProcessThatStartsLater(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoints")
	v, _ := withCheckpoints(t, &kept{}, time.Hour)
	tweak := v.tweak
	v.tweak = func(cfg *Config) {
		tweak(cfg)
		c := &cfg.Checkpoints
		c.Sink, c.Kept = audit.FileSink(path), func(home string) (audit.Kept, error) {
			return audit.KeptInFile(path, home, audit.OwnVerifier(c.Signer))
		}
	}
	w := v.beside()
	c := w.Checkpointer()
	for _, device := range []string{"phone", "tablet"} {
		w.issue(device)
		if err := c.Next(w.ctx); err != nil {
			t.Fatal(err)
		}
	}
	good, err := os.ReadFile(path)
	if err != nil || bytes.Count(good, []byte("strongroom/")) != 2 {
		t.Fatalf("the file has %s, %v", good, err)
	}
	w = v.beside()
	if err := w.Checkpointer().Next(w.ctx); err != nil {
		t.Errorf("an intact trail: %v", err)
	}
	last, err := w.cfg.Checkpoints.Kept(w.home)
	if err != nil {
		t.Fatal(err)
	}
	if h := must[domain.Health](t)(w.Health(w.ctx)); !h.CheckpointAt.Equal(last.Time) {
		t.Errorf("health says %v, the file's last is of %v", h.CheckpointAt, last.Time)
	}

	v.insider().write("DELETE FROM audit_log WHERE event = 'key.issued' OR event = 'audit.checkpoint'")
	for range 10 { // it grows past the number that is held
		w.issue("watch")
		if err := w.erase("watch", "grow"); err != nil {
			t.Fatal(err)
		}
	}
	w = v.beside()
	c = w.Checkpointer()
	makes := func() {
		t.Helper()
		if err := c.Make(w.ctx); err != nil {
			t.Error(err)
		}
	}
	for range 3 {
		makes()
	}
	const message = "the audit trail differs from the last checkpoint"
	if n := strings.Count(w.log.String(), message); n != 1 {
		t.Errorf("the log reports it %d times within a minute:\n%s", n, w.log)
	}
	v.clock.Advance(time.Minute)
	makes()
	if n := strings.Count(w.log.String(), message); n != 2 {
		t.Errorf("the log reports it %d times in more than a minute", n)
	}
	if n := w.events()[domain.EventTamperingSeen]; n != 1 {
		t.Errorf("the trail records it %d times", n)
	}
	scrape := httptest.NewRecorder()
	w.cfg.Metrics.Handler().ServeHTTP(scrape, httptest.NewRequest("GET", "/metrics", nil))
	for _, want := range []string{"checkpoint_age_seconds 60", `checkpoint_failures_total{reason="trail"} 4`, `tampering_total{record="chain"} 4`} {
		if !strings.Contains(scrape.Body.String(), "\nstrongroom_"+want) {
			t.Errorf("a scrape lacks %s", want)
		}
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, good) {
		t.Errorf("the file was written to: %s, %v", now, err)
	}

	// With a new file, checkpoints work again.
	if err := os.Rename(path, path+".kept"); err != nil {
		t.Fatal(err)
	}
	w = v.beside()
	err = w.Checkpointer().Make(w.ctx)
	if now, err2 := os.ReadFile(path); err != nil || err2 != nil || len(now) == 0 {
		t.Errorf("with a new file: %v, %v", err, err2)
	}
}

// Without a witness, the file of checkpoints is the only thing that shows an older database.
func TestAStartIsRefusedWhileTheFileOfCheckpointsCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "checkpoints")
	v, _ := withCheckpoints(t, &kept{}, time.Hour)
	tweak := v.tweak
	v.tweak = func(cfg *Config) {
		tweak(cfg)
		c := &cfg.Checkpoints
		c.Sink, c.Kept = audit.FileSink(path), func(home string) (audit.Kept, error) {
			return audit.KeptInFile(path, home, audit.OwnVerifier(c.Signer))
		}
	}
	v.kill()
	if err := v.CheckWitness(v.ctx); err != nil {
		t.Errorf("a database that is new, and no file: %v", err)
	}
	v.issue("phone")
	if err := v.Checkpointer().Next(v.ctx); err != nil {
		t.Fatal(err)
	}
	v.insider().write("DELETE FROM audit_log WHERE event = 'key.issued' OR event = 'audit.checkpoint'")
	v.isRefused("an older database", "which a checkpoint names")

	good := path + ".good"
	if err := os.Rename(path, good); err != nil {
		t.Fatal(err)
	}
	for what, put := range map[string]func() error{
		"a directory":              func() error { return os.Mkdir(path, 0o700) },
		"a pipe":                   func() error { return syscall.Mkfifo(path, 0o600) },
		"a loop of symbolic links": func() error { return os.Symlink(path, path) },
		"a file without permissions": func() error {
			if os.Geteuid() == 0 { // root may read it
				return os.Symlink(good+"/below", path)
			}
			return os.WriteFile(path, nil, 0)
		},
	} {
		if err := put(); err != nil {
			t.Fatal(err)
		}
		if err := v.isRefused(what, path); err == nil || !strings.Contains(err.Error(), "checkpoint-sink: ") {
			t.Errorf("%s: %v", what, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	v.kill()
	if err := v.CheckWitness(v.ctx); err != nil {
		t.Errorf("the file was moved away: %v", err)
	}
	if err := os.Symlink(filepath.Join(dir, "unmounted", "checkpoints"), path); err != nil {
		t.Fatal(err)
	}
	if err := v.isRefused("a link into a missing directory", "mount its volume"); err == nil || !strings.Contains(err.Error(), "checkpoint-sink: ") {
		t.Errorf("a link into a missing directory: %v", err)
	}
	if err := os.Rename(dir, dir+".unmounted"); err != nil {
		t.Fatal(err)
	}
	if err := v.isRefused("a missing directory", "mount its volume"); err == nil || !strings.Contains(err.Error(), "checkpoint-sink: ") {
		t.Errorf("a missing directory: %v", err)
	}
}

// Someone who can append to the file of checkpoints, but cannot sign one, can append an old
// one again.
func TestAnOldCheckpointThatIsAppendedAgainDoesNotAcceptAnOlderDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoints")
	v, _ := withCheckpoints(t, &kept{}, time.Hour)
	tweak := v.tweak
	v.tweak = func(cfg *Config) {
		tweak(cfg)
		c := &cfg.Checkpoints
		c.Sink, c.Kept = audit.FileSink(path), func(home string) (audit.Kept, error) {
			return audit.KeptInFile(path, home, audit.OwnVerifier(c.Signer))
		}
	}
	v.kill()
	if err := v.Checkpointer().Next(v.ctx); err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	v.clock.Advance(2 * time.Minute)
	v.issue("phone")
	if err := v.Checkpointer().Next(v.ctx); err != nil {
		t.Fatal(err)
	}
	again := func() {
		t.Helper()
		if err := audit.FileSink(path)(v.ctx, old); err != nil {
			t.Fatal(err)
		}
	}
	again()
	v.kill()
	if err := v.CheckWitness(v.ctx); err != nil {
		t.Errorf("the newest database: %v", err)
	}
	if err := v.Checkpointer().Next(v.ctx); err != nil || !strings.Contains(v.log.String(), "the last checkpoint in the file is older than another one") {
		t.Errorf("%v, and the log has:\n%s", err, v.log)
	}
	again()
	v.insider().write("DELETE FROM audit_log WHERE event = 'key.issued' OR event = 'audit.checkpoint'")
	v.isRefused("an older database", "which a checkpoint names")
}

// A sink that cannot be read does not count as empty.
func TestNothingIsSignedWhileTheSinkCannotBeRead(t *testing.T) {
	sink := &kept{}
	v, _ := withCheckpoints(t, sink, time.Hour)
	others, refusal := false, errRefused
	tweak := v.tweak
	v.tweak = func(cfg *Config) {
		tweak(cfg)
		cfg.Checkpoints.Kept = func(string) (audit.Kept, error) { return audit.Kept{Others: others}, refusal }
	}
	v = v.beside()
	c := v.Checkpointer()
	err := c.Next(v.ctx)
	if !errors.Is(err, errRefused) || v.events()[domain.EventCheckpoint] > 0 {
		t.Errorf("%v, and the trail holds %v", err, v.events())
	}
	others, refusal = true, nil
	if err := c.Next(v.ctx); err != nil || sink.taken != 1 || !strings.Contains(v.log.String(), "no checkpoint in the file was signed by the configured key") {
		t.Errorf("of another key: %v\n%s", err, v.log)
	}
}

func TestAnOperatorsCheckpointIsInTheTrail(t *testing.T) {
	sink := &kept{}
	v, by := withCheckpoints(t, sink, 0)
	v.issue("phone")
	signed, err := v.Checkpoint(v.ctx, v.cfg.Checkpoints.Signer)
	if err != nil {
		t.Fatal(err)
	}
	c, err := audit.OpenCheckpoint(signed, by)
	if err != nil {
		t.Fatal(err)
	}
	entered := 0
	v.eachEntry(func(e domain.Entry) {
		if e.Event == domain.EventCheckpoint && bytes.Equal(e.Digest, c.Root()) && e.Actor == "operator:command:test" && e.Version == int64(len(c.Heads)) {
			entered++
		}
	})
	if entered != 1 {
		t.Errorf("%d entries are about it", entered)
	}
	sink.notes.Write(signed)
	if problems := v.holds(sink, by); len(problems) > 0 {
		t.Errorf("found %v", problems)
	}
}

func TestAServerMakesCheckpointsWhileItRuns(t *testing.T) {
	sink := &kept{called: make(chan struct{}), refuses: true}
	v, by := withCheckpoints(t, sink, time.Millisecond)
	v.issue("phone")
	v.Start()
	<-sink.called // at once, and refused
	<-sink.called // so tried again
	ended := make(chan error)
	go func() { ended <- v.Stop(v.ctx) }()
	for stopped := false; !stopped; {
		select {
		case <-sink.called:
		case err := <-ended:
			stopped = true
			if err != nil {
				t.Error(err)
			}
		}
	}
	if !strings.Contains(v.log.String(), "writing a checkpoint of the audit trail") {
		t.Errorf("the log does not report the failures:\n%s", v.log)
	}
	if report, _, err := v.VerifyTrailHeld(v.ctx, strings.NewReader(""), by, nil); err == nil {
		t.Errorf("no checkpoint at all holds the trail: %+v", report)
	}
}
