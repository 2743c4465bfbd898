package postgres

import (
	"context"
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

func TestContract(t *testing.T) {
	sequences(t, 30)
	contract(t, "")
}

func TestContractWithoutNamedStatements(t *testing.T) {
	if testing.Short() {
		t.Skip("the short form runs the contract with names")
	}
	sequences(t, 10)
	contract(t, "&default_query_exec_mode=exec")
}

// contract runs the suite with parameters that are added to the URL.
func contract(t *testing.T, parameters string) {
	storetest.Run(t, func(t *testing.T) storetest.Opener {
		url := migratedDatabase(t) + parameters
		return func(now func() time.Time) store.Store {
			t.Helper()
			s, err := Open(context.Background(), Config{URL: url, Now: now})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
	})
}
