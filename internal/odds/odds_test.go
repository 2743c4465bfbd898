package odds

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
)

const hour, day = time.Hour, 24 * time.Hour

// The numbers are small enough to check by hand.
func TestAPatientGuesserMakesAsManyGuessesAsThePolicyAllows(t *testing.T) {
	if testing.Short() {
		t.Skip("it has one goroutine, and takes long under the race detector")
	}
	toy := domain.AttemptPolicy{
		MaxFailures: 2, Lockouts: []time.Duration{hour},
		RollingMax: 100, RollingWindow: day, Lease: time.Second,
	}
	with := func(change func(*domain.AttemptPolicy)) domain.AttemptPolicy {
		p := toy
		change(&p)
		return p
	}
	devices := func(p *domain.AttemptPolicy) { p.DeviceMax = 1 }
	for _, c := range []struct {
		name string
		g    guesser
		want perSpan
	}{
		{"two, an hour, a third, and the account is locked permanently", guesser{toy, false, 0}, perSpan{3, 3, 3}},
		{"two a day where the owner signs in each day; or three, and no more", guesser{toy, false, day}, perSpan{3, 60, 730}},
		{"two an hour where the lock is over when the owner comes", guesser{toy, false, hour}, perSpan{2 * 24, 2 * 24 * 30, 2 * 24 * 365}},
		{"one each half hour where it is not", guesser{toy, false, hour / 2}, perSpan{48, 48 * 30, 48 * 365}},
		{"the window limits it even if the owner signs in often", guesser{with(func(p *domain.AttemptPolicy) { p.RollingMax = 2 }), false, hour}, perSpan{2, 60, 730}},
		{"an account of one failure", guesser{with(func(p *domain.AttemptPolicy) { p.MaxFailures, p.Lockouts = 1, nil }), false, day}, perSpan{1, 1, 1}},
		{"with a new device each time the account's budget counts", guesser{with(devices), false, day}, perSpan{3, 60, 730}},
		{"a device that was locked is locked permanently with its next failure", guesser{with(devices), true, day}, perSpan{2, 2, 2}},
		{"a device that stops short of its lock has its failures forgotten after a day", guesser{with(func(p *domain.AttemptPolicy) { p.DeviceMax = 2 }), true, day}, perSpan{3, 30, 365}},
		{"without the owner the account's ladder ends it", guesser{with(func(p *domain.AttemptPolicy) { p.DeviceMax = 2 }), true, 0}, perSpan{3, 3, 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, c.g.guesses()); diff != "" {
				t.Errorf("guesses in a day, 30 days, a year (-want +got):\n%s", diff)
			}
		})
	}
}

func TestChancesAreInterpolatedLogarithmicallyBetweenPoints(t *testing.T) {
	s := study{200, points{{1, 0}, {10, 4}, {1000, 104}}}
	for guesses, want := range map[int]float64{
		0: 0, 1: 1. / 200, 10: 4. / 200, 100: 54. / 200, 1000: 104. / 200, 5000: 104. / 200,
		2: 4 * math.Log10(2) / 200,
	} {
		if got := s.chance(guesses); math.Abs(got-want) > 1e-12 {
			t.Errorf("%d guesses: %g, want %g", guesses, got, want)
		}
	}
	for digits, choices := range studies {
		for c, s := range choices {
			last := 0.0
			for guesses := 1; guesses < 200_000; guesses += 1 + guesses/7 {
				chance := s.chance(guesses)
				if chance < last || chance > 1 {
					t.Fatalf("%d digits, %s: %g with %d guesses, after %g", digits, c, chance, guesses, last)
				}
				last = chance
			}
		}
	}
}

// Counted against the rules themselves; those of 8 digits would take too long.
func TestTheOddsUseTheRightNumberOfForbiddenPINs(t *testing.T) {
	if testing.Short() {
		t.Skip("it has one goroutine, and takes long under the race detector")
	}
	rules, err := domain.NewBlocklist(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, length := range pinLengths {
		if length.digits > 6 {
			continue
		}
		n := 0
		for i := range int(math.Pow10(length.digits)) {
			if rules.Forbids(fmt.Appendf(nil, "%0*d", length.digits, i)) {
				n++
			}
		}
		if n != length.forbidden {
			t.Errorf("%d digits: %d forbidden, the odds assume %d", length.digits, n, length.forbidden)
		}
	}
}
