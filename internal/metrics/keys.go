package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// keyMetrics are the metrics of key pairs and private keys.
type keyMetrics struct {
	issued      *prometheus.CounterVec
	generation  prometheus.Histogram
	refills     prometheus.Counter
	misses      prometheus.Counter
	poolSize    prometheus.Gauge
	cacheHits   prometheus.Counter
	cacheMisses prometheus.Counter
}

func newKeyMetrics(in factory) keyMetrics {
	lookups := in.counterVec("key_cache_lookups_total", "Lookups of private keys in the key cache, by result: hit or miss.", "result")
	return keyMetrics{
		issued:      in.counterVec("keys_issued_total", "Key pairs issued to devices, by algorithm.", "algorithm"),
		generation:  in.histogram("key_generation_seconds", "Time to generate one key pair, of RSA or HPKE.", 0.01, 12),
		refills:     in.counter("key_pool_refills_total", "Key pairs generated in the background for the key pool."),
		misses:      in.counter("key_pool_misses_total", "Key pairs generated while a request waited, because the key pool was empty."),
		poolSize:    in.gauge("key_pool_size", "Capacity of the key pool in key pairs; 0: there is no pool."),
		cacheHits:   lookups.WithLabelValues(cacheHit),
		cacheMisses: lookups.WithLabelValues(cacheMiss),
	}
}

// IssuedAlgorithms sets the algorithms of new keys, so that each has a series before
// its first key. Call it before anything is counted.
func (m *keyMetrics) IssuedAlgorithms(names ...string) { startAtZero(m.issued, names...) }

// KeyIssued counts a key pair that was stored for a device.
func (m *keyMetrics) KeyIssued(algorithm string) { m.issued.WithLabelValues(algorithm).Inc() }

// KeyGenerated measures the generation of one key pair, of any algorithm.
func (m *keyMetrics) KeyGenerated(took time.Duration) { m.generation.Observe(took.Seconds()) }

// KeyPoolRefilled counts a key pair that was generated for the key pool.
func (m *keyMetrics) KeyPoolRefilled() { m.refills.Inc() }

// KeyPoolMiss counts a request that found the key pool empty and waited for a new
// key pair. Without a pool each request is a miss.
func (m *keyMetrics) KeyPoolMiss() { m.misses.Inc() }

// KeyCache counts a lookup of a private key in the key cache. hit: the key was
// there. Without a cache each lookup is a miss.
func (m *keyMetrics) KeyCache(hit bool) {
	if hit {
		m.cacheHits.Inc()
	} else {
		m.cacheMisses.Inc()
	}
}

// KeyPoolSize sets the capacity of the key pool in key pairs.
func (m *keyMetrics) KeyPoolSize(n int) { m.poolSize.Set(float64(n)) }
