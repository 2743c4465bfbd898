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

// ErrSeen refuses what comes after a rollback was seen. Only a restart ends it,
// by an operator who has found out what happened.
var ErrSeen = errors.New("the database was put back to an earlier state while this process ran: all verdicts and changes are refused; " +
	"see docs/runbook.md#strongroomtampering before you restart")

// errFound ends a transaction in which something older than remembered was
// read.
var errFound = errors.New("the database holds an older state than this process has seen")

// Judge tells what this package cannot know: which rows and entries carry a
// good MAC. A row that does not was edited, which those who read it refuse.
type Judge interface {
	GenuineAttempts(a domain.Attempts) bool
	GenuineCredential(c domain.Credential) bool
	GenuineKey(k domain.DeviceKey) bool
	GenuineEntry(e domain.Entry) bool
}

// Config is what a [Store] is made of. Every field is required.
type Config struct {
	Store store.Store
	// Exclusive says that one transaction writes to the store at a time, of all
	// processes together.
	Exclusive bool
	Judge     Judge
	// Own says which chains this process appends to. It is asked where the store
	// is not Exclusive: the others are followed.
	Own func(chain string) bool
	// Seen is called once, when a rollback was seen of this record ("kind/id").
	Seen func(record, what string)
}

// Store is a store that compares what its transactions read with what the
// process remembers. Once it has seen a rollback no Update succeeds any more:
// also one that was under way, so that its verdict is not given.
type Store struct {
	store.Store
	cfg    Config
	memory *memory
	seen   atomic.Bool
	beats  beats
}

// New remembers nothing yet.
func New(cfg Config) *Store { return &Store{Store: cfg.Store, cfg: cfg, memory: newMemory()} }

// Seen reports whether a rollback was seen.
func (s *Store) Seen() bool { return s.seen.Load() }

// Heads are the newest entries of the chains that this process has appended
// to, as far as they are known to be durable.
func (s *Store) Heads() []Head { return s.memory.heads() }

// steadyTries is how often a transaction runs that finds an old state which is
// gone when it is looked at again, as after a failover, when a connection to
// the server that was replaced still answers reads.
const steadyTries = 3

// View runs fn on one snapshot (see [store.Store]).
func (s *Store) View(ctx context.Context, fn func(store.Tx) error) error {
	return s.steady(ctx, func() (*tx, error) {
		var t *tx
		err := s.Store.View(ctx, func(inner store.Tx) error {
			t = s.begin(inner, false)
			return t.outcome(fn(t))
		})
		return t, err
	})
}

// Update runs fn in one transaction (see [store.Store]). What it read and wrote
// is remembered once it is known to be durable.
func (s *Store) Update(ctx context.Context, fn func(store.Tx) error) error {
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
		if s.Seen() { // by this transaction, or beside it
			return t, ErrSeen
		}
		return t, nil
	})
}

// UpdateAnyway is Update of what must be written after a rollback was seen too:
// that it was seen, and the events that tell of it. It compares nothing.
func (s *Store) UpdateAnyway(ctx context.Context, fn func(store.Tx) error) error {
	return s.Store.Update(ctx, fn)
}

func (s *Store) begin(inner store.Tx, writes bool) *tx {
	t := &tx{Tx: inner, s: s, writes: writes, began: s.memory.now(), headsBegan: math.MaxUint64}
	switch {
	case !writes:
		t.headsBegan = t.began
	case s.cfg.Exclusive:
		t.began = math.MaxUint64 // what is remembered meanwhile was committed before
	}
	return t
}

// steady runs a transaction, and again when it found an old state that is not
// confirmed.
func (s *Store) steady(ctx context.Context, run func() (*tx, error)) error {
	for tries := 0; tries < steadyTries; {
		t, err := run()
		if t == nil || t.found == nil || !errors.Is(err, errFound) {
			return err
		}
		explained, err := s.confirm(ctx, t.found)
		if err != nil {
			return err
		}
		if !explained { // one that is explained is not found again
			tries++
		}
	}
	return fmt.Errorf("%w: %w", store.ErrUnavailable, errFound)
}

// keep remembers a transaction that is known to be durable.
func (s *Store) keep(ctx context.Context, t *tx) {
	if overtaken := s.memory.remember(t.states); overtaken != nil {
		s.latch(overtaken.kind+"/"+overtaken.record, "a version that this process wrote was written again")
	}
	s.memory.erase(t.erased)
	again, _ := s.contradiction(ctx, t.told, false) // otherwise those who follow this process look again
	if again == nil {
		again = s.memory.wroteVersions(t.ledgers)
	}
	if again != nil {
		s.latch(again.row.kind+"/"+again.row.id, "a version that another process wrote was written again")
	}
	if cut := s.memory.committed(t.entries); cut != nil {
		s.latch(domain.RecordChain+"/"+cut.Chain, "an entry that this process appended is missing")
	}
}

func (s *Store) latch(record, what string) {
	if !s.seen.Swap(true) {
		s.beats.broadcast() // nobody waits any more
		s.cfg.Seen(record, what)
	}
}

// settingSeen is when a rollback was seen last. To write it shows that the
// server whose state was found old is the one that takes writes.
const settingSeen = "rollback_seen"

const confirmTimeout = 5 * time.Second

// confirm looks again at what was found, in a transaction that writes: a
// server that was replaced may show old rows for a while, but commits nothing.
// Without an error the transaction may run again.
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
			return nil // it has been put forward again, or the server was another one
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
		s.latch(f.record, f.what)
		return false, ErrSeen
	}
	return explained, nil
}

// Look compares the heads of this process's chains, and the rows that it
// touched last, and follows the chains of other processes, in one transaction:
// so a rollback is seen though nobody asks for what was put back.
func (s *Store) Look(ctx context.Context) error {
	heads, touched := s.memory.heads(), s.memory.touchedLast()
	if len(heads)+len(touched) == 0 && s.cfg.Exclusive || s.Seen() {
		return nil
	}
	chains := s.memory.following()
	var found news
	err := s.View(ctx, func(tx store.Tx) error {
		for _, h := range heads {
			if _, err := tx.LastEntry(h.Chain); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		for _, p := range touched {
			if err := p.read(tx); err != nil && !errors.Is(err, store.ErrNotFound) {
				return err
			}
		}
		return s.follow(tx, chains, &found)
	})
	if err != nil || s.cfg.Exclusive {
		return err
	}
	return s.adopt(ctx, found)
}
