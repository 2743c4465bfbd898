package service

import (
	"crypto/rsa"

	"github.com/hashicorp/golang-lru/v2"
)

// openedKeys keeps the private keys that were opened last, by key id: opening
// one costs a tenth of using it. It says nothing about who may use a key: a
// record is read from the store and checked before its key is looked for here.
// Safe for concurrent use, as are the keys in it.
type openedKeys struct {
	cache *lru.Cache[string, *rsa.PrivateKey] // nil: none are kept
}

func newOpenedKeys(size int) *openedKeys {
	if size == 0 {
		return &openedKeys{}
	}
	cache, err := lru.New[string, *rsa.PrivateKey](size)
	if err != nil {
		panic(err) // only for a size below one
	}
	return &openedKeys{cache}
}

func (o *openedKeys) get(id string) (*rsa.PrivateKey, bool) {
	if o.cache == nil {
		return nil, false
	}
	return o.cache.Get(id)
}

func (o *openedKeys) put(id string, k *rsa.PrivateKey) {
	if o.cache != nil {
		o.cache.Add(id, k)
	}
}

// drop forgets a key that has ended.
func (o *openedKeys) drop(id string) {
	if o.cache != nil {
		o.cache.Remove(id)
	}
}

// clear forgets all.
func (o *openedKeys) clear() {
	if o.cache != nil {
		o.cache.Purge()
	}
}
