package server

import (
	"context"
	"errors"
	"hash/maphash"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"strongroom/internal/apierr"
	"strongroom/internal/auth"
	"strongroom/internal/domain"
	"strongroom/internal/lograte"
	"strongroom/internal/stack"
	"strongroom/internal/trace"
)

// route is the handler of one exact path.
type route struct {
	methods []string // allowed methods; nil: the handler answers every method
	handler http.Handler
	probe   bool        // for monitors: it has its own connections and slots, so that a busy service does not look down
	instant bool        // never waits, so it needs no slot
	quiet   bool        // called every few seconds: successes are logged at level debug
	role    domain.Role // required on the operator side; zero: any
	open    bool        // the handler itself authenticates
	anyone  bool        // serves clients that are not authenticated, so lines about its successes are limited
	browser bool        // only for browsers that open a page
	page    *route      // serves browsers that open a page; nil: the same route
}

// getOnly are the methods of something that is only read. net/http omits the body of
// answers to HEAD.
var getOnly = []string{http.MethodGet, http.MethodHead}

// middleware wraps all handlers of one listener. It authenticates operators,
// limits load, gives each request its id, headers and log line, and recovers
// from panics.
type middleware struct {
	routes    map[string]route
	admin     http.Handler    // serves adminRoot and all paths below it; nil: not served
	console   http.Handler    // serves all other paths to browsers; nil: not served
	operators *auth.Operators // authenticates every request; nil: the handlers do
	cfg       *Config

	closing      *atomic.Bool // nil: never
	origins      origins
	certificates *certificates // nil: no client certificates are requested

	working  chan struct{} // holds one element for each request that is processed
	probing  chan struct{} // likewise for probes
	answered func(route string, status int)
	refused  func(context.Context, domain.Code)
	shed     lograte.Kinds // limits lines of requests that were not served, by outcome
	unable   lograte.Limit // limits lines about operators that could not be authenticated
}

func (m *middleware) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	start := time.Now()
	id := domain.NewRequestID(start) // never an id from the client, which could forge log lines
	name, to, known := m.find(r)
	ctx, account := m.cfg.Traces.Begin(r.Context(), trace.Arrival{At: start, RequestID: id,
		Method: knownMethod(r.Method), Route: name, Parent: r.Header["Traceparent"], Quiet: to.quiet})
	r = r.WithContext(domain.WithCaller(ctx, domain.Caller{RequestID: id, Address: proxies(m.cfg.TrustedProxies).client(r)}))
	w := &responseWriter{ResponseWriter: rw}
	setHeaders(w.Header(), id)
	if r.TLS != nil {
		w.Header()["Strict-Transport-Security"] = hsts
	}

	defer func() {
		took := time.Since(start)
		account.End(w.status, took)
		m.log(r, w, account, name, to, took)
	}()
	body := connectionOf(ctx).receive(r)
	if body != nil {
		r.Body, w.of = body, body
		defer body.end()
	} else { // until it is refused, it takes memory that is not counted
		_ = http.NewResponseController(rw).SetWriteDeadline(start.Add(refusalTimeout))
	}
	defer m.recover(w, r) // before body.end: it may answer
	m.admit(w, r, to, known)
	body.finish(rw, r)
}

// admit serves a request, or refuses it if there are too many.
func (m *middleware) admit(w *responseWriter, r *http.Request, to route, known bool) {
	if m.origins.set(w.Header(), r) {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	by := connectionOf(r.Context())
	slots, spare := m.working, by != nil && by.reserved
	if spare || m.closing != nil && m.closing.Load() {
		w.Header().Set("Connection", "close")
	}
	switch {
	case to.instant:
		m.dispatch(w, r, to, known)
		return
	case to.probe:
		slots = m.probing
	case spare, w.of == nil:
		m.refuseLoad(w, r)
		return
	}
	select {
	case slots <- struct{}{}:
		defer func() { <-slots }()
		m.dispatch(w, r, to, known)
	default:
		m.refuseLoad(w, r)
	}
}

// find returns the route of a path and its name in the log.
func (m *middleware) find(r *http.Request) (name string, to route, known bool) {
	path := r.URL.Path
	if to, known = m.routes[path]; known && (!to.browser || asksForPage(r)) {
		if to.page != nil && asksForPage(r) {
			to = *to.page
		}
		return routeName(path), to, true
	}
	if m.admin != nil && isAdmin(path) {
		return adminRoot, route{handler: m.admin}, true
	}
	if m.console != nil && r.Header["Authorization"] == nil {
		return "console", route{handler: m.console, open: true, anyone: true, quiet: strings.HasPrefix(path, consoleLive)}, true
	}
	return "other", route{}, false
}

// dispatch calls the handler of the request's path, or refuses the request. It
// authenticates first, so that its answers do not tell which paths exist.
func (m *middleware) dispatch(w *responseWriter, r *http.Request, to route, known bool) {
	if m.certificates.distrusted(r) {
		w.Header().Set("Connection", "close")
		m.refuse(w, r, &domain.Error{Code: domain.CodeUnauthenticated, Reason: domain.ReasonCertificateEnded,
			Message: "The client certificate has expired, or its authority is no longer trusted. Connect again with another certificate."})
		return
	}
	if m.operators != nil && !to.open {
		operator, err := m.operators.Authenticate(r)
		w.operator = operator.Name
		if err == nil {
			err = operator.Require(to.role)
		}
		if err != nil {
			m.refuseOperator(w, r, err)
			return
		}
		r = r.WithContext(domain.WithOperator(r.Context(), operator))
	}
	m.serve(w, r, to, known)
}

func (m *middleware) serve(w *responseWriter, r *http.Request, to route, known bool) {
	switch {
	case !known:
		there := "GraphQL is at POST /graphql, the REST call at POST /api/encryption/keys."
		if m.operators != nil {
			there = "The admin API is below /admin/v1, the console at /."
		}
		m.refuse(w, r, &domain.Error{Code: domain.CodeNotFound, Message: "This path does not exist. " + there})
	case to.methods != nil && !slices.Contains(to.methods, r.Method):
		w.Header().Set("Allow", strings.Join(to.methods, ", "))
		m.refuse(w, r, &domain.Error{Code: domain.CodeMethodNotAllowed,
			Message: "This path accepts " + strings.Join(to.methods, " and ") + " only."})
	default:
		to.handler.ServeHTTP(w, r)
	}
}

func (m *middleware) refuseLoad(w *responseWriter, r *http.Request) {
	m.refuse(w, r, domain.Overloaded())
}

// refuse counts and answers a request that no handler sees.
func (m *middleware) refuse(w *responseWriter, r *http.Request, refusal *domain.Error) {
	m.refused(r.Context(), refusal.Code)
	m.answerError(w, r, refusal)
}

// answerError answers in the format of the path.
func (m *middleware) answerError(w *responseWriter, r *http.Request, e *domain.Error) {
	if m.operators != nil && isAdmin(r.URL.Path) {
		answerProblem(w, r, e)
		return
	}
	answerError(w, r, e)
}

// setHeaders sets the headers of every answer. Answers contain keys and verdicts, so
// nothing may cache them, guess their type or embed them in another page.
func setHeaders(h http.Header, id string) {
	h["X-Request-Id"] = []string{id}
	for name, values := range everyAnswer {
		h[name] = values
	}
}

// everyAnswer are the headers that are the same in every answer. All answers share the
// values; net/http only reads them.
var everyAnswer = http.Header{
	"Cache-Control":                {"no-store"},
	"X-Content-Type-Options":       {"nosniff"},
	"Content-Security-Policy":      {"default-src 'none'; frame-ancestors 'none'"},
	"Cross-Origin-Resource-Policy": {"same-origin"},
	"Referrer-Policy":              {"no-referrer"},
}

// slowRequest is the duration from which a request is always logged.
const slowRequest = time.Second

// log writes the line of a request. Under a flood of refused requests, logging
// would cost more than anything else. So lines of requests that were not served
// are limited for each outcome, and those of requests that anyone may send for each
// route. With LogSample, only some of the others are written.
func (m *middleware) log(r *http.Request, w *responseWriter, account *trace.Request, name string, to route, took time.Duration) {
	m.answered(name, w.status)
	given := account.Attrs(append(make([]slog.Attr, 0, 12),
		slog.String("method", knownMethod(r.Method)), slog.String("route", name),
		slog.Int("status", w.status), slog.Int64("bytes", w.bytes),
		slog.Float64("duration_ms", float64(took.Microseconds())/1000)))
	if w.operator != "" {
		given = append(given, slog.String("operator", w.operator))
	}
	level, kind := slog.LevelInfo, account.Outcome()
	switch {
	case to.anyone && w.operator == "" && kind == "ok":
		kind = name
	case r.Method == http.MethodOptions && kind == "ok":
		kind = "preflight"
	}
	switch {
	case to.quiet && w.status == http.StatusOK:
		level = slog.LevelDebug
	case kind == "ok" && m.operators == nil && m.cfg.LogSample > 1 && took < slowRequest:
		if !m.sampled(r) {
			return
		}
		given = append(given, slog.Int("sample", m.cfg.LogSample))
	case kind != "ok":
		write, omitted := m.shed.Next(kind, time.Now())
		if !write {
			return
		}
		if omitted > 0 {
			given = append(given, slog.Int("omitted", omitted))
		}
	}
	m.cfg.Logger.LogAttrs(r.Context(), level, requestLine, given...)
}

// sampleSeed makes each process choose different requests.
var sampleSeed = maphash.MakeSeed()

// sampled chooses one in LogSample requests by their random ids. A counter could always
// choose the same request of a client's sequence.
func (m *middleware) sampled(r *http.Request) bool {
	return maphash.String(sampleSeed, domain.CallerFrom(r.Context()).RequestID)%uint64(m.cfg.LogSample) == 0 //nolint:gosec // more than 1
}

// knownMethod replaces unknown methods, which can contain anything, for the log.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return method
	}
	return "other"
}

// recover turns a panic into an INTERNAL answer. The panic's value can have a
// secret in it, so the log gets only its type, and the stack without arguments.
func (m *middleware) recover(w *responseWriter, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if v == http.ErrAbortHandler { //nolint:errorlint // the very value is the signal
		panic(v)
	}
	kind, where := stack.Of(v)
	m.cfg.Logger.LogAttrs(r.Context(), slog.LevelError, "a request handler panicked", slog.String("panic_type", kind), slog.String("stack", where))
	if w.status != 0 {
		panic(http.ErrAbortHandler) // part of another answer is sent already: cut it off
	}
	m.answerError(w, r, &domain.Error{Code: domain.CodeInternal,
		Message: "The service failed. Its log has the cause under the id in the X-Request-Id header."})
}

// adminRoot is the path of the admin API, on the operator side only.
const adminRoot = "/admin/v1"

// consoleLive is the path below which the console's pages request updates every few
// seconds.
const consoleLive = "/live/"

// isAdmin reports whether a path belongs to the admin API.
func isAdmin(path string) bool {
	return path == adminRoot || strings.HasPrefix(path, adminRoot+"/")
}

// refuseOperator answers a request whose sender is not authenticated or lacks the role.
func (m *middleware) refuseOperator(w *responseWriter, r *http.Request, err error) {
	refusal, ok := errors.AsType[*domain.Error](err)
	if !ok {
		// Any client can cause this, as often as it likes.
		if write, omitted := m.unable.Next(time.Now()); write {
			m.cfg.Logger.ErrorContext(r.Context(), "operators cannot be authenticated", "error", err.Error(), "omitted", omitted)
		}
		w.Header().Set("Connection", "close") // as below
		m.answerError(w, r, &domain.Error{Code: domain.CodeInternal, Reason: domain.ReasonCallersUnverified,
			Message: "Tokens of the identity provider cannot be verified now. Try again shortly, or use a token of DATA-DIR/admin.token."})
		return
	}
	if refusal.Code != domain.CodeForbidden {
		// The operator side has few connections. Clients that are not
		// authenticated must not keep any.
		w.Header().Set("Connection", "close")
	}
	apierr.Challenge(w.Header(), refusal, nil, false)
	m.refuse(w, r, refusal)
}
