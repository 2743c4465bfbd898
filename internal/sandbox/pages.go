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

// The policies of the pages. Our pages need only their own files and calls to
// the service. They insert text only as text, which Trusted Types enforce.
const (
	policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

	// GraphiQL's documentation asks for style-src 'unsafe-inline'. Only one
	// element needs it: the style that keeps the page from scrolling behind a
	// dialog, which accepts a nonce. CodeMirror sets its styles by script, which
	// the policy allows. The images are in its style sheet.
	graphiqlPolicy = "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-%s'; " +
		"img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

//go:embed templates snippets
var files embed.FS

// view is the data of a template.
type view struct {
	Nav           string // the page that is shown, for the navigation
	Mode          domain.Mode
	AccountHeader string
	Attempts      int
	Introspection bool
	Labels        bool // as PurposeRequired in [Config]
	KeyPrefix     string
	Algorithms    []devicekey.Algorithm // of the doctor's keys
	Operations    []domain.Operation    // that an HPKE ciphertext can be for
	Snippets      []Snippet
	Nonce         string // for the style that GraphiQL creates; new for each answer
}

func (s *Sandbox) template(name string) *template.Template {
	return template.Must(template.New(name).Funcs(template.FuncMap{"asset": s.assets.URL}).
		ParseFS(files, "templates/layout.html", "templates/"+name))
}

func (s *Sandbox) view(name string, snippets []Snippet) view {
	return view{Nav: name, Mode: s.cfg.Mode, AccountHeader: s.cfg.AccountHeader, Attempts: s.cfg.Attempts,
		Introspection: s.cfg.Introspection, Labels: s.cfg.PurposeRequired, KeyPrefix: keyPrefix, Algorithms: s.doctor.algorithms(),
		Operations: operations(), Snippets: snippets}
}

// page returns the handler of one of our pages. It is rendered once, because it
// is the same for everyone.
func (s *Sandbox) page(name string, snippets []Snippet) http.Handler {
	body := render(s.template(name), s.view(name, snippets))
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { writePage(w, policy, body) })
}

// explore returns the handler of the GraphiQL page.
func (s *Sandbox) explore() http.Handler {
	const name = "graphiql.html"
	t, v := s.template(name), s.view(name, nil)
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		v := v
		v.Nonce = domain.NewID()         // 128 random bits
		w.Header().Add("Vary", "Accept") // other clients get JSON at the same path
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
