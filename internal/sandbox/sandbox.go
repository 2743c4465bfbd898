// Package sandbox serves pages for app engineers: GraphiQL, two pages on which
// the browser is a real client (for secrets, and for a payment and its receipt),
// and the doctor, a page that explains why a ciphertext fails to decrypt. They are
// on the public listener, and off in the hardened posture.
//
// The idea: the pages are another client. They call /graphql as an app does,
// encrypt with the browser's own cryptography, and have no way of their own
// into the vault; without them nothing else changes. All that they need is in
// the binary.
//
// The threats: a page that runs what somebody typed (pages are html/template,
// scripts put text into the page as text, and the policy of our pages allows
// no inline script or style and no other origin); a doctor that is asked about
// real keys (it has none, see doctor); one that keeps the machine busy (it
// works on one request at a time, waits for a worker as all other requests do,
// and limits the requests of each address in a minute).
package sandbox

import (
	"context"
	"crypto/rsa"
	"log/slog"
	"net/http"

	"strongroom/internal/assets"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
)

// UseCases is what the doctor needs of the service.
type UseCases interface {
	// ThrowAwayKey makes a key pair that is stored nowhere.
	ThrowAwayKey(ctx context.Context) (*rsa.PrivateKey, error)
	// Admitted runs fn where verifications are run, or refuses.
	Admitted(ctx context.Context, fn func()) error
	// Refused counts a request that was refused.
	Refused(ctx context.Context, code domain.Code)
}

// Config is what a [Sandbox] needs. All fields are required.
type Config struct {
	UseCases UseCases
	Log      *slog.Logger

	// What the pages say of the service.
	Mode          domain.Mode         // which fields for a token or headers are shown
	AccountHeader string              // in which a gateway names the account
	Attempts      int                 // wrong verdicts in a row before a lock
	Variants      []devicekey.Variant // of RSA-OAEP that are accepted
	Introspection bool                // GraphiQL may ask for the schema

	Algorithms []devicekey.Algorithm // of the keys that the service issues
	FIPS       bool                  // the doctor has no keys of X25519 alone
}

// Sandbox is the pages, ready to be served. It is safe for concurrent use.
type Sandbox struct {
	cfg      Config
	assets   *assets.Set
	doctor   *doctor
	explorer http.Handler
}

// New prepares the pages. It panics where an embedded file is broken, which
// the tests would find.
func New(cfg Config) *Sandbox {
	s := &Sandbox{cfg: cfg, assets: loadAssets()}
	s.doctor = newDoctor(&s.cfg)
	s.explorer = s.explore()
	return s
}

// Explorer is the page of GraphiQL.
func (s *Sandbox) Explorer() http.Handler { return s.explorer }

// Page is what one path serves.
type Page struct {
	Methods []string
	Handler http.Handler
	Caller  bool // only for authenticated callers: it costs more than a file
	Browser bool // only for a browser that asks for a page; for others there is nothing
}

// The paths of the doctor's calls.
const (
	keysPath     = "/sandbox/doctor/keys"
	diagnosePath = "/sandbox/doctor/diagnose"
)

// Pages are all paths of the sandbox but that of GraphiQL.
func (s *Sandbox) Pages() map[string]Page {
	get, post := []string{http.MethodGet, http.MethodHead}, []string{http.MethodPost}
	pages := map[string]Page{
		"/":                {Methods: get, Handler: http.HandlerFunc(welcome), Browser: true},
		"/sandbox":         {Methods: get, Handler: http.RedirectHandler("/sandbox/", http.StatusPermanentRedirect)},
		"/sandbox/":        {Methods: get, Handler: s.page("client.html", Snippets())},
		"/sandbox/pay":     {Methods: get, Handler: s.page("pay.html", redeemSnippets())},
		"/sandbox/doctor":  {Methods: get, Handler: s.page("doctor.html", Snippets())},
		"/sandbox/doctor/": {Methods: get, Handler: http.RedirectHandler("/sandbox/doctor", http.StatusPermanentRedirect)},
		keysPath:           {Methods: post, Handler: http.HandlerFunc(s.doctor.issue), Caller: true},
		diagnosePath:       {Methods: post, Handler: http.HandlerFunc(s.doctor.diagnose), Caller: true},
	}
	for at, file := range s.assets.All() {
		pages[at] = Page{Methods: get, Handler: file}
	}
	return pages
}

// welcome redirects a browser that opens the bare address to the first page.
func welcome(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", "Accept") // others find nothing there
	http.Redirect(w, r, "/sandbox/", http.StatusSeeOther)
}
