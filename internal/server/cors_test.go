package server

import (
	"maps"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
)

func TestAnswersToAPIRequestsCarryTheDPoPNonce(t *testing.T) {
	nonce := "first"
	s := start(t, Config{Nonce: func() string { return nonce }, Authenticator: refuser{&domain.Error{Code: domain.CodeUnauthenticated, Reason: domain.ReasonDPoPNonceRequired}}})
	for _, path := range []string{"/graphql", "/api/encryption/keys"} {
		a := s.do("POST", s.api+path)
		if a.Status != 401 || a.Header.Get("DPoP-Nonce") != nonce || a.Header.Get("WWW-Authenticate") != `DPoP error="use_dpop_nonce", algs="ES256 EdDSA Ed25519"` {
			t.Errorf("%s: %d, %v", path, a.Status, a.Header)
		}
	}
	if a := s.do("GET", s.api+"/healthz"); a.Header["Dpop-Nonce"] != nil {
		t.Error("a probe got a nonce")
	}
	nonce = ""
	if a := s.do("POST", s.api+"/graphql"); a.Header["Dpop-Nonce"] != nil {
		t.Error("an empty nonce was sent")
	}
}

// corsHeadersOf returns the CORS headers of an answer.
func corsHeadersOf(h http.Header) map[string]string {
	found := map[string]string{}
	for name := range h {
		if name == "Vary" || name == "Cross-Origin-Resource-Policy" || len(name) > 14 && name[:14] == "Access-Control" {
			found[name] = h.Get(name)
		}
	}
	return found
}

func TestOnlyScriptsOfListedOriginsMayReadAnswers(t *testing.T) {
	const app = "https://app.example.com"
	preflight := func(origin string) []string {
		return []string{"Origin", origin, "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type,strongroom-account"}
	}
	nothing := map[string]string{"Cross-Origin-Resource-Policy": "same-origin"}
	unlisted := map[string]string{"Cross-Origin-Resource-Policy": "same-origin", "Vary": "Origin"}
	allowed := map[string]string{"Cross-Origin-Resource-Policy": "cross-origin", "Vary": "Origin", "Access-Control-Allow-Origin": app}
	with := func(more ...string) map[string]string {
		all := maps.Clone(allowed)
		for i := 0; i < len(more); i += 2 {
			all[more[i]] = more[i+1]
		}
		return all
	}
	readable := with("Access-Control-Expose-Headers", "Retry-After, X-Request-Id, WWW-Authenticate, DPoP-Nonce, Date")
	preflighted := func(methods string) map[string]string {
		return with("Access-Control-Allow-Methods", methods, "Access-Control-Max-Age", "600",
			"Access-Control-Allow-Headers", "Content-Type, Authorization, DPoP, Accept, x-request-id, traceparent, tracestate, "+
				"apollographql-client-name, apollographql-client-version, apollo-require-preflight")
	}
	// The caller is refused, so that what reaches authentication shows.
	none := start(t, Config{Authenticator: refuser{&domain.Error{Code: domain.CodeUnauthenticated}}})
	some := start(t, Config{Authenticator: refuser{&domain.Error{Code: domain.CodeUnauthenticated}}, CORSOrigins: []string{"http://localhost:3000", app}})
	for _, c := range []struct {
		name   string
		server *running
		method string
		path   string
		header []string
		status int
		want   map[string]string
	}{
		{"no origins, plain", none, "POST", "/graphql", nil, 401, nothing},
		{"no origins, a script", none, "POST", "/graphql", []string{"Origin", app}, 401, nothing},
		{"no origins, preflight", none, "OPTIONS", "/graphql", preflight(app), 401, nothing},
		{"no origins, preflight of REST", none, "OPTIONS", "/api/encryption/keys", preflight(app), 405, nothing},
		{"no script", some, "POST", "/graphql", nil, 401, unlisted},
		{"listed", some, "POST", "/graphql", []string{"Origin", app}, 401, readable},
		{"listed, GET", some, "GET", "/readyz", []string{"Origin", app}, 200, readable},
		{"listed, not found", some, "GET", "/nothing", []string{"Origin", app}, 404, readable},
		{"preflight", some, "OPTIONS", "/graphql", preflight(app), 204, preflighted("POST, GET")},
		{"preflight of REST", some, "OPTIONS", "/api/encryption/keys", preflight(app), 204, preflighted("POST")},
		{"preflight elsewhere", some, "OPTIONS", "/readyz", preflight(app), 405, readable},
		{"OPTIONS that asks nothing", some, "OPTIONS", "/graphql", []string{"Origin", app}, 401, readable},
		{"POST that looks like one", some, "POST", "/graphql", preflight(app), 401, readable},
		{"other origin", some, "POST", "/graphql", []string{"Origin", "https://evil.example.com"}, 401, unlisted},
		{"other scheme", some, "POST", "/graphql", []string{"Origin", "http://app.example.com"}, 401, unlisted},
		{"other port", some, "POST", "/graphql", []string{"Origin", app + ":8443"}, 401, unlisted},
		{"longer", some, "POST", "/graphql", []string{"Origin", app + ".evil.example"}, 401, unlisted},
		{"other case", some, "POST", "/graphql", []string{"Origin", "https://APP.example.com"}, 401, unlisted},
		{"null", some, "POST", "/graphql", []string{"Origin", "null"}, 401, unlisted},
		{"*", some, "POST", "/graphql", []string{"Origin", "*"}, 401, unlisted},
		{"preflight of another", some, "OPTIONS", "/graphql", preflight("https://evil.example.com"), 401, unlisted},
	} {
		got := c.server.do(c.method, c.server.api+c.path, c.header...)
		if got.Status != c.status {
			t.Errorf("%s: status %d, want %d", c.name, got.Status, c.status)
		}
		if diff := cmp.Diff(c.want, corsHeadersOf(got.Header)); diff != "" {
			t.Errorf("%s: headers (-want +got):\n%s", c.name, diff)
		}
		if c.status == 204 && got.Body != "" {
			t.Errorf("%s: with a body: %s", c.name, got.Body)
		}
	}
	if got := some.do("OPTIONS", some.admin+"/metrics", preflight(app)...); got.Status != 401 || got.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("the operator side answers %d %v", got.Status, got.Header)
	}
}
