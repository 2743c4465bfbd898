package ratelimit

import (
	"sync"
	"time"

	"strongroom/internal/domain"
)

// The specification's constants. It says that they are not configurable.
const (
	MaxKeyGenPerDevice = 5
	KeyGenWindow       = 24 * time.Hour
)

// KeyGeneration is the specification's key-generation counter: requests per
// device within a window that starts with the first of them. It is in memory
// only: a restart loses it, and each instance has its own. Safe for concurrent
// use.
type KeyGeneration struct {
	mu      sync.Mutex
	windows *windows[[16]byte] // guarded by mu
}

// NewKeyGeneration returns a counter for at most maxEntries devices, about 85
// bytes each. When there are more, the window that ends first is forgotten.
func NewKeyGeneration(maxEntries int) *KeyGeneration {
	// At the reset time itself the old window is still open; it ends 1 ns later.
	return &KeyGeneration{windows: newWindows[[16]byte](KeyGenWindow+1, maxEntries)}
}

// Count counts one key-generation request of the device with this keyed hash, and
// returns nil if it is admitted. With enforce, it refuses a request if its window
// has MaxKeyGenPerDevice already. A refused request does not count and does not
// change the window. Without enforce it counts every request and refuses none.
func (g *KeyGeneration) Count(device [16]byte, now time.Time, enforce bool) *domain.KeyGenerationLimitError {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.windows.sweep(now)
	e := g.windows.current(device, now)
	if e == nil {
		e = g.windows.start(device, now)
	}
	if enforce && e.count >= MaxKeyGenPerDevice {
		return &domain.KeyGenerationLimitError{ResetIn: resetTime(e).Sub(now)}
	}
	e.count++
	return nil
}

// GiveBack takes back a request of the device that Count admitted at this time,
// and drops the window if it counts no other request. It does nothing if the
// window was dropped meanwhile.
func (g *KeyGeneration) GiveBack(device [16]byte, counted time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	e := g.windows.current(device, counted)
	if e == nil || e.end-int64(g.windows.length) > counted.UnixNano() {
		return
	}
	if e.count--; e.count <= 0 {
		g.windows.drop(g.windows.index[device])
	}
}

// Lookup returns the device's count and when its window ends, or false when
// nothing is counted at time now.
func (g *KeyGeneration) Lookup(device [16]byte, now time.Time) (count int64, reset time.Time, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	e := g.windows.current(device, now)
	if e == nil {
		return 0, time.Time{}, false
	}
	return e.count, resetTime(e), true
}

// resetTime is the last instant of the window, the specification's resetTime.
func resetTime(e *entry[[16]byte]) time.Time { return time.Unix(0, e.end-1).UTC() }

// Entries is how many devices are held, including those whose window has ended
// but was not swept yet.
func (g *KeyGeneration) Entries() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.windows.index)
}

// Evictions is how many running windows were forgotten for lack of room.
func (g *KeyGeneration) Evictions() int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.windows.evictions
}
