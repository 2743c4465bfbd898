package metrics

import (
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"strongroom/internal/domain"
)

// Metrics are the values that Prometheus scrapes. They start at 0 with each
// process. They contain no identifiers: label values come from closed sets and
// from settings, such as the names of issuers. They are safe for concurrent
// use.
type Metrics struct {
	keyMetrics
	webhookMetrics
	collector

	registry *prometheus.Registry

	operations    *prometheus.CounterVec
	latencies     latencies
	operationTime map[domain.Operation]prometheus.Observer
	refusals      *prometheus.CounterVec
	operators     *prometheus.CounterVec // refusals by the operator listener
	requests      *prometheus.CounterVec
	variants      *prometheus.CounterVec
	lockouts      *prometheus.CounterVec
	deviceLocks   *prometheus.CounterVec
	lapsed        prometheus.Counter
	tries         *prometheus.CounterVec
	limited       *prometheus.CounterVec
	reported      *prometheus.CounterVec // requests that rate limits would refuse
	tampering     *prometheus.CounterVec
	tampered      atomic.Int64           // the sum of tampering
	checkpoints   *prometheus.CounterVec // failed checkpoints
	guessing      *prometheus.CounterVec
	witness       prometheus.Counter
	overwrites    *prometheus.CounterVec
	receipts      *prometheus.CounterVec
	locks         *prometheus.GaugeVec
	waiting       prometheus.Gauge
	flush         prometheus.Histogram
	build         *prometheus.GaugeVec
	store         prometheus.Gauge
	rootKey       prometheus.Gauge

	rootKeyAge, rootKeySuccess *prometheus.GaugeVec
	rootKeyFailures            *prometheus.CounterVec

	rewrapLeft, rewrapVisited, rewrapRows prometheus.Gauge
	rewrapUnder                           *prometheus.GaugeVec
	clocks                                *prometheus.GaugeVec
	skew                                  *prometheus.GaugeVec // it has no labels, so that it has no series if there is only one clock
	known                                 prometheus.Counter   // GraphQL documents
	unknown                               prometheus.Counter

	workPools               map[string]*WorkPool
	decrypt, argon2, pbkdf2 prometheus.Observer
	outdated                prometheus.Gauge

	views, updates prometheus.Observer
	commitTime     prometheus.Histogram
	commitUpdates  prometheus.Histogram
}

// New registers the metrics. It panics if the registry already has them.
func New(registry *prometheus.Registry) *Metrics {
	in := factory{promauto.With(registry)}
	storeTime := in.histogramVec("store_seconds", "Time of a transaction (view or update), including waiting, repeating and committing.", eighthOfAMillisecond/8, 20, "kind")
	operationTime := in.histogramVec("operation_seconds", "Service time of encryption operations.", eighthOfAMillisecond, 17, "operation")
	documents := in.counterVec("document_cache_lookups_total", "Lookups of GraphQL documents in the cache of parsed documents, by result: hit or miss.", "result")
	m := &Metrics{
		keyMetrics:      newKeyMetrics(in),
		webhookMetrics:  newWebhookMetrics(in),
		registry:        registry,
		operations:      in.counterVec("operations_total", "Encryption operations by outcome: ok, mismatch, refused_by_policy or an error code.", "operation", "outcome"),
		operationTime:   map[domain.Operation]prometheus.Observer{},
		refusals:        in.counterVec("refusals_total", "Requests refused before any work, by error code.", "code"),
		operators:       in.counterVec("operator_refusals_total", "Requests refused by the operator listener, by error code.", "code"),
		requests:        in.counterVec("http_requests_total", "HTTP requests by route and status class.", "route", "status"),
		variants:        in.counterVec("oaep_variant_total", "Decrypted ciphertexts by the RSA-OAEP variant or KEM of HPKE that the client used.", "variant"),
		lockouts:        in.counterVec("lockouts_total", "Credentials locked after too many failed attempts.", "type"),
		deviceLocks:     in.counterVec("device_lockouts_total", "Devices locked out of their account's credential after too many failed attempts.", "type"),
		lapsed:          in.counter("tries_lapsed_total", "Attempts that never got a verdict and were counted as failed."),
		tries:           in.counterVec("tries_total", "Reserved attempts by verdict: match, mismatch or given_back.", "type", "verdict"),
		limited:         in.counterVec("limited_total", "Requests answered TOO_MANY_REQUESTS, by the limit that was reached.", "by"),
		reported:        in.counterVec("limited_report_only_total", "Requests that a rate limit would refuse without rate-limit-report-only.", "by"),
		tampering:       in.counterVec("tampering_total", "Stored rows that were refused because their seal, MAC or format is wrong, and audit chains that differ from their checkpoint. Alert on any.", "record"),
		checkpoints:     in.counterVec("checkpoint_failures_total", "Checkpoints of the audit trail that could not be made or kept, by reason: trail (it differs from the last checkpoint; alert on any), sink or store.", "reason"),
		witness:         in.counter("witness_failures_total", "Failed attempts to bring the witness up to date."),
		guessing:        in.counterVec("suspected_guessing_total", "Sources of failed attempts at many accounts within an hour, by kind; each counts again every 5 minutes while it continues.", "kind"),
		overwrites:      in.counterVec("overwrites_refused_total", "Refused attempts to replace a credential, by reason: CURRENT_REQUIRED (the current secret was not sent), CURRENT_MISMATCH (it was wrong) or SIGN_IN_REQUIRED (the sign-in is too old).", "reason"),
		receipts:        in.counterVec("receipts_total", "Receipts by what became of them: issued, redeemed, or not redeemed because they were redeemed before (repeated), expired, invalid, or the service failed (failed).", "result"),
		locks:           in.gaugeVec("locks", "Active locks of all instances, by scope: a credential (account), or one device of an account (device). Counted once a minute in at most 10000 attempt counters.", "type", "scope"),
		waiting:         in.gauge("waiting", "Requests admitted to decryption and hashing, waiting or running."),
		flush:           in.histogram("rollup_flush_seconds", "Time to write the metrics roll-ups once.", 0.001, 12),
		build:           in.gaugeVec("build_info", "Always 1; the labels name the running build.", "version", "commit", "goversion"),
		store:           in.gauge("store_up", "1 while the database answers and accepts writes, else 0."),
		rootKey:         in.gauge("root_key_up", "1 while one of the configured root keys opens the data keys of this database, else 0. Checked every 5 minutes."),
		rootKeyAge:      in.gaugeVec("root_key_age_seconds", "How long ago the data keys were wrapped under a root key, at the last check.", "provider", "key"),
		rootKeySuccess:  in.gaugeVec("root_key_last_success_timestamp_seconds", "When a root key last opened the data keys, in seconds since 1970.", "provider", "key"),
		rootKeyFailures: in.counterVec("root_key_failures_total", "Checks in which a root key did not open the data keys, by reason: missing, denied, disabled, unreachable, timeout, unavailable or invalid.", "provider", "key", "reason"),
		outdated:        in.gauge("credentials_outdated", "Credentials whose hash has another algorithm or a lower cost than new ones. Counted at each start and every hour."),
		rewrapLeft:      in.gauge("rewrap_rows_left", "Rows that are known to be under an older data key. All instances report the same values of this metric, the other rewrap metrics and data_key_rows."),
		rewrapVisited:   in.gauge("rewrap_rows_visited", "Rows that the current phase of the rewrap has visited."),
		rewrapRows:      in.gauge("rewrap_rows", "Rows that a phase of the rewrap visits."),
		rewrapUnder:     in.gaugeVec("data_key_rows", "Rows by the data key that they are under, as far as the rewrap has counted.", "data_key"),
		clocks:          in.gaugeVec("clock_offset_seconds", "How far a clock is ahead of the time elapsed since the start, in seconds: database (PostgreSQL's clock) or machine. Negative: behind. Alert above 60.", "clock"),
		skew:            in.gaugeVec("clock_skew_seconds", "How far the machine's clock was ahead of PostgreSQL's at the last comparison, in seconds. Negative: behind."),
		known:           documents.WithLabelValues(cacheHit),
		unknown:         documents.WithLabelValues(cacheMiss),

		views: storeTime.WithLabelValues("view"), updates: storeTime.WithLabelValues("update"),
		commitTime:    in.histogram("store_commit_seconds", "Time of one durable commit; with PostgreSQL, of its last round trip.", eighthOfAMillisecond, 14),
		commitUpdates: in.histogram("store_commit_updates", "Updates that shared one commit; with PostgreSQL always 1.", 1, 7),
	}
	for _, op := range domain.Operations {
		m.operationTime[op] = operationTime.WithLabelValues(string(op))
	}
	m.registerWorkPools(in)
	m.WatchKeyCounter(func() int { return 0 }, func() int64 { return 0 })
	m.WatchKeyPool(func() int { return 0 })
	registry.MustRegister(&m.collector)
	m.startAtZero()
	return m
}

// startAtZero creates the series that operators alert on.
func (m *Metrics) startAtZero() {
	for _, t := range domain.CredentialTypes {
		startAtZero(m.lockouts, string(t))
		startAtZero(m.deviceLocks, string(t))
		for _, verdict := range verdicts {
			m.tries.WithLabelValues(string(t), verdict)
		}
	}
	startAtZero(m.guessing, GuessesOfAddress, GuessesOfDevice)
	startAtZero(m.overwrites, domain.OverwriteReasons...)
	startAtZero(m.receipts, receipts...)
	startAtZero(m.checkpoints, CheckpointTrail, CheckpointSink, CheckpointStore)
	for record := range records {
		startAtZero(m.tampering, record)
	}
	for op, all := range outcomes {
		for _, outcome := range all {
			m.operations.WithLabelValues(string(op), outcome)
		}
	}
	for route := range routes {
		for _, class := range []string{"2xx", "4xx", "5xx"} {
			m.requests.WithLabelValues(route, class)
		}
	}
	startAtZero(m.refusals, refusals...)
	startAtZero(m.operators, refusals...)
	startAtZero(m.limited, limits...)
	startAtZero(m.reported, LimitCaller, LimitAddress)
}

// Handler serves the whole registry in the formats of Prometheus. Use it on the
// operator listener only.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
}
