package service

import (
	"context"
	"crypto/rand"
	"sync"
	"testing"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/domain"
	"strongroom/internal/workpool"
)

// mustEnter lets in a request of a caller of its own.
func mustEnter(t *testing.T, p *workpool.Pool) *workpool.Ticket {
	t.Helper()
	var caller [16]byte
	_, _ = rand.Read(caller[:])
	k, err := p.Enter(caller)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// occupy keeps every worker at work until release is closed.
func occupy(p *workpool.Pool, release <-chan struct{}) {
	var at sync.WaitGroup
	at.Add(p.Size)
	for range p.Size {
		go p.Last().Next(context.Background(), func(*argon2.Matrix) { at.Done(); <-release })
	}
	at.Wait()
}

// queued waits until n pieces of work are in the queue.
func queued(p *workpool.Pool, n int) {
	until(func() bool { return p.State().Queued == n })
}

// If no caller is identified before the key is looked up, the key's account takes the
// turn.
func TestUnidentifiedCallersTakeTurnsByAccount(t *testing.T) {
	v := openVault(t, func(c *Config) { c.Workers = 1 })
	phone, tablet := v.issue("phone"), v.issue("tablet")
	release := make(chan struct{})
	occupy(v.verifying, release)
	answers := make(chan string, 3)
	for i, k := range []domain.KeyPair{phone, phone, tablet} {
		go func() { answers <- v.verifyPIN(k, "1357") }()
		queued(v.verifying, i+1)
	}
	inside, turns := v.verifying.Callers()
	if inside != 1 || turns != 2 { // no address is known, and there are two accounts
		t.Errorf("%d callers are inside and %d take turns", inside, turns)
	}
	close(release)
	for range 3 {
		v.expect("verify", <-answers, "false")
	}
	v.idle()
}
