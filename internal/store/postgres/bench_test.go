package postgres

import (
	"testing"

	"strongroom/internal/store/postgres/pgtest"
	"strongroom/internal/store/sqltx"
	"strongroom/internal/store/storetest"
)

// BenchmarkCiphertexts has the size of the table with its index and free space. It
// vacuums when two thirds of all rows are dead. Autovacuum begins at a fifth, with
// PostgreSQL's defaults.
func BenchmarkCiphertexts(b *testing.B) {
	url := pgtest.Database(b)
	s := migrated(b, url)
	vacuum := func() { run(b, url, "VACUUM ciphertext_chunk") }
	storetest.BenchmarkCiphertexts(b, s, 200, vacuum, func() (size int64) {
		vacuum()
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
