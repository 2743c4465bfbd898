package postgres

import (
	"context"
	"slices"
	"sync"
	"time"

	"strongroom/internal/store"
)

// turns bound how many Updates of this handle run at the same time.
//
// Two concurrent transactions about one account cannot both commit. The server
// detects the conflict at the end, and one of them runs again. Within a process,
// queueing avoids that: Updates that begin with the same request run one after
// the other, in order of arrival, and hold no connection while they wait.
// Correctness does not depend on it. Conflicts with other instances, and
// conflicts that arise later, are left to the server.
type turns struct {
	free   chan struct{} // holds an element for each number that is taken
	queues [256]chan struct{}

	mu    sync.Mutex
	taken []bool // guarded by mu: by number
}

func newTurns(most int) *turns {
	q := &turns{free: make(chan struct{}, most), taken: make([]bool, most)}
	for i := range q.queues {
		q.queues[i] = make(chan struct{}, 1)
	}
	return q
}

// turn is what one Update holds while it runs, and runs again. The turn of a
// session keeps its number and its connection until the session ends, so that the
// next Update waits for nothing.
type turn struct {
	all    *turns
	end    time.Time     // of the wait
	queue  chan struct{} // that it has entered; nil: none
	held   bool          // the number
	number int
	kept   bool  // by a session, until that ends
	conn   *conn // of the session, between its Updates; nil: none

	central bool // on Citus, the Update needs the coordinator
}

// turnOf is the turn of the session that ctx belongs to, or else a new one.
func (s *Store) turnOf(ctx context.Context) *turn {
	session := store.SessionFrom(ctx)
	if session == nil {
		return &turn{all: s.turns}
	}
	if t, ok := session.Kept().(*turn); ok {
		return t
	}
	t := &turn{all: s.turns, kept: true}
	session.Keep(t)
	return t
}

// wait queues with Updates that begin with the same request, and then takes a
// number. A turn that has a number already queues only briefly, because Updates
// before it may wait for its number or connection.
func (t *turn) wait(ctx context.Context, requests []*request) error {
	if len(requests) > 0 && t.queue == nil && (!t.held || t.conn != nil) {
		queue, end := t.all.queues[requests[0].sum()%uint64(len(t.all.queues))], t.end
		if t.held {
			end = time.Now().Add(briefly)
		}
		switch err := enter(ctx, queue, end); {
		case err == nil:
			t.queue = queue
		case !t.held || ctx.Err() != nil:
			return err
		}
	}
	return t.take(ctx)
}

// briefly is longer than the Updates that came before usually need.
const briefly = 50 * time.Millisecond

// take takes the smallest number that is free.
func (t *turn) take(ctx context.Context) error {
	if t.held {
		return nil
	}
	if err := enter(ctx, t.all.free, t.end); err != nil {
		return err
	}
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	t.number = slices.Index(t.all.taken, false)
	t.all.taken[t.number], t.held = true, true
	return nil
}

// enter waits for room in a queue. The Go runtime serves those that wait on a
// channel in order of arrival.
func enter(ctx context.Context, queue chan<- struct{}, end time.Time) error {
	select {
	case queue <- struct{}{}:
		return nil
	default:
	}
	timeout := time.NewTimer(time.Until(end))
	defer timeout.Stop()
	select {
	case queue <- struct{}{}:
		return nil
	case <-timeout.C:
		return errBusy
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pause gives the number back between two runs, unless a session keeps it. It
// keeps the place in the queue, so that an Update that lost once is not
// overtaken.
func (t *turn) pause() {
	if !t.kept {
		t.giveBack()
	}
}

func (t *turn) giveBack() {
	if !t.held {
		return
	}
	t.all.mu.Lock()
	t.all.taken[t.number], t.held = false, false
	t.all.mu.Unlock()
	<-t.all.free
}

// rest ends an Update. It gives back everything that no session keeps.
func (t *turn) rest() {
	t.pause()
	t.central = false
	if t.queue != nil {
		<-t.queue
		t.queue = nil
	}
}

// Release ends the session.
func (t *turn) Release() {
	if t.conn != nil {
		t.conn.release()
		t.conn = nil
	}
	t.giveBack()
}
