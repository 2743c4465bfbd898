// Package store is the contract between the use cases and an engine that keeps
// their records: what each call promises, and no SQL. Engines live in packages
// below it; the suite that every engine passes is storetest.
//
// The idea: an engine is a keeper of rows that is not trusted with their
// meaning. It never sees a secret or an unsealed key, decides no policy and
// computes no hash. What it must get right is atomicity and durability, so
// those promises stand on every method here, and a call that depends on what
// a row said before compares and swaps on the row's version.
package store

import (
	"context"
	"errors"
	"time"

	"strongroom/internal/domain"
)

// Errors that a use case acts on. Every other error means that the engine
// failed: nothing was changed, and the request must fail closed.
var (
	// ErrNotFound: there is no such row.
	ErrNotFound = errors.New("not found")
	// ErrConflict: the row changed since it was read, or exists already. Read
	// it again, in a new transaction, and decide anew.
	ErrConflict = errors.New("changed by another transaction")
	// ErrKeyNotUsable: the atomic check inside a write found that the key may
	// not be used (any more).
	ErrKeyNotUsable = errors.New("key not usable")
	// ErrCiphertextReused: the key has opened this ciphertext before.
	ErrCiphertextReused = errors.New("ciphertext used before")
	// ErrUnavailable: the engine cannot serve now, and may shortly: it is not
	// reached, too busy, or takes no writes. Its errors say why.
	ErrUnavailable = errors.New("the store cannot serve now")
	// ErrUnknown: the connection to the engine was lost during a commit, or a
	// standby did not confirm it: it may or may not have been done.
	ErrUnknown = errors.New("the outcome of the commit is unknown")
	// ErrScrubLater: something that was erased may still be in the engine's
	// logs. Scrub again later.
	ErrScrubLater = errors.New("a reader blocks scrubbing")
)

// Store keeps the records of one Strongroom. It is safe for concurrent use.
// Texts are UTF-8 without NUL; times and durations are kept to the microsecond
// and times come back in UTC; an absent list or value may come back empty.
type Store interface {
	// View runs fn on one consistent snapshot. fn must not write.
	View(ctx context.Context, fn func(Tx) error) error

	// Update runs fn in one transaction that no other write interleaves with.
	// When it returns nil, everything fn wrote is durable: a power cut cannot
	// undo it. When it returns an error, nothing was written, unless the error is
	// ErrUnknown. fn may run more
	// than once (an engine retries serialization failures), so side effects
	// belong after Update returns. It may also run on another goroutine than
	// the caller's (engines let writes share a commit), which it must not end;
	// but if it panics, Update does.
	Update(ctx context.Context, fn func(Tx) error) error

	// Ping reports whether the store can serve reads and take writes now.
	Ping(ctx context.Context) error

	// Scrub makes earlier erasures physical: it removes what they overwrote
	// from the engine's logs. It stops nobody: while a reader stands in its
	// way it fails with ErrScrubLater.
	Scrub(ctx context.Context) error

	// Close ends all connections. Transactions under way fail.
	Close() error
}

// Tx is one transaction. It belongs to the function that was given it, is not
// safe for concurrent use, and is dead when that function returns.
type Tx interface {
	// Now is the engine's clock, which decides leases, locks and expiry: it
	// stands still inside a transaction.
	Now() time.Time

	// Writer numbers this transaction among the Updates that can run at the
	// same time on this handle, from 0: no other Update of this handle has the
	// same number until this one has ended (committed or not). An engine that
	// runs one at a time always says 0. When fn runs again its number may be
	// another one. In a View it means nothing.
	Writer() int

	Settings
	Accounts
	Keys
	KeyGenerations
	Ciphertexts
	Credentials
	Trail
	Rollups
	Listings
	KeyUses
	Receipts
	Outbox
}

// Settings are the few facts about the database itself, by name: the wrapped
// keyset, the canary, the account mode, the epoch, the audit chain.
type Settings interface {
	// Setting returns a value, or ErrNotFound.
	Setting(name string) ([]byte, error)
	// PutSetting writes a value over any earlier one.
	PutSetting(name string, value []byte) error
	// Settings returns the values whose names begin with a prefix, by name.
	Settings(prefix string) (map[string][]byte, error)
	// DeleteSetting removes a value. It is no error if there is none.
	DeleteSetting(name string) error
}

// Accounts are found by what names them outside: mode, issuer and subject.
type Accounts interface {
	// Account returns the account, or ErrNotFound.
	Account(mode domain.Mode, issuer, subject string) (domain.Account, error)
	// InsertAccount adds an account, or fails with ErrConflict when one of the
	// same mode, issuer and subject exists.
	InsertAccount(domain.Account) error
	// DeleteAccount removes the account's row. Its keys keep their records.
	DeleteAccount(id string) error
}

// Keys are device keys. At most one per account and device is active, which
// the engine guarantees by a unique index.
type Keys interface {
	// Key returns the key with this id, in any state, or ErrNotFound.
	Key(id string) (domain.DeviceKey, error)
	// KeyOf returns the account's key with this id, in any state, or
	// ErrNotFound. It is one look-up by account and id together, which does
	// the same work for another account's key as for an unknown id: time must
	// not tell a stranger which keys exist.
	KeyOf(accountID, id string) (domain.DeviceKey, error)
	// ActiveKey returns the device's key in state active, or ErrNotFound. Its
	// validity may have passed: the caller looks.
	ActiveKey(accountID, deviceID string) (domain.DeviceKey, error)
	// InsertKey adds an active key, or fails with ErrConflict when the device
	// has an active one already.
	InsertKey(domain.DeviceKey) error
	// KeysInGrace returns the device's ended keys whose private key is still
	// there. There are few.
	KeysInGrace(accountID, deviceID string) ([]domain.DeviceKey, error)
	// UpdateKey writes the record's changing fields (Sealed, AppVersion, State,
	// Version, EndedAt, GraceUntil, MAC) if the stored version is still
	// k.Version-1, or fails with ErrConflict.
	UpdateKey(k domain.DeviceKey) error
	// KeysToEnd returns at most limit keys whose time is up: active ones whose
	// validity ended, and ended ones whose grace is over but whose private key
	// is still there.
	KeysToEnd(now time.Time, limit int) ([]domain.DeviceKey, error)
	// LiveKeysOf returns at most limit keys of an account, in order of id, that
	// are active or whose private key is still there. It passes by the others.
	LiveKeysOf(accountID string, limit int) ([]domain.DeviceKey, error)
	// HasActiveKeys reports whether an account has n active keys or more, n being
	// positive.
	HasActiveKeys(accountID string, n int) (bool, error)
	// EachKey calls fn for every key of the store.
	EachKey(fn func(domain.DeviceKey) error) error
}

// KeyGenerations count how often each device asked for a key, where that is
// counted for all processes together. A device's window begins with its first
// request and ends after its reset: at that instant it still stands. Devices
// are keyed hashes of 16 bytes.
type KeyGenerations interface {
	// CountKeyGeneration counts one request at time Now, in one atomic
	// statement, and returns the reset of its window. Where limit requests,
	// limit being positive, are counted in the window already it changes
	// nothing, and counted is false. A window further ahead than its length was
	// begun by a clock that has since stepped back; past twice its length it is
	// over.
	CountKeyGeneration(device []byte, window time.Duration, limit int64) (reset time.Time, counted bool, err error)
	// OldKeyGeneration returns the reset of the newest count that is not among
	// the keep whose windows end last, or ErrNotFound where there are no more
	// than keep.
	OldKeyGeneration(keep int) (reset time.Time, err error)
	// DeleteKeyGenerations removes at most limit counts whose window ended
	// before Now or ends by upTo, the first to end first, limit being positive,
	// and returns how many there were.
	DeleteKeyGenerations(upTo time.Time, limit int) (deleted int, err error)
}

// Ciphertexts are the ciphertexts that each key has opened, so that none opens
// twice: keyed digests of 16 bytes, with which an engine can recognise nothing.
// They need not outlive their key.
type Ciphertexts interface {
	// NoteCiphertext adds a digest, or fails with ErrCiphertextReused when the
	// account's key of this id has it already. Of several at once one succeeds.
	NoteCiphertext(accountID, keyID string, digest []byte) error
	// CiphertextNoted reports whether the account's key of this id has the
	// digest.
	CiphertextNoted(accountID, keyID string, digest []byte) (bool, error)
	// NextCiphertextKey returns the first key that has digests, in order of
	// account and key, after the given ones, or ErrNotFound at the end. It
	// begins after two empty names, and its cost does not grow with the number
	// of digests.
	NextCiphertextKey(afterAccount, afterKey string) (accountID, keyID string, err error)
	// DeleteCiphertexts removes at most limit digests of a key, limit being
	// positive, and returns how many there were: fewer than limit when none is
	// left.
	DeleteCiphertexts(accountID, keyID string, limit int) (deleted int, err error)
}

// Credentials are an account's verifiers, the ones before them, and their
// guess ledgers.
type Credentials interface {
	// Credential returns the credential, or ErrNotFound.
	Credential(accountID string, t domain.CredentialType) (domain.Credential, error)
	// PutCredential writes the record under key's authority: in one atomic
	// statement it checks that the key with this id may be used for set at
	// time Now, and that the stored version is still c.Version-1 (no row, for
	// version 1). It fails with ErrKeyNotUsable or ErrConflict.
	PutCredential(c domain.Credential, keyID string) error
	// RehashCredential replaces the sealed verifier if the stored version is
	// still c.Version-1, or fails with ErrConflict: a concurrent set wins.
	RehashCredential(c domain.Credential) error
	// DeleteCredential erases the row; no row is no error.
	DeleteCredential(accountID string, t domain.CredentialType) error
	// EachCredential calls fn for every credential of the store.
	EachCredential(fn func(domain.Credential) error) error

	// PreviousCredentials returns at most limit of the credentials that the
	// present one replaced, newest version first, limit being positive. None
	// is no error.
	PreviousCredentials(accountID string, t domain.CredentialType, limit int) ([]domain.Credential, error)
	// KeepPrevious adds a replaced credential, or fails with ErrConflict when
	// one of this version is there already, and then erases all of its account
	// and type but the keep newest versions. When keep is 0 it adds none and
	// erases all.
	KeepPrevious(c domain.Credential, keep int) error
	// DeletePrevious erases all of an account's replaced credentials of this
	// type; none is no error.
	DeletePrevious(accountID string, t domain.CredentialType) error

	// Attempts returns the ledger, or ErrNotFound before the first try.
	Attempts(accountID string, t domain.CredentialType) (domain.Attempts, error)
	// ReserveTry writes a ledger that holds a new pending try: in one atomic
	// statement it checks that the key with this id may be used for verify at
	// time Now, and that the stored version is still a.Version-1 (no row, for
	// version 1). It fails with ErrKeyNotUsable or ErrConflict.
	ReserveTry(a domain.Attempts, keyID string) error
	// PutAttempts writes a ledger if the stored version is still a.Version-1
	// (no row, for version 1), or fails with ErrConflict.
	PutAttempts(a domain.Attempts) error
	// DeleteAttempts erases the ledger; no row is no error.
	DeleteAttempts(accountID string, t domain.CredentialType) error
	// EachAttempts calls fn for every ledger of the store.
	EachAttempts(fn func(domain.Attempts) error) error
}

// Trail is the audit trail.
type Trail interface {
	// LastEntry returns the newest entry of a chain, or ErrNotFound. Read
	// inside an Update, it stays the newest until that Update commits.
	LastEntry(chain string) (domain.Entry, error)
	// InsertEntry appends an entry, or fails with ErrConflict when the chain
	// has one of this number already.
	InsertEntry(domain.Entry) error
	// EachEntry calls fn for every entry of the chain numbered after the given
	// one, in order, until fn returns an error. After math.MinInt64 it begins
	// with the first of all: who forges an entry gives it any number.
	EachEntry(chain string, after int64, fn func(domain.Entry) error) error
	// EntriesFrom returns the entries of several chains, of each those numbered
	// from Seq on (no Time counts), in order of number and at most limit, limit
	// being positive. It is one look-up by chain and number for each.
	EntriesFrom(from []domain.EntryPosition, limit int) ([]domain.Entry, error)
	// Chains returns the name of every chain. One that was forged may be empty.
	Chains() ([]string, error)
	// DeleteEntries removes the oldest entries of a chain: at most limit of
	// those numbered up to upTo, limit being positive, and never the newest
	// entry of the chain. It returns how many there were. Nothing else removes
	// or changes an entry.
	DeleteEntries(chain string, upTo int64, limit int) (deleted int, err error)
}

// Rollups are the metrics buckets.
type Rollups interface {
	// Bucket returns an instance's own bucket, or ErrNotFound.
	Bucket(instance string, width domain.BucketWidth, start time.Time) (domain.Bucket, error)
	// PutBucket writes a bucket over any earlier one of the same instance,
	// width and start.
	PutBucket(domain.Bucket) error
	// EachBucket calls fn for the buckets of all instances of this width with
	// from <= Start < to.
	EachBucket(width domain.BucketWidth, from, to time.Time, fn func(domain.Bucket) error) error
	// EachCount is EachBucket in order of start, and without Devices, which take
	// long to read.
	EachCount(width domain.BucketWidth, from, to time.Time, fn func(domain.Bucket) error) error
	// DeleteBuckets removes the buckets of this width that start before the
	// given time.
	DeleteBuckets(width domain.BucketWidth, before time.Time) error
}
