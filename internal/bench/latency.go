package bench

import (
	"math"
	"math/bits"
	"sync/atomic"
	"time"
)

// latencies is a histogram of durations. A bucket is 1/64 to 1/128 of its value
// wide, so a percentile is at most 1.6 % too high and never too low. It takes
// 18 KiB, however much is counted. It is safe for concurrent use.
type latencies struct {
	buckets [maxShift*64 + 128]atomic.Uint64
	longest atomic.Int64 // nanoseconds
}

// maxShift bounds the buckets: all durations above 2^41 ns (37 minutes) share one.
const maxShift = 34

func bucketOf(d time.Duration) int {
	v := uint64(max(d, 0))
	shift := max(bits.Len64(v)-7, 0)
	if shift > maxShift {
		return maxShift*64 + 127
	}
	return shift*64 + int(v>>shift) //nolint:gosec // below 128
}

// longestOf returns the longest duration that bucketOf puts into bucket i.
func longestOf(i int) time.Duration {
	shift := max(i/64-1, 0)
	return time.Duration((i-shift*64+1)<<shift - 1)
}

func (l *latencies) add(d time.Duration) {
	l.buckets[bucketOf(d)].Add(1)
	for {
		was := l.longest.Load()
		if int64(d) <= was || l.longest.CompareAndSwap(was, int64(d)) {
			return
		}
	}
}

func (l *latencies) count() uint64 {
	var n uint64
	for i := range l.buckets {
		n += l.buckets[i].Load()
	}
	return n
}

// at returns the duration that a share p (0 to 1) of all did not exceed: the
// nearest rank, rounded up to the end of its bucket. It is 0 if nothing was counted.
func (l *latencies) at(p float64) time.Duration {
	rank := uint64(max(1, math.Ceil(p*float64(l.count()))))
	var n uint64
	for i := range l.buckets {
		if n += l.buckets[i].Load(); n >= rank {
			return min(longestOf(i), time.Duration(l.longest.Load()))
		}
	}
	return 0
}

// Latency has percentiles in milliseconds.
type Latency struct {
	P50   float64 `json:"p50"`
	P90   float64 `json:"p90"`
	P99   float64 `json:"p99"`
	P999  float64 `json:"p999,omitempty"` // 0 below 1,000 answers, where it would equal Max
	Max   float64 `json:"max"`
	Curve []Point `json:"curve,omitempty"` // to draw
}

// Point is one point of a percentile curve.
type Point struct {
	Share  float64 `json:"share"` // of requests, 0 to 1
	Millis float64 `json:"ms"`
}

func (l *latencies) summary() Latency {
	s := Latency{P50: millis(l.at(0.5)), P90: millis(l.at(0.9)), P99: millis(l.at(0.99)),
		Max: millis(time.Duration(l.longest.Load()))}
	n := float64(l.count())
	if n >= 1000 {
		s.P999 = millis(l.at(0.999))
	}
	// Eight points for each halving of the rest, as long as there are requests
	// between them.
	for rest := 1.0; n > 0 && rest*n >= 1; rest *= math.Pow(2, -1.0/8) {
		s.Curve = append(s.Curve, Point{1 - rest, millis(l.at(1 - rest))})
	}
	return s
}

func millis(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
