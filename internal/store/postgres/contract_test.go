package postgres

import (
	"flag"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"strongroom/internal/store"
	"strongroom/internal/store/postgres/pgtest"
	"strongroom/internal/store/storetest"
)

// TestMain runs more tests in parallel than there are processors: most of them
// wait for a lock, a timeout or a server.
func TestMain(m *testing.M) {
	flag.Parse()
	if p := flag.Lookup("test.parallel"); p.Value.String() == p.DefValue {
		_ = p.Value.Set(strconv.Itoa(2 * runtime.GOMAXPROCS(0)))
	}
	pgtest.Main(m)
}

// sequences sets how many sequences the model of the contract is compared
// with: the number in E2E_SEQUENCES, which make soak sets, or else otherwise.
func sequences(t *testing.T, otherwise int) {
	t.Helper()
	checks := flag.Lookup("rapid.checks")
	before := checks.Value.String()
	t.Cleanup(func() { _ = checks.Value.Set(before) })
	n := os.Getenv("E2E_SEQUENCES")
	if n == "" {
		n = strconv.Itoa(otherwise)
	}
	if err := checks.Value.Set(n); err != nil {
		t.Fatalf("E2E_SEQUENCES: %v", err)
	}
}

// Through PgBouncer the contract runs again, without named statements.
func TestContract(t *testing.T) {
	sequences(t, 30)
	storetest.Run(t, func(t *testing.T) storetest.Opener {
		url := migratedDatabase(t)
		return func(now func() time.Time) store.Store {
			t.Helper()
			return openedWith(t, Config{URL: url, Now: now})
		}
	})
}
