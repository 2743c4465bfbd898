package odds

import (
	"strconv"
	"time"

	"strongroom/internal/domain"
)

// spans are the durations for which odds are computed.
var spans = [...]struct {
	name   string
	length time.Duration
}{{"1 day", 24 * time.Hour}, {"30 days", 30 * 24 * time.Hour}, {"1 year", 365 * 24 * time.Hour}}

// perSpan is a number of guesses for each of the spans.
type perSpan [len(spans)]int

// guesser is an attacker who tries to guess one credential of one account.
type guesser struct {
	policy    domain.AttemptPolicy
	oneDevice bool          // the guesser has one of the account's devices, and cannot impersonate others
	signIn    time.Duration // interval at which the owner signs in, with another device; 0: never
}

// strategy is how a guesser avoids long lockouts: a number of guesses, then none until
// the owner has signed in and rest has passed.
type strategy struct {
	guesses int
	rest    time.Duration
}

// guesses returns how many guesses are possible in each span with the best strategy.
// It tries strategies of up to as many guesses as do not lock permanently, and with
// a rest of 0 or of the rolling window, after which a device's failures are forgotten.
func (g guesser) guesses() perSpan {
	var best perSpan
	for n := range g.policy.MaxFailures + len(g.policy.Lockouts) {
		for _, rest := range []time.Duration{0, g.policy.RollingWindow + time.Second} {
			for i, made := range g.play(strategy{n + 1, rest}) {
				best[i] = max(best[i], made)
			}
		}
	}
	return best
}

// game simulates the longest span, with a clock that jumps to the next time at which
// something can happen.
type game struct {
	guesser
	strategy
	ledger    domain.Attempts
	now, last time.Time // last: of the last guess
	signIn    time.Time // when the owner signs in next
	used      int       // guesses of the strategy that were made
	reset     bool      // the owner has signed in since the guesses
}

func (g guesser) play(s strategy) (made perSpan) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	end := start.Add(spans[len(spans)-1].length)
	m := game{guesser: g, strategy: s, now: start, signIn: end}
	if g.signIn > 0 {
		m.signIn = start.Add(g.signIn)
	}
	for m.now.Before(end) {
		switch wait, ever := m.step(); {
		case !ever:
			return made
		case !wait.IsZero():
			m.now = wait
		default:
			for i, span := range spans {
				if m.now.Sub(start) < span.length {
					made[i]++
				}
			}
		}
	}
	return made
}

// step makes one guess and returns a zero wait. If no guess is possible now, it returns
// when to call it again, or ever = false if there will never be another guess.
func (m *game) step() (wait time.Time, ever bool) {
	if !m.now.Before(m.signIn) {
		m.reset = m.try(m.owner(), true) || m.reset
		m.signIn = m.signIn.Add(m.guesser.signIn)
		return m.now, true
	}
	rested := m.last.Add(m.rest)
	if m.reset && !m.now.Before(rested) {
		m.used, m.reset = 0, false
	}
	if m.used == m.strategy.guesses {
		if m.reset {
			return earlier(rested, m.signIn), true
		}
		return m.signIn, true
	}
	device := m.device()
	if m.try(device, false) {
		m.used, m.last = m.used+1, m.now
		return time.Time{}, true
	}
	free, ever := lockEnd(m.ledger, device)
	if !free.After(m.now) {
		free = m.now.Add(time.Minute) // refused, but not by a lock
	}
	return earlier(free, m.signIn), ever
}

// try does one verification, and reports whether the policy admitted it.
func (m *game) try(device string, match bool) bool {
	m.ledger, _ = m.policy.Lapse(m.ledger, m.now)
	if m.policy.Admit(m.ledger, device, m.now) != domain.Admitted {
		return false
	}
	m.ledger, _ = m.policy.Settle(m.policy.Reserve(m.ledger, "try", device, m.now), "try", match, m.now)
	return true
}

// owner and device return the devices of the owner and the guesser. In device mode,
// devices have no attempts of their own, so both use one device without a name.
func (m *game) owner() string {
	if m.policy.DeviceMax == 0 {
		return ""
	}
	return "owner"
}

func (m *game) device() string {
	switch {
	case m.policy.DeviceMax == 0:
		return ""
	case m.oneDevice:
		return "stolen"
	}
	return "guesser " + strconv.FormatInt(m.now.UnixNano(), 36) + " " + strconv.Itoa(m.used) // a new device for each guess
}

// lockEnd returns when the locks of the account and of the device end. ever is false if
// one of them is permanent.
func lockEnd(a domain.Attempts, device string) (end time.Time, ever bool) {
	end, ever = a.LockedUntil, !a.Permanent
	for _, d := range a.Devices {
		if d.Device == device {
			ever = ever && !d.Permanent
			if d.LockedUntil.After(end) {
				end = d.LockedUntil
			}
		}
	}
	return end, ever
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
