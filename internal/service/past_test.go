package service

import (
	"errors"
	"strings"
	"testing"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/rollback"
	"strongroom/internal/store"
	"strongroom/internal/store/postgres"
	"strongroom/internal/store/postgres/pgtest"
)

// yesterday is a transaction whose clock is a day behind.
type yesterday struct{ store.Tx }

func (tx yesterday) Now() time.Time { return tx.Tx.Now().Add(-24 * time.Hour) }

// past begins the chains of processes that ended a day ago, and returns one of them.
// Their names come before those of running processes.
func (v *instance) past(processes, writers int) (chain string) {
	v.t.Helper()
	for range processes {
		ended := audit.Trail{Chain: "0" + domain.NewID(), Shared: true, Key: v.keys}
		if err := v.store.Update(v.ctx, func(tx store.Tx) error { return ended.Join(yesterday{tx}, writers) }); err != nil {
			v.t.Fatal(err)
		}
		chain = ended.Of(0)
	}
	return chain
}

// After a year of weekly deployments, the trail has tens of thousands of chains of
// processes that ended.
func TestChainsOfEndedProcessesCostFewStatements(t *testing.T) {
	if testing.Short() {
		t.Skip("the short form runs on SQLite only")
	}
	pgtest.Shared(t) // or skip
	v, _ := withCheckpoints(t, &kept{}, time.Minute)
	v.toPostgreSQL()
	v.issue("phone")
	work := func(v *instance) (statements, read int64) {
		st, checkpoints := v.store.(*postgres.Store), v.Checkpointer()
		before, readBefore := st.Stats(), v.entriesRead()
		for range 10 { // five minutes of the work that an idle instance does
			v.clock.Advance(30 * time.Second)
			if err := v.tally.Flush(v.ctx, false); err != nil {
				t.Fatal(err)
			}
			for range 60 {
				v.look("while idle", nil)
			}
		}
		if err := v.Tie(v.ctx); err != nil {
			t.Fatal(err)
		}
		if err := checkpoints.Next(v.ctx); err != nil {
			t.Fatal(err)
		}
		statements = int64(st.Stats().Statements - before.Statements)
		st.Close()
		return statements, v.entriesRead() - readBefore
	}
	v.clock.Advance(10 * time.Minute)
	alone, _ := work(v.beside())
	v.past(200, 12)
	work(v.beside()) // folds their first entries into the metrics, once
	with, read := work(v.beside())
	// Each look reads eight of the quiet chains, in turn, with two statements for all of them.
	if with > alone+600*2 {
		t.Errorf("an idle instance ran %d statements, and %d beside the chains of ended processes", alone, with)
	}
	// Three times the heads of all chains, in two steps each: for the first look, for
	// unfolded entries and for the checkpoint. The rest is the 600 looks.
	if most := int64(60_000); read > most {
		t.Errorf("an idle instance read %d entries in five minutes, want at most %d", read, most)
	}
	if report, err := v.VerifyTrail(v.ctx, nil); err != nil || len(report.Problems) > 0 {
		t.Errorf("the trail: %v, %v", report.Problems, err)
	}
}

// entriesRead is how many entries the server has read by index, once the connections
// that read them are closed.
func (v *instance) entriesRead() (read int64) {
	v.t.Helper()
	db := v.insider().db
	for last, same := int64(-1), 0; same < 10; time.Sleep(50 * time.Millisecond) {
		if err := db.QueryRow("SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'audit_log'").Scan(&read); err != nil {
			v.t.Fatal(err)
		}
		if same++; read != last {
			last, same = read, 0
		}
	}
	return read
}

// A chain that has not moved for long is followed again soon after it moves.
func TestAQuietChainThatMovesIsFollowed(t *testing.T) {
	v, w := openTwo(t)
	key := v.issue("phone")
	v.setPIN(key, "1357")
	v.expect("verify", v.verifyPIN(key, "1357"), "true")
	v.past(100, 12)
	v.clock.Advance(time.Hour)
	w.look("at the start", nil)
	v.look("at the start", nil)
	kept := v.insider().read("SELECT * FROM attempts WHERE @pin")
	v.expect("a guess", v.verifyPIN(key, "0000"), "false")
	for range 60 {
		w.look("after a guess at the other", nil)
	}
	v.insider().put("attempts", kept)
	w.refusesEverything(key)
}

// An ended process cannot detect that its chain was cut off. Others look it up now and
// then.
func TestAnEndedChainThatWasCutOffIsDetected(t *testing.T) {
	v := openVault(t, func(c *Config) { c.Writers = max(c.Writers, 2) })
	cut := v.past(20, 12)
	w := v.beside()
	w.look("at the start", nil)
	for range 35 {
		w.look("while all chains are there", nil)
	}
	v.insider().write("DELETE FROM audit_log WHERE chain = $1", cut)
	for range 35 {
		if err := w.guard.Look(w.ctx); errors.Is(err, rollback.ErrSeen) {
			return
		}
	}
	t.Error("35 looks at 240 chains did not detect that one is gone")
}

// After another process ended, an instance runs alone. It does not read the entries of the
// ended process again, but it detects missing entries and restored counters.
func TestAnIdleInstanceChecksRecentlyEndedChains(t *testing.T) {
	for name, edit := range map[string]func(w *instance, key domain.KeyPair, look func(want error)){
		"the verdicts of the ended process are cut off": func(w *instance, _ domain.KeyPair, _ func(error)) {
			instance, _, _ := strings.Cut(w.chains.Of(0), "/")
			w.insider().write("DELETE FROM audit_verdict WHERE chain IN (SELECT number FROM audit_chain WHERE name LIKE $1)", instance+"/%")
		},
		"a counter is restored to its value before the other process changed it": func(w *instance, key domain.KeyPair, look func(error)) {
			kept := w.insider().read("SELECT * FROM attempts WHERE @pin")
			w.expect("a guess", w.verifyPIN(key, "0000"), "false")
			look(nil)
			w.insider().put("attempts", kept)
		},
	} {
		t.Run(name, func(t *testing.T) {
			v, w := followers(t)
			key := v.issue("phone")
			w.expect("verify", w.verifyPIN(key, "1357"), "true")
			v.beginBeats()
			for range 3 { // until it is sure to be alone
				v.clock.Advance(2 * time.Second)
				v.beat(nil)
			}
			look := func(want error) {
				for range 3 { // glances that do not look
					v.glance(nil)
				}
				v.glance(want)
			}
			look(nil)
			edit(w, key, look)
			look(rollback.ErrSeen)
		})
	}
}
