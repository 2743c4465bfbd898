// Package keycache keeps opened private keys in memory for a short time.
package keycache

import (
	"time"

	"github.com/hashicorp/golang-lru/v2"

	"strongroom/internal/crypto/devicekey"
)

// Cache keeps the private keys that were opened last, by key id: opening one
// costs a tenth of using it. It says nothing about who may use a key: a record is
// read from the store and checked before its key is looked for here. It is safe
// for concurrent use, as are the keys in it.
type Cache struct {
	keys *lru.Cache[string, opened] // nil: none are kept
}

type opened struct {
	key   devicekey.PrivateKey
	since time.Time
}

// Kept is how long a key is kept at most. If another process ends it, this cache
// does not learn of that, and the private key should not outlive it by much.
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

// Put keeps a key that was opened at time now.
func (c *Cache) Put(id string, k devicekey.PrivateKey, now time.Time) {
	if c.keys != nil {
		c.keys.Add(id, opened{k, now})
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

// Expire forgets the keys that have been kept long enough.
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

// Clear forgets all.
func (c *Cache) Clear() {
	if c.keys != nil {
		c.keys.Purge()
	}
}
