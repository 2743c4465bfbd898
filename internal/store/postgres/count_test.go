package postgres

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"strongroom/internal/store"
)

// A bounded count reads as many entries of the index as it counts, however many keys
// there are.
func TestABoundedCountReadsNoMore(t *testing.T) {
	oneGoroutine(t)
	const keys = 50_000
	url := migratedDatabase(t)
	ctx := context.Background()
	db, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(ctx)
	if _, err := db.Exec(ctx, `INSERT INTO device_key (tenant, id, account_id, device_id, state, version, algorithm, bits, app_version,
			created_at, expires_at, ended_at, grace_until, mac, public_key, sealed)
		SELECT 'default', 'key' || n, 'account' || n, 'device' || n, 'active', 1, 'RSA-OAEP-256', 2048, '', 1000 + n, 0, 0, 0, '', '', ''
		FROM generate_series(1, $1) AS n`, keys); err != nil {
		t.Fatal(err)
	}
	scalar := func(query string) (n int64) {
		if err := db.QueryRow(ctx, query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	read := func() int64 { // PostgreSQL adds the reads of a connection to its statistics when the connection ends
		for scalar("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'") > 1 {
			time.Sleep(time.Millisecond)
		}
		return scalar("SELECT idx_tup_read FROM pg_stat_user_indexes WHERE indexrelname = 'device_key_age'")
	}
	for _, most := range []int64{1000, math.MaxInt64} {
		before := read()
		s := opened(t, url)
		var counted int64
		if err := s.View(ctx, func(tx store.Tx) (err error) {
			counted, err = tx.CountActiveKeys(time.Now(), 0, most)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		s.Close()
		want := min(most, keys)
		if n := read() - before; counted != want || n < want || n > want+want/10 && most < keys {
			t.Errorf("up to %d: %d were counted, and %d entries were read", most, counted, n)
		}
	}
}
