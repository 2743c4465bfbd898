package store

import (
	"math"
	"slices"
	"testing"
	"time"
)

// Each key is counted once, even if many keys have the same time, and no part
// is longer than necessary.
func TestKeysAreCountedInParts(t *testing.T) {
	var times []int64 // sorted
	for n := range int64(5 * keysInPart / 2) {
		times = append(times, 1000+n/3)
	}
	times = append(times, slices.Repeat([]int64{1 << 30}, 3*keysInPart)...)
	position := func(at int64) int64 {
		i, _ := slices.BinarySearch(times, at)
		return int64(i)
	}
	parts := 0
	for _, before := range []int64{1, 1001, 1 << 29, 1<<30 + 1} {
		n, err := CountKeys(2048, time.UnixMicro(before), math.MaxInt64, nil,
			func(_, from, keys int64) (int64, error) {
				if i := position(from) + keys; i < int64(len(times)) {
					return times[i], nil
				}
				return 0, ErrNotFound
			},
			func(_, from, to, _ int64) (int64, error) {
				parts++
				some := position(to) - position(from)
				if some > keysInPart+3 && to != 1<<30+1 {
					t.Errorf("a part of %d keys", some)
				}
				return some, nil
			})
		if want := position(before); err != nil || n != want {
			t.Errorf("before %d: %d, %v, want %d", before, n, err, want)
		}
	}
	if parts > 12 {
		t.Errorf("%d parts", parts)
	}
}
