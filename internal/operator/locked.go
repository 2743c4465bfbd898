package operator

import (
	"cmp"
	"context"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
)

const (
	locksPart    = 1000   // attempt counters read in one transaction
	mostLocks    = 10_000 // attempt counters that CountLocks reads
	mostUnlisted = 1000   // attempt counters that one call of ListLocks writes
)

// ListLocks writes attempt counters again, unchanged, if their locks are missing from
// operators' lists, or at the wrong place there. Versions before 0.5.0 do not write the
// column that the lists use, and someone who can write to the database can edit it.
func (u Inventory) ListLocks(ctx context.Context) error {
	var unlisted []domain.Attempts
	err := u.cfg.Records.View(ctx, func(tx *record.Tx) error {
		unlisted = nil
		return tx.EachAttempts(func(l domain.ListedLock) error {
			if len(unlisted) < mostUnlisted && !l.Fits(tx.Steady()) {
				unlisted = append(unlisted, l.Counter)
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	listed := 0
	for _, a := range unlisted {
		err := u.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error {
			counter, err := tx.Attempts(a.AccountID, a.Type)
			if err == nil && counter.Exists() {
				counter.WriteAgain() // needs no entry, because the state stays the same
			}
			return err
		})
		switch {
		case err == nil:
			listed++
		case !record.IsTampered(err): // the next use of an edited counter reports it
			return err
		}
	}
	if listed > 0 {
		u.cfg.Log.Warn("locks that were missing in operators' lists are listed again: an earlier version wrote them, or their rows were edited", "locks", listed)
	}
	return nil
}

// CountLocks counts the active locks for the metrics, in at most 10,000 attempt
// counters. The numbers are only shown, so no MAC is checked.
func (u Inventory) CountLocks(ctx context.Context) error {
	most := cmp.Or(u.cfg.MostLocks, mostLocks)
	accounts, devices := map[domain.CredentialType]int{}, map[domain.CredentialType]int{}
	var last domain.LockPosition
	for part := locksPart; part == locksPart && most > 0; {
		var listed []domain.ListedLock
		var now time.Time
		err := u.cfg.Records.View(ctx, func(tx *record.Tx) (err error) {
			now = tx.Steady()
			listed, err = tx.LockedAttempts(now, last, min(most, locksPart))
			return err
		})
		if err != nil {
			return err
		}
		for _, l := range listed {
			a := l.Counter
			if a.LockedAt(now) {
				accounts[a.Type]++
			}
			devices[a.Type] += len(a.LockedDevices(now))
			last = l.At
		}
		part = len(listed)
		most -= part
	}
	for _, t := range domain.CredentialTypes {
		u.cfg.Metrics.Locks(t, accounts[t], devices[t])
	}
	return nil
}
