package store

import (
	"time"

	"strongroom/internal/domain"
)

// Listings are what operators look through. What one call costs depends on its
// limit, which is positive, and not on how much the store holds, except where
// it says so.
type Listings interface {
	// Devices returns the devices of all accounts that have or had a key, whose
	// deviceId begins with prefix, in byte order of deviceId and then account,
	// from the first one after the given position (zero: the first of all).
	Devices(prefix string, after domain.DevicePosition, limit int) ([]domain.DevicePosition, error)
	// DevicesOf returns the deviceIds of an account, in byte order, after the
	// given one ("": from the first).
	DevicesOf(accountID, after string, limit int) ([]string, error)
	// KeysOfDevice returns the keys of a device in any state, newest first.
	KeysOfDevice(accountID, deviceID string, limit int) ([]domain.DeviceKey, error)
	// CountActiveKeys counts the active keys that were created before the time,
	// of this modulus size, or of any (0). It reads an index entry for each.
	CountActiveKeys(createdBefore time.Time, bits int) (int64, error)

	// AccountByID returns the account, or ErrNotFound.
	AccountByID(id string) (domain.Account, error)
	// Accounts returns the accounts of this mode that the filter selects, in byte
	// order of issuer and then subject, after the issuer and subject of the given
	// one (zero: from the first). Its cost also depends on how many issuers there
	// are.
	Accounts(mode domain.Mode, f domain.AccountFilter, after domain.Account, limit int) ([]domain.Account, error)

	// LockedAttempts returns the ledgers in which a lock, of the account or of
	// one of its devices, stands at time now, in order of when the last lock in each
	// ends, then account and type, after the given position (zero: from the
	// first). Locks that are over cost nothing.
	LockedAttempts(now time.Time, after domain.LockPosition, limit int) ([]domain.ListedLock, error)

	// Entries returns entries of the trail, newest first: in falling order of
	// time, chain and number, from the first one below the given position
	// (zero: from the newest) down to those of the time from.
	Entries(from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error)
	// EntriesOfAccount returns likewise those with this keyed hash of an account.
	EntriesOfAccount(account []byte, from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error)
	// EntriesOfRequest returns likewise those of this request, at most limit,
	// among as many entries as examine says, and the last entry that it looked
	// at: zero where there are no more.
	EntriesOfRequest(requestID string, from time.Time, below domain.EntryPosition, examine, limit int) (found []domain.Entry, last domain.EntryPosition, err error)
	// EntriesOfEvent returns likewise those of this event. Its cost is bounded
	// for events that [domain.Event.Rare] reports; for others it fails.
	EntriesOfEvent(event domain.Event, from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error)
}

// KeyUses are when keys were last used, to be shown. They decide nothing.
type KeyUses interface {
	// NoteKeyUse notes a use at this time, unless a later one is noted.
	NoteKeyUse(accountID, keyID string, at time.Time) error
	// KeyUsed returns when the key was last used, or ErrNotFound.
	KeyUsed(accountID, keyID string) (time.Time, error)
	// DeleteKeyUses forgets the uses of all keys of an account.
	DeleteKeyUses(accountID string) error
	// KeyGeneration returns the window of a device that is kept in the store:
	// how many requests were counted in it and its reset, or ErrNotFound where
	// none stands at Now.
	KeyGeneration(device []byte) (count int64, reset time.Time, err error)
}

// Receipts are what writes of operators were answered with, so that a repeat
// of one is not done again.
type Receipts interface {
	// Receipt returns what was kept under key, a keyed hash of 16 bytes, and the
	// digest of the request that it answers; or ErrNotFound.
	Receipt(key []byte) (r domain.Receipt, digest []byte, err error)
	// PutReceipt keeps a receipt (RequestID and At), or fails with ErrConflict
	// where one is kept under key.
	PutReceipt(key, digest []byte, r domain.Receipt) error
	// DeleteReceipts removes at most limit receipts from before the time and
	// returns how many there were.
	DeleteReceipts(before time.Time, limit int) (deleted int, err error)
}
