package metrics

import (
	"errors"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// scrape returns the samples that the handler serves, comments and the single
// buckets of histograms left out.
func scrape(t *testing.T, m *Metrics) (samples []string, all string) {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	for line := range strings.Lines(w.Body.String()) {
		if !strings.HasPrefix(line, "#") && !strings.Contains(line, "_bucket{") {
			samples = append(samples, strings.TrimSpace(line))
		}
	}
	return samples, w.Body.String()
}

func TestMetricsAreScrapedUnderTheirStableNames(t *testing.T) {
	m := New(prometheus.NewRegistry())
	m.Operation(domain.OpVerifyPIN, outcomeMismatch, 250*time.Millisecond)
	m.Receipt(ReceiptRedeemed)
	m.Operation(domain.OpSetPIN, string(domain.CodeCredentialRejected), 500*time.Millisecond)
	m.Operation(domain.OpSetPIN, string(domain.CodeKeyNotUsable), 0)
	m.Refusal(domain.CodeOverloaded)
	m.OperatorRefusal(domain.CodeUnauthenticated)
	m.HTTPRequest("/graphql", 200)
	m.HTTPRequest("/graphql", 204)
	m.HTTPRequest("/device-4711/secret", 404)
	m.HTTPRequest("/readyz", 0)
	m.Variant("OAEP-SHA256-MGF1SHA1")
	m.Locked(domain.TransactionPIN)
	m.DeviceLocked(domain.Passcode)
	m.AttemptsLapsed(3)
	m.Locks(domain.Passcode, 2, 5)
	m.Tampering("key/abcdefghijklmnopqrstuvwxyz")
	m.Tampering("device-4711")
	if m.Tampered() != 2 {
		t.Errorf("%d rows were refused, want 2", m.Tampered())
	}
	m.KeyGenerated(time.Second)
	m.IssuedAlgorithms("HPKE-XWING", "RSA-OAEP-256")
	m.KeyIssued("HPKE-XWING")
	m.Waiting(1)
	m.Waiting(1)
	m.Waiting(-1)
	m.Flushed(time.Second / 2)
	m.Build("0.0.0", "unknown")
	m.Build("0.1.0", "0123456789ab")
	m.StoreUp(true)
	m.WebhookAttempt("timeout", 250*time.Millisecond)
	m.Outbox(2, time.Minute, 3)
	m.WatchKeyCounter(func() int { return 12 }, func() int64 { return 7 })
	m.WatchKeyPool(func() int { return 64 })
	m.WatchKeyPool(func() int { return 63 })
	m.KeyPoolRefilled()
	m.KeyPoolRefilled()
	m.KeyPoolMiss()
	m.KeyCache(true)
	m.KeyCache(false)
	m.KeyCache(false)
	m.DocumentCache(true)
	m.KeyPoolSize(64)
	m.WatchKeyCache(func() int { return 9 })
	m.RootKeyUp(true)
	m.Variants("OAEP-SHA256", "OAEP-SHA256-MGF1SHA1")
	m.Attempt(domain.TransactionPIN, AttemptMismatch)
	m.Limited(LimitAddress)
	m.WouldLimit(LimitCaller)
	m.SuspectedGuessing(GuessesOfAddress)
	m.OverwriteRefused(domain.ReasonCurrentRequired)
	m.Decrypted(time.Second / 4)
	m.Hashed(time.Second / 2)
	m.HashedPBKDF2(125 * time.Millisecond)
	m.Committed(3, time.Second/8)
	m.WorkPool(WorkOnKeys).Waited(time.Second)
	m.WorkPool(WorkOnKeys).Full()
	m.WorkPool(WorkOnCredentials).Late()
	m.WorkPool(WorkOnCredentials).Watch(func() WorkPoolState {
		return WorkPoolState{Workers: 2, Busy: 1, Queued: 3, Requests: 5, MaxRequests: 512}
	})
	m.WatchLag(func() (rollup, audit time.Duration) { return time.Second / 2, time.Minute })
	m.WatchDisk(func() (free, size uint64, err error) { return 10 << 30, 1 << 40, nil })
	m.ClockSkew(-3 * time.Second)
	m.WatchCheckpoints(func() time.Duration { return 90 * time.Second })
	m.WatchWitness(func() (time.Duration, bool) { return 2 * time.Second, true })
	m.WitnessFailed()
	m.CheckpointFailed(CheckpointSink)
	m.WatchTokens(func() []KeySet {
		return []KeySet{{Issuer: "https://login.example.com", Keys: 2, Age: time.Minute}, {Issuer: "https://never.example.com", Age: -1}}
	}, func() (hits, misses uint64) { return 8, 3 })
	m.WatchConnections(ListenerAPI, func() ConnectionState {
		return ConnectionState{Connections: 7, MaxConnections: 4096, Requests: 3, MaxRequests: 4000}
	})
	m.WatchConnections(ListenerOperator, func() ConnectionState { return ConnectionState{Connections: 1, MaxConnections: 64, MaxRequests: 4000} })
	m.WatchRefusedTokens(ListenerOperator, func() map[string]uint64 { return map[string]uint64{"expired": 4, "no role": 0} })
	m.WatchCertificate(func() time.Time { return time.Unix(1234567890, 0) })
	m.WatchStore(func() StoreState { return StoreState{Commits: 5, Updates: 9, Repeats: 1, Busy: 2, Idle: 3, Max: 16} })

	samples, _ := scrape(t, m)
	goVersion := regexp.MustCompile(`goversion="go[^"]+"`)
	for i := range samples {
		samples[i] = goVersion.ReplaceAllString(samples[i], `goversion="go"`)
	}
	want := []string{
		`strongroom_audit_lag_seconds 60`,
		`strongroom_build_info{commit="0123456789ab",goversion="go",version="0.1.0"} 1`,
		`strongroom_checkpoint_age_seconds 90`,
		`strongroom_checkpoint_failures_total{reason="sink"} 1`,
		`strongroom_checkpoint_failures_total{reason="store"} 0`,
		`strongroom_checkpoint_failures_total{reason="trail"} 0`,
		`strongroom_clock_skew_seconds -3`,
		"strongroom_credentials_outdated 0",
		`strongroom_device_lockouts_total{type="PASSCODE"} 1`,
		`strongroom_device_lockouts_total{type="TRANSACTION_PIN"} 0`,
		`strongroom_disk_free_bytes 1.073741824e+10`,
		`strongroom_disk_size_bytes 1.099511627776e+12`,
		`strongroom_document_cache_lookups_total{result="hit"} 1`,
		`strongroom_document_cache_lookups_total{result="miss"} 0`,
		`strongroom_http_connections{listener="api"} 7`,
		`strongroom_http_connections{listener="operator"} 1`,
		`strongroom_http_connections_max{listener="api"} 4096`,
		`strongroom_http_connections_max{listener="operator"} 64`,
		`strongroom_http_requests_at_work{listener="api"} 3`,
		`strongroom_http_requests_at_work{listener="operator"} 0`,
		`strongroom_http_requests_at_work_max{listener="api"} 4000`,
		`strongroom_http_requests_at_work_max{listener="operator"} 4000`,
		`strongroom_http_requests_total{route="/graphql",status="2xx"} 2`,
		`strongroom_http_requests_total{route="/readyz",status="other"} 1`,
		`strongroom_http_requests_total{route="other",status="4xx"} 1`,
		`strongroom_key_cache_entries 9`,
		`strongroom_key_cache_lookups_total{result="hit"} 1`,
		`strongroom_key_cache_lookups_total{result="miss"} 2`,
		`strongroom_key_counter_entries 12`,
		`strongroom_key_counter_evictions_total 7`,
		`strongroom_key_generation_seconds_sum 1`,
		`strongroom_key_generation_seconds_count 1`,
		`strongroom_key_pool_misses_total 1`,
		`strongroom_key_pool_ready 63`,
		`strongroom_key_pool_refills_total 2`,
		`strongroom_key_pool_size 64`,
		`strongroom_key_set_age_seconds{issuer="https://login.example.com"} 60`,
		`strongroom_key_set_keys{issuer="https://login.example.com"} 2`,
		`strongroom_key_set_keys{issuer="https://never.example.com"} 0`,
		`strongroom_keys_issued_total{algorithm="HPKE-XWING"} 1`,
		`strongroom_keys_issued_total{algorithm="RSA-OAEP-256"} 0`,
		`strongroom_lane_queue{lanes="credentials"} 3`,
		`strongroom_lane_requests{lanes="credentials"} 5`,
		`strongroom_lane_requests_max{lanes="credentials"} 512`,
		`strongroom_lane_shed_total{lanes="credentials",reason="late"} 1`,
		`strongroom_lane_shed_total{lanes="keys",reason="full"} 1`,
		`strongroom_lane_wait_seconds_sum{lanes="keys"} 1`,
		`strongroom_lane_wait_seconds_count{lanes="keys"} 1`,
		`strongroom_lane_work_seconds_sum{work="argon2id"} 0.5`,
		`strongroom_lane_work_seconds_count{work="argon2id"} 1`,
		`strongroom_lane_work_seconds_sum{work="decrypt"} 0.25`,
		`strongroom_lane_work_seconds_count{work="decrypt"} 1`,
		`strongroom_lane_work_seconds_sum{work="pbkdf2"} 0.125`,
		`strongroom_lane_work_seconds_count{work="pbkdf2"} 1`,
		`strongroom_lanes{lanes="credentials"} 2`,
		`strongroom_lanes_busy{lanes="credentials"} 1`,
		`strongroom_limited_report_only_total{by="address"} 0`,
		`strongroom_limited_report_only_total{by="caller"} 1`,
		`strongroom_limited_total{by="address"} 1`,
		`strongroom_lockouts_total{type="PASSCODE"} 0`,
		`strongroom_lockouts_total{type="TRANSACTION_PIN"} 1`,
		`strongroom_locks{scope="account",type="PASSCODE"} 2`,
		`strongroom_locks{scope="device",type="PASSCODE"} 5`,
		`strongroom_oaep_variant_total{variant="OAEP-SHA256"} 0`,
		`strongroom_oaep_variant_total{variant="OAEP-SHA256-MGF1SHA1"} 1`,
		`strongroom_operation_seconds_sum{operation="setTransactionPin"} 0.5`,
		`strongroom_operation_seconds_count{operation="setTransactionPin"} 2`,
		`strongroom_operation_seconds_sum{operation="verifyTransactionPin"} 0.25`,
		`strongroom_operation_seconds_count{operation="verifyTransactionPin"} 1`,
		`strongroom_operations_total{operation="setTransactionPin",outcome="KEY_NOT_USABLE"} 1`,
		`strongroom_operations_total{operation="setTransactionPin",outcome="refused_by_policy"} 1`,
		`strongroom_operations_total{operation="verifyTransactionPin",outcome="mismatch"} 1`,
		`strongroom_operator_refusals_total{code="FORBIDDEN"} 0`,
		`strongroom_operator_refusals_total{code="OVERLOADED"} 0`,
		`strongroom_operator_refusals_total{code="TOO_MANY_REQUESTS"} 0`,
		`strongroom_operator_refusals_total{code="UNAUTHENTICATED"} 1`,
		`strongroom_overwrites_refused_total{reason="CURRENT_MISMATCH"} 0`,
		`strongroom_overwrites_refused_total{reason="CURRENT_REQUIRED"} 1`,
		`strongroom_overwrites_refused_total{reason="SIGN_IN_REQUIRED"} 0`,
		`strongroom_receipts_total{result="expired"} 0`,
		`strongroom_receipts_total{result="failed"} 0`,
		`strongroom_receipts_total{result="invalid"} 0`,
		`strongroom_receipts_total{result="issued"} 0`,
		`strongroom_receipts_total{result="redeemed"} 1`,
		`strongroom_receipts_total{result="repeated"} 0`,
		`strongroom_refusals_total{code="OVERLOADED"} 1`,
		"strongroom_rewrap_rows 0",
		"strongroom_rewrap_rows_left 0",
		"strongroom_rewrap_rows_visited 0",
		`strongroom_rollup_flush_seconds_sum 0.5`,
		`strongroom_rollup_flush_seconds_count 1`,
		`strongroom_rollup_lag_seconds 0.5`,
		`strongroom_root_key_up 1`,
		`strongroom_store_commit_seconds_sum 0.125`,
		`strongroom_store_commit_seconds_count 1`,
		`strongroom_store_commit_updates_sum 3`,
		`strongroom_store_commit_updates_count 1`,
		`strongroom_store_commits_total 5`,
		`strongroom_store_connections{state="busy"} 2`,
		`strongroom_store_connections{state="idle"} 3`,
		`strongroom_store_connections_max 16`,
		`strongroom_store_repeats_total 1`,
		`strongroom_store_up 1`,
		`strongroom_store_updates_total 9`,
		`strongroom_suspected_guessing_total{kind="address"} 1`,
		`strongroom_suspected_guessing_total{kind="device"} 0`,
		`strongroom_tampering_total{record="account"} 0`,
		`strongroom_tampering_total{record="attempts"} 0`,
		`strongroom_tampering_total{record="bucket"} 0`,
		`strongroom_tampering_total{record="chain"} 0`,
		`strongroom_tampering_total{record="credential"} 0`,
		`strongroom_tampering_total{record="event"} 0`,
		`strongroom_tampering_total{record="key"} 1`,
		`strongroom_tampering_total{record="other"} 1`,
		`strongroom_tampering_total{record="setting"} 0`,
		`strongroom_tampering_total{record="signing-key"} 0`,
		`strongroom_tls_certificate_not_after_seconds 1.23456789e+09`,
		`strongroom_token_cache_lookups_total{result="hit"} 8`,
		`strongroom_token_cache_lookups_total{result="miss"} 3`,
		`strongroom_token_refusals_total{listener="operator",reason="expired"} 4`,
		`strongroom_token_refusals_total{listener="operator",reason="no role"} 0`,
		`strongroom_tries_lapsed_total 3`,
		`strongroom_tries_total{type="TRANSACTION_PIN",verdict="mismatch"} 1`,
		`strongroom_waiting 1`,
		`strongroom_webhook_attempt_seconds_sum 0.25`,
		`strongroom_webhook_attempt_seconds_count 1`,
		`strongroom_webhook_attempts_total{outcome="connection"} 0`,
		`strongroom_webhook_attempts_total{outcome="delivered"} 0`,
		`strongroom_webhook_attempts_total{outcome="forbidden"} 0`,
		`strongroom_webhook_attempts_total{outcome="refused"} 0`,
		`strongroom_webhook_attempts_total{outcome="status"} 0`,
		`strongroom_webhook_attempts_total{outcome="timeout"} 1`,
		`strongroom_webhook_attempts_total{outcome="tls"} 0`,
		`strongroom_webhook_dead_letters 3`,
		`strongroom_webhook_oldest_seconds 60`,
		`strongroom_webhook_waiting 2`,
		`strongroom_witness_age_seconds 2`,
		`strongroom_witness_failures_total 1`,
	}
	// What operators alert on is there from the start, at zero.
	zero := regexp.MustCompile(`^strongroom_(operations_total|refusals_total|http_requests_total|limited_total|tries_total|operation_seconds_\w+|store_seconds_\w+|lane_\w+)\{.*\} 0$`)
	for _, series := range []string{
		`strongroom_operations_total{operation="generateClientEncryptionKey",outcome="INTERNAL"} 0`,
		`strongroom_operations_total{operation="verifyUserPasscode",outcome="CIPHERTEXT_REUSED"} 0`,
		`strongroom_operations_total{operation="verifyTransactionPin",outcome="DECRYPTION_FAILED"} 0`,
		`strongroom_http_requests_total{route="/readyz",status="5xx"} 0`,
		`strongroom_lane_shed_total{lanes="credentials",reason="full"} 0`,
		`strongroom_tries_total{type="PASSCODE",verdict="given_back"} 0`,
		`strongroom_limited_total{by="pending_tries"} 0`,
		`strongroom_refusals_total{code="UNAUTHENTICATED"} 0`,
		`strongroom_refusals_total{code="TOO_MANY_REQUESTS"} 0`,
	} {
		if !slices.Contains(samples, series) {
			t.Errorf("no series %s", series)
		}
	}
	samples = slices.DeleteFunc(samples, zero.MatchString)
	if diff := cmp.Diff(want, samples); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Prometheus cannot compute a rate when a series first appears, and a hit ratio needs
// both of its series.
func TestKeyMetricsExistBeforeTheFirstKey(t *testing.T) {
	samples, _ := scrape(t, New(prometheus.NewRegistry()))
	for _, series := range []string{
		`strongroom_key_cache_lookups_total{result="hit"} 0`,
		`strongroom_key_cache_lookups_total{result="miss"} 0`,
		`strongroom_key_pool_misses_total 0`,
		`strongroom_key_pool_ready 0`,
		`strongroom_key_pool_refills_total 0`,
	} {
		if !slices.Contains(samples, series) {
			t.Errorf("no series %s", series)
		}
	}
}

func TestUnknownPathsBecomeNoLabels(t *testing.T) {
	m := New(prometheus.NewRegistry())
	for _, path := range []string{"/device-4711", "/graphql/../x", "/%00", "/graphql?x", ""} {
		m.HTTPRequest(path, 200)
		m.Tampering(path)
	}
	samples, all := scrape(t, m)
	if strings.Contains(all, "4711") || strings.Contains(all, "%00") {
		t.Error("a path became a label")
	}
	for _, s := range samples {
		if strings.HasPrefix(s, "strongroom_http_requests_total") && !strings.HasSuffix(s, " 0") &&
			s != `strongroom_http_requests_total{route="other",status="2xx"} 5` {
			t.Errorf("%s, want the one series of other routes", s)
		}
	}
}

func TestEveryMetricHasAHelpText(t *testing.T) {
	registry := prometheus.NewRegistry()
	New(registry)
	descriptions := make(chan *prometheus.Desc)
	go func() { registry.Describe(descriptions); close(descriptions) }()
	n := 0
	for d := range descriptions {
		n++
		if explained := regexp.MustCompile(`fqName: "strongroom_\w+", help: "[A-Z0-9][^"]+\."`); !explained.MatchString(d.String()) {
			t.Error(d)
		}
	}
	if n < 40 {
		t.Errorf("only %d metrics were found", n)
	}
}

// A client that asks for native buckets gets them in addition to the classic
// ones.
func TestHistogramsHaveNativeAndClassicBuckets(t *testing.T) {
	registry := prometheus.NewRegistry()
	m := New(registry)
	m.Operation(domain.OpVerifyPIN, outcomeOK, 50*time.Microsecond)
	m.Operation(domain.OpVerifyPIN, outcomeOK, 51*time.Microsecond)
	m.Operation(domain.OpVerifyPIN, outcomeOK, 12*time.Millisecond)
	r := httptest.NewRequest("GET", "/metrics", nil)
	r.Header.Set("Accept", "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited")
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, r)
	if kind := w.Header().Get("Content-Type"); !strings.HasPrefix(kind, "application/vnd.google.protobuf") {
		t.Errorf("a request for the format with native buckets gets %s", kind)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, family := range families {
		for _, one := range family.Metric {
			h := one.GetHistogram()
			if h == nil {
				continue
			}
			if h.Schema == nil || len(h.Bucket) == 0 {
				t.Errorf("%s has native buckets: %t, classic ones: %d", family.GetName(), h.Schema != nil, len(h.Bucket))
			}
			if h.GetSampleCount() == 3 {
				// Two observations share a bucket a tenth wide, the third has its own.
				found = slices.Equal(h.PositiveDelta, []int64{2, -1})
			}
		}
	}
	if !found {
		t.Error("three operations are not in two native buckets")
	}
}

func TestTransactionsAreMeasuredByKind(t *testing.T) {
	m := New(prometheus.NewRegistry())
	s := m.Store(mustOpen(t, filepath.Join(t.TempDir(), "strongroom.db"), noon))
	for range 3 {
		if err := s.View(t.Context(), func(store.Tx) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	refusal := errors.New("refused")
	if err := s.Update(t.Context(), func(store.Tx) error { return refusal }); !errors.Is(err, refusal) {
		t.Fatal(err)
	}
	samples, _ := scrape(t, m)
	for _, want := range []string{`strongroom_store_seconds_count{kind="view"} 3`, `strongroom_store_seconds_count{kind="update"} 1`} {
		if !slices.Contains(samples, want) {
			t.Errorf("no %s", want)
		}
	}
}

func BenchmarkMetrics(b *testing.B) {
	m := New(prometheus.NewRegistry())
	m.Variants("sha256")
	for name, count := range map[string]func(){
		"Operation":   func() { m.Operation(domain.OpVerifyPIN, outcomeOK, time.Millisecond) },
		"HTTPRequest": func() { m.HTTPRequest("/graphql", 200) },
		"Variant":     func() { m.Variant("sha256") },
		"KeyCache":    func() { m.KeyCache(true) },
		"Waiting":     func() { m.Waiting(1) },
		"Refusal":     func() { m.Refusal(domain.CodeOverloaded) },
		"Waited":      func() { m.WorkPool(WorkOnCredentials).Waited(time.Microsecond) },
		"Hashed":      func() { m.Hashed(8 * time.Millisecond) },
		"Committed":   func() { m.Committed(2, time.Millisecond) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				count()
			}
		})
	}
}
