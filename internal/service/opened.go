package service

import (
	"crypto/rsa"
	"time"

	"github.com/hashicorp/golang-lru/v2"
)

// openedKeys keeps the private keys that were opened last, by key id: opening
// one costs a tenth of using it. It says nothing about who may use a key: a
// record is read from the store and checked before its key is looked for here.
// Safe for concurrent use, as are the keys in it.
type openedKeys struct {
	cache *lru.Cache[string, openedKey] // nil: none are kept
}

type openedKey struct {
	*rsa.PrivateKey
	since time.Time
}

// openedFor is how long a key is kept at most. One that another process ends
// is not heard of here, and its private key should not outlive it by much.
const openedFor = time.Minute

func newOpenedKeys(size int) *openedKeys {
	if size == 0 {
		return &openedKeys{}
	}
	cache, err := lru.New[string, openedKey](size)
	if err != nil {
		panic(err) // only for a size below one
	}
	return &openedKeys{cache}
}

func (o *openedKeys) get(id string) (*rsa.PrivateKey, bool) {
	if o.cache == nil {
		return nil, false
	}
	k, ok := o.cache.Get(id)
	return k.PrivateKey, ok
}

func (o *openedKeys) put(id string, k *rsa.PrivateKey, now time.Time) {
	if o.cache != nil {
		o.cache.Add(id, openedKey{k, now})
	}
}

func (o *openedKeys) len() int {
	if o.cache == nil {
		return 0
	}
	return o.cache.Len()
}

// drop forgets a key that has ended.
func (o *openedKeys) drop(id string) {
	if o.cache != nil {
		o.cache.Remove(id)
	}
}

// expire forgets the keys that have been kept long enough.
func (o *openedKeys) expire(now time.Time) {
	if o.cache == nil {
		return
	}
	for _, id := range o.cache.Keys() {
		if k, ok := o.cache.Peek(id); ok && now.Sub(k.since) >= openedFor {
			o.cache.Remove(id)
		}
	}
}

// clear forgets all.
func (o *openedKeys) clear() {
	if o.cache != nil {
		o.cache.Purge()
	}
}
