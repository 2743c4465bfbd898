package storetest

import (
	"context"
	"errors"
	"math"
	"sync/atomic"
	"time"

	"strongroom/internal/store"
)

var keyGenerationTests = []test{
	{"key generations are counted in a window that the first begins", countKeyGenerations},
	{"of fifty key generations at once as many are counted as the limit says", countKeyGenerationsAtOnce},
	{"a key generation that is not committed does not count", keyGenerationRolledBack},
	{"a key generation window of a clock that stepped far back is over", keyGenerationClockBack},
	{"counts whose window ended are removed in portions", sweepKeyGenerations},
	{"counts beyond a bound are removed, the first to end first", boundKeyGenerations},
}

func countKeyGenerations(w *world) {
	phone, tablet := digest(0), digest(1)
	reset := w.now().Add(generationWindow)
	w.generated(phone, 3, true, reset)
	w.clock.advance(time.Hour)
	w.generated(tablet, 3, true, w.now().Add(generationWindow))
	w.generated(phone, 3, true, reset)
	w.generated(phone, 3, true, reset)
	for range 3 {
		w.generated(phone, 3, false, reset)
	}
	w.generated(phone, 4, true, reset) // what was refused was not counted
	w.generated(phone, 4, false, reset)
	w.generated(phone, math.MaxInt64, true, reset)

	w.reopen()
	w.clock.advance(generationWindow - time.Hour) // the last instant of the window
	w.generated(phone, 3, false, reset)
	w.clock.advance(time.Microsecond)
	reset = w.now().Add(generationWindow)
	w.generated(phone, 1, true, reset)
	w.generated(phone, 1, false, reset)
}

func countKeyGenerationsAtOnce(w *world) {
	handles := []store.Store{w.store, w.openAnother()}
	var counted atomic.Int64
	for _, err := range together(50, func(i int) error {
		was := false
		err := handles[i%2].Update(context.Background(), func(tx store.Tx) (err error) {
			_, was, err = tx.CountKeyGeneration(digest(0), generationWindow, 5)
			return err
		})
		if was && err == nil {
			counted.Add(1)
		}
		return err
	}) {
		if err != nil {
			w.Error(err)
		}
	}
	equal(w, "counted", counted.Load(), 5)
}

func keyGenerationRolledBack(w *world) {
	w.fails(errBoom, func(tx store.Tx) error {
		_, _, err := tx.CountKeyGeneration(digest(0), generationWindow, 1)
		return errors.Join(err, errBoom)
	})
	w.clock.advance(time.Second)
	w.generated(digest(0), 1, true, w.now().Add(generationWindow))
}

// Steps of up to a window change no count.
func keyGenerationClockBack(w *world) {
	reset := w.now().Add(generationWindow)
	w.generated(digest(0), 1, true, reset)
	w.clock.advance(-generationWindow)
	w.generated(digest(0), 1, false, reset)
	w.clock.advance(-time.Microsecond)
	w.generated(digest(0), 1, true, w.now().Add(generationWindow))
}

func sweepKeyGenerations(w *world) {
	for i := range 7 {
		w.generated(digest(i), 1, true, w.now().Add(generationWindow))
		w.clock.advance(time.Minute)
	}
	remove := func(limit, want int) {
		w.Helper()
		gives(w, "counts removed", want, func(tx store.Tx) (int, error) { return tx.DeleteKeyGenerations(time.Time{}, limit) })
	}
	remove(10, 0)
	w.clock.advance(generationWindow - 2*time.Minute) // the window of the sixth ends now, and five have ended
	remove(3, 3)
	remove(3, 2)
	remove(3, 0)
	w.generated(digest(5), 1, false, w.now())
	w.generated(digest(6), 1, false, w.now().Add(time.Minute))
	w.generated(digest(0), 1, true, w.now().Add(generationWindow))
}

func boundKeyGenerations(w *world) {
	for i := range 7 {
		w.generated(digest(i), 1, true, w.now().Add(generationWindow))
		w.clock.advance(time.Minute)
	}
	var third time.Time
	w.must(func(tx store.Tx) (err error) {
		_, err = tx.OldKeyGeneration(7)
		equal(w, "none is beyond", errors.Is(err, store.ErrNotFound), true)
		third, err = tx.OldKeyGeneration(4)
		return err
	})
	equal(w, "the third to end", third, w.now().Add(generationWindow-5*time.Minute))
	for _, portion := range []struct{ limit, deleted int }{{2, 2}, {2, 1}, {2, 0}} {
		gives(w, "counts removed", portion.deleted, func(tx store.Tx) (int, error) { return tx.DeleteKeyGenerations(third, portion.limit) })
	}
	w.must(func(tx store.Tx) error {
		for i := range 7 {
			_, _, err := tx.KeyGeneration(digest(i))
			if i < 3 != errors.Is(err, store.ErrNotFound) {
				w.Errorf("count %d: %v", i, err)
			}
		}
		return nil
	})
}
