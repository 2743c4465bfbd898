package metrics

import (
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"strongroom/internal/domain"
)

// The outcomes of an operation that are no error code.
const (
	OutcomeOK              = "ok"
	OutcomeMismatch        = "mismatch"          // a verify answered false
	OutcomeRefusedByPolicy = "refused_by_policy" // a set answered false
)

// other stands for every label value outside its closed set. A label that a
// stranger could choose would cost a time series per request.
const other = "other"

var (
	routes = map[string]bool{"/graphql": true, "/api/encryption/keys": true, "/schema.graphql": true, "/healthz": true, "/readyz": true}
	// The kinds of row that can be found damaged; "bucket" is a metrics roll-up.
	records = map[string]bool{domain.RecordKey: true, domain.RecordCredential: true, domain.RecordAttempts: true, domain.RecordAccount: true, RecordBucket: true}
)

// RecordBucket is the kind of a metrics bucket, for [Meters.Tampering].
const RecordBucket = "bucket"

// Meters are the counters that Prometheus scrapes. All names, help texts and
// labels stand in [New]. They are safe for concurrent use, start at zero with
// each process, and carry no identifier of any kind.
type Meters struct {
	registry *prometheus.Registry
	counter  atomic.Pointer[keyCounter]
	pool     atomic.Pointer[func() int]

	operations    *prometheus.CounterVec
	operationTime *prometheus.HistogramVec
	refusals      *prometheus.CounterVec
	requests      *prometheus.CounterVec
	variants      *prometheus.CounterVec
	lockouts      *prometheus.CounterVec
	deviceLocks   *prometheus.CounterVec
	lapsed        prometheus.Counter
	tampering     *prometheus.CounterVec
	generation    prometheus.Histogram
	waiting       prometheus.Gauge
	flush         prometheus.Histogram
	build         *prometheus.GaugeVec
	store         prometheus.Gauge
	refills       prometheus.Counter
	misses        prometheus.Counter
	cacheLookups  *prometheus.CounterVec
}

// New registers the meters. It panics when the registry has them already.
func New(registry *prometheus.Registry) *Meters {
	in := promauto.With(registry)
	counter := func(name, help string) prometheus.CounterOpts {
		return prometheus.CounterOpts{Namespace: "strongroom", Name: name, Help: help}
	}
	gauge := func(name, help string) prometheus.GaugeOpts {
		return prometheus.GaugeOpts{Namespace: "strongroom", Name: name, Help: help}
	}
	seconds := func(name, help string, low float64, n int) prometheus.HistogramOpts {
		return prometheus.HistogramOpts{Namespace: "strongroom", Name: name, Help: help, Buckets: prometheus.ExponentialBuckets(low, 2, n)}
	}
	m := &Meters{
		registry:      registry,
		operations:    in.NewCounterVec(counter("operations_total", "Encryption operations by outcome: ok, mismatch, refused_by_policy or an error code."), []string{"operation", "outcome"}),
		operationTime: in.NewHistogramVec(seconds("operation_seconds", "Service time of encryption operations.", 0.001, 14), []string{"operation"}),
		refusals:      in.NewCounterVec(counter("refusals_total", "Requests refused before any work, by error code."), []string{"code"}),
		requests:      in.NewCounterVec(counter("http_requests_total", "HTTP requests by route and status class."), []string{"route", "status"}),
		variants:      in.NewCounterVec(counter("oaep_variant_total", "Opened ciphertexts by the RSA-OAEP variant the client used."), []string{"variant"}),
		lockouts:      in.NewCounterVec(counter("lockouts_total", "Credentials locked after too many wrong tries."), []string{"type"}),
		deviceLocks:   in.NewCounterVec(counter("device_lockouts_total", "Devices locked out of their account's credential after too many wrong tries."), []string{"type"}),
		lapsed:        in.NewCounter(counter("tries_lapsed_total", "Tries that never got a verdict and were counted as failures.")),
		tampering:     in.NewCounterVec(counter("tampering_total", "Stored rows that failed their seal, MAC or format and were refused. Alert on any."), []string{"record"}),
		generation:    in.NewHistogram(seconds("key_generation_seconds", "Time to generate one RSA key pair.", 0.01, 12)),
		waiting:       in.NewGauge(gauge("waiting", "Requests admitted to RSA and Argon2id work, waiting or running.")),
		flush:         in.NewHistogram(seconds("rollup_flush_seconds", "Time to write the metrics roll-ups once.", 0.001, 12)),
		build:         in.NewGaugeVec(gauge("build_info", "Always 1; the labels say what runs."), []string{"version", "goversion"}),
		store:         in.NewGauge(gauge("store_up", "1 while the store answers and takes writes, else 0.")),
		refills:       in.NewCounter(counter("key_pool_refills_total", "Key pairs generated in the background for the key pool.")),
		misses:        in.NewCounter(counter("key_pool_misses_total", "Key pairs generated while a request waited, because the key pool was empty.")),
		cacheLookups:  in.NewCounterVec(counter("key_cache_lookups_total", "Private keys wanted from the cache of opened keys, by result: hit or miss."), []string{"result"}),
	}
	m.counter.Store(&keyCounter{func() int { return 0 }, func() int64 { return 0 }})
	in.NewGaugeFunc(gauge("key_counter_entries", "Devices in the key-generation counter."),
		func() float64 { return float64(m.counter.Load().entries()) })
	in.NewCounterFunc(counter("key_counter_evictions_total", "Devices whose running window was dropped because the key-generation counter was full."),
		func() float64 { return float64(m.counter.Load().evictions()) })
	m.WatchKeyPool(func() int { return 0 })
	in.NewGaugeFunc(gauge("key_pool_ready", "Generated key pairs that wait in memory to be issued."),
		func() float64 { return float64((*m.pool.Load())()) })
	m.startAtZero()
	return m
}

// startAtZero makes the series that operators alert on: a rate cannot see the
// step from no series to one.
func (m *Meters) startAtZero() {
	for _, t := range []domain.CredentialType{domain.Passcode, domain.TransactionPIN} {
		m.lockouts.WithLabelValues(string(t))
		m.deviceLocks.WithLabelValues(string(t))
	}
	for record := range records {
		m.tampering.WithLabelValues(record)
	}
	for _, op := range domain.Operations {
		for _, outcome := range []string{OutcomeOK, string(domain.CodeInternal)} {
			m.operations.WithLabelValues(string(op), outcome)
		}
	}
	for _, code := range []domain.Code{domain.CodeOverloaded, domain.CodeTooManyRequests} {
		m.refusals.WithLabelValues(string(code))
	}
	for _, result := range []string{cacheHit, cacheMiss} {
		m.cacheLookups.WithLabelValues(result)
	}
}

// Handler serves the whole registry in the formats of Prometheus. It belongs
// on the operator listener only.
func (m *Meters) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
}

// Operation counts one encryption operation. The outcome is one of the three
// Outcome constants or a [domain.Code].
func (m *Meters) Operation(op domain.Operation, outcome string, took time.Duration) {
	if outcome == string(domain.CodeCredentialRejected) {
		outcome = OutcomeRefusedByPolicy
	}
	m.operations.WithLabelValues(string(op), outcome).Inc()
	m.operationTime.WithLabelValues(string(op)).Observe(took.Seconds())
}

// Refusal counts a request refused before any work.
func (m *Meters) Refusal(code domain.Code) { m.refusals.WithLabelValues(string(code)).Inc() }

// HTTPRequest counts an answered request. A path that is no route of ours
// counts as "other".
func (m *Meters) HTTPRequest(route string, status int) {
	if !routes[route] {
		route = other
	}
	class := other
	if status >= 100 && status < 600 {
		class = strconv.Itoa(status/100) + "xx"
	}
	m.requests.WithLabelValues(route, class).Inc()
}

// Variant counts an opened ciphertext by the name of its RSA-OAEP variant,
// which must be one of the few that were configured.
func (m *Meters) Variant(name string) { m.variants.WithLabelValues(name).Inc() }

// Locked counts a credential that was locked.
func (m *Meters) Locked(t domain.CredentialType) { m.lockouts.WithLabelValues(string(t)).Inc() }

// DeviceLocked counts a device that was locked out of a credential.
func (m *Meters) DeviceLocked(t domain.CredentialType) {
	m.deviceLocks.WithLabelValues(string(t)).Inc()
}

// TriesLapsed counts n tries whose lease passed without a verdict.
func (m *Meters) TriesLapsed(n int) { m.lapsed.Add(float64(n)) }

// Tampering counts a stored row that was refused. Of a record "kind/id" only
// the kind is kept.
func (m *Meters) Tampering(record string) {
	kind, _, _ := strings.Cut(record, "/")
	if !records[kind] {
		kind = other
	}
	m.tampering.WithLabelValues(kind).Inc()
}

// KeyGenerated measures the generation of one RSA key pair.
func (m *Meters) KeyGenerated(took time.Duration) { m.generation.Observe(took.Seconds()) }

// KeyPoolRefilled counts a key pair that was generated in the background and
// put into the key pool.
func (m *Meters) KeyPoolRefilled() { m.refills.Inc() }

// KeyPoolMiss counts a request that found the key pool empty and had its key
// pair generated while it waited. No pool at all is a miss each time.
func (m *Meters) KeyPoolMiss() { m.misses.Inc() }

// The results of looking for an opened private key.
const cacheHit, cacheMiss = "hit", "miss"

// KeyCache counts a private key that was wanted from the cache of opened keys,
// and whether it was there. No cache at all is a miss each time.
func (m *Meters) KeyCache(hit bool) {
	result := cacheMiss
	if hit {
		result = cacheHit
	}
	m.cacheLookups.WithLabelValues(result).Inc()
}

// Waiting changes the number of admitted requests, by 1 when one enters and by
// -1 when it leaves.
func (m *Meters) Waiting(change int) { m.waiting.Add(float64(change)) }

// Flushed measures one flush of the roll-ups.
func (m *Meters) Flushed(took time.Duration) { m.flush.Observe(took.Seconds()) }

// Build says what runs.
func (m *Meters) Build(version string) {
	m.build.Reset()
	m.build.WithLabelValues(version, runtime.Version()).Set(1)
}

// StoreUp says whether the store answers and takes writes.
func (m *Meters) StoreUp(up bool) {
	m.store.Set(0)
	if up {
		m.store.Set(1)
	}
}

// keyCounter is where the state of the key-generation counter is read.
type keyCounter struct {
	entries   func() int
	evictions func() int64
}

// WatchKeyCounter names the functions that each scrape asks about the
// key-generation counter. They must be safe for concurrent use; the latest
// call counts.
func (m *Meters) WatchKeyCounter(entries func() int, evictions func() int64) {
	m.counter.Store(&keyCounter{entries, evictions})
}

// WatchKeyPool names the function that each scrape asks how many key pairs
// wait in the key pool. It must be safe for concurrent use; the latest call
// counts, and without one the pool is empty.
func (m *Meters) WatchKeyPool(ready func() int) { m.pool.Store(&ready) }
