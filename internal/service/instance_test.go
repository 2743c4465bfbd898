package service

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/ratelimit"
	"strongroom/internal/store"
	"strongroom/internal/trail"
)

// openTwo is two processes on one database, each with chains of its own: on
// SQLite too, though nothing there needs them.
func openTwo(t *testing.T) (v, w *instance) {
	t.Helper()
	v = openVault(t, func(c *Config) { c.Writers = max(c.Writers, 2) })
	return v, v.beside()
}

func TestTheSummaryIncludesUnfoldedOperationsOfAKilledInstance(t *testing.T) {
	v, w := openTwo(t)
	v.issue("phone")
	total := func(v *instance, when string, want int64) {
		t.Helper()
		if sum, err := v.Summary(v.ctx, 1); err != nil || sum.TotalOperations != want {
			t.Errorf("%s: %d operations, want %d (%v)", when, sum.TotalOperations, want, err)
		}
	}
	total(v, "before the other", 1)
	k := w.issue("tablet")
	w.setPIN(k, "1357")
	w.verifyPIN(k, "0000")
	w.issue("tablet") // counted in memory only, and lost
	w.store.Close()
	v.clock.Advance(30 * time.Second)
	third := v.beside()
	var wg sync.WaitGroup
	for _, v := range []*instance{v, third} { // both take up what it left
		wg.Go(func() { total(v, "after the kill", 4) })
	}
	wg.Wait()
	v.clock.Advance(30 * time.Second)
	total(v, "once more", 4)
	total(third, "once more", 4)
	v.intact()
}

// The answer to the commit of a flush is lost, and the commit was not done. The entries
// are still in the trail, so the next flush folds them.
func TestTheSummaryIncludesOperationsOfALostFlush(t *testing.T) {
	lose := &losing{}
	v := openVault(t, func(c *Config) {
		lose.Store = c.Store.(stoppable).Store
		c.Store = stoppable{lose}
	})
	v.setPIN(v.issue("phone"), "1357")
	lose.next = true
	if err := v.tally.Flush(v.ctx, false); !errors.Is(err, store.ErrUnknown) {
		t.Fatalf("the flush: %v, want ErrUnknown", err)
	}
	if sum, err := v.Summary(v.ctx, 1); err != nil || sum.TotalOperations != 2 {
		t.Errorf("%d operations, want 2 (%v)", sum.TotalOperations, err)
	}
	v.clock.Advance(time.Minute)
	if rollup, audit := v.tally.Lags(); rollup != 0 || audit != 0 {
		t.Errorf("operations wait for %v and counts for %v, want 0", rollup, audit)
	}
}

// What this process has in memory is written even if the chains of other processes cannot
// be read.
func TestAFlushWritesWithoutTheChainsOfOtherProcesses(t *testing.T) {
	on := &unread{}
	v := openVault(t, func(c *Config) {
		c.Writers = max(c.Writers, 2)
		on.Store, c.Store = c.Store, on
	})
	v.issue("phone")
	v.issue("phone") // counted in memory
	v.clock.Advance(time.Minute)
	on.fails = true
	if err := v.tally.Flush(v.ctx, false); !errors.Is(err, errUnread) {
		t.Errorf("the flush: %v, want %v", err, errUnread)
	}
	if rollup, audit := v.tally.Lags(); rollup != 0 || audit != 0 {
		t.Errorf("operations wait for %v and counts for %v, want 0", rollup, audit)
	}
	if sum, err := v.Summary(v.ctx, 1); err != nil || sum.TotalOperations != 2 {
		t.Errorf("%d operations, want 2 (%v)", sum.TotalOperations, err)
	}
}

// unread is a store whose next View fails.
type unread struct {
	store.Store
	fails bool
}

var errUnread = errors.New("cannot be read")

func (u *unread) View(ctx context.Context, fn func(store.Tx) error) error {
	if u.fails {
		u.fails = false
		return errUnread
	}
	return u.Store.View(ctx, fn)
}

func TestOnlyARunningInstanceItselfFoldsItsChains(t *testing.T) {
	v, w := openTwo(t)
	k := w.issue("phone")
	v.clock.Advance(30 * time.Second)
	w.setPIN(k, "1357") // so it is not gone
	for _, look := range []struct {
		by   *instance
		want int64
	}{{v, 0}, {w, 2}, {v, 2}} {
		if sum, err := look.by.Summary(v.ctx, 1); err != nil || sum.TotalOperations != look.want {
			t.Errorf("%d operations, want %d (%v)", sum.TotalOperations, look.want, err)
		}
	}
}

// One damaged position, of the chain of a running or of an ended process, must not
// stop the flushes of all instances.
func TestADamagedPositionStopsNoFlushOfAnyInstance(t *testing.T) {
	v, w := openTwo(t)
	k := w.issue("phone")
	v.issue("tablet")
	for _, v := range []*instance{v, w} {
		if err := v.tally.Flush(v.ctx, false); err != nil {
			t.Fatal(err)
		}
	}
	w.setPIN(k, "1357") // lost with the position
	w.store.Close()
	i := v.insider()
	i.write("UPDATE setting SET value = $1 WHERE name LIKE 'metrics.folded/%'", []byte{1})
	v.clock.Advance(30 * time.Second)
	third := v.beside()
	v.issue("watch")
	for _, v := range []*instance{v, third, v} {
		if err := v.tally.Flush(v.ctx, false); err != nil {
			t.Fatalf("a flush: %v", err)
		}
	}
	third.setPIN(k, "1357")
	if n := v.cfg.Metrics.Tampered() + third.cfg.Metrics.Tampered(); n == 0 {
		t.Error("nothing was reported")
	}
	if sum, err := third.Summary(v.ctx, 1); err != nil || sum.TotalOperations != 3 {
		t.Errorf("%d operations, want 3 (%v)", sum.TotalOperations, err)
	}
}

func TestADamagedPositionStopsNoPrune(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	flush := func() {
		t.Helper()
		if err := v.tally.Flush(v.ctx, true); err != nil {
			t.Fatal(err)
		}
	}
	flush()
	v.clock.Advance(year + time.Hour)
	v.issue("watch")
	flush()
	v.insider().write("UPDATE setting SET value = $1 WHERE name LIKE 'metrics.folded/%'", []byte{1})
	for n, want := range []bool{false, true} {
		done, err := v.PruneTrail(v.ctx, trail.Pruning{OlderThan: year, Reason: "kept long enough"})
		if err != nil || done.Entries > 0 != want {
			t.Errorf("prune %d: %+v, %v", n, done, err)
		}
		v.issue("tablet")
		flush() // resets the position
	}
	v.intact()
}

func TestASummaryLeavesOutAndReportsADamagedSketch(t *testing.T) {
	v := openVault(t, func(*Config) {})
	v.clock.Advance(time.Hour - time.Duration(v.clock.Now().UnixNano())%time.Hour + time.Hour/2) // the middle of an hour
	v.issue("phone")
	if err := v.tally.Flush(v.ctx, false); err != nil {
		t.Fatal(err)
	}
	v.insider().write("UPDATE bucket SET devices = $1", []byte{99})
	for range 2 { // the first must not hide the second
		if sum, err := v.Summary(v.ctx, 1); err != nil || sum.TotalOperations != 1 || sum.UniqueDevices != 0 {
			t.Errorf("%+v, %v, want 1 operation of no device", sum, err)
		}
	}
	if n := strings.Count(v.log.String(), "a metrics summary left out unreadable device sketches"); n != 2 || v.cfg.Metrics.Tampered() != 2 {
		t.Errorf("reported %d times, counted %d times, want 2", n, v.cfg.Metrics.Tampered())
	}
	if !strings.Contains(v.log.String(), "buckets=1 first="+v.clock.Now().UTC().Format("2006-01-02T15:")) {
		t.Errorf("the log does not say when:\n%s", v.log)
	}
}

func TestInstancesTieEachOthersChains(t *testing.T) {
	v, w := openTwo(t)
	v.issue("phone")
	w.issue("tablet")
	tied := func(by *instance, when string, want int) {
		t.Helper()
		before := v.events()[domain.EventChainTied]
		if err := by.Tie(by.ctx); err != nil {
			t.Fatal(err)
		}
		if got := v.events()[domain.EventChainTied] - before; got != want {
			t.Errorf("%s: %d ties, want %d", when, got, want)
		}
		v.intact()
	}
	others := 1 + 2*v.cfg.Writers - 1 // the store's first chain and those of both, but the one that has the ties
	tied(v, "at first", others)
	tied(v, "at once", 0)
	tied(w, "of another instance, too early", 0)
	v.clock.Advance(5 * time.Minute)
	tied(w, "of another, when it is time", others)
	v.clock.Advance(5 * time.Minute)
	tied(v, "of the one that moved, by its ties", 1)
}

// A chain does not show that its own tail is missing if the rows of its entries
// are gone too or, as here, there were none.
func TestATieRevealsAChainThatWasCutOff(t *testing.T) {
	for name, cut := range map[string]string{
		"its tail":  "DELETE FROM audit_log WHERE chain = $1 AND event = 'operations.counted'",
		"all of it": "DELETE FROM audit_log WHERE chain = $1",
	} {
		t.Run(name, func(t *testing.T) {
			v, w := openTwo(t)
			if _, err := w.GenerateKey(w.ctx, domain.Identity{}); err == nil {
				t.Fatal("a key for no device")
			}
			if err := w.tally.Flush(w.ctx, true); err != nil {
				t.Fatal(err)
			}
			if err := v.Tie(v.ctx); err != nil {
				t.Fatal(err)
			}
			v.intact()
			v.insider().write(cut, w.chains.Of(0))
			found := v.problems()
			if len(found) != 1 || found[0].Chain != w.chains.Of(0) || !strings.Contains(found[0].What, "cut off") {
				t.Errorf("found %v", found)
			}
		})
	}
}

// Anyone who can write to the database can set the time of the last tie to now.
func TestAForgedTieTimeDoesNotPreventATie(t *testing.T) {
	v, w := openTwo(t)
	if _, err := w.GenerateKey(w.ctx, domain.Identity{}); err == nil {
		t.Fatal("a key for no device")
	}
	if err := w.tally.Flush(w.ctx, true); err != nil {
		t.Fatal(err)
	}
	w.store.Close()
	v.clock.Advance(2 * time.Minute)
	v.insider().write("INSERT INTO setting (tenant, name, value) VALUES ('default', 'audit_tied', $1)", domain.EncodeTime(v.clock.Now()))
	v.clock.Advance(6 * time.Minute)
	v.issue("phone")
	if err := v.Tie(v.ctx); err != nil {
		t.Fatal(err)
	}
	v.insider().write("DELETE FROM audit_log WHERE chain = $1 AND event = 'operations.counted'", w.chains.Of(0))
	if found := v.problems(); len(found) != 1 || found[0].Chain != w.chains.Of(0) {
		t.Errorf("found %v", found)
	}
}

func TestTheKeyGenerationLimitAppliesPerInstanceOrPerCluster(t *testing.T) {
	for name, tt := range map[string]struct {
		inStore          bool
		admitted, beyond int // by two instances, and by one that was killed since
	}{
		"instance": {false, 2 * ratelimit.MaxKeyGenPerDevice, ratelimit.MaxKeyGenPerDevice},
		"cluster":  {true, ratelimit.MaxKeyGenPerDevice, 0},
	} {
		t.Run(name, func(t *testing.T) {
			v := openVault(t, func(c *Config) { c.EnforceKeyGenerationLimit, c.KeyCounterInStore = true, tt.inStore })
			w := v.beside()
			admitted := 0
			ask := func(v *instance) {
				t.Helper()
				_, err := v.RotateKey(v.ctx, domain.Identity{DeviceID: "phone"})
				if limit := (*domain.KeyGenerationLimitError)(nil); errors.As(err, &limit) {
					if limit.Minutes() != 1440 {
						t.Errorf("retry in %d minutes", limit.Minutes())
					}
				} else if err != nil {
					t.Error(err)
				} else {
					admitted++
				}
			}
			for range 6 {
				ask(v)
				ask(w)
			}
			if admitted != tt.admitted {
				t.Errorf("%d were admitted, want %d", admitted, tt.admitted)
			}
			admitted = 0
			w.kill()
			for range 6 {
				ask(w)
			}
			if admitted != tt.beyond {
				t.Errorf("%d were admitted after a kill, want %d", admitted, tt.beyond)
			}
			v.issue("tablet")
			v.clock.Advance(ratelimit.KeyGenWindow + time.Second)
			v.issue("phone")
		})
	}
}

func TestKeyGenerationsAreCountedInTheStoreWithoutEnforcement(t *testing.T) {
	enforced := false
	v := openVault(t, func(c *Config) { c.EnforceKeyGenerationLimit, c.KeyCounterInStore = enforced, true })
	for range 7 {
		v.issue("phone")
	}
	enforced = true
	v.kill()
	_, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: "phone"})
	v.expect("the eighth", word(true, err), "TOO_MANY_REQUESTS")

	counts := func(want int) {
		t.Helper()
		if n := len(v.insider().rows("SELECT * FROM key_generation")); n != want {
			t.Errorf("%d devices are counted, want %d", n, want)
		}
	}
	counts(1)
	sweep := func() {
		t.Helper()
		if _, err := v.SweepKeyGenerations(v.ctx); err != nil {
			t.Fatal(err)
		}
	}
	sweep()
	counts(1)
	v.clock.Advance(ratelimit.KeyGenWindow + time.Second)
	sweep()
	counts(0)
}

// Only the background work makes ties.
func TestARunningInstanceTiesTheChainsOfAllInstances(t *testing.T) {
	v := openVault(t, func(c *Config) {
		if !usesPostgreSQL(t) {
			c.Writers = max(c.Writers, 2)
		}
	})
	if v.cfg.Writers < 2 {
		t.Fatalf("an instance has %d chains: there would be nothing to tie", v.cfg.Writers)
	}
	w := v.beside()
	w.issue("tablet")
	if err := w.tally.Flush(w.ctx, true); err != nil {
		t.Fatal(err)
	}
	v.Start()
	for deadline := time.Now().Add(time.Minute); v.events()[domain.EventChainTied] == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no chain was tied")
		}
	}
	if err := v.Stop(v.ctx); err != nil {
		t.Fatal(err)
	}
	v.intact()
	v.insider().write("DELETE FROM audit_log WHERE chain = $1", w.chains.Of(0))
	if found := v.problems(); len(found) == 0 {
		t.Error("a chain is gone, and its tie does not show it")
	}
}
