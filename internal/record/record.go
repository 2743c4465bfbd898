// Package record is the unit of work between the use cases and the store: the
// records of keys, credentials and attempt counters. It checks the MAC of each
// record that it reads, and writes each change together with its audit entry.
//
// A use case names changes and their entries. The transaction collects both and
// writes them last: each changed row once, with the next version and a new MAC,
// the entries with the digests of the rows, and the events for the outbox. The
// methods that change a record demand an entry, and the store's own methods are
// out of reach, so a change without its entry does not compile.
//
// Records and Tx know each other: Records starts each Tx and ends it with its
// batch, and Tx uses the keys, the clock and the trail of its Records.
package record

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/crypto/seal"
	"strongroom/internal/domain"
	"strongroom/internal/lograte"
	"strongroom/internal/ratelimit"
	"strongroom/internal/rollback"
	"strongroom/internal/store"
)

// Config configures [New]. Every field is required unless it says otherwise.
type Config struct {
	Store    *rollback.Store
	Writers  int // how many transactions can write to the store at a time
	Keys     *seal.Keyset
	Trail    audit.Trail
	Mode     domain.Mode // of the store's accounts
	Cell     string      // the tag that begins the ids of new keys; may be empty
	Attempts domain.AttemptPolicy
	// Steady returns the time that decides when locks and leases end, given a
	// reading of the store's clock.
	Steady func(reading time.Time) time.Time
	Outbox Outbox // for the events that are sent
	// Erased is called when a key's private key is erased: before the commit, so that
	// no request uses it from then on, and again after it. It may be called for a
	// transaction that then fails.
	Erased func(keyID string)
	// Counted is called after the commit of new locks, or of attempts whose
	// process died. keyID is the key in the start of the transaction's entries.
	Counted  func(ctx context.Context, keyID string, c *Counter)
	Log      *slog.Logger
	Tampered func(kind string) // counts a refused record by its kind
	Now      func() time.Time  // this process's clock
}

// Outbox takes the events that are sent.
type Outbox interface {
	// Put puts the events about entries into the outbox, in the transaction that
	// writes the entries.
	Put(tx *Tx, entries []domain.Entry) error
}

// System is the start of entries about changes that no caller or operator requested.
var System = domain.Entry{Actor: "system", Outcome: "ok"}

// Records are the records of one store. They are safe for concurrent use.
type Records struct {
	cfg Config

	fresh   func(context.Context) error // see FollowKeys; nil: nothing is followed
	renewed func(context.Context) bool

	joining sync.Mutex
	joined  atomic.Bool // the chains of this process exist

	epoch     Epoch             // from LearnEpoch on
	sightings *ratelimit.Budget // entries about a refused record, by record
	outages   lograte.Limit     // log lines about requests that the store could not serve
	erased    atomic.Bool       // something was erased since the last scrub
}

// New returns the records of a store whose keyset was opened.
func New(cfg Config) *Records {
	r := &Records{cfg: cfg, sightings: ratelimit.NewBudget(1, time.Minute)}
	r.MarkErased() // a process before this one may have left erasures in the engine's logs
	return r
}

// LearnEpoch reads the epoch of the store. Call it before the first transaction
// that reads an attempt counter. An epoch ends only with a restore, which puts
// another store in the place of this one.
func (r *Records) LearnEpoch(ctx context.Context) error {
	is, err := View(ctx, r, func(tx *Tx) (Epoch, error) { return tx.Epoch() })
	r.epoch = is
	return err
}

// FollowKeys sets what keeps the data keys of this process up to date. fresh is called
// before each transaction that writes, and a failure fails it. renewed is called after
// a transaction refused a record as [Tampered], and reports whether the data keys
// changed: then the transaction runs again. Call it before any transaction.
func (r *Records) FollowKeys(fresh func(context.Context) error, renewed func(context.Context) bool) {
	r.fresh, r.renewed = fresh, renewed
}

// mostRuns is how often a transaction runs if it meets conflicts. Each conflict
// means that another transaction made progress.
const mostRuns = 8

// View runs fn on one snapshot of the store. A write in it fails.
func (r *Records) View(ctx context.Context, fn func(*Tx) error) error {
	view := func() error {
		return r.cfg.Store.View(ctx, func(tx store.Tx) error { return fn(r.begin(tx, domain.Entry{})) })
	}
	err := view()
	if IsTampered(err) && r.renewed != nil && r.renewed(ctx) {
		err = view()
	}
	return err
}

// Viewer is [Records.View], or another way to run fn on one snapshot.
type Viewer func(ctx context.Context, fn func(*Tx) error) error

// Update runs fn in one transaction, and again while it meets conflicts. Then
// it writes what fn collected. who is the start of the entries that fn does not
// write itself, such as those about attempts whose process died. fn may run more
// than once. What must happen once belongs in [Tx.OnCommit].
func (r *Records) Update(ctx context.Context, who domain.Entry, fn func(*Tx) error) (err error) {
	if r.fresh != nil {
		if err := r.fresh(ctx); err != nil {
			return err
		}
	}
	if err := r.join(ctx); err != nil {
		return err
	}
	for run := range mostRuns {
		err = r.run(ctx, who, run == 0, fn, r.cfg.Store.Update)
		again := IsTampered(err) && r.renewed != nil && r.renewed(ctx)
		if !again && !errors.Is(err, store.ErrConflict) {
			break
		}
	}
	return err
}

// UpdateAnyway is an Update that also works after a rollback was detected. It is
// for the entry and the events that report the rollback (see [rollback.Store.UpdateAnyway]).
func (r *Records) UpdateAnyway(ctx context.Context, who domain.Entry, fn func(*Tx) error) error {
	if !r.cfg.Store.Seen() {
		return r.Update(ctx, who, fn)
	}
	return r.run(ctx, who, false, func(tx *Tx) error {
		if !r.joined.Load() { // this process has only read so far
			if err := r.joinIn(trailTx{tx}); err != nil {
				return err
			}
			if err := tx.Write(); err != nil { // fn's entries follow those
				return err
			}
		}
		return fn(tx)
	}, r.cfg.Store.UpdateAnyway)
}

// run is one run of an Update. trusting says that the transaction need not read
// what this process remembers. If that is not what the store has, the run fails
// with [store.ErrConflict], and the next one reads everything.
func (r *Records) run(ctx context.Context, who domain.Entry, trusting bool, fn func(*Tx) error, update func(context.Context, func(store.Tx) error) error) error {
	var unit *Tx
	err := update(ctx, func(tx store.Tx) error {
		unit = r.begin(tx, who)
		unit.trusting = trusting
		if err := fn(unit); err != nil {
			return err
		}
		return unit.Write()
	})
	if err == nil {
		for _, done := range unit.onCommit {
			done(ctx)
		}
	}
	return err
}

// View is [Records.View] with a result.
func View[T any](ctx context.Context, r *Records, fn func(*Tx) (T, error)) (v T, err error) {
	err = r.View(ctx, func(tx *Tx) (err error) {
		v, err = fn(tx)
		return err
	})
	return v, err
}

// Update is [Records.Update] with a result. It is the result of the last run,
// even if the transaction failed.
func Update[T any](ctx context.Context, r *Records, who domain.Entry, fn func(*Tx) (T, error)) (v T, err error) {
	err = r.Update(ctx, who, func(tx *Tx) (err error) {
		v, err = fn(tx)
		return err
	})
	return v, err
}

// Enter writes entries in a transaction of their own.
func (r *Records) Enter(ctx context.Context, entries ...domain.Entry) error {
	return r.Update(ctx, domain.Entry{}, func(tx *Tx) error {
		tx.Enter(entries...)
		return nil
	})
}

// join begins the chains of this process before its first write. A process
// that only reads begins none.
func (r *Records) join(ctx context.Context) error {
	if !r.cfg.Trail.Shared || r.joined.Load() {
		return nil
	}
	r.joining.Lock()
	defer r.joining.Unlock()
	if r.joined.Load() {
		return nil
	}
	err := r.cfg.Store.Update(ctx, func(tx store.Tx) error { return r.joinIn(tx) })
	r.joined.Store(err == nil)
	return err
}

// joinIn begins the chains of this process, unless they exist: an earlier run
// may have been committed although its answer was lost.
func (r *Records) joinIn(tx audit.Tx) error {
	if !r.cfg.Trail.Shared {
		return nil
	}
	_, err := tx.LastEntry(r.cfg.Trail.Of(0))
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	return r.cfg.Trail.Join(tx, r.cfg.Writers)
}
