package bench

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestLatencyBucketsAreAccurateToOneSixtyFourth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(0, int64(time.Hour/2)).Draw(t, "d"))
		end := longestOf(bucketOf(d))
		if end < d || end > d+d/64 {
			t.Fatalf("%d ns are reported as up to %d", d, end)
		}
	})
	for i := range maxShift*64 + 128 {
		if got := bucketOf(longestOf(i)); got != i {
			t.Fatalf("the longest of bucket %d is in bucket %d", i, got)
		}
	}
	if last := maxShift*64 + 127; bucketOf(math.MaxInt64) != last || bucketOf(-1) != 0 {
		t.Error("values out of bounds are not in the outermost buckets")
	}
}

func TestPercentilesUseTheNearestRank(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.Int64Range(1, 1e12), 1, 300).Draw(t, "all")
		p := rapid.Float64Range(0, 1).Draw(t, "p")
		var l latencies
		for _, ns := range all {
			l.add(time.Duration(ns))
		}
		slices.Sort(all)
		want := time.Duration(all[int(max(1, math.Ceil(p*float64(len(all)))))-1])
		if got := l.at(p); got < want || got > want+want/64 {
			t.Fatalf("percentile %g of %v is %d, want %d", p, all, got, want)
		}
	})
}

func TestTheMaximumIsExactAndNoAnswersHaveNoLatency(t *testing.T) {
	var l latencies
	if s := l.summary(); s.P99 != 0 || s.Max != 0 || len(s.Curve) != 0 {
		t.Errorf("of nothing: %+v", s)
	}
	for range 1000 {
		l.add(time.Millisecond)
	}
	l.add(1_234_567 * time.Nanosecond)
	s := l.summary()
	if s.Max != 1.234567 || l.at(1) != 1_234_567 || s.P50 < 1 || s.P50 > 1.016 {
		t.Errorf("%+v", s)
	}
	if last := s.Curve[len(s.Curve)-1]; s.Curve[0].Share != 0 || last.Share < 0.998 || last.Share > 0.9991 || last.Millis > 1.24 {
		t.Errorf("the curve goes from %v to %v", s.Curve[0], last)
	}
}

func TestP999NeedsAThousandAnswers(t *testing.T) {
	var l latencies
	for range 999 {
		l.add(time.Millisecond)
	}
	if s := l.summary(); s.P999 != 0 || strings.Fields(s.cells())[3] != "-" {
		t.Errorf("of 999: %+v", s)
	}
	l.add(time.Millisecond)
	s := l.summary()
	if s.P999 != 1 || strings.Fields(s.cells())[3] != "1.00" {
		t.Errorf("of 1000: %+v", s)
	}
	of := func(l Latency) Result { return Result{Kind: "verify", Latency: l} }
	if m := medianResults([]Result{of(s), of(Latency{}), of(s)}); m[0].Latency.P999 != 0 {
		t.Errorf("of rounds of which one has too few: %+v", m[0].Latency)
	}
}
