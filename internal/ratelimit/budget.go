package ratelimit

import (
	"sync"
	"time"
)

// maxBudgetKeys bounds the memory of a [Budget]. Above it, the window that ends
// first is dropped. To get a window dropped, an attacker must first fail with
// this many other keys.
const maxBudgetKeys = 100_000

// Budget limits the failures of a key within a window, which starts with the first
// of them. At the limit it refuses until the window ends. One window may follow
// another at once, so any span as long as a window has at most twice the limit. It
// is in memory, and each instance has its own. Safe for concurrent use.
//
// A check reserves nothing, so correct requests in parallel never cause each other
// to be refused. Requests that were checked before the last failure was counted
// still go on. So the limit can be exceeded by as many requests as the caller lets
// run between Check and Fail.
type Budget struct {
	limit int

	mu      sync.Mutex
	windows *windows[string] // guarded by mu
}

// NewBudget allows limit failures (at least one) per key and window.
func NewBudget(limit int, window time.Duration) *Budget {
	return &Budget{limit: max(1, limit), windows: newWindows[string](window, maxBudgetKeys)}
}

// Check reports whether the key has budget left at time now, or how long until
// it has. It counts nothing and takes no memory, so it may be asked about keys
// that do not exist.
func (b *Budget) Check(key string, now time.Time) (retryAfter time.Duration, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := b.windows.current(key, now)
	if e == nil || e.count < int64(b.limit) {
		return 0, true
	}
	return time.Duration(e.end - now.UnixNano()), false
}

// Fail counts one failure of the key. Call it only for keys that exist, because
// each one takes memory. Failures above the limit do not extend the window.
func (b *Budget) Fail(key string, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.windows.sweep(now)
	e := b.windows.current(key, now)
	if e == nil {
		e = b.windows.start(key, now)
	}
	e.count++
}

// Forgive takes back one failure of the key, which the caller counted in error.
func (b *Budget) Forgive(key string, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e := b.windows.current(key, now); e != nil && e.count > 0 {
		e.count--
	}
}
