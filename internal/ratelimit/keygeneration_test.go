package ratelimit

import (
	"encoding/binary"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"strongroom/internal/domain"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func device(n int) (key [16]byte) {
	binary.BigEndian.PutUint64(key[8:], uint64(n))
	return key
}

func TestTheConstantsMatchTheSpecification(t *testing.T) {
	if MaxKeyGenPerDevice != 5 || KeyGenWindow.Milliseconds() != 86_400_000 {
		t.Errorf("MAX_KEY_GEN_PER_DEVICE = %d, KEY_GEN_WINDOW_MS = %d", MaxKeyGenPerDevice, KeyGenWindow.Milliseconds())
	}
}

func TestKeyGenerationsAreCountedAsSpecified(t *testing.T) {
	const admitted = -1
	type request struct {
		at      time.Duration // after start
		refused int64         // minutes in the refusal, or admitted
		count   int64         // afterwards
		reset   time.Duration // afterwards, after start
	}
	const day = KeyGenWindow
	for _, c := range []struct {
		name     string
		enforce  bool
		requests []request
	}{
		{"without enforcement the count grows and nothing is refused", false, []request{
			{0, admitted, 1, day}, {1, admitted, 2, day}, {2, admitted, 3, day}, {3, admitted, 4, day},
			{4, admitted, 5, day}, {5, admitted, 6, day}, {6, admitted, 7, day}, {day, admitted, 8, day},
			{day + 1, admitted, 1, 2*day + 1},
		}},
		{"the sixth is refused, and a refused one changes nothing", true, []request{
			{0, admitted, 1, day}, {0, admitted, 2, day}, {0, admitted, 3, day}, {0, admitted, 4, day},
			{time.Hour, admitted, 5, day}, {time.Hour, 23 * 60, 5, day}, {2 * time.Hour, 22 * 60, 5, day},
		}},
		{"minutes are rounded up", true, []request{
			{0, admitted, 1, day}, {0, admitted, 2, day}, {0, admitted, 3, day}, {0, admitted, 4, day}, {0, admitted, 5, day},
			{0, 1440, 5, day}, {time.Millisecond, 1440, 5, day}, {time.Minute, 1439, 5, day},
			{day - time.Minute - time.Millisecond, 2, 5, day}, {day - time.Minute, 1, 5, day}, {day - time.Millisecond, 1, 5, day},
		}},
		{"the reset time itself is the old window, the next instant a new one", true, []request{
			{0, admitted, 1, day}, {0, admitted, 2, day}, {0, admitted, 3, day}, {0, admitted, 4, day}, {0, admitted, 5, day},
			{day, 0, 5, day}, {day + time.Millisecond, admitted, 1, 2*day + time.Millisecond},
		}},
		{"a request long after the window starts one from then", true, []request{
			{0, admitted, 1, day}, {10 * day, admitted, 1, 11 * day}, {10*day + time.Second, admitted, 2, 11 * day},
		}},
		{"a clock that steps back by up to a day changes nothing", true, []request{
			{0, admitted, 1, day}, {-time.Hour, admitted, 2, day}, {-day, admitted, 3, day}, {time.Hour, admitted, 4, day},
			{-time.Second, admitted, 5, day}, {-time.Second, 1441, 5, day},
		}},
		{"a window from a clock that ran far ahead shuts nobody out", true, []request{
			{1000 * day, admitted, 1, 1001 * day}, {1000 * day, admitted, 2, 1001 * day}, {1000 * day, admitted, 3, 1001 * day},
			{1000 * day, admitted, 4, 1001 * day}, {1000 * day, admitted, 5, 1001 * day}, {1000 * day, 1440, 5, 1001 * day},
			{0, admitted, 1, day},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := NewKeyGeneration(10)
			for i, r := range c.requests {
				now := start.Add(r.at)
				refusal := g.Count(device(1), now, c.enforce)
				minutes := int64(admitted)
				if refusal != nil {
					minutes = refusal.Minutes()
				}
				count, reset, ok := g.Lookup(device(1), now)
				if !ok {
					t.Fatalf("request %d: no counter", i+1)
				}
				if diff := cmp.Diff(r, request{r.at, minutes, count, reset.Sub(start)}, cmp.AllowUnexported(request{})); diff != "" {
					t.Errorf("request %d (-want +got):\n%s", i+1, diff)
				}
			}
		})
	}
}

func TestDevicesAreCountedSeparately(t *testing.T) {
	g := NewKeyGeneration(10)
	for range MaxKeyGenPerDevice {
		g.Count(device(1), start, true)
	}
	if g.Count(device(1), start, true) == nil {
		t.Error("the sixth request of a device was admitted")
	}
	if refusal := g.Count(device(2), start, true); refusal != nil {
		t.Errorf("another device's first request: %v", refusal)
	}
	if _, _, ok := g.Lookup(device(3), start); ok {
		t.Error("a device that never asked has a counter")
	}
}

// model is the specification's counter, written down naively: it remembers all
// devices for ever.
type model map[[16]byte]*struct {
	count     int64
	resetTime time.Time
}

func (m model) running(now time.Time) int {
	n := 0
	for _, c := range m {
		if !now.After(c.resetTime) {
			n++
		}
	}
	return n
}

func (m model) count(key [16]byte, now time.Time, enforce bool) *domain.KeyGenerationLimitError {
	c := m[key]
	if c == nil || now.After(c.resetTime) {
		m[key] = &struct {
			count     int64
			resetTime time.Time
		}{0, now.Add(86_400_000 * time.Millisecond)}
		c = m[key]
	}
	if enforce && c.count >= 5 {
		return &domain.KeyGenerationLimitError{ResetIn: c.resetTime.Sub(now)}
	}
	c.count++
	return nil
}

// makeRoom forgets the window that ends first if a new one would exceed the bound,
// and reports whether it did.
func (m model) makeRoom(key [16]byte, now time.Time, bound int) bool {
	if c := m[key]; m.running(now) < bound || c != nil && !now.After(c.resetTime) {
		return false
	}
	var first [16]byte
	for k, c := range m {
		if now.After(c.resetTime) {
			continue
		}
		if f := m[first]; f == nil || c.resetTime.Before(f.resetTime) {
			first = k
		}
	}
	delete(m, first)
	return true
}

func TestTheCounterMatchesAModelOfTheSpecification(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := rapid.IntRange(1, 12).Draw(t, "bound")
		g, m, evicted, now := NewKeyGeneration(bound), model{}, int64(0), start
		advances := rapid.OneOf(
			rapid.SampledFrom([]time.Duration{0, 1, time.Millisecond, time.Minute, time.Hour, KeyGenWindow - 1, KeyGenWindow, KeyGenWindow + 1, 50 * KeyGenWindow}),
			rapid.Custom(func(t *rapid.T) time.Duration {
				return time.Duration(rapid.Int64Range(0, int64(30*time.Hour)).Draw(t, "ns"))
			}))
		for range rapid.IntRange(1, 200).Draw(t, "requests") {
			// Every window starts at an instant of its own, so that which of two
			// ends first is never a tie.
			now = now.Add(1 + advances.Draw(t, "advance")/time.Duration(rapid.SampledFrom([]int{1, 100}).Draw(t, "part")))
			key := device(1 + rapid.IntRange(0, 15).Draw(t, "device"))
			enforce := rapid.Bool().Draw(t, "enforce")
			if m.makeRoom(key, now, bound) {
				evicted++
			}
			want, got := m.count(key, now, enforce), g.Count(key, now, enforce)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("answer (-want +got):\n%s", diff)
			}
			count, reset, ok := g.Lookup(key, now)
			if !ok || count != m[key].count || !reset.Equal(m[key].resetTime) {
				t.Fatalf("counter is %d until %v (%v), want %d until %v", count, reset, ok, m[key].count, m[key].resetTime)
			}
			if g.Entries() > bound || g.Entries() < m.running(now) || g.Evictions() != evicted {
				t.Fatalf("%d entries of at most %d, %d evictions; want %d running, %d evictions",
					g.Entries(), bound, g.Evictions(), m.running(now), evicted)
			}
		}
	})
}

// List and index stay consistent and within the bound, even if the clock jumps.
func TestTheCounterSurvivesAnyClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bound := rapid.IntRange(1, 8).Draw(t, "bound")
		g, now := NewKeyGeneration(bound), start
		for range rapid.IntRange(1, 200).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.Int64Range(-int64(60*time.Hour), int64(60*time.Hour)).Draw(t, "step")))
			g.Count(device(rapid.IntRange(0, 15).Draw(t, "device")), now, false)
			checkWhole(t, g.windows)
		}
		// Entries of a wrong clock are removed in the end.
		for i := range 2 * bound {
			now = now.Add(4 * KeyGenWindow)
			g.Count(device(100+i), now, false)
		}
		if g.Entries() > 1 {
			t.Fatalf("%d entries, want only the last one", g.Entries())
		}
	})
}

func checkWhole(t *rapid.T, w *windows[[16]byte]) {
	linked, prev := 0, none
	for i := w.oldest; i != none; i = w.at(i).next {
		if w.at(i).prev != prev || w.index[w.at(i).key] != i {
			t.Fatalf("entry %d is not linked or not indexed as it should be", i)
		}
		linked, prev = linked+1, i
	}
	free := 0
	for i := w.free; i != none; i = w.at(i).next {
		free++
	}
	if w.newest != prev || linked != len(w.index) || linked > w.bound || linked+free != int(w.used) {
		t.Fatalf("%d linked, %d indexed, %d free of %d used, bound %d", linked, len(w.index), free, w.used, w.bound)
	}
}

func TestParallelRequestsAreAdmittedExactlyFiveTimes(t *testing.T) {
	g := NewKeyGeneration(4)
	var admitted [3]atomic.Int64
	var wg sync.WaitGroup
	for i := range 300 {
		wg.Go(func() {
			if g.Count(device(i%3), start, true) == nil {
				admitted[i%3].Add(1)
			}
			g.Lookup(device(i%3), start)
			g.Entries()
		})
	}
	wg.Wait()
	for i := range admitted {
		if n := admitted[i].Load(); n != MaxKeyGenPerDevice {
			t.Errorf("device %d: %d of 100 parallel requests admitted, want %d", i, n, MaxKeyGenPerDevice)
		}
	}
}

func TestEndedWindowsAreSweptAFewAtATime(t *testing.T) {
	g := NewKeyGeneration(10_000)
	for i := range 5000 {
		g.Count(device(i), start, false)
	}
	later := start.Add(2 * KeyGenWindow)
	for i := range 5000 / (sweepStep - 1) {
		before := g.Entries()
		g.Count(device(10_000+i), later, false)
		if dropped := before + 1 - g.Entries(); dropped != sweepStep {
			t.Fatalf("request %d dropped %d ended windows, want %d", i+1, dropped, sweepStep)
		}
		if g.Entries() < 5000/2 {
			break
		}
	}
	if got := len(g.windows.chunks); got != 5 {
		t.Errorf("%d chunks, want 5: dropped entries must be used again", got)
	}
}

// BenchmarkKeyGenerationFull always counts new devices in a full counter: each
// request drops the oldest window.
func BenchmarkKeyGenerationFull(b *testing.B) {
	const n = 1_000_000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	g := NewKeyGeneration(n)
	worst := time.Duration(0)
	for i := range n {
		t := time.Now()
		g.Count(device(i), start, true)
		worst = max(worst, time.Since(t))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	i := n
	for b.Loop() {
		g.Count(device(i), start, true)
		i++
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/n, "B/entry")
	b.ReportMetric(float64(worst.Microseconds()), "worst-µs-while-filling")
}

func TestAReturnedRequestIsNotCounted(t *testing.T) {
	g := NewKeyGeneration(10)
	count := func(want int64) {
		t.Helper()
		if n, _, _ := g.Lookup(device(1), start); n != want {
			t.Errorf("%d are counted, want %d", n, want)
		}
	}
	g.Count(device(1), start, true)
	g.GiveBack(device(1), start)
	if _, _, ok := g.Lookup(device(1), start); ok || g.Entries() != 0 {
		t.Error("a window without requests is left")
	}
	for range MaxKeyGenPerDevice {
		g.Count(device(1), start.Add(time.Hour), true)
	}
	g.GiveBack(device(1), start) // of a window that has gone
	g.GiveBack(device(2), start)
	count(MaxKeyGenPerDevice)
	g.GiveBack(device(1), start.Add(time.Hour))
	count(MaxKeyGenPerDevice - 1)
	if g.Count(device(1), start.Add(time.Hour), true) != nil || g.Count(device(1), start.Add(time.Hour), true) == nil {
		t.Error("one more should have been admitted, and only one")
	}
}
