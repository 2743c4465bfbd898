package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"strongroom/internal/domain"
)

const (
	consoleClient = "strongroom-console"
	clientSecret  = "s3cret: & of the console"
	callback      = "http://127.0.0.1:8081/signin/oidc/callback"
)

// signInProvider is a provider at which people sign in, as strict as RFC 9700
// wants one.
type signInProvider struct {
	*provider
	t      *testing.T
	secret string // of the client; empty: it is public
	inBody bool   // that is how the client must show it

	mu      sync.Mutex
	codes   map[string]url.Values          // what was asked for, by the code that was given
	claim   fields                         // of ID tokens, beside or instead of those of a good one
	idToken func(claims fields) string     // nil: a good one
	instead func(http.ResponseWriter) bool // answers a code; nil: what follows from it

	described, exchanged atomic.Int64 // requests that came
}

// newSignInProvider is a provider for which everyone is an operator.
func newSignInProvider(t *testing.T, more fields) *signInProvider {
	p := &signInProvider{provider: newProvider(t, jwk("ed", edKey())), t: t, codes: map[string]url.Values{}}
	p.discovery = func(issuer string) string {
		p.described.Add(1)
		return string(must(json.Marshal(fields{"issuer": issuer, "jwks_uri": issuer + "/keys", "authorization_endpoint": issuer + "/authorize?tenant=bank",
			"token_endpoint": issuer + "/token", "scopes_supported": []string{"openid", "email", "roles", "address"}}.with(more))))
	}
	p.mux.HandleFunc("GET /authorize", p.authorize)
	p.mux.HandleFunc("POST /token", p.token)
	return p
}

func (p *signInProvider) config() *OIDCConfig {
	return &OIDCConfig{Issuer: p.URL, Audience: audience, Algorithms: []string{"EdDSA"}, NameClaim: "email", RoleClaim: "roles",
		Viewers: []string{"auditor"}, Operators: []string{"sre"}, Client: &OIDCClient{ID: consoleClient, Secret: p.secret, Callback: callback}}
}

func (p *signInProvider) authorize(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	for name, want := range map[string]string{"tenant": "bank", "response_type": "code", "client_id": consoleClient, "redirect_uri": callback,
		"scope": "openid email roles", "code_challenge_method": "S256"} {
		if got := asked[name]; len(got) != 1 || got[0] != want {
			p.t.Errorf("the provider is asked with %s %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"state", "nonce", "code_challenge"} {
		if len(asked[name]) != 1 || len(asked.Get(name)) != 43 {
			p.t.Errorf("the provider is asked with %s %q", name, asked[name])
		}
	}
	code := "code+" + domain.NewID()
	p.mu.Lock()
	p.codes[code] = asked
	p.mu.Unlock()
	http.Redirect(w, r, callback+"?"+url.Values{"code": {code}, "state": asked["state"], "iss": {p.URL}}.Encode(), http.StatusFound)
}

func (p *signInProvider) token(w http.ResponseWriter, r *http.Request) {
	p.exchanged.Add(1)
	p.mu.Lock()
	instead := p.instead
	asked := p.codes[r.PostFormValue("code")]
	delete(p.codes, r.PostFormValue("code"))
	p.mu.Unlock()
	if instead != nil && instead(w) {
		return
	}
	w.Header().Set("Content-Type", "application/json")
	id, secret, basic := r.BasicAuth()
	if basic {
		id, secret = must(url.QueryUnescape(id)), must(url.QueryUnescape(secret))
	} else {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	challenge := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	switch {
	case id != consoleClient, secret != p.secret, basic == (p.inBody || p.secret == ""):
		refuse(w, http.StatusUnauthorized, "invalid_client")
	case asked == nil, r.PostFormValue("grant_type") != "authorization_code", r.PostFormValue("redirect_uri") != asked.Get("redirect_uri"),
		base64.RawURLEncoding.EncodeToString(challenge[:]) != asked.Get("code_challenge"):
		refuse(w, http.StatusBadRequest, "invalid_grant")
	default:
		fmt.Fprintf(w, `{"access_token":"opaque","token_type":"Bearer","expires_in":60,"id_token":%q}`, p.newIDToken(asked.Get("nonce")))
	}
}

func refuse(w http.ResponseWriter, status int, word string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":%q,"error_description":"words of the provider"}`, word)
}

func (p *signInProvider) newIDToken(nonce string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	claims := p.provider.claims(time.Now()).with(fields{"aud": consoleClient, "nonce": nonce, "email": "alice@bank.example", "roles": []string{"sre"}, "at_hash": "x"}).with(p.claim)
	if p.idToken != nil {
		return p.idToken(claims)
	}
	return signed(fields{"alg": "EdDSA", "kid": "ed", "typ": "JWT"}, claims, edKey())
}

// says changes what ID tokens say, or what there is instead of them.
func (p *signInProvider) says(claim fields, instead func(claims fields) string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.claim, p.idToken = claim, instead
}

// answers has the token endpoint answer something else.
func (p *signInProvider) answers(instead func(http.ResponseWriter) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.instead = instead
}

// doors are the operator side's with a browser's way in.
type doors struct {
	*entrance
	flow     *CodeFlow
	sessions *Sessions
}

func open(t *testing.T, cfg *OIDCConfig) *doors {
	t.Helper()
	e := newEntrance(t, operatorToken+"\n", cfg)
	for _, set := range e.issuers {
		<-set.refresh().done
	}
	s := NewSessions(e.Operators, false)
	flow, err := NewCodeFlow(e.Operators, s)
	if err != nil {
		t.Fatal(err)
	}
	return &doors{e, flow, s}
}

// traveller is a browser that keeps its cookies and goes to the provider.
type traveller struct {
	*doors
	address string
	cookies map[string]*http.Cookie
}

func (d *doors) traveller() *traveller {
	return &traveller{d, "192.0.2.1", map[string]*http.Cookie{}}
}

func (b *traveller) request(target string) *http.Request {
	r := httptest.NewRequest("GET", target, nil)
	for _, c := range b.cookies {
		r.AddCookie(c)
	}
	return r.WithContext(domain.WithCaller(r.Context(), domain.Caller{Address: netip.MustParseAddr(b.address)}))
}

func (b *traveller) keep(w *httptest.ResponseRecorder) {
	for _, c := range w.Result().Cookies() {
		if b.cookies[c.Name] = c; c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		}
	}
}

func (b *traveller) begin(next string) (to string, err error) {
	w := httptest.NewRecorder()
	to, err = b.flow.Begin(w, b.request("http://127.0.0.1:8081/signin/oidc"), next)
	b.keep(w)
	return to, err
}

func (b *traveller) mustBegin(next string) (to string) {
	b.t.Helper()
	to, err := b.begin(next)
	if err != nil {
		b.t.Fatalf("%v\n%s", err, &b.log)
	}
	return to
}

// sent is where the provider sends the browser back to.
func (b *traveller) sent(to string) string {
	b.t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.Get(to)
	if err != nil {
		b.t.Fatal(err)
	}
	answer.Body.Close()
	return answer.Header.Get("Location")
}

func (b *traveller) comeBack(to string) (next string, err error) {
	w := httptest.NewRecorder()
	next, err = b.flow.Finish(w, b.request(to))
	b.keep(w)
	return next, err
}

// signIn goes all the way.
func (b *traveller) signIn() (next string, err error) {
	b.t.Helper()
	return b.comeBack(b.sent(b.mustBegin("/devices?q=ios")))
}

func (b *traveller) who() domain.Operator {
	o, _ := b.sessions.Authenticate(b.request("http://127.0.0.1:8081/"), false)
	return o
}

// mustSayWhetherToWait: to try again is a remedy for what may pass, and for
// nothing else.
func (b *traveller) mustSayWhetherToWait(what string, err error, passes bool) {
	b.t.Helper()
	var refusal *domain.Error
	want := "gave an unexpected answer"
	if passes {
		want = "cannot be reached now. Try again in 10 s"
	}
	if !errors.As(err, &refusal) || !strings.Contains(refusal.Message, want) || (refusal.RetryAfter > 0) != passes {
		b.t.Errorf("%s: %+v", what, err)
	}
}

// mustBeRefused wants the code, no session, and no word of the provider's.
func (b *traveller) mustBeRefused(what string, err error, code domain.Code) {
	b.t.Helper()
	var refusal *domain.Error
	if !errors.As(err, &refusal) || refusal.Code != code {
		b.t.Errorf("%s: %v, want %s\n%s", what, err, code, &b.log)
	} else if strings.Contains(refusal.Message, "words of the provider") {
		b.t.Errorf("%s: %s", what, refusal.Message)
	}
	if b.who().Role != domain.NoRole {
		b.t.Errorf("%s: signed in all the same", what)
	}
}

func with(address string, changed url.Values) string {
	u := must(url.Parse(address))
	q := u.Query()
	for name, values := range changed {
		if q[name] = values; values == nil {
			delete(q, name)
		}
	}
	u.RawQuery = q.Encode()
	return u.String()
}

func TestAnOperatorSignsInWithTheProvider(t *testing.T) {
	for name, tc := range map[string]struct {
		secret string
		inBody bool
		more   fields
	}{
		"a public client":                    {"", false, nil},
		"a client with a secret":             {clientSecret, false, fields{"token_endpoint_auth_methods_supported": []string{"client_secret_post", "client_secret_basic"}}},
		"a client with a secret in the body": {clientSecret, true, fields{"token_endpoint_auth_methods_supported": []string{"client_secret_post"}}},
		"a provider that names its issuer":   {"", false, fields{"authorization_response_iss_parameter_supported": true}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newSignInProvider(t, tc.more)
			p.secret, p.inBody = tc.secret, tc.inBody
			d := open(t, p.config())
			b := d.traveller()
			next, err := b.signIn()
			if who := b.who(); err != nil || next != "/devices?q=ios" || who.Role != domain.RoleOperator || who.Name != "oidc:alice@bank.example" {
				t.Fatalf("%+v to %q, %v\n%s", who, next, err, &d.log)
			}
			if b.cookies[plainSignIn] != nil || !strings.Contains(d.log.String(), `msg="an operator signed in" operator=oidc:alice@bank.example may_write=true`) {
				t.Errorf("cookies %v\n%s", b.cookies, &d.log)
			}
			p.says(fields{"roles": "auditor"}, nil)
			if _, err := b.signIn(); err != nil || b.who().Role != domain.RoleViewer {
				t.Errorf("a viewer: %+v, %v", b.who(), err)
			}
			for range 3 { // however busy
				d.at = d.at.Add(20*time.Minute - time.Second)
				if b.who().Role != domain.RoleViewer {
					t.Error("the session ended early")
				}
			}
			if d.at = d.at.Add(3 * time.Second); b.who().Role != domain.NoRole {
				t.Error("a session by the provider outlives an hour")
			}
			for _, secret := range []string{clientSecret, "code+", "eyJ"} {
				if strings.Contains(d.log.String(), secret) {
					t.Errorf("the log has %s\n%s", secret, &d.log)
				}
			}
		})
	}
}

func TestACallbackMustBelongToASignInOfThisBrowser(t *testing.T) {
	p := newSignInProvider(t, nil)
	d := open(t, p.config())
	junk := func(value string) map[string]*http.Cookie {
		return map[string]*http.Cookie{"": {Name: plainSignIn, Value: value}}
	}
	forged := map[string]bool{"an attacker's answer": true, "no state": true, "an empty state": true, "two states": true,
		"an error without state": true, "a malformed query": true}
	for name, change := range map[string]func(b, other *traveller, back string) string{
		"no cookie": func(b, _ *traveller, back string) string { clear(b.cookies); return back },
		"an attacker's answer": func(_, other *traveller, _ string) string {
			return other.sent(other.mustBegin("/"))
		},
		"the cookie of another": func(b, other *traveller, back string) string {
			other.mustBegin("/")
			b.cookies = other.cookies
			return back
		},
		"no state":               func(_, _ *traveller, back string) string { return with(back, url.Values{"state": nil}) },
		"an empty state":         func(_, _ *traveller, back string) string { return with(back, url.Values{"state": {""}}) },
		"two states":             func(_, _ *traveller, back string) string { return back + "&state=x" },
		"an error without state": func(_, _ *traveller, _ string) string { return callback + "?error=access_denied" },
		"a malformed query":      func(_, _ *traveller, back string) string { return back + "&%zz=1;x" },
		"an earlier sign-in":     func(b, _ *traveller, back string) string { b.mustBegin("/"); return back },
		"a cookie of no seed":    func(b, _ *traveller, back string) string { b.cookies = junk("." + "Lw"); return back },
		"a cookie without next": func(b, _ *traveller, back string) string {
			b.cookies = junk(strings.Repeat("A", 43) + ".!")
			return back
		},
		"two cookies": func(b, _ *traveller, back string) string {
			b.cookies["planted"] = &http.Cookie{Name: plainSignIn, Value: strings.Repeat("A", 43) + ".Lw"}
			return back
		},
	} {
		d.at = d.at.Add(time.Second)
		b, other := d.traveller(), d.traveller()
		back := b.sent(b.mustBegin("/devices"))
		_, err := b.comeBack(change(b, other, back))
		b.mustBeRefused(name, err, domain.CodeUnauthenticated)
		_, err = b.comeBack(back)
		if forged[name] { // the browser still has the cookie of its own sign-in
			if err != nil {
				t.Errorf("the right answer, after %s: %v", name, err)
			}
			continue
		}
		b.mustBeRefused("the right answer, after "+name, err, domain.CodeUnauthenticated)
	}
	if n := p.exchanged.Load(); n != int64(len(forged)) {
		t.Errorf("the provider was asked %d times", n)
	}
	if n := d.Refusals()[string(stateMismatch)]; n != uint64(24-len(forged)) {
		t.Errorf("%d refusals are counted", n)
	}
}

// The second tab has replaced the cookie of the first one.
func TestOfTwoSignInsInOneBrowserTheLaterOneSucceeds(t *testing.T) {
	d := open(t, newSignInProvider(t, nil).config())
	b := d.traveller()
	first := b.sent(b.mustBegin("/devices"))
	second := b.sent(b.mustBegin("/locks"))
	_, err := b.comeBack(first)
	b.mustBeRefused("the first one", err, domain.CodeUnauthenticated)
	if !strings.Contains(err.Error(), "a newer sign-in replaced it") {
		t.Errorf("the refusal does not say why: %v", err)
	}
	if next, err := b.comeBack(second); err != nil || next != "/locks" || b.who().Role != domain.RoleOperator {
		t.Errorf("the second one leads to %q, %v", next, err)
	}
	_, err = d.traveller().comeBack(second)
	if err == nil {
		t.Error("another browser can use the answer of the second one")
	}
}

func TestASignInCodeWorksOnceAndInItsOwnBrowser(t *testing.T) {
	p := newSignInProvider(t, nil)
	d := open(t, p.config())
	b := d.traveller()
	back := b.sent(b.mustBegin("/"))
	thief := d.traveller()
	thief.cookies = maps.Clone(b.cookies)
	if _, err := b.comeBack(back); err != nil {
		t.Fatal(err)
	}
	_, err := thief.comeBack(back)
	thief.mustBeRefused("a code that was used", err, domain.CodeUnauthenticated)
	// An attacker who intercepts a code has no verifier for it.
	caught := with(b.sent(b.mustBegin("/")), nil)
	to := thief.mustBegin("/")
	_, err = thief.comeBack(with(caught, url.Values{"state": must(url.Parse(to)).Query()["state"]}))
	thief.mustBeRefused("a code of another", err, domain.CodeUnauthenticated)
	if n := d.Refusals()[string(invalidCode)]; n != 2 || p.exchanged.Load() != 3 {
		t.Errorf("%d refusals, %d exchanges", n, p.exchanged.Load())
	}
}

func TestAnAnswerOfAnotherProviderIsRefused(t *testing.T) {
	for says, wrong := range map[bool][]url.Values{
		false: {{"iss": {"https://evil.example"}}, {"iss": {""}}, {"iss": {"https://evil.example"}, "code": nil, "error": {"access_denied"}}},
		true:  {{"iss": nil}, {"iss": {"https://evil.example"}}},
	} {
		p := newSignInProvider(t, fields{"authorization_response_iss_parameter_supported": says})
		d := open(t, p.config())
		for _, change := range wrong {
			b := d.traveller()
			_, err := b.comeBack(with(b.sent(b.mustBegin("/")), change))
			b.mustBeRefused(change.Encode(), err, domain.CodeUnauthenticated)
		}
		b := d.traveller()
		_, err := b.comeBack(b.sent(b.mustBegin("/")) + "&iss=" + url.QueryEscape(p.URL))
		b.mustBeRefused("named twice", err, domain.CodeUnauthenticated)
		if n := d.Refusals()[string(unknownIssuer)]; n != uint64(len(wrong)+1) || p.exchanged.Load() != 0 {
			t.Errorf("%d refusals, %d exchanges", n, p.exchanged.Load())
		}
	}
}

func TestOnlyAnIDTokenOfThisSignInOpensASession(t *testing.T) {
	p := newSignInProvider(t, nil)
	d := open(t, p.config())
	now := time.Now()
	header := fields{"alg": "EdDSA", "kid": "ed"}
	resigned := func(more fields) func(fields) string {
		return func(c fields) string { return signed(header.with(more), c, edKey()) }
	}
	const refused = domain.CodeUnauthenticated
	for name, tc := range map[string]struct {
		claim  fields
		token  func(fields) string
		reason reason
		code   domain.Code
	}{
		"no typ":                    {nil, resigned(nil), "", ""},
		"Keycloak's":                {fields{"typ": "ID", "azp": consoleClient}, nil, "", ""},
		"Cognito's":                 {fields{"token_use": "id"}, nil, "", ""},
		"for us and others":         {fields{"aud": []string{"other", consoleClient}, "azp": consoleClient}, nil, "", ""},
		"another nonce":             {fields{"nonce": strings.Repeat("A", 43)}, nil, wrongNonce, refused},
		"no nonce":                  {fields{"nonce": nil}, nil, wrongNonce, refused},
		"a nonce that is no text":   {fields{"nonce": []string{"x"}}, nil, wrongNonce, refused},
		"another audience":          {fields{"aud": audience}, nil, wrongAudience, refused},
		"no audience":               {fields{"aud": nil}, nil, wrongAudience, refused},
		"several audiences, no azp": {fields{"aud": []string{"other", consoleClient}}, nil, wrongAudience, refused},
		"for another":               {fields{"azp": "other"}, nil, wrongAudience, refused},
		"another issuer":            {fields{"iss": "https://evil.example"}, nil, unknownIssuer, refused},
		"expired":                   {fields{"exp": now.Add(-2 * time.Minute).Unix()}, nil, expired, refused},
		"no expiry":                 {fields{"exp": nil}, nil, noExpiry, refused},
		"issued in the future":      {fields{"iat": now.Add(time.Hour).Unix()}, nil, notYetValid, refused},
		"no issue time":             {fields{"iat": nil}, nil, malformedClaim, refused},
		"no subject":                {fields{"sub": nil}, nil, noSubject, refused},
		"an access token":           {nil, resigned(fields{"typ": "at+jwt"}), wrongType, refused},
		"Keycloak's access token":   {fields{"typ": "Bearer"}, nil, notForSignIn, refused},
		"Cognito's access token":    {fields{"token_use": "access"}, nil, notForSignIn, refused},
		"none":                      {nil, func(c fields) string { return encode(fields{"alg": "none"}) + "." + encode(c) + "." }, wrongAlgorithm, refused},
		"HS256 by the public key": {nil, func(c fields) string {
			text := encode(fields{"alg": "HS256", "kid": "ed"}) + "." + encode(c)
			mac := hmac.New(sha256.New, edKey()[32:])
			mac.Write([]byte(text))
			return text + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
		}, wrongAlgorithm, refused},
		"of another algorithm":  {nil, func(c fields) string { return signed(fields{"alg": "RS256", "kid": "ed"}, c, rsaKey()) }, wrongAlgorithm, refused},
		"with a key of its own": {nil, resigned(fields{"jwk": jwk("ed", edKey())}), headerRefused, refused},
		"changed on its way": {nil, func(c fields) string {
			text, other := resigned(nil)(c), resigned(nil)(c.with(fields{"roles": "auditor"}))
			return text[:strings.LastIndex(text, ".")] + other[strings.LastIndex(other, "."):]
		}, wrongSignature, refused},
		"no JWT":              {nil, func(fields) string { return "opaque" }, malformed, refused},
		"no name":             {fields{"email": nil}, nil, noName, refused},
		"a name of two lines": {fields{"email": "alice\nbob"}, nil, noName, refused},
		"no role":             {fields{"roles": nil}, nil, noRole, domain.CodeForbidden},
		"another's role":      {fields{"roles": []string{"cook"}}, nil, noRole, domain.CodeForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			d.t, d.at = t, d.at.Add(10*time.Second) // or the limits would show
			p.says(tc.claim, tc.token)
			before, b := d.Refusals(), d.traveller()
			next, err := b.signIn()
			if tc.code == "" {
				if err != nil || b.who().Role != domain.RoleOperator {
					t.Errorf("%v\n%s", err, &d.log)
				}
				return
			}
			b.mustBeRefused(name, err, tc.code)
			if next != "/devices?q=ios" {
				t.Errorf("and it leads to %q", next)
			}
			if tc.reason != "" && d.Refusals()[string(tc.reason)] != before[string(tc.reason)]+1 {
				t.Errorf("the reason is not %s\n%s", tc.reason, &d.log)
			}
		})
	}
	for _, secret := range []string{"alice", "evil", "eyJ", "code+"} {
		if text := d.log.String(); strings.Contains(strings.ReplaceAll(text, "operator=oidc:alice@bank.example", ""), secret) {
			t.Errorf("the log has %s\n%s", secret, text)
		}
	}
}

// One kind of token is never accepted as the other, although both have the same
// issuer, the same keys and, if the provider is careless, the same audiences.
func TestIDTokensAndBearerTokensAreNotInterchangeable(t *testing.T) {
	p := newSignInProvider(t, nil)
	d := open(t, p.config())
	access := p.provider.claims(d.at).with(fields{"email": "alice@bank.example", "roles": "sre"})
	d.is(signed(fields{"alg": "EdDSA", "kid": "ed"}, access, edKey()), domain.RoleOperator, "")
	for name, id := range map[string]fields{
		"as it is":                  access.with(fields{"aud": consoleClient, "nonce": "n", "at_hash": "x"}),
		"without at_hash":           access.with(fields{"aud": consoleClient, "nonce": "n"}),
		"for the other one as well": access.with(fields{"aud": []string{consoleClient, audience}, "azp": consoleClient, "nonce": "n"}),
	} {
		t.Log(name)
		d.is(signed(fields{"alg": "EdDSA", "kid": "ed"}, id, edKey()), domain.NoRole, domain.CodeUnauthenticated)
	}
	p.says(nil, func(fields) string { return signed(fields{"alg": "EdDSA", "kid": "ed"}, access, edKey()) })
	b := d.traveller()
	_, err := b.signIn()
	b.mustBeRefused("an access token in the place of an ID token", err, domain.CodeUnauthenticated)
}

// The log and the answer never repeat the words of a provider that fails. Such a
// failure does not count as a wrong sign-in.
func TestProviderErrorsAreReportedInOurOwnWords(t *testing.T) {
	p := newSignInProvider(t, nil)
	d := open(t, p.config())
	d.flow.timeout = 2 * time.Second
	release := make(chan struct{})
	defer close(release)
	holds := func(answer string) func(http.ResponseWriter) bool { // and keeps the connection
		return func(w http.ResponseWriter) bool {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				fmt.Fprint(conn, answer)
				<-release
				_ = conn.Close()
			}
			return true
		}
	}
	status := func(n int, body string) func(http.ResponseWriter) bool {
		return func(w http.ResponseWriter) bool {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Location", p.URL+"/token?words")
			w.WriteHeader(n)
			fmt.Fprint(w, body)
			return true
		}
	}
	for name, tc := range map[string]struct {
		instead func(http.ResponseWriter) bool
		log     string
	}{
		"down":               {status(500, "words of the provider"), "status 500 and error code unknown"},
		"a made-up error":    {status(400, `{"error":"words of the provider\nlevel=ERROR"}`), "status 400 and error code unknown"},
		"an error with 200":  {status(200, `{"error":"invalid_client"}`), "status 200 and error code invalid_client"},
		"another secret":     {status(401, `{"error":"invalid_client","error_description":"words of the provider"}`), "status 401 and error code invalid_client"},
		"sent elsewhere":     {status(307, ""), "a redirect is not followed"},
		"sent on by GET":     {status(302, ""), "a redirect is not followed"},
		"huge":               {status(200, `{"access_token":"`+strings.Repeat("a", maxDocumentBytes)+`"}`), "cannot be read, or is too long"},
		"no JSON":            {status(200, "words of the provider"), "cannot be read, or is too long"},
		"without ID token":   {status(200, `{"access_token":"words of the provider","token_type":"Bearer"}`), "has no ID token"},
		"with a huge one":    {status(200, `{"access_token":"a","id_token":"`+strings.Repeat("a", maxIDTokenBytes+1)+`"}`), "has no ID token, or one that is too long"},
		"an ID token of 7":   {status(200, `{"access_token":"a","id_token":7}`), "has no ID token"},
		"that never answers": {func(http.ResponseWriter) bool { <-release; return true }, "no answer in time"},
		"stops in the body":  {holds("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"), "no answer in time"},
		"switches protocols": {holds("HTTP/1.1 101 Words\r\nUpgrade: words\r\nConnection: upgrade\r\n\r\n"), "status 101 and error code unknown"},
		"no HTTP": {func(w http.ResponseWriter) bool {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nTransfer-Encoding: words\r\n\r\n")
				_ = conn.Close()
			}
			return true
		}, "is not HTTP"},
	} {
		d.at = d.at.Add(10 * time.Second) // or no more than ten lines would be logged
		p.answers(tc.instead)
		before, asked, b := d.log.String(), p.exchanged.Load(), d.traveller()
		_, err := b.signIn()
		b.mustBeRefused(name, err, domain.CodeInternal)
		b.mustSayWhetherToWait(name, err, slices.Contains([]string{"down", "that never answers", "stops in the body"}, name))
		if said := d.log.String()[len(before):]; !strings.Contains(said, "operators cannot sign in with their identity provider") || !strings.Contains(said, tc.log) ||
			strings.Contains(said, "words") || p.exchanged.Load() != asked+1 {
			t.Errorf("%s: asked %d times\n%s", name, p.exchanged.Load()-asked, said)
		}
	}
	p.answers(nil)
	for word, want := range map[string]string{"access_denied": "refused the sign-in", "<script>\nlevel=ERROR": "refused the sign-in", "server_error": "refused the sign-in"} {
		b := d.traveller()
		_, err := b.comeBack(with(b.sent(b.mustBegin("/")), url.Values{"code": nil, "error": {word}, "error_description": {"words of the provider"}}))
		b.mustBeRefused(word, err, domain.CodeUnauthenticated)
		if !strings.Contains(err.Error(), want) || strings.Contains(d.log.String(), "script") {
			t.Errorf("%s: %v", word, err)
		}
	}
	if _, err := d.traveller().signIn(); err != nil {
		t.Errorf("after the provider recovered: %v", err)
	}
}

// The sign-in page tells people whether waiting helps. A provider that is set up
// wrong does not recover by itself.
func TestTheErrorSaysWhetherAProviderFailureIsTemporary(t *testing.T) {
	gone := newSignInProvider(t, nil)
	cut := func(w http.ResponseWriter) bool { panic(http.ErrAbortHandler) }
	for name, tc := range map[string]struct {
		says    func(issuer string) string
		instead func(http.ResponseWriter) bool
		change  func(*OIDCConfig)
		passes  bool
	}{
		"another issuer":           {says: func(string) string { return `{"issuer":"https://other.example"}` }},
		"no endpoints":             {says: func(issuer string) string { return `{"issuer":"` + issuer + `"}` }},
		"no JSON":                  {says: func(string) string { return "words of the provider" }},
		"too many requests":        {instead: func(w http.ResponseWriter) bool { refuse(w, 429, "slow_down"); return true }, passes: true},
		"another secret":           {change: func(c *OIDCConfig) { c.Client.Secret = "of yesterday" }},
		"another path":             {change: func(c *OIDCConfig) { c.Issuer += "/realms/bank" }},
		"nobody listens":           {change: func(c *OIDCConfig) { c.Issuer = gone.URL; gone.Close() }, passes: true},
		"it closes the connection": {instead: cut, passes: true},
	} {
		t.Run(name, func(t *testing.T) {
			p := newSignInProvider(t, nil)
			p.secret = "right"
			cfg := p.config()
			if tc.change != nil {
				tc.change(cfg)
			}
			if tc.says != nil {
				p.discovery = tc.says
			}
			p.answers(tc.instead)
			b := open(t, cfg).traveller()
			_, err := b.begin("/")
			if err == nil {
				_, err = b.signIn()
			}
			b.mustBeRefused(name, err, domain.CodeInternal)
			b.mustSayWhetherToWait(name, err, tc.passes)
			if !strings.Contains(b.log.String(), "operators cannot sign in with their identity provider") {
				t.Errorf("the log does not say why:\n%s", &b.log)
			}
		})
	}
}

// The log distinguishes a provider that omits a claim from its ID tokens from one
// that gives this person no role. It repeats nothing of the claim.
func TestTheLogSaysWhetherTheClaimIsPresent(t *testing.T) {
	p := newSignInProvider(t, nil)
	d := open(t, p.config())
	for want, claim := range map[string]fields{
		`reason="no role" claim=roles present=false`:                               {"roles": nil},
		`reason="no role" claim=roles present=true`:                                {"roles": []string{"cook"}},
		`reason="no name that the audit trail can hold" claim=email present=false`: {"email": nil},
		`reason="no name that the audit trail can hold" claim=email present=true`:  {"email": "alice\nbob"},
		`msg="an operator's sign-in is refused" reason=nonce omitted=0`:            {"nonce": "another"},
	} {
		d.at = d.at.Add(10 * time.Second)
		p.says(claim, nil)
		before := d.log.String()
		if _, err := d.traveller().signIn(); err == nil {
			t.Errorf("%v signs in", claim)
		}
		if said := d.log.String()[len(before):]; !strings.Contains(said, want) || strings.Contains(said, "cook") || strings.Contains(said, "alice") {
			t.Errorf("not %s:\n%s", want, said)
		}
	}
}

func TestConcurrentCodeExchangesAreLimited(t *testing.T) {
	p := newSignInProvider(t, nil)
	d := open(t, p.config())
	came, release := make(chan struct{}, 2*maxExchanges), make(chan struct{})
	p.answers(func(http.ResponseWriter) bool { came <- struct{}{}; <-release; return false })
	var signingIn sync.WaitGroup
	for range maxExchanges {
		b := d.traveller()
		back := b.sent(b.mustBegin("/"))
		signingIn.Go(func() {
			if _, err := b.comeBack(back); err != nil {
				t.Errorf("one of those under way: %v", err)
			}
		})
	}
	for range maxExchanges {
		<-came
	}
	b := d.traveller()
	_, err := b.signIn()
	b.mustBeRefused("one more", err, domain.CodeOverloaded)
	close(release)
	signingIn.Wait()
	if _, err := b.signIn(); err != nil {
		t.Errorf("after them: %v", err)
	}
}

func TestJunkCallbacksCauseFewExchangesAndUseLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("it has one goroutine, and takes long under the race detector")
	}
	p := newSignInProvider(t, nil)
	d := open(t, p.config())
	codes := map[domain.Code]int{}
	p.described.Store(0) // for the key set
	flood := func(network string, known bool) uint64 {
		for i := range 10_000 {
			b := d.traveller()
			b.address = fmt.Sprintf("%s%x::1", network, i)
			back := callback + "?code=junk&state=" + strings.Repeat("A", 43)
			if known { // with a cookie of its own, and the state that belongs to it
				back = with(back, url.Values{"state": must(url.Parse(b.mustBegin("/"))).Query()["state"], "iss": {p.URL}})
			}
			_, err := b.comeBack(back)
			var refusal *domain.Error
			if !errors.As(err, &refusal) {
				t.Fatal(err)
			}
			codes[refusal.Code]++
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := flood("2001:db8:1:", false)
	if p.exchanged.Load() != 0 || p.described.Load() != 0 {
		t.Errorf("without a cookie: %d exchanges, %d questions for endpoints", p.exchanged.Load(), p.described.Load())
	}
	if after := flood("2001:db8:2:", true); after > before+512<<10 {
		t.Errorf("10,000 more took %d bytes", after-before)
	}
	if n := p.exchanged.Load(); n != exchangesOverall || p.described.Load() != 1 {
		t.Errorf("the provider got %d codes, want %d, and %d questions for endpoints", n, exchangesOverall, p.described.Load())
	}
	if codes[domain.CodeTooManyRequests] < 19_000 || codes[domain.CodeUnauthenticated] != wrongOverall {
		t.Errorf("answers %v", codes)
	}
	if n := d.flow.exchanges.byAddress.Entries(); n > wrongAddresses || len(d.sessions.open) != 0 {
		t.Errorf("%d addresses, %d sessions", n, len(d.sessions.open))
	}
	if lines := strings.Count(d.log.String(), "sign-in is refused"); lines > 10 { // in a second, of a clock that stands still
		t.Errorf("%d log lines", lines)
	}
	d.is(operatorToken, domain.RoleOperator, "")
	d.at = d.at.Add(time.Minute)
	for range 2 * exchangesByAddress {
		b := d.traveller()
		b.address = "198.51.100.7"
		_, err := b.comeBack(with(callback, url.Values{"code": {"junk"}, "state": must(url.Parse(b.mustBegin("/"))).Query()["state"]}))
		if err == nil {
			t.Fatal("a junk code was accepted")
		}
	}
	if n := p.exchanged.Load(); n != exchangesOverall+exchangesByAddress {
		t.Errorf("the provider got %d codes of one address, want %d", n-exchangesOverall, exchangesByAddress)
	}
	if _, err := d.traveller().signIn(); err != nil {
		t.Errorf("an operator a minute later: %v", err)
	}
}

// A callback that belongs to no sign-in opens no session, and costs the
// provider nothing: there is no provider to ask here.
func FuzzSignInAnswer(f *testing.F) {
	dir := f.TempDir()
	tokens, keys := filepath.Join(dir, "tokens"), filepath.Join(dir, "jwks.json")
	if err := errors.Join(os.WriteFile(tokens, []byte(operatorToken), 0o600), os.WriteFile(keys, []byte(keySetOf(jwk("ed", edKey()))), 0o600)); err != nil {
		f.Fatal(err)
	}
	o := must(OpenOperators(OperatorsConfig{TokenFile: tokens, Logger: slog.New(slog.DiscardHandler), OIDC: &OIDCConfig{Issuer: "http://127.0.0.1:1", KeySet: keys,
		Audience: audience, Algorithms: []string{"EdDSA"}, NameClaim: "sub", RoleClaim: "roles", Client: &OIDCClient{ID: consoleClient, Callback: callback}}}))
	s := NewSessions(o, false)
	flow := must(NewCodeFlow(o, s))
	seed := strings.Repeat("A", 43)
	for _, cookie := range []string{"", seed, seed + ".", seed + ".Lw", seed + "=.Lw", "B" + seed, seed + ".Lw.Lw"} {
		f.Add(cookie, "code=x&state="+seed)
		f.Add(cookie, "state=&state=&code=&iss=http%3A%2F%2F127.0.0.1%3A1")
	}
	f.Fuzz(func(t *testing.T, cookie, query string) {
		r := httptest.NewRequest("GET", callback, nil)
		r.URL.RawQuery = query
		r.Header.Set("Cookie", plainSignIn+"="+cookie)
		w := httptest.NewRecorder()
		_, err := flow.Finish(w, r)
		var refusal *domain.Error
		if !errors.As(err, &refusal) || refusal.Code != domain.CodeUnauthenticated && refusal.Code != domain.CodeTooManyRequests || len(s.open) != 0 {
			t.Errorf("%q %q: %v", cookie, query, err)
		}
	})
}

func TestDiscoveredEndpointsAreCachedAndRetriedRarely(t *testing.T) {
	p := newSignInProvider(t, nil)
	good, keys := p.discovery, filepath.Join(t.TempDir(), "jwks.json")
	must0(t, os.WriteFile(keys, []byte(keySetOf(jwk("ed", edKey()))), 0o600))
	cfg := p.config()
	cfg.KeySet = keys // which does not need the provider
	d := open(t, cfg)
	for what, document := range map[string]string{
		"another issuer": strings.ReplaceAll(good(p.URL), `"issuer":"`, `"issuer":"x`),
		"no endpoint":    strings.ReplaceAll(good(p.URL), "token_endpoint", "tocen_endpoint"),
		"plain HTTP":     strings.ReplaceAll(good(p.URL), p.URL+"/authorize", "http://evil.example/authorize"),
		"a script":       strings.ReplaceAll(good(p.URL), p.URL+"/authorize", "javascript:alert(1)//"),
		"too long":       good(p.URL) + strings.Repeat(" ", maxDocumentBytes),
		"no JSON":        "<html>",
	} {
		p.described.Store(0)
		p.discovery = func(string) string { p.described.Add(1); return document }
		for range 100 {
			if to, err := d.traveller().begin("/"); err == nil {
				t.Fatalf("%s: a browser is sent to %s", what, to)
			}
		}
		if n := p.described.Load(); n != 1 {
			t.Errorf("%s: asked %d times", what, n)
		}
		d.at = d.at.Add(endpointsRetryDelay)
	}
	p.described.Store(0)
	p.discovery = good
	for range 100 {
		d.traveller().mustBegin("/")
	}
	d.at = d.at.Add(endpointsTTL)
	p.discovery = func(string) string { p.described.Add(1); return "" }
	for range 100 {
		d.traveller().mustBegin("/")
	}
	if n := p.described.Load(); n != 2 {
		t.Errorf("asked %d times, once well and once while it was down", n)
	}
}

// Strangers can begin sign-ins. If the provider hangs, they must not hold all
// connections of the operator side.
func TestFewSignInsWaitForAProviderThatHangs(t *testing.T) {
	p := newSignInProvider(t, nil)
	good, keys := p.discovery, filepath.Join(t.TempDir(), "jwks.json")
	must0(t, os.WriteFile(keys, []byte(keySetOf(jwk("ed", edKey()))), 0o600))
	cfg := p.config()
	cfg.KeySet = keys // which does not need the provider
	d := open(t, cfg)
	asked := make(chan struct{}, 100)
	hang := func() (answer func()) {
		held := make(chan struct{})
		p.discovery = func(issuer string) string { asked <- struct{}{}; <-held; return good(issuer) }
		answer = sync.OnceFunc(func() { close(held) })
		t.Cleanup(answer)
		return answer
	}
	var signingIn sync.WaitGroup
	begin := func() {
		signingIn.Go(func() {
			if _, err := d.traveller().begin("/"); err != nil {
				t.Errorf("one of those that wait: %v", err)
			}
		})
	}
	answer := hang()
	begin()
	<-asked
	for range maxWaitingOperators {
		begin()
	}
	awaitNumber(t, &d.flow.endpoints.waiting, maxWaitingOperators)
	b := d.traveller()
	_, err := b.begin("/")
	b.mustSayWhetherToWait("one more", err, true)
	answer()
	signingIn.Wait()

	d.at = d.at.Add(endpointsTTL)
	answer = hang()
	begin()
	<-asked
	for range 2 * maxWaitingOperators {
		d.traveller().mustBegin("/")
	}
	if len(d.flow.endpoints.lock) == 0 {
		t.Error("sign-ins waited for newer endpoints, although the last ones are known")
	}
	answer()
	signingIn.Wait()
}

func TestTheSignInCookieHasSafeAttributes(t *testing.T) {
	p := newSignInProvider(t, nil)
	for back, name := range map[string]string{callback: "strongroom-signin", "https://ops.example/signin/oidc/callback": "__Host-strongroom-signin"} {
		cfg := p.config()
		cfg.Client.Callback = back
		b := open(t, cfg).traveller()
		to := b.mustBegin("/" + strings.Repeat("x", maxNextBytes))
		c := b.cookies[name]
		if c == nil || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" || c.Domain != "" || c.MaxAge != 600 || c.Secure != strings.HasPrefix(back, "https") || len(c.Value) > 100 {
			t.Errorf("%+v", b.cookies)
		}
		if asked := must(url.Parse(to)).Query(); asked.Get("redirect_uri") != back || strings.Contains(to, c.Value[:43]) ||
			len(slices.Compact(slices.Sorted(slices.Values([]string{asked.Get("state"), asked.Get("nonce"), asked.Get("code_challenge")})))) != 3 {
			t.Errorf("the provider is asked with %s", to)
		}
	}
}

// Behind a proxy that terminates TLS, the session cookie is still marked Secure.
// It replaces the cookie of a session that a token opened.
func TestAProviderSessionHasASecureCookieBehindATLSProxy(t *testing.T) {
	p := newSignInProvider(t, nil)
	d := open(t, p.config())
	d.flow.secure, d.sessions.secure = true, true // the provider of the test goes on sending to plain HTTP
	b := d.traveller()
	w := httptest.NewRecorder()
	must0(t, d.sessions.SignIn(w, b.request(callback), operatorToken))
	b.keep(w)
	back := b.sent(b.mustBegin("/"))
	if _, err := b.comeBack(back); err != nil {
		t.Fatal(err)
	}
	if c := b.cookies[secureCookie+"-8081"]; len(b.cookies) != 1 || c == nil || !c.Secure || c.SameSite != http.SameSiteStrictMode || b.who().Name != "oidc:alice@bank.example" || len(d.sessions.open) != 1 {
		t.Errorf("cookies %v of %v, %d sessions", b.cookies, b.who(), len(d.sessions.open))
	}
	w = httptest.NewRecorder()
	d.sessions.SignOut(w, b.request(callback))
	b.keep(w)
	if len(b.cookies) != 0 || len(d.sessions.open) != 0 {
		t.Errorf("after signing out there are %v and %d sessions", b.cookies, len(d.sessions.open))
	}
}

func TestTheSecretOfTheClientIsReadFromItsFile(t *testing.T) {
	p := newSignInProvider(t, nil)
	p.secret = clientSecret
	cfg := p.config()
	path := filepath.Join(t.TempDir(), "secret")
	cfg.Client.Secret, cfg.Client.SecretFile = "", path
	for text, mode := range map[string]os.FileMode{"\n": 0o600, "hunter2\nhunter2\n": 0o600, strings.Repeat("hunter2", maxSecretBytes/7+1): 0o600, "hunter2é": 0o600, "hunter2": 0o602} {
		must0(t, os.WriteFile(path, []byte(text), 0o600))
		must0(t, os.Chmod(path, mode))
		e := newEntrance(t, operatorToken, cfg)
		if _, err := NewCodeFlow(e.Operators, NewSessions(e.Operators, false)); err == nil || !strings.HasPrefix(err.Error(), "admin-oidc-client-secret: ") || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%.20q: %v", text, err)
		}
	}
	must0(t, os.Remove(path))
	e := newEntrance(t, operatorToken, cfg)
	if _, err := NewCodeFlow(e.Operators, NewSessions(e.Operators, false)); err == nil {
		t.Error("a missing file was accepted")
	}
	must0(t, os.WriteFile(path, []byte("an old one\n"), 0o600))
	d := open(t, cfg)
	if _, err := d.traveller().signIn(); err == nil {
		t.Error("a wrong secret was accepted")
	}
	must0(t, os.WriteFile(path, []byte(clientSecret+"\n"), 0o600))
	if _, err := d.traveller().signIn(); err != nil {
		t.Errorf("after the secret was changed: %v\n%s", err, &d.log)
	}
}
