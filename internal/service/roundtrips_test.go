package service

import (
	"context"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
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
	v, count := countedVault(t)
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
		{"new key", func() { v.issue("tablet") }, postgres.Stats{Commits: 1, Statements: 16, RoundTrips: 3}},
		{"set", func() { v.setPIN(k, "8303") }, postgres.Stats{Commits: 1, Statements: 9, RoundTrips: 2}},
		{"right verify", func() { v.expect("verify", v.verifyPIN(k, "8303"), "true") }, postgres.Stats{Commits: 2, Statements: 14, RoundTrips: 4}},
		{"wrong verify", func() { v.expect("verify", v.verifyPIN(k, "1111"), "false") }, postgres.Stats{Commits: 2, Statements: 14, RoundTrips: 4}},
	} {
		if got := count(c.do); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.what, got, c.want)
		}
	}
}

// An instance that is alone and idle sends these statements every 2 s. docs/scaling.md has the cost.
func TestOnPostgreSQLAnIdleInstanceSendsFewStatements(t *testing.T) {
	if testing.Short() {
		t.Skip("the short form runs on SQLite only")
	}
	pgtest.Shared(t) // or skip
	v, count := countedVault(t)
	v.issue("phone")
	v.beginBeats()
	for range 3 { // until it is sure to be alone
		v.clock.Advance(2 * time.Second)
		v.beat(nil)
	}
	v.glance(nil)
	idle := func() {
		v.clock.Advance(2 * time.Second)
		v.beat(nil)
		reads := []func(context.Context, record.Viewer) error{v.custody.Glance, v.plans.Follow, func(ctx context.Context, view record.Viewer) error {
			_, err := v.EndKeys(ctx, view)
			return err
		}}
		var all sync.WaitGroup
		for _, read := range reads {
			all.Go(func() {
				if err := read(v.ctx, v.round.View); err != nil {
					t.Error(err)
				}
			})
		}
		v.awaitWaiting(len(reads))
		for range 4 {
			if err := v.lookAround(v.ctx); err != nil {
				t.Error(err)
			}
		}
		all.Wait()
	}
	idle() // the first glance reads the whole keyset
	want := postgres.Stats{Commits: 1, Statements: 15, RoundTrips: 4}
	if got := count(idle); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	w := v.beside()
	for i := range 5 {
		w.issue(fmt.Sprint("tablet", i))
	}
	idle() // reads what w has written
	if got := count(idle); got != want {
		t.Errorf("after another process ended: %+v, want %+v", got, want)
	}
}

// countedVault returns a vault on PostgreSQL, and a function that counts what it sends
// to the server.
func countedVault(t *testing.T) (*instance, func(do func()) postgres.Stats) {
	t.Helper()
	eachViewOnce := func(c *Config) { c.Store = c.Store.(stoppable).Store }
	v := openVault(t, eachViewOnce)
	v.toPostgreSQL()
	st := v.store.(*postgres.Store)
	settled := func() postgres.Stats { // with the end of a View, which no request waits for
		for is := st.Stats(); ; {
			time.Sleep(20 * time.Millisecond)
			now := st.Stats()
			if now == is {
				return now
			}
			is = now
		}
	}
	return v, func(do func()) postgres.Stats {
		before := settled()
		do()
		after := settled()
		return postgres.Stats{Commits: after.Commits - before.Commits, Repeats: after.Repeats - before.Repeats,
			Statements: after.Statements - before.Statements, RoundTrips: after.RoundTrips - before.RoundTrips}
	}
}

// No caller waits for the last round trip, which ends the View. So an operator waits for
// three, regardless of how much a page shows. Health is no page: it attempts a write, as
// readiness does.
func TestOnPostgreSQLOperatorsPagesTakeFewRoundTrips(t *testing.T) {
	if testing.Short() {
		t.Skip("the short form runs on SQLite only")
	}
	v, count := countedVault(t)
	var k domain.KeyPair
	for n := range 20 {
		k = v.issue(fmt.Sprint("device", n))
		v.setPIN(k, "8302")
		for range 5 {
			v.verifyPIN(k, "1111")
		}
	}
	// Only the first page after a start asks the providers of the root keys.
	if _, err := v.RootKeys(v.ctx); err != nil {
		t.Fatal(err)
	}
	page := domain.Page{Limit: 50}
	account := v.accountID(domain.ModeDevice, "", "device0")
	for what, do := range map[string]func() error{
		"devices":        func() error { _, _, err := v.Devices(v.ctx, domain.DeviceFilter{}, page); return err },
		"a key":          func() error { _, err := v.Key(v.ctx, k.KeyID); return err },
		"accounts":       func() error { _, _, err := v.Accounts(v.ctx, domain.AccountFilter{}, page); return err },
		"an account":     func() error { _, err := v.Account(v.ctx, account); return err },
		"locks":          func() error { _, _, err := v.Locks(v.ctx, page); return err },
		"the lock trend": func() error { _, err := v.LockTrend(v.ctx, 24); return err },
		"suspicions":     func() error { _, err := v.Suspicions(v.ctx); return err },
		"operations":     func() error { _, _, err := v.Operations(v.ctx, 24, 0); return err },
		"the summary":    func() error { _, err := v.Summary(v.ctx, 24); return err },
		"the trail":      func() error { _, _, _, err := v.Audit(v.ctx, domain.EntryFilter{}, page); return err },
		"an account's":   func() error { _, _, _, err := v.Audit(v.ctx, domain.EntryFilter{AccountID: account}, page); return err },
		"a device's": func() error {
			_, _, _, err := v.Audit(v.ctx, domain.EntryFilter{DeviceID: "device0"}, page)
			return err
		},
		"a rare event's": func() error {
			_, _, _, err := v.Audit(v.ctx, domain.EntryFilter{Event: domain.EventCredentialLocked}, page)
			return err
		},
		"an export":        func() error { _, err := v.ExportAudit(v.ctx, io.Discard, "", 100); return err },
		"rotation plans":   func() error { _, err := v.RotationPlans(v.ctx); return err },
		"a plan's preview": func() error { _, err := v.PreviewRotationPlan(v.ctx, domain.RotationPlan{Bits: 2048}); return err },
		"the webhook":      func() error { _, err := v.WebhookStatus(v.ctx); return err },
		"dead letters":     func() error { _, _, err := v.DeadLetters(v.ctx, domain.DeadLetterFilter{}, page); return err },
		"root keys":        func() error { _, err := v.RootKeys(v.ctx); return err },
		"data keys":        func() error { _, _, err := v.DataKeys(v.ctx); return err },
	} {
		var got postgres.Stats
		for range 5 { // something in the background can be counted too
			got = count(func() {
				if err := do(); err != nil {
					t.Errorf("%s: %v", what, err)
				}
			})
			if got.RoundTrips <= 4 {
				break
			}
		}
		if got.RoundTrips > 4 {
			t.Errorf("%s: %+v", what, got)
		}
	}
}
