package ratelimit

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"strongroom/internal/domain"
)

var fiveAMinuteTwentyADay = []domain.Rate{{Limit: 5, Window: time.Minute}, {Limit: 20, Window: 24 * time.Hour}}

func TestARequestCountsInEveryWindowOrInNone(t *testing.T) {
	const day, dayToken = 24 * time.Hour, 24 * time.Hour / 20
	type request struct {
		key  int
		at   time.Duration // after start
		wait time.Duration // 0: admitted
	}
	// 20 requests in the fastest way that the minute allows: 5 at once, then one
	// every 12 seconds.
	var twenty []request
	for i := range 20 {
		twenty = append(twenty, request{1, time.Duration(max(0, i-4)) * 12 * time.Second, 0})
	}
	last := twenty[19].at
	for _, c := range []struct {
		name     string
		requests []request
	}{
		{"a full bucket at once, then one token after the other", []request{
			{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 12 * time.Second},
			{1, 12*time.Second - 1, 1}, {1, 12 * time.Second, 0}, {1, 12 * time.Second, 12 * time.Second},
		}},
		{"keys are independent", []request{
			{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 0, 12 * time.Second},
		}},
		{"the longest wait is returned, and a refusal by one window costs the other nothing", append(twenty,
			request{1, last, dayToken - last}, request{1, last + time.Minute, dayToken - last - time.Minute},
			request{1, dayToken, 0}, request{1, dayToken, dayToken}, request{1, 2 * dayToken, 0}, request{1, 2 * dayToken, dayToken},
		)},
		{"later the buckets are full again", append(twenty, request{1, 2 * day, 0}, request{1, 2 * day, 0}, request{1, 2 * day, 0},
			request{1, 2 * day, 0}, request{1, 2 * day, 0}, request{1, 2 * day, 12 * time.Second})},
		{"a clock that steps back delays no request for longer than a token", []request{
			{1, 100 * day, 0}, {1, 0, dayToken}, {1, dayToken, 0},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := NewRates(fiveAMinuteTwentyADay, 10)
			for i, q := range c.requests {
				wait, ok := r.Take(device(q.key), start.Add(q.at))
				if wait != q.wait || ok != (q.wait == 0) {
					t.Errorf("request %d, after %v: wait %v, ok %v; want wait %v", i+1, q.at, wait, ok, q.wait)
				}
			}
		})
	}
}

// The model is a naive token bucket. The test also checks the number of requests in
// every span of time.
func TestRatesAllowNoMoreThanLimitAndRefill(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rates := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) domain.Rate {
			return domain.Rate{
				Limit:  rapid.IntRange(1, 7).Draw(t, "limit"),
				Window: rapid.SampledFrom([]time.Duration{7, time.Second, time.Minute, time.Hour}).Draw(t, "window"),
			}
		}), 1, 3).Draw(t, "rates")
		r, now := NewRates(rates, 10), start
		tokens := map[int][]time.Duration{} // by key: what each bucket holds, in refill time
		last := map[int]time.Time{}
		admitted := map[int][]time.Time{}
		for range rapid.IntRange(1, 150).Draw(t, "requests") {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(rapid.SampledFrom([]time.Duration{1, 5, time.Second, time.Minute}).Draw(t, "pace"))).Draw(t, "advance")))
			key, want, wait := rapid.IntRange(1, 3).Draw(t, "key"), true, time.Duration(0)
			for i, rate := range rates {
				token := (rate.Window + time.Duration(rate.Limit) - 1) / time.Duration(rate.Limit)
				whole := token * time.Duration(rate.Limit)
				if last[key].IsZero() {
					tokens[key] = append(tokens[key], whole)
				} else {
					tokens[key][i] = min(whole, tokens[key][i]+now.Sub(last[key]))
				}
				want, wait = want && tokens[key][i] >= token, max(wait, token-tokens[key][i])
			}
			last[key] = now
			got, ok := r.Take(device(key), now)
			if ok != want || !ok && got != wait || ok && got != 0 {
				t.Fatalf("wait %v, ok %v; want %v, %v", got, ok, wait, want)
			}
			if !ok {
				continue
			}
			for i, rate := range rates {
				tokens[key][i] -= (rate.Window + time.Duration(rate.Limit) - 1) / time.Duration(rate.Limit)
			}
			admitted[key] = append(admitted[key], now)
		}
		for _, rate := range rates {
			for key, times := range admitted {
				for i := range times {
					for j := i; j < len(times); j++ {
						refill := float64(times[j].Sub(times[i])) * float64(rate.Limit) / float64(rate.Window)
						if n := j - i + 1; float64(n) > float64(rate.Limit)+refill+1e-6 {
							t.Fatalf("key %d: %d requests in %v under %+v", key, n, times[j].Sub(times[i]), rate)
						}
					}
				}
			}
		}
	})
}

func TestWithoutRatesEverythingIsAllowedAndNothingKept(t *testing.T) {
	r := NewRates(nil, 10)
	for i := range 100 {
		if wait, ok := r.Take(device(i%2), start); wait != 0 || !ok {
			t.Fatalf("request %d: wait %v, ok %v", i+1, wait, ok)
		}
	}
	if n := r.Entries(); n != 0 {
		t.Errorf("%d entries", n)
	}
}

func TestAFullTableForgetsTheLeastRecentlyUsedKey(t *testing.T) {
	r := NewRates([]domain.Rate{{Limit: 1, Window: time.Hour}}, 3)
	take := func(key int, want bool) {
		t.Helper()
		if _, ok := r.Take(device(key), start); ok != want {
			t.Errorf("key %d: ok %v", key, ok)
		}
		if n := r.Entries(); n > 3 {
			t.Errorf("%d entries", n)
		}
	}
	for key := range 3 {
		take(key, true)
	}
	take(0, false) // refused, but used: now key 1 was used longest ago
	take(3, true)
	take(0, false)
	take(2, false)
	take(1, true)
}

func TestKeysWithFullBucketsAreRemoved(t *testing.T) {
	r := NewRates([]domain.Rate{{Limit: 2, Window: time.Hour}}, 1000)
	for i := range 100 {
		r.Take(device(i), start.Add(time.Duration(i)*time.Hour))
	}
	if n := r.Entries(); n != 1 {
		t.Errorf("%d entries, of which one bucket is not full", n)
	}
}

func TestKnownKeysCostNoMemory(t *testing.T) {
	r, now := NewRates(fiveAMinuteTwentyADay, 10), start
	r.Take(device(1), now)
	if n := testing.AllocsPerRun(1000, func() { now = now.Add(time.Second); r.Take(device(1), now) }); n != 0 {
		t.Errorf("%g allocations a request", n)
	}
}

func TestParallelRequestsShareOneBucket(t *testing.T) {
	r := NewRates([]domain.Rate{{Limit: 50, Window: time.Hour}}, 10)
	var admitted atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if _, ok := r.Take(device(1), start); ok {
					admitted.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if n := admitted.Load(); n != 50 {
		t.Errorf("%d admitted, want 50", n)
	}
}

func TestAddressesOfOneSubscriberShareAKey(t *testing.T) {
	key := func(s string) [16]byte { return AddressKey(netip.MustParseAddr(s)) }
	for _, same := range [][2]string{
		{"192.0.2.1", "::ffff:192.0.2.1"},
		{"2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"},
		{"fe80::1%eth0", "fe80::2%eth1"},
	} {
		if key(same[0]) != key(same[1]) {
			t.Errorf("%s and %s have different keys", same[0], same[1])
		}
	}
	apart := []string{"192.0.2.1", "192.0.2.2", "2001:db8:1:2::1", "2001:db8:1:3::1", "2001:db8::1", "::1"}
	seen := map[[16]byte]string{}
	for _, s := range apart {
		if other, ok := seen[key(s)]; ok {
			t.Errorf("%s and %s are one key", s, other)
		}
		seen[key(s)] = s
	}
	if key := AddressKey(netip.Addr{}); key != [16]byte{} {
		t.Errorf("an unknown address has the key %x", key)
	}
}

func BenchmarkTake(b *testing.B) {
	r := NewRates(fiveAMinuteTwentyADay, 100_000)
	b.Run("known", func(b *testing.B) {
		for b.Loop() {
			r.Take(device(1), start)
		}
	})
	b.Run("past the bound", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			r.Take(device(i), start)
		}
	})
}
