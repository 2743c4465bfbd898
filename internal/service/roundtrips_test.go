package service

import (
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store/postgres"
	"strongroom/internal/store/postgres/pgtest"
)

// If the database server is on another machine, the round trips dominate the cost of
// an operation. docs/scaling.md has these figures.
func TestOnPostgreSQLEachOperationTakesFewRoundTrips(t *testing.T) {
	if testing.Short() {
		t.Skip("the short form runs on SQLite only")
	}
	pgtest.Shared(t) // or skip
	v := openVault(t, nil)
	v.store.Close()
	v.database = postgresDatabase(pgtest.Database(t))
	v.rootKey += "2"
	v.open()
	st := v.store.(*postgres.Store)
	count := func(do func()) postgres.Stats {
		before := st.Stats()
		do()
		after := st.Stats()
		for { // the end of a View, which no request waits for
			time.Sleep(20 * time.Millisecond)
			if now := st.Stats(); now != after {
				after = now
				continue
			}
			return postgres.Stats{Commits: after.Commits - before.Commits, Repeats: after.Repeats - before.Repeats,
				Statements: after.Statements - before.Statements, RoundTrips: after.RoundTrips - before.RoundTrips}
		}
	}
	v.issue("first") // begins this process's chains
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	ask := domain.StatusInput{KeyID: v.with(proving("A")).issue("bound").KeyID, Type: domain.TransactionPIN}
	for _, c := range []struct {
		what string
		do   func()
		want postgres.Stats
	}{
		{"existing key", func() { v.issue("phone") }, postgres.Stats{Statements: 4, RoundTrips: 1}},
		{"status", func() { _, _ = v.with(proving("A")).Status(v.with(proving("A")).ctx, ask) }, postgres.Stats{Statements: 6, RoundTrips: 3}},
		{"new key", func() { v.issue("tablet") }, postgres.Stats{Commits: 1, Statements: 15, RoundTrips: 3}},
		{"set", func() { v.setPIN(k, "8303") }, postgres.Stats{Commits: 1, Statements: 9, RoundTrips: 2}},
		{"right verify", func() { v.expect("verify", v.verifyPIN(k, "8303"), "true") }, postgres.Stats{Commits: 2, Statements: 14, RoundTrips: 4}},
		{"wrong verify", func() { v.expect("verify", v.verifyPIN(k, "1111"), "false") }, postgres.Stats{Commits: 2, Statements: 14, RoundTrips: 4}},
	} {
		if got := count(c.do); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
	}
}
