package sandbox

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
)

// The policies of the pages. Ours need nothing but their own files and calls
// to the service, and put text into the page as text only, which Trusted Types
// make the browser hold them to.
const (
	policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

	// GraphiQL would have it put up with style-src 'unsafe-inline'. All that needs
	// it is one element that keeps the page from scrolling behind a dialog, and
	// which takes a nonce; what CodeMirror styles, it styles by script. Its
	// pictures are in its style sheet.
	graphiqlPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-%s'; " +
		"img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

//go:embed templates snippets
var files embed.FS

// view is what a template is given.
type view struct {
	Nav           string // the page that is shown
	Mode          domain.Mode
	AccountHeader string
	Attempts      int
	Introspection bool
	KeyPrefix     string
	Algorithms    []devicekey.Algorithm // of the doctor's keys
	Operations    []domain.Operation    // that an HPKE ciphertext can be for
	Snippets      []Snippet
	Nonce         string // of the style that GraphiQL makes; new for each answer
}

func (s *Sandbox) template(name string) *template.Template {
	return template.Must(template.New(name).Funcs(template.FuncMap{"asset": s.assets.URL}).
		ParseFS(files, "templates/layout.html", "templates/"+name))
}

func (s *Sandbox) view(name string, snippets []Snippet) view {
	return view{Nav: name, Mode: s.cfg.Mode, AccountHeader: s.cfg.AccountHeader, Attempts: s.cfg.Attempts,
		Introspection: s.cfg.Introspection, KeyPrefix: KeyPrefix, Algorithms: s.doctor.algorithms(),
		Operations: operations(), Snippets: snippets}
}

// page is a handler of one of our pages. What it shows is the same for
// everyone, so it is rendered once.
func (s *Sandbox) page(name string, snippets []Snippet) http.Handler {
	body := render(s.template(name), s.view(name, snippets))
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { writePage(w, policy, body) })
}

// explore is the page of GraphiQL.
func (s *Sandbox) explore() http.Handler {
	const name = "graphiql.html"
	t, v := s.template(name), s.view(name, nil)
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		v := v
		v.Nonce = domain.NewID()         // 128 random bits
		w.Header().Add("Vary", "Accept") // others get JSON at the same path
		writePage(w, fmt.Sprintf(graphiqlPolicy, v.Nonce), render(t, v))
	})
}

func render(t *template.Template, v view) []byte {
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, t.Name(), v); err != nil {
		panic(fmt.Errorf("sandbox: %w", err))
	}
	return out.Bytes()
}

func writePage(w http.ResponseWriter, policy string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	_, _ = w.Write(body)
}
