package trace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Tracer records the spans of requests and sends them. It is safe for
// concurrent use. Nil records nothing.
type Tracer struct {
	takesOver bool         // use the trace ids that callers send
	tracer    trace.Tracer // nil: nothing is recorded
	provider  *sdk.TracerProvider
	database  attribute.KeyValue
	endpoint  string
	trouble   *trouble
}

// Config describes the process to a Tracer. The environment configures the rest.
type Config struct {
	Version  string       // of the service
	Database string       // the kind of database, in OpenTelemetry's terms: sqlite or postgresql
	Log      *slog.Logger // gets a warning when spans cannot be sent, at most once a minute
}

// Open returns a Tracer that is configured by the environment variables OTEL_… of the
// OpenTelemetry specification. It records spans only if they name a collector. Its
// errors name the variable and never quote its value.
func Open(cfg Config) (*Tracer, error) {
	t := &Tracer{takesOver: takesOver(), trouble: &trouble{log: cfg.Log},
		database: attribute.String("db.system.name", cfg.Database)}
	endpoint, err := collector()
	if err != nil || endpoint == nil {
		return t, err
	}
	t.endpoint = endpoint.Scheme + "://" + endpoint.Host
	to := url.URL{Scheme: endpoint.Scheme, Host: endpoint.Host, Path: endpoint.Path} // as the exporter writes it
	t.trouble.url, t.trouble.shown = to.String(), t.endpoint
	otel.SetErrorHandler(t.trouble)
	otel.SetLogger(logr.New(t.trouble))
	ctx := context.Background()
	about, err := resource.New(ctx, resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "strongroom"), attribute.String("service.version", cfg.Version)),
		resource.WithFromEnv())
	if err != nil {
		return nil, errors.New("OTEL_RESOURCE_ATTRIBUTES must be a list of key=value, separated by commas, with anything else in percent encoding")
	}
	client, err := newClient(func() { t.trouble.complain("the collector rejected spans") })
	if err != nil {
		return nil, err
	}
	// With an explicit URL, its scheme decides whether TLS is used. If the exporter read
	// the URL from the environment, OTEL_EXPORTER_OTLP_INSECURE would override the
	// scheme, though that variable is for gRPC.
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(endpoint.String()), otlptracehttp.WithHTTPClient(client))
	if err != nil {
		return nil, fmt.Errorf("the OTEL_EXPORTER_OTLP_… variables cannot be used: %w", err)
	}
	t.provider = sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))
	if wrong := t.trouble.begin(); wrong != "" {
		stopped, cancel := context.WithCancel(ctx)
		cancel()
		_ = t.provider.Shutdown(stopped) // nothing is queued yet
		return nil, fmt.Errorf("the OTEL_… variables cannot be used: %s", wrong)
	}
	t.tracer = t.provider.Tracer("strongroom", trace.WithInstrumentationVersion(cfg.Version))
	return t, nil
}

// Endpoint returns the URL to which spans are sent, without path and credentials. It
// is empty if none are sent.
func (t *Tracer) Endpoint() string { return t.endpoint }

// Close sends the queued spans until ctx is done. Spans that end after it are not
// recorded. Losses are logged, so there is no error to return.
func (t *Tracer) Close(ctx context.Context) {
	if t.provider == nil {
		return
	}
	if err := t.provider.Shutdown(ctx); err != nil {
		t.trouble.Handle(fmt.Errorf("stopping: %w", err))
	}
}

// takesOver reports whether spans join the traces that callers send.
func takesOver() bool {
	known := os.Getenv("OTEL_PROPAGATORS")
	return known == "" || slices.Contains(list(known), "tracecontext")
}

func list(text string) []string {
	parts := strings.Split(text, ",")
	for n, part := range parts {
		parts[n] = strings.TrimSpace(part)
	}
	return parts
}

// collector returns the URL of the collector in the environment, or nil if spans are
// not sent.
func collector() (*url.URL, error) {
	if strings.EqualFold(strings.TrimSpace(os.Getenv("OTEL_SDK_DISABLED")), "true") {
		return nil, nil
	}
	name, endpoint := signalVariable("ENDPOINT")
	switch exporter := strings.TrimSpace(os.Getenv("OTEL_TRACES_EXPORTER")); {
	case exporter == "none", exporter == "" && endpoint == "":
		return nil, nil
	case exporter != "" && exporter != "otlp":
		return nil, errors.New("OTEL_TRACES_EXPORTER must be otlp or none: no other exporter is supported")
	}
	for _, name := range []string{forTraces + "TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"} { // the library's errors do not name them
		if timeout := strings.TrimSpace(os.Getenv(name)); timeout != "" && !isWhole(timeout) {
			return nil, fmt.Errorf("%s must be a whole number of milliseconds, such as 10000", name)
		}
	}
	if name, protocol := signalVariable("PROTOCOL"); protocol != "" && protocol != "http/protobuf" {
		return nil, fmt.Errorf("%s must be http/protobuf: gRPC and JSON are not supported. Collectors accept http/protobuf on port 4318", name)
	}
	u, err := url.Parse(cmp.Or(endpoint, "http://localhost:4318"))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.RawQuery != "" {
		return nil, fmt.Errorf("%s must be a URL like http://localhost:4318, without user and query: a token for the collector goes into OTEL_EXPORTER_OTLP_HEADERS", name)
	}
	if name != forTraces+"ENDPOINT" { // that variable has the whole URL
		u = u.JoinPath("v1/traces")
	}
	return u, nil
}

func isWhole(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= 0
}

const forTraces = "OTEL_EXPORTER_OTLP_TRACES_"

// signalVariable returns a setting of the exporter: from the variable for traces, or
// else from the variable for all signals.
func signalVariable(setting string) (name, value string) {
	name = forTraces + setting
	if value = strings.TrimSpace(os.Getenv(name)); value == "" {
		name = "OTEL_EXPORTER_OTLP_" + setting
		value = strings.TrimSpace(os.Getenv(name))
	}
	return name, value
}

// trouble handles the errors and warnings of the library. Before begin it keeps the
// first one. Afterwards it logs at most one line a minute. A line has no values of the
// library's own log, because they can be a header with a password. It shows only the
// host of the collector's URL, because the path can hold a token. [wordless] keeps text of
// the collector out of it.
type trouble struct {
	log        *slog.Logger
	url, shown string

	mu      sync.Mutex
	begun   bool
	first   string    // before begin
	next    time.Time // when a line may be written again
	omitted int
}

const (
	troubleEvery = time.Minute
	troubleText  = 300 // bytes
)

// begin starts logging and returns the first error before that, if any.
func (t *trouble) begin() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.begun = true
	return t.first
}

// Handle takes an error of the library.
func (t *trouble) Handle(err error) { t.complain(err.Error()) }

func (t *trouble) complain(text string) {
	if t.url != "" {
		text = strings.ReplaceAll(text, t.url, t.shown)
	}
	text = strings.ReplaceAll(text, "body: ", "") // what follows is from wordless
	text = strings.ToValidUTF8(text[:min(len(text), troubleText)], "")
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.begun {
		t.first = cmp.Or(t.first, text)
		return
	}
	now := time.Now()
	if now.Before(t.next) {
		t.omitted++
		return
	}
	t.log.Warn("traces cannot be sent", "error", text, "omitted", t.omitted)
	t.next, t.omitted = now.Add(troubleEvery), 0
}

// These methods implement logr.LogSink, to which the library logs.

var _ logr.LogSink = (*trouble)(nil)

// Init does nothing.
func (*trouble) Init(logr.RuntimeInfo) {}

// Enabled is true for warnings, which OpenTelemetry logs at level 1.
func (*trouble) Enabled(level int) bool { return level <= 1 }

// Info takes a warning.
func (t *trouble) Info(_ int, msg string, _ ...any) { t.complain(msg) }

// Error takes an error.
func (t *trouble) Error(_ error, msg string, _ ...any) { t.complain(msg) }

// WithValues is the same sink: values are not logged.
func (t *trouble) WithValues(...any) logr.LogSink { return t }

// WithName is the same sink.
func (t *trouble) WithName(string) logr.LogSink { return t }
