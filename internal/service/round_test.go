package service

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"strongroom/internal/record"
	"strongroom/internal/store"
)

// awaitWaiting waits until n reads wait for the next round.
func (v *instance) awaitWaiting(n int) {
	for {
		if v.round.Waiting() == n {
			return
		}
		runtime.Gosched()
	}
}

// One of three reads fails in the round. Then it runs again by itself, and the others do not
// notice.
func TestReadsOfARoundShareATransaction(t *testing.T) {
	v := openVault(t, nil)
	var inRound atomic.Bool
	inRound.Store(true)
	var all sync.WaitGroup
	var ran [3]record.Rows // the transaction in which each ran last
	for i := range ran {
		all.Go(func() {
			err := v.round.View(v.ctx, func(tx *record.Tx) error {
				if ran[i] = tx.Rows; i == 1 && inRound.Load() {
					return errors.New("failed in the round")
				}
				return nil
			})
			if err != nil {
				t.Errorf("read %d: %v", i, err)
			}
		})
	}
	v.awaitWaiting(3)
	err := v.round.Look(v.ctx, func(ctx context.Context, also func(store.Tx)) error {
		defer inRound.Store(false)
		return v.guard.Glance(ctx, also)
	})
	if err != nil {
		t.Error(err)
	}
	all.Wait()
	if ran[0] != ran[2] || ran[1] == ran[0] {
		t.Errorf("transactions of the reads: %v, want the first and third equal, and the second another one", ran)
	}
}

func TestACanceledReadLeavesTheRound(t *testing.T) {
	v := openVault(t, nil)
	ctx, cancel := context.WithCancel(v.ctx)
	got := make(chan error)
	go func() {
		got <- v.round.View(ctx, func(*record.Tx) error { return errors.New("it ran") })
	}()
	v.awaitWaiting(1)
	cancel()
	if err := <-got; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	v.awaitWaiting(0)
	if err := v.lookAround(v.ctx); err != nil {
		t.Error(err)
	}
}

// Someone who can write to the database can make each look fail. The reads must not wait for
// ever: by one of them, this instance learns of a plan that refuses keys.
func TestAReadDoesNotWaitForeverForALook(t *testing.T) {
	v := openVault(t, nil)
	ctx, cancel := context.WithTimeout(v.ctx, 10*record.RoundPatience)
	defer cancel()
	got := make(chan error, 1)
	ran := 0
	go func() {
		got <- v.round.View(ctx, func(*record.Tx) error {
			ran++
			return nil
		})
	}()
	v.awaitWaiting(1)
	failed := errors.New("a row cannot be read")
	for {
		select {
		case err := <-got:
			if err != nil || ran == 0 {
				t.Errorf("it ran %d times: %v", ran, err)
			}
			v.awaitWaiting(0)
			return
		case <-time.After(rollbackLook):
			if err := v.round.Look(v.ctx, func(context.Context, func(store.Tx)) error { return failed }); !errors.Is(err, failed) {
				t.Error(err)
			}
		}
	}
}
