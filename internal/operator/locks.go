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

// Inventory is devices, keys, accounts and their locks.
type Inventory struct{ *access }

// standing is until when the lock of an account stands: zero for one that has
// ended, and for one that does not end.
func standing(a domain.Attempts, now time.Time) time.Time {
	if a.Permanent || !now.Before(a.LockedUntil) {
		return time.Time{}
	}
	return a.LockedUntil
}

// Locks lists the ledgers with locks that stand, of the account and of single
// devices, in order of when the last lock in each ends. Those without end come
// last.
func (u Inventory) Locks(ctx context.Context, p domain.Page) (locks []domain.Lock, next string, err error) {
	after, err := lockPlace(p.After)
	if err = cmp.Or(err, checkPage(p)); err != nil {
		return nil, "", err
	}
	err = u.look(ctx, func(tx *record.Tx) error {
		ledgers, err := tx.LockedAttempts(tx.Steady(), after, p.Limit+1)
		if err != nil {
			return err
		}
		ledgers, next = part(ledgers, p.Limit, lockCursor)
		locks = make([]domain.Lock, 0, len(ledgers))
		search := maxComparedDevices
		for _, l := range ledgers {
			a := l.Ledger
			account, err := u.accountShown(tx, a.AccountID, "")
			if err != nil {
				return err
			}
			devices, err := u.lockedDevices(tx, a, &search)
			if err != nil {
				return err
			}
			locks = append(locks, domain.Lock{Account: account, Type: a.Type, Failures: a.Failures,
				LockedUntil: standing(a, tx.Steady()), Permanent: a.Permanent, LockedDevices: devices,
				Tampered: u.cfg.Records.CheckAttempts(a) != nil})
		}
		return nil
	})
	return locks, next, err
}

// maxComparedDevices is how many devices one call compares with the hashes in
// ledgers. An account has few, but a client can make up deviceIds.
const maxComparedDevices = 5_000

const comparedBatch = 100

// lockedDevices are the devices of a ledger that have a lock of their own. The
// ledger has keyed hashes, so the devices of the account are hashed until each
// lock has its device. search is how many may still be, and is lowered.
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

// endOf is when a lock ends, for an order in which those without end are last.
func endOf(d domain.DeviceAttempts) int64 {
	if d.Permanent {
		return math.MaxInt64
	}
	return domain.Micros(d.LockedUntil)
}

// namesOf are the deviceIds of an account by the hashes that a ledger has.
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

// maxVerifiedSearch is how many of the latest entries of an account are looked
// through for a right answer.
const maxVerifiedSearch = 500

// verifiedInTrail is when a right answer was last entered for a ledger that has
// none: an unlock forgets it, and earlier versions did not always record it.
// Zero: not among the latest entries of the account.
func (u Inventory) verifiedInTrail(tx *record.Tx, account domain.Account, ledger string) (time.Time, error) {
	hash, _ := u.cfg.Records.Hashes(account, "")
	entries, err := tx.EntriesOfAccount(hash, time.Time{}, domain.EntryPosition{}, maxVerifiedSearch)
	if err != nil {
		return time.Time{}, err
	}
	for _, e := range entries {
		if e.Event == domain.EventCredentialVerified && e.Record == domain.RecordAttempts+"/"+ledger && audit.Genuine(u.cfg.Keys, e) {
			return e.Time, nil
		}
	}
	return time.Time{}, nil
}
