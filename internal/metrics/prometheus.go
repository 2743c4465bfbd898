package metrics

import (
	"net/http"
	"runtime"
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

// The sets of lanes that RSA and Argon2id work is done in, for [Metrics.Lanes].
const (
	LanesOfCredentials = "credentials" // decrypting and hashing
	LanesOfKeys        = "keys"        // generating key pairs
)

// What became of a reserved try, for [Metrics.Try].
const (
	TryMatch     = "match"
	TryMismatch  = "mismatch"
	TryGivenBack = "given_back" // it was not compared, or only by a set that replaced what it was compared with
)

// What a request had too much of, for [Metrics.Limited].
const (
	LimitCaller      = "caller"              // operations of its caller
	LimitAddress     = "address"             // operations of its client address
	LimitKeys        = "key_generation"      // key generations of its device
	LimitDecryptions = "decryption_failures" // ciphertexts of its key that did not decrypt
	LimitTries       = "pending_tries"       // tries of its credential that were under way
	LimitOverwrites  = "refused_overwrites"  // sets of its credential that were refused
)

// Why a checkpoint of the audit trail was not made or not kept, for
// [Metrics.CheckpointFailed].
const (
	CheckpointTrail = "trail" // it is not the one that was signed
	CheckpointSink  = "sink"  // it did not take it, or does not tell what it has
	CheckpointStore = "store" // it could not be read or written to
)

// From what many accounts were guessed at, for [Metrics.SuspectedGuessing].
const (
	GuessesOfAddress = "address"
	GuessesOfDevice  = "device"
)

var (
	credentialTypes = []domain.CredentialType{domain.Passcode, domain.TransactionPIN}
	allLanes        = []string{LanesOfCredentials, LanesOfKeys}
	verdicts        = []string{TryMatch, TryMismatch, TryGivenBack}
	limits          = []string{LimitCaller, LimitAddress, LimitKeys, LimitDecryptions, LimitTries, LimitOverwrites}

	// The outcomes and refusals that somebody alerts on.
	issued    = []string{OutcomeOK, string(domain.CodeInternal), string(domain.CodeBadUserInput)}
	submitted = append([]string{string(domain.CodeKeyNotUsable), string(domain.CodeDecryptionFailed),
		string(domain.CodeCredentialLocked), string(domain.CodeCiphertextReused)}, issued...)
	outcomes = map[domain.Operation][]string{
		domain.OpGenerateKey: issued, domain.OpRotateKey: issued, domain.OpEncrypt: issued,
		domain.OpSetPasscode: append([]string{OutcomeRefusedByPolicy}, submitted...), domain.OpSetPIN: append([]string{OutcomeRefusedByPolicy}, submitted...),
		domain.OpVerifyPasscode: append([]string{OutcomeMismatch}, submitted...), domain.OpVerifyPIN: append([]string{OutcomeMismatch}, submitted...),
	}
	refusals = []domain.Code{domain.CodeOverloaded, domain.CodeTooManyRequests, domain.CodeUnauthenticated, domain.CodeForbidden}

	routes = map[string]bool{"/graphql": true, "/api/encryption/keys": true, "/schema.graphql": true, "/healthz": true, "/readyz": true}
	// The kinds of row that can be found damaged; "bucket" is a metrics roll-up.
	records = map[string]bool{domain.RecordKey: true, domain.RecordCredential: true, domain.RecordAttempts: true, domain.RecordAccount: true, domain.RecordSetting: true, domain.RecordChain: true, domain.RecordEvent: true, RecordBucket: true}
)

// RecordBucket is a kind of row that no entry of the trail tells of, for
// [Metrics.Tampering]: a bucket of the metrics.
const RecordBucket = "bucket"

// Metrics are the values that Prometheus scrapes. All names, help texts and
// labels stand in [New]. They are safe for concurrent use, start at zero with
// each process, and carry no identifier of any kind: a label is of a closed
// set, and what an issuer of tokens is called is a setting.
//
// What is counted for every request finds its series in a map that is never
// written to: no label is formatted then.
type Metrics struct {
	registry *prometheus.Registry
	counter  atomic.Pointer[keyCounter]
	pool     atomic.Pointer[func() int]

	operations    *resolved[outcomeOf]
	latencies     latencies
	operationTime map[domain.Operation]prometheus.Observer
	refusals      *resolved[domain.Code]
	operators     *resolved[domain.Code] // refusals of the operator side
	requests      *resolved[answerOf]
	variants      *resolved[string]
	lockouts      *prometheus.CounterVec
	deviceLocks   *prometheus.CounterVec
	lapsed        prometheus.Counter
	tries         *resolved[tryOf]
	limited       *resolved[string]
	reported      *resolved[string] // what rate limits would refuse
	tampering     *prometheus.CounterVec
	tampered      atomic.Int64           // all of tampering
	checkpoints   *prometheus.CounterVec // that failed
	guessing      *prometheus.CounterVec
	overwrites    *prometheus.CounterVec
	locks         *prometheus.GaugeVec
	generation    prometheus.Histogram
	waiting       prometheus.Gauge
	flush         prometheus.Histogram
	build         *prometheus.GaugeVec
	store         prometheus.Gauge
	rootKey       prometheus.Gauge
	clocks        *prometheus.GaugeVec
	refills       prometheus.Counter
	misses        prometheus.Counter
	poolSize      prometheus.Gauge
	cacheHits     prometheus.Counter
	cacheMisses   prometheus.Counter
	known         prometheus.Counter // GraphQL documents
	unknown       prometheus.Counter

	lanes           map[string]*Lanes
	decrypt, argon2 prometheus.Observer

	views, updates prometheus.Observer
	commitTime     prometheus.Histogram
	commitUpdates  prometheus.Histogram

	webhook  *resolved[string]
	webhooks webhookMetrics

	collector collector
}

// New registers the metrics. It panics when the registry has them already.
func New(registry *prometheus.Registry) *Metrics {
	in := promauto.With(registry)
	counter := func(name, help string) prometheus.CounterOpts {
		return prometheus.CounterOpts{Namespace: "strongroom", Name: name, Help: help}
	}
	gauge := func(name, help string) prometheus.GaugeOpts {
		return prometheus.GaugeOpts{Namespace: "strongroom", Name: name, Help: help}
	}
	laneWait := in.NewHistogramVec(seconds("lane_wait_seconds", "Time that a piece of work of a request waited for a lane.", eighthOfAMillisecond, 17), []string{"lanes"})
	laneShed := in.NewCounterVec(counter("lane_shed_total", "Requests refused because too many had been admitted (full) or no lane came free in time (late)."), []string{"lanes", "reason"})
	laneWork := in.NewHistogramVec(seconds("lane_work_seconds", "Time of one RSA decryption or one Argon2id hash.", eighthOfAMillisecond, 14), []string{"work"})
	storeTime := in.NewHistogramVec(seconds("store_seconds", "Time of a transaction (view or update), waiting, repeating and committing included.", eighthOfAMillisecond/8, 20), []string{"kind"})
	operationTime := in.NewHistogramVec(seconds("operation_seconds", "Service time of encryption operations.", eighthOfAMillisecond, 17), []string{"operation"})
	documents := in.NewCounterVec(counter("document_cache_lookups_total", "GraphQL documents looked for among those parsed and validated before, by result: hit or miss."), []string{"result"})
	lookups := in.NewCounterVec(counter("key_cache_lookups_total", "Private keys wanted from the cache of opened keys, by result: hit or miss."), []string{"result"})
	m := &Metrics{
		registry: registry,
		operations: resolve(in.NewCounterVec(counter("operations_total", "Encryption operations by outcome: ok, mismatch, refused_by_policy or an error code."), []string{"operation", "outcome"}),
			func(o outcomeOf) []string { return []string{string(o.operation), o.outcome} }),
		operationTime: map[domain.Operation]prometheus.Observer{},
		refusals: resolve(in.NewCounterVec(counter("refusals_total", "Requests refused before any work, by error code."), []string{"code"}),
			func(c domain.Code) []string { return []string{string(c)} }),
		operators: resolve(in.NewCounterVec(counter("operator_refusals_total", "Requests refused by the operator side, by error code."), []string{"code"}),
			func(c domain.Code) []string { return []string{string(c)} }),
		requests: resolve(in.NewCounterVec(counter("http_requests_total", "HTTP requests by route and status class."), []string{"route", "status"}),
			func(a answerOf) []string { return []string{a.route, a.class} }),
		variants: resolve(in.NewCounterVec(counter("oaep_variant_total", "Opened ciphertexts by the RSA-OAEP variant the client used."), []string{"variant"}),
			func(name string) []string { return []string{name} }),
		lockouts:    in.NewCounterVec(counter("lockouts_total", "Credentials locked after too many wrong tries."), []string{"type"}),
		deviceLocks: in.NewCounterVec(counter("device_lockouts_total", "Devices locked out of their account's credential after too many wrong tries."), []string{"type"}),
		lapsed:      in.NewCounter(counter("tries_lapsed_total", "Tries that never got a verdict and were counted as failures.")),
		tries: resolve(in.NewCounterVec(counter("tries_total", "Reserved tries by verdict: match, mismatch or given_back."), []string{"type", "verdict"}),
			func(t tryOf) []string { return []string{string(t.credential), t.verdict} }),
		limited: resolve(in.NewCounterVec(counter("limited_total", "Requests answered TOO_MANY_REQUESTS by what there was too much of."), []string{"by"}),
			func(by string) []string { return []string{by} }),
		reported: resolve(in.NewCounterVec(counter("limited_report_only_total", "Requests that a rate limit would refuse, were rate-limit-report-only not set."), []string{"by"}),
			func(by string) []string { return []string{by} }),
		tampering:   in.NewCounterVec(counter("tampering_total", "Stored rows that failed their seal, MAC or format and were refused, and chains of the audit trail that are not those that were signed. Alert on any."), []string{"record"}),
		checkpoints: in.NewCounterVec(counter("checkpoint_failures_total", "Checkpoints of the audit trail that were not made or not kept, by what failed: trail (it is not the one that was signed; alert on any), sink or store."), []string{"reason"}),
		guessing:    in.NewCounterVec(counter("suspected_guessing_total", "Sources, by kind, from which wrong answers came for many accounts within an hour; each once an hour."), []string{"kind"}),
		overwrites:  in.NewCounterVec(counter("overwrites_refused_total", "Refused attempts to replace a credential, by reason: CURRENT_REQUIRED (the current secret was not sent), CURRENT_MISMATCH (it was wrong) or SIGN_IN_REQUIRED (the sign-in is too old)."), []string{"reason"}),
		locks:       in.NewGaugeVec(gauge("locks", "Locks that stand, by what is locked: the credential (account), or one device out of it (device); of all instances, as of the last minute, in at most 10000 guess ledgers."), []string{"type", "scope"}),
		generation:  in.NewHistogram(seconds("key_generation_seconds", "Time to generate one RSA key pair.", 0.01, 12)),
		waiting:     in.NewGauge(gauge("waiting", "Requests admitted to RSA and Argon2id work, waiting or running.")),
		flush:       in.NewHistogram(seconds("rollup_flush_seconds", "Time to write the metrics roll-ups once.", 0.001, 12)),
		build:       in.NewGaugeVec(gauge("build_info", "Always 1; the labels name the running build."), []string{"version", "commit", "goversion"}),
		store:       in.NewGauge(gauge("store_up", "1 while the store answers and takes writes, else 0.")),
		rootKey:     in.NewGauge(gauge("root_key_up", "1 while the root key is found where the settings say and is the one that the database names, else 0.")),
		clocks:      in.NewGaugeVec(gauge("clock_offset_seconds", "How far a clock is ahead of the time that has passed since the start: database (PostgreSQL's clock) or machine. Negative: behind. Alert above 60 s."), []string{"clock"}),
		refills:     in.NewCounter(counter("key_pool_refills_total", "Key pairs generated in the background for the key pool.")),
		misses:      in.NewCounter(counter("key_pool_misses_total", "Key pairs generated while a request waited, because the key pool was empty.")),
		poolSize:    in.NewGauge(gauge("key_pool_size", "Key pairs that the key pool holds when it is full; 0: there is no pool.")),
		cacheHits:   lookups.WithLabelValues(cacheHit),
		cacheMisses: lookups.WithLabelValues(cacheMiss),
		known:       documents.WithLabelValues(cacheHit),
		unknown:     documents.WithLabelValues(cacheMiss),

		lanes:   map[string]*Lanes{},
		decrypt: laneWork.WithLabelValues("decrypt"), argon2: laneWork.WithLabelValues("argon2id"),

		views: storeTime.WithLabelValues("view"), updates: storeTime.WithLabelValues("update"),
		commitTime:    in.NewHistogram(seconds("store_commit_seconds", "Time of one durable commit; with PostgreSQL of its last round trip.", eighthOfAMillisecond, 14)),
		commitUpdates: in.NewHistogram(native(prometheus.HistogramOpts{Namespace: "strongroom", Name: "store_commit_updates", Help: "Updates that shared one commit; with PostgreSQL always 1.", Buckets: prometheus.ExponentialBuckets(1, 2, 7)})),
	}
	for _, name := range allLanes {
		m.lanes[name] = &Lanes{name: name, collector: &m.collector, wait: laneWait.WithLabelValues(name),
			full: laneShed.WithLabelValues(name, "full"), late: laneShed.WithLabelValues(name, "late")}
	}
	for _, op := range domain.Operations {
		m.operationTime[op] = operationTime.WithLabelValues(string(op))
	}
	m.counter.Store(&keyCounter{func() int { return 0 }, func() int64 { return 0 }})
	in.NewGaugeFunc(gauge("key_counter_entries", "Devices in the key-generation counter."),
		func() float64 { return float64(m.counter.Load().entries()) })
	in.NewCounterFunc(counter("key_counter_evictions_total", "Devices whose running window was dropped because the key-generation counter was full."),
		func() float64 { return float64(m.counter.Load().evictions()) })
	m.WatchKeyPool(func() int { return 0 })
	in.NewGaugeFunc(gauge("key_pool_ready", "Generated key pairs that wait in memory to be issued."),
		func() float64 { return float64((*m.pool.Load())()) })
	m.webhook = resolve(in.NewCounterVec(counter("webhook_attempts_total", "Attempts to deliver an event by outcome: delivered, refused (for good: a dead letter), status, timeout, connection, tls or forbidden (its address is one that it may not have)."), []string{"outcome"}),
		func(outcome string) []string { return []string{outcome} })
	m.webhooks = webhookMetrics{
		time:    in.NewHistogram(seconds("webhook_attempt_seconds", "Time of one attempt to deliver an event.", 0.001, 16)),
		waiting: in.NewGauge(gauge("webhook_waiting", "Events of all instances that wait to be delivered, counted up to 100000, as of the last quarter of a minute.")),
		oldest:  in.NewGauge(gauge("webhook_oldest_seconds", "Age of the oldest event that waits to be delivered; 0: none waits.")),
		dead:    in.NewGauge(gauge("webhook_dead_letters", "Events that were set aside and neither sent again nor forgotten, counted up to 100000.")),
	}
	registry.MustRegister(&m.collector)
	m.startAtZero()
	return m
}

// eighthOfAMillisecond is a lower bound of histograms, in seconds, from which
// doubling leads to the millisecond.
const eighthOfAMillisecond = 0.000125

func seconds(name, help string, low float64, n int) prometheus.HistogramOpts {
	return native(prometheus.HistogramOpts{Namespace: "strongroom", Name: name, Help: help, Buckets: prometheus.ExponentialBuckets(low, 2, n)})
}

// native gives a histogram exponential buckets beside the classic ones, for a
// Prometheus that asks for them: a tenth wide, and 100 at most, so that they
// take some kilobytes whatever is measured.
func native(o prometheus.HistogramOpts) prometheus.HistogramOpts {
	o.NativeHistogramBucketFactor = 1.1
	o.NativeHistogramMaxBucketNumber = 100
	o.NativeHistogramMinResetDuration = time.Hour
	return o
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

// startAtZero makes the series that operators alert on.
func (m *Metrics) startAtZero() {
	for _, t := range credentialTypes {
		m.lockouts.WithLabelValues(string(t))
		m.deviceLocks.WithLabelValues(string(t))
		for _, verdict := range verdicts {
			m.tries.start(tryOf{t, verdict})
		}
	}
	for _, kind := range []string{GuessesOfAddress, GuessesOfDevice} {
		m.guessing.WithLabelValues(kind)
	}
	for _, reason := range domain.OverwriteReasons {
		m.overwrites.WithLabelValues(reason)
	}
	for _, reason := range []string{CheckpointTrail, CheckpointSink, CheckpointStore} {
		m.checkpoints.WithLabelValues(reason)
	}
	for record := range records {
		m.tampering.WithLabelValues(record)
	}
	for op, all := range outcomes {
		for _, outcome := range all {
			m.operations.start(outcomeOf{op, outcome})
		}
	}
	for route := range routes {
		m.requests.start(answerOf{route, "2xx"}, answerOf{route, "4xx"}, answerOf{route, "5xx"})
	}
	m.refusals.start(refusals...)
	m.operators.start(refusals...)
	m.limited.start(limits...)
	m.reported.start(LimitCaller, LimitAddress)
	m.webhook.start(webhookOutcomes...)
}

// Handler serves the whole registry in the formats of Prometheus. It belongs
// on the operator listener only.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
}

// Operation counts one encryption operation. The outcome is one of the three
// Outcome constants or a [domain.Code].
func (m *Metrics) Operation(op domain.Operation, outcome string, took time.Duration) {
	if outcome == string(domain.CodeCredentialRejected) {
		outcome = OutcomeRefusedByPolicy
	}
	m.operations.inc(outcomeOf{op, outcome})
	m.latencies.observe(op, took, time.Now())
	if time := m.operationTime[op]; time != nil {
		time.Observe(took.Seconds())
	}
}

// Refusal counts a request refused before any work.
func (m *Metrics) Refusal(code domain.Code) { m.refusals.inc(code) }

// OperatorRefusal counts a request that the operator side refused.
func (m *Metrics) OperatorRefusal(code domain.Code) { m.operators.inc(code) }

// Limited counts a request answered TOO_MANY_REQUESTS, by one of the Limit
// constants.
func (m *Metrics) Limited(by string) { m.limited.inc(by) }

// WouldLimit counts a request that a rate limit let pass because it only
// reports: by LimitCaller or LimitAddress.
func (m *Metrics) WouldLimit(by string) { m.reported.inc(by) }

// HTTPRequest counts an answered request. A path that is no route of ours
// counts as "other".
func (m *Metrics) HTTPRequest(route string, status int) {
	if !routes[route] {
		route = other
	}
	class := other
	if i := status / 100; i > 0 && i < len(classes) {
		class = classes[i]
	}
	m.requests.inc(answerOf{route, class})
}

var classes = [...]string{"", "1xx", "2xx", "3xx", "4xx", "5xx"}

// Variants names the RSA-OAEP variants that are accepted, so that each is
// there before its first ciphertext. Call it before anything is counted.
func (m *Metrics) Variants(names ...string) { m.variants.start(names...) }

// Variant counts an opened ciphertext by the name of its RSA-OAEP variant,
// which must be one of the few that were configured.
func (m *Metrics) Variant(name string) { m.variants.inc(name) }

// Locked counts a credential that was locked.
func (m *Metrics) Locked(t domain.CredentialType) { m.lockouts.WithLabelValues(string(t)).Inc() }

// DeviceLocked counts a device that was locked out of a credential.
func (m *Metrics) DeviceLocked(t domain.CredentialType) {
	m.deviceLocks.WithLabelValues(string(t)).Inc()
}

// Locks tells how many locks of credentials of a type stand: of the account,
// and of single devices. Before the first call there is no series, where a zero
// would look like a count.
func (m *Metrics) Locks(t domain.CredentialType, accounts, devices int) {
	m.locks.WithLabelValues(string(t), "account").Set(float64(accounts))
	m.locks.WithLabelValues(string(t), "device").Set(float64(devices))
}

// TriesLapsed counts n tries whose lease passed without a verdict.
func (m *Metrics) TriesLapsed(n int) { m.lapsed.Add(float64(n)) }

// Try counts what became of a reserved try: one of the Try constants.
func (m *Metrics) Try(t domain.CredentialType, verdict string) { m.tries.inc(tryOf{t, verdict}) }

// Tampering counts a stored row that was refused. Of a record "kind/id" only
// the kind is kept.
func (m *Metrics) Tampering(record string) {
	kind, _, _ := strings.Cut(record, "/")
	if !records[kind] {
		kind = other
	}
	m.tampering.WithLabelValues(kind).Inc()
	m.tampered.Add(1)
}

// Tampered is how often [Metrics.Tampering] was told, since the process began.
func (m *Metrics) Tampered() int64 { return m.tampered.Load() }

// CheckpointFailed counts a checkpoint that was not made or not kept, by one of
// the Checkpoint constants.
func (m *Metrics) CheckpointFailed(reason string) { m.checkpoints.WithLabelValues(reason).Inc() }

// SuspectedGuessing counts a source from which many accounts are guessed at, by
// one of the GuessesOf constants.
func (m *Metrics) SuspectedGuessing(kind string) { m.guessing.WithLabelValues(kind).Inc() }

// OverwriteRefused counts a set that may not replace the credential, by one of
// [domain.OverwriteReasons].
func (m *Metrics) OverwriteRefused(reason string) { m.overwrites.WithLabelValues(reason).Inc() }

// KeyGenerated measures the generation of one RSA key pair.
func (m *Metrics) KeyGenerated(took time.Duration) { m.generation.Observe(took.Seconds()) }

// KeyPoolRefilled counts a key pair that was generated in the background and
// put into the key pool.
func (m *Metrics) KeyPoolRefilled() { m.refills.Inc() }

// KeyPoolMiss counts a request that found the key pool empty and had its key
// pair generated while it waited. No pool at all is a miss each time.
func (m *Metrics) KeyPoolMiss() { m.misses.Inc() }

// The results of looking for an opened private key.
const cacheHit, cacheMiss = "hit", "miss"

// KeyCache counts a private key that was wanted from the cache of opened keys,
// and whether it was there. No cache at all is a miss each time.
func (m *Metrics) KeyCache(hit bool) {
	if hit {
		m.cacheHits.Inc()
	} else {
		m.cacheMisses.Inc()
	}
}

// DocumentCache counts a GraphQL document, and whether it was known from an
// earlier request.
func (m *Metrics) DocumentCache(hit bool) {
	if hit {
		m.known.Inc()
	} else {
		m.unknown.Inc()
	}
}

// Waiting changes the number of admitted requests, by 1 when one enters and by
// -1 when it leaves.
func (m *Metrics) Waiting(change int) { m.waiting.Add(float64(change)) }

// Flushed measures one flush of the roll-ups.
func (m *Metrics) Flushed(took time.Duration) { m.flush.Observe(took.Seconds()) }

// Build says what runs.
func (m *Metrics) Build(version, commit string) {
	m.build.Reset()
	m.build.WithLabelValues(version, commit, runtime.Version()).Set(1)
}

// StoreUp says whether the store answers and takes writes.
func (m *Metrics) StoreUp(up bool) {
	m.store.Set(0)
	if up {
		m.store.Set(1)
	}
}

// The clocks of [Metrics.ClockOffset].
const ClockDatabase, ClockMachine = "database", "machine"

// ClockOffset says how far a clock, one of the Clock constants, is ahead of the
// time that has passed since the start.
func (m *Metrics) ClockOffset(clock string, ahead time.Duration) {
	m.clocks.WithLabelValues(clock).Set(ahead.Seconds())
}

// RootKeyUp says whether the root key is where the settings say, and is the
// one that the database names.
func (m *Metrics) RootKeyUp(up bool) {
	m.rootKey.Set(0)
	if up {
		m.rootKey.Set(1)
	}
}

// KeyPoolSize says how many key pairs the key pool holds when it is full.
func (m *Metrics) KeyPoolSize(n int) { m.poolSize.Set(float64(n)) }

// Decrypted measures one RSA decryption, with every variant that was tried.
func (m *Metrics) Decrypted(took time.Duration) { m.decrypt.Observe(took.Seconds()) }

// Hashed measures one Argon2id hash.
func (m *Metrics) Hashed(took time.Duration) { m.argon2.Observe(took.Seconds()) }

// Committed measures one durable commit, and how many updates shared it.
func (m *Metrics) Committed(updates int, took time.Duration) {
	m.commitTime.Observe(took.Seconds())
	m.commitUpdates.Observe(float64(updates))
}

// Lanes measures one set of lanes. A nil one measures nothing.
type Lanes struct {
	name       string
	collector  *collector
	wait       prometheus.Observer
	full, late prometheus.Counter
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

// keyCounter is where the state of the key-generation counter is read.
type keyCounter struct {
	entries   func() int
	evictions func() int64
}

// WatchKeyCounter names the functions that each scrape asks about the
// key-generation counter. They must be safe for concurrent use; the latest
// call counts.
func (m *Metrics) WatchKeyCounter(entries func() int, evictions func() int64) {
	m.counter.Store(&keyCounter{entries, evictions})
}

// WatchKeyPool names the function that each scrape asks how many key pairs
// wait in the key pool. It must be safe for concurrent use; the latest call
// counts, and without one the pool is empty.
func (m *Metrics) WatchKeyPool(ready func() int) { m.pool.Store(&ready) }
