package server

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"strongroom/internal/admin"
	"strongroom/internal/apierr"
	"strongroom/internal/domain"
)

func TestTheOperatorListenerRequiresAnOperatorToken(t *testing.T) {
	for _, path := range []string{"/metrics", "/debug/pprof/", "/admin/v1/devices", "/", "/nothing"} {
		r := start(t, Config{Admin: http.NotFoundHandler()}) // of its own, with limits of its own
		for _, header := range []string{"", "Bearer", "Bearer ", "Bearer wrong", "Bearer " + testToken + "x", "Basic " + testToken, testToken} {
			got := r.do("GET", r.admin+path, "Authorization", header)
			if got.Status != 401 || got.Header.Get("WWW-Authenticate") != "Bearer" || !strings.Contains(got.Body, `"UNAUTHENTICATED"`) {
				t.Errorf("%s with %q: %d %s", path, header, got.Status, got.Body)
			}
		}
	}
	now := time.Now() // which stands still, or what is limited would hang on speed
	r := start(t, Config{Operators: operatorsOf(t, func() time.Time { return now }, testToken)})
	for path, status := range map[string]int{"/metrics": 200, "/healthz": 200, "/readyz": 200, "/debug/pprof/": 200, "/debug/pprof/goroutine": 200,
		"/debug/pprof/cmdline": 200, "/nothing": 404, "/graphql": 404, "/debug/pprof/nothing": 404, "/admin/v1": 404} {
		if got := r.do("GET", r.admin+path, "Authorization", "bearer "+testToken); got.Status != status {
			t.Errorf("%s with the token: %d %s", path, got.Status, got.Body)
		}
	}
	for i := range 61 {
		if got := r.do("GET", r.admin+"/metrics", "Authorization", fmt.Sprint("Bearer wrong-", i)); (got.Status == 429) != (i == 60) {
			t.Errorf("wrong token %d: %d", i, got.Status)
		} else if got.Status == 429 && (got.Header.Get("Retry-After") != "1" || !strings.Contains(got.Body, `"TOO_MANY_REQUESTS"`)) {
			t.Errorf("one too many: %q %s", got.Header, got.Body)
		}
	}
	r.settle()
	want := map[domain.Code]int{domain.CodeNotFound: 4, domain.CodeUnauthenticated: 60, domain.CodeTooManyRequests: 1}
	for _, code := range *r.refusedOperators {
		want[code]--
	}
	for code, missing := range want {
		if missing != 0 || len(*r.refused) != 0 {
			t.Errorf("%s: %d refusals too few were reported; and %v were reported for the API", code, missing, *r.refused)
		}
	}
}

func TestReadinessNamesDeadNodesOfTheDatabaseToOperatorsOnly(t *testing.T) {
	r := start(t, Config{DeadNodes: func() []string { return []string{"10.0.0.7:5432"} }})
	const want = `{"status":"ready","rootKeys":[],"deadNodes":["10.0.0.7:5432"]}`
	if got := r.do("GET", r.admin+"/readyz", "Authorization", "Bearer "+testToken); strings.TrimSpace(got.Body) != want {
		t.Errorf("operators read %s, want %s", got.Body, want)
	}
	if got := r.do("GET", r.api+"/readyz"); strings.TrimSpace(got.Body) != `{"status":"ready"}` {
		t.Errorf("anyone reads %s", got.Body)
	}
}

func TestReadinessNamesTheRootKeysToOperatorsOnly(t *testing.T) {
	now := time.Now()
	r := start(t, Config{RootKeys: func() []domain.RootKey {
		return []domain.RootKey{{URL: "vault:https://vault.example.com/transit/strongroom", CheckedAt: now, Problem: "connection refused", Reason: "unreachable"},
			{URL: "file:/etc/strongroom/root.key", CheckedAt: now}}
	}})
	const want = `{"status":"ready","rootKeys":[{"provider":"vault","opens":false,"reason":"unreachable"},{"provider":"file","opens":true}]}`
	if got := r.do("GET", r.admin+"/readyz", "Authorization", "Bearer "+testToken); strings.TrimSpace(got.Body) != want {
		t.Errorf("operators read %s, want %s", got.Body, want)
	}
	if got := r.do("GET", r.api+"/readyz"); strings.TrimSpace(got.Body) != `{"status":"ready"}` {
		t.Errorf("anyone reads %s", got.Body)
	}
}

// The operator listener has few connections. A client without a token must not keep one.
func TestAnOperatorConnectionWithoutATokenIsClosed(t *testing.T) {
	r := start(t, Config{})
	c, err := net.Dial("tcp", strings.TrimPrefix(r.admin, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprint(c, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n")
	answer, err := io.ReadAll(c)
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 401") {
		t.Errorf("the connection was not closed after the answer: %v, %.100q", err, answer)
	}
}

func TestAViewerMayReadButTakeNoProfiles(t *testing.T) {
	r := start(t, Config{})
	for path, status := range map[string]int{"/metrics": 200, "/healthz": 200, "/readyz": 200, "/nothing": 404,
		"/debug/pprof/": 403, "/debug/pprof/heap": 403, "/debug/pprof/profile": 403, "/debug/pprof/nothing": 404} {
		got := r.do("GET", r.admin+path, "Authorization", "Bearer "+viewerToken)
		if got.Status != status || (status == 403) != strings.Contains(got.Body, `"FORBIDDEN"`) {
			t.Errorf("%s: %d %s", path, got.Status, got.Body)
		}
	}
}

func TestTheAdminAPIKnowsTheOperatorAndRefusalsAreProblemDocuments(t *testing.T) {
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/admin/v1/panic" {
			panic("canary")
		}
		o := domain.OperatorFrom(r.Context())
		fmt.Fprintf(w, "%s %s %d", r.Method, o.Name[:len("token:")], o.Role)
	})
	r := start(t, Config{Admin: api})
	for _, path := range []string{"/admin/v1", "/admin/v1/", "/admin/v1/devices", "/admin/v1/x/../y", "/admin/v1//", "/admin%2fv1/devices"} {
		for token, role := range map[string]domain.Role{testToken: domain.RoleOperator, viewerToken: domain.RoleViewer} {
			for _, method := range []string{"GET", "POST", "DELETE"} { // which of them are right is its own matter
				got := r.do(method, r.admin+path, "Authorization", "Bearer "+token)
				if want := fmt.Sprintf("%s token: %d", method, role); got.Status != 200 || got.Body != want {
					t.Errorf("%s %s: %d %s, want %s", method, path, got.Status, got.Body, want)
				}
			}
		}
	}
	for _, path := range []string{"/admin", "/admin/", "/admin/v2", "/admin/v1x", "/Admin/v1", "//admin/v1"} {
		if got := r.do("GET", r.admin+path, "Authorization", "Bearer "+testToken); got.Status != 404 {
			t.Errorf("%s: %d %s", path, got.Status, got.Body)
		}
	}
	for status, got := range map[int]answer{
		401: r.do("GET", r.admin+"/admin/v1/devices"),
		500: r.do("GET", r.admin+"/admin/v1/panic", "Authorization", "Bearer "+testToken),
	} {
		var problem apierr.Problem
		decoder := json.NewDecoder(strings.NewReader(got.Body))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&problem); err != nil || got.Header.Get("Content-Type") != "application/problem+json" {
			t.Fatalf("%d is not a problem document: %v, %s, %s", status, err, got.Header.Get("Content-Type"), got.Body)
		}
		if got.Status != status || problem.Status != status || problem.Title != http.StatusText(status) || problem.Type != "about:blank" ||
			problem.Code == "" || problem.Detail == "" || problem.RequestID != got.Header.Get("X-Request-Id") {
			t.Errorf("%d: %d %+v", status, got.Status, problem)
		}
	}
	r.settle()
	log := r.log.String()
	if !strings.Contains(log, "route=/admin/v1 ") || strings.Contains(log, "devices") {
		t.Errorf("the log lacks the route, or has a path:\n%s", log)
	}
	for status, named := range map[string]bool{"200": true, "500": true, "401": false} {
		line := regexp.MustCompile(`route=/admin/v1 status=` + status + ` .*\n`).FindString(log)
		if line == "" || strings.Contains(line, " operator=token:") != named {
			t.Errorf("%s: its line names the operator, %v: %q", status, !named, line)
		}
	}
}

func TestAnUnverifiableOperatorTokenGets503AndNoConnection(t *testing.T) {
	r := start(t, Config{Operators: operatorsOf(t, nil, testToken), Admin: http.NotFoundHandler()})
	// A provider whose key set never came: see internal/auth for the rest.
	w := httptest.NewRecorder()
	f := &middleware{cfg: &Config{Logger: slog.New(slog.DiscardHandler)}, operators: operatorsOf(t, nil, testToken)}
	f.refuseOperator(&responseWriter{ResponseWriter: w}, httptest.NewRequest("GET", "/admin/v1", nil), fmt.Errorf("no keys"))
	if w.Code != 503 || w.Header().Get("Retry-After") == "" || w.Header().Get("Connection") != "close" || !strings.Contains(w.Body.String(), `"INTERNAL"`) || strings.Contains(w.Body.String(), "no keys") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if got := r.do("GET", r.admin+"/metrics", "Authorization", "Bearer "+testToken); got.Status != 200 {
		t.Errorf("%d", got.Status)
	}
}

func TestAServerWithoutOperatorsDoesNotStart(t *testing.T) {
	if _, err := Listen(Config{Listen: "127.0.0.1:0", AdminListen: "127.0.0.1:0", Logger: slog.New(slog.DiscardHandler)}); err == nil {
		t.Error("its operator side would be open")
	}
}

// wire sends requests exactly as written here, which net/http's client would
// not do, and reads the answers.
type wire struct {
	t       *testing.T
	address string
	conn    net.Conn
	in      *bufio.Reader
}

func (w *wire) send(method, target, host string) *http.Response {
	w.t.Helper()
	for again := range 2 {
		if w.conn == nil {
			var err error
			if w.conn, err = net.Dial("tcp", w.address); err != nil {
				w.t.Fatal(err)
			}
			w.in = bufio.NewReader(w.conn)
		}
		fmt.Fprintf(w.conn, "%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: 0\r\n\r\n", method, target, host, testToken)
		res, err := http.ReadResponse(w.in, &http.Request{Method: method})
		if err != nil && again == 0 { // it was closed after the answer before
			w.conn.Close()
			w.conn = nil
			continue
		} else if err != nil {
			w.t.Fatalf("%s %s: %v", method, target, err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if res.Close {
			w.conn.Close()
			w.conn = nil
		}
		return res
	}
	panic("unreachable")
}

// disguises are spellings of a path that look like it.
func disguises(path string) []string {
	return []string{
		path, path + "/", path + "//", "/" + path, "//x" + path, "/." + path, "/x/.." + path, "/graphql/.." + path, "/graphql" + path,
		"/api/encryption/keys/.." + path, "/healthz/.." + path, path + "/.", path + "?x", path + "%00", path + ";x", path + "%2f",
		strings.ReplaceAll(path, "/", "%2f"), strings.ReplaceAll(path, "/", "%2F")[3:], strings.Replace(path, "/", "/%2e%2e/", 1), strings.ReplaceAll(path, "/", "%5c"),
		strings.ToUpper(path), strings.ToUpper(path[:2]) + path[2:], strings.ReplaceAll(path, "/", "/./"), strings.ReplaceAll(path, "a", "%61"),
	}
}

func TestNoOperatorPathAnswersOnThePublicListener(t *testing.T) {
	var mu sync.Mutex
	reached := 0
	r := start(t, Config{SDL: "type Query", Admin: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		reached++
	})})
	paths := append([]string{"/console", "/admin", "/debug", "/debug/pprof"}, admin.Paths()...)
	for path := range new(Server).operatorRoutes() {
		paths = append(paths, path)
	}
	public := &wire{t: t, address: strings.TrimPrefix(r.api, "http://")}
	operator := &wire{t: t, address: strings.TrimPrefix(r.admin, "http://")}
	defer func() { public.conn.Close(); operator.conn.Close() }()
	known, sent := 0, 0
	for _, path := range paths {
		path = strings.NewReplacer("{", "", "}", "").Replace(path)
		if res := operator.send("DELETE", path, "x"); res.StatusCode == 405 || res.StatusCode == 200 {
			known++
		}
		targets := append(disguises(path), r.admin+path)
		for _, target := range targets {
			for _, method := range []string{"GET", "POST", "OPTIONS"} {
				sent++
				res := public.send(method, target, strings.TrimPrefix(r.admin, "http://"))
				if res.StatusCode == 404 && res.Header.Get("Content-Type") != "application/json; charset=utf-8" {
					t.Errorf("%s %s differs from other paths in its content type %s", method, target, res.Header.Get("Content-Type"))
				}
				// Both listeners answer probes.
				if probe := path == "/healthz" || path == "/readyz"; res.StatusCode != 404 && res.StatusCode != 400 && !(probe && (res.StatusCode == 200 || res.StatusCode == 405)) {
					t.Errorf("%s %s: %d", method, target, res.StatusCode)
				}
			}
		}
	}
	if want := len(paths) - 4; known != want || reached != len(admin.Paths()) {
		t.Errorf("the operator side knows %d of %d paths, and the admin API was reached %d times, want %d", known, want, reached, len(admin.Paths()))
	}
	if sent < 2000 {
		t.Errorf("only %d requests were sent", sent)
	}
}

// The clock does not move, so that the limits do not depend on speed.
func TestTenThousandWrongTokensAreLimitedAndCounted(t *testing.T) {
	now := time.Now()
	codes := map[domain.Code]int{}
	log := new(buffer)
	f := &middleware{
		cfg:       &Config{Logger: slog.New(slog.NewTextHandler(log, nil))},
		operators: operatorsOf(t, func() time.Time { return now }, testToken),
		routes:    map[string]route{"/metrics": {handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})}},
		working:   make(chan struct{}, 1),
		answered:  func(string, int) {},
	}
	f.refused = func(_ context.Context, c domain.Code) { codes[c]++ }
	statuses := map[int]int{}
	send := func(address, token string) int {
		r := httptest.NewRequest("GET", "/metrics", nil)
		r.RemoteAddr, r.Header["Authorization"] = address, []string{"Bearer " + token}
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		return w.Code
	}
	for i := range 10_000 {
		statuses[send(fmt.Sprintf("10.%d.%d.1:4711", i/256, i%256), fmt.Sprint("wrong-", i))]++
		if i%1000 == 0 && send("10.0.0.1:4711", testToken) != 200 {
			t.Error("the right token is refused")
		}
	}
	if statuses[401] != 600 || statuses[429] != 9_400 || codes[domain.CodeUnauthenticated] != 600 || codes[domain.CodeTooManyRequests] != 9_400 {
		t.Errorf("answers %v, counted %v", statuses, codes)
	}
}
