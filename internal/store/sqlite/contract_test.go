package sqlite

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"strongroom/internal/store"
	"strongroom/internal/store/storetest"
)

func TestContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T) storetest.Opener {
		path := filepath.Join(t.TempDir(), "strongroom.db")
		return func(now func() time.Time) store.Store {
			t.Helper()
			s, err := Open(context.Background(), Config{Path: path, Now: now})
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
