package sandbox

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"slices"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
)

// The policies of the pages. Ours need nothing but their own files and calls
// to the service, and put text into the page as text only, which Trusted Types
// make the browser hold them to.
const (
	policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

	graphiqlPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; " +
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
	Helper        bool
	SHA1, MGF1    bool // whether the service accepts these
	KeyPrefix     string
	Snippets      []Snippet
}

// page is a handler of one template. What it shows is the same for everyone,
// so it is rendered once.
func (s *Sandbox) page(name, policy string) http.Handler {
	t := template.Must(template.New("").Funcs(template.FuncMap{"asset": s.assets.url}).
		ParseFS(files, "templates/layout.html", "templates/"+name))
	v := view{Nav: name, Mode: s.cfg.Mode, AccountHeader: s.cfg.AccountHeader, Attempts: s.cfg.Attempts,
		Introspection: s.cfg.Introspection, Helper: s.cfg.Helper, KeyPrefix: KeyPrefix, Snippets: Snippets(),
		SHA1: slices.Contains(s.cfg.Variants, devicekey.SHA1), MGF1: slices.Contains(s.cfg.Variants, devicekey.SHA256MGF1SHA1)}
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, name, v); err != nil {
		panic(err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", policy)
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Add("Vary", "Accept") // at /graphql the same path answers others in JSON
		_, _ = w.Write(out.Bytes())
	})
}
