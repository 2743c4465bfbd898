package vault

import (
	"sync"

	"strongroom/internal/domain"
)

// verdicts wakes requests that wait for a pending attempt when this process
// settles one. It is only a hint: a request that wakes asks the store again. It
// contains only credentials that a request waits for.
type verdicts struct {
	mu      sync.Mutex
	waiting map[verdictKey]*waiters
}

type verdictKey struct {
	account string
	typ     domain.CredentialType
}

type waiters struct {
	settled chan struct{}
	n       int
}

// wait returns a channel that is closed when the next attempt is settled. The
// caller calls leave when it no longer waits.
func (v *verdicts) wait(account string, t domain.CredentialType) (settled <-chan struct{}, leave func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.waiting == nil {
		v.waiting = map[verdictKey]*waiters{}
	}
	k := verdictKey{account, t}
	w := v.waiting[k]
	if w == nil {
		w = &waiters{settled: make(chan struct{})}
		v.waiting[k] = w
	}
	w.n++
	return w.settled, func() {
		v.mu.Lock()
		defer v.mu.Unlock()
		if w.n--; w.n == 0 && v.waiting[k] == w {
			delete(v.waiting, k)
		}
	}
}

// settled wakes the waiting requests.
func (v *verdicts) settled(account string, t domain.CredentialType) {
	v.mu.Lock()
	defer v.mu.Unlock()
	k := verdictKey{account, t}
	if w := v.waiting[k]; w != nil {
		close(w.settled)
		delete(v.waiting, k)
	}
}
