package server

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
)

func TestPagesNeedNoCallerUnlessDeclaredAndTheExplorerIsForBrowsersOnly(t *testing.T) {
	page := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Security-Policy", "own")
			_, _ = io.WriteString(w, text)
		})
	}
	r := start(t, Config{Authenticator: refuser{&domain.Error{Code: domain.CodeUnauthenticated, Message: "who?"}}, Explorer: page("explorer"),
		Pages: map[string]Page{"/sandbox/": {Methods: getOnly, Handler: page("page")}, "/sandbox/doctor/keys": {Methods: []string{"POST"}, Handler: page("keys"), Caller: true},
			"/sandbox/assets/x.0123.js": {Methods: getOnly, Handler: page("asset")}, "/": {Methods: getOnly, Handler: page("welcome"), Browser: true}}})
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for _, c := range []struct {
		method, path, accept string
		status               int
		body                 string
	}{
		{"GET", "/sandbox/", browser, 200, "page"},
		{"GET", "/sandbox/assets/x.0123.js", "*/*", 200, "asset"},
		{"POST", "/sandbox/", "", 405, ""},
		{"GET", "/sandbox/assets/../", "", 404, ""},
		{"GET", "/sandbox/%2e%2e/graphql", "", 404, ""},
		{"POST", "/sandbox/doctor/keys", "", 401, "who?"},
		{"GET", "/", browser, 200, "welcome"},
		{"HEAD", "/", browser, 200, ""},
		{"GET", "/graphql", browser, 200, "explorer"},
		{"HEAD", "/graphql", browser, 200, ""},
		{"GET", "/graphql", "*/*", 401, "who?"},
		{"GET", "/graphql", "application/json", 401, "who?"},
		{"GET", "/graphql?query={__typename}", browser, 401, "who?"},
		{"POST", "/graphql", browser, 401, "who?"},
	} {
		got := r.do(c.method, r.api+c.path, "Accept", c.accept)
		if got.Status != c.status || !strings.Contains(got.Body, c.body) {
			t.Errorf("%s %s for %s: %d %s", c.method, c.path, c.accept, got.Status, got.Body)
		}
		if policy := got.Header["Content-Security-Policy"]; got.Status == 200 && (len(policy) != 1 || policy[0] != "own") {
			t.Errorf("%s %s: the page's own policy must be the only one: %q", c.method, c.path, policy)
		}
		if got.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s %s: %v", c.method, c.path, got.Header)
		}
	}
	for _, c := range [][3]string{{"GET", "/", "*/*"}, {"GET", "/", "application/json"}, {"GET", "/?a", browser}, {"POST", "/", browser}, {"OPTIONS", "/", browser}} {
		there, nowhere := r.do(c[0], r.api+c[1], "Accept", c[2]), r.do(c[0], r.api+"/nowhere", "Accept", c[2])
		for _, h := range []http.Header{there.Header, nowhere.Header} {
			h.Del("X-Request-Id")
			h.Del("Date")
		}
		if diff := cmp.Diff(nowhere, there); there.Status != 404 || diff != "" {
			t.Errorf("%s %s for %s differs from an unknown path (-unknown +it):\n%s", c[0], c[1], c[2], diff)
		}
	}
	if got := r.do("GET", r.admin+"/sandbox/", "Authorization", "Bearer "+testToken); got.Status != 404 {
		t.Errorf("on the operator's side: %d", got.Status)
	}
	r.log.await(t, "route=/sandbox/assets/ status=200", 1)
	if strings.Contains(r.log.String(), "0123") {
		t.Error("the log names each asset")
	}
}
