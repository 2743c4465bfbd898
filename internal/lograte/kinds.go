package lograte

import (
	"sync"
	"time"
)

// maxKinds bounds the kinds of lines. Further ones share a limit. Kinds are
// fixed names of this program, so there should be none.
const maxKinds = 256

// Kinds limits each of several kinds of lines on its own, so that a flood of one
// kind does not hide the others. Its zero value is ready to use. It is safe for
// concurrent use.
type Kinds struct {
	mu     sync.Mutex
	limits map[string]*Limit
}

// Next is [Limit.Next] for one kind.
func (k *Kinds) Next(kind string, now time.Time) (write bool, omitted int) {
	return k.limit(kind).Next(now)
}

func (k *Kinds) limit(kind string) *Limit {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.limits == nil {
		k.limits = map[string]*Limit{}
	}
	if len(k.limits) >= maxKinds && k.limits[kind] == nil {
		kind = ""
	}
	if k.limits[kind] == nil {
		k.limits[kind] = new(Limit)
	}
	return k.limits[kind]
}
