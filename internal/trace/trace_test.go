package trace

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"strongroom/internal/domain"
)

const parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

// line is what the log line of a request says after do.
func line(status int, header string, do func(context.Context)) string {
	var nobody *Tracer
	ctx, r := nobody.Begin(context.Background(), Arrival{At: time.Now(), Method: "POST", Route: "/graphql", Parent: []string{header}})
	do(ctx)
	r.End(status, time.Second)
	var said []string
	for _, a := range r.Attrs(nil) {
		said = append(said, a.String())
	}
	if id, span := IDs(ctx); id+span != "" {
		said = append(said, id+"/"+span)
	}
	return strings.Join(said, " ")
}

func TestALogLineHasOperationOutcomeAndDurations(t *testing.T) {
	nothing := func(context.Context) {}
	for name, got := range map[string][2]string{
		"work": {line(200, "", func(ctx context.Context) {
			ctx, use := Operation(ctx, "verify")
			Did(ctx, SlotWait, time.Now(), time.Millisecond)
			Did(ctx, TryWait, time.Now(), time.Millisecond)
			Did(ctx, Decrypt, time.Now(), 3*time.Millisecond)
			Did(ctx, Hash, time.Now(), 10*time.Millisecond)
			Did(ctx, View, time.Now(), 100*time.Microsecond)
			Did(ctx, Update, time.Now(), 150*time.Microsecond)
			use.End("ok")
		}), "operation=verify outcome=ok wait_ms=2 rsa_ms=3 argon2id_ms=10 store_ms=0.25"},
		"a refusal in a use case": {line(200, "", func(ctx context.Context) {
			_, use := Operation(ctx, "set")
			use.End("CREDENTIAL_LOCKED")
		}), "operation=set outcome=CREDENTIAL_LOCKED"},
		"a refusal before one":        {line(400, "", func(ctx context.Context) { Outcome(ctx, domain.CodeBadRequest) }), "outcome=BAD_REQUEST"},
		"nothing said":                {line(302, "", nothing), "outcome=ok"},
		"nothing said, refused":       {line(404, "", nothing), "outcome=refused"},
		"nothing said, failed":        {line(500, "", nothing), "outcome=failed"},
		"nothing answered":            {line(0, "", nothing), "outcome=failed"},
		"a caller that names a trace": {line(200, parent, nothing), "outcome=ok 0af7651916cd43dd8448eb211c80319c/"},
		"a caller that names none":    {line(200, "00-0-0-00", nothing), "outcome=ok"},
		"without a request":           {func() string { Did(context.Background(), View, time.Now(), 1); return "" }(), ""},
	} {
		if got[0] != got[1] {
			t.Errorf("%s: %s, want %s", name, got[0], got[1])
		}
	}
}

func TestAParentIsReadStrictly(t *testing.T) {
	const id, span = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	for header, want := range map[string]string{
		parent:                               id + " " + span + " 01",
		"00-" + id + "-" + span + "-00":      id + " " + span + " 00",
		"00-" + id + "-" + span + "-ff":      id + " " + span + " 01", // of the flags only the known one is kept
		"01-" + id + "-" + span + "-01":      id + " " + span + " 01", // a version to come
		"cc-" + id + "-" + span + "-01-more": id + " " + span + " 01",
		"cc-" + id + "-" + span + "-01more":  "",
		"00-" + id + "-" + span + "-01-more": "",
		"ff-" + id + "-" + span + "-01":      "",
		"":                                   "",
		" " + parent:                         "",
		"00-" + strings.ToUpper(id) + "-" + span + "-01":     "",
		"00-" + id + "-" + strings.ToUpper(span) + "-01":     "",
		"00-" + strings.Repeat("0", 32) + "-" + span + "-01": "",
		"00-" + id + "-" + strings.Repeat("0", 16) + "-01":   "",
		"00-" + id + "-" + span + "-0G":                      "",
		"0g-" + id + "-" + span + "-01":                      "",
		"00_" + id + "-" + span + "-01":                      "",
		"00-" + id + "_" + span + "-01":                      "",
		"00-" + id + "-" + span + "_01":                      "",
		"00-" + id[:31] + "\n-" + span + "-01":               "",
		strings.Repeat("00-"+id+"-"+span+"-01,", 1000):       "",
	} {
		got := ""
		if sc := parseParent([]string{header}); sc.IsValid() {
			got = fmt.Sprint(sc.TraceID(), " ", sc.SpanID(), " ", sc.TraceFlags())
		}
		if got != want {
			t.Errorf("%q: %q, want %q", header, got, want)
		}
	}
	if parseParent(nil).IsValid() || parseParent([]string{parent, parent}).IsValid() {
		t.Error("no header, or two, name a parent")
	}
}

// FuzzParent compares the parser with the library's, which reads the same
// format. What ours accepts, the library reads in the same way. For version 00
// the reverse holds too.
func FuzzParent(f *testing.F) {
	for _, h := range []string{parent, "", "01" + parent[2:] + "-x", strings.Replace(parent, "-01", "-ff", 1)} {
		f.Add(h)
	}
	f.Fuzz(func(t *testing.T, h string) {
		if len(h) >= len(parent) && (h[53] != '0' || h[54] > '2') {
			return // flags to come, which the library refuses and the standard says to ignore
		}
		theirs := trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{"traceparent": h}))
		ours := parseParent([]string{h})
		known := theirs.IsValid() && strings.HasPrefix(h, "00")
		if ours.IsValid() && !theirs.IsValid() || known && !ours.IsValid() {
			t.Fatalf("%q: ours %v, theirs %v", h, ours, theirs)
		}
		if ours.IsValid() && (ours.TraceID() != theirs.TraceID() || ours.SpanID() != theirs.SpanID() || ours.IsSampled() != theirs.IsSampled()) {
			t.Fatalf("%q: ours %v, theirs %v", h, ours, theirs)
		}
	})
}

// clean removes the OpenTelemetry variables from the environment.
func clean(t *testing.T) {
	t.Helper()
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "OTEL_") {
			t.Setenv(name, "")
		}
	}
}

func TestTracingIsOffUnlessTheEnvironmentConfiguresIt(t *testing.T) {
	clean(t)
	for name, env := range map[string][]string{
		"":                       {},
		"other variables":        {"OTEL_SERVICE_NAME=x", "OTEL_TRACES_SAMPLER=always_on", "OTEL_UNHEARD_OF=x", "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"},
		"none":                   {"OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:1", "OTEL_TRACES_EXPORTER=none"},
		"disabled":               {"OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:1", "OTEL_SDK_DISABLED=TRUE"},
		"http://127.0.0.1:1":     {"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1"},
		"https://collector":      {"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=https://collector/x", "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1"},
		"http://localhost:4318":  {"OTEL_TRACES_EXPORTER=otlp"},
		"http://localhost:43180": {"OTEL_EXPORTER_OTLP_ENDPOINT=http://localhost:43180", "OTEL_SDK_DISABLED=no", "OTEL_TRACES_EXPORTER=otlp"},
	} {
		t.Run(name, func(t *testing.T) {
			set(t, env)
			tracer, err := Open(Config{Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			want := name
			if !strings.HasPrefix(name, "http") {
				want = ""
			}
			if got := tracer.Endpoint(); got != want || (tracer.tracer == nil) != (want == "") {
				t.Errorf("spans are sent to %q, want %q", got, want)
			}
			tracer.Close(t.Context())
		})
	}
}

func set(t *testing.T, env []string) {
	t.Helper()
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
}

func TestSpansGoToTheConfiguredEndpoint(t *testing.T) {
	clean(t)
	type sent struct{ path, token string }
	came := make(chan sent, 10)
	sink := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		came <- sent{r.URL.Path, r.Header.Get("Api-Key")}
	}))
	defer sink.Close()
	for variable, want := range map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT=" + sink.URL:                   "/v1/traces",
		"OTEL_EXPORTER_OTLP_ENDPOINT=" + sink.URL + "/otlp/":        "/otlp/v1/traces",
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=" + sink.URL + "/as/is": "/as/is",
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=" + sink.URL:            "/",
	} {
		t.Run(variable, func(t *testing.T) {
			set(t, []string{variable, "OTEL_EXPORTER_OTLP_HEADERS=api-key=secret", "OTEL_EXPORTER_OTLP_INSECURE=false"})
			tracer, err := Open(Config{Log: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			_, r := tracer.Begin(t.Context(), Arrival{At: time.Now(), Method: "GET", Route: "/x"})
			r.End(200, time.Millisecond)
			tracer.Close(t.Context())
			if got := <-came; got != (sent{want, "secret"}) {
				t.Errorf("%+v, want %s", got, want)
			}
		})
	}
}

func TestProbesAndUnsampledTracesMakeNoSpans(t *testing.T) {
	clean(t)
	set(t, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1"})
	open := func() *Tracer {
		tracer, err := Open(Config{Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			over, cancel := context.WithCancel(context.Background())
			cancel()
			tracer.Close(over)
		})
		return tracer
	}
	recorded := func(tracer *Tracer, a Arrival) (bool, string) {
		ctx, r := tracer.Begin(t.Context(), a)
		id, _ := IDs(ctx)
		return r.span != nil, id
	}
	const id = "0af7651916cd43dd8448eb211c80319c"
	tracer := open()
	if is, _ := recorded(tracer, Arrival{Quiet: true}); is {
		t.Error("a probe is recorded")
	}
	if is, got := recorded(tracer, Arrival{Parent: []string{parent}}); !is || got != id {
		t.Errorf("recorded %v, in trace %s", is, got)
	}
	if is, got := recorded(tracer, Arrival{Parent: []string{parent[:53] + "00"}}); is || got != id {
		t.Errorf("not sampled by its caller: recorded %v, in trace %s", is, got)
	}
	t.Setenv("OTEL_PROPAGATORS", "b3, none")
	if is, got := recorded(open(), Arrival{Parent: []string{parent}}); !is || got == id {
		t.Errorf("without the propagator: recorded %v, in trace %s", is, got)
	}
}

func TestInvalidOTELVariablesAreRefusedAndNotRepeated(t *testing.T) {
	clean(t)
	empty := filepath.Join(t.TempDir(), "hunter2")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for variable, want := range map[string]string{
		"OTEL_EXPORTER_OTLP_PROTOCOL=grpc":                           "OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf",
		"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=http/json":               "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL must be http/protobuf",
		"OTEL_TRACES_EXPORTER=zipkin":                                "OTEL_TRACES_EXPORTER must be otlp or none",
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=localhost:4318":          "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be a URL",
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=unix:///hunter2":         "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be a URL",
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://me:hunter2@host":  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be a URL",
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://host?key=hunter2": "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be a URL",
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=http://hunter2:port":     "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be a URL",
		"OTEL_EXPORTER_OTLP_HEADERS=hunter2":                         "the OTEL_… variables cannot be used: parse headers",
		"OTEL_EXPORTER_OTLP_CERTIFICATE=" + empty:                    "OTEL_EXPORTER_OTLP_CERTIFICATE must name a readable PEM file",
		"OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE=/nowhere/hunter2":     "OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE must name a readable PEM file",
		"OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE=/nowhere/hunter2":     "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE and OTEL_EXPORTER_OTLP_CLIENT_KEY must name readable PEM files",
		"OTEL_EXPORTER_OTLP_TIMEOUT=hunter2":                         "OTEL_EXPORTER_OTLP_TIMEOUT must be a whole number of milliseconds",
		"OTEL_EXPORTER_OTLP_TRACES_TIMEOUT=-1":                       "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT must be a whole number of milliseconds",
		"OTEL_TRACES_SAMPLER=sometimes":                              "the OTEL_… variables cannot be used: unsupported sampler",
		"OTEL_RESOURCE_ATTRIBUTES=hunter2":                           "OTEL_RESOURCE_ATTRIBUTES must be a list",
	} {
		t.Run(variable, func(t *testing.T) {
			set(t, []string{"OTEL_EXPORTER_OTLP_ENDPOINT=https://127.0.0.1:1", "OTEL_EXPORTER_OTLP_CLIENT_KEY=" + empty, variable})
			_, err := Open(Config{Log: slog.New(slog.DiscardHandler)})
			if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
}

func TestExportErrorsAreLoggedOnceAMinuteAndShortened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		trouble := &trouble{log: slog.New(slog.NewTextHandler(&log, nil))}
		if first := trouble.begin(); first != "" {
			t.Errorf("before anything happened: %s", first)
		}
		for range 100 {
			trouble.Handle(fmt.Errorf("no %s", strings.Repeat("é", 1000)))
		}
		trouble.Error(nil, "in words", "password", "hunter2")
		time.Sleep(troubleEvery)
		trouble.Info(1, "in words", "password", "hunter2")
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		if len(lines) != 2 || len(lines[0]) > troubleText+200 || !strings.HasSuffix(lines[1], `error="in words" omitted=100`) || strings.Contains(log.String(), "hunter2") {
			t.Errorf("%d lines:\n%s", len(lines), log.String())
		}
	})
}

func TestWithoutACollectorTracingAllocatesNoMemory(t *testing.T) {
	var nobody *Tracer
	ctx, _ := nobody.Begin(context.Background(), Arrival{Parent: []string{parent}})
	start := time.Now()
	if n := testing.AllocsPerRun(100, func() {
		ctx, use := Operation(ctx, "verify")
		Did(ctx, View, start, time.Millisecond)
		use.End("ok")
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkRequest measures the cost of tracing a request that reads the store
// once: without a collector, with a collector but not recorded, and recorded.
// The last includes the sending, in another goroutine.
func BenchmarkRequest(b *testing.B) {
	sink := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer sink.Close()
	b.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", sink.URL)
	tracer, err := Open(Config{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	defer tracer.Close(context.Background())
	var off *Tracer
	for _, kind := range []struct {
		name   string
		tracer *Tracer
		parent []string
	}{{"off", off, nil}, {"off, with a parent", off, []string{parent}},
		{"not recorded", tracer, []string{parent[:53] + "00"}}, {"recorded", tracer, []string{parent}}} {
		b.Run(kind.name, func(b *testing.B) {
			b.ReportAllocs()
			attrs := make([]slog.Attr, 0, 12)
			for b.Loop() {
				at := time.Now()
				ctx, r := kind.tracer.Begin(context.Background(), Arrival{At: at, Method: "POST", Route: "/graphql", Parent: kind.parent})
				inner, use := Operation(ctx, "generateClientEncryptionKey")
				Did(inner, View, at, 8*time.Microsecond)
				use.End("ok")
				r.End(200, 50*time.Microsecond)
				attrs = r.Attrs(attrs[:0])
			}
		})
	}
}
