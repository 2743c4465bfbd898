package store

import (
	"time"

	"strongroom/internal/domain"
)

// Settings are the few facts about the database itself, by name: the wrapped
// keyset, the canary, the account mode, the epoch, the audit chain.
type Settings interface {
	// Setting returns a value, or ErrNotFound.
	Setting(name string) ([]byte, error)
	// PutSetting writes a value over any earlier one.
	PutSetting(name string, value []byte) error
	// PutSettingLater is PutSetting, but an engine may send the value with the next
	// statement or the commit.
	PutSettingLater(name string, value []byte) error
	// Settings returns the values whose names begin with a prefix, by name.
	Settings(prefix string) (map[string][]byte, error)
	// EachSetting calls fn for every setting whose name begins with prefix and is longer,
	// in order of the names, until fn returns an error. There may be millions.
	EachSetting(prefix string, fn func(name string, value []byte) error) error
	// DeleteSetting removes a value. If there is none it does nothing.
	DeleteSetting(name string) error
}

// Accounts are found by their mode, issuer and subject.
type Accounts interface {
	// Account returns the account, or ErrNotFound.
	Account(mode domain.Mode, issuer, subject string) (domain.Account, error)
	// InsertAccount adds an account, or fails with ErrConflict if one of the
	// same mode, issuer and subject exists, perhaps only with the commit.
	InsertAccount(domain.Account) error
	// DeleteAccount removes the account's row. The records of its keys stay.
	DeleteAccount(id string) error
}

// Keys are device keys. At most one per account and device is active, which
// the engine guarantees by a unique index. A write may fail only with the commit.
type Keys interface {
	// Key returns the key with this id, in any state, or ErrNotFound.
	Key(id string) (domain.DeviceKey, error)
	// KeyOf returns the account's key with this id, in any state, or
	// ErrNotFound. It is one look-up by account and id together. It does the
	// same work for a key of another account as for an unknown id, so that its
	// time does not tell a stranger which keys exist.
	KeyOf(accountID, id string) (domain.DeviceKey, error)
	// ActiveKey returns the device's key in state active, or ErrNotFound. Its
	// validity may have ended, which the caller checks.
	ActiveKey(accountID, deviceID string) (domain.DeviceKey, error)
	// NewestKey returns the device's key that was created last, in any state, or
	// ErrNotFound. If clocks were set back, another one may be active.
	NewestKey(accountID, deviceID string) (domain.DeviceKey, error)
	// InsertKey adds an active key, or fails with ErrConflict if the device
	// has an active one already.
	InsertKey(domain.DeviceKey) error
	// UpdateKey writes the record's changing fields (Sealed, AppVersion, State,
	// Version, EndedAt, GraceUntil, Thumbprint, MAC) if the stored version is still
	// k.Version-1, or fails with ErrConflict.
	UpdateKey(k domain.DeviceKey) error
	// DeleteKey removes the key of an account with this id. If there is none it
	// does nothing.
	DeleteKey(accountID, id string) error
}

// KeyLists are device keys by what must happen to them.
type KeyLists interface {
	// KeysInGrace returns the device's ended keys whose private key is still
	// there. There are few.
	KeysInGrace(accountID, deviceID string) ([]domain.DeviceKey, error)
	// KeysToEnd returns at most limit keys whose time is over: active ones whose
	// validity ended, and ended ones whose grace is over but whose private key
	// is still there.
	KeysToEnd(now time.Time, limit int) ([]domain.DeviceKey, error)
	// LiveKeysOf returns at most limit keys of an account that are active or
	// whose private key is still there, in order of id.
	LiveKeysOf(accountID string, limit int) ([]domain.DeviceKey, error)
	// KeysOf returns at most limit keys of an account, in any state, in order of
	// id.
	KeysOf(accountID string, limit int) ([]domain.DeviceKey, error)
	// KeysWithoutAccount checks the next limit keys after the given account and id,
	// in this order (zero: from the first). It returns the account and id of each
	// key whose account does not exist. last is the account and id of the last key
	// that it checked, or zero if fewer than limit keys were left.
	KeysWithoutAccount(after [2]string, limit int) (without [][2]string, last [2]string, err error)
	// HasActiveKeys reports whether an account has n active keys or more. n is
	// positive.
	HasActiveKeys(accountID string, n int) (bool, error)
}

// KeyUses are when keys were last used, for display. No decision depends on
// them.
type KeyUses interface {
	// NoteKeyUse notes a use at this time, unless a later one is noted.
	NoteKeyUse(accountID, keyID string, at time.Time) error
	// KeysUsed returns when each of an account's keys was last used, in one round
	// trip; the zero value: never.
	KeysUsed(accountID string, keyIDs []string) ([]time.Time, error)
	// DeleteKeyUses forgets the uses of all keys of an account.
	DeleteKeyUses(accountID string) error
}

// KeyWindow is the window in which a device's requests for keys are counted.
type KeyWindow struct {
	Count int64
	Reset time.Time
}

// KeyGenerations count how often each device asked for a key, where that is
// counted for all processes together. A device's window begins with its first
// request and ends after its reset: at the reset itself it is not over.
// Devices are keyed hashes of 16 bytes.
type KeyGenerations interface {
	// CountKeyGeneration counts one request at time Now, in one atomic
	// statement, and returns the reset of its window. If the window already
	// has limit requests, it changes nothing, and counted is false. limit is
	// positive. If a window ends more than its length after Now, the clock was
	// set back after it began. If it ends more than twice its length after Now,
	// it is over.
	CountKeyGeneration(device []byte, window time.Duration, limit int64) (reset time.Time, counted bool, err error)
	// KeyGeneration returns how many requests are counted in a device's window,
	// and its reset, or ErrNotFound if it has none, or one that ended before Now. It
	// also returns a window that is over only because it ends too far ahead.
	KeyGeneration(device []byte) (count int64, reset time.Time, err error)
	// KeyGenerationsOf returns the same for several devices, in one round trip; the
	// zero value where no window is open.
	KeyGenerationsOf(devices [][]byte) ([]KeyWindow, error)
	// OldKeyGeneration returns the newest reset of all counts except the keep
	// counts whose windows end last. It returns ErrNotFound if there are no more
	// than keep.
	OldKeyGeneration(keep int) (reset time.Time, err error)
	// DeleteKeyGenerations removes at most limit counts whose window ended
	// before Now or ends by upTo, starting with those that end first, and
	// returns how many it removed. limit is positive.
	DeleteKeyGenerations(upTo time.Time, limit int) (deleted int, err error)
}

// Ciphertexts are the ciphertexts that each key has decrypted, so that none is
// accepted twice. They are keyed digests, from which an engine learns nothing.
// They need not outlive their key.
type Ciphertexts interface {
	// NoteCiphertext adds a digest, or fails with ErrCiphertextReused if the
	// account's key of this id has it already. Of several parallel calls one
	// succeeds.
	NoteCiphertext(accountID, keyID string, digest domain.CiphertextDigest) error
	// CiphertextNoted reports whether the account's key of this id has the
	// digest.
	CiphertextNoted(accountID, keyID string, digest domain.CiphertextDigest) (bool, error)
	// NextCiphertextKey returns the first key that has digests, in order of
	// account and key, after the given ones, or ErrNotFound at the end. Two
	// empty names begin the walk. Its cost does not depend on the number of
	// digests.
	NextCiphertextKey(afterAccount, afterKey string) (accountID, keyID string, err error)
	// DeleteCiphertexts removes at most limit chunks of digests of a key, the newest
	// first, and then the digests that versions up to 0.6.0 wrote, which count as
	// one each. It returns how many it removed: fewer than limit if none is left.
	// limit is positive.
	DeleteCiphertexts(accountID, keyID string, limit int) (deleted int, err error)
}

// ActResults are the answers to changes by operators, kept so that a repeated
// request is not done again.
type ActResults interface {
	// ActResult returns what was kept under key, a keyed hash of 16 bytes, and the
	// digest of the request that it answers; or ErrNotFound.
	ActResult(key []byte) (r domain.ActResult, digest []byte, err error)
	// PutActResult keeps a result (RequestID and At), or fails with ErrConflict
	// if one is kept under key.
	PutActResult(key, digest []byte, r domain.ActResult) error
	// DeleteActResults removes at most limit results from before the time and
	// returns how many it removed.
	DeleteActResults(before time.Time, limit int) (deleted int, err error)
}

// SigningKeys are the key pairs with which the service signs: a few for each
// year, kept until an operator withdraws them.
type SigningKeys interface {
	// SigningKeys returns all signing keys, in order of their numbers.
	SigningKeys() ([]domain.SigningKey, error)
	// InsertSigningKey adds a key, or fails with ErrConflict if there is one of
	// this number. Of several parallel calls one succeeds.
	InsertSigningKey(domain.SigningKey) error
	// UpdateSigningKey writes the record's changing fields (Sealed, Version,
	// ActiveFrom, ErasedAt, MAC) if the stored version is still k.Version-1, or
	// fails with ErrConflict.
	UpdateSigningKey(k domain.SigningKey) error
	// DeleteSigningKeys removes all signing keys.
	DeleteSigningKeys() error
}

// Redemptions are the receipts for transactions and sign-ins that were redeemed,
// so that none is redeemed twice. They need not outlive their receipts.
type Redemptions interface {
	// Redeem adds a redemption, or fails with ErrRedeemed if there is one of this id.
	// Of several parallel calls one succeeds.
	Redeem(domain.Redemption) error
	// DeleteRedemptions removes at most limit redemptions of receipts that expired
	// before the time, the oldest first, and returns how many it removed. limit is
	// positive.
	DeleteRedemptions(before time.Time, limit int) (deleted int, err error)
}

// Rollups are the metrics buckets.
type Rollups interface {
	// Buckets returns buckets of one instance, nil for each that does not exist, in
	// one round trip.
	Buckets(instance string, at []domain.BucketPosition) ([]*domain.Bucket, error)
	// PutBucket writes a bucket over any earlier one of the same instance,
	// width and start.
	PutBucket(domain.Bucket) error
	// EachBucket calls fn for the buckets of all instances in these spans, in one
	// round trip unless a span has many.
	EachBucket(spans []domain.BucketSpan, fn func(domain.Bucket) error) error
	// EachCount is EachBucket for one span, in order of start, and without Devices,
	// which take long to read.
	EachCount(span domain.BucketSpan, fn func(domain.Bucket) error) error
	// DeleteBuckets removes the buckets of this width that start before the
	// given time.
	DeleteBuckets(width domain.BucketWidth, before time.Time) error
}
