package postgres

import (
	"context"
	"slices"
	"sync"
	"time"
)

// turns are how many Updates of this handle run at the same time, and which.
//
// Two transactions about one account cannot both commit: the server finds out
// at the end and one begins anew. Within a process that is spared by queueing
// before anything is sent: Updates that begin with the same question go one
// after the other, in the order of arrival, without a connection while they
// wait. It is a courtesy and not what correctness rests on: other instances,
// and Updates that meet later, meet on the server.
type turns struct {
	free  chan struct{} // holds an element for each number that is taken
	lanes [256]chan struct{}

	mu    sync.Mutex
	taken []bool // guarded by mu: by number
}

func newTurns(most int) *turns {
	q := &turns{free: make(chan struct{}, most), taken: make([]bool, most)}
	for i := range q.lanes {
		q.lanes[i] = make(chan struct{}, 1)
	}
	return q
}

// turn is what one Update holds of them, one run after the other.
type turn struct {
	all    *turns
	end    time.Time     // until when it is waited for
	lane   chan struct{} // nil: none is held
	held   bool
	number int
}

// wait queues with those who begin with the same request, and then for a
// number. Whoever has a number already does not queue: those before him may
// wait for it.
func (t *turn) wait(ctx context.Context, requests []*request) error {
	if len(requests) > 0 && t.lane == nil && !t.held {
		lane := t.all.lanes[requests[0].sum()%uint64(len(t.all.lanes))]
		if err := t.enter(ctx, lane); err != nil {
			return err
		}
		t.lane = lane
	}
	return t.take(ctx)
}

// take takes the smallest number that is free.
func (t *turn) take(ctx context.Context) error {
	if t.held {
		return nil
	}
	if err := t.enter(ctx, t.all.free); err != nil {
		return err
	}
	t.all.mu.Lock()
	defer t.all.mu.Unlock()
	t.number = slices.Index(t.all.taken, false)
	t.all.taken[t.number], t.held = true, true
	return nil
}

// enter waits for room in a queue. The runtime serves those who wait on a
// channel in turn.
func (t *turn) enter(ctx context.Context, queue chan<- struct{}) error {
	select {
	case queue <- struct{}{}:
		return nil
	default:
	}
	timeout := time.NewTimer(time.Until(t.end))
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

// pause gives the number back between two runs, and keeps the lane: whoever
// lost once is not overtaken by those who come after him.
func (t *turn) pause() {
	if !t.held {
		return
	}
	t.all.mu.Lock()
	t.all.taken[t.number], t.held = false, false
	t.all.mu.Unlock()
	<-t.all.free
}

// leave gives everything back.
func (t *turn) leave() {
	t.pause()
	if t.lane != nil {
		<-t.lane
		t.lane = nil
	}
}
