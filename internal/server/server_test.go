package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"strongroom/internal/apierr"
	"strongroom/internal/auth"
	"strongroom/internal/domain"
	"strongroom/internal/lograte"
	"strongroom/internal/strictjson"
)

func TestMain(m *testing.M) {
	if dir := lockHolder(); dir != "" {
		holdLock(dir)
	}
	if os.Getenv(beClients) != "" {
		clientsMain()
		return
	}
	goleak.VerifyTestMain(m)
}

// running is a server on two free ports.
type running struct {
	t                *testing.T
	api              string // base URLs
	admin            string
	log              *buffer
	refused          *[]domain.Code
	refusedOperators *[]domain.Code
	stop             context.CancelFunc
	done             chan error
	client           *http.Client
	load             func() (api, operator Load)
	open             *connections // of the API
	operator         *connections
}

const (
	testToken   = "the-right-token-of-an-operator-in-43-chars."
	viewerToken = "the-right-token-of-a-viewer-in-43-chars----"
)

// operatorsOf are the operators of a file of admin tokens. now is their clock;
// nil: the real one.
func operatorsOf(t testing.TB, now func() time.Time, tokens string) *auth.Operators {
	t.Helper()
	path := filepath.Join(t.TempDir(), "admin.token")
	if err := os.WriteFile(path, []byte(tokens), 0o600); err != nil {
		t.Fatal(err)
	}
	o, err := auth.OpenOperators(auth.OperatorsConfig{TokenFile: path, Now: now, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// start serves cfg, with harmless values where it has none, until the test ends.
func start(t *testing.T, cfg Config) *running {
	t.Helper()
	r := &running{t: t, log: new(buffer), refused: new([]domain.Code), refusedOperators: new([]domain.Code), done: make(chan error, 1), client: &http.Client{Transport: &http.Transport{}}}
	said := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) })
	}
	var mu sync.Mutex
	cfg.Listen, cfg.AdminListen = "127.0.0.1:0", "127.0.0.1:0"
	if cfg.Operators == nil {
		cfg.Operators = operatorsOf(t, nil, testToken+"\n"+viewerToken+" viewer\n")
	}
	cfg.GraphQL = cmpOr(cfg.GraphQL, said("graphql"))
	cfg.REST = cmpOr(cfg.REST, said("rest"))
	cfg.Metrics = said("strongroom_up 1")
	cfg.Authenticator = cmpOr(cfg.Authenticator, auth.Device(nil))
	cfg.Logger = slog.New(LogRequestID(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	cfg.ShutdownTimeout = max(cfg.ShutdownTimeout, 10*time.Second)
	if cfg.Answered == nil {
		cfg.Answered = func(string, int) {}
	}
	if cfg.Ready == nil {
		cfg.Ready = func(context.Context) error { return nil }
	}
	cfg.Refused = func(_ context.Context, c domain.Code) {
		mu.Lock()
		defer mu.Unlock()
		*r.refused = append(*r.refused, c)
	}
	cfg.RefusedCaller = func(ctx context.Context, why *domain.Error) *domain.Error {
		cfg.Refused(ctx, why.Code)
		return why
	}
	cfg.OperatorRefused = func(_ context.Context, c domain.Code) {
		mu.Lock()
		defer mu.Unlock()
		*r.refusedOperators = append(*r.refusedOperators, c)
	}
	s, err := Listen(cfg)
	if err != nil {
		t.Fatal(err)
	}
	r.api, r.admin, r.load, r.open, r.operator = s.api.url(), s.operator.url(), s.Load, s.api.open, s.operator.open
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	go func() { r.done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		r.client.CloseIdleConnections()
		r.stop()
		if err := <-r.done; err != nil {
			t.Errorf("serving ended with %v", err)
		}
	})
	return r
}

func cmpOr[T any](a, b T) T {
	if any(a) != nil {
		return a
	}
	return b
}

type answer struct {
	Status int
	Header http.Header
	Body   string
}

func (r *running) do(method, url string, header ...string) answer {
	r.t.Helper()
	req, err := http.NewRequest(method, url, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := r.client.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, string(body)}
}

// buffer is a log that many goroutines write and a test reads.
type buffer struct {
	mu      sync.Mutex
	b       bytes.Buffer
	written chan struct{} // closed by the next write; nil: nobody waits
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.written != nil {
		close(b.written)
		b.written = nil
	}
	return b.b.Write(p)
}

// await returns when text has been written n times.
func (b *buffer) await(t *testing.T, text string, n int) {
	t.Helper()
	enough := time.After(30 * time.Second)
	for {
		b.mu.Lock()
		if strings.Count(b.b.String(), text) >= n {
			b.mu.Unlock()
			return
		}
		if b.written == nil {
			b.written = make(chan struct{})
		}
		written := b.written
		b.mu.Unlock()
		select {
		case <-written:
		case <-enough:
			t.Fatalf("no %q in the log, %d times:\n%s", text, n, b)
		}
	}
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func TestEachRouteAnswersAndOtherPathsGet404InTheirAPIFormat(t *testing.T) {
	var mu sync.Mutex
	counts := map[string]int{}
	r := start(t, Config{SDL: "type Query", Answered: func(route string, status int) {
		mu.Lock()
		defer mu.Unlock()
		counts[fmt.Sprint(route, " ", status)]++
	}})
	const (
		notFound = `"message":"This path does not exist.`
		only     = `"message":"This path accepts `
	)
	for _, c := range []struct {
		method, path string
		status       int
		body         string // a part of it
	}{
		{"POST", "/graphql", 200, "graphql"},
		{"GET", "/graphql", 200, "graphql"}, // the handler knows its methods
		{"PUT", "/graphql", 200, "graphql"},
		{"POST", "/api/encryption/keys", 200, "rest"},
		{"GET", "/schema.graphql", 200, "type Query"},
		{"GET", "/healthz", 200, `{"status":"ok"}`},
		{"GET", "/readyz", 200, `{"status":"ready"}`},
		{"HEAD", "/readyz", 200, ""},
		{"GET", "/api/encryption/keys", 405, `{"statusCode":405,` + only + `POST only.","error":"Method Not Allowed"}`},
		{"POST", "/healthz", 405, `{"errors":[{` + only + `GET and HEAD only.","extensions":{"code":"METHOD_NOT_ALLOWED"}}]}`},
		{"DELETE", "/schema.graphql", 405, `"METHOD_NOT_ALLOWED"`},
		{"GET", "/", 404, `{"errors":[{` + notFound},
		{"POST", "/graphql/", 404, `"extensions":{"code":"NOT_FOUND"}}]}`},
		{"GET", "/graphql/../healthz", 404, notFound},
		{"GET", "//graphql", 404, notFound},
		{"POST", "/api/encryption/keys/", 404, `{"statusCode":404,` + notFound},
		{"GET", "/api/x", 404, `"error":"Not Found"}`},
		{"BREW", "/pot", 404, notFound},
		{"GET", "/metrics", 404, notFound},
		{"GET", "/debug/pprof/", 404, notFound},
	} {
		got := r.do(c.method, r.api+c.path)
		if got.Status != c.status || !strings.Contains(got.Body, c.body) {
			t.Errorf("%s %s: %d %s, want %d …%s…", c.method, c.path, got.Status, got.Body, c.status, c.body)
		}
		if got.Status >= 400 && (got.Header.Get("Content-Type") != "application/json; charset=utf-8" || !json.Valid([]byte(got.Body))) {
			t.Errorf("%s %s: a %s that is not JSON: %s", c.method, c.path, got.Header.Get("Content-Type"), got.Body)
		}
	}
	if got := r.do("POST", r.api+"/readyz"); got.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("405 with Allow %q", got.Header.Get("Allow"))
	}
	r.settle()
	want := map[string]int{"/graphql 200": 3, "/api/encryption/keys 200": 1, "/schema.graphql 200": 1, "/healthz 200": 1, "/readyz 200": 2,
		"/api/encryption/keys 405": 1, "/healthz 405": 1, "/schema.graphql 405": 1, "/readyz 405": 1, "other 404": 9}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("answers that were counted (-want +got):\n%s", diff)
	}
}

func TestTheSchemaIsNotServedWhenThereIsNone(t *testing.T) {
	r := start(t, Config{})
	if got := r.do("GET", r.api+"/schema.graphql"); got.Status != 404 {
		t.Errorf("GET /schema.graphql: %d", got.Status)
	}
}

func TestTheKeySetIsCacheable(t *testing.T) {
	set := `{"keys":[]}`
	r := start(t, Config{KeySet: func() ([]byte, string) { return []byte(set), `"tag"` }})
	path := r.api + "/.well-known/jwks.json"
	got := r.do("GET", path)
	if got.Status != 200 || got.Body != set || got.Header.Get("Content-Type") != "application/jwk-set+json" ||
		got.Header.Get("Cache-Control") != "public, max-age=3600" || got.Header.Get("ETag") != `"tag"` {
		t.Errorf("GET: %d %s %v", got.Status, got.Body, got.Header)
	}
	for tag, want := range map[string]int{`"tag"`: 304, `W/"tag"`: 304, `"a", "tag"`: 304, `"other"`: 200} {
		if got := r.do("GET", path, "If-None-Match", tag); got.Status != want {
			t.Errorf("If-None-Match %s: %d, want %d", tag, got.Status, want)
		}
	}
	if got := r.do("POST", path); got.Status != 405 {
		t.Errorf("POST: %d", got.Status)
	}
	set = ""
	if got := r.do("GET", path); got.Status != 500 || got.Header.Get("Cache-Control") != "no-store" || !strings.Contains(got.Body, "INTERNAL") {
		t.Errorf("without keys: %d %s %v", got.Status, got.Body, got.Header)
	}
}

func TestEveryAnswerForbidsCachingAndFraming(t *testing.T) {
	r := start(t, Config{GraphQL: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("x") })})
	for _, got := range []answer{r.do("GET", r.api+"/readyz"), r.do("GET", r.api+"/x"), r.do("POST", r.api+"/graphql"),
		r.do("GET", r.admin+"/metrics"), r.do("GET", r.admin+"/metrics", "Authorization", "Bearer "+testToken)} {
		for name, want := range map[string]string{"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
			"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'"} {
			if got.Header.Get(name) != want {
				t.Errorf("%d %.40s: %s is %q", got.Status, got.Body, name, got.Header.Get(name))
			}
		}
	}
}

func TestAnswerContextAndLogHaveTheSameRequestID(t *testing.T) {
	seen := make(chan domain.Caller, 1)
	r := start(t, Config{GraphQL: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- domain.CallerFrom(r.Context())
		_, _ = io.WriteString(w, "12345")
	})})
	got := r.do("POST", r.api+"/graphql", "X-Request-Id", "forged")
	id := got.Header.Get("X-Request-Id")
	if !regexp.MustCompile(`^[a-z2-7]{26}$`).MatchString(id) {
		t.Fatalf("request id %q", id)
	}
	want := domain.Caller{Mode: domain.ModeDevice, RequestID: id, Permissions: domain.OrdinaryPermissions, Address: netip.MustParseAddr("127.0.0.1")}
	if got := <-seen; got != want {
		t.Errorf("caller %+v, want %+v", got, want)
	}
	again := r.do("POST", r.api+"/graphql")
	<-seen
	if again.Header.Get("X-Request-Id") == id {
		t.Error("two requests have one id")
	}
	r.settle()
	line := regexp.MustCompile(`level=INFO msg=request method=POST route=/graphql status=200 bytes=5 duration_ms=[0-9.]+ outcome=ok request_id=` + id + `\n`)
	if !line.MatchString(r.log.String()) {
		t.Errorf("no line of %s in the log:\n%s", id, r.log)
	}
}

// settle waits until every answered request has its log line, which is written
// before the connection is closed.
func (r *running) settle() {
	r.t.Helper()
	r.client.CloseIdleConnections()
	r.stop()
	err := <-r.done
	r.done <- err // for the cleanup
}

func TestAFloodOfRefusalsIsLoggedInPartAndCountedInFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the clock stands still but for the sleeps
		var log buffer
		status := http.StatusServiceUnavailable
		answered := 0
		f := &middleware{
			routes: map[string]route{
				"/graphql": {handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })},
				"/readyz":  {handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }), probe: true},
			},
			cfg:      &Config{Logger: slog.New(slog.NewTextHandler(&log, nil))},
			working:  make(chan struct{}, 1),
			probing:  make(chan struct{}, 1),
			answered: func(string, int) { answered++ },
		}
		send := func(path string, n int) (lines []string) {
			log = buffer{}
			for range n {
				f.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", path, nil))
			}
			return strings.Split(strings.TrimSpace(log.String()), "\n")
		}
		if got := send("/graphql", 100); len(got) != lograte.PerSecond || strings.Contains(log.String(), "omitted") {
			t.Errorf("of 100 in a second:\n%s", got)
		}
		status = http.StatusTooManyRequests
		if got := send("/graphql", 100); len(got) != lograte.PerSecond {
			t.Errorf("100 with another outcome, which the first ones must not hide:\n%s", got)
		}
		status = http.StatusOK
		if got := send("/graphql", 100); len(got) != 100 {
			t.Errorf("%d lines for 100 requests that were served", len(got))
		}
		time.Sleep(time.Second)
		if got := send("/readyz", 100); len(got) != lograte.PerSecond || !strings.Contains(got[0], " omitted=90") {
			t.Errorf("of 100 probes that failed:\n%s", got)
		}
		time.Sleep(time.Second)
		status = http.StatusServiceUnavailable
		got := send("/graphql", 100)
		if len(got) != lograte.PerSecond || !strings.Contains(got[0], " omitted=90") || strings.Contains(strings.Join(got[1:], ""), "omitted") {
			t.Errorf("of 100 in the next second:\n%s", got)
		}
		if answered != 500 {
			t.Errorf("%d of 500 counted", answered)
		}
	})
}

func TestLogSamplingAppliesToFastSuccessfulRequestsOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the clock stands still but for the sleeps
		var log buffer
		var took time.Duration
		status, answered := http.StatusOK, 0
		f := &middleware{
			routes: map[string]route{"/graphql": {handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				time.Sleep(took)
				w.WriteHeader(status)
			})}},
			cfg:      &Config{Logger: slog.New(slog.NewTextHandler(&log, nil)), LogSample: 10},
			working:  make(chan struct{}, 1),
			answered: func(string, int) { answered++ },
		}
		send := func(n int) (lines int) {
			log = buffer{}
			for range n {
				f.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("POST", "/graphql", nil))
			}
			return strings.Count(log.String(), "msg=request")
		}
		// 500 expected, standard deviation 21
		if got := send(5000); got < 350 || got > 650 || strings.Count(log.String(), " sample=10") != got {
			t.Errorf("%d lines of 5,000:\n%.500s", got, log.String())
		}
		status = http.StatusUnprocessableEntity
		if got := send(lograte.PerSecond); got != lograte.PerSecond || strings.Contains(log.String(), "sample") {
			t.Errorf("%d lines of %d that were refused:\n%s", got, lograte.PerSecond, log.String())
		}
		status, took = http.StatusOK, slowRequest
		if got := send(20); got != 20 || strings.Contains(log.String(), "sample") {
			t.Errorf("%d lines of 20 slow ones:\n%s", got, log.String())
		}
		took, f.operators = 0, operatorsOf(t, nil, testToken)
		r := httptest.NewRequest("POST", "/graphql", nil)
		r.Header.Set("Authorization", "Bearer "+testToken)
		log = buffer{}
		for range 20 {
			f.ServeHTTP(httptest.NewRecorder(), r)
		}
		if got := strings.Count(log.String(), "msg=request"); got != 20 {
			t.Errorf("%d lines of 20 of an operator:\n%s", got, log.String())
		}
		if want := 5000 + lograte.PerSecond + 40; answered != want {
			t.Errorf("%d of %d counted", answered, want)
		}
	})
}

func TestNothingOfARequestReachesTheLog(t *testing.T) {
	const canary = "CANARY4711"
	r := start(t, Config{
		SDL:     "x",
		GraphQL: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(fmt.Errorf("value %s", canary)) }),
		REST: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			panic(r.Header) // a map type, with the canary inside
		}),
	})
	header := []string{"X-Canary", canary, "Authorization", "Bearer " + canary, "Cookie", canary, "User-Agent", canary}
	answers := []answer{
		r.do("POST", r.api+"/graphql?x="+canary, header...),
		r.do("POST", r.api+"/api/encryption/keys", header...),
		r.do("GET", r.api+"/"+canary, header...),
		r.do(canary, r.api+"/healthz;a="+canary, header...),
		r.do(canary, r.api+"/healthz", header...),
		r.do("GET", r.admin+"/"+canary, header...),
	}
	answers = append(answers, answer{Body: r.raw("GET / HTTP/1.1\r\n" + canary + "\r\n\r\n")},
		answer{Body: r.raw(canary + " / HTTP/9.9\r\n\r\n")}, answer{Body: r.raw("GET /" + canary + "%zz HTTP/1.1\r\nHost: x\r\n\r\n")})
	for i, a := range answers {
		if strings.Contains(fmt.Sprint(a), canary) {
			t.Errorf("answer %d repeats the request: %v", i, a)
		}
	}
	r.settle()
	if strings.Contains(r.log.String(), canary) {
		t.Errorf("the log repeats a request:\n%s", r.log)
	}
}

// raw sends bytes that no HTTP client would and returns what comes back.
func (r *running) raw(text string) string {
	r.t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(r.api, "http://"))
	if err != nil {
		r.t.Fatal(err)
	}
	defer c.Close()
	if _, err := io.WriteString(c, text); err != nil {
		r.t.Fatal(err)
	}
	b, _ := io.ReadAll(c)
	return string(b)
}

func TestABodyAboveTheLimitIsRefusedBeforeItHasArrivedInFull(t *testing.T) {
	r := start(t, Config{GraphQL: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, refusal := strictjson.Request(w, r, 64<<10); refusal != nil {
			w.WriteHeader(apierr.Status(refusal))
		}
	})})
	c := r.dialFrom("127.0.0.1")
	_, _ = io.WriteString(c, "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n"+strings.Repeat(" ", 70_000))
	_ = c.SetReadDeadline(time.Now().Add(readTimeout / 2))
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != 413 || !res.Close {
		t.Errorf("status %d, connection closed: %v", res.StatusCode, res.Close)
	}
}

func TestAPanicIsAnsweredAndLoggedByItsTypeAndPlace(t *testing.T) {
	r := start(t, Config{
		GraphQL: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _ = r.Header["None"][0] }),
		REST: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat("half an answer", 1000))
			panic("late")
		}),
	})
	got := r.do("POST", r.api+"/graphql")
	if got.Status != 500 || !strings.Contains(got.Body, `"extensions":{"code":"INTERNAL"}`) {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	res, err := r.client.Post(r.api+"/api/encryption/keys", "", nil)
	if err == nil {
		_, err = io.ReadAll(res.Body)
		_ = res.Body.Close()
	}
	if err == nil {
		t.Error("an incomplete answer was read as a complete one")
	}
	if got := r.do("GET", r.api+"/healthz"); got.Status != 200 {
		t.Errorf("after the panics: %d", got.Status)
	}
	r.settle()
	for _, want := range []string{"panic_type=runtime.boundsError", "panic_type=string", "server_test.go:", "status=500"} {
		if !strings.Contains(r.log.String(), want) {
			t.Errorf("no %s in the log:\n%s", want, r.log)
		}
	}
}

type refuser struct{ err error }

func (a refuser) Authenticate(*http.Request) (domain.Caller, error) { return domain.Caller{}, a.err }

func TestARefusedCallerReachesNoHandler(t *testing.T) {
	unreachable := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the handler was reached") })
	for _, c := range []struct {
		err       error
		header    string // Authorization
		status    int
		code      domain.Code
		challenge string
	}{
		{&domain.Error{Code: domain.CodeUnauthenticated, Message: "who?"}, "", 401, domain.CodeUnauthenticated, `Bearer`},
		{&domain.Error{Code: domain.CodeUnauthenticated, Message: "who?"}, "Bearer x", 401, domain.CodeUnauthenticated, `Bearer error="invalid_token"`},
		{&domain.Error{Code: domain.CodeUnauthenticated, Message: "who?"}, "DPoP x", 401, domain.CodeUnauthenticated, `Bearer error="invalid_token"`}, // only jwt mode takes DPoP
		{&domain.Error{Code: domain.CodeForbidden, Message: "no"}, "Bearer x", 403, domain.CodeForbidden, `Bearer error="insufficient_scope"`},
		{errors.New("issuer hunter2 is away"), "Bearer x", 503, domain.CodeInternal, ""},
	} {
		var header []string
		if c.header != "" {
			header = []string{"Authorization", c.header}
		}
		r := start(t, Config{Authenticator: refuser{c.err}, GraphQL: unreachable, REST: unreachable})
		got := r.do("POST", r.api+"/graphql", header...)
		if got.Status != c.status || !strings.Contains(got.Body, `"code":"`+string(c.code)+`"`) || strings.Contains(got.Body, "hunter2") {
			t.Errorf("%v: %d %s", c.err, got.Status, got.Body)
		}
		if got.Header.Get("WWW-Authenticate") != c.challenge {
			t.Errorf("%d with WWW-Authenticate %q", got.Status, got.Header.Get("WWW-Authenticate"))
		}
		if got = r.do("POST", r.api+"/api/encryption/keys"); got.Status != c.status || !strings.Contains(got.Body, `"statusCode":`+fmt.Sprint(c.status)) {
			t.Errorf("%v: %d %s", c.err, got.Status, got.Body)
		}
	}
}

func TestADrainFinishesRunningRequestsAndAcceptsNoNewOnes(t *testing.T) {
	entered, finish := make(chan struct{}), make(chan struct{})
	r := start(t, Config{GraphQL: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		<-finish
		if r.Context().Err() != nil {
			t.Error("the drain cancelled a running request")
		}
		_, _ = io.WriteString(w, "finished")
	})})
	address := strings.TrimPrefix(r.api, "http://")

	if api, operator := r.load(); api != (Load{0, maxConnections, 0, maxConnections}) || operator != (Load{0, maxAdminConnections, 0, maxConnections}) {
		t.Errorf("before the first connection: %+v, %+v", api, operator)
	}
	result := make(chan answer, 1)
	go func() { result <- r.do("POST", r.api+"/graphql") }()
	<-entered
	if api, operator := r.load(); api.Connections != 1 || api.Requests != 1 || operator.Connections != 0 || operator.Requests != 0 {
		t.Errorf("with one running request: %+v, %+v", api, operator)
	}
	r.stop()
	for { // until the port is closed
		c, err := net.Dial("tcp", address)
		if err != nil {
			break
		}
		_ = c.Close()
	}
	got := r.do("GET", r.admin+"/readyz", "Authorization", "Bearer "+testToken)
	if got.Status != 503 || !strings.Contains(got.Body, "draining") {
		t.Errorf("readiness while draining: %d %s", got.Status, got.Body)
	}
	select {
	case err := <-r.done:
		t.Fatalf("serving ended (%v) while a request was running", err)
	default:
	}
	close(finish)
	if got := <-result; got.Status != 200 || got.Body != "finished" {
		t.Errorf("the running request got %d %s", got.Status, got.Body)
	}
}

func TestADrainAnswersAnOperatorAndEndsProfiles(t *testing.T) {
	entered, ended := make(chan struct{}), make(chan struct{})
	finish := make(chan struct{})
	r := start(t, Config{Admin: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer close(ended)
		close(entered)
		<-finish
		if r.Context().Err() != nil {
			t.Error("the drain cancelled the request of an operator")
		}
		_, _ = io.WriteString(w, "erased")
	})})
	send := func(method, path string) <-chan string {
		got := make(chan string, 1)
		go func() {
			req, _ := http.NewRequest(method, r.admin+path, nil)
			req.Header.Set("Authorization", "Bearer "+testToken)
			res, err := r.client.Do(req)
			if err != nil {
				got <- err.Error()
				return
			}
			defer res.Body.Close()
			body, err := io.ReadAll(res.Body)
			got <- fmt.Sprintf("%d %v %.6s", res.StatusCode, err, body)
		}()
		return got
	}
	act, profile := send("POST", "/admin/v1/erase"), send("GET", "/debug/pprof/profile?seconds=240")
	<-entered
	r.operator.until(t, "both requests", func() bool { return r.operator.open == 2 && r.operator.waiting.Len() == 0 })
	r.stop()
	if got := <-profile; !strings.HasPrefix(got, "200 <nil> \x1f\x8b") { // gzip
		t.Errorf("the profile that the stop ended: %q", got)
	}
	close(finish)
	if got := <-act; got != "200 <nil> erased" {
		t.Errorf("the operator got %q", got)
	}
	err := <-r.done
	r.done <- err
	select {
	case <-ended:
	default:
		t.Error("serving ended before the operator's request")
	}
}

func TestADrainPastItsTimeoutCutsRequestsOffAndReportsIt(t *testing.T) {
	entered, ended := make(chan struct{}), make(chan struct{})
	cfg := Config{
		Listen: "127.0.0.1:0", AdminListen: "127.0.0.1:0", Logger: slog.New(slog.DiscardHandler), Authenticator: auth.Device(nil),
		GraphQL: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			close(entered)
			<-r.Context().Done()
			close(ended)
		}),
		Operators:       new(auth.Operators),
		ShutdownTimeout: time.Millisecond,
	}
	s, err := Listen(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	go func() {
		if res, err := http.Post("http://"+s.Addr().String()+"/graphql", "", nil); err == nil {
			_ = res.Body.Close()
			t.Error("a request that was cut off got an answer")
		}
	}()
	<-entered
	cancel()
	if err := <-done; err == nil || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("got %v", err)
	}
	<-ended
}

func TestAPortInUseIsReportedWithItsSetting(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	address := taken.Addr().String()
	for setting, cfg := range map[string]Config{
		"listen":       {Listen: address, AdminListen: "127.0.0.1:0"},
		"admin-listen": {Listen: "127.0.0.1:0", AdminListen: address},
	} {
		want := "listen " + address + ": the port is in use; choose another with --" + setting
		cfg.Operators = new(auth.Operators)
		if _, err := Listen(cfg); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
