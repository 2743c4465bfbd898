package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"strongroom/internal/domain"
)

const namespace = "strongroom"

// eighthOfAMillisecond is the lowest bound of histograms, in seconds. Doubled
// three times it is one millisecond.
const eighthOfAMillisecond = 0.000125

// factory registers metrics with the prefix strongroom_.
type factory struct{ promauto.Factory }

func (f factory) counter(name, help string) prometheus.Counter {
	return f.NewCounter(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help})
}

func (f factory) counterVec(name, help string, labels ...string) *prometheus.CounterVec {
	return f.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

func (f factory) gauge(name, help string) prometheus.Gauge {
	return f.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help})
}

func (f factory) gaugeVec(name, help string, labels ...string) *prometheus.GaugeVec {
	return f.NewGaugeVec(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

// histogram makes a histogram of n buckets, each twice as wide as the one before.
func (f factory) histogram(name, help string, low float64, n int) prometheus.Histogram {
	return f.NewHistogram(histogramOpts(name, help, low, n))
}

func (f factory) histogramVec(name, help string, low float64, n int, labels ...string) *prometheus.HistogramVec {
	return f.NewHistogramVec(histogramOpts(name, help, low, n), labels)
}

// histogramOpts adds exponential buckets to the classic ones, for a Prometheus that
// asks for them. They are 10 % wide, and at most 100, which bounds their memory.
func histogramOpts(name, help string, low float64, n int) prometheus.HistogramOpts {
	return prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: prometheus.ExponentialBuckets(low, 2, n),
		NativeHistogramBucketFactor: 1.1, NativeHistogramMaxBucketNumber: 100, NativeHistogramMinResetDuration: time.Hour}
}

// resolved is a counter whose usual series are found without their labels.
type resolved[K comparable] struct {
	vec    *prometheus.CounterVec
	labels func(K) []string
	known  map[K]prometheus.Counter // written to only before there is a second goroutine
}

func resolve[K comparable](vec *prometheus.CounterVec, labels func(K) []string) *resolved[K] {
	return &resolved[K]{vec, labels, map[K]prometheus.Counter{}}
}

// start makes series that are there from the start, at zero: a rate cannot
// see the step from no series to one.
func (r *resolved[K]) start(keys ...K) {
	for _, k := range keys {
		r.known[k] = r.vec.WithLabelValues(r.labels(k)...)
	}
}

func (r *resolved[K]) inc(k K) {
	c, ok := r.known[k]
	if !ok {
		c = r.vec.WithLabelValues(r.labels(k)...)
	}
	c.Inc()
}

type (
	outcomeOf struct {
		operation domain.Operation
		outcome   string
	}
	answerOf struct{ route, class string }
	tryOf    struct {
		credential domain.CredentialType
		verdict    string
	}
)
