package metrics

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// collector has the metrics whose values are read at each scrape. If something
// does not exist (key sets without jwt mode, a certificate without TLS), its
// metric has no series, because a zero would look like an empty key set or an
// expired certificate.
type collector struct {
	mu      sync.Mutex
	readers map[string]func(emit) // by what they read, so that the latest call of watch counts
}

// emit sends the value of one of the collected metrics, with its labels.
type emit func(name string, value float64, labels ...string)

// collected are the names, kinds, help texts and labels of these metrics.
var collected = func() map[string]reading {
	all := map[string]reading{}
	add := func(kind prometheus.ValueType, name, help string, labels ...string) {
		all[name] = reading{prometheus.NewDesc("strongroom_"+name, help, labels, nil), kind}
	}
	add(prometheus.GaugeValue, "lanes", "Worker slots of the pool: the most workers that run at once.", "lanes")
	add(prometheus.GaugeValue, "lanes_busy", "Worker slots in use.", "lanes")
	add(prometheus.GaugeValue, "lane_queue", "Work items that wait for a worker slot.", "lanes")
	add(prometheus.GaugeValue, "lane_requests", "Admitted requests, waiting or running.", "lanes")
	add(prometheus.GaugeValue, "lane_requests_max", "Maximum number of admitted requests.", "lanes")
	add(prometheus.GaugeValue, "key_cache_entries", "Decrypted private keys in the key cache.")
	add(prometheus.GaugeValue, "key_counter_entries", "Devices in the key-generation counter.")
	add(prometheus.CounterValue, "key_counter_evictions_total", "Devices whose count was dropped because the key-generation counter was full.")
	add(prometheus.GaugeValue, "key_pool_ready", "Key pairs in the key pool, ready to be issued.")
	add(prometheus.CounterValue, "token_cache_lookups_total", "Lookups of bearer tokens in the cache of verified tokens, by result: hit or miss.", "result")
	add(prometheus.GaugeValue, "key_set_age_seconds", "Time since an issuer's key set was last fetched or read.", "issuer")
	add(prometheus.GaugeValue, "key_set_keys", "Usable keys of an issuer's key set; 0 while it was never fetched.", "issuer")
	add(prometheus.GaugeValue, "tls_certificate_not_after_seconds", "When the TLS certificate expires, in seconds since 1970.")
	add(prometheus.CounterValue, "store_commits_total", "Committed transactions.")
	add(prometheus.CounterValue, "store_updates_total", "Updates in those transactions: with SQLite several can share one.")
	add(prometheus.CounterValue, "store_repeats_total", "Transactions that were repeated after a conflict with another one or a lost connection.")
	add(prometheus.GaugeValue, "store_connections", "Connections to PostgreSQL, busy or idle.", "state")
	add(prometheus.GaugeValue, "store_connections_max", "Maximum number of connections to PostgreSQL of this process.")
	add(prometheus.GaugeValue, "http_connections", "Open connections.", "listener")
	add(prometheus.GaugeValue, "http_connections_max", "Maximum number of open connections.", "listener")
	add(prometheus.GaugeValue, "http_requests_at_work", "Requests in progress, over all connections.", "listener")
	add(prometheus.GaugeValue, "http_requests_at_work_max", "Maximum number of requests in progress; further ones are refused.", "listener")
	add(prometheus.CounterValue, "token_refusals_total", "Tokens and DPoP proofs refused, and requests without a token, by reason.", "listener", "reason")
	add(prometheus.GaugeValue, "rollup_lag_seconds", "Age of the oldest operation that is not in the stored metrics summary yet; 0: none.")
	add(prometheus.GaugeValue, "checkpoint_age_seconds", "Time since this instance last wrote a checkpoint of the audit trail or found nothing new to sign; before the first time, since it started.")
	add(prometheus.GaugeValue, "backup_last_verified_age_seconds", "Age of the backup that backup verify --note last found good: time since the oldest entry of the audit trail that it lacks, or since the verify if it lacked none.")
	add(prometheus.GaugeValue, "witness_age_seconds", "Time since the witness last had everything that this instance knows of the audit trail. Alert above 300.")
	add(prometheus.GaugeValue, "disk_free_bytes", "Free space that the service can use on the file system of the SQLite database.")
	add(prometheus.GaugeValue, "disk_size_bytes", "Size of the file system of the SQLite database.")
	add(prometheus.GaugeValue, "audit_lag_seconds", "Age of the oldest count that is not in the audit trail yet; 0: none.")
	return all
}()

type reading struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
}

// Describe implements [prometheus.Collector].
func (c *collector) Describe(to chan<- *prometheus.Desc) {
	for _, r := range collected {
		to <- r.desc
	}
}

// Collect implements [prometheus.Collector].
func (c *collector) Collect(to chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, read := range c.readers {
		read(func(name string, value float64, labels ...string) {
			r := collected[name]
			to <- prometheus.MustNewConstMetric(r.desc, r.kind, value, labels...)
		})
	}
}

// watch makes each scrape call read, which must be fast and safe for concurrent
// use.
func (c *collector) watch(what string, read func(emit)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.readers == nil {
		c.readers = map[string]func(emit){}
	}
	c.readers[what] = read
}

// WatchKeyCache sets the function that each scrape asks for the number of
// private keys in the key cache.
func (c *collector) WatchKeyCache(entries func() int) {
	c.watch("key cache", func(give emit) { give("key_cache_entries", float64(entries())) })
}

// WatchKeyCounter sets the functions that each scrape asks about the
// key-generation counter. Until then its metrics are 0.
func (c *collector) WatchKeyCounter(entries func() int, evictions func() int64) {
	c.watch("key counter", func(give emit) {
		give("key_counter_entries", float64(entries()))
		give("key_counter_evictions_total", float64(evictions()))
	})
}

// WatchKeyPool sets the function that each scrape asks for the number of key
// pairs in the key pool. Until then it is 0.
func (c *collector) WatchKeyPool(ready func() int) {
	c.watch("key pool", func(give emit) { give("key_pool_ready", float64(ready())) })
}

// WatchLag sets the function that each scrape asks for the age of the oldest
// operation that is not in the stored summary yet, and of the oldest count that
// is not in the audit trail yet. 0: none.
func (c *collector) WatchLag(lag func() (rollup, audit time.Duration)) {
	c.watch("lag", func(give emit) {
		rollup, audit := lag()
		give("rollup_lag_seconds", rollup.Seconds())
		give("audit_lag_seconds", audit.Seconds())
	})
}

// WatchCheckpoints sets the function that each scrape asks how long ago a
// checkpoint was written or found unnecessary. Call it only if checkpoints are
// made.
func (c *collector) WatchCheckpoints(age func() time.Duration) {
	c.watch("checkpoints", func(give emit) { give("checkpoint_age_seconds", age().Seconds()) })
}

// WatchBackups sets the function that each scrape asks how old the last verified backup
// is, if one was verified.
func (c *collector) WatchBackups(age func() (age time.Duration, known bool)) {
	c.watch("backups", func(give emit) {
		if age, known := age(); known {
			give("backup_last_verified_age_seconds", age.Seconds())
		}
	})
}

// WatchWitness sets the function that each scrape asks how long ago the witness was
// up to date, if one is kept.
func (c *collector) WatchWitness(age func() (age time.Duration, known bool)) {
	c.watch("witness", func(give emit) {
		if age, known := age(); known {
			give("witness_age_seconds", age.Seconds())
		}
	})
}

// WatchDisk sets the function that each scrape asks about the file system of the
// database, if the database is a file on this machine.
func (c *collector) WatchDisk(room func() (free, size uint64, err error)) {
	c.watch("disk", func(give emit) {
		if free, size, err := room(); err == nil {
			give("disk_free_bytes", float64(free))
			give("disk_size_bytes", float64(size))
		}
	})
}

// KeySet is the state of an issuer's key set.
type KeySet struct {
	Issuer string // as it is configured
	Keys   int
	Age    time.Duration // since it was last fetched; negative: it never was
}

// WatchTokens sets the functions that each scrape asks about the key sets of
// token issuers and about the cache of verified tokens.
func (c *collector) WatchTokens(keySets func() []KeySet, cached func() (hits, misses uint64)) {
	c.watch("tokens", func(give emit) {
		for _, s := range keySets() {
			give("key_set_keys", float64(s.Keys), s.Issuer)
			if s.Age >= 0 {
				give("key_set_age_seconds", s.Age.Seconds(), s.Issuer)
			}
		}
		hits, misses := cached()
		give("token_cache_lookups_total", float64(hits), cacheHit)
		give("token_cache_lookups_total", float64(misses), cacheMiss)
	})
}

// The listeners, for [Metrics.WatchConnections] and
// [Metrics.WatchRefusedTokens].
const (
	ListenerAPI      = "api"
	ListenerOperator = "operator"
)

// ConnectionState is how much of its limits a listener uses now.
type ConnectionState struct {
	Connections, MaxConnections int // open
	Requests, MaxRequests       int // in progress
}

// WatchConnections sets the function that each scrape asks about the connections
// of a listener, one of the Listener constants.
func (c *collector) WatchConnections(listener string, state func() ConnectionState) {
	c.watch("connections "+listener, func(give emit) {
		s := state()
		give("http_connections", float64(s.Connections), listener)
		give("http_connections_max", float64(s.MaxConnections), listener)
		give("http_requests_at_work", float64(s.Requests), listener)
		give("http_requests_at_work_max", float64(s.MaxRequests), listener)
	})
}

// WatchRefusedTokens sets the function that each scrape asks for the number of
// tokens that a listener has refused, by reasons from a closed set.
func (c *collector) WatchRefusedTokens(listener string, counts func() map[string]uint64) {
	c.watch("refused tokens "+listener, func(give emit) {
		for reason, n := range counts() {
			give("token_refusals_total", float64(n), listener, reason)
		}
	})
}

// WatchCertificate sets the function that each scrape asks when the TLS
// certificate expires.
func (c *collector) WatchCertificate(notAfter func() time.Time) {
	c.watch("certificate", func(give emit) {
		give("tls_certificate_not_after_seconds", float64(notAfter().Unix()))
	})
}

// StoreState has counts of an engine since it was opened.
type StoreState struct {
	Commits, Updates, Repeats uint64
	// Connections, if the engine is a server; otherwise 0.
	Busy, Idle, Max int
}

// WatchStore sets the function that each scrape asks about the engine.
func (c *collector) WatchStore(state func() StoreState) {
	c.watch("store", func(give emit) {
		s := state()
		give("store_commits_total", float64(s.Commits))
		give("store_updates_total", float64(s.Updates))
		give("store_repeats_total", float64(s.Repeats))
		if s.Max > 0 {
			give("store_connections", float64(s.Busy), "busy")
			give("store_connections", float64(s.Idle), "idle")
			give("store_connections_max", float64(s.Max))
		}
	})
}
