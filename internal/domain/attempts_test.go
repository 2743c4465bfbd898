package domain

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var t0 = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// guess makes one try at time now and says what the policy answered.
func guess(p AttemptPolicy, a Attempts, now time.Time, match bool) (Attempts, Admission) {
	a, _ = p.Lapse(a, now)
	if adm := p.Admit(a, now); adm != Admitted {
		return a, adm
	}
	id := NewID()
	a, ok := p.Settle(p.Reserve(a, id, now), id, match, now)
	if !ok {
		panic("the try was not pending")
	}
	return a, Admitted
}

func TestLockLadder(t *testing.T) {
	// Each row: guesses wrongly when the lock before it has just ended.
	ladder := []struct {
		failures  int
		lock      time.Duration
		permanent bool
	}{
		{1, 0, false}, {2, 0, false}, {3, 0, false}, {4, 0, false},
		{5, 30 * time.Minute, false},
		{6, time.Hour, false},
		{7, 4 * time.Hour, false},
		{8, 24 * time.Hour, false},
		{9, 24 * time.Hour, false},
		{10, 0, true},
	}
	p, a, now := DefaultAttemptPolicy(), Attempts{}, t0
	for _, step := range ladder {
		if now.Before(a.LockedUntil) {
			if _, adm := guess(p, a, a.LockedUntil.Add(-time.Microsecond), true); adm != Locked {
				t.Fatalf("before failure %d: a try inside the lock was answered %v", step.failures, adm)
			}
			now = a.LockedUntil
		}
		var adm Admission
		if a, adm = guess(p, a, now, false); adm != Admitted {
			t.Fatalf("failure %d: the try was answered %v", step.failures, adm)
		}
		lock := max(0, a.LockedUntil.Sub(now))
		if a.Failures != step.failures || lock != step.lock || a.Permanent != step.permanent {
			t.Fatalf("after failure %d: %d failures, lock %v, permanent %v; want lock %v, permanent %v",
				step.failures, a.Failures, lock, a.Permanent, step.lock, step.permanent)
		}
	}
	if _, adm := guess(p, a, now.AddDate(100, 0, 0), true); adm != Locked {
		t.Fatal("a permanent lock ended by itself")
	}
}

func TestPastTheFirstLockoutThereIsOneTryAtATime(t *testing.T) {
	p, a := DefaultAttemptPolicy(), Attempts{}
	for range 5 {
		a, _ = guess(p, a, t0, false)
	}
	now := a.LockedUntil
	if adm := p.Admit(a, now); adm != Admitted {
		t.Fatalf("after the lock: %v", adm)
	}
	a = p.Reserve(a, "one", now)
	if adm := p.Admit(a, now); adm != Full {
		t.Fatalf("a second try beside it was answered %v", adm)
	}
}

func TestSixRightAnswersAtOnceLockNobody(t *testing.T) {
	p, a := DefaultAttemptPolicy(), Attempts{}
	for _, id := range []string{"1", "2", "3", "4", "5"} {
		if adm := p.Admit(a, t0); adm != Admitted {
			t.Fatalf("try %s: %v", id, adm)
		}
		a = p.Reserve(a, id, t0)
	}
	if adm := p.Admit(a, t0); adm != Full {
		t.Fatalf("the sixth: %v, want it to wait", adm)
	}
	for _, id := range []string{"1", "2", "3", "4", "5"} {
		a, _ = p.Settle(a, id, true, t0)
	}
	if diff := cmp.Diff(Attempts{Pending: []Try{}}, a); diff != "" {
		t.Errorf("after five right answers (-want +got):\n%s", diff)
	}
}

func TestSuccessesBetweenDoNotStretchTheDay(t *testing.T) {
	p, a, now := DefaultAttemptPolicy(), Attempts{}, t0
	for n := range 20 {
		var adm Admission
		if a, adm = guess(p, a, now, false); adm != Admitted {
			t.Fatalf("failure %d was answered %v", n+1, adm)
		}
		now = now.Add(time.Minute)
		if n < 19 {
			a, _ = guess(p, a, now, true)
		}
	}
	if want := t0.Add(24 * time.Hour); !a.LockedUntil.Equal(want) {
		t.Errorf("locked until %v, want %v: when the oldest of the twenty is a day old", a.LockedUntil, want)
	}
	a, adm := guess(p, a, a.LockedUntil, true)
	if adm != Admitted || a.Failures != 0 {
		t.Errorf("the right answer a day later: %v with %d failures", adm, a.Failures)
	}
}

func TestATryWhoseProcessDiedIsAFailure(t *testing.T) {
	p, a := DefaultAttemptPolicy(), Attempts{}
	for _, id := range []string{"1", "2", "3", "4", "5"} {
		a = p.Reserve(a, id, t0)
	}
	if _, n := p.Lapse(a, t0.Add(p.Lease)); n != 0 {
		t.Fatalf("%d tries lapsed inside their lease", n)
	}
	now := t0.Add(p.Lease + time.Microsecond)
	a, n := p.Lapse(a, now)
	if n != 5 || a.Failures != 5 || !a.LockedUntil.Equal(t0.Add(p.Lease+30*time.Minute)) {
		t.Errorf("%d lapsed, %d failures, locked until %v", n, a.Failures, a.LockedUntil)
	}
	if _, ok := p.Settle(a, "1", true, now); ok {
		t.Error("a verdict was accepted after its try had been counted")
	}
}

func TestARightAnswerDoesNotWipeALockThatAroseBesideIt(t *testing.T) {
	p := DefaultAttemptPolicy()
	a := p.Reserve(Attempts{}, "right", t0)
	a.Failures, a.LockedUntil = 5, t0.Add(time.Hour) // an operator lowered the limit meanwhile
	a, ok := p.Settle(a, "right", true, t0)
	if !ok || a.Failures != 5 || !a.LockedAt(t0) {
		t.Errorf("after the right answer: %+v", a)
	}
}

// Whatever the order of tries, verdicts, deaths and clock moves: a window
// between two locks sees at most the policy's number of wrong verdicts, deaths
// included.
func TestNoOrderOfEventsStretchesTheLimit(t *testing.T) {
	p := DefaultAttemptPolicy()
	rapid.Check(t, func(t *rapid.T) {
		a, now := Attempts{}, t0
		wrong := 0 // since the last success or lock
		for i := range rapid.IntRange(1, 200).Draw(t, "events") {
			now = now.Add(time.Duration(rapid.IntRange(0, 40_000).Draw(t, "ms")) * time.Millisecond)
			var lapsed int
			a, lapsed = p.Lapse(a, now)
			wrong += lapsed
			switch rapid.IntRange(0, 2).Draw(t, "event") {
			case 0:
				if p.Admit(a, now) == Admitted {
					a = p.Reserve(a, NewID(), now)
				}
			case 1, 2:
				if len(a.Pending) == 0 {
					continue
				}
				match := rapid.Bool().Draw(t, "match")
				failures := a.Failures
				var ok bool
				if a, ok = p.Settle(a, a.Pending[rapid.IntRange(0, len(a.Pending)-1).Draw(t, "which")].ID, match, now); !ok {
					t.Fatal("a pending try was not found")
				}
				if match && !a.LockedAt(now) {
					wrong = 0
				}
				if !match {
					wrong++
				}
				if !match && a.Failures != failures+1 {
					t.Fatalf("event %d: a wrong verdict was not counted", i)
				}
			}
			if wrong != a.Failures {
				t.Fatalf("%d wrong verdicts, %d failures counted", wrong, a.Failures)
			}
			if a.Failures+len(a.Pending) > max(p.MaxFailures, a.Failures+1) {
				t.Fatalf("%d failures and %d pending", a.Failures, len(a.Pending))
			}
			if a.Failures >= p.MaxFailures && a.LockedUntil.IsZero() && !a.Permanent {
				t.Fatal("the limit was reached without a lock")
			}
		}
	})
}

// A MAC or digest in a database is over these bytes: they may never change.
func TestTheFormsThatALedgerIsAuthenticatedInStayTheSame(t *testing.T) {
	at := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	a := Attempts{ID: "id", AccountID: "account", Type: TransactionPIN, Version: 7, Failures: 3, LockedUntil: at, Permanent: true,
		Recent: []time.Time{at.Add(1), at.Add(time.Second)}, Pending: []Try{{"try", at}, {"", time.Time{}}}}
	canonical := Encode([]byte("attempts"), []byte("default"), []byte("account"), []byte("TRANSACTION_PIN"), []byte("id"),
		EncodeInt(3), EncodeTime(at), []byte{1}, EncodeTime(at), EncodeTime(at.Add(time.Second)))
	if got := a.Canonical(); !bytes.Equal(got, canonical) {
		t.Errorf("canonical form %x, want %x", got, canonical)
	}
	pending := Encode([]byte("try"), EncodeTime(at), nil, EncodeTime(time.Time{}))
	if got, want := a.Authenticated(), Encode(canonical, EncodeInt(7), pending); !bytes.Equal(got, want) {
		t.Errorf("authenticated form %x, want %x", got, want)
	}
	fresh := Attempts{}
	if got, want := fresh.Authenticated(), Encode(fresh.Canonical(), EncodeInt(0), nil); !bytes.Equal(got, want) {
		t.Errorf("authenticated form of an empty ledger %x, want %x", got, want)
	}
}
