package storetest

import (
	"context"
	"crypto/rand"
	"fmt"
	"testing"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// BenchmarkCiphertexts reports how many bytes a used ciphertext takes. In each of a
// thousand rounds it notes one ciphertext for each key. Every ten rounds it calls
// tidy. size returns the size of the database in bytes. b.N is not used: run it with
// -benchtime 1x.
func BenchmarkCiphertexts(b *testing.B, s store.Store, keys int, tidy func(), size func() int64) {
	const each = 1000
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
		if i%10 == 9 {
			tidy()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(keys*each), "µs/note")
	b.ReportMetric(float64(size()-before)/float64(keys*each), "B/ciphertext")
}
