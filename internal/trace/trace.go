// Package trace tells where the time of a request went: to the line of the
// request in the log, always, and to an OpenTelemetry collector where one is
// configured.
//
// The idea: each stretch of work is told once, where it ends (see [Did]), with
// the clock readings that the meters need anyway. The log gets sums, the
// collector gets spans. Without a collector no span is made.
//
// The threat is twofold. Spans leave the machine and are read by more people
// than the vault has operators: so there is nothing in them but words from
// closed sets, times, and the request id, which leads those who may look to the
// log and the trail. No secret, no identifier of a device, key or account, no
// path, query or text of an error can get in, because no function here takes
// one; whether a verify matched is not told either. And what takes spans may
// be slow or gone: they wait in a queue with a bound, and past it are dropped.
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

// The kinds. None of them happens within another.
const (
	SlotWait    Work = iota // waiting for a worker
	TryWait                 // waiting for tries of the same credential that are under way
	Decrypt                 // one RSA decryption, with opening the private key for it
	Encrypt                 // one RSA encryption, of the helper
	GenerateKey             // making one RSA key pair
	Hash                    // one Argon2id hash
	PBKDF2                  // one PBKDF2 hash
	View                    // a transaction that reads, from the call to its end
	Update                  // one that writes: waiting for its turn and for its commit are in it
)

// works are the names of their spans, and the sums that they are part of.
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

// Request is the account of one HTTP request. It travels in the request's
// context, and is safe for concurrent use.
type Request struct {
	tracer *Tracer
	at     time.Time     // when it came
	parent trace.TraceID // that the caller named; zero: none
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

// Arrival is what is known of a request when it comes.
type Arrival struct {
	At            time.Time
	RequestID     string
	Method, Route string   // each from a closed set
	Parent        []string // the values of the header Traceparent
	Quiet         bool     // never recorded: a probe
}

// Begin begins the account of a request, and its span if it is to be recorded.
// Where the caller named a trace, the span is part of it, and the caller's flag
// decides whether it is recorded unless the sampler says otherwise. A nil
// Tracer records nothing.
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

// End ends the account with the status of the answer, 0 for none, given so
// long after the request came.
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

// Outcome is "ok" or why the request was not served, from a closed set, once it
// has ended.
func (r *Request) Outcome() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.outcome
}

// Attrs appends what the line of the request says of it: its operation, if one
// was reached, its outcome, and what took its time, in milliseconds.
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

// Did tells of work that was done for the request in ctx, if there is one.
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

// record makes a span of what is over.
func (t *Tracer) record(ctx context.Context, name string, start time.Time, took time.Duration, about ...attribute.KeyValue) {
	_, span := t.tracer.Start(ctx, name, trace.WithTimestamp(start), trace.WithAttributes(about...))
	span.End(trace.WithTimestamp(start.Add(took)))
}

// Since is [Did] for work that ends now.
func Since(ctx context.Context, w Work, start time.Time) { Did(ctx, w, start, time.Since(start)) }

// Use is a use case while it runs.
type Use struct {
	request *Request
	span    trace.Span
}

// Operation notes that the request in ctx has reached a use case. What is done
// with the context that it returns is part of the use case's span. Until here
// the request was received: read, authenticated and decoded.
func Operation(ctx context.Context, name string) (context.Context, Use) {
	r := from(ctx)
	if r == nil {
		return ctx, Use{}
	}
	r.mu.Lock()
	first := r.operation == "" // a query may reach one several times
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

// End ends the use case. The outcome is "ok" or why not, from a closed set, and
// never a verdict.
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

// Outcome notes with what code the request in ctx was refused.
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

// IDs are the ids that join a log line to a trace, as W3C Trace Context writes
// them: of the span in ctx where it is recorded, else of the trace that the
// caller named. Each is empty where there is none.
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
