package operator

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// Inventory is the use cases on devices, keys, accounts and their locks.
type Inventory struct{ *access }

// lockedUntil is when the active lock of an account ends. It is zero if there is
// no active lock, or if the lock is permanent.
func lockedUntil(a domain.Attempts, now time.Time) time.Time {
	if a.Permanent || !now.Before(a.LockedUntil) {
		return time.Time{}
	}
	return a.LockedUntil
}

// Locks lists the attempt counters with active locks, of the account or of single
// devices, in order of when the last lock in each ends. Counters with permanent
// locks come last.
func (u Inventory) Locks(ctx context.Context, p domain.Page) (locks []domain.Lock, next string, err error) {
	after, err := lockPlace(p.After)
	if err = cmp.Or(err, checkPage(p)); err != nil {
		return nil, "", err
	}
	err = u.look(ctx, func(tx *record.Tx) error {
		listed, err := tx.LockedAttempts(tx.Steady(), after, p.Limit+1)
		if err != nil {
			return err
		}
		listed, next = part(listed, p.Limit, lockCursor)
		locks, err = u.locksShown(tx, listed)
		return err
	})
	return locks, next, err
}

// locksShown reads what lists of locks show besides the attempt counters. It needs
// two round trips for all locks, unless an account has many devices.
func (u Inventory) locksShown(tx *record.Tx, listed []domain.ListedLock) ([]domain.Lock, error) {
	ids, withDevices := make([]string, len(listed)), []string{}
	for i, l := range listed {
		ids[i] = l.Counter.AccountID
		if len(l.Counter.LockedDevices(tx.Steady())) > 0 {
			withDevices = append(withDevices, l.Counter.AccountID)
		}
	}
	accounts, err := u.accountsShown(tx, ids)
	if err != nil {
		return nil, err
	}
	search, err := searchDevices(tx, withDevices)
	if err != nil {
		return nil, err
	}
	locks := make([]domain.Lock, 0, len(listed))
	for i, l := range listed {
		a := l.Counter
		devices, err := u.lockedDevices(tx, a, search)
		if err != nil {
			return nil, err
		}
		locks = append(locks, domain.Lock{Account: accounts[i], Type: a.Type, Failures: a.Failures,
			LockedUntil: lockedUntil(a, tx.Steady()), Permanent: a.Permanent, LockedDevices: devices,
			Tampered: u.cfg.Records.CheckAttempts(a) != nil})
	}
	return locks, nil
}

// maxComparedDevices is how many devices one call compares with the hashes in
// attempt counters. An account has few devices, but a client can make up
// deviceIds.
const maxComparedDevices = 5_000

const comparedBatch = 100

// deviceSearch finds the devices of hashes in attempt counters.
type deviceSearch struct {
	left  int                 // how many devices may still be hashed
	first map[string][]string // by account: the first comparedBatch deviceIds
}

func searchDevices(tx *record.Tx, accountIDs []string) (*deviceSearch, error) {
	s := &deviceSearch{left: maxComparedDevices, first: map[string][]string{}}
	reads := make([]func() error, len(accountIDs))
	for i, id := range accountIDs {
		reads[i] = func() (err error) {
			s.first[id], err = tx.DevicesOf(id, "", comparedBatch)
			return err
		}
	}
	return s, tx.Interleave(reads...)
}

// next returns the deviceIds of an account after the last one: "" for the first.
func (s *deviceSearch) next(tx *record.Tx, accountID, last string) (ids []string, err error) {
	if s.left == 0 {
		return nil, nil
	}
	ids, known := s.first[accountID]
	if last != "" || !known {
		ids, err = tx.DevicesOf(accountID, last, comparedBatch)
	}
	ids = ids[:min(len(ids), s.left)]
	s.left -= len(ids)
	return ids, err
}

// lockedDevices returns the devices in an attempt counter that have an active lock
// of their own. The counter contains keyed hashes, so it hashes the devices of
// the account until each lock has its device.
func (u Inventory) lockedDevices(tx *record.Tx, a domain.Attempts, search *deviceSearch) ([]domain.LockedDevice, error) {
	locked := a.LockedDevices(tx.Steady())
	if len(locked) == 0 {
		return nil, nil
	}
	names, err := u.namesOf(tx, a.AccountID, locked, search)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(locked, func(x, y domain.DeviceAttempts) int {
		return cmp.Or(cmp.Compare(endOf(x), endOf(y)), cmp.Compare(names[x.Device], names[y.Device]))
	})
	devices := make([]domain.LockedDevice, len(locked))
	for i, d := range locked {
		devices[i] = domain.LockedDevice{DeviceID: names[d.Device], Until: d.LockedUntil, Permanent: d.Permanent}
		if d.Permanent {
			devices[i].Until = time.Time{}
		}
	}
	return devices, nil
}

// endOf is when a lock ends, for sorting. Permanent locks come last.
func endOf(d domain.DeviceAttempts) int64 {
	if d.Permanent {
		return math.MaxInt64
	}
	return domain.Micros(d.LockedUntil)
}

// namesOf returns the deviceIds of an account by their hashes in an attempt
// counter.
func (u Inventory) namesOf(tx *record.Tx, accountID string, devices []domain.DeviceAttempts, search *deviceSearch) (map[string]string, error) {
	names, last := map[string]string{}, ""
	for len(names) < len(devices) {
		ids, err := search.next(tx, accountID, last)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			hash := u.cfg.Records.AttemptDevice(accountID, id)
			if slices.ContainsFunc(devices, func(d domain.DeviceAttempts) bool { return d.Device == hash }) {
				names[hash] = id
			}
			last = id
		}
		if len(ids) < comparedBatch { // or no more may be hashed
			break
		}
	}
	return names, nil
}

// maxVerifiedSearch is how many of an account's latest entries are searched for a
// successful verify.
const maxVerifiedSearch = 500

// lastVerified returns a function that finds the time of the last successful verify
// in the trail, for an attempt counter that does not record it: an unlock clears the
// time, and earlier versions did not always record it. The time is zero if the latest
// entries of the account contain no successful verify. They are read once.
func (u Inventory) lastVerified(tx *record.Tx, account domain.Account) func(counterID string) (time.Time, error) {
	entries := sync.OnceValues(func() ([]domain.Entry, error) {
		hash, _ := u.cfg.Records.Hashes(account, "")
		return tx.EntriesOfAccount(hash, time.Time{}, domain.EntryPosition{}, maxVerifiedSearch)
	})
	return func(counterID string) (time.Time, error) {
		all, err := entries()
		for _, e := range all {
			if e.Event == domain.EventCredentialVerified && e.Record == domain.RecordAttempts+"/"+counterID && audit.Genuine(u.cfg.Keys, e) {
				return e.Time, nil
			}
		}
		return time.Time{}, err
	}
}
