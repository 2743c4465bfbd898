package e2e

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// people are who can sign in at the provider of [openSignIn]; the roles of
// each, or what is said instead.
var people = map[string]map[string]any{
	"olga":    {"email": "olga@bank.example", "roles": []string{"strongroom-operator", "cook"}},
	"mallory": {"email": "mallory@bank.example", "roles": []string{"strongroom-operator"}},
	"victor":  {"email": "victor@bank.example", "roles": "strongroom-viewer"},
	"carol":   {"email": "carol@bank.example", "roles": "cook"},
	"hostile": {"email": hostileApp, "roles": "strongroom-viewer"},
	"denied":  nil,
}

const consoleSecret = "console & secret"

// signInProvider is an identity provider with a page on which one chooses who
// one is.
type signInProvider struct {
	*provider
	*httptest.Server
	issuer string // on another site than the console

	mu     sync.Mutex
	asked  map[string]url.Values // by the code that was given
	tokens []string              // ID tokens that were given
}

func openSignIn(t *testing.T) *signInProvider {
	p := &signInProvider{provider: newProvider(t), asked: map[string]url.Values{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.describe)
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, p.keySet) })
	mux.HandleFunc("GET /authorize", p.choose)
	mux.HandleFunc("GET /as", p.sendBack)
	mux.HandleFunc("POST /token", p.exchange)
	p.Server = httptest.NewServer(mux)
	t.Cleanup(p.Close)
	p.issuer = strings.Replace(p.URL, "127.0.0.1", "localhost", 1)
	return p
}

func (p *signInProvider) describe(w http.ResponseWriter, _ *http.Request) {
	_ = json.NewEncoder(w).Encode(map[string]any{"issuer": p.issuer, "jwks_uri": p.issuer + "/keys", "authorization_endpoint": p.issuer + "/authorize",
		"token_endpoint": p.issuer + "/token", "scopes_supported": []string{"openid", "email"}, "authorization_response_iss_parameter_supported": true})
}

var choosing = template.Must(template.New("").Parse(`<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Provider</title>
<h1>Who are you?</h1>{{$q := .Query}}{{range $who, $_ := .People}}<p><a href="/as?{{$q}}&amp;who={{$who}}">{{$who}}</a></p>{{end}}`))

func (p *signInProvider) choose(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	_ = choosing.Execute(w, map[string]any{"Query": template.URL(r.URL.RawQuery), "People": people})
}

func (p *signInProvider) sendBack(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	answer := url.Values{"state": asked["state"], "iss": {p.issuer}}
	if people[asked.Get("who")] == nil {
		answer["error"], answer["error_description"] = []string{"access_denied"}, []string{"<script>document.title='taken'</script>"}
	} else {
		p.mu.Lock()
		defer p.mu.Unlock()
		code := fmt.Sprint("one-time-code-", len(p.asked))
		p.asked[code], answer["code"] = asked, []string{code}
	}
	http.Redirect(w, r, asked.Get("redirect_uri")+"?"+answer.Encode(), http.StatusSeeOther)
}

func (p *signInProvider) exchange(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	id, secret, _ := r.BasicAuth()
	code := r.PostFormValue("code")
	asked := p.asked[code]
	p.asked[code] = nil
	challenge := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if id != "console" || secret != url.QueryEscape(consoleSecret) || asked == nil || r.PostFormValue("redirect_uri") != asked.Get("redirect_uri") ||
		base64.RawURLEncoding.EncodeToString(challenge[:]) != asked.Get("code_challenge") {
		http.Error(w, `{"error":"invalid_grant"}`, http.StatusBadRequest)
		return
	}
	claims := claims(asked.Get("who"), people[asked.Get("who")])
	claims["iss"], claims["aud"], claims["nonce"], claims["iat"] = p.issuer, "console", asked.Get("nonce"), time.Now().Unix()
	token := p.sign(jose.RS256, p.key, claims)
	p.tokens = append(p.tokens, token)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"access_token": "opaque", "token_type": "Bearer", "id_token": token})
}

// serve starts a server whose console is known to the provider.
func (p *signInProvider) serve(t *testing.T, admin, seen string, more ...string) *instance {
	return startWith(t, []string{"CONSOLE_SECRET=" + consoleSecret}, append([]string{"--admin-listen", admin, "--admin-url", seen,
		"--admin-oidc-issuer", p.issuer, "--admin-oidc-audience", "operators", "--admin-oidc-name-claim", "email",
		"--admin-oidc-client-id", "console", "--admin-oidc-client-secret", "env:CONSOLE_SECRET"}, more...)...)
}

func TestOperatorsSignInWithTheirProviderOverTLS(t *testing.T) {
	t.Parallel()
	c := newCertificates(t)
	for name, behind := range map[string]bool{"TLS in the service": false, "TLS in a proxy": true} {
		t.Run(name, func(t *testing.T) {
			p, admin := openSignIn(t), freeAddress(t)
			seen, more := "https://"+admin, []string{"--admin-tls", "--tls-cert", c.cert, "--tls-key", c.key}
			if behind {
				proxy := httptest.NewUnstartedServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
					r.Out.URL.Scheme, r.Out.URL.Host = "http", admin
				}})
				proxy.Config.ErrorLog = log.New(io.Discard, "", 0) // Chromium tries the certificate first
				proxy.StartTLS()
				defer proxy.Close()
				seen, more = proxy.URL, nil
			}
			p.serve(t, admin, seen, more...)
			browse(t, []string{"signin.mjs"}, "BASE="+seen, "PROVIDER="+p.issuer, "SHORT=true")
		})
	}
}

// TestOperatorsSignInWithTheirProviderInABrowser drives Chromium from the console
// to a provider on another site and back.
func TestOperatorsSignInWithTheirProviderInABrowser(t *testing.T) {
	t.Parallel()
	p, admin := openSignIn(t), freeAddress(t)
	i := p.serve(t, admin, "http://"+admin)
	browse(t, []string{"signin.mjs"}, "BASE="+i.admin, "PROVIDER="+p.issuer, "TOKEN="+i.tokensOf()[0], "HOSTILE="+hostileApp)
	for _, token := range p.tokens {
		if got := i.enters("/metrics", token); got != 401 {
			t.Errorf("an ID token as bearer token gets %d", got)
		}
	}
	says(t, i.operator("/metrics"), `strongroom_operator_refusals_total{code="FORBIDDEN"} 2`, `strongroom_token_refusals_total{listener="operator",reason="no role"} 1`,
		`reason="no sign-in that this browser began"} 4`, `reason="denied by the provider"} 1`)
	says(t, i.log.String(), `msg="an operator signed in" operator=oidc:olga@bank.example may_write=true`, `operator=oidc:victor@bank.example may_write=false`)
	for _, secret := range []string{"one-time-code", "eyJ", consoleSecret, "carol"} {
		if strings.Contains(i.log.String(), secret) {
			t.Errorf("%s is in the log", secret)
		}
	}
	if code := i.stop(); code != 0 {
		t.Errorf("it ended with %d", code)
	}
	out, _ := i.command("audit", "export")
	says(t, out, `"outcome":"OPERATOR_UNAUTHENTICATED"`, `"outcome":"OPERATOR_FORBIDDEN"`)
	i.auditIntact()
}
