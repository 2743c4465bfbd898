package postgres

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/postgres/pgtest"
	"strongroom/internal/store/sqltx"
)

func TestEachMonthHasAPartitionOfItsOwn(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]string{
		"2024-12-31T23:59:59Z": firstPartition, "2025-01-01T00:00:00Z": "audit_verdict_2025_01",
		"2026-11-30T23:59:59-01:00": "audit_verdict_2026_12", "2099-12-31T00:00:00Z": "audit_verdict_2099_12",
	} {
		p := monthOf(must(time.Parse(time.RFC3339, at)))
		least, end := p.numbers()
		if got, is := partitionNamed(p.name()); p.name() != want || !is || got.name() != want {
			t.Errorf("%s: the partition is %s, and its name gives %v, %t", at, p.name(), got, is)
		}
		if partitionOf(least).name() != want || partitionOf(end-1).name() != want || partitionOf(end).name() == want || end-1 > 1<<31-1 {
			t.Errorf("%s: the numbers %d to %d", at, least, end)
		}
	}
	for _, name := range []string{"audit_verdict_2026_13", "audit_verdict_2024_12", "audit_verdict_", "audit_verdict_2026_1", "audit_log"} {
		if _, is := partitionNamed(name); is {
			t.Errorf("%s is accepted as the name of a partition", name)
		}
	}
}

// The clock of the server is ten years ahead when a process starts.
func TestAClockThatIsAheadDoesNotMoveChainsToALaterPartition(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	s := openedWith(t, Config{URL: migratedDatabase(t), Log: slog.New(slog.NewTextHandler(&log, nil))})
	begin := func(chain string) string {
		err := s.update(t.Context(), func(tx *tx) error {
			tx.now = tx.Now().AddDate(10, 0, 0)
			return tx.NumberChain(chain)
		})
		if err != nil {
			t.Fatal(err)
		}
		partitions(t, s)
		return partitionOf(must(strconv.ParseInt(query(t, s, "SELECT CAST(number AS TEXT) FROM audit_chain WHERE name = '"+chain+"'")[0], 10, 64))).name()
	}
	if got, want := begin("a"), monthOf(time.Now()).name(); got != want || log.Len() > 0 {
		t.Errorf("the chain is in %s, want %s, and the log %q", got, want, log.String())
	}
	s.now = func() time.Time { return time.Now().AddDate(10, 0, 0) } // this machine's clock is ahead too
	ahead := begin("b")
	s.now = nil
	if got := begin("c"); got != ahead || !strings.Contains(log.String(), "one by one\" partition="+ahead) {
		t.Errorf("the next chain is in %s, want %s, and the log %q", got, ahead, log.String())
	}
}

// monthly returns a store with the chain a, which began in January, and the chain b, which
// began in March. Each has three verdicts. newest has the newest entry of each.
func monthly(t *testing.T) (s *Store, url string, newest map[string]domain.Entry) {
	url = migratedDatabase(t)
	s, newest = monthlyAt(t, url)
	return s, url, newest
}

func monthlyAt(t *testing.T, url string) (s *Store, newest map[string]domain.Entry) {
	t.Helper()
	newest = map[string]domain.Entry{}
	now := must(time.Parse(time.RFC3339, "2027-01-15T00:00:00Z"))
	s = openedWith(t, Config{URL: url, Now: func() time.Time { return now }})
	s.verdicts.form.Store(store.ShortForm)
	for _, chain := range []string{"a", "b"} {
		for seq := range int64(4) {
			e := domain.Entry{Chain: chain, Seq: 1, Event: domain.EventChainBegun, Outcome: "ok", Count: 1, Hash: []byte{1}, Time: now}
			if seq > 0 {
				prev := newest[chain].Hash
				e = verdictOf(chain, seq+1)
				e.Prev = prev
			}
			if err := s.Update(t.Context(), func(tx store.Tx) error { return tx.InsertEntry(e) }); err != nil {
				t.Fatal(err)
			}
			newest[chain] = e
		}
		now = now.AddDate(0, 2, 0)
	}
	return s, newest
}

// drop moves what stays and drops the partition, as a prune does it.
func drop(t *testing.T, s *Store, gone store.Partition, upTo map[string]int64, moved time.Duration) (dropped bool, err error) {
	t.Helper()
	err = s.Update(t.Context(), func(tx store.Tx) error { dropped, err = tx.MoveNext(gone, upTo); return err })
	if err != nil || !dropped {
		return false, err
	}
	err = s.Update(t.Context(), func(tx store.Tx) error {
		dropped, err = tx.DropPartition(gone, upTo, moved)
		return err
	})
	return dropped, err
}

func partitions(t *testing.T, s *Store) (all []store.Partition) {
	t.Helper()
	if err := s.View(t.Context(), func(tx store.Tx) (err error) { all, err = tx.Partitions(); return err }); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestVerdictsWithoutAChainAreFoundInEveryPartition(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	s, url, _ := monthly(t)
	for want, statement := range []string{"SELECT 1", "UPDATE audit_chain SET number = number + 100 WHERE name = 'b'", "DELETE FROM audit_chain"} {
		run(t, url, statement)
		var found []int64
		if err := s.View(t.Context(), func(tx store.Tx) (err error) { found, err = tx.UnnamedVerdicts(9); return err }); err != nil {
			t.Fatal(err)
		}
		if len(found) != want || !slices.IsSorted(found) {
			t.Errorf("%s: found %d, want %d numbers in order", statement, found, want)
		}
	}
}

func TestAChainThatWouldGetTooHighANumberIsRefused(t *testing.T) {
	t.Parallel()
	s, url, _ := monthly(t)
	run(t, url, "UPDATE audit_chain SET number = 2147483647 WHERE name = 'a'")
	err := s.Update(t.Context(), func(tx store.Tx) error { return tx.NumberChain("next") })
	if err == nil || !strings.Contains(err.Error(), "run strongroom audit verify") {
		t.Errorf("a chain after the highest number: %v", err)
	}
	if err := s.Update(t.Context(), func(tx store.Tx) error { return tx.NumberChain("b") }); err != nil {
		t.Errorf("a chain that has a number: %v", err)
	}
}

func TestAPartitionIsDroppedOnlyIfNoVerdictMustStay(t *testing.T) {
	t.Parallel()
	s, url, newest := monthly(t)
	all := partitions(t, s)
	if len(all) != 2 || all[0].Name != firstPartition || all[1].Name != "audit_verdict_2027_01" || !slices.Equal(all[1].Chains, []string{"a"}) {
		t.Fatalf("the partitions are %+v, want the first one and that of January", all)
	}
	for what, upTo := range map[string]map[string]int64{"of an unknown chain": {}, "of which two stay": {"a": 2}} {
		if dropped, err := drop(t, s, all[1], upTo, time.Hour); dropped || err != nil {
			t.Errorf("a partition %s: dropped %t, %v", what, dropped, err)
		}
	}
	other := must(pgx.Connect(t.Context(), url))
	defer other.Close(context.Background())
	begin := func(query string) (end func()) {
		tx := must(other.Begin(t.Context()))
		if _, err := tx.Exec(t.Context(), query); err != nil {
			t.Fatal(err)
		}
		return func() { _ = tx.Rollback(context.Background()) }
	}
	run(t, url, "UPDATE audit_verdict SET data = set_byte(data, 76, get_byte(data, 76) + 128) WHERE seq = 4")
	if dropped, err := drop(t, s, all[1], map[string]int64{"a": 3}, time.Hour); dropped || !errors.Is(err, sqltx.ErrEditedVerdict) {
		t.Errorf("a partition whose next verdict was edited: dropped %t, %v", dropped, err)
	}
	run(t, url, "UPDATE audit_verdict SET data = set_byte(data, 76, get_byte(data, 76) - 128) WHERE seq = 4")
	end := begin("SELECT 1")
	if dropped, err := drop(t, s, all[1], map[string]int64{"a": 3}, 0); dropped || !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("beside a transaction that began earlier: dropped %t, %v", dropped, err)
	}
	end()
	end = begin("SELECT count(*) FROM audit_verdict")
	start := time.Now()
	if dropped, err := drop(t, s, all[1], map[string]int64{"a": 3}, time.Hour); dropped || !errors.Is(err, store.ErrUnavailable) || time.Since(start) > lockTimeout {
		t.Errorf("beside one that reads the table: dropped %t, %v", dropped, err)
	}
	end()
	if dropped, err := drop(t, s, all[1], map[string]int64{"a": 3}, time.Hour); !dropped || err != nil {
		t.Fatalf("dropped %t, %v", dropped, err)
	}
	if left := partitions(t, s); len(left) != 1 {
		t.Errorf("the partitions are %+v", left)
	}
	err := s.View(t.Context(), func(tx store.Tx) error {
		for chain, want := range newest {
			if got, err := tx.LastEntry(chain); err != nil || string(got.Canonical()) != string(want.Canonical()) || string(got.Hash) != string(want.Hash) {
				t.Errorf("the newest entry of %s is %+v, %v", chain, got, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// following appends a verdict to a chain as a process does that remembers its newest entry.
func following(ctx context.Context, s *Store, newest map[string]domain.Entry, chain string) error {
	e := verdictOf(chain, newest[chain].Seq+1)
	e.Prev = newest[chain].Hash
	err := s.Update(ctx, func(tx store.Tx) error {
		return tx.WriteBatch(store.Batch{Entries: []domain.Entry{e}, HeadUnread: true})
	})
	if err == nil {
		newest[chain] = e
	}
	return err
}

// A process that was paused for months gives a verdict just then.
func TestAVerdictWrittenDuringAPartitionDropIsKept(t *testing.T) {
	t.Parallel()
	for _, first := range []bool{false, true} {
		s, url, newest := monthly(t)
		all := partitions(t, s)
		gone := all[1]
		if gone.Name == firstPartition || all[0].Name != firstPartition {
			t.Fatalf("the partitions are %+v", all)
		}
		if first { // the chain began before there were partitions
			run(t, url, "UPDATE audit_verdict SET chain = 1 WHERE chain = (SELECT number FROM audit_chain WHERE name = 'a')",
				"UPDATE audit_chain SET number = 1 WHERE name = 'a'")
			gone = all[0]
			s = opened(t, url)
		}
		paused := opened(t, url)
		paused.verdicts.form.Store(store.ShortForm)
		runs, dropped, upTo := 0, false, map[string]int64{"a": 3}
		err := s.Update(t.Context(), func(tx store.Tx) error { _, err := tx.MoveNext(gone, upTo); return err })
		if err != nil {
			t.Fatal(err)
		}
		err = s.Update(t.Context(), func(tx store.Tx) (err error) {
			if runs++; runs == 1 {
				tx.Now() // takes the snapshot
				if err := following(t.Context(), paused, newest, "a"); err != nil {
					return err
				}
			}
			dropped, err = tx.DropPartition(gone, upTo, time.Hour)
			return err
		})
		if err != nil || dropped || runs != 2 {
			t.Errorf("%s: dropped %t in %d runs, %v", gone.Name, dropped, runs, err)
		}
		if n := query(t, s, "SELECT CAST(count(*) AS TEXT) FROM audit_verdict"); !slices.Equal(n, []string{"6"}) {
			t.Errorf("%s: %s verdicts are left, want those of b, the new one and two", gone.Name, n)
		}
	}
}

func TestAViewOfAPartitionIsNamedAsTheCause(t *testing.T) {
	t.Parallel()
	s, url, _ := monthly(t)
	gone := partitions(t, s)[1]
	run(t, url, "CREATE VIEW mine AS SELECT * FROM "+gone.Name)
	if dropped, err := drop(t, s, gone, map[string]int64{"a": 4}, time.Hour); dropped || err == nil || !strings.Contains(err.Error(), "a view or another object") {
		t.Errorf("dropped %t, %v", dropped, err)
	}
}

// Its snapshot is newer than the statements and older than the drop.
func TestATransactionDuringAPartitionDropFindsTheNewestEntry(t *testing.T) {
	t.Parallel()
	s, _, newest := monthly(t)
	gone, upTo := partitions(t, s)[1], map[string]int64{"a": 3}
	err := s.Update(t.Context(), func(tx store.Tx) error {
		dropped, err := tx.DropPartition(gone, upTo, time.Hour)
		if dropped {
			t.Error("the partition was dropped with an entry that stays")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Update(t.Context(), func(tx store.Tx) error { _, err := tx.MoveNext(gone, upTo); return err })
	if err != nil {
		t.Fatal(err)
	}
	err = s.View(t.Context(), func(tx store.Tx) error {
		tx.Now()
		err := s.Update(t.Context(), func(tx store.Tx) error {
			dropped, err := tx.DropPartition(gone, upTo, time.Hour)
			if err == nil && !dropped {
				err = errors.New("not dropped")
			}
			return err
		})
		if err != nil {
			return err
		}
		got, err := tx.LastEntry("a")
		if err == nil && got.Seq != newest["a"].Seq {
			t.Errorf("the newest entry is %d, want %d", got.Seq, newest["a"].Seq)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A process that was paused until its partition was dropped continues without it.
func TestAPausedProcessContinuesAfterItsPartitionIsDropped(t *testing.T) {
	t.Parallel()
	s, url, newest := monthly(t)
	paused := opened(t, url)
	paused.verdicts.form.Store(store.ShortForm)
	if err := following(t.Context(), paused, newest, "a"); err != nil { // and remembers the number
		t.Fatal(err)
	}
	gone := partitions(t, s)[1]
	dropped, err := drop(t, s, gone, map[string]int64{"a": 4}, time.Hour)
	if !dropped {
		t.Error("the partition was not dropped")
	}
	for range 2 {
		err = errors.Join(err, following(t.Context(), paused, newest, "a"))
	}
	if err != nil {
		t.Fatal(err)
	}
	err = s.View(t.Context(), func(tx store.Tx) error {
		got, err := tx.LastEntry("a")
		if err == nil && (got.Seq != 7 || !bytes.Equal(got.Hash, newest["a"].Hash)) {
			t.Errorf("the newest entry is %+v", got)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// Another chain may get the number that a failed transaction assigned.
func TestChainNumbersOfFailedTransactionsAreNotRemembered(t *testing.T) {
	t.Parallel()
	s, _, newest := monthly(t)
	begin := func(chain string, also func(store.Tx) error) error {
		e := domain.Entry{Chain: chain, Seq: 1, Event: domain.EventChainBegun, Outcome: "ok", Count: 1, Hash: []byte(chain), Time: time.Now()}
		newest[chain] = e
		return s.Update(t.Context(), func(tx store.Tx) error { return errors.Join(tx.InsertEntry(e), also(tx)) })
	}
	failed := errors.New("failed")
	err := begin("c", func(tx store.Tx) error {
		e := verdictOf("c", 2)
		e.Prev = newest["c"].Hash
		return errors.Join(tx.WriteBatch(store.Batch{Entries: []domain.Entry{e}, HeadUnread: true}), failed)
	})
	wantError(t, err, failed)
	nothing := func(store.Tx) error { return nil }
	if err := errors.Join(begin("d", nothing), begin("c", nothing), following(t.Context(), s, newest, "c")); err != nil {
		t.Fatal(err)
	}
	is := query(t, s, "SELECT c.name FROM audit_verdict v JOIN audit_chain c ON c.number = v.chain WHERE c.name NOT IN ('a', 'b')")
	if !slices.Equal(is, []string{"c"}) {
		t.Errorf("the verdict of c is one of %q", is)
	}
}

func TestProcessesCanBeginAMonthAtOnce(t *testing.T) {
	t.Parallel()
	url := migratedDatabase(t)
	s := opened(t, url)
	count := func(what string) string { return query(t, s, "SELECT CAST(count(*) AS TEXT) FROM "+what)[0] }
	var group sync.WaitGroup
	for n := range 8 {
		s := opened(t, url)
		group.Go(func() {
			e := domain.Entry{Chain: strconv.Itoa(n), Seq: 1, Event: domain.EventChainBegun, Outcome: "ok", Count: 1, Hash: []byte{1}, Time: time.Now()}
			if err := s.Update(t.Context(), func(tx store.Tx) error { return tx.InsertEntry(e) }); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if n := count("audit_chain"); n != "8" {
		t.Errorf("%s chains, want 8", n)
	}
	if n := count("pg_inherits WHERE inhparent = 'audit_verdict'::regclass"); n != "2" {
		t.Errorf("%s partitions, want that of the migration and one", n)
	}
}

// Two services can share a database, each with a schema of its own.
func TestPartitionsOfAnotherSchemaAreLeftAlone(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	other, url, _ := monthly(t)
	run(t, url, `CREATE SCHEMA "Blue"`)
	url += "&search_path=%22Blue%22,public"
	_ = migrated(t, url).Close()
	s, _ := monthlyAt(t, url)
	gone := partitions(t, s)[1]
	for range 2 { // another prune does the same
		if _, err := drop(t, s, gone, map[string]int64{"a": 4}, time.Hour); err != nil {
			t.Error(err)
		}
	}
	if n := query(t, other, "SELECT CAST(count(*) AS TEXT) FROM audit_verdict"); !slices.Equal(n, []string{"6"}) {
		t.Errorf("%s verdicts are left of 6 in the other schema", n)
	}
	if n := query(t, s, "SELECT CAST(count(*) AS TEXT) FROM audit_verdict"); !slices.Equal(n, []string{"3"}) {
		t.Errorf("%s verdicts are left of 3", n)
	}
}

// Rows of a copy can be of any month.
func TestACopyMakesThePartitionsOfItsRows(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	source, url, _ := monthly(t)
	run(t, url, "DELETE FROM audit_verdict WHERE chain = (SELECT number FROM audit_chain WHERE name = 'b')")
	target := migrated(t, pgtest.Database(t))
	for _, table := range store.Tables {
		if table.Name != "audit_verdict" && table.Name != "audit_chain" {
			continue
		}
		put(t, target, store.CopyMark, "1")
		var rows []store.Row
		err := source.EachRow(t.Context(), table, nil, func(r store.Row) error {
			row := make(store.Row, len(r))
			for i, v := range r {
				row[i] = bytes.Clone(v)
			}
			rows = append(rows, row)
			return nil
		})
		if err == nil {
			err = target.AddRows(t.Context(), table, rows, []byte("1"), nil)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := partitions(t, target); len(got) != 2 || got[1].Name != "audit_verdict_2027_01" {
		t.Errorf("the partitions of the copy are %+v", got)
	}
	// The next chain may get the number after that of one without verdicts.
	if got := query(t, target, "SELECT CAST(to_regclass('audit_verdict_2027_03') AS TEXT)"); got[0] == "" {
		t.Error("the chain b has a number of no partition")
	}
}
