package record

import (
	"context"
	"sync"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// Round collects reads of background jobs that can wait. They share the transaction of
// the next look at the database (see [rollback.Store.Glance]), because an idle instance
// costs the database mostly by its number of transactions.
type Round struct {
	records *Records

	mu      sync.Mutex
	waiting []*roundRead
}

// NewRound returns a Round of reads of these records. It is safe for concurrent use.
func NewRound(records *Records) *Round { return &Round{records: records} }

// Waiting is how many reads wait for the next round.
func (r *Round) Waiting() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.waiting)
}

type roundRead struct {
	fn   func(*Tx) error
	err  error
	done chan bool // whether fn ran in the transaction of the round
}

// RoundPatience is how long a read waits for a round: longer than the 2 s between two looks
// of an idle instance. A rotation of data keys expects that each server says within 3 s that
// it has learnt the new one, so the wait and keysEvery must be shorter together.
const RoundPatience = 2250 * time.Millisecond

// View is [Records.View], but waits for the next round. If fn fails there, it runs
// again by itself, so that its error concerns no other read. It also runs by itself if
// there is no round for RoundPatience, for example because each look fails.
func (r *Round) View(ctx context.Context, fn func(*Tx) error) error {
	read := &roundRead{fn: fn, done: make(chan bool, 1)}
	r.mu.Lock()
	r.waiting = append(r.waiting, read)
	r.mu.Unlock()
	waiting, cancel := context.WithTimeout(ctx, RoundPatience)
	defer cancel()
	var done bool
	select {
	case done = <-read.done:
	case <-waiting.Done():
		if !r.leave(read) { // it is in a round just now
			done = <-read.done
		} else if err := ctx.Err(); err != nil {
			return err
		}
	}
	if done && read.err == nil {
		return nil
	}
	return r.records.View(ctx, fn)
}

// leave removes a read that still waits, and reports whether it did.
func (r *Round) leave(read *roundRead) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, other := range r.waiting {
		if other == read {
			r.waiting = append(r.waiting[:i], r.waiting[i+1:]...)
			return true
		}
	}
	return false
}

// Look calls glance, such as [rollback.Store.Glance], and runs the waiting reads in its
// transaction.
func (r *Round) Look(ctx context.Context, glance func(ctx context.Context, also func(store.Tx)) error) error {
	var reads []*roundRead
	err := glance(ctx, func(tx store.Tx) {
		r.mu.Lock()
		reads, r.waiting = append(reads, r.waiting...), nil
		r.mu.Unlock()
		steps := make([]func() error, len(reads))
		for i, read := range reads {
			steps[i] = func() error {
				read.err = read.fn(r.records.begin(tx, domain.Entry{}))
				return nil
			}
		}
		_ = tx.Interleave(steps...) // if the transaction fails, the look fails too
	})
	for _, read := range reads {
		read.done <- err == nil
	}
	return err
}
