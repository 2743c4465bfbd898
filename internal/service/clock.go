package service

import (
	"context"
	"fmt"
	"sync"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
)

const (
	// clockTolerance is how far a clock may differ from the time that has passed
	// since the start. The clocks of two database servers differ by less.
	clockTolerance = time.Minute

	// clockDrift bounds the drift of a clock: it may always run fast or slow by
	// 1/clockDrift of the time passed. NTP corrects at half that rate.
	clockDrift = 1000

	clocksEvery = 2 * time.Second
)

var started = time.Now()

// steadyClock compares the readings of a clock with the time that has passed
// since the first reading. It never adopts a step: only a restart does.
type steadyClock struct {
	name    string               // for operators
	elapsed func() time.Duration // see [Config.Elapsed]

	mu   sync.Mutex
	due  time.Time     // guarded by mu: what the clock should have read at the last look; zero: none yet
	at   time.Duration // guarded by mu: elapsed at that look
	told time.Duration // guarded by mu: the step that was reported to operators
}

// compare returns what the clock should read now, and how far the reading is
// ahead of it.
func (c *steadyClock) compare(reading time.Time) (due time.Time, ahead time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.elapsed()
	passed := max(0, now-c.at)
	if c.at = now; c.due.IsZero() {
		c.due = reading.Round(0) // without the monotonic reading, which shows no steps
		return c.due, 0
	}
	c.due = c.due.Add(passed)
	if ahead = reading.Round(0).Sub(c.due); ahead.Abs() < clockTolerance {
		drift := passed / clockDrift
		c.due = c.due.Add(min(max(ahead, -drift), drift))
	}
	return c.due, ahead
}

// step returns by how much the clock was set since the last call that returned a
// step. It returns 0 if the clock was not set.
func (c *steadyClock) step(ahead time.Duration) (step time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ahead.Abs() < clockTolerance {
		ahead = 0
	}
	if step = ahead - c.told; step.Abs() < clockTolerance {
		return 0
	}
	c.told = ahead
	return step
}

// beginClocks accepts the clocks as they are.
func (s *Service) beginClocks(ctx context.Context) error {
	s.machineClock.name, s.machineClock.elapsed = metrics.ClockMachine, s.cfg.Elapsed
	s.storeClock.name, s.storeClock.elapsed = metrics.ClockMachine, s.cfg.Elapsed
	if s.shared() {
		s.storeClock.name = metrics.ClockDatabase
	}
	return s.lookAtClocks(ctx)
}

// steady is the time that decides when locks, the windows of wrong answers and
// the leases of attempts end, and which entries of the trail are old enough to be
// pruned. It is the given reading of the store's clock, but at most
// clockTolerance ahead of the time that has passed since the start. So a lock
// does not end because someone set a clock forward. If the clock was set back,
// the lock lasts longer.
func (s *Service) steady(reading time.Time) time.Time {
	due, _ := s.storeClock.compare(reading)
	if latest := due.Add(clockTolerance); reading.After(latest) {
		return latest.UTC().Truncate(time.Microsecond)
	}
	return reading
}

// lookAtClocks checks the store's clock and, if the store has its own clock, the
// machine's clock too.
func (s *Service) lookAtClocks(ctx context.Context) error {
	if s.shared() {
		s.lookAtClock(ctx, &s.machineClock, s.cfg.Now())
	}
	now, err := record.View(ctx, s.records, func(tx *record.Tx) (time.Time, error) { return tx.Now(), nil })
	if err != nil || now.IsZero() {
		return err
	}
	s.lookAtClock(ctx, &s.storeClock, now)
	return nil
}

func (s *Service) lookAtClock(ctx context.Context, c *steadyClock, reading time.Time) {
	_, ahead := c.compare(reading)
	s.cfg.Meters.ClockOffset(c.name, ahead)
	step := c.step(ahead)
	if step == 0 {
		return
	}
	s.cfg.Log.Error("a clock was set: locks that follow this clock now end by the time that has passed since the start, until a restart; "+
		"see docs/runbook.md#strongroomclockstepped", "clock", c.name, "step", step.String(), "offset", ahead.String())
	e := domain.Entry{Actor: "system", Event: domain.EventClockStepped, Outcome: "ok",
		Reason: fmt.Sprintf("%s clock by %s", c.name, step.Round(time.Second))}
	s.report("entering that a clock was set", s.records.Enter(ctx, e))
}
