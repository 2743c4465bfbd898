package sqltx

import (
	"math"
	"slices"
	"testing"
	"time"
)

// keyTimes are the times of keys of one size, sorted. It answers the statements that
// count keys.
type keyTimes struct {
	Engine
	t     *testing.T
	times []int64
	parts int
}

// number is a row with one integer.
type number struct {
	Row
	n int64
}

func (n number) Integer() int64 { return n.n }

func (k *keyTimes) position(at int64) int64 {
	i, _ := slices.BinarySearch(k.times, at)
	return int64(i)
}

func (k *keyTimes) Query(each func(Row), query string, args ...any) error {
	from := k.position(args[2].(int64))
	switch query {
	case sqlKeyAgeAfter:
		if i := from + args[3].(int64); i < int64(len(k.times)) {
			each(number{n: k.times[i]})
		}
	case sqlCountActiveKeys:
		k.parts++
		to := args[3].(int64)
		some := k.position(to) - from
		if some > keysInPart+3 && to != 1<<30+1 {
			k.t.Errorf("a part of %d keys", some)
		}
		each(number{n: some})
	}
	return nil
}

// Each key is counted once, even if many keys have the same time, and no part
// is longer than necessary.
func TestKeysAreCountedInParts(t *testing.T) {
	keys := &keyTimes{t: t}
	for n := range int64(5 * keysInPart / 2) {
		keys.times = append(keys.times, 1000+n/3)
	}
	keys.times = append(keys.times, slices.Repeat([]int64{1 << 30}, 3*keysInPart)...)
	for _, before := range []int64{1, 1001, 1 << 29, 1<<30 + 1} {
		n, err := New(keys, nil, Verdicts{}).CountActiveKeys(time.UnixMicro(before), 2048, math.MaxInt64)
		if want := keys.position(before); err != nil || n != want {
			t.Errorf("before %d: %d, %v, want %d", before, n, err, want)
		}
	}
	if keys.parts > 12 {
		t.Errorf("%d parts", keys.parts)
	}
}
