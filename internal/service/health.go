package service

import (
	"context"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
)

const (
	watchEvery   = 10 * time.Second
	watchTimeout = time.Second
	rootKeyEvery = 5 * time.Minute
)

// watch updates the health metrics even if there are no requests for readiness.
func (s *Service) watch(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, watchTimeout)
	defer cancel()
	if err := s.Ready(ctx); err == nil && s.cfg.Now().Sub(s.rooted) >= rootKeyEvery {
		s.rooted = s.cfg.Now()
		s.lookForRootKey(ctx)
	}
	return nil // readiness and metrics report problems
}

// lookForRootKey checks whether a restart would find the root key. This process
// no longer needs it, because it has opened the keyset.
func (s *Service) lookForRootKey(ctx context.Context) {
	want, err := record.View(ctx, s.records, (*record.Tx).RootKeyID)
	if err != nil {
		return // an error of the store, which other jobs report
	}
	root, err := s.cfg.RootKey(false)
	found := err == nil && root.ID() == want
	s.cfg.Metrics.RootKeyUp(found)
	switch {
	case found == !s.rootKeyGone.Load():
	case found:
		s.cfg.Log.Info("the root key is found again")
	case err != nil:
		s.cfg.Log.Error("the root key is missing: the next start will fail", "root_key", want, "error", err)
	default:
		s.cfg.Log.Error("the root key is missing: the next start will fail", "root_key", want, "instead", root.ID())
	}
	s.rootKeyGone.Store(!found)
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
	m.StoreUp(true)   // Open has just read both
	m.RootKeyUp(true) // the store and the root key
}

// process returns the health of this process, for operators.
func (s *Service) process() domain.Health {
	workers := s.verifying.State()
	return domain.Health{Instance: s.chains.Of(0), RootKey: !s.rootKeyGone.Load(), KeyPool: s.keyPool.Len(), KeyPoolSize: s.cfg.KeyPool,
		Workers: workers.Workers, WorkersBusy: workers.Busy, Waiting: workers.Requests, WaitingMost: workers.MaxRequests, SchemaVersion: s.cfg.SchemaVersion}
}
