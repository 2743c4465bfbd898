package domain

import (
	"testing"
	"time"
)

// A restored counter is one failure away from its first lockout, until a right answer. Its
// stored number of failures counts only with KeepRestored.
func TestARestoredCounterHasOneAttempt(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		failures, left int
		keep           bool
		locked         time.Duration // by one more failure
	}{
		{0, 1, false, 30 * time.Minute},
		{3, 1, false, 30 * time.Minute},
		{4, 1, false, 30 * time.Minute},
		{6, 1, false, 4 * time.Hour}, // past the first lockout it counts what it says
		{0, 5, true, 0},
		{3, 2, true, 0},
	} {
		p := DefaultAttemptPolicy()
		p.KeepRestored = c.keep
		a := Attempts{Failures: c.failures, Restored: true}
		if left := p.Left(a, "", now); left != c.left {
			t.Errorf("%d failures, keep %v: %d attempts left, want %d", c.failures, c.keep, left, c.left)
		}
		one := p.Reserve(a, "a", "", now)
		if !c.keep && p.Admit(one, "", now) != Full {
			t.Errorf("%d failures: a second attempt is admitted beside a pending one", c.failures)
		}
		wrong, _ := p.Settle(one, "a", false, now)
		if locked := max(0, wrong.LockedUntil.Sub(now)); locked != c.locked {
			t.Errorf("%d failures, keep %v: one more locks for %v, want %v", c.failures, c.keep, locked, c.locked)
		}
		right, _ := p.Settle(one, "a", true, now)
		if left := p.Left(right, "", now); left != p.MaxFailures {
			t.Errorf("%d failures: %d attempts left after a right answer", c.failures, left)
		}
	}
}
