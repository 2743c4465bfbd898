package metrics

import (
	"math"
	"slices"
	"sync"
	"time"

	"strongroom/internal/domain"
)

// Latency is how long one kind of operation took this instance in the last
// hour. The percentiles are at most a tenth too high.
type Latency struct {
	Operation     domain.Operation
	Count         int64
	P50, P95, P99 time.Duration
}

const (
	latencyMinutes = 60
	latencySteps   = 128                   // of a tenth each: from 50 µs to some 9 s, and all above
	latencyLeast   = 50 * time.Microsecond // what takes less is one step
	latencyGrowth  = 1.1
)

// latencies are the counts of the last hour by minute, operation and step, in
// some 220 KiB. The zero value is ready. Safe for concurrent use.
type latencies struct {
	mu      sync.Mutex
	minutes [latencyMinutes]latencyMinute
}

type latencyMinute struct {
	minute int64 // since 1970
	counts [7][latencySteps]uint32
}

func (l *latencies) observe(op domain.Operation, took time.Duration, now time.Time) {
	at := slices.Index(domain.Operations, op)
	if at < 0 {
		return
	}
	minute := now.Unix() / 60
	l.mu.Lock()
	defer l.mu.Unlock()
	m := &l.minutes[minute%latencyMinutes]
	if m.minute != minute {
		*m = latencyMinute{minute: minute}
	}
	m.counts[at][stepOf(took)]++
}

// stepOf is the step whose upper end is the least that took does not exceed.
func stepOf(took time.Duration) int {
	if took <= latencyLeast {
		return 0
	}
	step := math.Ceil(math.Log(float64(took)/float64(latencyLeast)) / math.Log(latencyGrowth))
	return min(int(step), latencySteps-1)
}

func (l *latencies) last(now time.Time) (all []Latency) {
	first := now.Unix()/60 - latencyMinutes
	l.mu.Lock()
	defer l.mu.Unlock()
	for at, op := range domain.Operations {
		var sum [latencySteps]int64
		lat := Latency{Operation: op}
		for i := range l.minutes {
			if m := &l.minutes[i]; m.minute > first {
				for step, n := range m.counts[at] {
					sum[step] += int64(n)
					lat.Count += int64(n)
				}
			}
		}
		if lat.Count > 0 {
			lat.P50, lat.P95, lat.P99 = percentile(&sum, lat.Count, 50), percentile(&sum, lat.Count, 95), percentile(&sum, lat.Count, 99)
			all = append(all, lat)
		}
	}
	return all
}

// percentile is the upper end of the step in which it falls.
func percentile(counts *[latencySteps]int64, all, p int64) time.Duration {
	rank := (all*p + 99) / 100
	step := 0
	for n := counts[0]; n < rank && step < latencySteps-1; n += counts[step] {
		step++
	}
	return time.Duration(float64(latencyLeast) * math.Pow(latencyGrowth, float64(step)))
}

// Latencies are those of operations that this instance did in the last hour.
func (m *Meters) Latencies() []Latency { return m.latencies.last(time.Now()) }
