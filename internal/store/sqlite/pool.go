package sqlite

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// busyWait is how long a transaction waits for the write lock while another
// process holds it. Within this process, the contexts of the writers limit how
// long they queue.
const busyWait = 5 * time.Second

// busyPoll is how often it checks. The other process may be a server that
// releases the lock only for moments.
const busyPoll = time.Millisecond

var errClosed = errors.New("store is closed")

// pool lends a limited number of connections, in order of arrival: the Go runtime
// serves those that wait on a channel in turn.
type pool struct {
	open   func() (*conn, error)
	turns  chan struct{} // holds an element for each connection that is lent
	closed chan struct{}

	mu   sync.Mutex
	idle []*conn // guarded by mu; the last one back is lent first
}

func newPool(open func() (*conn, error), size int) *pool {
	return &pool{open: open, turns: make(chan struct{}, size), closed: make(chan struct{})}
}

// take lends a connection until give. If none is idle it opens one.
func (p *pool) take(ctx context.Context) (*conn, error) {
	if ctx.Err() != nil { // else select might pick the turn all the same
		return nil, ctx.Err()
	}
	select {
	case p.turns <- struct{}{}:
	case <-ctx.Done():
		return nil, waiting(ctx)
	case <-p.closed:
		return nil, errClosed
	}
	if c := p.pop(); c != nil {
		return c, nil
	}
	c, err := open(ctx, p.open)
	if err != nil {
		<-p.turns
	}
	return c, err
}

func waiting(ctx context.Context) error {
	return fmt.Errorf("waiting for a database connection: %w", ctx.Err())
}

// open opens a connection, even if another process delays it.
func open(ctx context.Context, one func() (*conn, error)) (c *conn, err error) {
	err = retryBusy(ctx, func() (err error) {
		c, err = one()
		return err
	})
	return c, explain(err)
}

func (p *pool) pop() *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.idle)
	if n == 0 {
		return nil
	}
	c := p.idle[n-1]
	p.idle = p.idle[:n-1]
	return c
}

// give takes a connection back. It closes one that may still be in a transaction,
// which rolls that back.
func (p *pool) give(c *conn) {
	if c.broken {
		_ = c.close() // it is discarded, and so is its error
	} else {
		p.mu.Lock()
		p.idle = append(p.idle, c)
		p.mu.Unlock()
	}
	<-p.turns
}

// close waits for every connection to come back and closes it.
func (p *pool) close() error {
	close(p.closed)
	for range cap(p.turns) {
		p.turns <- struct{}{}
	}
	var errs []error
	for c := p.pop(); c != nil; c = p.pop() {
		errs = append(errs, c.close())
	}
	return errors.Join(errs...)
}

// begin starts a transaction. It checks ctx between attempts.
func begin(ctx context.Context, c *conn, query string) error {
	err := retryBusy(ctx, func() error {
		_, err := c.exec(query)
		return err
	})
	c.broken = c.broken || err != nil && c.inTransaction()
	return explain(err)
}

// retryBusy calls fn until no other process blocks it, or busyWait is over.
func retryBusy(ctx context.Context, fn func() error) error {
	var start time.Time
	for {
		err := fn()
		if err == nil || !isBusy(err) {
			return err
		}
		if start.IsZero() {
			start = time.Now()
		}
		if time.Since(start) > busyWait {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(busyPoll):
		}
	}
}
