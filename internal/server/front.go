package server

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"strongroom/internal/auth"
	"strongroom/internal/domain"
	"strongroom/internal/lograte"
	"strongroom/internal/stack"
	"strongroom/internal/trace"
)

// route is what stands at one exact path.
type route struct {
	methods []string // allowed ones; nil: the handler answers every method
	handler http.Handler
	probe   bool        // a monitor calls it: it has its own connections and slots, so that a full service does not look dead
	quiet   bool        // it is called every few seconds: its successes are logged at debug
	role    domain.Role // that the operator side asks for; zero: any
	open    bool        // the handler authenticates by itself
	browser bool        // there for a browser that asks for a page, and for nobody else
}

// getOnly are the methods of something to be read. net/http leaves the body
// out of an answer to HEAD by itself.
var getOnly = []string{http.MethodGet, http.MethodHead}

// front stands before all handlers of one listener. It gives each request its
// id, its headers and its log line, and outlives a panic.
type front struct {
	routes    map[string]route
	admin     http.Handler    // at and below adminRoot; nil: nothing is
	console   http.Handler    // what browsers get at every other path; nil: nothing
	operators *auth.Operators // one of whom must send every request; nil: anybody may
	cfg       *Config

	closing      *atomic.Bool // nil: never
	origins      origins
	certificates *certificates // nil: no client certificates are asked for

	working  chan struct{} // holds one element for each request at work
	probing  chan struct{} // likewise for probes
	answered func(route string, status int)
	refused  func(context.Context, domain.Code)
	shed     lograte.Kinds // lines of requests that were not served, by their outcome
	unable   lograte.Limit // lines of requests whose operators could not be authenticated
}

func (f *front) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	start := time.Now()
	id := domain.NewRequestID(start) // always our own: one from the client could forge lines of the log
	name, to, known := f.find(r)
	ctx, account := f.cfg.Traces.Begin(r.Context(), trace.Arrival{At: start, RequestID: id,
		Method: knownMethod(r.Method), Route: name, Parent: r.Header["Traceparent"], Quiet: to.quiet})
	r = r.WithContext(domain.WithCaller(ctx, domain.Caller{RequestID: id, Address: proxies(f.cfg.TrustedProxies).client(r)}))
	w := &recorder{ResponseWriter: rw}
	setHeaders(w.Header(), id)
	if r.TLS != nil {
		w.Header()["Strict-Transport-Security"] = hsts
	}

	defer func() {
		took := time.Since(start)
		account.End(w.status, took)
		f.log(r, w, account, name, to.quiet, took)
	}()
	defer f.recover(w, r)
	by := connectionOf(ctx)
	body := by.receive(r)
	if body != nil {
		r.Body = body
		defer func() { by.end(body.whole) }()
	}
	if f.origins.set(w.Header(), r) {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	slots, spare := f.working, by != nil && by.reserved
	if spare || f.closing != nil && f.closing.Load() {
		w.Header().Set("Connection", "close")
	}
	switch {
	case to.probe:
		slots = f.probing
	case spare, body == nil:
		f.refuseLoad(w, r)
		return
	}
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
		f.dispatch(w, r, to, known)
	default:
		f.refuseLoad(w, r)
	}
}

// find is the route of a path and the name by which it is logged.
func (f *front) find(r *http.Request) (name string, to route, known bool) {
	path := r.URL.Path
	if to, known = f.routes[path]; known && (!to.browser || asksForPage(r)) {
		return routeName(path), to, true
	}
	if f.admin != nil && isAdmin(path) {
		return adminRoot, route{handler: f.admin}, true
	}
	if f.console != nil && r.Header["Authorization"] == nil {
		return "console", route{handler: f.console, open: true, quiet: strings.HasPrefix(path, consoleLive)}, true
	}
	return "other", route{}, false
}

// dispatch hands the request to the handler of its path, or refuses it. Who
// sends it is settled before anything that tells which paths there are.
func (f *front) dispatch(w *recorder, r *http.Request, to route, known bool) {
	if f.certificates.distrusted(r) {
		w.Header().Set("Connection", "close")
		f.refuse(w, r, http.StatusUnauthorized, &domain.Error{Code: domain.CodeUnauthenticated, Reason: domain.ReasonCertificateEnded,
			Message: "The authority of the client certificate is not trusted any more. Connect again with another one."})
		return
	}
	if f.operators != nil && !to.open {
		operator, err := f.operators.Authenticate(r)
		w.operator = operator.Name
		if err == nil {
			err = operator.Require(to.role)
		}
		if err != nil {
			f.refuseOperator(w, r, err)
			return
		}
		r = r.WithContext(domain.WithOperator(r.Context(), operator))
	}
	f.serve(w, r, to, known)
}

func (f *front) serve(w *recorder, r *http.Request, to route, known bool) {
	switch {
	case !known:
		f.refuse(w, r, http.StatusNotFound, &domain.Error{Code: domain.CodeNotFound,
			Message: "There is nothing at this path. GraphQL is at POST /graphql, the REST call at POST /api/encryption/keys."})
	case to.methods != nil && !slices.Contains(to.methods, r.Method):
		w.Header().Set("Allow", strings.Join(to.methods, ", "))
		f.refuse(w, r, http.StatusMethodNotAllowed, &domain.Error{Code: domain.CodeMethodNotAllowed,
			Message: "This path takes " + strings.Join(to.methods, " and ") + " only."})
	default:
		to.handler.ServeHTTP(w, r)
	}
}

func (f *front) refuseLoad(w *recorder, r *http.Request) {
	f.refuse(w, r, http.StatusServiceUnavailable, domain.Overloaded())
}

// refuse counts and answers what is turned away here.
func (f *front) refuse(w *recorder, r *http.Request, status int, refusal *domain.Error) {
	f.refused(r.Context(), refusal.Code)
	if seconds := refusal.RetryAfterSeconds(); seconds > 0 {
		w.Header().Set("Retry-After", strconv.FormatInt(seconds, 10))
	}
	f.answerError(w, r, status, refusal)
}

// answerError answers in the shape that the path has on this side.
func (f *front) answerError(w *recorder, r *http.Request, status int, e *domain.Error) {
	if f.operators != nil && isAdmin(r.URL.Path) {
		answerProblem(w, r, status, e)
		return
	}
	answerError(w, r, status, e)
}

// setHeaders sets what every answer carries. Answers hold keys and verdicts:
// nothing may store them, guess their type or show them inside another page.
func setHeaders(h http.Header, id string) {
	h["X-Request-Id"] = []string{id}
	for name, values := range everyAnswer {
		h[name] = values
	}
}

// everyAnswer are the headers that are the same in every answer. The values
// are shared by all of them; net/http only reads them.
var everyAnswer = http.Header{
	"Cache-Control":                {"no-store"},
	"X-Content-Type-Options":       {"nosniff"},
	"Content-Security-Policy":      {"default-src 'none'; frame-ancestors 'none'"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Referrer-Policy":              {"no-referrer"},
}

// requestLine is the message of the line that each request has.
const requestLine = "request"

// log writes the line of a request. Under a flood that is turned away its lines
// would be what the service spends most on, so of requests that were not served
// only some have one, for each outcome.
func (f *front) log(r *http.Request, w *recorder, account *trace.Request, route string, quiet bool, took time.Duration) {
	f.answered(route, w.status)
	given := account.Attrs(append(make([]slog.Attr, 0, 12),
		slog.String("method", knownMethod(r.Method)), slog.String("route", route),
		slog.Int("status", w.status), slog.Int64("bytes", w.bytes),
		slog.Float64("duration_ms", float64(took.Microseconds())/1000)))
	if w.operator != "" {
		given = append(given, slog.String("operator", w.operator))
	}
	level, kind := slog.LevelInfo, account.Outcome()
	switch {
	case route == "console" && kind == "ok":
		kind = "console" // which strangers may open
	case r.Method == http.MethodOptions && kind == "ok":
		kind = "preflight"
	}
	switch {
	case quiet && w.status == http.StatusOK:
		level = slog.LevelDebug
	case kind != "ok":
		write, omitted := f.shed.Next(kind, time.Now())
		if !write {
			return
		}
		if omitted > 0 {
			given = append(given, slog.Int("omitted", omitted))
		}
	}
	f.cfg.Logger.LogAttrs(r.Context(), level, requestLine, given...)
}

// knownMethod keeps a made-up method, which may hold anything, out of the log.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return method
	}
	return "other"
}

// recover turns a panic into an INTERNAL answer. The panic's value may hold
// anything, a secret among it, so only its type is logged, and the stack
// without its arguments.
func (f *front) recover(w *recorder, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if v == http.ErrAbortHandler { //nolint:errorlint // the very value is the signal
		panic(v)
	}
	f.cfg.Logger.LogAttrs(r.Context(), slog.LevelError, "a request handler panicked",
		slog.String("panic_type", fmt.Sprintf("%T", v)), slog.String("stack", stack.Here()))
	if w.status != 0 {
		panic(http.ErrAbortHandler) // part of another answer is out: cut it off rather than complete it
	}
	f.answerError(w, r, http.StatusInternalServerError, &domain.Error{Code: domain.CodeInternal,
		Message: "Something went wrong inside. The X-Request-Id header names this request in the service's log."})
}

// recorder notes what was answered, for the log.
type recorder struct {
	http.ResponseWriter
	status int // 0: nothing answered yet
	bytes  int64

	operator string // who sent the request, on the operator side
}

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 && status >= 200 { // a 1xx is no answer yet
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// ActsAs notes for the log who sends the request, where a handler finds out.
func (w *recorder) ActsAs(operator string) { w.operator = operator }

// Unwrap lets http.ResponseController reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
