package server

import (
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"strongroom/internal/auth"
	"strongroom/internal/domain"
	"strongroom/internal/lograte"
)

// Requests with a bearer token, or for a path of another handler, do not reach
// the console. A program never gets a page, and a page never gets a profile.
func TestTheConsoleGetsOnlyUnclaimedPathsWithoutAToken(t *testing.T) {
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

// listening is a listener that says it is at this address.
type listening struct {
	net.Listener
	at net.TCPAddr
}

func (l listening) Addr() net.Addr { return &l.at }

func TestAStartLogsTheURLsOfThePages(t *testing.T) {
	nothing := http.NotFoundHandler()
	r := start(t, Config{Console: nothing, Explorer: nothing})
	r.log.await(t, "console="+r.admin+"/ sandbox="+r.api+"/sandbox/\n", 1)
	for want, e := range map[string]endpoint{
		"http://[::1]:8081":     {open: &connections{Listener: listening{at: net.TCPAddr{IP: net.IPv6loopback, Port: 8081}}}},
		"http://localhost:8081": {open: &connections{Listener: listening{at: net.TCPAddr{IP: net.IPv6unspecified, Port: 8081}}}}, // which is no address to go to
		"https://10.0.0.7:8443": {open: &connections{Listener: listening{at: net.TCPAddr{IP: net.IPv4(10, 0, 0, 7), Port: 8443}}}, tls: &tls.Config{MinVersion: tls.VersionTLS13}},
	} {
		if got := e.url(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Automatic requests of a page are logged at debug if they succeed. A client
// without a session causes no more lines than elsewhere.
func TestAutomaticRequestsOfPagesAreQuietOnlyOnSuccess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the clock stands still
		var log buffer
		status := http.StatusOK
		f := &middleware{
			console:  http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }),
			cfg:      &Config{Logger: slog.New(slog.NewTextHandler(&log, nil))},
			working:  make(chan struct{}, 1),
			answered: func(string, int) {},
		}
		for of, want := range map[int]int{http.StatusOK: 0, http.StatusInternalServerError: lograte.PerSecond, http.StatusSeeOther: lograte.PerSecond} {
			log, status = buffer{}, of
			for range 300 {
				f.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/live/overview", nil))
			}
			if got := strings.Count(log.String(), "\n"); got != want {
				t.Errorf("%d: %d lines, want %d", of, got, want)
			}
		}
	})
}

// Anyone may open the sign-in page. This must not hide what operators do.
func TestStrangersDoNotHidePagesOfOperatorsInTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the clock stands still
		var log buffer
		f := &middleware{
			console: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/signin" {
					w.(interface{ ActsAs(string) }).ActsAs("token:1f2e3d4c")
				}
				w.WriteHeader(http.StatusOK)
			}),
			cfg:      &Config{Logger: slog.New(slog.NewTextHandler(&log, nil))},
			working:  make(chan struct{}, 1),
			answered: func(string, int) {},
		}
		ask := func(path string, times int) {
			for range times {
				f.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
			}
		}
		ask("/signin", 300)
		ask("/accounts", 2*lograte.PerSecond)
		strangers := strings.Count(log.String(), "\n") - strings.Count(log.String(), "operator=token:1f2e3d4c")
		if lines := strings.Count(log.String(), "operator=token:1f2e3d4c"); lines != 2*lograte.PerSecond || strangers != lograte.PerSecond {
			t.Errorf("%d lines of an operator, %d of strangers", lines, strangers)
		}
	})
}

// Sign-ins are limited for each operator. A second limit for all must not hide any.
func TestOneOperatorsSignInsDoNotHideThoseOfAnother(t *testing.T) {
	var log buffer
	path := filepath.Join(t.TempDir(), "admin.token")
	if err := os.WriteFile(path, []byte(testToken+"\n"+viewerToken+" viewer\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	operators, err := auth.OpenOperators(auth.OperatorsConfig{TokenFile: path, Logger: slog.New(LogRequestID(slog.NewTextHandler(&log, nil)))})
	if err != nil {
		t.Fatal(err)
	}
	sessions := auth.NewSessions(operators, false)
	signIn := func(token string) {
		r := httptest.NewRequest("POST", "/signin", nil)
		r = r.WithContext(domain.WithCaller(r.Context(), domain.Caller{RequestID: domain.NewRequestID(time.Now())}))
		if err := sessions.SignIn(httptest.NewRecorder(), r, token); err != nil {
			t.Fatal(err)
		}
	}
	for range 300 {
		signIn(viewerToken)
	}
	signIn(testToken)
	if lines := strings.Count(log.String(), "may_write=true"); lines != 1 || strings.Count(log.String(), "request_id=") != strings.Count(log.String(), "\n") {
		t.Errorf("%d lines of the operator:\n%.2000s", lines, log.String())
	}
}
