package operator

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/record"
)

const (
	maxTrendHours = 31 * 24
	maxTrendLocks = 20_000 // locks of each kind that are read; if there are more, the trend begins later
)

// LockTrend returns how many locks of accounts and devices began in each of the
// past hours, the oldest hour first and the current hour last. If there were very
// many locks, it returns only the latest hours, and the count of the first one is
// a lower bound. Edited entries do not count.
func (u Trail) LockTrend(ctx context.Context, hours int) (trend []domain.LockTrend, err error) {
	if hours < 1 || hours > maxTrendHours {
		return nil, domain.BadInput("hours", fmt.Sprintf("must be 1 to %d", maxTrendHours))
	}
	err = u.look(ctx, func(tx *record.Tx) (err error) {
		trend, err = u.lockTrend(tx, hours, cmp.Or(u.cfg.MostLocks, maxTrendLocks))
		return err
	})
	return trend, err
}

// lockTrend reads up to most entries of each kind.
func (u Trail) lockTrend(tx *record.Tx, hours, most int) (trend []domain.LockTrend, err error) {
	last := tx.Now().Truncate(time.Hour)
	first := last.Add(-time.Duration(hours-1) * time.Hour)
	counts, cut := map[time.Time]int64{}, time.Time{}
	for _, event := range []domain.Event{domain.EventCredentialLocked, domain.EventDeviceLocked} {
		from, whole, err := u.countHours(tx, event, first, counts, most)
		if err != nil {
			return nil, err
		}
		if first = from; !whole {
			cut = first
		}
	}
	for hour := first; !hour.After(last); hour = hour.Add(time.Hour) {
		trend = append(trend, domain.LockTrend{Start: hour, Locks: counts[hour], AtLeast: hour.Equal(cut)})
	}
	return trend, nil
}

// countHours counts entries of an event by the hour, newest first. It returns the
// earliest hour that it reached, and whether it read all of that hour.
func (u Trail) countHours(tx *record.Tx, event domain.Event, first time.Time, counts map[time.Time]int64, most int) (from time.Time, whole bool, err error) {
	below := domain.EntryPosition{Time: tx.Now().Truncate(time.Hour).Add(time.Hour)} // an entry with a later time is forged
	for size := min(most, examinedBatch); most > 0; most -= size {
		batch, err := tx.EntriesOfEvent(event, first, below, size)
		if err != nil {
			return first, false, err
		}
		for _, e := range batch {
			if audit.Genuine(u.cfg.Keys, e) {
				counts[e.Time.Truncate(time.Hour)]++
			}
			below = e.Position()
		}
		if len(batch) < size {
			return first, true, nil
		}
	}
	return below.Time.Truncate(time.Hour), false, nil
}
