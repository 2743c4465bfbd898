package service

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/rollback"
	"strongroom/internal/store"
	"strongroom/internal/trail"
)

// before is what an insider has kept of the phone's PIN and of the trail.
type before struct {
	insider
	rows  map[string]map[string]any // by table
	heads []map[string]any
}

func (i insider) keep(tables ...string) before {
	b := before{insider: i, rows: map[string]map[string]any{}, heads: i.rows("SELECT chain, max(seq) AS seq FROM " + allEntries + " GROUP BY chain")}
	for _, table := range tables {
		b.rows[table] = i.read("SELECT * FROM " + table + " WHERE @pin")
	}
	return b
}

// putBack puts the rows back and cuts off the entries that the trail got since.
func (b before) putBack() {
	for table, row := range b.rows {
		b.put(table, row)
	}
	for _, head := range b.heads {
		b.cut(head["chain"], head["seq"])
	}
}

func TestRestoredAttemptCountersAreDetected(t *testing.T) {
	v := tamperable(t)
	key := v.issue("phone")
	kept := v.insider().keep("attempts")
	v.expect("a guess", v.verifyPIN(key, "0000"), "false")
	kept.putBack()
	v.expect("a guess that was put back", v.verifyPIN(key, "0000"), "INTERNAL")
	v.refusesEverything(key)
	v.kill() // an operator's restart
	v.expect("after a restart", v.verifyPIN(key, "1357"), "true")
}

// refusesEverything: nothing is answered or changed any more, and the rollback is reported.
func (v *instance) refusesEverything(key domain.KeyPair) {
	v.t.Helper()
	v.expect("the right PIN", v.verifyPIN(key, "1357"), "INTERNAL")
	v.expect("set", v.setPIN(key, "9753"), "INTERNAL")
	_, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: "another"})
	v.expect("a new key", word(true, err), "INTERNAL")
	if err := v.unlock(v.ctx, "phone", domain.TransactionPIN, "reason"); err == nil {
		v.t.Error("an operator's act was done")
	}
	if err := v.Ready(v.ctx); !errors.Is(err, rollback.ErrSeen) {
		v.t.Errorf("ready: %v", err)
	}
	if v.cfg.Metrics.Tampered() == 0 {
		v.t.Error("no metric counts it")
	}
	recorded := false
	v.eachEntry(func(e domain.Entry) {
		recorded = recorded || e.Event == domain.EventTamperingSeen && e.Outcome == "rolled back"
	})
	if !recorded {
		v.t.Error("the trail does not record it")
	}
}

// A restored row or entry of each kind is detected by the next request that
// reads it or, if none does, by the look that the process takes by itself.
func TestEveryRestoredRowIsDetected(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(*instance, domain.KeyPair, insider)
	}{
		{"an attempt counter", func(v *instance, k domain.KeyPair, i insider) {
			kept := i.read("SELECT * FROM attempts WHERE @pin")
			v.verifyPIN(k, "0000")
			i.put("attempts", kept)
		}},
		{"an attempt counter that did not exist yet", func(v *instance, _ domain.KeyPair, i insider) {
			v.verifyPIN(v.issue("tablet"), "0000")
			i.write("DELETE FROM attempts WHERE account_id = @tablet")
		}},
		{"a credential", func(v *instance, k domain.KeyPair, i insider) {
			kept := i.read("SELECT * FROM credential WHERE @pin")
			v.setPIN(k, "9753")
			i.put("credential", kept)
		}},
		{"a deleted credential", func(_ *instance, _ domain.KeyPair, i insider) {
			i.write("DELETE FROM credential WHERE @pin")
		}},
		{"a rotated key", func(v *instance, _ domain.KeyPair, i insider) {
			kept := i.read("SELECT * FROM device_key WHERE account_id = @phone")
			v.rotate("phone")
			i.write("DELETE FROM device_key WHERE account_id = @phone AND state = 'active'")
			i.put("device_key", kept)
		}},
		{"the trail", func(v *instance, k domain.KeyPair, i insider) {
			v.verifyPIN(k, "1357")
			i.write("DELETE FROM audit_verdict")
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := tamperable(t)
			key := v.issue("phone")
			tt.do(v, key, v.insider())
			if err := v.guard.Look(v.ctx); !errors.Is(err, rollback.ErrSeen) {
				t.Errorf("a look: %v", err)
			}
			v.refusesEverything(key)
		})
	}
}

// A running process looks for rollbacks regularly, even without a request for the
// restored rows.
func TestARunningProcessDetectsARollbackWithoutARequest(t *testing.T) {
	for name, change := range map[string]func(*instance, domain.KeyPair) error{
		"of a row that it wrote": func(v *instance, k domain.KeyPair) error {
			v.expect("a guess", v.verifyPIN(k, "0000"), "false")
			return nil
		},
		"of a row that a command erased": func(v *instance, _ domain.KeyPair) error { return v.beside().erase("phone", "reason") },
	} {
		t.Run(name, func(t *testing.T) {
			v := tamperable(t)
			key := v.issue("phone")
			kept := v.insider().keep("attempts")
			if err := change(v, key); err != nil {
				t.Fatal(err)
			}
			kept.put("attempts", kept.rows["attempts"])
			v.Start()
			for deadline := time.Now().Add(time.Minute); !v.guard.Seen(); time.Sleep(10 * time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatal("the restored row was not detected")
				}
			}
			if err := v.Stop(v.ctx); !errors.Is(err, rollback.ErrSeen) {
				t.Errorf("the end: %v", err)
			}
			if err := v.Ready(v.ctx); !errors.Is(err, rollback.ErrSeen) {
				t.Errorf("ready: %v", err)
			}
		})
	}
}

// Rows and tail are put back as fast as the disk allows while guesses come in
// parallel: no more wrong verdicts are given than the limit.
func TestRestoredCountersAllowNoMoreParallelGuessesThanTheLimit(t *testing.T) {
	v := tamperable(t)
	key := v.issue("phone")
	kept := v.insider().keep("attempts")
	stop, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		for {
			select {
			case <-stop:
				return
			default:
				kept.cut(kept.heads[0]["chain"], kept.heads[0]["seq"])
				kept.put("attempts", kept.rows["attempts"])
			}
		}
	}()
	var mu sync.Mutex
	answers := map[string]int{}
	var guessing sync.WaitGroup
	for range 8 {
		guessing.Go(func() {
			for range fewer(t, 40, 4) {
				got := v.verifyPIN(key, "0000")
				mu.Lock()
				answers[got]++
				mu.Unlock()
			}
		})
	}
	guessing.Wait()
	close(stop)
	<-over
	t.Logf("answers: %v", answers)
	if answers["false"] > 5 || answers["true"] > 0 {
		t.Errorf("%d wrong verdicts: %v", answers["false"], answers)
	}
}

// The rows of an erased account are put back. The entry of the erasure explains
// why they were missing, but not that they are there again.
func TestARestoredErasedRowIsDetected(t *testing.T) {
	for name, erase := range map[string]func(v *instance) error{
		"by this process": func(v *instance) error { return v.erase("phone", "reason") },
		"by a command, which the next look finds": func(v *instance) error {
			return errors.Join(v.beside().erase("phone", "reason"), v.guard.Look(v.ctx))
		},
		"by a command, which is followed": func(v *instance) error {
			return errors.Join(v.beside().erase("phone", "reason"), v.guard.FollowErasures(v.ctx, v.clock.Now().Add(-time.Minute)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, table := range []string{"attempts", "credential"} {
				v := tamperable(t)
				kept := v.insider().keep(table)
				if err := erase(v); err != nil {
					t.Fatal(err)
				}
				key := v.issue("phone")
				kept.put(table, kept.rows[table])
				v.expect("a guess with the erased row of "+table, v.verifyPIN(key, "0000"), "INTERNAL")
				v.refusesEverything(key)
			}
		})
	}
}

// The key of an erased account is put back with its private key.
func TestARestoredErasedKeyIsDetected(t *testing.T) {
	v := tamperable(t)
	key := v.issue("phone")
	i := v.insider()
	row, of := i.read("SELECT * FROM device_key WHERE id = '"+key.KeyID+"'"), i.read("SELECT * FROM key_account WHERE key_id = '"+key.KeyID+"'")
	if err := v.erase("phone", "reason"); err != nil {
		t.Fatal(err)
	}
	i.put("device_key", row)
	i.put("key_account", of)
	v.expect("a guess with it", v.verifyPIN(key, "0000"), "INTERNAL")
	v.refusesEverything(key)
}

// A process does not know the rows that were erased before its start. If a restored row
// is removed again, the entry of its erasure explains that, and the process remembers it.
func TestARowErasedBeforeTheStartCanBeRestoredOnlyOnce(t *testing.T) {
	v := tamperable(t)
	kept := v.insider().keep("attempts", "credential")
	if err := v.erase("phone", "reason"); err != nil {
		t.Fatal(err)
	}
	v.kill()
	key := v.issue("phone")
	for table, row := range kept.rows {
		kept.put(table, row)
	}
	v.expect("a guess", v.verifyPIN(key, "0000"), "false")
	kept.write("DELETE FROM attempts WHERE @pin")
	v.expect("a guess after the erased row was removed again", v.verifyPIN(key, "0000"), "false")
	kept.put("attempts", kept.rows["attempts"])
	v.expect("a guess after it was put back again", v.verifyPIN(key, "0000"), "INTERNAL")
	v.refusesEverything(key)
}

// Legitimate work of other processes is not a rollback.
func TestAChangeByAnotherInstanceDoesNotCountAsARollback(t *testing.T) {
	v := tamperable(t)
	key := v.issue("phone")
	v.lock()
	w := v.beside()
	if err := w.unlock(w.ctx, "phone", domain.TransactionPIN, "reason"); err != nil {
		t.Fatal(err)
	}
	v.expect("after an unlock beside", v.verifyPIN(key, "1357"), "true")
	for range 3 {
		if err := w.erase("phone", "reason"); err != nil {
			t.Fatal(err)
		}
		if err := v.guard.Look(v.ctx); err != nil {
			t.Errorf("a look after an erasure beside: %v", err)
		}
		key = v.issue("phone")
		v.expect("nothing is set", v.verifyPIN(key, "1357"), "false")
		v.setPIN(key, "1357")
		w.rotate("phone")
		v.expect("with a key that was rotated beside", v.verifyPIN(key, "1357"), "KEY_NOT_USABLE")
		key = v.issue("phone")
		v.expect("as it was set", v.verifyPIN(key, "1357"), "true")
	}
	// An erasure whose entry is gone, and that was followed before.
	if err := w.erase("phone", "reason"); err != nil {
		t.Fatal(err)
	}
	if err := v.guard.FollowErasures(v.ctx, v.clock.Now().AddDate(0, 0, -1)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.PruneTrail(w.ctx, trail.Pruning{Before: v.clock.Now(), Reason: "reason"}); err == nil {
		t.Error("a trail of today was pruned")
	}
	for i := range 20 {
		w.issue(fmt.Sprint("more", i))
		v.issue(fmt.Sprint("others", i))
	}
	if err := errors.Join(v.guard.Look(v.ctx), v.tally.Flush(v.ctx, true), w.guard.Look(v.ctx), v.Ready(v.ctx)); err != nil {
		t.Error(err)
	}
	v.intact()
}

// A commit with an unknown outcome is not remembered.
func TestACommitWithAnUnknownOutcomeDoesNotCountAsARollback(t *testing.T) {
	lose := &losing{}
	v := openVault(t, func(c *Config) {
		lose.Store = c.Store
		c.Store = lose
	})
	key := v.issue("phone")
	v.setPIN(key, "1357")
	for _, done := range []bool{true, false} {
		lose.next, lose.done = true, done
		v.expect("a reservation whose outcome is not known is given back", v.verifyPIN(key, "1357"), "OVERLOADED")
		v.clock.Advance(domain.DefaultAttemptPolicy().Lease * 2)
		v.expect("after it", v.verifyPIN(key, "1357"), "true")
	}
	for range 5 {
		v.verifyPIN(key, "0000")
	}
	lose.next = true
	v.expect("a lock that is read, not written", v.verifyPIN(key, "1357"), "OVERLOADED")
	v.expect("after it", v.verifyPIN(key, "1357"), "CREDENTIAL_LOCKED")
}

// losing loses the answer to a commit.
type losing struct {
	store.Store
	next, done bool
}

func (l *losing) Update(ctx context.Context, fn func(store.Tx) error) error {
	if !l.next {
		return l.Store.Update(ctx, fn)
	}
	l.next = false
	err := l.Store.Update(ctx, func(tx store.Tx) error {
		if err := fn(tx); err != nil || l.done {
			return err
		}
		return store.ErrUnknown
	})
	if err == nil {
		err = store.ErrUnknown
	}
	return err
}

// A verdict whose first commit was lost is written again, even if other attempts have
// lapsed meanwhile.
func TestALostVerdictIsWrittenAgainDespiteALapsedAttempt(t *testing.T) {
	lose := &losing{}
	v := openVault(t, func(c *Config) {
		lose.Store = c.Store.(stoppable).Store
		c.Store = stoppable{lose}
	})
	key := v.issue("phone")
	v.setPIN(key, "1357")
	lease := domain.DefaultAttemptPolicy().Lease
	v.mustReserve(key)
	v.clock.Advance(lease - time.Second)
	resume := v.midwayVerify(key, "1357")
	v.clock.Advance(2 * time.Second)
	lose.next = true
	v.expect("the verdict", resume(), "true")
	if n := v.events()[domain.EventAttemptsLapsed]; n != 1 {
		t.Errorf("%d entries about the attempt that lapsed, want 1", n)
	}
	v.intact()
}

// A background job that scrubs during an act does not scrub the data that the act
// erases. That data is scrubbed once the act is committed.
func TestAnErasureIsScrubbedAfterItsCommit(t *testing.T) {
	var v *instance
	s := &scrubbing{}
	v = openVault(t, func(c *Config) {
		s.Store = c.Store
		c.Store = s
	})
	key := v.issue("phone")
	s.meanwhile = func() {
		if err := v.records.Scrub(v.ctx); err != nil {
			t.Error(err)
		}
	}
	if err := v.revoke(key.KeyID, "lost"); err != nil {
		t.Fatal(err)
	}
	if !s.clean {
		t.Error("the erased values were not scrubbed")
	}
}

// A command does not report success silently while a reader of the database keeps an
// erased key in the files, and does not fail: the act is done.
func TestACommandWarnsOfErasedValuesInTheFiles(t *testing.T) {
	v := openVault(t, nil)
	v.issue("phone")
	v.issue("tablet")
	const warning = "erased values may still be in the files of the database"
	reader, err := v.insider().db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = reader.Rollback() })
	read := func() {
		var n int
		if err := reader.QueryRow("SELECT count(*) FROM device_key").Scan(&n); err != nil {
			t.Fatal(err)
		}
	}
	read()
	if err := v.erase("phone", "asked"); err != nil || strings.Count(v.log.String(), warning) != 1 {
		t.Errorf("%v, and the log has:\n%s", err, v.log)
	}
	time.AfterFunc(300*time.Millisecond, func() { _ = reader.Rollback() }) // longer than one try
	if err := v.erase("tablet", "asked"); err != nil || strings.Count(v.log.String(), warning) != 1 {
		t.Errorf("after the reader: %v, and the log has:\n%s", err, v.log)
	}
	if err := v.records.Scrub(v.ctx); err != nil {
		t.Error(err)
	}
}

// A reader such as Litestream, which never ends, blocks each scrub for 100 ms. Writers
// wait for so long, so the next try comes much later.
func TestABlockedScrubIsRetriedRarely(t *testing.T) {
	s := &blockedScrub{}
	v := openVault(t, func(c *Config) {
		s.Store = c.Store
		c.Store = s
	})
	v.Start()
	time.Sleep(4 * flushEvery)
	if n := s.tries.Load(); n != 1 {
		t.Errorf("%d tries within %s, want 1", n, 4*flushEvery)
	}
}

type blockedScrub struct {
	store.Store
	tries atomic.Int32
}

func (s *blockedScrub) Scrub(context.Context) error {
	s.tries.Add(1)
	time.Sleep(100 * time.Millisecond)
	return store.ErrScrubLater
}

// scrubbing notes whether a scrub followed the last commit, and calls meanwhile
// before each commit.
type scrubbing struct {
	store.Store
	meanwhile func()
	clean     bool
}

func (s *scrubbing) Update(ctx context.Context, fn func(store.Tx) error) error {
	err := s.Store.Update(ctx, func(tx store.Tx) error {
		err := fn(tx)
		if s.meanwhile != nil {
			s.meanwhile()
		}
		return err
	})
	s.clean = false
	return err
}

func (s *scrubbing) Scrub(context.Context) error {
	s.clean = true
	return nil
}

// The process remembers the newest entry of its chain, and does not read it before
// it appends the next one: the write fails if that entry is gone.
func TestAnAppendFailsIfTheNewestEntryWasRemoved(t *testing.T) {
	v := tamperable(t)
	key := v.issue("phone")
	v.expect("a guess", v.verifyPIN(key, "0000"), "false")
	v.insider().write("DELETE FROM audit_verdict")
	if got := v.verifyPIN(key, "0000"); got == "false" {
		t.Error("a guess was answered although the trail was cut")
	}
	if !v.guard.Seen() {
		t.Error("the missing newest entry was not detected")
	}
}
