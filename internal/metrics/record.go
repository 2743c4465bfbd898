package metrics

import (
	"runtime"
	"strings"
	"time"

	"strongroom/internal/domain"
)

// Operation counts one encryption operation. The outcome is "ok", a [domain.Code], or
// "mismatch" if a verify returned false.
func (m *Metrics) Operation(op domain.Operation, outcome string, took time.Duration) {
	if outcome == string(domain.CodeCredentialRejected) {
		outcome = outcomeRefusedByPolicy
	}
	m.operations.WithLabelValues(string(op), outcome).Inc()
	m.latencies.observe(op, took, time.Now())
	if time := m.operationTime[op]; time != nil {
		time.Observe(took.Seconds())
	}
}

// Refusal counts a request refused before any work.
func (m *Metrics) Refusal(code domain.Code) { m.refusals.WithLabelValues(string(code)).Inc() }

// OperatorRefusal counts a request that the operator side refused.
func (m *Metrics) OperatorRefusal(code domain.Code) { m.operators.WithLabelValues(string(code)).Inc() }

// Limited counts a request answered TOO_MANY_REQUESTS, by one of the Limit
// constants.
func (m *Metrics) Limited(by string) { m.limited.WithLabelValues(by).Inc() }

// WouldLimit counts a request that a rate limit in report-only mode let pass, by
// LimitCaller or LimitAddress.
func (m *Metrics) WouldLimit(by string) { m.reported.WithLabelValues(by).Inc() }

// HTTPRequest counts an answered request. An unknown path counts as "other".
func (m *Metrics) HTTPRequest(route string, status int) {
	if !routes[route] {
		route = other
	}
	class := other
	if i := status / 100; i > 0 && i < len(classes) {
		class = classes[i]
	}
	m.requests.WithLabelValues(route, class).Inc()
}

var classes = [...]string{"", "1xx", "2xx", "3xx", "4xx", "5xx"}

// Variants sets the accepted RSA-OAEP variants and HPKE KEMs, so that each has
// a series before its first ciphertext. Call it before anything is counted.
func (m *Metrics) Variants(names ...string) { startAtZero(m.variants, names...) }

// Variant counts a decrypted ciphertext by the name of its RSA-OAEP variant or
// HPKE KEM, one of the names given to Variants.
func (m *Metrics) Variant(name string) { m.variants.WithLabelValues(name).Inc() }

// Locked counts a credential that was locked.
func (m *Metrics) Locked(t domain.CredentialType) { m.lockouts.WithLabelValues(string(t)).Inc() }

// DeviceLocked counts a device that was locked out of a credential.
func (m *Metrics) DeviceLocked(t domain.CredentialType) {
	m.deviceLocks.WithLabelValues(string(t)).Inc()
}

// Locks sets the number of active locks of a credential type: of accounts, and
// of single devices. Before the first call there is no series, because a zero
// would look like a count.
func (m *Metrics) Locks(t domain.CredentialType, accounts, devices int) {
	m.locks.WithLabelValues(string(t), "account").Set(float64(accounts))
	m.locks.WithLabelValues(string(t), "device").Set(float64(devices))
}

// AttemptsLapsed counts n attempts whose lease expired without a verdict.
func (m *Metrics) AttemptsLapsed(n int) { m.lapsed.Add(float64(n)) }

// Attempt counts the outcome of a reserved attempt, one of the Attempt
// constants.
func (m *Metrics) Attempt(t domain.CredentialType, verdict string) {
	m.tries.WithLabelValues(string(t), verdict).Inc()
}

// Tampering counts a stored row that was refused. record is its kind, or
// "kind/id", of which only the kind is used.
func (m *Metrics) Tampering(record string) {
	kind, _, _ := strings.Cut(record, "/")
	if !records[kind] {
		kind = other
	}
	m.tampering.WithLabelValues(kind).Inc()
	m.tampered.Add(1)
}

// Tampered returns how often [Metrics.Tampering] was called in this process.
func (m *Metrics) Tampered() int64 { return m.tampered.Load() }

// CheckpointFailed counts a checkpoint that was not made or not kept, by one of
// the Checkpoint constants.
func (m *Metrics) CheckpointFailed(reason string) { m.checkpoints.WithLabelValues(reason).Inc() }

// WitnessFailed counts a failed attempt to bring the witness up to date.
func (m *Metrics) WitnessFailed() { m.witness.Inc() }

// SuspectedGuessing counts a source that guesses at many accounts, by one of
// the GuessesOf constants.
func (m *Metrics) SuspectedGuessing(kind string) { m.guessing.WithLabelValues(kind).Inc() }

// OverwriteRefused counts a set that was not allowed to replace the credential,
// by one of [domain.OverwriteReasons].
func (m *Metrics) OverwriteRefused(reason string) { m.overwrites.WithLabelValues(reason).Inc() }

// Receipt counts the result of a receipt, one of the Receipt constants.
func (m *Metrics) Receipt(result string) { m.receipts.WithLabelValues(result).Inc() }

// DocumentCache counts a GraphQL document, and whether it was in the cache.
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

// Build sets the version that is running.
func (m *Metrics) Build(version, commit string) {
	m.build.Reset()
	m.build.WithLabelValues(version, commit, runtime.Version()).Set(1)
}

// StoreUp sets whether the store answers and accepts writes.
func (m *Metrics) StoreUp(up bool) {
	m.store.Set(0)
	if up {
		m.store.Set(1)
	}
}

// The clocks of [Metrics.ClockOffset].
const ClockDatabase, ClockMachine = "database", "machine"

// ClockOffset sets how far a clock, one of the Clock constants, is ahead of the
// time elapsed since the start.
func (m *Metrics) ClockOffset(clock string, ahead time.Duration) {
	m.clocks.WithLabelValues(clock).Set(ahead.Seconds())
}

// ClockSkew sets how far the machine's clock is ahead of the database's.
func (m *Metrics) ClockSkew(ahead time.Duration) { m.skew.WithLabelValues().Set(ahead.Seconds()) }

// RootKeyUp sets whether one of the configured root keys opens the data keys of
// the database.
func (m *Metrics) RootKeyUp(up bool) {
	m.rootKey.Set(0)
	if up {
		m.rootKey.Set(1)
	}
}

// RootKey sets what is known about a configured root key.
func (m *Metrics) RootKey(is domain.RootKey) {
	provider := is.Provider()
	if !is.AddedAt.IsZero() {
		m.rootKeyAge.WithLabelValues(provider, is.URL).Set(is.CheckedAt.Sub(is.AddedAt).Seconds())
	}
	if is.Up() {
		m.rootKeySuccess.WithLabelValues(provider, is.URL).Set(float64(is.CheckedAt.Unix()))
		return
	}
	m.rootKeyFailures.WithLabelValues(provider, is.URL, is.Reason).Inc()
}

// Rewrap sets the progress of the rewrap.
func (m *Metrics) Rewrap(is domain.Rewrap) {
	m.rewrapLeft.Set(float64(is.Left))
	m.rewrapVisited.Set(float64(is.Visited))
	m.rewrapRows.Set(float64(is.Rows))
	m.rewrapUnder.Reset()
	for id, rows := range is.Under {
		m.rewrapUnder.WithLabelValues(id).Set(float64(rows))
	}
}

// Decrypted measures one RSA decryption, including all variants that were
// tried.
func (m *Metrics) Decrypted(took time.Duration) { m.decrypt.Observe(took.Seconds()) }

// Hashed measures one Argon2id hash.
func (m *Metrics) Hashed(took time.Duration) { m.argon2.Observe(took.Seconds()) }

// HashedPBKDF2 measures one PBKDF2 hash.
func (m *Metrics) HashedPBKDF2(took time.Duration) { m.pbkdf2.Observe(took.Seconds()) }

// Outdated sets how many credentials have another algorithm or a lower cost than new
// ones.
func (m *Metrics) Outdated(credentials int64) { m.outdated.Set(float64(credentials)) }

// Committed measures one durable commit, and how many updates shared it.
func (m *Metrics) Committed(updates int, took time.Duration) {
	m.commitTime.Observe(took.Seconds())
	m.commitUpdates.Observe(float64(updates))
}

// Latencies returns the latencies of this instance's operations in the last
// hour.
func (m *Metrics) Latencies() []domain.Latency { return m.latencies.last(time.Now()) }
