// Package ratelimit counts requests in memory: key generations per device, as
// the specification demands, failures such as undecryptable ciphertexts per key,
// operations per caller and per client address, and wrong answers per source.
//
// It protects the service's time and memory. Strangers can fill these counters,
// so each counter has a bound. A full counter drops one entry for each new one.
// Entries that have ended are removed a few at a time, so that no request waits
// long. None of this protects a PIN against guessing: limits that must survive a
// restart and hold for all instances together are in the store.
//
// [KeyGeneration] and [Budget] count in windows of fixed length that begin with
// the first request. All windows of a counter are equally long, so they end in
// the order in which they start, and the one that ends first is dropped. If the
// clock is set back, the order is wrong by that step at most: a few windows are
// then removed too late or dropped too early. Steps of up to a window change no
// count. [Rates] are token buckets, several for each key, and drop the key that
// was used longest ago; so does [Guesses]. All take the time from the caller.
package ratelimit

import "time"

// windows are counts by key, in the order in which their windows end. They are
// stored in chunks that are never moved, and linked by number, so that a million
// of them need no long copy and little time of the garbage collector. Not safe
// for concurrent use.
type windows[K comparable] struct {
	length time.Duration
	bound  int // entries at most

	index  map[K]int32
	chunks [][]entry[K]
	used   int32 // entries in chunks that take has handed out at least once
	free   int32 // head of the list of returned entries, by next
	oldest int32
	newest int32

	evictions int64
}

// entry is one key's window. prev and next are entry numbers, or none.
type entry[K comparable] struct {
	key        K
	count      int64
	end        int64 // nanoseconds since 1970: the first instant after the window
	prev, next int32
}

const (
	none      = int32(-1)
	chunkSize = 1024
	sweepStep = 4 // ended windows dropped with each new count
)

func newWindows[K comparable](length time.Duration, bound int) *windows[K] {
	return &windows[K]{length: length, bound: max(1, bound), index: map[K]int32{}, free: none, oldest: none, newest: none}
}

// current returns the key's entry if its window has not ended, or nil.
func (w *windows[K]) current(key K, now time.Time) *entry[K] {
	i, ok := w.index[key]
	if !ok || w.over(w.at(i), now) {
		return nil
	}
	return w.at(i)
}

// over reports whether the entry's window has ended. A window that ends more than
// twice its length from now began before the clock was set far back. It counts as
// ended: otherwise it would lock a device out for as long as that step.
func (w *windows[K]) over(e *entry[K], now time.Time) bool {
	left := time.Duration(e.end - now.UnixNano())
	return left <= 0 || left > 2*w.length
}

// start gives the key a new window with a count of 0, which ends length after
// now, and returns its entry. The key's earlier window, if any, has ended.
func (w *windows[K]) start(key K, now time.Time) *entry[K] {
	if i, ok := w.index[key]; ok {
		w.drop(i)
	}
	if len(w.index) >= w.bound {
		w.drop(w.oldest)
		w.evictions++
	}
	i := w.take()
	e := w.at(i)
	*e = entry[K]{key: key, end: now.Add(w.length).UnixNano(), prev: w.newest, next: none}
	if w.newest == none {
		w.oldest = i
	} else {
		w.at(w.newest).next = i
	}
	w.newest = i
	w.index[key] = i
	return e
}

// sweep drops a few of the windows that ended first.
func (w *windows[K]) sweep(now time.Time) {
	for range sweepStep {
		if w.oldest == none || !w.over(w.at(w.oldest), now) {
			return
		}
		w.drop(w.oldest)
	}
}

// drop unlinks the entry and puts it on the free list.
func (w *windows[K]) drop(i int32) {
	e := w.at(i)
	delete(w.index, e.key)
	if e.prev == none {
		w.oldest = e.next
	} else {
		w.at(e.prev).next = e.next
	}
	if e.next == none {
		w.newest = e.prev
	} else {
		w.at(e.next).prev = e.prev
	}
	*e = entry[K]{next: w.free}
	w.free = i
}

// take hands out an entry from the free list, or else from the last chunk.
func (w *windows[K]) take() int32 {
	if i := w.free; i != none {
		w.free = w.at(i).next
		return i
	}
	if int(w.used) == len(w.chunks)*chunkSize {
		w.chunks = append(w.chunks, make([]entry[K], chunkSize))
	}
	w.used++
	return w.used - 1
}

func (w *windows[K]) at(i int32) *entry[K] { return &w.chunks[i/chunkSize][i%chunkSize] }
