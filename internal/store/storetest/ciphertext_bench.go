package storetest

import (
	"context"
	"crypto/rand"
	"fmt"
	"testing"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// BenchmarkCiphertexts reports how many bytes a used ciphertext takes: a thousand
// of each of a thousand keys, as days pass, each key one after the other. size
// measures the database. b.N is not used: run it with -benchtime 1x.
func BenchmarkCiphertexts(b *testing.B, s store.Store, size func() int64) {
	const keys, each = 1000, 1000
	ids := make([][2]string, keys)
	for i := range ids {
		ids[i] = [2]string{domain.NewID(), domain.NewID()}
	}
	before := size()
	b.ResetTimer()
	for i := range each {
		err := s.Update(context.Background(), func(tx store.Tx) error {
			for _, id := range ids {
				var d domain.CiphertextDigest
				_, _ = rand.Read(d[:])
				if err := tx.NoteCiphertext(id[0], id[1], d); err != nil {
					return fmt.Errorf("note %d: %w", i, err)
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/(keys*each), "µs/note")
	b.ReportMetric(float64(size()-before)/(keys*each), "B/ciphertext")
}
