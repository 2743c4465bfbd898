// Package console is the operators' console for browsers. It answers every path
// of the operator side that nothing else answers. It calls the same use cases as
// the admin API.
//
// The idea: html/template makes whole pages here. They can be read without
// scripts. The scripts make times local, copy ids, draw over the charts and keep
// the overview up to date. A handler reads its arguments, calls use cases and
// fills one template.
//
// Every handler is a method of [Console], and the table of routes in console.go
// names it. The handlers answer with methods of Console too, in answer.go. So
// these files refer to each other in both directions.
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

// Sessions know which browser is whose.
type Sessions interface {
	// SignIn sets a cookie for the holder of the token, or refuses with a
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

	// ExportAccount does an act and writes the JSON of "admin account export". It
	// writes nothing if the act was refused.
	ExportAccount func(ctx context.Context, w io.Writer, accountID string, act domain.Act) error
	// Verify checks the whole audit trail, which may take minutes.
	Verify func(ctx context.Context, progress func(Progress)) (Report, error)
	// Latencies are how long operations took this instance lately. Optional.
	Latencies func() []domain.Latency

	// Docs answers everything below /docs/. Optional.
	Docs http.Handler

	// Tampered is how many stored records this process refused because they were
	// edited, and trails that are not those that were signed. Optional.
	Tampered func() int64

	Posture []domain.PostureCheck // what the settings defend against or leave open
	Mode    domain.Mode           // of the store's accounts
	Version string                // of the binary

	// Refused is called for every request that is refused before its use case.
	Refused func(context.Context, domain.Code)

	Log *slog.Logger
}

// Console is the pages. It is safe for concurrent use.
type Console struct {
	Config
	mux       *http.ServeMux
	templates func() map[string]*template.Template // parsed for the first page: most instances never show one
	assets    *assets.Set
	results   results
	check     checker
	content   content
	changes   changes
}

// content makes what pages show.
type content struct {
	*Config
	check *checker
}

// changes make the forms of what operators can do, and do it.
type changes struct{ *Config }

// New makes the console. It panics on a template that is wrong, which any test
// finds. Close it.
func New(cfg Config) *Console {
	c := &Console{Config: cfg, mux: http.NewServeMux()}
	c.content, c.changes = content{&c.Config, &c.check}, changes{&c.Config}
	c.assets = loadAssets()
	c.templates = sync.OnceValue(c.parse)
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

// pages are everything that can be looked at, by pattern.
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
		c.refuse(w, r, &domain.Error{Code: domain.CodeForbidden, Message: "This request comes from a web page of another origin. Nothing was done."})
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

// serve hands the request of an operator to its handler, or refuses it.
func (c *Console) serve(w http.ResponseWriter, r *http.Request, operator domain.Operator) {
	if err := operator.Require(domain.RoleViewer); err != nil {
		c.refuse(w, r, &domain.Error{Code: domain.CodeForbidden, Message: "This needs the role viewer or operator."})
		return
	}
	// The mux would answer a path like //x by itself, with a redirect that
	// repeats it. Only the first page of the documentation has a slash at the end.
	clean := path.Clean(r.URL.Path) == r.URL.Path || r.URL.Path == docsPath
	if !clean || r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost {
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
// may call this one as they like, and an IP address is not a name.
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

const docsPath = "/docs/"

var errNoPage = &domain.Error{Code: domain.CodeNotFound, Message: "There is no such page."}
