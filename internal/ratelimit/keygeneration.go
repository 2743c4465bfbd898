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
// device within a window that starts with the first of them. It lives in
// memory only: lost on restart, and each instance has its own. Safe for
// concurrent use.
type KeyGeneration struct {
	mu      sync.Mutex
	windows *windows[[16]byte] // guarded by mu
}

// NewKeyGeneration returns a counter for at most maxEntries devices, about 85
// bytes each. When there are more, the window that ends first is forgotten.
func NewKeyGeneration(maxEntries int) *KeyGeneration {
	// At the reset time itself the old window still stands; it ends after.
	return &KeyGeneration{windows: newWindows[[16]byte](KeyGenWindow+1, maxEntries)}
}

// Count counts one key-generation request of the device with this keyed hash.
// With enforce, a request that finds MaxKeyGenPerDevice counted in its window
// is refused, which counts nothing and leaves the window as it is; nil means
// admitted. Without enforce nothing is ever refused, and counting goes on.
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
// and forgets a window that no other request is counted in. It does nothing when
// the window has gone since.
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

// Entries is how many devices are held, those among them whose window ended
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
