// Package clock compares clocks with the time that has passed since the start, so
// that locks and leases do not end because someone set a clock.
package clock

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
)

const (
	// tolerance is how far a clock may differ from the time that has passed
	// since the start. The clocks of two database servers differ by less.
	tolerance = time.Minute

	// maxDrift bounds the drift of a clock: it may always run fast or slow by
	// 1/maxDrift of the time passed. NTP corrects at half that rate.
	maxDrift = 1000
)

var started = time.Now()

// steadyClock compares the readings of a clock with the time that has passed
// since the first reading. It never adopts a step: only a restart does.
type steadyClock struct {
	name    string               // for operators
	elapsed func() time.Duration // the time that has passed

	mu       sync.Mutex
	due      time.Time     // guarded by mu: what the clock should have shown at the last look; zero: no look yet
	at       time.Duration // guarded by mu: elapsed at that look
	reported time.Duration // guarded by mu: the step that was reported to operators
}

// compare returns what the clock should show now, and how far the reading is ahead
// of that.
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
	if ahead = reading.Round(0).Sub(c.due); ahead.Abs() < tolerance {
		drift := passed / maxDrift
		c.due = c.due.Add(min(max(ahead, -drift), drift))
	}
	return c.due, ahead
}

// step returns by how much the clock was set since the last call that returned a
// step. It returns 0 if the clock was not set.
func (c *steadyClock) step(ahead time.Duration) (step time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ahead.Abs() < tolerance {
		ahead = 0
	}
	if step = ahead - c.reported; step.Abs() < tolerance {
		return 0
	}
	c.reported = ahead
	return step
}

// Config configures [New]. Every field is required.
type Config struct {
	// OwnClock says that the store's clock is not the clock of this machine.
	OwnClock bool
	Now      func() time.Time     // the machine's clock
	Elapsed  func() time.Duration // the time that has passed, by a clock that cannot be set: [Elapsed]
	Log      *slog.Logger
	Metrics  *metrics.Metrics
}

// Clocks are the store's clock and the machine's. They are safe for concurrent
// use.
type Clocks struct {
	cfg            Config
	store, machine steadyClock
}

// New returns the clocks. The first [Clocks.Look] accepts them as they are.
func New(cfg Config) *Clocks {
	c := &Clocks{cfg: cfg}
	c.machine.name, c.machine.elapsed = metrics.ClockMachine, cfg.Elapsed
	c.store.name, c.store.elapsed = metrics.ClockMachine, cfg.Elapsed
	if cfg.OwnClock {
		c.store.name = metrics.ClockDatabase
	}
	return c
}

// Steady returns the time for locks, for the windows of wrong answers, for the
// leases of attempts and for pruning. It is the given reading of the store's
// clock, but at most one minute later than what that clock should show after the
// time that has passed since the start. So a lock does not end because someone
// set a clock forward. If the clock is set back, the lock lasts longer.
func (c *Clocks) Steady(reading time.Time) time.Time {
	due, _ := c.store.compare(reading)
	if latest := due.Add(tolerance); reading.After(latest) {
		return latest.UTC().Truncate(time.Microsecond)
	}
	return reading
}

// Look checks the store's clock and, if that is not the machine's clock, the
// machine's clock too. If a clock was set, Look logs it and writes an entry.
func (c *Clocks) Look(ctx context.Context, records *record.Records) error {
	if c.cfg.OwnClock {
		c.check(ctx, records, &c.machine, c.cfg.Now())
	}
	asked := c.cfg.Now()
	now, err := record.View(ctx, records, func(tx *record.Tx) (time.Time, error) { return tx.Now(), nil })
	if err != nil || now.IsZero() {
		return err
	}
	if c.cfg.OwnClock {
		c.cfg.Metrics.ClockSkew(skew(now, asked, c.cfg.Now()))
	}
	c.check(ctx, records, &c.store, now)
	return nil
}

// skew is how far this clock is ahead of another one. read is a reading of the other
// clock, and before and after are readings of this clock around it. A difference that
// the duration of the reading can explain is not skew.
func skew(read, before, after time.Time) time.Duration {
	before, after = before.Round(0).Truncate(time.Microsecond), after.Round(0) // as a database rounds, and without the monotonic reading
	switch {
	case read.Before(before):
		return before.Sub(read)
	case read.After(after):
		return after.Sub(read)
	}
	return 0
}

func (c *Clocks) check(ctx context.Context, records *record.Records, of *steadyClock, reading time.Time) {
	_, ahead := of.compare(reading)
	c.cfg.Metrics.ClockOffset(of.name, ahead)
	step := of.step(ahead)
	if step == 0 {
		return
	}
	c.cfg.Log.Error("a clock was set: locks that follow this clock now end by the time that has passed since the start, until a restart; "+
		"see docs/runbook.md#strongroomclockstepped", "clock", of.name, "step", step.String(), "offset", ahead.String())
	e := domain.Entry{Actor: "system", Event: domain.EventClockStepped, Outcome: "ok",
		Reason: fmt.Sprintf("%s clock by %s", of.name, step.Round(time.Second))}
	if err := records.Enter(ctx, e); err != nil {
		c.cfg.Log.Error("background work failed", "work", "entering that a clock was set", "error", err)
	}
}
