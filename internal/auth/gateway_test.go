package auth

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"log/slog"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"strongroom/internal/domain"
)

const (
	oneToken   = "one-service-token-of-32-characters="
	otherToken = "other.service~token_of+32/characters"
)

func tokenFileOf(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func newTestGateway(t *testing.T, cfg GatewayConfig) *Gateway {
	t.Helper()
	cfg.AccountHeader = "Strongroom-Account"
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	g, err := NewGateway(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func (g *Gateway) ask(t *testing.T, token string) (domain.Caller, error) {
	r := httptest.NewRequest("POST", "/graphql", nil)
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Strongroom-Account", "alice")
	return g.Authenticate(r.WithContext(domain.WithCaller(t.Context(), domain.Caller{RequestID: "id"})))
}

func TestAGatewayWithAServiceTokenNamesTheAccount(t *testing.T) {
	path := tokenFileOf(t, "# one for each backend\n\n"+oneToken+"\n\t"+otherToken+"  key:issue credential:reset\r\n")
	for requireScopes, unscoped := range map[bool]domain.Permission{false: domain.OrdinaryPermissions | domain.MayRedeemReceipts, true: 0} {
		g := newTestGateway(t, GatewayConfig{TokenFile: path, RequireScopes: requireScopes})
		for token, permissions := range map[string]domain.Permission{oneToken: unscoped, otherToken: domain.MayIssueKeys | domain.MayResetCredential} {
			got, err := g.ask(t, token)
			want := domain.Caller{Mode: domain.ModeGateway, Subject: "alice", RequestID: "id", Permissions: permissions}
			if err != nil || got != want {
				t.Errorf("%+v, %v; want %+v", got, err, want)
			}
		}
	}
}

// The requests are as they come over the wire, so that what HTTP makes of a
// header is part of the test.
func TestAGatewayIsRefusedWithoutProofOrWithoutOneName(t *testing.T) {
	const proof = "Authorization: Bearer " + oneToken
	g := newTestGateway(t, GatewayConfig{TokenFile: tokenFileOf(t, oneToken)})
	authenticate := func(headers string) (domain.Caller, error) {
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader("POST /graphql HTTP/1.1\r\nHost: vault\r\n" + headers + "\r\n\r\n")))
		if err != nil {
			t.Fatal(err)
		}
		return g.Authenticate(r)
	}
	for name, tc := range map[string]struct {
		headers string
		named   bool // the proof is good, and the refusal is about the header
	}{
		"no token":                  {"Strongroom-Account: canary", false},
		"wrong token":               {"Authorization: Bearer " + otherToken + "\r\nStrongroom-Account: canary", false},
		"part of a token":           {proof[:len(proof)-2] + "\r\nStrongroom-Account: canary", false},
		"token in another case":     {strings.ToUpper(proof) + "\r\nStrongroom-Account: canary", false},
		"two tokens":                {proof + "\r\n" + proof + "\r\nStrongroom-Account: canary", false},
		"no scheme":                 {"Authorization: " + oneToken + "\r\nStrongroom-Account: canary", false},
		"basic":                     {"Authorization: Basic " + oneToken + "\r\nStrongroom-Account: canary", false},
		"no account":                {proof, true},
		"two accounts":              {proof + "\r\nStrongroom-Account: canary\r\nStrongroom-Account: bob", true},
		"the same twice":            {proof + "\r\nStrongroom-Account: canary\r\nStrongroom-Account: canary", true},
		"two spellings":             {proof + "\r\nStrongroom-Account: canary\r\nstrongroom-account: bob", true},
		"another spelling":          {proof + "\r\nStrongroom_Account: canary", true},
		"empty":                     {proof + "\r\nStrongroom-Account:", true},
		"blank":                     {proof + "\r\nStrongroom-Account: \t ", true},
		"no-break space":            {proof + "\r\nStrongroom-Account: \u00a0", true},
		"no-break space around":     {proof + "\r\nStrongroom-Account: canary\u00a0", true},
		"tab":                       {proof + "\r\nStrongroom-Account: can\tary", true},
		"control character beyond":  {proof + "\r\nStrongroom-Account: can\u0085ary", true},
		"not UTF-8":                 {proof + "\r\nStrongroom-Account: canary\xff", true},
		"too long":                  {proof + "\r\nStrongroom-Account: " + strings.Repeat("c", domain.MaxAccountBytes+1), true},
		"account only in a trailer": {proof + "\r\nTrailer: Strongroom-Account", true},
	} {
		t.Run(name, func(t *testing.T) {
			before := g.Refusals()
			c, err := authenticate(tc.headers)
			if counted := !maps.Equal(before, g.Refusals()); counted == tc.named {
				t.Errorf("counted as a bad token: %t", counted)
			}
			refusal := mustRefuse(t, err)
			if (c != domain.Caller{}) || strings.Contains(refusal.Message, "canary") || strings.Contains(refusal.Message, "token-of") {
				t.Errorf("%+v, %s", c, refusal.Message)
			}
			if strings.Contains(refusal.Message, "Strongroom-Account") != tc.named {
				t.Errorf("message %q", refusal.Message)
			}
		})
	}
	for _, account := range []string{"can\x00ary", "can\r\nary", "canary\x7f", " canary", "canary "} { // which HTTP/1.1 does not let through
		r := httptest.NewRequest("POST", "/graphql", nil)
		r.Header = http.Header{"Authorization": {"Bearer " + oneToken}, "Strongroom-Account": {account}}
		if _, err := g.Authenticate(r); err == nil {
			t.Errorf("%q was accepted", account)
		}
	}
	for _, account := range []string{"alice", "Alice", "ａlice", "cn=alice, o=bank", strings.Repeat("c", domain.MaxAccountBytes)} {
		if c, err := authenticate(proof + "\r\nstrongroom-account: " + account); err != nil || c.Subject != account {
			t.Errorf("%q: %q, %v", account, c.Subject, err)
		}
	}
}

// A flood of wrong tokens must not fill the log, and no line may have a token.
func TestRefusedServiceTokensAreLoggedWithTheReason(t *testing.T) {
	var log bytes.Buffer
	g := newTestGateway(t, GatewayConfig{TokenFile: tokenFileOf(t, oneToken), Logger: slog.New(slog.NewTextHandler(&log, nil))})
	now := time.Now()
	g.now = func() time.Time { return now }
	for range 100 {
		if _, err := g.ask(t, otherToken); err == nil {
			t.Fatal("a wrong token is accepted")
		}
	}
	now = now.Add(time.Second)
	if _, err := (gateways{g}).Authenticate(httptest.NewRequest("POST", "/api/receipts/redeem", nil)); err == nil {
		t.Error("a request without a token is accepted")
	}
	if _, err := g.ask(t, oneToken); err != nil {
		t.Error(err)
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 11 || !strings.HasSuffix(lines[0], `level=INFO msg="a bearer token is refused" reason="no service token" omitted=0`) ||
		!strings.HasSuffix(lines[10], `msg="a bearer token is refused" reason="no bearer token" omitted=90`) || strings.Contains(log.String(), otherToken) {
		t.Errorf("the log is\n%s", &log)
	}
	if got := g.Refusals(); got["no service token"] != 100 || got["no bearer token"] != 1 {
		t.Errorf("counted: %v", got)
	}
}

func TestServiceTokensAreReadAgain(t *testing.T) {
	path := tokenFileOf(t, oneToken+"\n")
	var log bytes.Buffer
	g := newTestGateway(t, GatewayConfig{TokenFile: path, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	now := time.Now()
	g.tokens.Now = func() time.Time { return now }
	state := func(write func() error, one, other bool) {
		t.Helper()
		if err := write(); err != nil {
			t.Fatal(err)
		}
		now = now.Add(checkInterval)
		for token, want := range map[string]bool{oneToken: one, otherToken: other} {
			if _, err := g.ask(t, token); (err == nil) != want {
				t.Errorf("%.5s…: %v, want taken %v", token, err, want)
			}
		}
	}
	text := func(text string) func() error {
		return func() error { return os.WriteFile(path, []byte(text), 0o600) }
	}
	state(text(oneToken), true, false)
	state(text(oneToken+"\n"+otherToken), true, true)
	state(text(otherToken), false, true)
	state(text("too-short canary"), false, true)
	state(func() error { return nil }, false, true)
	state(text(""), false, true)
	state(func() error { return os.Remove(path) }, false, true)
	state(func() error { return nil }, false, true)
	state(text(oneToken), true, false)
	state(func() error { return os.Chmod(path, 0o622) }, true, false)
	state(text(otherToken), true, false) // still writable by others
	state(func() error { return os.Chmod(path, 0o600) }, false, true)

	if err := text(oneToken)(); err != nil {
		t.Fatal(err)
	}
	now = now.Add(checkInterval - 1)
	if _, err := g.ask(t, oneToken); err == nil {
		t.Error("the file is looked at too often")
	}
	if n := strings.Count(log.String(), "level=ERROR"); n != 4 {
		t.Errorf("%d errors are logged, want one for each cause:\n%s", n, &log)
	}
	if s := log.String(); strings.Contains(s, "canary") || strings.Contains(s, oneToken) || strings.Contains(s, otherToken) {
		t.Errorf("the log has something of the file:\n%s", s)
	}
}

func TestABadTokenFileStopsTheStart(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"short token":    {oneToken + "\n# rotated\n" + strings.Repeat("canary", 6)[:minServiceToken-1], "line 3"},
		"not a token":    {"canary " + oneToken, "line 1"},
		"odd characters": {"canary:" + oneToken, "line 1"},
		"unknown scope":  {oneToken + " key:issue canary", "line 1: a word after the token is not a scope; the scopes are credential:reset, credential:verify, credential:write, key:issue, metrics:read, receipt:redeem"},
		"star":           {oneToken + " *", "line 1"},
		"twice":          {oneToken + "\n" + oneToken + " key:issue", "line 2"},
		"none":           {"# " + oneToken, "no token"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := NewGateway(GatewayConfig{AccountHeader: "A", TokenFile: tokenFileOf(t, tc.text), Logger: slog.New(slog.DiscardHandler)})
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "canary") || strings.Contains(err.Error(), oneToken) {
				t.Errorf("got %v", err)
			}
		})
	}
	open := tokenFileOf(t, oneToken)
	if err := os.Chmod(open, 0o602); err != nil {
		t.Fatal(err)
	}
	for name, cfg := range map[string]GatewayConfig{
		"no proof":          {AccountHeader: "A"},
		"writable by all":   {AccountHeader: "A", TokenFile: open},
		"missing":           {AccountHeader: "A", TokenFile: open + ".no"},
		"a directory":       {AccountHeader: "A", TokenFile: filepath.Dir(open)},
		"header with space": {AccountHeader: "A B", ClientCertificates: true},
		"reserved header":   {AccountHeader: "authorization", ClientCertificates: true},
	} {
		if _, err := NewGateway(cfg); err == nil {
			t.Errorf("%s: it was accepted", name)
		}
	}
	if _, err := NewGateway(GatewayConfig{AccountHeader: "A", TokenFile: open + ".no"}); err == nil || !strings.Contains(err.Error(), "openssl rand -base64 32") {
		t.Errorf("a missing file: %v", err)
	}
}

// authority makes certificates.
type authority struct {
	*x509.Certificate
	key *ecdsa.PrivateKey
}

func newAuthority() authority {
	return authority{key: must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))}.sign(&x509.Certificate{
		Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
}

func (a authority) sign(c *x509.Certificate) authority {
	c.SerialNumber = big.NewInt(time.Now().UnixNano())
	c.NotBefore = time.Now().Add(-24 * time.Hour)
	if c.NotAfter.IsZero() {
		c.NotAfter = time.Now().Add(24 * time.Hour)
	}
	made, issuer := authority{key: a.key}, c
	if a.Certificate != nil {
		made.key, issuer = must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)), a.Certificate
	}
	der := must(x509.CreateCertificate(rand.Reader, c, issuer, made.key.Public(), a.key))
	made.Certificate = must(x509.ParseCertificate(der))
	return made
}

func TestAClientCertificateAuthenticatesAGateway(t *testing.T) {
	ours, stranger := newAuthority(), newAuthority()
	var usage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	named := func(names ...string) *x509.Certificate {
		return &x509.Certificate{DNSNames: names, ExtKeyUsage: usage}
	}
	good := ours.sign(named("Gateway.bank.example"))
	tokens := tokenFileOf(t, otherToken+" credential:reset")

	g := newTestGateway(t, GatewayConfig{ClientCertificates: true, TokenFile: tokens, RequireScopes: true,
		ClientNames: []string{"other", "gateway.bank.example", "gateway-by-common-name"}})
	gateways := map[string]*Gateway{"named": g,
		"any":    newTestGateway(t, GatewayConfig{ClientCertificates: true}),
		"tokens": newTestGateway(t, GatewayConfig{TokenFile: tokens})}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := gateways[r.URL.Path[1:]].Authenticate(r)
		if err != nil {
			mustRefuse(t, err)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprintf(w, "%s %b", c.Subject, c.Permissions)
	}))
	roots := x509.NewCertPool()
	roots.AddCert(ours.Certificate)
	server.TLS = &tls.Config{ClientAuth: tls.VerifyClientCertIfGiven, ClientCAs: roots}
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.StartTLS()
	defer server.Close()

	ask := func(path string, certificate *authority, token string) string {
		transport := server.Client().Transport.(*http.Transport).Clone()
		defer transport.CloseIdleConnections()
		if certificate != nil {
			transport.TLSClientConfig.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
				return &tls.Certificate{Certificate: [][]byte{certificate.Raw}, PrivateKey: certificate.key}, nil
			}
		}
		r := must(http.NewRequestWithContext(t.Context(), "POST", server.URL+"/"+path, nil))
		r.Header.Set("Strongroom-Account", "alice")
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		answer, err := transport.RoundTrip(r)
		if err != nil {
			return "no connection"
		}
		defer answer.Body.Close()
		var body bytes.Buffer
		_, _ = body.ReadFrom(answer.Body)
		if answer.StatusCode != http.StatusOK {
			return "refused"
		}
		return body.String()
	}
	ordinary := fmt.Sprintf("alice %b", domain.OrdinaryPermissions|domain.MayRedeemReceipts)
	for name, tc := range map[string]struct {
		path        string
		certificate authority
		token, want string
	}{
		"named":                    {"named", good, "", ordinary},
		"named by its common name": {"named", ours.sign(&x509.Certificate{Subject: pkix.Name{CommonName: "gateway-by-common-name"}, ExtKeyUsage: usage}), "", ordinary},
		"any of the authority":     {"any", ours.sign(named("anyone")), "", ordinary},
		"and a token":              {"named", good, otherToken, fmt.Sprintf("alice %b", domain.MayResetCredential)},
		"and a wrong token":        {"named", good, oneToken, ordinary},
		"wrong name":               {"named", ours.sign(named("eve.bank.example", "x.gateway.bank.example")), "", "refused"},
		"common name beside others": {"named", ours.sign(&x509.Certificate{Subject: pkix.Name{CommonName: "gateway-by-common-name"},
			DNSNames: []string{"eve"}, ExtKeyUsage: usage}), "", "refused"},
		"no usage at all":                {"any", ours.sign(&x509.Certificate{DNSNames: []string{"x"}}), "", "refused"},
		"certificate instead of a token": {"tokens", good, "", "refused"},
		"for servers":                    {"any", ours.sign(&x509.Certificate{DNSNames: []string{"x"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}), "", "no connection"},
		"of another authority":           {"any", stranger.sign(named("gateway.bank.example")), "", "no connection"},
		"expired": {"any", ours.sign(&x509.Certificate{DNSNames: []string{"x"}, ExtKeyUsage: usage,
			NotAfter: time.Now().Add(-time.Hour)}), "", "no connection"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := ask(tc.path, &tc.certificate, tc.token); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
	if got := ask("any", nil, ""); got != "refused" {
		t.Errorf("without a certificate: %q", got)
	}
	gateways["any"].now = func() time.Time { return good.NotAfter.Add(time.Second) }
	if got := ask("any", &good, ""); got != "refused" {
		t.Errorf("a certificate that expired on an open connection: %q", got)
	}
	unverified := httptest.NewRequest("POST", "/", nil)
	unverified.Header.Set("Strongroom-Account", "alice")
	unverified.TLS = &tls.ConnectionState{PeerCertificates: []*x509.Certificate{good.Certificate}}
	if _, err := g.Authenticate(unverified); err == nil {
		t.Error("an unverified certificate was accepted")
	}
}
