package custody

import (
	"context"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// The pace of the rewrap. While requests arrive, it pauses much longer than it works, so
// that requests rarely wait for it or for the disk.
const (
	rewrapRows   = 32      // sealed again in one transaction: a few milliseconds
	countedRows  = 200     // counted in one transaction
	mostCounted  = 100_000 // rows of each kind that are counted at the start; the first phase counts all
	restBusy     = 20      // pause as a multiple of the time that a part took
	restIdle     = 1
	shortestRest = 2 * time.Millisecond
	busyFor      = time.Second // after a request was seen
	rewrapLook   = time.Second // pause while there is nothing to do
	rewrapLease  = 10 * time.Second
)

// Rewrap seals all rows under the primary data key, part by part, until ctx is done. Any
// number of processes may call it: only one of them works at a time.
func (c *Custody) Rewrap(ctx context.Context) {
	var seen time.Time // when requests were last in progress
	for {
		began := time.Now()
		worked, err := c.RewrapPart(ctx)
		took := time.Since(began)
		if err != nil && ctx.Err() == nil {
			c.cfg.Report("rewrapping", err)
			worked = false
		}
		if c.cfg.Busy() {
			seen = time.Now()
		}
		rest := rewrapLook
		switch {
		case worked && time.Since(seen) < busyFor:
			rest = restBusy * took
		case worked:
			rest = max(restIdle*took, shortestRest)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(rest):
		}
	}
}

// RewrapPart does the next part of the rewrap. worked is false if there is nothing to
// do now, or if another process works on it.
func (c *Custody) RewrapPart(ctx context.Context) (worked bool, err error) {
	if len(c.cfg.Keys.DataKeys()) < 2 {
		return false, nil
	}
	var p progress
	worked, err = record.Update(ctx, c.cfg.Records, record.System, func(tx *record.Tx) (bool, error) {
		var due bool
		var err error
		if p, due, err = c.due(tx); err != nil || !due {
			return false, err
		}
		waits, err := c.part(tx, &p)
		if err != nil {
			return false, err
		}
		return !waits, p.write(tx, c.cfg.Keys)
	})
	if err == nil && p.Phase != "" { // also while another process works, or none
		c.cfg.Metrics.Rewrap(p.shown(c.cfg.Now()))
	}
	return worked, err
}

// due returns the progress, if there is one, and whether this process should work on it
// now. If so, it takes the lease.
func (c *Custody) due(tx *record.Tx) (p progress, due bool, err error) {
	primary, newest := primaryOf(c.cfg.Keys.DataKeys())
	if primary != newest { // the newest one is not used yet
		return p, false, nil
	}
	p, found, err := readProgress(tx, c.cfg.Keys)
	if err != nil {
		return p, false, err
	}
	if !found || p.Primary != primary { // it was edited or is missing, or 0.19.0 or earlier rotated the data key
		p = newProgress(tx, primary, p.Paused)
	}
	now := domain.Micros(tx.Now())
	p.clockSetBack(now)
	if p.Paused || p.Phase == domain.RewrapDone || p.Worker != c.cfg.Instance && p.Until > now {
		return p, false, nil
	}
	if p.Worker == "" { // now every process sees the new primary data key: the commit of its activation may have taken long
		p.Began = now
	}
	p.Worker, p.Until = c.cfg.Instance, now+rewrapLease.Microseconds()
	return p, true, nil
}

// part does a part of the phase, and begins the next phase at the end. waits is true if
// the same phase begins again, because it was too early to finish.
func (c *Custody) part(tx *record.Tx, p *progress) (waits bool, err error) {
	var visited record.Visited
	switch p.Phase {
	case domain.RewrapRewrapping:
		note := tx.Note(domain.EventRecordRewrapped, "ok")
		visited, err = tx.VisitSealed(p.At, rewrapRows, &note)
	case domain.RewrapVerifying:
		visited, err = tx.CheckSealed(p.At, countedRows)
	default:
		visited, err = tx.VisitSealed(p.At, countedRows, nil)
	}
	if err != nil {
		return false, err
	}
	p.add(visited)
	if !visited.End {
		return false, nil
	}
	if p.Phase == domain.RewrapCounting {
		p.Rows = p.Visited
	}
	return c.phaseEnded(tx, p)
}

func (c *Custody) phaseEnded(tx *record.Tx, p *progress) (waits bool, err error) {
	now := tx.Now()
	switch {
	case p.Phase == domain.RewrapRewrapping:
		if more, err := c.resign(tx, p); more || err != nil {
			return false, err
		}
		p.next(domain.RewrapVerifying, now)
	case p.left() > p.Refused:
		p.next(domain.RewrapRewrapping, now)
	case p.Phase == domain.RewrapCounting: // nothing was stored under the old data key
		p.next(domain.RewrapRewrapping, now)
	case p.Walked-p.Began < (2 * freshFor).Microseconds():
		p.next(domain.RewrapVerifying, now) // a process may have used the old data key behind this walk
		return true, nil
	default:
		// Once more: a process may have used the old data key behind the first time.
		if more, err := c.resign(tx, p); more || err != nil {
			return false, err
		}
		p.Phase, p.Until = domain.RewrapDone, 0
		e := tx.Note(domain.EventDataKeyRewrapped, "ok")
		e.Count, e.Reason = max(p.Done, 1), "data key "+dataKeyID(p.Primary)
		tx.Enter(e)
	}
	return false, nil
}

// resign does the next part of renewing the MACs of what is not a sealed row.
func (c *Custody) resign(tx *record.Tx, p *progress) (more bool, err error) {
	for p.Resigned < len(c.cfg.Resign) {
		if p.After, err = c.cfg.Resign[p.Resigned](tx, p.After); err != nil || p.After != "" {
			return true, err
		}
		p.Resigned++
	}
	return false, nil
}
