package store

import (
	"time"

	"strongroom/internal/domain"
)

// ShownDevice is a device as operators see it.
type ShownDevice struct {
	Account *domain.Account    // nil: it was erased
	Keys    []domain.DeviceKey // in any state, newest first
	Used    []time.Time        // when each of Keys was last used; zero: never
}

// Listings are the lists that operators see. What one call costs depends on its
// limit, which is positive, and not on how much the store holds, unless a
// method says otherwise.
type Listings interface {
	// Devices returns the devices of all accounts that have or had a key, whose
	// deviceId begins with prefix, in byte order of deviceId and then account,
	// from the first one after the given position (zero: the first of all).
	Devices(prefix string, after domain.DevicePosition, limit int) ([]domain.DevicePosition, error)
	// DevicesOf returns the deviceIds of an account, in byte order, after the
	// given one ("": from the first).
	DevicesOf(accountID, after string, limit int) ([]string, error)
	// ShowDevices returns devices with at most limit keys each, in one round trip.
	// If keyID is not empty, it returns only the key of this id.
	ShowDevices(at []domain.DevicePosition, keyID string, limit int) ([]ShownDevice, error)
	// CountActiveKeys counts the active keys of this size in bits (0: of any)
	// that were created before the time, up to most. It reads one index entry
	// for each.
	CountActiveKeys(createdBefore time.Time, bits int, most int64) (int64, error)

	// AccountByID returns the account, or ErrNotFound.
	AccountByID(id string) (domain.Account, error)
	// AccountsByID returns the accounts, nil for each that does not exist, in one
	// round trip.
	AccountsByID(ids []string) ([]*domain.Account, error)
	// Accounts returns the accounts of this mode that the filter selects, in byte
	// order of issuer and then subject, after the issuer and subject of the given
	// one (zero: from the first). Its cost also depends on how many issuers there
	// are.
	Accounts(mode domain.Mode, f domain.AccountFilter, after domain.Account, limit int) ([]domain.Account, error)

	// LockedAttempts returns the attempt counters with a lock at time now, of the
	// account or of one of its devices. They are in order of when the last lock
	// in each ends, then account and type, after the given position (zero: from
	// the first). Expired locks cost nothing.
	LockedAttempts(now time.Time, after domain.LockPosition, limit int) ([]domain.ListedLock, error)
}
