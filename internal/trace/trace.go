// Package trace records where the time of each request went. It adds sums to
// the request's line in the log, and sends spans to an OpenTelemetry collector
// if one is configured.
//
// Each piece of work is reported once, when it ends (see [Did]), with the times
// that the metrics measure anyway. Without a collector, no span is created.
//
// Spans leave the machine, and more people can read them than may read the
// vault. So they contain only names from closed sets, times, and the request
// id, which leads to the log and the audit trail. No function here takes a
// secret, an identifier of a device, key or account, a path, a query or an
// error text. Spans do not tell whether a verify matched. If the collector is
// slow or down, spans wait in a bounded queue, and further ones are dropped.
package trace

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"strongroom/internal/domain"
)

// Work is a kind of work that takes a request's time.
type Work uint8

// The kinds of work. None of them contains another.
const (
	SlotWait    Work = iota // waiting for a worker
	TryWait                 // waiting for attempts on the same credential that are in progress
	Decrypt                 // one RSA decryption, including unsealing the private key
	Encrypt                 // one RSA encryption, for the helper operation
	GenerateKey             // making one RSA key pair
	Hash                    // one Argon2id hash
	PBKDF2                  // one PBKDF2 hash
	View                    // a read transaction, from the call to its end
	Update                  // a write transaction, including the wait for its turn and its commit
)

// works has the name of each kind's span, and the sum that it counts towards.
var works = [...]struct {
	span string
	sum  int
}{
	SlotWait:    {"lane wait", sumWait},
	TryWait:     {"try wait", sumWait},
	Decrypt:     {"rsa decrypt", sumRSA},
	Encrypt:     {"rsa encrypt", sumRSA},
	GenerateKey: {"rsa generate", sumRSA},
	Hash:        {"argon2id", sumArgon2id},
	PBKDF2:      {"pbkdf2", sumPBKDF2},
	View:        {"store view", sumStore},
	Update:      {"store update", sumStore},
}

const (
	sumWait = iota
	sumRSA
	sumArgon2id
	sumPBKDF2
	sumStore
)

var sums = [...]string{sumWait: "wait_ms", sumRSA: "rsa_ms", sumArgon2id: "argon2id_ms", sumPBKDF2: "pbkdf2_ms", sumStore: "store_ms"}

// Request collects the time and the outcome of one HTTP request. It is in the
// request's context. It is safe for concurrent use.
type Request struct {
	tracer *Tracer
	at     time.Time     // when the request arrived
	parent trace.TraceID // sent by the caller; zero: none
	span   trace.Span    // nil: not recorded

	mu                 sync.Mutex
	spent              [len(sums)]time.Duration
	operation, outcome string
}

type requestKey struct{}

func from(ctx context.Context) *Request {
	r, _ := ctx.Value(requestKey{}).(*Request)
	return r
}

// Arrival is what is known of a request when it arrives.
type Arrival struct {
	At            time.Time
	RequestID     string
	Method, Route string   // each from a closed set
	Parent        []string // the values of the header Traceparent
	Quiet         bool     // never recorded, because it is sent every few seconds, such as a probe
}

// Begin begins a Request, and a span if the request is to be recorded. If the
// caller sent a trace id, the span belongs to that trace, and the caller's
// sampled flag decides whether it is recorded, unless OTEL_TRACES_SAMPLER says
// otherwise. A nil Tracer records nothing.
func (t *Tracer) Begin(ctx context.Context, a Arrival) (context.Context, *Request) {
	r := &Request{tracer: t, at: a.At}
	var parent trace.SpanContext
	if t == nil || t.takesOver {
		parent = parseParent(a.Parent)
		r.parent = parent.TraceID()
	}
	ctx = context.WithValue(ctx, requestKey{}, r)
	if t == nil || t.tracer == nil || a.Quiet {
		return ctx, r
	}
	recorded, span := t.tracer.Start(trace.ContextWithRemoteSpanContext(ctx, parent), a.Method+" "+a.Route,
		trace.WithSpanKind(trace.SpanKindServer), trace.WithTimestamp(a.At),
		trace.WithAttributes(attribute.String("http.request.method", a.Method), attribute.String("http.route", a.Route),
			attribute.String("strongroom.request_id", a.RequestID)))
	if !span.IsRecording() {
		return ctx, r
	}
	r.span = span
	return recorded, r
}

// OutcomeOf is the outcome of a use case that returned err: "ok", or why it
// failed.
func OutcomeOf(err error) string {
	if errors.Is(err, context.Canceled) {
		return "canceled"
	}
	return cmp.Or(string(domain.CodeOf(err)), "ok")
}

// End ends the Request. status is the status of the answer, or 0 if there is
// none. took is the time since the request arrived.
func (r *Request) End(status int, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.outcome == "" {
		switch {
		case status >= 500 || status == 0:
			r.outcome = "failed"
		case status >= 400:
			r.outcome = "refused"
		default:
			r.outcome = "ok"
		}
	}
	if r.span == nil {
		return
	}
	r.span.SetAttributes(attribute.Int("http.response.status_code", status), outcome(r.outcome))
	if r.operation != "" {
		r.span.SetAttributes(attribute.String("strongroom.operation", r.operation))
	}
	if status >= 500 || status == 0 {
		r.span.SetStatus(codes.Error, r.outcome)
	}
	r.span.End(trace.WithTimestamp(r.at.Add(took)))
}

// Outcome returns "ok" or why the request failed, from a closed set. Call it
// after End.
func (r *Request) Outcome() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.outcome
}

// Attrs appends attributes for the request's line in the log: its operation, if
// it reached one, its outcome, and the time that each kind of work took, in
// milliseconds.
func (r *Request) Attrs(attrs []slog.Attr) []slog.Attr {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.operation != "" {
		attrs = append(attrs, slog.String("operation", r.operation))
	}
	attrs = append(attrs, slog.String("outcome", r.outcome))
	for sum, spent := range r.spent {
		if spent > 0 {
			attrs = append(attrs, slog.Float64(sums[sum], float64(spent.Microseconds())/1000))
		}
	}
	return attrs
}

// Did reports work that was done for the request in ctx, if there is one.
func Did(ctx context.Context, w Work, start time.Time, took time.Duration) {
	r := from(ctx)
	if r == nil {
		return
	}
	r.mu.Lock()
	r.spent[works[w].sum] += took
	r.mu.Unlock()
	if r.span == nil {
		return
	}
	var about []attribute.KeyValue
	if w == View || w == Update {
		about = append(about, r.tracer.database)
	}
	r.tracer.record(ctx, works[w].span, start, took, about...)
}

// record creates a span of work that has ended.
func (t *Tracer) record(ctx context.Context, name string, start time.Time, took time.Duration, about ...attribute.KeyValue) {
	_, span := t.tracer.Start(ctx, name, trace.WithTimestamp(start), trace.WithAttributes(about...))
	span.End(trace.WithTimestamp(start.Add(took)))
}

// Since is [Did] for work that ends now.
func Since(ctx context.Context, w Work, start time.Time) { Did(ctx, w, start, time.Since(start)) }

// Use is a running use case.
type Use struct {
	request *Request
	span    trace.Span
}

// Operation records that the request in ctx has reached a use case. Work with
// the returned context belongs to the use case's span. The time before is in
// the span "receive": reading, authenticating and decoding the request.
func Operation(ctx context.Context, name string) (context.Context, Use) {
	r := from(ctx)
	if r == nil {
		return ctx, Use{}
	}
	r.mu.Lock()
	first := r.operation == "" // one query may run several
	r.operation = name
	r.mu.Unlock()
	if r.span == nil {
		return ctx, Use{request: r}
	}
	now := time.Now()
	if first {
		r.tracer.record(ctx, "receive", r.at, now.Sub(r.at))
	}
	ctx, span := r.tracer.tracer.Start(ctx, name, trace.WithTimestamp(now))
	return ctx, Use{r, span}
}

// End ends the use case. Its outcome is "ok" or a code from a closed set, never
// whether a secret matched.
func (u Use) End(told string) {
	if u.request == nil {
		return
	}
	u.request.conclude(told)
	if u.span == nil {
		return
	}
	u.span.SetAttributes(outcome(told))
	if told == string(domain.CodeInternal) || told == string(domain.CodeOverloaded) {
		u.span.SetStatus(codes.Error, told)
	}
	u.span.End()
}

// Outcome records the code with which the request in ctx was refused.
func Outcome(ctx context.Context, code domain.Code) {
	if r := from(ctx); r != nil {
		r.conclude(string(code))
	}
}

func (r *Request) conclude(outcome string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outcome = outcome
}

func outcome(word string) attribute.KeyValue { return attribute.String("strongroom.outcome", word) }

// IDs returns the ids that link a log line to a trace, in the format of W3C
// Trace Context: those of the recorded span in ctx, or else the trace id that
// the caller sent. Both are empty if there is neither.
func IDs(ctx context.Context) (traceID, spanID string) {
	r := from(ctx)
	switch {
	case r == nil:
		return "", ""
	case r.span != nil:
		at := trace.SpanContextFromContext(ctx)
		return at.TraceID().String(), at.SpanID().String()
	case r.parent.IsValid():
		return r.parent.String(), ""
	}
	return "", ""
}
