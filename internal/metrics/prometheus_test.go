package metrics

import (
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"strongroom/internal/domain"
)

// scrape returns the samples that the handler serves, comments and the single
// buckets of histograms left out.
func scrape(t *testing.T, m *Meters) (samples []string, all string) {
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

func TestMetersAreScrapedUnderTheirStableNames(t *testing.T) {
	m := New(prometheus.NewRegistry())
	m.Operation(domain.OpVerifyPIN, OutcomeMismatch, 250*time.Millisecond)
	m.Operation(domain.OpSetPIN, string(domain.CodeCredentialRejected), 0)
	m.Operation(domain.OpSetPIN, string(domain.CodeKeyNotUsable), 0)
	m.Refusal(domain.CodeOverloaded)
	m.HTTPRequest("/graphql", 200)
	m.HTTPRequest("/graphql", 204)
	m.HTTPRequest("/device-4711/secret", 404)
	m.HTTPRequest("/readyz", 0)
	m.Variant("OAEP-SHA256-MGF1SHA1")
	m.Locked(domain.TransactionPIN)
	m.DeviceLocked(domain.Passcode)
	m.TriesLapsed(3)
	m.Tampering("key/abcdefghijklmnopqrstuvwxyz")
	m.Tampering("device-4711")
	m.KeyGenerated(time.Second)
	m.Waiting(1)
	m.Waiting(1)
	m.Waiting(-1)
	m.Flushed(time.Second / 2)
	m.Build("0.0.0")
	m.Build("0.1.0")
	m.StoreUp(true)
	m.WatchKeyCounter(func() int { return 12 }, func() int64 { return 7 })
	m.WatchKeyPool(func() int { return 64 })
	m.WatchKeyPool(func() int { return 63 })
	m.KeyPoolRefilled()
	m.KeyPoolRefilled()
	m.KeyPoolMiss()
	m.KeyCache(true)
	m.KeyCache(false)
	m.KeyCache(false)

	samples, _ := scrape(t, m)
	goVersion := regexp.MustCompile(`goversion="go[^"]+"`)
	for i := range samples {
		samples[i] = goVersion.ReplaceAllString(samples[i], `goversion="go"`)
	}
	want := []string{
		`strongroom_build_info{goversion="go",version="0.1.0"} 1`,
		`strongroom_device_lockouts_total{type="PASSCODE"} 1`,
		`strongroom_device_lockouts_total{type="TRANSACTION_PIN"} 0`,
		`strongroom_http_requests_total{route="/graphql",status="2xx"} 2`,
		`strongroom_http_requests_total{route="/readyz",status="other"} 1`,
		`strongroom_http_requests_total{route="other",status="4xx"} 1`,
		`strongroom_key_cache_lookups_total{result="hit"} 1`,
		`strongroom_key_cache_lookups_total{result="miss"} 2`,
		`strongroom_key_counter_entries 12`,
		`strongroom_key_counter_evictions_total 7`,
		`strongroom_key_generation_seconds_sum 1`,
		`strongroom_key_generation_seconds_count 1`,
		`strongroom_key_pool_misses_total 1`,
		`strongroom_key_pool_ready 63`,
		`strongroom_key_pool_refills_total 2`,
		`strongroom_lockouts_total{type="PASSCODE"} 0`,
		`strongroom_lockouts_total{type="TRANSACTION_PIN"} 1`,
		`strongroom_oaep_variant_total{variant="OAEP-SHA256-MGF1SHA1"} 1`,
		`strongroom_operation_seconds_sum{operation="setTransactionPin"} 0`,
		`strongroom_operation_seconds_count{operation="setTransactionPin"} 2`,
		`strongroom_operation_seconds_sum{operation="verifyTransactionPin"} 0.25`,
		`strongroom_operation_seconds_count{operation="verifyTransactionPin"} 1`,
		`strongroom_operations_total{operation="setTransactionPin",outcome="KEY_NOT_USABLE"} 1`,
		`strongroom_operations_total{operation="setTransactionPin",outcome="refused_by_policy"} 1`,
		`strongroom_operations_total{operation="verifyTransactionPin",outcome="mismatch"} 1`,
		`strongroom_refusals_total{code="OVERLOADED"} 1`,
		`strongroom_rollup_flush_seconds_sum 0.5`,
		`strongroom_rollup_flush_seconds_count 1`,
		`strongroom_store_up 1`,
		`strongroom_tampering_total{record="account"} 0`,
		`strongroom_tampering_total{record="attempts"} 0`,
		`strongroom_tampering_total{record="bucket"} 0`,
		`strongroom_tampering_total{record="credential"} 0`,
		`strongroom_tampering_total{record="key"} 1`,
		`strongroom_tampering_total{record="other"} 1`,
		`strongroom_tries_lapsed_total 3`,
		`strongroom_waiting 1`,
	}
	// What operators alert on is there from the start, at zero.
	zero := regexp.MustCompile(`^strongroom_(operations|refusals)_total\{.*\} 0$`)
	for _, series := range []string{
		`strongroom_operations_total{operation="generateClientEncryptionKey",outcome="INTERNAL"} 0`,
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

// A rate cannot see the step from no series to one, and a share of hits needs
// both of its parts.
func TestTheMetersOfKeysAreThereBeforeTheFirstKey(t *testing.T) {
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

func TestWhatStrangersSendBecomesNoLabel(t *testing.T) {
	m := New(prometheus.NewRegistry())
	for _, path := range []string{"/device-4711", "/graphql/../x", "/%00", "/graphql?x", ""} {
		m.HTTPRequest(path, 200)
		m.Tampering(path)
	}
	samples, all := scrape(t, m)
	if strings.Contains(all, "4711") || strings.Contains(all, "%00") {
		t.Error("a path was made a label")
	}
	requests := 0
	for _, s := range samples {
		if strings.HasPrefix(s, "strongroom_http_requests_total") {
			requests++
		}
	}
	if requests != 1 {
		t.Errorf("%d series of requests, want the one of other routes", requests)
	}
}

func TestEveryMeterIsExplained(t *testing.T) {
	registry := prometheus.NewRegistry()
	New(registry)
	families, err := registry.Gather()
	if err != nil || len(families) == 0 {
		t.Fatal(len(families), err)
	}
	for _, f := range families {
		if !strings.HasPrefix(f.GetName(), "strongroom_") || !strings.HasSuffix(f.GetHelp(), ".") {
			t.Errorf("%s: %q", f.GetName(), f.GetHelp())
		}
	}
}

func BenchmarkMeters(b *testing.B) {
	m := New(prometheus.NewRegistry())
	for name, count := range map[string]func(){
		"Operation":   func() { m.Operation(domain.OpVerifyPIN, OutcomeOK, time.Millisecond) },
		"HTTPRequest": func() { m.HTTPRequest("/graphql", 200) },
		"Variant":     func() { m.Variant("sha256") },
		"KeyCache":    func() { m.KeyCache(true) },
		"Waiting":     func() { m.Waiting(1) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				count()
			}
		})
	}
}
