package service

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"

	"strongroom/internal/record"
)

// awaitWaiting waits until n reads wait for the next round.
func (v *instance) awaitWaiting(n int) {
	for {
		v.round.mu.Lock()
		waiting := len(v.round.waiting)
		v.round.mu.Unlock()
		if waiting == n {
			return
		}
		runtime.Gosched()
	}
}

// One of three reads fails in the round. Then it runs again by itself, and the others do not
// notice.
func TestReadsOfARoundShareATransaction(t *testing.T) {
	v := openVault(t, nil)
	failed := errors.New("failed in the round")
	var all sync.WaitGroup
	var ran [3][]record.Rows // the transactions in which each ran
	for i := range ran {
		all.Go(func() {
			err := v.round.View(v.ctx, func(tx *record.Tx) error {
				if ran[i] = append(ran[i], tx.Rows); i == 1 && len(ran[i]) == 1 {
					return failed
				}
				return nil
			})
			if err != nil {
				t.Errorf("read %d: %v", i, err)
			}
		})
	}
	v.awaitWaiting(3)
	if err := v.lookAround(v.ctx); err != nil {
		t.Error(err)
	}
	all.Wait()
	if len(ran[0]) != 1 || len(ran[2]) != 1 || ran[0][0] != ran[2][0] || len(ran[1]) != 2 || ran[1][0] != ran[0][0] || ran[1][1] == ran[0][0] {
		t.Errorf("they ran in %v", ran)
	}
}

func TestAReadThatNobodyWantsLeavesTheRound(t *testing.T) {
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
