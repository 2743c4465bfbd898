package postgres

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/postgres/pgtest"
	"strongroom/internal/store/storetest"
)

// The values are those of hashtext on PostgreSQL 15.
func TestTheHashOfATextMatchesPostgreSQL(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int32{"": -1477818771, "a": 1075015857, "abcdefghi": -92131489, "abcdefghijk": -1483803693,
		"abcdefghijkl": -1586087212, "abcdefghijklm": 405849808, strings.Repeat("x", 26): -1144469394} {
		if got := hashText(text); got != want {
			t.Errorf("hash of %q: %d, want %d", text, got, want)
		}
	}
}

func TestAChainLiesOnTheNodeOfItsWriter(t *testing.T) {
	t.Parallel()
	s := &Store{turns: newTurns(3), citus: &citus{nodes: 2, shards: []shard{{-1 << 31, 0}, {-1 << 30, 1}, {0, 0}, {1 << 30, 1}}}}
	seen := map[string]bool{}
	for writer := range s.Writers() {
		name := s.ChainOf("process", writer)
		if got := s.citus.node(name); got != writer/3 || seen[name] {
			t.Errorf("writer %d has chain %s on node %d (taken: %v)", writer, name, got, seen[name])
		}
		seen[name] = true
	}
	if s.Writers() != 6 {
		t.Errorf("%d writers, want 3 for each node", s.Writers())
	}
}

// A coordinator reports the refusal of a node as a warning, and then its own error.
func TestRefusalsByCitusNodesAreRecognized(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{"40001": true, "40P01": true, "01000": false, "57P01": false} {
		c := &pgconn.PgError{Code: "XX000", SeverityUnlocalized: "ERROR"}
		if !nodeFailed(c) {
			t.Error("the error of the coordinator is not recognized")
		}
		if got := undoes(code); got != want {
			t.Errorf("after the warning %s, undone is %v, want %v", code, got, want)
		}
	}
}

// What distribute.sql does is noted by functions that stand in for those of Citus.
func TestCitusDistributesTheTablesOfAccountsAndChainsAndNoOthers(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	address := migratedDatabase(t)
	run(t, address, "CREATE TABLE pg_dist_partition (logicalrelid regclass, how text, number serial)",
		"CREATE SCHEMA citus", `ALTER DATABASE "`+database(t, address)+`" SET search_path = public, citus`,
		`CREATE FUNCTION citus.create_reference_table(name text) RETURNS void LANGUAGE sql AS $$
			INSERT INTO pg_dist_partition VALUES (name::regclass, 'on each node') $$`,
		`CREATE FUNCTION citus.create_distributed_table(name text, by text, colocate_with text) RETURNS void LANGUAGE sql AS $$
			INSERT INTO pg_dist_partition VALUES (name::regclass, 'by ' || by || ' with ' || colocate_with) $$`)
	want := map[string]string{"account": "on each node"}
	for _, table := range store.Tables {
		for _, c := range table.Columns {
			switch {
			case table.Name == "key_account": // it finds the account of a key
				want[table.Name] = "by key_id with device_key"
			case table.Name == "device_key":
				want[table.Name] = "by account_id with none"
			case c.Name == "account_id", c.Name == "chain" && c.Kind == store.Text:
				want[table.Name] = "by " + c.Name + " with device_key"
			}
		}
	}
	for range 2 { // the second time, as after an upgrade, all is done
		psql := exec.Command(filepath.Join(pgtest.Programs(t), "psql"), "-X", "-q", "-f", filepath.Join("..", "..", "..", "deploy", "citus", "distribute.sql"), address)
		if out, err := psql.CombinedOutput(); err != nil {
			t.Fatalf("distribute.sql: %v: %s", err, out)
		}
		got, s := map[string]string{}, opened(t, address)
		for _, name := range query(t, s, "SELECT logicalrelid::text FROM pg_dist_partition") {
			if got[name] != "" {
				t.Errorf("%s is distributed twice", name)
			}
			got[name] = query(t, s, "SELECT how FROM pg_dist_partition WHERE logicalrelid::text = $1", name)[0]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if first := query(t, s, "SELECT logicalrelid::text FROM pg_dist_partition WHERE how LIKE 'by%' ORDER BY number LIMIT 1"); first[0] != "device_key" {
			t.Errorf("%s is distributed before device_key, with which it is co-located", first)
		}
	}
}

// A view in front of the table of counters fails for the account on one node, as the
// coordinator does when it cannot reach that.
func TestANodeThatDoesNotAnswerIsNamed(t *testing.T) {
	t.Parallel()
	address := migratedDatabase(t)
	here := opened(t, address)
	if dead, err := here.DeadNodes(t.Context()); err != nil || dead != nil {
		t.Errorf("not distributed: %v, %v", dead, err)
	}
	nodes := &citus{nodes: 2, names: []string{"one:5432", "two:5432"}, shards: []shard{{-1 << 31, 0}, {0, 1}}}
	account := nodes.on(1, "node")
	for n := range 2 {
		a := domain.Attempts{AccountID: nodes.on(n, "node"), Type: domain.Passcode, Version: 1}
		if err := here.Update(t.Context(), func(tx store.Tx) error { return tx.WriteBatch(store.Batch{Attempts: []domain.Attempts{a}}) }); err != nil {
			t.Fatal(err)
		}
	}
	s := opened(t, address+"&search_path=away,public")
	s.citus = nodes
	wantDead := func(want ...string) {
		t.Helper()
		dead, err := s.DeadNodes(t.Context())
		if diff := cmp.Diff(want, dead); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
	wantDead()
	run(t, address, "CREATE SCHEMA away",
		"CREATE FUNCTION away.reached(account text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN IF account = '"+account+
			"' THEN RAISE 'connection to the remote node failed' USING ERRCODE = '08006'; END IF; RETURN true; END $$",
		"CREATE VIEW away.attempts AS SELECT * FROM public.attempts WHERE away.reached(account_id)")
	wantDead("two:5432")
	run(t, address, "DROP SCHEMA away CASCADE")
	wantDead()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.DeadNodes(ctx)
	wantError(t, err, context.Canceled)
}

// citusURL is that of the superuser's database on the coordinator of a Citus that
// deploy/citus/run.sh started.
func citusURL(t *testing.T) *url.URL {
	t.Helper()
	address := os.Getenv("E2E_CITUS")
	if address == "" {
		t.Skip("it needs a running Citus: see docs/how-to/citus.md")
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

var citusSchemas atomic.Int64

// distributed makes a schema with distributed tables, and returns its URL.
func distributed(t *testing.T) string {
	t.Helper()
	ctx := context.Background()
	u := citusURL(t)
	admin, err := pgx.Connect(ctx, u.String())
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close(ctx)
	name := fmt.Sprintf("test_%d_%d", os.Getpid(), citusSchemas.Add(1))
	if _, err := admin.Exec(ctx, "CREATE SCHEMA "+name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		admin, err := pgx.Connect(ctx, u.String())
		if err != nil {
			t.Error(err)
			return
		}
		defer admin.Close(ctx)
		if _, err := admin.Exec(ctx, "DROP SCHEMA "+name+" CASCADE"); err != nil {
			t.Error(err)
		}
	})
	in := *u
	q := in.Query()
	q.Set("search_path", name)
	in.RawQuery = q.Encode()
	if err := migrated(t, in.String()).Close(); err != nil {
		t.Fatal(err)
	}
	psql := exec.Command("psql", "-X", "-q", "-f", filepath.Join("..", "..", "..", "deploy", "citus", "distribute.sql"), u.String())
	psql.Env = append(os.Environ(), "PGOPTIONS=-c search_path="+name+" -c citus.shard_count=4")
	if out, err := psql.CombinedOutput(); err != nil {
		t.Fatalf("distribute.sql: %v: %s", err, out)
	}
	return in.String()
}

func TestContractOnCitus(t *testing.T) {
	citusURL(t)
	sequences(t, 3)
	storetest.Run(t, func(t *testing.T) storetest.Opener {
		address := distributed(t)
		return func(now func() time.Time) store.Store {
			t.Helper()
			return openedWith(t, Config{URL: address, Now: now})
		}
	})
}

// Each of two transactions reads what the other one writes, and both have written
// before the first one commits. So the node refuses the second one at its commit,
// which the coordinator reports as an internal error.
func TestOnCitusATransactionRefusedAtItsCommitRunsAgain(t *testing.T) {
	t.Parallel()
	url := distributed(t)
	var written, done sync.WaitGroup
	written.Add(2)
	var repeats atomic.Uint64
	for n, keys := range [][2]string{{"a", "b"}, {"b", "a"}} {
		s := opened(t, url) // two processes: they have no turns in common
		done.Go(func() {
			once := sync.OnceFunc(func() { written.Done(); written.Wait() })
			defer once()
			err := s.Update(t.Context(), func(tx store.Tx) error {
				if _, err := tx.KeysUsed("account", []string{keys[0]}); err != nil {
					return err
				}
				err := tx.NoteKeyUse("account", keys[1], tx.Now())
				once()
				return err
			})
			if err != nil {
				t.Errorf("transaction %d: %v", n, err)
			}
			repeats.Add(s.Stats().Repeats)
		})
	}
	done.Wait()
	if repeats.Load() == 0 {
		t.Error("neither transaction ran again")
	}
}

func TestOnCitusAccountsAreOnTheNodesThatTheStoreComputes(t *testing.T) {
	t.Parallel()
	s := opened(t, distributed(t))
	if s.citus == nil || s.citus.nodes < 2 {
		t.Fatalf("the store knows of %+v", s.citus)
	}
	for range 50 {
		id := domain.NewID()
		group := query(t, s, `
			SELECT CAST(p.groupid AS TEXT) FROM pg_catalog.pg_dist_placement p
			WHERE p.shardid = get_shard_id_for_distribution_column('attempts', $1)`, id)
		first := query(t, s, `
			SELECT CAST(p.groupid AS TEXT) FROM pg_catalog.pg_dist_shard s JOIN pg_catalog.pg_dist_placement p ON p.shardid = s.shardid
			WHERE s.logicalrelid = to_regclass('attempts') ORDER BY CAST(s.shardminvalue AS BIGINT) LIMIT 1`)
		if len(group) != 1 || len(first) != 1 {
			t.Fatal(group, first)
		}
		if (group[0] == first[0]) != (s.citus.node(id) == 0) {
			t.Errorf("account %s is in group %s (the first is %s), but the store computed node %d", id, group[0], first[0], s.citus.node(id))
		}
	}
}

// A version that never frees plans is not used directly.
func TestOnCitusAnUpdateOfAnAccountGoesToItsNode(t *testing.T) {
	t.Parallel()
	address := distributed(t)
	s, central := opened(t, address), opened(t, address)
	central.citus.direct = nil
	want := !leaksPlans(query(t, s, "SELECT citus_version()")[0])
	for range 20 {
		var runs []bool
		err := s.update(t.Context(), func(tx *tx) error {
			direct, err := add(tx, domain.NewID())
			runs = append(runs, direct)
			return err
		})
		if err != nil || len(runs) != 1 || runs[0] != want {
			t.Fatalf("%v, on direct connections: %v", err, runs)
		}
	}
	var runs []bool
	err := s.update(t.Context(), func(tx *tx) error { // the setting is on the coordinator
		direct, err := add(tx, "of a setting")
		runs = append(runs, direct)
		if err != nil {
			return err
		}
		return tx.PutSettingLater("name", []byte("value"))
	})
	if got := query(t, central, "SELECT name FROM setting WHERE name = 'name'"); err != nil || len(got) != 1 || runs[0] != want || runs[len(runs)-1] {
		t.Errorf("%v, on direct connections: %v, settings: %v", err, runs, got)
	}
	wantNoneLost(t, s, central)
	lent, err := s.citus.direct[0].pool.Acquire(t.Context())
	if err != nil || !want {
		return // a version that is refused
	}
	defer lent.Release()
	group := s.citus.groups[0]
	check := func(group int64, ahead time.Duration, want string) {
		t.Helper()
		s.ahead.Store(int64(ahead))
		if err := s.checkNode(t.Context(), lent.Conn(), group); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	check(group, 0, "")
	check(group+1, 0, "node group")
	check(group, time.Minute, "clock differs from the coordinator's by -1m0s")
	if dead, err := s.DeadNodes(t.Context()); err != nil || dead != nil || s.citus.direct[0].gone.Load() {
		t.Errorf("%v, %v", dead, err)
	}
}
