// Package console is what operators look at in a browser, at every path of the
// operator side that nothing else has: the same use cases as the admin API has,
// as pages.
//
// The idea: pages are made here, whole, by html/template. They can be read
// without script; what script there is makes times local, copies ids, draws
// over the charts and keeps the overview up to date. A handler reads its
// arguments, calls use cases and fills one template.
//
// The threats: values that clients and operators chose, in a page that has an
// operator's rights (templates escape them, what does not print is shown by its
// code, and no page may run a script or style that is not a file of ours); a
// page of another origin that acts with them (cross-origin requests that could
// change something are refused before anything else, the cookie is sent from
// our own pages only, and no page may be framed); a stranger who looks around
// (without a session every path answers alike); a page that reaches this machine
// under a name of its own, by DNS rebinding (a console on loopback goes by the
// machine's own names only); a viewer who writes (refused here and again by the
// use case); a form that is sent twice (it carries an idempotency key); a click
// that cannot be taken back (it wants the end of an id to be typed); a link to
// the sign-in page that leads elsewhere (only paths of ours are followed).
package console

import (
	"bytes"
	"context"
	"html/template"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"

	"strongroom/internal/apierr"
	"strongroom/internal/assets"
	"strongroom/internal/domain"
	"strongroom/internal/operatorapi"
	"strongroom/internal/origin"
	"strongroom/internal/trace"
)

// Sessions know which browser is whose.
type Sessions interface {
	// SignIn sets a cookie for whoever holds the token, or refuses with a
	// *domain.Error.
	SignIn(w http.ResponseWriter, r *http.Request, token string) error
	SignOut(w http.ResponseWriter, r *http.Request)
	// Authenticate is who sends r. byItself: no person asked for it.
	Authenticate(r *http.Request, byItself bool) (o domain.Operator, ok bool)
}

// Config is what the console works with. All fields are required unless they
// say otherwise.
type Config struct {
	UseCases operatorapi.UseCases
	Sessions Sessions

	// Provider signs browsers in too, who reach the console at Origin then.
	// Optional.
	Provider Provider
	// Origin is where browsers reach the console, as https://HOST:PORT. Optional
	// without a Provider.
	Origin string

	// Verify checks the whole audit trail, which may take minutes.
	Verify func(ctx context.Context, progress func(Progress)) (Report, error)
	// Latencies are how long operations took this instance lately. Optional.
	Latencies func() []domain.Latency

	// Tampered is how many stored records this process refused because they were
	// edited, and trails that are not those that were signed. Optional.
	Tampered func() int64

	Posture []domain.PostureCheck // what the settings defend against or leave open
	Mode    domain.Mode           // of the store's accounts
	Version string                // of the binary

	// Refused is told of every request that is turned away before its use case.
	// Optional.
	Refused func(context.Context, domain.Code)

	Log *slog.Logger
}

// Console is the pages. It is safe for concurrent use.
type Console struct {
	Config
	mux       *http.ServeMux
	templates map[string]*template.Template
	assets    *assets.Set
	receipts  receipts
	check     checker
}

// New makes the console. It panics on a template that is wrong, which any test
// finds. Close it.
func New(cfg Config) *Console {
	if cfg.Refused == nil {
		cfg.Refused = func(context.Context, domain.Code) {}
	}
	c := &Console{Config: cfg, mux: http.NewServeMux()}
	c.assets = loadAssets()
	c.templates = c.parse()
	for pattern, serve := range c.routes() {
		c.mux.HandleFunc(pattern, serve)
	}
	for at, a := range c.assets.All() {
		c.mux.Handle("GET "+at, a)
	}
	return c
}

// Close ends what runs in the background, and waits for it.
func (c *Console) Close() { c.check.close() }

// routes are everything that needs a session, files apart, by method and
// pattern. Tests go through all of them.
func (c *Console) routes() map[string]http.HandlerFunc {
	all := map[string]http.HandlerFunc{
		"POST /audit/check":      c.startCheck,
		"POST /audit/check/stop": c.stopCheck,
		"POST /signout":          c.signOut,
		"GET /search":            c.search,
		"GET /device":            c.deviceOrList,
		"GET /live/overview":     c.liveOverview,
		"GET /live/check":        c.liveCheck,
	}
	for pattern, serve := range c.pages() {
		all["GET "+pattern] = func(w http.ResponseWriter, r *http.Request) { c.get(w, r, serve) }
	}
	for pattern, do := range c.acts() {
		all["GET "+pattern] = func(w http.ResponseWriter, r *http.Request) { c.ask(w, r, do) }
		all["POST "+pattern] = func(w http.ResponseWriter, r *http.Request) { c.act(w, r, do) }
	}
	return all
}

// pages are everything that can be looked at, by pattern.
func (c *Console) pages() map[string]func(*request) (view, error) {
	return map[string]func(*request) (view, error){
		"/{$}":                  c.overview,
		"/posture":              c.posture,
		"/devices":              c.devices,
		"/keys/{keyId}":         c.key,
		"/accounts":             c.accounts,
		"/accounts/{accountId}": c.account,
		"/locks":                c.locks,
		"/rotation":             c.rotation,
		"/audit":                c.audit,
		"/events":               c.events,
	}
}

// policy allows what is a file of ours, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", policy)
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	// Without it a browser names no origin with a form over plain HTTP, and the
	// form would be refused as a stranger's.
	header.Set("Referrer-Policy", "same-origin")
	if origin.Check(r, c.Origin) != nil {
		header.Set("Connection", "close") // as below: whose it is was not asked
		c.refuse(w, r, &domain.Error{Code: domain.CodeForbidden, Message: "This was sent by a page of another origin. Nothing was done."})
		return
	}
	// A file is asked for by a page, as is what keeps it up to date.
	byItself := strings.HasPrefix(r.URL.Path, "/live/") || strings.HasPrefix(r.URL.Path, assetsPath)
	operator, ok := c.Sessions.Authenticate(r, byItself)
	if !ok && r.ProtoMajor < 2 {
		// There are few connections on this side. One who has no business here
		// must not keep any. With HTTP/2 this would cut off what the sign-in page
		// has asked for meanwhile over the same connection.
		header.Set("Connection", "close")
	}
	if !c.named(r) && c.assets.All()[r.URL.Path] == nil { // the page that says so has its style
		c.refuse(w, r, &domain.Error{Code: domain.CodeForbidden,
			Message: "The console is not known by this name. Open it on its machine as localhost or by its IP address, or have the setting admin-url name where it is reached. Nothing was done."})
		return
	}
	if c.open(w, r, ok) {
		return
	}
	if !ok {
		c.stranger(w, r)
		return
	}
	if log, ok := w.(interface{ ActsAs(operator string) }); ok {
		log.ActsAs(operator.Name)
	}
	r = r.WithContext(domain.WithOperator(r.Context(), operator))
	if err := operator.Require(domain.RoleViewer); err != nil {
		c.refuse(w, r, &domain.Error{Code: domain.CodeForbidden, Message: "This needs the role viewer or operator."})
		return
	}
	// The mux would answer a path like //x by itself, with a redirect that
	// repeats it.
	if path.Clean(r.URL.Path) != r.URL.Path || r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost {
		c.refuse(w, r, errNoPage)
		return
	}
	if _, pattern := c.mux.Handler(r); pattern == "" {
		c.refuse(w, r, errNoPage)
		return
	}
	if r.Method == http.MethodPost {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		if err := operator.Require(domain.RoleOperator); err != nil && r.URL.Path != "/signout" {
			c.refuse(w, r, &domain.Error{Code: domain.CodeForbidden, Message: "This needs the role operator. Your role, viewer, can only read. Nothing was done."})
			return
		}
	}
	c.mux.ServeHTTP(w, r)
}

// named reports whether a browser asks for the console by a name that is its
// own. A page of the Internet can have its own name lead to this machine (DNS
// rebinding) and then reads what we answer as an answer of its own; only the
// Host header tells. By TLS the certificate has told already, other machines
// may call this one as they like, and an IP address is nobody's name.
func (c *Console) named(r *http.Request) bool {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if r.TLS != nil || local == nil || !local.IP.IsLoopback() {
		return true
	}
	asked, err := url.Parse("http://" + r.Host)
	if err != nil {
		return false
	}
	name := strings.ToLower(asked.Hostname())
	own, _ := url.Parse(c.Origin) // a setting, which was checked
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || net.ParseIP(name) != nil || c.Origin != "" && name == own.Hostname()
}

const maxForm = 16 << 10 // bytes

var errNoPage = &domain.Error{Code: domain.CodeNotFound, Message: "There is no such page."}

// view is what a handler made: the template, and what it is filled with.
type view struct {
	template string
	title    string
	body     any
}

// request is a request for a page with its arguments.
type request struct {
	*http.Request
	query url.Values
	bad   *domain.Error
}

// page is what every template gets.
type page struct {
	Title    string
	Section  string // of the navigation
	Operator domain.Operator
	SignedIn bool
	Sent     bool // it answers a form
	MayWrite bool
	Version  string
	Mode     domain.Mode
	Search   string
	Receipt  *receipt
	Body     any
}

func (c *Console) get(w http.ResponseWriter, r *http.Request, serve func(*request) (view, error)) {
	asked := &request{Request: r, query: r.URL.Query()}
	v, err := serve(asked)
	if asked.bad != nil {
		c.refuse(w, r, asked.bad)
		return
	}
	if err != nil {
		c.fail(w, r, err)
		return
	}
	c.show(w, r, http.StatusOK, v)
}

// show writes a page, whole or not at all.
func (c *Console) show(w http.ResponseWriter, r *http.Request, status int, v view) {
	o := domain.OperatorFrom(r.Context())
	p := page{Title: v.title, Section: section(r.URL.Path), Operator: o, SignedIn: o.Role > domain.NoRole, Sent: r.Method == http.MethodPost, MayWrite: o.Role >= domain.RoleOperator,
		Version: c.Version, Mode: c.Mode, Body: v.body}
	if p.SignedIn {
		p.Receipt = c.receipts.find(r.URL.Query().Get("receipt"), o.Name)
		p.Search = r.URL.Query().Get("q")
	}
	var text bytes.Buffer
	if err := c.templates[v.template].ExecuteTemplate(&text, "layout", p); err != nil {
		c.Log.ErrorContext(r.Context(), "operation failed", "error", err)
		http.Error(w, "The page could not be made. Request id: "+domain.CallerFrom(r.Context()).RequestID, http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.Copy(w, &text) // the browser went away: nobody is left to tell
}

// section is the part of the navigation that a path is in.
func section(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch first {
	case "device", "keys":
		return "devices"
	case "", "posture":
		return "overview"
	}
	return first
}

// fail answers the error of a use case.
func (c *Console) fail(w http.ResponseWriter, r *http.Request, err error) {
	c.problem(w, r, apierr.ForOperator(r.Context(), c.Log, err))
}

// refuse answers a request that reached no use case.
func (c *Console) refuse(w http.ResponseWriter, r *http.Request, refusal *domain.Error) {
	c.Refused(r.Context(), refusal.Code)
	c.problem(w, r, refusal)
}

// trouble is what the page of an error says.
type trouble struct {
	Status    int
	Headline  string
	Message   string
	RequestID string
	Trail     string // where the trail may tell more; empty: nowhere
	Of        string // what it tells of
}

// trail leads to what the trail has of a request that failed. It has nothing of
// one that only looked.
func (t *trouble) trail(r *http.Request) {
	switch account := r.PathValue("accountId"); {
	case t.Status == http.StatusNotFound && domain.IsID(account):
		t.Trail, t.Of = "/audit?accountId="+account, "An account that was erased is still in the trail: look for this one"
	case r.Method == http.MethodPost || t.Status == http.StatusInternalServerError:
		t.Trail, t.Of = "/audit?requestId="+t.RequestID, "Look for the request in the trail"
	}
}

func (c *Console) problem(w http.ResponseWriter, r *http.Request, e *domain.Error) {
	trace.Outcome(r.Context(), e.Code)
	code := apierr.Status(e)
	t := trouble{Status: code, Headline: headlines[code], Message: e.Message, RequestID: domain.CallerFrom(r.Context()).RequestID}
	t.trail(r)
	if !wantsHTML(r) {
		c.answerJSON(w, code, map[string]any{"status": code, "code": e.Code, "detail": t.Message, "requestId": t.RequestID})
		return
	}
	c.show(w, r, code, view{"problem.html", t.Headline, t})
}

var headlines = map[int]string{
	http.StatusBadRequest: "That cannot be asked for", http.StatusUnauthorized: "Sign in first", http.StatusForbidden: "Not allowed",
	http.StatusNotFound: "Nothing here", http.StatusConflict: "That stands against it", http.StatusTooManyRequests: "Too many requests",
	http.StatusServiceUnavailable: "At capacity", http.StatusInternalServerError: "The service failed",
}

// wantsHTML: a browser shows the answer to a person.
func wantsHTML(r *http.Request) bool { return strings.Contains(r.Header.Get("Accept"), "text/html") }
