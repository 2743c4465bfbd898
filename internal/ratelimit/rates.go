package ratelimit

import (
	"net/netip"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"strongroom/internal/domain"
)

// Rates limits the requests of each key in several windows at once, such as 5 a
// minute and 20 a day. Every window is a token bucket: it has as many tokens as
// its limit, and an empty bucket is full again after one window. So any span as
// long as a window has at most twice the limit, and only after a pause of one
// window. The buckets are in memory, and each instance has its own. Safe for
// concurrent use.
//
// A bucket is one integer: the time at which it will be full again (the
// generic cell rate algorithm of ATM networks). A key whose buckets are all full
// again need not be remembered: the next new key takes its memory.
type Rates struct {
	windows []bucket

	mu   sync.Mutex
	keys *simplelru.LRU[[16]byte, []int64] // guarded by mu; for each window, when it is full again, in nanoseconds since 1970
}

// bucket is one window, in nanoseconds.
type bucket struct {
	token int64 // how long one token takes to come back
	whole int64 // how long all of them take
}

// NewRates allows each key the rates, whose limits and windows must be
// positive. It keeps at most entries keys (at least one), about 200 bytes each.
// Above that it forgets the key that was used longest ago, whose buckets are then
// full again. Without rates everything is allowed and nothing is kept.
//
// To get a key dropped, a caller must make requests with that many other keys
// after its last one, and refused requests count too. A caller with so many keys
// has as many full buckets anyway, so the bound gains it nothing.
func NewRates(rates []domain.Rate, entries int) *Rates {
	r := &Rates{}
	for _, rate := range rates {
		limit := int64(max(1, rate.Limit))
		// Rounded up: otherwise a limit that does not divide its window would allow
		// a little more.
		token := (int64(rate.Window) + limit - 1) / limit
		r.windows = append(r.windows, bucket{token, token * limit})
	}
	r.keys, _ = simplelru.NewLRU[[16]byte, []int64](max(1, entries), nil) // fails for sizes below 1 only
	return r
}

// Take takes one token from every window of the key. If a window has none, Take
// takes no token and returns how long it takes until every window has one. A
// refused request costs nothing, so repeating it does not extend the wait.
func (r *Rates) Take(key [16]byte, now time.Time) (retryAfter time.Duration, ok bool) {
	if len(r.windows) == 0 {
		return 0, true
	}
	at := now.UnixNano()
	r.mu.Lock()
	defer r.mu.Unlock()
	full, known := r.keys.Get(key)
	if !known {
		full = r.room(at)
	}
	if retryAfter = r.missing(full, at); retryAfter > 0 {
		return retryAfter, false
	}
	for i, w := range r.windows {
		full[i] += w.token
	}
	if !known {
		r.keys.Add(key, full)
	}
	return 0, true
}

// wait is how long the key has to wait for a token. It takes none.
func (r *Rates) wait(key [16]byte, now time.Time) (retryAfter time.Duration) {
	at := now.UnixNano()
	r.mu.Lock()
	defer r.mu.Unlock()
	full, _ := r.keys.Peek(key)
	return r.missing(full, at)
}

// missing returns how long it takes until each bucket of a key has a token. full
// contains the times at which the buckets are full; it is empty for an unknown key.
// missing corrects these times: they are at least now, and at most the time of an
// empty bucket, which they exceed if the clock was set back.
func (r *Rates) missing(full []int64, at int64) (retryAfter time.Duration) {
	for i := range full {
		w := r.windows[i]
		full[i] = min(max(full[i], at), at+w.whole)
		retryAfter = max(retryAfter, time.Duration(full[i]+w.token-w.whole-at))
	}
	return retryAfter
}

// room returns the buckets of a new key, which are full at time at. If the buckets
// of the key that was used longest ago are full too, it removes that key and
// returns its memory.
func (r *Rates) room(at int64) []int64 {
	_, oldest, _ := r.keys.GetOldest()
	refilled := oldest != nil
	for _, full := range oldest {
		refilled = refilled && full <= at
	}
	if refilled {
		r.keys.RemoveOldest()
		return oldest
	}
	return make([]int64, len(r.windows))
}

// Entries is how many keys are held.
func (r *Rates) Entries() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.keys.Len()
}

// AddressKey is the key of a client's address: an IPv4 address, also if it is
// written as IPv6, or the /64 network of an IPv6 address, because a subscriber has
// all addresses of it. Clients with an unknown address share one key.
func AddressKey(a netip.Addr) (key [16]byte) {
	if a = a.Unmap(); !a.IsValid() {
		return key
	}
	key = a.As16() // IPv4 as ::ffff:a.b.c.d, which no /64 is
	if a.Is6() {
		clear(key[8:])
	}
	return key
}
