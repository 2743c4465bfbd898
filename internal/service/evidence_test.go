package service

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
)

// kept is a sink that keeps what it takes, and refuses while it is told to.
type kept struct {
	notes   bytes.Buffer
	taken   int
	refuses bool
	told    chan struct{} // one for each call, or nil
}

var errRefused = errors.New("refused")

func (k *kept) take(_ context.Context, signed []byte) error {
	if k.told != nil {
		defer func() { k.told <- struct{}{} }()
	}
	if k.refuses {
		return errRefused
	}
	k.taken++
	k.notes.Write(signed)
	return nil
}

func withCheckpoints(t *testing.T, sink *kept, every time.Duration) (*vault, note.Verifier) {
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
	return openVault(t, func(cfg *Config) { cfg.Checkpoints = Checkpoints{signer, every, sink.take} }), by
}

// holds verifies against what the sink has, and returns the problems.
func (v *vault) holds(sink *kept, by note.Verifier) []audit.Problem {
	v.t.Helper()
	report, _, err := v.VerifyTrailHeld(v.ctx, bytes.NewReader(sink.notes.Bytes()), by, nil)
	if err != nil {
		v.t.Fatal(err)
	}
	return report.Problems
}

func TestACheckpointIsMadeOfWhatIsNewUntilTheSinkHasIt(t *testing.T) {
	sink := &kept{}
	v, by := withCheckpoints(t, sink, time.Hour)
	v.issue("phone")
	var last made
	next := func(taken int, want error) {
		t.Helper()
		c, err := v.nextCheckpoint(v.ctx, last)
		if !errors.Is(err, want) || sink.taken != taken {
			t.Errorf("%d were taken, want %d; %v", sink.taken, taken, err)
		}
		last = c
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
		t.Errorf("%d entries tell of 2 checkpoints", n)
	}
	if problems := v.holds(sink, by); len(problems) > 0 {
		t.Errorf("found %v", problems)
	}

	// A trail that was cut off is not signed, and found out by what was.
	v.insider().write("DELETE FROM audit_log WHERE event = 'key.issued' OR event = 'audit.checkpoint'")
	if _, err := v.nextCheckpoint(v.ctx, last); err == nil || !strings.Contains(err.Error(), "cut off or exchanged") {
		t.Errorf("a cut trail: %v", err)
	}
	if problems := v.holds(sink, by); len(problems) == 0 {
		t.Error("nothing was found")
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
		t.Errorf("%d entries tell of it", entered)
	}
	sink.notes.Write(signed)
	if problems := v.holds(sink, by); len(problems) > 0 {
		t.Errorf("found %v", problems)
	}
}

func TestAServerMakesCheckpointsWhileItRuns(t *testing.T) {
	sink := &kept{told: make(chan struct{}), refuses: true}
	v, by := withCheckpoints(t, sink, time.Millisecond)
	v.issue("phone")
	v.Start()
	<-sink.told // at once, and refused
	<-sink.told // so tried again
	ended := make(chan error)
	go func() { ended <- v.Stop(v.ctx) }()
	for stopped := false; !stopped; {
		select {
		case <-sink.told:
		case err := <-ended:
			stopped = true
			if err != nil {
				t.Error(err)
			}
		}
	}
	if !strings.Contains(v.log.String(), "writing a checkpoint of the audit trail") {
		t.Errorf("the log does not tell of the failures:\n%s", v.log)
	}
	if report, _, err := v.VerifyTrailHeld(v.ctx, strings.NewReader(""), by, nil); err == nil {
		t.Errorf("no checkpoint at all holds the trail: %+v", report)
	}
}
