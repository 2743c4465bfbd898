package service

import (
	"context"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

const (
	locksEvery  = time.Minute
	locksRest   = 100    // counting rests at least so many times as long as it took
	locksPart   = 1000   // ledgers read in one transaction
	mostLedgers = 10_000 // that are counted
)

// countLocksAtTimes has the meters tell how many locks stand, until ctx is done.
// Its time is bounded by a share of all time, because a guesser can leave very
// many locks.
func (s *Service) countLocksAtTimes(ctx context.Context) {
	for rest := flushEvery; ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(rest):
		}
		start := time.Now()
		s.report("counting locks", s.countLocks(ctx, mostLedgers))
		rest = max(locksEvery, locksRest*time.Since(start))
	}
}

// countLocks counts the locks in at most so many ledgers. What they say is only
// shown, so no MAC is looked at.
func (s *Service) countLocks(ctx context.Context, most int) error {
	accounts, devices := map[domain.CredentialType]int{}, map[domain.CredentialType]int{}
	var last domain.LockPosition
	for part := locksPart; part == locksPart && most > 0; {
		var ledgers []domain.ListedLock
		var now time.Time
		err := s.cfg.Store.View(ctx, func(tx store.Tx) (err error) {
			now = tx.Now()
			ledgers, err = tx.LockedAttempts(last, min(most, locksPart))
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
			devices[a.Type] += a.LockedDevices(now)
			last = l.At
		}
		part = len(ledgers)
		most -= part
	}
	for _, t := range []domain.CredentialType{domain.Passcode, domain.TransactionPIN} {
		s.cfg.Meters.Locks(t, accounts[t], devices[t])
	}
	return nil
}
