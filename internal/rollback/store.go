package rollback

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// ErrSeen refuses everything after a rollback was detected. It lasts until an
// operator has found out what happened and restarts the process.
var ErrSeen = errors.New("the database was put back to an earlier state while this process ran: all verdicts and changes are refused; " +
	"see docs/runbook.md#strongroomtampering before you restart")

// errFound ends a transaction that read something older than remembered.
var errFound = errors.New("the database contains an older state than this process has seen")

// Judge reports which rows and entries have a valid MAC, which this package
// cannot check. The caller that reads a row without one refuses it as edited.
type Judge interface {
	GenuineAttempts(a domain.Attempts) bool
	GenuineCredential(c domain.Credential) bool
	GenuineKey(k domain.DeviceKey) bool
	GenuineEntry(e domain.Entry) bool
}

// Config configures a [Store]. Every field but Spread is required.
type Config struct {
	Store store.Store
	// Exclusive says that all processes together write to the store with one
	// transaction at a time.
	Exclusive bool
	Judge     Judge
	// Own reports whether this process appends to a chain. If the store is not
	// Exclusive, the Store follows the other chains.
	Own func(chain string) bool
	// Spread says that the rows of a look are on several servers. Then only every fourth
	// Glance looks, and most looks do not search for new chains: those of a new instance
	// are found with its first beat.
	Spread bool
	// Seen is called once, when a rollback is detected. record is "kind/id".
	Seen func(record, what string)
}

// Store is a store that compares what its transactions read with what the
// process remembers. After it has detected a rollback, every Update fails. This
// includes an Update in progress, so that its verdict is not given.
type Store struct {
	store.Store
	cfg    Config
	memory *memory
	seen   atomic.Bool
	beats  beats

	// Only Glance uses these.
	glances    int
	appended   int64 // entries that this process had appended when a glance last looked
	lookFailed bool
	followed   int       // the last glance that followed the erasures of other processes
	erasedTo   time.Time // by the store's clock: erasures until then were followed; zero: none were
}

// New returns a Store that remembers nothing yet.
func New(cfg Config) *Store { return &Store{Store: cfg.Store, cfg: cfg, memory: newMemory()} }

// Seen reports whether a rollback was detected.
func (s *Store) Seen() bool { return s.seen.Load() }

// Heads returns the newest entry of each chain that this process has appended
// to. It returns only entries that are known to be durable.
func (s *Store) Heads() []Head { return s.memory.heads() }

// Newest returns the newest entry of a chain that this process has appended to,
// if that is known and durable: only chain, number and hash. An entry that
// follows it must be written with [store.Batch].HeadUnread.
func (s *Store) Newest(chain string) (domain.Entry, bool) { return s.memory.newest(chain) }

// steadyRuns is how often a transaction runs while it finds an old state that
// a second read does not confirm. This happens after a failover, while a
// connection to the replaced server still answers reads.
const steadyRuns = 3

// View runs fn on one snapshot (see [store.Store]).
func (s *Store) View(ctx context.Context, fn func(store.Tx) error) error {
	return s.view(ctx, func(t *tx) error { return fn(t) })
}

func (s *Store) view(ctx context.Context, fn func(*tx) error) error {
	return s.steady(ctx, func() (*tx, error) {
		var t *tx
		err := s.Store.View(ctx, func(inner store.Tx) error {
			t = s.begin(inner, false)
			return t.outcome(fn(t))
		})
		return t, err
	})
}

// Update runs fn in one transaction (see [store.Store]). It remembers what fn
// read and wrote after the commit is known to be durable.
func (s *Store) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.update(ctx, func(t *tx) error { return fn(t) })
}

func (s *Store) update(ctx context.Context, fn func(*tx) error) error {
	return s.steady(ctx, func() (*tx, error) {
		if s.Seen() {
			return nil, ErrSeen
		}
		var t *tx
		err := s.Store.Update(ctx, func(inner store.Tx) error {
			t = s.begin(inner, true)
			return t.outcome(fn(t))
		})
		if err != nil {
			return t, err
		}
		if t.wrote {
			s.keep(context.WithoutCancel(ctx), t)
		}
		if s.Seen() { // by this transaction or a parallel one
			return t, ErrSeen
		}
		return t, nil
	})
}

// UpdateAnyway is an Update that also works after a rollback was detected. It is
// for the entry and the events that report the rollback. It compares nothing.
func (s *Store) UpdateAnyway(ctx context.Context, fn func(store.Tx) error) error {
	return s.Store.Update(ctx, fn)
}

func (s *Store) begin(inner store.Tx, writes bool) *tx {
	t := &tx{Tx: inner, s: s, writes: writes, began: s.memory.now(), headsBegan: math.MaxUint64}
	switch {
	case !writes:
		t.headsBegan = t.began
	case s.cfg.Exclusive:
		t.began = math.MaxUint64 // anything remembered until its end was committed before it began
	}
	return t
}

// steady runs a transaction, and runs it again if the old state that it found is
// not confirmed.
func (s *Store) steady(ctx context.Context, run func() (*tx, error)) error {
	for runs := 0; runs < steadyRuns; {
		t, err := run()
		if t == nil || t.found == nil || !errors.Is(err, errFound) {
			return err
		}
		explained, err := s.confirm(ctx, t.found)
		if err != nil {
			return err
		}
		if !explained { // the next run does not find an explained state again
			runs++
		}
	}
	return fmt.Errorf("%w: %w", store.ErrUnavailable, errFound)
}

// keep remembers a transaction that is known to be durable.
func (s *Store) keep(ctx context.Context, t *tx) {
	if overtaken := s.memory.remember(t.states); overtaken != nil {
		s.detected(overtaken.kind+"/"+overtaken.record, "a version that this process wrote was written again")
	}
	s.memory.erase(t.erased)
	again, _ := s.contradiction(ctx, t.described, false) // after an error, the processes that follow this one compare the entries
	if again == nil {
		again = s.memory.wroteVersions(t.counters)
	}
	if again != nil {
		s.detected(again.row.kind+"/"+again.row.id, "a version that another process wrote was written again")
	}
	if cut := s.memory.committed(t.entries); cut != nil {
		s.detected(domain.RecordChain+"/"+cut.Chain, "an entry that this process appended is missing")
	}
}

func (s *Store) detected(record, what string) {
	if !s.seen.Swap(true) {
		s.beats.broadcast() // requests that wait for other instances now fail
		s.cfg.Seen(record, what)
	}
}

// settingSeen has the time when a rollback was last detected. Writing it proves that
// the server with the old state is the one that accepts writes.
const settingSeen = "rollback_seen"

const confirmTimeout = 5 * time.Second

// confirm reads a finding again, in a transaction that writes: a replaced server
// may show old rows for a while, but commits nothing. If confirm returns no
// error, the transaction may run again.
func (s *Store) confirm(ctx context.Context, f *finding) (explained bool, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), confirmTimeout)
	defer cancel()
	confirmed, erased := false, uint64(0)
	err = s.Store.Update(ctx, func(inner store.Tx) error {
		t := s.begin(inner, true)
		t.headsBegan = t.began // other transactions may append to the chain meanwhile
		confirmed, explained = false, false
		if err := f.again(t); err != nil && t.found == nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		if t.found == nil {
			return nil // the newer state is back, or this is another server
		}
		var err error
		if erased, explained, err = t.explained(t.found); err != nil || explained {
			return err
		}
		confirmed = true
		return inner.PutSetting(settingSeen, domain.EncodeTime(inner.Now()))
	})
	switch {
	case err != nil:
		return false, fmt.Errorf("%w: %w, which cannot be confirmed: %w", store.ErrUnavailable, errFound, err)
	case explained:
		s.memory.erase([]uint64{erased})
	case confirmed:
		s.detected(f.record, f.what)
		return false, ErrSeen
	}
	return explained, nil
}

// Glance calls Look. also runs in the transaction of the look, unless the previous
// look failed. While this process is alone and has appended nothing since the last
// look, only every fourth call looks, and it reads only some of the rows. If the store
// is Spread, only every fourth call looks in any case. The first look, and then one look
// in 20 calls, also follows the erasures of other processes. Only one goroutine may call
// Glance.
func (s *Store) Glance(ctx context.Context, also func(store.Tx)) error {
	s.glances++
	appended := s.memory.appended()
	idle := !s.cfg.Exclusive && s.beats.alone() && appended == s.appended && !s.lookFailed
	if (idle || s.cfg.Spread && !s.lookFailed) && s.glances%glancesALook != 0 {
		return nil
	}
	s.appended = appended
	as := look{idle: idle, also: also, erasures: s.followed == 0 || s.glances-s.followed >= glancesAnErasure}
	if s.lookFailed { // perhaps because of also, whose statements share a round trip with the look
		as.also = func(store.Tx) {}
	}
	err := s.look(ctx, as)
	s.lookFailed = err != nil
	if err == nil && as.erasures {
		s.followed = s.glances
	}
	return err
}

const (
	glancesALook     = 4
	glancesAnErasure = 20
)

// Look compares the heads of this process's chains and the rows that it touched
// last, and follows the chains of other processes. It does all this in one
// transaction. So it detects a rollback even if no request reads the old rows.
func (s *Store) Look(ctx context.Context) error { return s.look(ctx, look{also: func(store.Tx) {}}) }

// look is what one look reads besides the heads of chains.
type look struct {
	idle     bool           // it reads fewer rows, and of other chains mostly the heads
	erasures bool           // it follows erasures
	also     func(store.Tx) // runs in the transaction
}

func (s *Store) look(ctx context.Context, as look) error {
	if s.Seen() {
		return s.view(ctx, func(t *tx) error {
			as.also(t)
			return nil
		})
	}
	rows := touchedKept
	if as.idle {
		rows = touchedWhenIdle
	}
	heads, touched, others := s.memory.heads(), s.memory.touchedLast(rows), s.memory.following(as.idle)
	var found news
	err := s.view(ctx, func(t *tx) error {
		found = news{}
		steps := []func() error{func() error { return t.lookAtChains(heads, others, &found) }}
		if as.erasures {
			steps = append(steps, func() error { return t.followErasures(&found) })
		}
		for _, p := range touched {
			steps = append(steps, func() error { return p.reread(t) })
		}
		if others.moved != nil { // the first look takes two steps
			t.Final() // if it then finds more to read, the View runs again
		}
		return t.Interleave(append(steps, func() error {
			as.also(t)
			return nil
		})...)
	})
	switch {
	case err != nil:
		return err
	case s.cfg.Exclusive: // there is no other news: this process appends to the only chain
		s.memory.erase(found.erased)
	default:
		err = s.adopt(ctx, found)
	}
	if err == nil && as.erasures {
		s.erasedTo = found.erasedTo
	}
	return err
}
