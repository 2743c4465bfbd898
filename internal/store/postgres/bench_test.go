package postgres

import (
	"testing"

	"strongroom/internal/store/postgres/pgtest"
	"strongroom/internal/store/sqltx"
	"strongroom/internal/store/storetest"
)

// BenchmarkCiphertexts has the size of the table with its index and dead rows, as
// VACUUM leaves it.
func BenchmarkCiphertexts(b *testing.B) {
	url := pgtest.Database(b)
	s := migrated(b, url)
	storetest.BenchmarkCiphertexts(b, s, func() (size int64) {
		run(b, url, "VACUUM ciphertext_chunk")
		err := s.view(b.Context(), func(tx *tx) (err error) {
			size, err = sqltx.One(tx, sqltx.Row.Integer, "SELECT pg_total_relation_size('ciphertext_chunk')")
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
		return size
	})
}
