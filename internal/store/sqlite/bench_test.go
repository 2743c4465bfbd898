package sqlite

import (
	"context"
	"crypto/rand"
	"testing"

	"strongroom/internal/store"
)

// BenchmarkUpdate is one small durable write: mostly the disk's fsync.
func BenchmarkUpdate(b *testing.B) {
	ctx := context.Background()
	s := migrated(b, newPath(b))
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
	s := migrated(b, newPath(b))
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
