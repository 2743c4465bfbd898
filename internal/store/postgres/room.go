package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"strongroom/internal/store"
)

// room bounds how many connections are lent at a time. The bound is
// --database-max-connections until the server refuses a connection. Then it is the
// number that the server has granted, and grows again step by step. The next
// transaction waits for one of those connections. The pool alone would ask for
// one more, be refused and fail.
type room struct {
	most int // --database-max-connections

	mu         sync.Mutex
	limit      int       // guarded by mu: how many may be lent now
	lent       int       // guarded by mu
	background int       // guarded by mu: of those lent, to work that no request waits for
	growAt     time.Time // guarded by mu: when limit may grow again
	waiting    []*waiter // guarded by mu: in the order of arrival
}

// waiter is a transaction that waits for a connection.
type waiter struct {
	background bool
	admitted   chan struct{}
}

const (
	growAfter = time.Second // how often the server is asked for one more connection after a refusal
	growEvery = 50 * time.Millisecond
	growTick  = 250 * time.Millisecond
)

func newRoom(most int) *room { return &room{most: most, limit: most} }

// enter waits until one more connection may be lent. Transactions that return
// after a refusal go first.
func (r *room) enter(ctx context.Context, background, again bool) error {
	w := &waiter{background, make(chan struct{})}
	r.mu.Lock()
	if again {
		r.waiting = slices.Insert(r.waiting, 0, w)
	} else {
		r.waiting = append(r.waiting, w)
	}
	r.admit()
	r.mu.Unlock()
	select {
	case <-w.admitted:
		return nil
	default:
	}
	grow := time.NewTicker(growTick) // even if no connection is given back
	defer grow.Stop()
	for waits := true; waits; {
		select {
		case <-w.admitted:
			return nil
		case <-grow.C:
			r.mu.Lock()
			r.grow()
			r.mu.Unlock()
		case <-ctx.Done():
			waits = false
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	i := slices.Index(r.waiting, w)
	if i < 0 {
		return nil // admitted just now
	}
	r.waiting = slices.Delete(r.waiting, i, i+1)
	return ctx.Err()
}

// leave makes room for the next.
func (r *room) leave(background bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lent--
	if background {
		r.background--
	}
	r.grow()
}

// grow raises the bound if it is time, and admits waiters. mu is held.
func (r *room) grow() {
	if now := time.Now(); r.limit < r.most && now.After(r.growAt) {
		r.limit, r.growAt = r.limit+1, now.Add(growEvery)
	}
	r.admit()
}

// admit admits the waiters that may have a connection now. mu is held. Of several
// connections it keeps one for requests, because background work can hold a
// connection for long.
func (r *room) admit() {
	r.waiting = slices.DeleteFunc(r.waiting, func(w *waiter) bool {
		if r.lent >= r.limit || w.background && r.background >= max(1, r.limit-1) {
			return false
		}
		r.lent++
		if w.background {
			r.background++
		}
		close(w.admitted)
		return true
	})
}

// refused lowers the bound after the server gave no connection to an admitted
// transaction.
func (r *room) refused() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.limit, r.growAt = max(1, min(r.limit, r.lent-1)), time.Now().Add(growAfter)
}

// acquire lends a connection. While the server has none left, it waits until one
// of this process's connections is given back, and asks again.
func (s *Store) acquire(ctx context.Context, from *endpoint) (*conn, error) {
	short, cancel := context.WithTimeout(ctx, acquireWait)
	defer cancel()
	c := &conn{store: s, from: from, background: store.IsBackground(ctx)}
	var refusal error
	for again := false; ; again = true {
		if err := from.room.enter(short, c.background, again); err != nil {
			return nil, s.notAcquired(ctx, from, cmp.Or(refusal, err))
		}
		lent, err := from.pool.Acquire(short)
		if err == nil {
			c.lent, c.pg = lent, lent.Conn().PgConn()
			return c, nil
		}
		if !comesBack(err, from) || !s.opened.Load() {
			from.room.leave(c.background)
			if short.Err() != nil {
				err = cmp.Or(refusal, err) // the refusal says why
			}
			return nil, s.notAcquired(ctx, from, err)
		}
		refusal = err
		from.room.refused()
		from.room.leave(c.background)
		_ = pause(short, lastPauseRun) // when short has ended, enter says so
	}
}

// notAcquired says why no connection was lent.
func (s *Store) notAcquired(ctx context.Context, from *endpoint, err error) error {
	var unfit unfit
	switch {
	case s.isClosed():
		return errClosed
	case ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) && from.pool.Stat().AcquiredConns() > 0:
		return errBusy
	case errors.As(err, &unfit):
		return unfit
	case errors.Is(ctx.Err(), context.DeadlineExceeded) && errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("%w (%w)", explainConnecting(err), ctx.Err()) // the operator needs the cause, not only that time ran out
	}
	return explain(ctx, err)
}

// comesBack reports whether an attempt to connect failed for a temporary reason:
// no connection is left, or the server is not running. If a node of Citus is not running,
// nothing waits for it: the coordinator replaces it.
func comesBack(err error, from *endpoint) bool {
	if refusal, ok := errors.AsType[*pgconn.PgError](err); ok {
		return refusal.Code == "53300" || refusal.Code == "57P03" && from.name == ""
	}
	return errors.Is(err, syscall.ECONNREFUSED) && from.name == ""
}
