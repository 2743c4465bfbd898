// Package store is the contract between the use cases and an engine that keeps
// their records: what each call promises, and no SQL. Engines are packages below
// it. The suite that every engine passes is storetest.
//
// The idea: an engine keeps rows and is not trusted with their meaning. It never
// sees a secret or an unsealed key, decides no policy and computes no hash. It
// must get atomicity and durability right. So the comment on every method says
// what it promises about them, and a call that depends on an earlier read
// compares and swaps on the row's version.
package store

import (
	"context"
	"errors"
	"time"
)

// Errors that a use case handles. Every other error means that the engine failed:
// nothing was changed, and the request must fail closed.
var (
	// ErrNotFound: there is no such row.
	ErrNotFound = errors.New("not found")
	// ErrConflict: the row changed since it was read, or exists already. Read it
	// again, in a new transaction, and decide again.
	ErrConflict = errors.New("changed by another transaction")
	// ErrKeyNotUsable: the atomic check inside a write found that the key may
	// not be used (any more).
	ErrKeyNotUsable = errors.New("key not usable")
	// ErrCiphertextReused: the key has decrypted this ciphertext before.
	ErrCiphertextReused = errors.New("ciphertext used before")
	// ErrRedeemed: the receipt was redeemed before.
	ErrRedeemed = errors.New("receipt redeemed before")
	// ErrNotText: a text is not UTF-8 without NUL. Not every engine reports that.
	ErrNotText = errors.New("a text is not UTF-8 without NUL")
	// ErrUnavailable: the engine cannot serve now, but perhaps soon: it is not
	// reachable, too busy, or takes no writes. Its text says why.
	ErrUnavailable = errors.New("the store cannot serve now")
	// ErrUnknown: the connection to the engine was lost during a commit, or a
	// standby did not confirm it. The outcome is unknown.
	ErrUnknown = errors.New("the outcome of the commit is unknown")
	// ErrScrubLater: erased values may still be in the engine's logs. Scrub again
	// later.
	ErrScrubLater = errors.New("a reader blocks scrubbing")
)

// Store keeps the records of one Strongroom. It is safe for concurrent use. Texts
// are UTF-8 without NUL. Times and durations have a precision of 1 µs, and times
// come back in UTC. An absent list or value may come back empty.
type Store interface {
	// View runs fn on one consistent snapshot. fn must not write. fn may run more than
	// once, because an engine may refuse a snapshot too, and because fn may read on after
	// [Clock].Final. So fn must reset its results when it begins, and must have no side
	// effects. If View returns an error, the results mean nothing.
	View(ctx context.Context, fn func(Tx) error) error

	// Update runs fn in one transaction that no other write interleaves with.
	// When it returns nil, everything that fn wrote is durable: a power cut
	// cannot undo it. When it returns an error, nothing was written, unless the
	// error is ErrUnknown. fn may run more than once, because an engine retries
	// serialization failures, so side effects belong after Update. fn may run on
	// another goroutine than the caller's, because writes can share a commit, and
	// must not end that goroutine. If fn panics, Update panics.
	Update(ctx context.Context, fn func(Tx) error) error

	// Ping reports whether the store can serve reads and take writes now.
	Ping(ctx context.Context) error

	// Scrub makes earlier erasures physical: it removes erased values from the
	// engine's logs. It blocks nobody. While a reader prevents it, it fails with
	// ErrScrubLater.
	Scrub(ctx context.Context) error

	// Close ends all connections. Transactions in progress fail.
	Close() error
}

// Tx is one transaction. It belongs to the function that was given it, is not
// safe for concurrent use, and ends when that function returns.
//
// It is the whole contract, which only an engine, the suite storetest and what
// wraps a Store need. Everything else takes the topics that it uses.
type Tx interface {
	Clock
	Settings
	Accounts
	Keys
	KeyLists
	KeyUses
	KeyGenerations
	Ciphertexts
	Credentials
	PreviousCredentials
	AttemptCounters
	Walks
	SealedRows
	Trail
	Appends
	EntryLists
	Rollups
	Listings
	ActResults
	SigningKeys
	Redemptions
	Outbox
	DeadLetters
}

// Clock has the methods of a transaction that concern no table: its time, its number,
// its end, and reads that share round trips.
type Clock interface {
	// Now is the engine's clock, which decides leases, locks and expiry. It does
	// not advance inside a transaction.
	Now() time.Time

	// Writer numbers this transaction among the Updates that can run at the same
	// time on this handle, from 0. No other Update of this handle has the same
	// number until this one has ended. An engine that runs one at a time always
	// returns 0. When fn runs again, its number may change. In a View it means
	// nothing.
	Writer() int

	// Final says that the next read is probably the last step of a View, so that an
	// engine can end the transaction together with it. If fn reads on, an engine may
	// run fn again. Called before Interleave, Final applies to the next read of each
	// function. Called in one of these functions, it applies to the next read of that
	// function. In an Update it does nothing.
	Final()

	// Interleave runs functions that use the transaction, one at a time. An engine may
	// switch to the next function at each call, and send the statements of all of them
	// together. So no function may depend on what another one does. Their first
	// statements go out in the order of the functions. Interleave returns the first
	// error. The other functions then do not run, or their calls fail. The transaction
	// goes on, unless the engine failed.
	Interleave(fns ...func() error) error
}

// InOrder is Interleave of an engine that runs one function after the other.
func InOrder(fns []func() error) error {
	for _, fn := range fns {
		if err := fn(); err != nil {
			return err
		}
	}
	return nil
}

// Into returns a function for Interleave that stores what read returns.
func Into[T any](to *T, read func() (T, error)) func() error {
	return func() (err error) {
		*to, err = read()
		return err
	}
}

// PageSize is how many rows an engine reads at once in a walk over a table.
const PageSize = 100
