package service

import (
	"context"
	"slices"
	"sync"
	"time"

	"strongroom/internal/domain"
)

const (
	watchEvery   = 10 * time.Second
	checkTimeout = time.Second
	pingEvery    = 6 // watches
	rootKeyEvery = 5 * time.Minute
)

// watch returns the job that updates the health metrics even if there are no requests
// for readiness. While beats show that the store accepts writes, only every pingEvery-th
// watch pings it. Without beats (SQLite), each watch does.
func (s *Service) watch() func(context.Context) error {
	watches := 0
	return func(ctx context.Context) error {
		if s.guard.Seen() {
			s.cfg.Metrics.Tampering(domain.RecordChain) // again, so that the alert on its increase keeps firing
		}
		if watches++; !s.checks.up() || !s.guard.Beating() || watches%pingEvery == 0 {
			if s.Ready(ctx) != nil {
				return nil // readiness and metrics report it
			}
		}
		_ = s.lookAtBackups(ctx, s.round.View) // after an error, the metric keeps its value
		return nil
	}
}

// checks are the checks of the store, which can overlap.
type checks struct {
	mu    sync.Mutex
	begun int
	last  int // of those with a result, the one that began last
	ok    bool
}

func (c *checks) up() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ok
}

// beginCheck returns the function that notes the result of a check, unless a check that
// began later has one.
func (s *Service) beginCheck() (note func(error)) {
	c := &s.checks
	c.mu.Lock()
	defer c.mu.Unlock()
	c.begun++
	n := c.begun
	return func(err error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if n >= c.last {
			c.last, c.ok = n, err == nil
			s.cfg.Metrics.StoreUp(c.ok)
		}
	}
}

// lookAtNodes notes which nodes of a distributed store do not answer, and logs each
// change. The other accounts are served, so the instance stays ready.
func (s *Service) lookAtNodes(ctx context.Context) error {
	dead, err := s.cfg.DeadNodes(ctx)
	if err != nil {
		return nil // readiness reports a store that does not answer
	}
	before := s.deadNodes.Swap(&dead)
	if before != nil && slices.Equal(*before, dead) || before == nil && len(dead) == 0 {
		return nil
	}
	if len(dead) > 0 {
		s.cfg.Log.ErrorContext(ctx, "nodes of the database do not answer: requests for their accounts are refused as OVERLOADED", "nodes", dead)
		return nil
	}
	s.cfg.Log.InfoContext(ctx, "all nodes of the database answer again")
	return nil
}

// DeadNodes returns the nodes of a distributed store that did not answer at the last
// check.
func (s *Service) DeadNodes() []string {
	if dead := s.deadNodes.Load(); dead != nil {
		return *dead
	}
	return nil
}

// watchMetrics registers the values that are read at each scrape.
func (s *Service) watchMetrics() {
	m := s.cfg.Metrics
	s.verifying.Metrics.Watch(s.verifying.State)
	s.generating.Metrics.Watch(s.generating.State)
	m.WatchKeyPool(s.keyPool.Len)
	m.KeyPoolSize(s.cfg.KeyPool)
	m.WatchKeyCache(s.keyCache.Len)
	m.WatchKeyCounter(s.generations.Entries, s.generations.Evictions)
	m.WatchLag(s.tally.Lags)
	m.WatchBackups(s.backupAge)
	m.StoreUp(true)   // Open has just read the store
	m.RootKeyUp(true) // and unwrapped the data keys with a root key
}

// CheckedRootKeys returns the root keys of the settings as they were at their last
// check.
func (s *Service) CheckedRootKeys() []domain.RootKey { return s.custody.RootKeys() }

// process returns the health of this process, for operators.
func (s *Service) process() domain.Health {
	workers := s.verifying.State()
	return domain.Health{Instance: s.chains.Of(0), Cell: s.cfg.Cell, RootKey: s.custody.Up(), RootKeys: s.custody.RootKeys(), KeyPool: s.keyPool.Len(), KeyPoolSize: s.cfg.KeyPool,
		Workers: workers.Workers, WorkersBusy: workers.Busy, Waiting: workers.Requests, WaitingMost: workers.MaxRequests, SchemaVersion: s.cfg.SchemaVersion}
}
