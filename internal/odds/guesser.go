package odds

import (
	"strconv"
	"time"

	"strongroom/internal/domain"
)

// spans are the times that odds are given for.
var spans = [...]struct {
	name   string
	length time.Duration
}{{"1 day", 24 * time.Hour}, {"30 days", 30 * 24 * time.Hour}, {"1 year", 365 * 24 * time.Hour}}

// perSpan is a number of guesses for each of the spans.
type perSpan [len(spans)]int

// guesser tries to guess one credential of one account.
type guesser struct {
	policy    domain.AttemptPolicy
	oneDevice bool          // the guesser has one of the account's devices and cannot pass for others
	signIn    time.Duration // how often the owner gives the right answer, with another device; 0: never
}

// strategy is how a guesser keeps clear of long lockouts: so many guesses, then
// none until the owner has signed in and some time has passed.
type strategy struct {
	guesses int
	rest    time.Duration
}

// guesses is how many guesses are possible in each span, with the strategy that
// is best for it. More guesses at once than the ladder has steps lock for good,
// and a device's failures are forgotten after the rolling window.
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

// game is the longest span played through, by a clock that jumps to the next
// time at which something can happen.
type game struct {
	guesser
	strategy
	ledger    domain.Attempts
	now, last time.Time // last: of the guesses
	signIn    time.Time // the owner's next
	used      int       // guesses of the strategy
	reset     bool      // the owner has signed in since
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

// step makes one guess. Where there is none to be made it says when to come
// again, or that there will never be another.
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

// try is one verification, if the policy admits it.
func (m *game) try(device string, match bool) bool {
	m.ledger, _ = m.policy.Lapse(m.ledger, m.now)
	if m.policy.Admit(m.ledger, device, m.now) != domain.Admitted {
		return false
	}
	m.ledger, _ = m.policy.Settle(m.policy.Reserve(m.ledger, "try", device, m.now), "try", match, m.now)
	return true
}

// owner and device are the devices that the two use. In device mode, where
// devices have no budgets, there is one, and it has no name.
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
	return "guesser " + strconv.FormatInt(m.now.UnixNano(), 36) + " " + strconv.Itoa(m.used) // another one for each guess
}

// lockEnd is when the locks of the account and of the device are over, if ever.
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
