package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"strongroom/internal/store"
	"strongroom/internal/trace"
)

// Store returns s with measured transactions, from the call to its end,
// including those that fail. It also reports them to the trace of their
// request.
func (m *Metrics) Store(s store.Store) store.Store { return &measuredStore{s, m.views, m.updates} }

type measuredStore struct {
	store.Store
	views, updates prometheus.Observer
}

func (s *measuredStore) View(ctx context.Context, fn func(store.Tx) error) error {
	start := time.Now()
	err := s.Store.View(ctx, fn)
	took := time.Since(start)
	s.views.Observe(took.Seconds())
	trace.Did(ctx, trace.View, start, took)
	return err
}

func (s *measuredStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	start := time.Now()
	err := s.Store.Update(ctx, fn)
	took := time.Since(start)
	s.updates.Observe(took.Seconds())
	trace.Did(ctx, trace.Update, start, took)
	return err
}
