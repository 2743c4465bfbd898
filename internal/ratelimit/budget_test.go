package ratelimit

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const quarter = 15 * time.Minute

func TestABudgetRefusesFromItsLimitUntilItsWindowEnds(t *testing.T) {
	b := NewBudget(100, quarter)
	for i := range 100 {
		now := start.Add(time.Duration(i) * time.Second)
		if _, ok := b.Check("key", now); !ok {
			t.Fatalf("refused after %d failures", i)
		}
		b.Fail("key", now)
	}
	for _, c := range []struct {
		name string
		key  string
		at   time.Duration
		wait time.Duration // 0: admitted
	}{
		{"at once after the hundredth", "key", 99 * time.Second, quarter - 99*time.Second},
		{"just before the end", "key", quarter - 1, 1},
		{"when the wait is over", "key", quarter, 0},
		{"another key", "other", 99 * time.Second, 0},
		{"a clock a minute back", "key", -time.Minute, quarter + time.Minute},
		{"a clock an hour back", "key", -time.Hour, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			wait, ok := b.Check(c.key, start.Add(c.at))
			if wait != c.wait || ok != (c.wait == 0) {
				t.Errorf("wait %v, ok %v; want wait %v", wait, ok, c.wait)
			}
		})
	}
}

func TestFailuresPastTheLimitDoNotExtendTheWindow(t *testing.T) {
	b := NewBudget(1, quarter)
	for at := time.Duration(0); at < quarter; at += time.Minute {
		b.Fail("key", start.Add(at))
	}
	if _, ok := b.Check("key", start.Add(quarter)); !ok {
		t.Error("still refused when the window has ended")
	}
}

func TestChecksOfUnknownKeysTakeNoMemory(t *testing.T) {
	b := NewBudget(1, quarter)
	for i := range 1000 {
		b.Check(fmt.Sprint(i), start)
	}
	if n := len(b.windows.index); n != 0 {
		t.Errorf("%d entries", n)
	}
}

func TestAFullBudgetForgetsTheWindowThatEndsFirst(t *testing.T) {
	b := NewBudget(1, quarter)
	b.windows.bound = 3
	for i := range 4 {
		b.Fail(fmt.Sprint(i), start.Add(time.Duration(i)))
	}
	now := start.Add(time.Second)
	for i, want := range []bool{true, false, false, false} {
		if _, ok := b.Check(fmt.Sprint(i), now); ok != want {
			t.Errorf("key %d: ok %v, want %v", i, ok, want)
		}
	}
	if b.windows.evictions != 1 {
		t.Errorf("%d evictions, want 1", b.windows.evictions)
	}
}

func TestABudgetMatchesANaiveModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 5).Draw(t, "limit")
		b, now := NewBudget(limit, quarter), start
		failures, ends := map[string]int{}, map[string]time.Time{}
		for range rapid.IntRange(1, 200).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(4*time.Minute)).Draw(t, "advance")))
			if rapid.IntRange(0, 20).Draw(t, "edge") == 0 {
				now = now.Add(quarter)
			}
			key := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "key")
			if !now.Before(ends[key]) {
				failures[key] = 0
			}
			wait, ok := b.Check(key, now)
			if want := failures[key] < limit; ok != want {
				t.Fatalf("after %d failures of %d: ok %v", failures[key], limit, ok)
			}
			if !ok && wait != ends[key].Sub(now) {
				t.Fatalf("wait %v, want %v", wait, ends[key].Sub(now))
			}
			if rapid.Bool().Draw(t, "fails") {
				if failures[key] == 0 {
					ends[key] = now.Add(quarter)
				}
				failures[key]++
				b.Fail(key, now)
			}
		}
	})
}

// Parallel requests can exceed the limit only by those that run between their check and
// their failure.
func TestParallelFailuresExceedTheLimitByFewerThanTheLanes(t *testing.T) {
	const limit, lanes = 100, 8
	b := NewBudget(limit, quarter)
	var worked atomic.Int64
	var wg sync.WaitGroup
	for range lanes {
		wg.Go(func() {
			for {
				if _, ok := b.Check("key", start); !ok {
					return
				}
				worked.Add(1)
				b.Fail("key", start)
			}
		})
	}
	wg.Wait()
	if n := worked.Load(); n < limit || n > limit+lanes-1 {
		t.Errorf("%d failures worked on, want %d to %d", n, limit, limit+lanes-1)
	}
}

func TestAForgivenFailureDoesNotCount(t *testing.T) {
	b := NewBudget(1, quarter)
	b.Forgive("key", start) // nothing to take back
	b.Fail("key", start)
	if _, ok := b.Check("key", start); ok {
		t.Fatal("admitted after a failure")
	}
	b.Forgive("key", start)
	if _, ok := b.Check("key", start); !ok {
		t.Error("refused although the failure was taken back")
	}
}
