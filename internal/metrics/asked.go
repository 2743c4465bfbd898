package metrics

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// asked are the metrics whose values each scrape asks for. Those of something
// that is not there (key sets without tokens, a certificate without TLS) have
// no series at all, where a zero would look like an empty key set or like a
// certificate that has ended.
type asked struct {
	mu      sync.Mutex
	readers map[string]func(emit) // by what they read, so that the latest stands
}

// emit gives the value of a metric of askedFor, and of its labels.
type emit func(name string, value float64, labels ...string)

// askedFor are their names, kinds, help texts and labels.
var askedFor = func() map[string]reading {
	all := map[string]reading{}
	add := func(kind prometheus.ValueType, name, help string, labels ...string) {
		all[name] = reading{prometheus.NewDesc("strongroom_"+name, help, labels, nil), kind}
	}
	add(prometheus.GaugeValue, "lanes", "Workers that RSA and Argon2id work can have at once.", "lanes")
	add(prometheus.GaugeValue, "lanes_busy", "Workers that are at work.", "lanes")
	add(prometheus.GaugeValue, "lane_queue", "Pieces of work that wait for a worker.", "lanes")
	add(prometheus.GaugeValue, "lane_requests", "Requests that were admitted, waiting or running.", "lanes")
	add(prometheus.GaugeValue, "lane_requests_max", "Requests that can be admitted at once.", "lanes")
	add(prometheus.GaugeValue, "key_cache_entries", "Private keys that are kept open.")
	add(prometheus.CounterValue, "token_cache_lookups_total", "Bearer tokens looked for among those verified lately, by result: hit or miss.", "result")
	add(prometheus.GaugeValue, "key_set_age_seconds", "Time since an issuer's key set was last fetched or read.", "issuer")
	add(prometheus.GaugeValue, "key_set_keys", "Usable keys of an issuer's key set; 0 while it was never fetched.", "issuer")
	add(prometheus.GaugeValue, "tls_certificate_not_after_seconds", "When the TLS certificate ends, in seconds since 1970.")
	add(prometheus.CounterValue, "store_commits_total", "Transactions that were committed.")
	add(prometheus.CounterValue, "store_updates_total", "Updates in those transactions: with SQLite several can share one.")
	add(prometheus.CounterValue, "store_repeats_total", "Runs of updates that had to begin anew, for the sake of another or for a lost connection.")
	add(prometheus.GaugeValue, "store_connections", "Connections to PostgreSQL, busy or idle.", "state")
	add(prometheus.GaugeValue, "store_connections_max", "Connections to PostgreSQL that this process opens at most.")
	add(prometheus.GaugeValue, "http_connections", "Connections that are open.", "listener")
	add(prometheus.GaugeValue, "http_connections_max", "Connections that can be open at once: further ones are refused.", "listener")
	add(prometheus.GaugeValue, "http_requests_at_work", "Requests at work, over whatever connections.", "listener")
	add(prometheus.GaugeValue, "http_requests_at_work_max", "Requests that can be at work at once: further ones are refused.", "listener")
	add(prometheus.CounterValue, "token_refusals_total", "Bearer tokens refused, and requests without one, by reason.", "listener", "reason")
	add(prometheus.GaugeValue, "rollup_lag_seconds", "Age of the oldest operation that is not in the stored metrics summary yet; 0: none.")
	add(prometheus.GaugeValue, "checkpoint_age_seconds", "Time since this instance last wrote a checkpoint of the audit trail, or found nothing new to sign; at first since it was started.")
	add(prometheus.GaugeValue, "audit_lag_seconds", "Age of the oldest count that is not in the audit trail yet; 0: none.")
	return all
}()

type reading struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
}

// Describe implements [prometheus.Collector].
func (a *asked) Describe(to chan<- *prometheus.Desc) {
	for _, r := range askedFor {
		to <- r.desc
	}
}

// Collect implements [prometheus.Collector].
func (a *asked) Collect(to chan<- prometheus.Metric) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, read := range a.readers {
		read(func(name string, value float64, labels ...string) {
			r := askedFor[name]
			to <- prometheus.MustNewConstMetric(r.desc, r.kind, value, labels...)
		})
	}
}

// watch has each scrape call read. What it calls must be quick and safe for
// concurrent use.
func (a *asked) watch(what string, read func(emit)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.readers == nil {
		a.readers = map[string]func(emit){}
	}
	a.readers[what] = read
}

// LaneState is what lanes are doing at a moment.
type LaneState struct {
	Lanes, Busy, Queued   int
	Requests, MaxRequests int // admitted
}

// Watch names the function that each scrape asks what the lanes are doing. It
// must be safe for concurrent use, as must all that are watched; the latest
// call counts.
func (l *Lanes) Watch(state func() LaneState) {
	l.asked.watch("lanes "+l.name, func(give emit) {
		s := state()
		give("lanes", float64(s.Lanes), l.name)
		give("lanes_busy", float64(s.Busy), l.name)
		give("lane_queue", float64(s.Queued), l.name)
		give("lane_requests", float64(s.Requests), l.name)
		give("lane_requests_max", float64(s.MaxRequests), l.name)
	})
}

// WatchKeyCache names the function that each scrape asks how many private keys
// are kept open.
func (m *Meters) WatchKeyCache(entries func() int) {
	m.asked.watch("key cache", func(give emit) { give("key_cache_entries", float64(entries())) })
}

// WatchLag names the function that each scrape asks how long the oldest
// operation has waited to be in the stored summary, and the oldest count to be
// in the audit trail; 0 where none waits.
func (m *Meters) WatchLag(lag func() (rollup, audit time.Duration)) {
	m.asked.watch("lag", func(give emit) {
		rollup, audit := lag()
		give("rollup_lag_seconds", rollup.Seconds())
		give("audit_lag_seconds", audit.Seconds())
	})
}

// WatchCheckpoints names the function that each scrape asks how long ago a
// checkpoint was written or needed not be. It is for where some are made.
func (m *Meters) WatchCheckpoints(age func() time.Duration) {
	m.asked.watch("checkpoints", func(give emit) { give("checkpoint_age_seconds", age().Seconds()) })
}

// KeySet is the state of one issuer's key set.
type KeySet struct {
	Issuer string // as it is configured
	Keys   int
	Age    time.Duration // since it was last fetched; negative: it never was
}

// WatchTokens names the functions that each scrape asks about the key sets of
// token issuers and about the cache of verified tokens.
func (m *Meters) WatchTokens(keySets func() []KeySet, cached func() (hits, misses uint64)) {
	m.asked.watch("tokens", func(give emit) {
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

// The listeners, for [Meters.WatchConnections] and [Meters.WatchRefusedTokens].
const (
	ListenerAPI      = "api"
	ListenerOperator = "operator"
)

// ConnectionState is how much of its bounds a listener uses at a moment.
type ConnectionState struct {
	Connections, MaxConnections int // open
	Requests, MaxRequests       int // at work
}

// WatchConnections names the function that each scrape asks what a listener,
// one of the Listener constants, is doing.
func (m *Meters) WatchConnections(listener string, state func() ConnectionState) {
	m.asked.watch("connections "+listener, func(give emit) {
		s := state()
		give("http_connections", float64(s.Connections), listener)
		give("http_connections_max", float64(s.MaxConnections), listener)
		give("http_requests_at_work", float64(s.Requests), listener)
		give("http_requests_at_work_max", float64(s.MaxRequests), listener)
	})
}

// WatchRefusedTokens names the function that each scrape asks how many bearer
// tokens a listener has refused, by reasons of a closed set.
func (m *Meters) WatchRefusedTokens(listener string, counts func() map[string]uint64) {
	m.asked.watch("refused tokens "+listener, func(give emit) {
		for reason, n := range counts() {
			give("token_refusals_total", float64(n), listener, reason)
		}
	})
}

// WatchCertificate names the function that each scrape asks when the TLS
// certificate ends.
func (m *Meters) WatchCertificate(notAfter func() time.Time) {
	m.asked.watch("certificate", func(give emit) {
		give("tls_certificate_not_after_seconds", float64(notAfter().Unix()))
	})
}

// StoreState is what an engine has done since it was opened.
type StoreState struct {
	Commits, Updates, Repeats uint64
	// Connections of an engine that is a server; all 0 for one that is not.
	Busy, Idle, Max int
}

// WatchStore names the function that each scrape asks about the engine.
func (m *Meters) WatchStore(state func() StoreState) {
	m.asked.watch("store", func(give emit) {
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
