package operator

import (
	"cmp"
	"context"
	"math"
	"slices"
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
		locks = make([]domain.Lock, 0, len(listed))
		search := maxComparedDevices
		for _, l := range listed {
			a := l.Counter
			account, err := u.accountShown(tx, a.AccountID, "")
			if err != nil {
				return err
			}
			devices, err := u.lockedDevices(tx, a, &search)
			if err != nil {
				return err
			}
			locks = append(locks, domain.Lock{Account: account, Type: a.Type, Failures: a.Failures,
				LockedUntil: lockedUntil(a, tx.Steady()), Permanent: a.Permanent, LockedDevices: devices,
				Tampered: u.cfg.Records.CheckAttempts(a) != nil})
		}
		return nil
	})
	return locks, next, err
}

// maxComparedDevices is how many devices one call compares with the hashes in
// attempt counters. An account has few devices, but a client can make up
// deviceIds.
const maxComparedDevices = 5_000

const comparedBatch = 100

// lockedDevices returns the devices in an attempt counter that have an active lock
// of their own. The counter contains keyed hashes, so it hashes the devices of
// the account until each lock has its device. search is how many devices may
// still be hashed; lockedDevices lowers it.
func (u Inventory) lockedDevices(tx *record.Tx, a domain.Attempts, search *int) ([]domain.LockedDevice, error) {
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
func (u Inventory) namesOf(tx *record.Tx, accountID string, devices []domain.DeviceAttempts, search *int) (map[string]string, error) {
	names, last := map[string]string{}, ""
	for *search > 0 && len(names) < len(devices) {
		want := min(*search, comparedBatch)
		ids, err := tx.DevicesOf(accountID, last, want)
		if err != nil {
			return nil, err
		}
		*search -= len(ids)
		for _, id := range ids {
			hash := u.cfg.Records.AttemptDevice(accountID, id)
			if slices.ContainsFunc(devices, func(d domain.DeviceAttempts) bool { return d.Device == hash }) {
				names[hash] = id
			}
			last = id
		}
		if len(ids) < want {
			break
		}
	}
	return names, nil
}

// maxVerifiedSearch is how many of an account's latest entries are searched for a
// right answer.
const maxVerifiedSearch = 500

// verifiedInTrail returns the time of the last right answer from the trail, for
// an attempt counter that does not record it: an unlock clears the time, and
// earlier versions did not always record it. It returns zero if the latest entries
// of the account contain no right answer.
func (u Inventory) verifiedInTrail(tx *record.Tx, account domain.Account, counterID string) (time.Time, error) {
	hash, _ := u.cfg.Records.Hashes(account, "")
	entries, err := tx.EntriesOfAccount(hash, time.Time{}, domain.EntryPosition{}, maxVerifiedSearch)
	if err != nil {
		return time.Time{}, err
	}
	for _, e := range entries {
		if e.Event == domain.EventCredentialVerified && e.Record == domain.RecordAttempts+"/"+counterID && audit.Genuine(u.cfg.Keys, e) {
			return e.Time, nil
		}
	}
	return time.Time{}, nil
}
