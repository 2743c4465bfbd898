package service

import (
	"context"
	"slices"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
)

const (
	locksEvery  = time.Minute
	locksRest   = 100    // counting rests at least so many times as long as it took
	locksPart   = 1000   // ledgers read in one transaction
	mostLedgers = 10_000 // that are counted
)

const (
	unlistedFirst = time.Minute // after the start
	unlistedEvery = time.Hour
	mostUnlisted  = 1000 // that are listed again in one go
)

// listLocks writes the ledgers again, as they are, whose locks no list of
// operators finds: the previous version writes ledgers without the column by
// which they are found, and anyone who can write to the database can edit it.
func (s *Service) listLocks(ctx context.Context) error {
	var unlisted []domain.Attempts
	err := s.records.View(ctx, func(tx *record.Tx) error {
		unlisted = nil
		return tx.EachAttempts(func(a domain.Attempts) error {
			now := tx.Steady()
			if len(unlisted) == mostUnlisted || !a.LockedAt(now) && len(a.LockedDevices(now)) == 0 {
				return nil
			}
			found, err := tx.LockedAttempts(now, domain.LockPosition{Until: a.LockStandsUntil(), AccountID: a.AccountID}, len(operations))
			if err != nil {
				return err
			}
			if !slices.ContainsFunc(found, func(l domain.ListedLock) bool { return l.Ledger.ID == a.ID }) {
				unlisted = append(unlisted, a)
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	for _, a := range unlisted {
		err := s.records.Update(ctx, record.System, func(tx *record.Tx) error {
			counter, err := tx.Attempts(a.AccountID, a.Type)
			if err == nil && counter.Exists() {
				counter.WriteAgain() // what the trail tells of it stays as it is
			}
			return err
		})
		if err != nil && !record.IsTampered(err) { // which those who use it refuse, and report
			return err
		}
	}
	if len(unlisted) > 0 {
		s.cfg.Log.Warn("locks that were missing in operators' lists are listed again: an earlier version wrote them, or their rows were edited", "locks", len(unlisted))
	}
	return nil
}

// countLocks counts the locks in at most so many ledgers. What they say is only
// shown, so no MAC is looked at.
func (s *Service) countLocks(ctx context.Context, most int) error {
	accounts, devices := map[domain.CredentialType]int{}, map[domain.CredentialType]int{}
	var last domain.LockPosition
	for part := locksPart; part == locksPart && most > 0; {
		var ledgers []domain.ListedLock
		var now time.Time
		err := s.records.View(ctx, func(tx *record.Tx) (err error) {
			now = tx.Steady()
			ledgers, err = tx.LockedAttempts(now, last, min(most, locksPart))
			return err
		})
		if err != nil {
			return err
		}
		for _, l := range ledgers {
			a := l.Ledger
			if a.LockedAt(now) {
				accounts[a.Type]++
			}
			devices[a.Type] += len(a.LockedDevices(now))
			last = l.At
		}
		part = len(ledgers)
		most -= part
	}
	for _, t := range domain.CredentialTypes {
		s.cfg.Meters.Locks(t, accounts[t], devices[t])
	}
	return nil
}
