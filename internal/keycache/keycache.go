// Package keycache keeps opened private keys in memory for a short time.
package keycache

import (
	"time"

	"github.com/hashicorp/golang-lru/v2"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
)

// Cache keeps the private keys that were used last, by key id: opening a key costs a
// tenth of using it. It does not decide who may use a key: the record in the store
// does, which is read and checked each time. The record here only shows what was true
// a short time ago. The cache and the keys in it are safe for concurrent use.
type Cache struct {
	keys *lru.Cache[string, opened] // nil: none are kept
}

type opened struct {
	key    devicekey.PrivateKey
	record domain.DeviceKey
	since  time.Time
}

// Kept is how long a key is kept at most. If another process ends the key, this cache
// is not told, and the private key should not stay in memory much longer.
const Kept = time.Minute

// New returns a cache of at most size keys; 0: none are kept.
func New(size int) *Cache {
	if size == 0 {
		return &Cache{}
	}
	keys, err := lru.New[string, opened](size)
	if err != nil {
		panic(err) // only for a size below one
	}
	return &Cache{keys}
}

// Get returns the key with this id, if it is kept.
func (c *Cache) Get(id string) (devicekey.PrivateKey, bool) {
	if c.keys == nil {
		return nil, false
	}
	k, ok := c.keys.Get(id)
	return k.key, ok
}

// Record returns the record of a key that is kept, as it was when the key was
// opened.
func (c *Cache) Record(id string) (domain.DeviceKey, bool) {
	if c.keys == nil {
		return domain.DeviceKey{}, false
	}
	k, ok := c.keys.Peek(id)
	return k.record, ok
}

// Put keeps a key that was opened at time now, with its record.
func (c *Cache) Put(record domain.DeviceKey, k devicekey.PrivateKey, now time.Time) {
	if c.keys != nil {
		c.keys.Add(record.ID, opened{k, record, now})
	}
}

// Len is how many keys are kept.
func (c *Cache) Len() int {
	if c.keys == nil {
		return 0
	}
	return c.keys.Len()
}

// Drop forgets a key that has ended.
func (c *Cache) Drop(id string) {
	if c.keys != nil {
		c.keys.Remove(id)
	}
}

// Expire forgets the keys that have been kept for [Kept]. Call it regularly.
func (c *Cache) Expire(now time.Time) {
	if c.keys == nil {
		return
	}
	for _, id := range c.keys.Keys() {
		if k, ok := c.keys.Peek(id); ok && now.Sub(k.since) >= Kept {
			c.keys.Remove(id)
		}
	}
}

// Clear forgets all keys.
func (c *Cache) Clear() {
	if c.keys != nil {
		c.keys.Purge()
	}
}
