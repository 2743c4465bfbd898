package service

import (
	"context"
	"sync/atomic"
	"time"

	"strongroom/internal/record"
)

// waiting is since when the oldest of what waits in memory to be written has
// waited: the very oldest, also after a flush has failed.
type waiting struct {
	operations since // of operations, to be in the roll-ups
	counts     since // of counted operations, to be in the trail
	refusals   since // of counted refusals, as far as a flush has met them
}

// since is a moment, or none. Adding is safe for concurrent use; taking and
// forgetting is for whoever flushes.
type since struct{ first, taken atomic.Int64 } // nanoseconds since 1970; 0: none

// add notes that something waits from now on.
func (w *since) add(now time.Time) {
	if w.first.Load() == 0 { // under load something does already
		w.first.CompareAndSwap(0, now.UnixNano())
	}
}

// take notes that all that waits is being written.
func (w *since) take() {
	if first := w.first.Swap(0); first != 0 && w.taken.Load() == 0 {
		w.taken.Store(first)
	}
}

func (w *since) age(now time.Time) time.Duration {
	first := w.taken.Load()
	if first == 0 {
		first = w.first.Load()
	}
	if first == 0 {
		return 0
	}
	return max(0, now.Sub(time.Unix(0, first)))
}

// take is called before a flush takes what waits. Refusals wait for their
// minute to end, so a flush may leave them.
func (w *waiting) take(refused time.Time) {
	w.operations.take()
	w.counts.take()
	if !refused.IsZero() {
		w.refusals.add(refused)
	}
}

// written is called after a flush that was committed; refused is since when
// refusals wait that it left, or that have come since.
func (w *waiting) written(refused time.Time) {
	w.operations.taken.Store(0)
	w.counts.taken.Store(0)
	if refused.IsZero() || refused.UnixNano() != w.refusals.first.Load() {
		w.refusals.first.Store(0)
	}
}

// lags are the ages of the oldest operation that is not in the roll-ups, and
// of the oldest count that is not in the trail.
func (s *Service) lags() (rollup, audit time.Duration) {
	now := s.cfg.Now()
	audit = max(s.waiting.counts.age(now), s.waiting.refusals.age(now))
	if refused := s.counts.RefusedSince(); !refused.IsZero() {
		audit = max(audit, now.Sub(refused))
	}
	return s.waiting.operations.age(now), audit
}

const (
	watchEvery   = 10 * time.Second
	watchTimeout = time.Second
	rootKeyEvery = 5 * time.Minute
)

// watch keeps the metrics of health true where nothing asks for them.
func (s *Service) watch(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, watchTimeout)
	defer cancel()
	if err := s.Ready(ctx); err == nil && s.cfg.Now().Sub(s.rooted) >= rootKeyEvery {
		s.rooted = s.cfg.Now()
		s.lookForRootKey(ctx)
	}
	return nil // readiness and metrics say what is wrong
}

// lookForRootKey asks whether a restart would find the root key. This process
// needs it no more: it has opened the keyset.
func (s *Service) lookForRootKey(ctx context.Context) {
	want, err := record.View(ctx, s.records, func(tx *record.Tx) ([]byte, error) { return tx.Setting(settingRootKeyID) })
	if err != nil {
		return // of the store, which others report
	}
	root, err := s.cfg.RootKey(false)
	found := err == nil && root.ID() == string(want)
	s.cfg.Meters.RootKeyUp(found)
	switch {
	case found == !s.rootKeyGone.Load():
	case found:
		s.cfg.Log.Info("the root key is found again")
	case err != nil:
		s.cfg.Log.Error("the root key is not found any more: the next start would fail", "root_key", string(want), "error", err)
	default:
		s.cfg.Log.Error("the root key is not found any more: the next start would fail", "root_key", string(want), "instead", root.ID())
	}
	s.rootKeyGone.Store(!found)
}

// meter names what each scrape asks for.
func (s *Service) meter() {
	m := s.cfg.Meters
	s.verifying.Metrics.Watch(s.verifying.State)
	s.generating.Metrics.Watch(s.generating.State)
	m.WatchKeyPool(s.pool.Len)
	m.KeyPoolSize(s.cfg.KeyPool)
	m.WatchKeyCache(s.keyCache.Len)
	m.WatchKeyCounter(s.generations.Entries, s.generations.Evictions)
	m.WatchLag(s.lags)
	if s.cfg.Checkpoints.Every > 0 {
		s.checkpointsGood.Store(s.cfg.Now().UnixMicro())
		m.WatchCheckpoints(func() time.Duration { return s.cfg.Now().Sub(time.UnixMicro(s.checkpointsGood.Load())) })
	}
	for _, f := range s.forms[purposeVerify] {
		m.Variants(f.String())
	}
	m.StoreUp(true)   // it has just been read,
	m.RootKeyUp(true) // and so has the root key
}
