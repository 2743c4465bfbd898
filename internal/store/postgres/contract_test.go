package postgres

import (
	"context"
	"testing"
	"time"

	"strongroom/internal/store"
	"strongroom/internal/store/postgres/pgtest"
	"strongroom/internal/store/storetest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Opener {
		url := pgtest.Database(t)
		return func(now func() time.Time) store.Store {
			t.Helper()
			s, err := Open(context.Background(), Config{URL: url, Now: now})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Migrate(context.Background()); err != nil {
				t.Fatal(err)
			}
			return s
		}
	})
}
