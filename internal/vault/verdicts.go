package vault

import (
	"sync"

	"strongroom/internal/domain"
)

// verdicts tells requests that wait for a pending attempt when one of this process
// was settled. It is a hint only: whoever wakes asks the store. It holds the
// credentials that someone waits for and no others.
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

// wait returns a channel that is closed at the next settled attempt, and what to
// call when done with it.
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

// settled wakes those who wait.
func (v *verdicts) settled(account string, t domain.CredentialType) {
	v.mu.Lock()
	defer v.mu.Unlock()
	k := verdictKey{account, t}
	if w := v.waiting[k]; w != nil {
		close(w.settled)
		delete(v.waiting, k)
	}
}
