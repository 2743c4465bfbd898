package tally

import (
	"sync/atomic"
	"time"
)

// waiting has the times since which the oldest operation, count and refusal in memory
// have been waiting to be written. A failed flush does not change them.
type waiting struct {
	operations since // of operations, to be in the roll-ups
	counts     since // of counted operations, to be in the trail
	refusals   since // of counted refusals that a flush has left
}

// since is the time at which the oldest item began to wait, if any does. add and age are
// safe for concurrent use. Only the flush calls the other methods.
type since struct{ first, taken atomic.Int64 } // nanoseconds since 1970; 0: none

// add notes that something waits since now.
func (w *since) add(now time.Time) {
	if w.first.Load() == 0 { // under load it is mostly set already, which saves the write
		w.first.CompareAndSwap(0, now.UnixNano())
	}
}

// take notes that everything that waits is being written.
func (w *since) take() {
	if first := w.first.Swap(0); first != 0 && w.taken.Load() == 0 {
		w.taken.Store(first)
	}
}

func (w *since) age(now time.Time) time.Duration {
	first := w.taken.Load()
	if first == 0 {
		first = w.first.Load()
	}
	if first == 0 {
		return 0
	}
	return max(0, now.Sub(time.Unix(0, first)))
}

// take is called at the start of a flush. Refusals wait until their minute ends,
// so a flush may leave them.
func (w *waiting) take(refused time.Time) {
	w.operations.take()
	w.counts.take()
	if !refused.IsZero() {
		w.refusals.add(refused)
	}
}

// written is called after the flush was committed. refused is the time since which the
// remaining refusals have been waiting: those that the flush left, and newer ones.
func (w *waiting) written(refused time.Time) {
	w.operations.taken.Store(0)
	w.counts.taken.Store(0)
	if refused.IsZero() || refused.UnixNano() != w.refusals.first.Load() {
		w.refusals.first.Store(0)
	}
}
