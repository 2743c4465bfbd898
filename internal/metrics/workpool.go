package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// WorkPool measures one worker pool. A nil one measures nothing.
type WorkPool struct {
	name       string
	collector  *collector
	wait       prometheus.Observer
	full, late prometheus.Counter
}

func (m *Metrics) registerWorkPools(in factory) {
	shed := in.counterVec("lane_shed_total", "Requests refused because too many had been admitted (full) or no worker was free in time (late).", "lanes", "reason")
	wait := in.histogramVec("lane_wait_seconds", "Time that work of a request waited for a worker.", eighthOfAMillisecond, 17, "lanes")
	work := in.histogramVec("lane_work_seconds", "Time of one decryption (RSA or HPKE) or one hash of a passcode or PIN.", eighthOfAMillisecond, 14, "work")
	m.decrypt, m.argon2, m.pbkdf2 = work.WithLabelValues("decrypt"), work.WithLabelValues("argon2id"), work.WithLabelValues("pbkdf2")
	m.workPools = map[string]*WorkPool{}
	for _, name := range allWorkPools {
		m.workPools[name] = &WorkPool{name: name, collector: &m.collector, wait: wait.WithLabelValues(name),
			full: shed.WithLabelValues(name, "full"), late: shed.WithLabelValues(name, "late")}
	}
}

// WorkPool returns the metrics of the worker pool with this name, one of the
// WorkOn constants.
func (m *Metrics) WorkPool(name string) *WorkPool { return m.workPools[name] }

// Waited measures how long a piece of work waited for a worker.
func (w *WorkPool) Waited(took time.Duration) {
	if w != nil {
		w.wait.Observe(took.Seconds())
	}
}

// Full counts a request that was refused because too many had been admitted.
func (w *WorkPool) Full() {
	if w != nil {
		w.full.Inc()
	}
}

// Late counts a request that was refused because no worker was free in time.
func (w *WorkPool) Late() {
	if w != nil {
		w.late.Inc()
	}
}

// WorkPoolState is what a worker pool is doing now.
type WorkPoolState struct {
	Workers, Busy, Queued int
	Requests, MaxRequests int // admitted
}

// Watch sets the function that each scrape asks what the workers are doing.
// Like all such functions, it must be safe for concurrent use. The latest call
// replaces earlier ones.
func (w *WorkPool) Watch(state func() WorkPoolState) {
	w.collector.watch("lanes "+w.name, func(give emit) {
		s := state()
		give("lanes", float64(s.Workers), w.name)
		give("lanes_busy", float64(s.Busy), w.name)
		give("lane_queue", float64(s.Queued), w.name)
		give("lane_requests", float64(s.Requests), w.name)
		give("lane_requests_max", float64(s.MaxRequests), w.name)
	})
}
