package tally

import (
	"sync/atomic"
	"time"
)

// waiting is since when the oldest operation, count and refusal in memory waits
// to be written, also after a flush has failed.
type waiting struct {
	operations since // of operations, to be in the roll-ups
	counts     since // of counted operations, to be in the trail
	refusals   since // of counted refusals, if a flush has left them
}

// since is a moment, or none. Adding is safe for concurrent use. Only the flush
// takes and forgets.
type since struct{ first, taken atomic.Int64 } // nanoseconds since 1970; 0: none

// add notes that something waits from now on.
func (w *since) add(now time.Time) {
	if w.first.Load() == 0 { // under load something does already
		w.first.CompareAndSwap(0, now.UnixNano())
	}
}

// take notes that all that waits is being written.
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

// take is called before a flush takes what waits. Refusals wait for their
// minute to end, so a flush may leave them.
func (w *waiting) take(refused time.Time) {
	w.operations.take()
	w.counts.take()
	if !refused.IsZero() {
		w.refusals.add(refused)
	}
}

// written is called after a flush that was committed. refused is since when the
// refusals wait that it left or that came later.
func (w *waiting) written(refused time.Time) {
	w.operations.taken.Store(0)
	w.counts.taken.Store(0)
	if refused.IsZero() || refused.UnixNano() != w.refusals.first.Load() {
		w.refusals.first.Store(0)
	}
}
