package sqlite

import (
	"context"
	"crypto/rand"
	"path/filepath"
	"testing"

	"strongroom/internal/store"
)

// BenchmarkUpdate is one small durable write: mostly the disk's fsync.
func BenchmarkUpdate(b *testing.B) {
	ctx := context.Background()
	s := migrated(b, filepath.Join(b.TempDir(), "strongroom.db"))
	value := make([]byte, 64)
	for b.Loop() {
		rand.Read(value) // SQLite writes nothing where nothing changes
		err := s.Update(ctx, func(tx store.Tx) error { return tx.PutSetting("bench", value) })
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkView is one read of one row on a snapshot.
func BenchmarkView(b *testing.B) {
	ctx := context.Background()
	s := migrated(b, filepath.Join(b.TempDir(), "strongroom.db"))
	if err := s.Update(ctx, func(tx store.Tx) error { return tx.PutSetting("bench", make([]byte, 64)) }); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		err := s.View(ctx, func(tx store.Tx) error {
			_, err := tx.Setting("bench")
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

func migrated(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(context.Background(), Config{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := s.Migrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	return s
}
