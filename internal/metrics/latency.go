package metrics

import (
	"slices"
	"sync"
	"time"

	"strongroom/internal/domain"
)

const latencyMinutes = 60

// latencies counts the operations of the last hour by minute, operation and
// duration step, in about 480 KiB. The zero value is ready to use. It is safe
// for concurrent use.
type latencies struct {
	mu      sync.Mutex
	minutes [latencyMinutes]latencyMinute
}

type latencyMinute struct {
	minute int64 // since 1970
	counts [8][len(domain.Durations{})]uint32
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
	m.counts[at][domain.DurationStep(took)]++
}

func (l *latencies) last(now time.Time) (all []domain.Latency) {
	first := now.Unix()/60 - latencyMinutes
	l.mu.Lock()
	defer l.mu.Unlock()
	for at, op := range domain.Operations {
		var sum domain.Durations
		for i := range l.minutes {
			if m := &l.minutes[i]; m.minute > first {
				for step, n := range m.counts[at] {
					sum[step] += int64(n)
				}
			}
		}
		if p := sum.Percentiles(); p.Of > 0 {
			all = append(all, domain.Latency{Operation: op, Percentiles: p})
		}
	}
	return all
}
