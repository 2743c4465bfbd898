package server

import (
	"net/http"
	"testing"
)

// What has a bearer token, or a path that something else has, is none of the
// console's: a program never gets a page, and a page never a profile.
func TestTheConsoleGetsWhatNothingElseHas(t *testing.T) {
	seen := map[string]bool{}
	r := start(t, Config{Console: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen[r.URL.Path] = true
		w.WriteHeader(http.StatusTeapot)
	})})
	for path, status := range map[string]int{"/": 418, "/devices": 418, "/live/overview": 418, "/metrics": 401, "/readyz": 401,
		"/debug/pprof/": 401, "/debug/pprof/heap": 401, "/admin/v1x": 418} {
		if got := r.do("GET", r.admin+path); got.Status != status {
			t.Errorf("%s without a token: %d, want %d", path, got.Status, status)
		}
	}
	clear(seen)
	for _, path := range []string{"/", "/devices", "/live/overview"} {
		if got := r.do("GET", r.admin+path, "Authorization", "Bearer "+testToken); got.Status != 404 {
			t.Errorf("%s with a token: %d", path, got.Status)
		}
		if got := r.do("GET", r.admin+path, "Authorization", ""); got.Status != 401 {
			t.Errorf("%s with an empty one: %d", path, got.Status)
		}
		if got := r.do("GET", r.api+path); got.Status != 404 {
			t.Errorf("%s on the public side: %d", path, got.Status)
		}
	}
	if len(seen) > 0 {
		t.Errorf("the console was asked for %v", seen)
	}
}
