package rollback

import (
	"context"
	"errors"
	"time"
)

const acknowledgePatience = 10 * time.Second // longer than beatLease

// errNotAcknowledged is not a [store.ErrUnavailable], because the guess was
// counted.
var errNotAcknowledged = errors.New("other instances did not confirm within 10 s that they have read the entry of a guess: " +
	"the guess was counted, and its verdict is withheld; check the log of the other instances for database errors")

// Acknowledged waits until all other running instances remember what this
// process has appended so far.
func (s *Store) Acknowledged(ctx context.Context) error {
	b := &s.beats
	if !b.begun.Load() {
		return nil
	}
	heads := s.memory.heads()
	late := time.NewTimer(acknowledgePatience)
	defer late.Stop()
	for {
		done, changed := b.acknowledged(heads)
		switch {
		case s.Seen():
			return ErrSeen
		case done:
			return nil
		}
		select {
		case <-changed:
		case <-late.C:
			return errNotAcknowledged
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (b *beats) acknowledged(heads []Head) (done bool, changed <-chan struct{}) {
	b.mu.Lock()
	defer b.mu.Unlock()
	done = b.isFresh()
	for _, p := range b.living() {
		for _, h := range heads {
			instance, rest := split(h.Chain)
			done = done && (instance != b.Instance || p.read[rest] >= h.Seq) // the store's first chain belongs to no instance
		}
	}
	return done, b.changed
}

// broadcast wakes the requests that wait in Acknowledged.
func (b *beats) broadcast() {
	if !b.begun.Load() {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	close(b.changed)
	b.changed = make(chan struct{})
}
