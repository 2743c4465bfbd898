package domain

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// admitted counts the attempts that the policy admits one after the other, if each
// is wrong.
func admitted(p AttemptPolicy, a Attempts, device string, now time.Time) (n int) {
	for p.Admit(a, device, now) == Admitted {
		a = p.Reserve(a, "next", device, now)
		a, _ = p.Settle(a, "next", false, now)
		n++
	}
	return n
}

func TestAttemptsLeftEqualTheAttemptsThatThePolicyAdmits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, least, most int) int { return rapid.IntRange(least, most).Draw(t, name) }
		policy := func() AttemptPolicy {
			p := DefaultAttemptPolicy()
			p.MaxFailures, p.DeviceMax = draw("failures", 1, 6), draw("failures of a device", 0, 4)
			p.RollingMax = draw("failures in the window", 1, 12)
			return p
		}
		p, a, now, reserved := policy(), Attempts{}, t0, []string(nil)
		devices := []string{"", "phone", "tablet"}
		for i := range draw("events", 1, 60) {
			device := rapid.SampledFrom(devices).Draw(t, "device")
			switch draw("event", 0, 9) {
			case 0:
				now = now.Add(time.Duration(draw("minutes", 0, 30*60)) * time.Minute)
			case 1:
				p = policy() // a restart with other settings
			case 2:
				if len(reserved) > 0 {
					a, _ = a.GiveBack(reserved[0])
					reserved = reserved[1:]
				}
			case 3, 4, 5:
				if len(reserved) > 0 {
					a, _ = p.Settle(a, reserved[0], draw("match", 0, 3) == 0, now)
					reserved = reserved[1:]
				}
			default:
				if p.Admit(a, device, now) == Admitted {
					reserved = append(reserved, fmt.Sprint("attempt ", i))
					a = p.Reserve(a, reserved[len(reserved)-1], device, now)
				}
			}
			a, _ = p.Lapse(a, now)
			for _, device := range devices {
				if got, want := p.Left(a, device, now), admitted(p, a, device, now); got != want {
					t.Fatalf("%d attempts of %q are left, and %d are admitted; policy %+v, counter %+v", got, device, want, p, a)
				}
				until, permanent := a.LockFor(device, now)
				if locked := p.Admit(a, device, now) == Locked; locked != (permanent || now.Before(until)) {
					t.Fatalf("locked: %v, and the lock of %q is %v, %v", locked, device, until, permanent)
				}
			}
		}
	})
}
