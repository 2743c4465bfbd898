package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

const namespace = "strongroom"

// eighthOfAMillisecond is the lowest bound of histograms, in seconds. Three
// doublings make it 1 ms.
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

// startAtZero creates the series of a counter with one label, because a rate cannot
// see the step from no series to 1.
func startAtZero[L ~string](vec *prometheus.CounterVec, labels ...L) {
	for _, label := range labels {
		vec.WithLabelValues(string(label))
	}
}
