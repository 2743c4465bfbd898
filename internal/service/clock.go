package service

import (
	"context"
	"fmt"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// clockTolerance is how far the machine's clock may jump unnoticed. A clock that
// is set forward ends locks and leases sooner.
const clockTolerance = time.Minute

// machineClock compares the machine's clock with the time that has passed.
type machineClock struct {
	last time.Time // with its monotonic reading
}

// step is by how much the clock has jumped since the last look: zero within the
// tolerance.
func (c *machineClock) step(now time.Time) time.Duration {
	passed := now.Sub(c.last) // by the monotonic clock
	wall := now.Round(0).Sub(c.last.Round(0))
	c.last = now
	return stepped(wall, passed)
}

func stepped(wall, passed time.Duration) time.Duration {
	if step := wall - passed; step.Abs() >= clockTolerance {
		return step
	}
	return 0
}

// clockStepped tells that the machine's clock has jumped. What a database server
// decides goes by its own clock.
func (s *Service) clockStepped(ctx context.Context, step time.Duration) {
	s.cfg.Log.Error("the machine's clock was set: a step forward ends locks sooner, one back prolongs them; check time synchronisation and who may set the clock",
		"step", step.String())
	e := domain.Entry{Actor: "system", Event: domain.EventClockStepped, Outcome: "ok", Reason: fmt.Sprintf("by %s", step.Round(time.Second))}
	s.report("entering that the clock was set", s.write(ctx, func(tx store.Tx) error { return s.enter(tx, e) }))
}
