package service

import (
	"context"
	"time"

	"strongroom/internal/domain"
)

// lanes admits requests to RSA and Argon2id work. A request enters once, for
// all of its work; what it may then do at once is bounded by the lanes. Past
// the bound it is refused before it has cost anything: a queue without an end
// would only turn overload into time-outs, and each Argon2id run takes
// megabytes.
type lanes struct {
	inside chan struct{}
	busy   chan struct{}
	wait   time.Duration    // for the first lane
	gauge  func(change int) // told of each request that enters or leaves
}

func newLanes(n, waiting int, wait time.Duration, gauge func(change int)) *lanes {
	return &lanes{inside: make(chan struct{}, waiting), busy: make(chan struct{}, n), wait: wait, gauge: gauge}
}

// enter admits a request, or refuses it at once. Call leave when it is done.
func (l *lanes) enter() (leave func(), err error) {
	select {
	case l.inside <- struct{}{}:
		l.gauge(1)
		return func() { l.gauge(-1); <-l.inside }, nil
	default:
		return nil, domain.Overloaded()
	}
}

// first runs fn in a lane, or refuses when none comes free soon enough.
func (l *lanes) first(ctx context.Context, fn func()) error {
	timer := time.NewTimer(l.wait)
	defer timer.Stop()
	select {
	case l.busy <- struct{}{}:
	case <-timer.C:
		return domain.Overloaded()
	case <-ctx.Done():
		return ctx.Err()
	}
	l.run(fn)
	return nil
}

// next runs fn in a lane once one comes free, and fails only when ctx ends
// before: a try is reserved already, and has to be given back then.
func (l *lanes) next(ctx context.Context, fn func()) error {
	select {
	case l.busy <- struct{}{}:
	case <-ctx.Done():
		return domain.Overloaded()
	}
	l.run(fn)
	return nil
}

func (l *lanes) run(fn func()) {
	defer func() { <-l.busy }()
	fn()
}
