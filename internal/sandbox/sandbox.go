// Package sandbox serves pages for app engineers: GraphiQL, two pages on which
// the browser is a real client (for secrets, and for a payment and its
// receipt), and the doctor, a page that explains why a ciphertext fails to
// decrypt. They are on the public listener, and off in the hardened posture.
//
// The pages are clients like any other. They call /graphql as an app does,
// encrypt with the browser's own cryptography, and have no access of their own
// to the vault. Nothing else depends on them. All their files are in the
// binary.
//
// The threats, and what prevents them:
//
//   - A page runs what somebody typed. Pages are html/template, scripts insert
//     text only as text, and the policy of our pages allows no inline scripts or
//     styles and no other origin.
//   - The doctor is asked about real keys. It has none: see doctor.
//   - The doctor keeps the machine busy. It processes one request at a time, waits
//     for a worker like all other requests, and limits the requests of each
//     address per minute.
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
	// ThrowAwayKey generates a key pair that is not stored.
	ThrowAwayKey(ctx context.Context) (*rsa.PrivateKey, error)
	// Admitted runs fn in the worker pool of verifications, or refuses.
	Admitted(ctx context.Context, fn func()) error
	// Refused counts a request that was refused.
	Refused(ctx context.Context, code domain.Code)
}

// Config configures [New]. All fields are required.
type Config struct {
	UseCases UseCases
	Log      *slog.Logger

	// What the pages show about the service.
	Mode          domain.Mode         // decides which fields for tokens or headers are shown
	AccountHeader string              // the header in which a gateway names the account
	Attempts      int                 // wrong verdicts in a row before a lock
	Variants      []devicekey.Variant // accepted RSA-OAEP variants
	Introspection bool                // GraphiQL may query the schema

	Algorithms []devicekey.Algorithm // of the keys that the service issues

	PurposeRequired bool // the service refuses RSA ciphertexts without a label, and a current secret with the AAD of the new one
}

// Sandbox has the pages. It is safe for concurrent use.
type Sandbox struct {
	cfg      Config
	assets   *assets.Set
	doctor   *doctor
	explorer http.Handler
}

// New prepares the pages. It panics if an embedded file is broken, which the
// tests find.
func New(cfg Config) *Sandbox {
	s := &Sandbox{cfg: cfg, assets: loadAssets()}
	s.doctor = newDoctor(&s.cfg)
	s.explorer = s.explore()
	return s
}

// Explorer returns the handler of the GraphiQL page.
func (s *Sandbox) Explorer() http.Handler { return s.explorer }

// Page is what one path serves.
type Page struct {
	Methods []string
	Handler http.Handler
	Caller  bool // only for authenticated callers, because it costs more than a file
	Browser bool // only for browsers that open a page; other clients get NOT_FOUND
}

// The paths of the doctor's calls.
const (
	keysPath     = "/sandbox/doctor/keys"
	diagnosePath = "/sandbox/doctor/diagnose"
)

// Pages returns all paths of the sandbox except GraphiQL's.
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

// welcome redirects a browser that opens / to the first page.
func welcome(w http.ResponseWriter, r *http.Request) {
	w.Header().Add("Vary", "Accept") // other clients get NOT_FOUND
	http.Redirect(w, r, "/sandbox/", http.StatusSeeOther)
}
