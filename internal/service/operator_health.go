package service

import (
	"context"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
)

// healthTimeout is how long the store may take to say that it is well.
const healthTimeout = time.Second

// Health is how this instance is. A store that does not answer is part of the
// answer.
func (s *Service) Health(ctx context.Context) (domain.Health, error) {
	if err := s.mayRead(ctx); err != nil {
		return domain.Health{}, err
	}
	workers := s.verifying.State()
	h := domain.Health{Instance: s.trail.Of(0), Mode: s.cfg.Mode, RootKey: !s.rootKeyGone.Load(),
		KeyPool: s.pool.Len(), KeyPoolSize: s.cfg.KeyPool,
		Lanes: workers.Workers, LanesBusy: workers.Busy, Waiting: workers.Requests, WaitingMost: workers.MaxRequests,
		CheckpointAt: domain.FromMicros(s.checkpointed.Load()), InstanceTime: s.cfg.Now().UTC(), SchemaVersion: s.cfg.SchemaVersion}
	h.RollupLag, h.AuditLag = s.lags()
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	err := s.Ready(ctx)
	if err == nil {
		err = s.records.View(ctx, func(tx *record.Tx) error { h.StoreTime = tx.Now(); return nil })
	}
	h.Store = err == nil
	return h, nil
}

// Operations are the operations of the last hours, in stretches of one width:
// as fine as they are kept, or of step, if that is a multiple of it. They
// include every operation answered before it was asked.
func (s *Service) Operations(ctx context.Context, hours float64, step time.Duration) (width time.Duration, series []domain.Bucketed, err error) {
	if err := s.mayRead(ctx); err != nil {
		return 0, nil, err
	}
	if err := metrics.CheckWindow(hours); err != nil {
		return 0, nil, err
	}
	if err := s.flush(ctx, false); err != nil {
		return 0, nil, s.records.Unavailable(ctx, err)
	}
	err = s.look(ctx, func(tx *record.Tx) (err error) {
		width, series, err = metrics.Series(tx, hours, step, tx.Now())
		return err
	})
	return width, series, err
}
