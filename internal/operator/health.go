package operator

import (
	"context"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/record"
)

// healthTimeout is how long Health waits for the store.
const healthTimeout = time.Second

// Health returns the state of this instance. If the store does not answer, the
// result says so.
func (u *UseCases) Health(ctx context.Context) (domain.Health, error) {
	if err := u.mayRead(ctx); err != nil {
		return domain.Health{}, err
	}
	h := u.cfg.Process()
	h.Mode, h.CheckpointAt, h.InstanceTime = u.cfg.Mode, u.cfg.Trail.LastCheckpoint(), u.cfg.Now().UTC()
	h.RollupLag, h.AuditLag = u.cfg.Tally.Lags()
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	err := u.cfg.Ready(ctx)
	if err == nil {
		err = u.cfg.Records.View(ctx, func(tx *record.Tx) error { h.StoreTime = tx.Now(); return nil })
	}
	h.Store = err == nil
	return h, nil
}

// Operations returns the operations of the past hours in intervals of one width:
// the finest that is stored for this window, or step if that is a multiple of it.
// They include every operation that was answered before the call.
func (u *UseCases) Operations(ctx context.Context, hours float64, step time.Duration) (width time.Duration, series []domain.Bucketed, err error) {
	if err := u.mayRead(ctx); err != nil {
		return 0, nil, err
	}
	if err := metrics.CheckWindow(hours); err != nil {
		return 0, nil, err
	}
	if err := u.cfg.Tally.Flush(ctx, false); err != nil {
		return 0, nil, u.cfg.Records.Unavailable(ctx, err)
	}
	err = u.look(ctx, func(tx *record.Tx) (err error) {
		width, series, err = metrics.Series(tx, hours, step, tx.Now())
		return err
	})
	return width, series, err
}
