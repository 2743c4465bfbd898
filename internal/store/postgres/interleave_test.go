package postgres

import (
	"errors"
	"testing"
	"time"

	"strongroom/internal/store"
)

// A transaction waits for the slowest of its interleaved functions, not for each in turn.
func TestInterleavedReadsShareRoundTrips(t *testing.T) {
	t.Parallel()
	s := opened(t, migratedDatabase(t))
	type steps = []func() error
	read := func(tx store.Tx, times int) func() error {
		return func() error {
			for range times {
				if _, err := tx.Setting("none"); !errors.Is(err, store.ErrNotFound) {
					return err
				}
			}
			return nil
		}
	}
	final := func(tx store.Tx) func() error { return func() error { tx.Final(); return read(tx, 1)() } }
	for what, c := range map[string]struct {
		steps func(tx store.Tx) steps
		want  uint64 // with the one that ends the View, which may be that of the last read
	}{
		"one read each":     {func(tx store.Tx) steps { return steps{read(tx, 1), read(tx, 1), read(tx, 1)} }, 2},
		"one, two or three": {func(tx store.Tx) steps { return steps{read(tx, 1), read(tx, 2), read(tx, 3)} }, 4},
		"within a function": {func(tx store.Tx) steps {
			return steps{read(tx, 2), func() error { return tx.Interleave(read(tx, 1), read(tx, 2)) }}
		}, 3},
		"the clock first":   {func(tx store.Tx) steps { return steps{read(tx, 2), func() error { tx.Now(); return read(tx, 1)() }} }, 3},
		"each read final":   {func(tx store.Tx) steps { return steps{final(tx), final(tx)} }, 1},
		"one of them final": {func(tx store.Tx) steps { return steps{final(tx), read(tx, 2)} }, 3},
		"final within": {func(tx store.Tx) steps {
			return steps{final(tx), func() error { return tx.Interleave(final(tx), final(tx)) }}
		}, 1},
	} {
		idle(s)
		before := s.Stats().RoundTrips
		wantError(t, s.View(t.Context(), func(tx store.Tx) error { return tx.Interleave(c.steps(tx)...) }), nil)
		idle(s)
		if n := s.Stats().RoundTrips - before; n != c.want {
			t.Errorf("%s: %d round trips, want %d", what, n, c.want)
		}
	}
}

// idle waits for the ends of Views, which nobody else waits for.
func idle(s *Store) {
	for s.pool.Stat().AcquiredConns() > 0 {
		time.Sleep(time.Millisecond)
	}
}
