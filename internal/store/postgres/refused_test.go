package postgres

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"strongroom/internal/store"
	"strongroom/internal/store/postgres/pgtest"
	"strongroom/internal/store/storetest"
)

// opening opens a database on the clock of a test.
func opening(t *testing.T, address string) storetest.Opener {
	return func(now func() time.Time) store.Store {
		t.Helper()
		return openedWith(t, Config{URL: address, Now: now})
	}
}

// CockroachDB and YugabyteDB may refuse any statement, also in Views.
func TestAnOperationWithRefusedStatementsTakesEffectOnce(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	for _, parameters := range []string{"", "&default_query_exec_mode=exec"} {
		address := migratedDatabase(t) + parameters
		var position, refusals atomic.Int64
		through := pgtest.Refusing(t, address, func(s pgtest.Statement) bool {
			is := position.CompareAndSwap(int64(s.Position), 0)
			if is {
				refusals.Add(1)
			}
			return is
		})
		storetest.RunRefused(t, opening(t, address), opening(t, through), func(n int) func() bool {
			position.Store(int64(n))
			return func() bool { return position.Swap(0) == 0 }
		})
		if n := refusals.Load(); n < 60 {
			t.Errorf("only %d statements were refused", n)
		}
		t.Logf("%d statements were refused", refusals.Load())
	}
}

func TestAViewThatIsAlwaysRefusedEnds(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	refusing := opened(t, pgtest.Refusing(t, migratedDatabase(t), func(s pgtest.Statement) bool {
		return strings.Contains(s.SQL, "FROM setting")
	}))
	wantError(t, refusing.View(t.Context(), func(tx store.Tx) error { _, err := tx.Setting("name"); return err }), errContended)
	if n := refusing.Stats().Repeats; n != maxRuns {
		t.Errorf("%d runs, want %d", n, maxRuns)
	}
	ctx, cancel := context.WithCancel(t.Context())
	wantError(t, refusing.View(ctx, func(tx store.Tx) error {
		_, err := tx.Setting("name")
		cancel()
		return err
	}), context.Canceled)
}

// A row that was passed on cannot be taken back.
func TestAReadOfATableDoesNotRunAgainAfterPassingRows(t *testing.T) {
	t.Parallel()
	address := migratedDatabase(t)
	s := opened(t, address)
	for _, name := range []string{"a", "b"} {
		put(t, s, name, name)
	}
	settings := store.Tables[len(store.Tables)-1]
	var statements atomic.Int64
	for refused, want := range map[int64]error{1: nil, 2: nil, 3: errContended} {
		statements.Store(0)
		through := opened(t, pgtest.Refusing(t, address, func(s pgtest.Statement) bool { return statements.Add(1) == refused }))
		statements.Store(0) // those of opening it
		rows := 0
		err := through.view(t.Context(), func(tx *tx) error {
			_ = tx.Now()
			if err := tx.eachRow(settings, nil, func(store.Row) error { rows++; return nil }); err != nil {
				return err
			}
			return tx.eachRow(settings, nil, func(store.Row) error { return nil })
		})
		wantError(t, err, want)
		if rows != 2 {
			t.Errorf("statement %d was refused: %d rows were passed on, want 2", refused, rows)
		}
	}
}
