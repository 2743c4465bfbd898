// Package console is the operators' console for browsers. It serves every path
// of the operator side that nothing else serves. It calls the same use cases as
// the admin API.
//
// html/template makes whole pages, which can be read without scripts. The scripts
// convert times to local time, copy ids, redraw the charts and keep the overview
// up to date. A handler reads its arguments, calls use cases and fills one
// template.
//
// Every handler is a method of [Console], and the table of routes in console.go
// names it. The handlers answer with methods of Console too, in answer.go. So
// these files refer to each other in both directions.
//
// The threats, and what prevents them:
//
//   - Text from clients or operators runs in a page with an operator's rights.
//     Templates escape it, characters that do not print are shown by their codes,
//     and pages may run no scripts or styles except our own files.
//   - A page of another origin acts with an operator's rights. Cross-origin
//     requests that could change something are refused first, browsers send the
//     cookie from our own pages only, and no page may be framed.
//   - A stranger looks around. Without a session, every path answers alike.
//   - A page reaches this machine under a name of its own, by DNS rebinding. A
//     console on loopback accepts only the machine's own names.
//   - A viewer writes. This package and the use case both refuse that.
//   - A form is sent twice. It has an idempotency key.
//   - A click cannot be undone. The end of an id must be typed first.
//   - A link to the sign-in page leads to another site. Only our own paths are
//     followed.
package console

import (
	"context"
	"html/template"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"

	"strongroom/internal/assets"
	"strongroom/internal/domain"
	"strongroom/internal/operatorapi"
	"strongroom/internal/origin"
)

// Sessions are the signed-in browsers.
type Sessions interface {
	// SignIn sets a cookie for the owner of the token, or refuses with a
	// *domain.Error.
	SignIn(w http.ResponseWriter, r *http.Request, token string) error
	SignOut(w http.ResponseWriter, r *http.Request)
	// Authenticate returns the operator that sends r. byItself: a page sent r, not
	// a person.
	Authenticate(r *http.Request, byItself bool) (o domain.Operator, ok bool)
}

// Config configures [New]. All fields are required unless they say otherwise.
type Config struct {
	UseCases operatorapi.UseCases
	Sessions Sessions

	// Provider is another way to sign in. With it, browsers must use Origin.
	// Optional.
	Provider Provider
	// Origin is the origin under which browsers reach the console:
	// https://HOST:PORT. Optional without a Provider.
	Origin string

	// ExportAccount performs the act and writes the JSON of "admin account
	// export". If the act is refused, it writes nothing.
	ExportAccount func(ctx context.Context, w io.Writer, accountID string, act domain.Act) error
	// Verify checks the whole audit trail, which may take minutes.
	Verify func(ctx context.Context, progress func(Progress)) (Report, error)
	// Latencies returns the latencies of this instance's latest operations.
	// Optional.
	Latencies func() []domain.Latency

	// Docs serves all paths below /docs/. Optional.
	Docs http.Handler

	// Tampered returns how many edited records, and audit chains that differ from
	// their checkpoint, this process has found. Optional.
	Tampered func() int64

	Posture []domain.PostureCheck // what the settings protect against or leave open
	Mode    domain.Mode           // of the store's accounts
	Version string                // of the binary

	// Refused is called for every request that is refused before its use case.
	Refused func(context.Context, domain.Code)

	Log *slog.Logger
}

// Console serves the pages. It is safe for concurrent use.
type Console struct {
	Config
	mux       *http.ServeMux
	templates func() map[string]*template.Template // parsed for the first page, because most instances never show one
	assets    *assets.Set
	results   results
	check     checker
	reads     *operatorapi.Reads // those that run; files are not counted
	content   content
	changes   changes
}

// content makes the pages that only show something.
type content struct {
	*Config
	check *checker
}

// changes makes the forms of acts, and performs the acts.
type changes struct{ *Config }

// New returns the console. It panics if a template is wrong, which any test
// finds. The caller must call Close.
func New(cfg Config) *Console {
	c := &Console{Config: cfg, mux: http.NewServeMux(), reads: operatorapi.NewReads(maxReads)}
	c.content, c.changes = content{&c.Config, &c.check}, changes{&c.Config}
	c.assets = loadAssets()
	c.templates = sync.OnceValue(c.parse)
	for pattern, serve := range c.routes() {
		if strings.HasPrefix(pattern, http.MethodGet) {
			serve = c.counted(serve)
		}
		c.mux.HandleFunc(pattern, serve)
	}
	for at, a := range c.assets.All() {
		c.mux.Handle("GET "+at, a)
	}
	return c
}

// Close ends the background work and waits for it.
func (c *Console) Close() { c.check.close() }

// routes returns the handlers of everything that needs a session, except files,
// by method and pattern. Tests go through all of them.
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
	if c.Docs != nil {
		all["GET "+docsPath] = c.Docs.ServeHTTP
	}
	for pattern, serve := range c.content.pages() {
		all["GET "+pattern] = func(w http.ResponseWriter, r *http.Request) { c.get(w, r, serve) }
	}
	for pattern, do := range c.changes.acts() {
		all["GET "+pattern] = func(w http.ResponseWriter, r *http.Request) { c.ask(w, r, do) }
		all["POST "+pattern] = func(w http.ResponseWriter, r *http.Request) { c.act(w, r, do) }
	}
	return all
}

// pages returns the handlers of all pages that only show something, by pattern.
func (c content) pages() map[string]func(*request) (view, error) {
	return map[string]func(*request) (view, error){
		"/{$}":                  c.overview,
		"/posture":              c.posture,
		"/devices":              c.devices,
		"/keys/{keyId}":         c.key,
		"/accounts":             c.accounts,
		"/accounts/{accountId}": c.account,
		"/locks":                c.locks,
		"/rotation":             c.rotation,
		"/custody":              c.custody,
		"/audit":                c.audit,
		"/events":               c.events,
	}
}

// policy allows our own files and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", policy)
	header.Set("Cross-Origin-Opener-Policy", "same-origin")
	// Without this header, browsers send no origin with a form over plain HTTP,
	// and the form would be refused as cross-origin.
	header.Set("Referrer-Policy", "same-origin")
	if origin.Check(r, c.Origin) != nil {
		header.Set("Connection", "close") // as below: the sender is not authenticated
		c.refuse(w, r, &domain.Error{Code: domain.CodeForbidden, Message: "This request comes from a web page of another origin. Nothing was done."})
		return
	}
	// Pages request files and updates by themselves.
	byItself := strings.HasPrefix(r.URL.Path, "/live/") || strings.HasPrefix(r.URL.Path, assetsPath)
	operator, ok := c.Sessions.Authenticate(r, byItself)
	if !ok && r.ProtoMajor < 2 {
		// This side has few connections, and clients without a session must not keep
		// any. With HTTP/2, closing would also interrupt what the sign-in page is
		// loading on the same connection.
		header.Set("Connection", "close")
	}
	if !c.named(r) && c.assets.All()[r.URL.Path] == nil { // the error page needs its style
		c.refuse(w, r, &domain.Error{Code: domain.CodeForbidden,
			Message: "The console does not accept this host name. Open it on its machine as localhost or by its IP address, or set admin-url to its address. Nothing was done."})
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
	c.serve(w, r.WithContext(domain.WithOperator(r.Context(), operator)), operator)
}

// serve passes an operator's request to its handler, or refuses it.
func (c *Console) serve(w http.ResponseWriter, r *http.Request, operator domain.Operator) {
	if err := operator.Require(domain.RoleViewer); err != nil {
		c.refuse(w, r, &domain.Error{Code: domain.CodeForbidden, Message: "This needs the role viewer or operator."})
		return
	}
	if !clean(r.URL.Path) || r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost {
		c.refuse(w, r, errNoPage)
		return
	}
	if _, pattern := c.mux.Handler(r); pattern == "" {
		c.refuse(w, r, errNoPage)
		return
	}
	if r.Method == http.MethodPost {
		r.Body = http.MaxBytesReader(w, r.Body, maxForm)
		if refusal := operator.Refusal(domain.RoleOperator); refusal != nil && r.URL.Path != "/signout" {
			c.refuse(w, r, refusal)
			return
		}
	}
	c.mux.ServeHTTP(w, r)
}

// clean reports whether a path is written as in our routes. The mux would answer
// a path like //x itself, with a redirect that repeats the path. Only the first
// page of the documentation ends with a slash.
func clean(at string) bool { return path.Clean(at) == at || at == docsPath }

// counted serves a read, unless too many are in progress.
func (c *Console) counted(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		leave, refusal := c.reads.Enter(domain.OperatorFrom(r.Context()).Name)
		if refusal != nil {
			c.refuse(w, r, refusal)
			return
		}
		defer leave()
		serve(w, r)
	}
}

// named reports whether a browser uses a name of this console. A page of the
// Internet can make its own name resolve to this machine (DNS rebinding) and
// then read our answers as its own. Only the Host header shows that. With TLS
// the certificate has already shown it. Requests from other machines may use
// any name. An IP address is not a name.
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

const (
	maxForm  = 16 << 10 // bytes
	maxReads = 16       // a quarter of the connections of this side
)

const docsPath = "/docs/"

var errNoPage = &domain.Error{Code: domain.CodeNotFound, Message: "There is no such page."}
