package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Lanes measures one set of lanes. A nil one measures nothing.
type Lanes struct {
	name       string
	collector  *collector
	wait       prometheus.Observer
	full, late prometheus.Counter
}

func (m *Metrics) registerLanes(in factory) {
	shed := in.counterVec("lane_shed_total", "Requests refused because too many had been admitted (full) or no lane came free in time (late).", "lanes", "reason")
	wait := in.histogramVec("lane_wait_seconds", "Time that a piece of work of a request waited for a lane.", eighthOfAMillisecond, 17, "lanes")
	work := in.histogramVec("lane_work_seconds", "Time of one RSA decryption or one Argon2id hash.", eighthOfAMillisecond, 14, "work")
	m.decrypt, m.argon2 = work.WithLabelValues("decrypt"), work.WithLabelValues("argon2id")
	m.lanes = map[string]*Lanes{}
	for _, name := range allLanes {
		m.lanes[name] = &Lanes{name: name, collector: &m.collector, wait: wait.WithLabelValues(name),
			full: shed.WithLabelValues(name, "full"), late: shed.WithLabelValues(name, "late")}
	}
}

// Lanes returns the metrics of the lanes with one of the names LanesOf….
func (m *Metrics) Lanes(name string) *Lanes { return m.lanes[name] }

// Waited measures how long a piece of work waited for a lane.
func (l *Lanes) Waited(took time.Duration) {
	if l != nil {
		l.wait.Observe(took.Seconds())
	}
}

// Full counts a request that was refused because too many had been admitted.
func (l *Lanes) Full() {
	if l != nil {
		l.full.Inc()
	}
}

// Late counts a request that was refused because no lane came free in time.
func (l *Lanes) Late() {
	if l != nil {
		l.late.Inc()
	}
}
