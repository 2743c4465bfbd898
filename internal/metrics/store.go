package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"strongroom/internal/store"
)

// Store is s with its transactions measured, from the call to its end, those
// that fail among them.
func (m *Meters) Store(s store.Store) store.Store { return &measuredStore{s, m.views, m.updates} }

type measuredStore struct {
	store.Store
	views, updates prometheus.Observer
}

func (s *measuredStore) View(ctx context.Context, fn func(store.Tx) error) error {
	start := time.Now()
	err := s.Store.View(ctx, fn)
	s.views.Observe(time.Since(start).Seconds())
	return err
}

func (s *measuredStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	start := time.Now()
	err := s.Store.Update(ctx, fn)
	s.updates.Observe(time.Since(start).Seconds())
	return err
}
