package service

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store/postgres/pgtest"
	"strongroom/internal/trail"
)

// monthly returns a vault on PostgreSQL that keeps entries for a year. Its trail has
// entries of the first day and of day 40, and the process that wrote them has ended. The
// returned instance began on day 80.
func monthly(t *testing.T) (v *instance, phone domain.KeyPair) {
	pgtest.Shared(t) // or skip
	old := openVault(t, func(cfg *Config) { cfg.AuditRetention = year })
	old.toPostgreSQL()
	old.beginBeats()
	phone = old.issue("phone")
	old.setPIN(phone, "1357")
	answers := func(v *instance) {
		t.Helper()
		for range 20 { // right PINs: the answer to a wrong one would wait for a beat
			v.expect("verify", v.verifyPIN(phone, "1357"), "true")
		}
		if err := v.tally.Flush(v.ctx, true); err != nil {
			t.Fatal(err)
		}
	}
	answers(old)
	old.clock.Advance(40 * day)
	answers(old)
	if err := old.Stop(old.ctx); err != nil {
		t.Fatal(err)
	}
	old.clock.Advance(40 * day)
	v = old.beside()
	v.beginBeats()
	v.beat(nil)
	answers(v)
	return v, phone
}

// partitions returns the names of the partitions of audit_verdict, in order.
func (i insider) partitions() (names []string) {
	for _, row := range i.rows("SELECT relname::text AS name FROM pg_class JOIN pg_inherits ON oid = inhrelid WHERE inhparent = 'audit_verdict'::regclass ORDER BY relname") {
		names = append(names, fmt.Sprint(row["name"]))
	}
	return names
}

func TestRetentionDropsTheVerdictsOfAMonthAtOnce(t *testing.T) {
	v, phone := monthly(t)
	i := v.insider()
	was := i.partitions()
	if len(was) != 3 || !slices.Contains(was, "audit_verdict_before") {
		t.Fatalf("the partitions are %q, want the first one and those of two months", was)
	}
	entries := i.rows("SELECT * FROM audit_log ORDER BY chain, seq")
	pruned := func(after time.Duration) (removed int) {
		t.Helper()
		before := len(i.rows("SELECT seq FROM " + allEntries))
		v.clock.Advance(after)
		v.beat(nil)
		if err := v.PruneDue(v.ctx); err != nil {
			t.Fatal(err)
		}
		v.intact()
		said := v.events()
		if said[domain.EventPruned] > 0 {
			before += said[domain.EventPruned] + said[domain.EventChainVerified] + said[domain.EventRecordCarried]
		}
		return before - len(i.rows("SELECT seq FROM "+allEntries))
	}
	if n := pruned(year - 75*day); n != 0 { // day 370
		t.Errorf("%d entries were removed although their partition has entries that are too new", n)
	}
	if n := pruned(38 * day); n < 40 { // day 408
		t.Errorf("%d entries were removed, want those of the first process", n)
	}
	if is := i.partitions(); !slices.Equal(is, []string{was[1], was[2]}) && !slices.Equal(is, []string{was[0], was[2]}) {
		t.Errorf("the partitions were %q and are %q", was, is)
	}
	v.expect("verify", v.verifyPIN(phone, "1357"), "true")

	// A process that was killed after the drop leaves entries that are not verdicts.
	removed := func() []map[string]any {
		left := map[string]bool{}
		for _, row := range i.rows("SELECT chain, seq FROM audit_log") {
			left[fmt.Sprint(row["chain"], row["seq"])] = true
		}
		return slices.DeleteFunc(slices.Clone(entries), func(row map[string]any) bool { return left[fmt.Sprint(row["chain"], row["seq"])] })
	}
	gone := removed()
	if len(gone) < 3 {
		t.Fatalf("only %d entries of audit_log were removed", len(gone))
	}
	for n, row := range gone {
		if n%2 == 0 {
			i.put("audit_log", row)
		}
	}
	v.intact()
	v.clock.Advance(day + time.Hour)
	v.beat(nil)
	if err := v.PruneDue(v.ctx); err != nil {
		t.Fatal(err)
	}
	v.intact()
	if n := len(gone) - len(removed()); n != 0 {
		t.Errorf("the prune did not remove %d of the entries that an earlier one left", n)
	}
}

func TestEntriesWaitForTheirPartitionForAMonthAtMost(t *testing.T) {
	v, _ := monthly(t)
	i := v.insider()
	v.clock.Advance(year - 46*day) // day 399: the entries of day 40 are too new
	v.beat(nil)
	if err := v.PruneDue(v.ctx); err != nil {
		t.Fatal(err)
	}
	v.intact()
	if n := len(i.rows("SELECT seq FROM audit_verdict")); n != 60-20-1 { // the first one that stays is in audit_log
		t.Errorf("%d of 60 verdicts are left in audit_verdict, want all but the 20 of the first day and one", n)
	}
	if is := i.partitions(); len(is) != 3 {
		t.Errorf("the partitions are %q", is)
	}
}

// A prune by hand removes entries immediately, and drops partitions from which no entry
// must stay.
func TestAManualPruneDoesNotWaitForAPartition(t *testing.T) {
	v, phone := monthly(t)
	i := v.insider()
	v.clock.Advance(100 * day)
	v.beat(nil)
	v.expect("verify", v.verifyPIN(phone, "1357"), "true")
	if err := v.tally.Flush(v.ctx, true); err != nil {
		t.Fatal(err)
	}
	done, err := v.PruneTrail(v.ctx, trail.Pruning{OlderThan: 90 * day, Reason: "by hand"})
	if err != nil || done.Dropped != 1 {
		t.Fatalf("pruned %+v, %v", done, err)
	}
	v.intact()
	if n := v.events()[domain.EventCredentialVerified]; n > 3 {
		t.Errorf("%d verdicts are left, want the newest of each chain", n)
	}
	if is := i.partitions(); len(is) != 2 {
		t.Errorf("the partitions are %q", is)
	}
}

// A process that has written nothing for a year can still append to its chains.
func TestThePartitionOfARunningProcessStays(t *testing.T) {
	v, phone := monthly(t)
	v.clock.Advance(40 * day)
	w := v.beside()
	w.beginBeats()
	for range 2 {
		w.beat(nil)
		v.beat(nil)
	}
	v.clock.Advance(year + 40*day)
	for range 2 {
		v.beat(nil)
		w.beat(nil)
	}
	if err := w.PruneDue(w.ctx); err != nil {
		t.Fatal(err)
	}
	w.intact()
	if is := v.insider().partitions(); len(is) != 3 {
		t.Errorf("the partitions are %q, want that of the running process, the newest and the first", is)
	}
	v.expect("verify", v.verifyPIN(phone, "1357"), "true")
}

// Such a transaction may not know which entries are gone, or where those are that stay.
func TestADropWaitsForTransactionsThatBeganBefore(t *testing.T) {
	v, phone := monthly(t)
	i := v.insider()
	v.clock.Advance(100 * day)
	v.beat(nil)
	v.expect("verify", v.verifyPIN(phone, "1357"), "true")
	if err := v.tally.Flush(v.ctx, true); err != nil {
		t.Fatal(err)
	}
	was := i.partitions()
	tx, err := i.db.BeginTx(v.ctx, nil)
	if err == nil {
		_, err = tx.Exec("SELECT 1")
	}
	if err != nil {
		t.Fatal(err)
	}
	var is []string
	var beside sync.WaitGroup
	beside.Go(func() {
		time.Sleep(3 * time.Second)
		is = i.partitions()
		_ = tx.Rollback()
	})
	done, err := v.PruneTrail(v.ctx, trail.Pruning{OlderThan: 90 * day, Reason: "by hand"})
	beside.Wait()
	if err != nil || done.Dropped != 1 || !slices.Equal(is, was) {
		t.Errorf("pruned %+v, %v; the partitions were %q, and %q beside a transaction that began before", done, err, was, is)
	}
	v.intact()
}
