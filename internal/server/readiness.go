package server

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

const (
	readyDeadline = time.Second
	readyHangs    = 2 * time.Second // longer than the deadline of a check, which then reports its own error
	readyCache    = 500 * time.Millisecond
)

var errNoAnswer = errors.New("the readiness check did not answer in time")

// readiness checks whether requests can be served, for any number of probes.
// Only one check runs at a time, and its result is used for readyCache. While
// a check takes longer than readyDeadline, every probe gets an error.
type readiness struct {
	check    func(context.Context) error
	logger   *slog.Logger
	draining atomic.Bool

	mu      sync.Mutex
	running chan struct{} // closed when the running check ends; nil: none is running
	last    error         // of the last check that ended, or errNoAnswer if the running one hangs
	at      time.Time     // when the last one ended
}

// ask returns nil if requests can be served.
func (p *readiness) ask(ctx context.Context) error {
	p.mu.Lock()
	if p.running == nil && !p.at.IsZero() && time.Since(p.at) < readyCache {
		defer p.mu.Unlock()
		return p.last
	}
	if p.running == nil {
		p.running = make(chan struct{})
		go p.run(p.running) //nolint:gosec // not with a request's context: see run
	}
	running := p.running
	p.mu.Unlock()

	ctx, cancel := context.WithTimeout(ctx, readyDeadline)
	defer cancel()
	select {
	case <-running:
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.last
	case <-ctx.Done():
		return errNoAnswer
	}
}

// run does one check. It does not use the context of a request, because a
// probe that gives up must not fail the check for other probes.
func (p *readiness) run(done chan struct{}) {
	hangs := time.AfterFunc(readyHangs, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.running == done {
			p.note(errNoAnswer)
		}
	})
	err := p.check(context.Background())
	hangs.Stop()

	p.mu.Lock()
	defer p.mu.Unlock()
	p.note(err)
	p.at, p.running = time.Now(), nil
	close(done)
}

// note keeps the result of a check, and logs a change, but not during a drain: a check
// that still runs when the store closes fails. The caller holds mu.
func (p *readiness) note(err error) {
	switch {
	case p.draining.Load():
	case err != nil && p.last == nil:
		p.logger.Error("not ready", "error", err.Error())
	case err == nil && p.last != nil:
		p.logger.Info("ready again")
	}
	p.last = err
}
