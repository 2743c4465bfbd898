package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	_ "modernc.org/sqlite" // to look into the database from outside

	"strongroom/internal/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"strongroom": main})
}

// The scripts run the command as a user would, and show how it is used.
func TestScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("commands one after the other, which the short form has nothing to find in")
	}
	testscript.Run(t, testscript.Params{Dir: "testdata"})
}

// serving is a serve command inside the test.
type serving struct {
	api, operator string
	stop          context.CancelFunc
	code          chan int
	log           *logged
}

// logged is a log that signals when the service is ready.
type logged struct {
	mu    sync.Mutex
	text  strings.Builder
	ready chan struct{}
	once  sync.Once
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if strings.Contains(string(p), "msg=ready") {
		defer l.once.Do(func() { close(l.ready) })
	}
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func serve(t *testing.T, dir string, more ...string) *serving {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := &serving{stop: cancel, code: make(chan int, 1), log: &logged{ready: make(chan struct{})}}
	ended := make(chan struct{})
	t.Cleanup(func() { cancel(); <-ended })
	t.Setenv("STRONGROOM_KEY_POOL", "0") // tests use few keys
	args := append([]string{"serve", "--data-dir", dir, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"}, more...)
	go func() {
		defer close(ended)
		s.code <- run(ctx, args, io.Discard, s.log)
	}()
	select {
	case <-s.log.ready:
	case code := <-s.code:
		t.Fatalf("serve ended with %d:\n%s", code, s.log)
	case <-time.After(time.Minute):
		t.Fatalf("not ready after a minute:\n%s", s.log)
	}
	found := regexp.MustCompile(`msg=ready api=(\S+) operator=(\S+)`).FindStringSubmatch(s.log.String())
	s.api, s.operator = "http://"+found[1], "http://"+found[2]
	return s
}

func TestServeStartsWithDefaultsAndExitsWithZeroAfterADrain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := serve(t, dir)
	body := `{"query":"mutation { generateClientEncryptionKey(input: {deviceId: \"phone\"}) { keyId } }"}`
	status, answer := request(t, "POST", s.api+"/graphql", body, "")
	if status != 200 || !regexp.MustCompile(`"keyId":"[a-z2-7]{26}"`).MatchString(answer) {
		t.Errorf("first key: %d %s", status, answer)
	}
	if status, answer = request(t, "POST", s.api+"/api/encryption/keys", `{"deviceId":"phone"}`, ""); status != 200 {
		t.Errorf("REST: %d %s", status, answer)
	}
	if status, answer = request(t, "GET", s.api+"/schema.graphql", "", ""); status != 200 || !strings.Contains(answer, "PASSWORD_AUTH_TYPE") {
		t.Errorf("schema: %d %.100s", status, answer)
	}
	token, err := os.ReadFile(filepath.Join(dir, "admin.token"))
	if err != nil {
		t.Fatal(err)
	}
	if status, answer = request(t, "GET", s.operator+"/metrics", "", strings.TrimSpace(string(token))); status != 200 ||
		!strings.Contains(answer, `strongroom_http_requests_total{route="/graphql",status="2xx"} 1`) {
		t.Errorf("metrics: %d %.300s", status, answer)
	}

	var second strings.Builder
	if code := run(t.Context(), []string{"serve", "--data-dir", dir}, io.Discard, &second); code != cli.ExitFailed ||
		!strings.Contains(second.String(), "another serve runs on it") {
		t.Errorf("a second serve: %d %s", code, second.String())
	}
	if code := run(t.Context(), []string{"migrate", "--data-dir", dir}, io.Discard, &second); code != cli.ExitOK {
		t.Errorf("migrate beside a server: %d %s", code, second.String())
	}
	s.stop()
	if code := <-s.code; code != cli.ExitOK {
		t.Errorf("a drained server ends with %d:\n%s", code, s.log)
	}
	if again := serve(t, dir, "--introspection=false"); true {
		if status, _ = request(t, "GET", again.api+"/schema.graphql", "", ""); status != 404 {
			t.Errorf("the schema without introspection: %d", status)
		}
		again.stop()
		<-again.code
	}
}

func TestAReasonIsKeptTrimmedAndAuditVerifyNamesTheHead(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := serve(t, dir)
	_, answer := request(t, "POST", s.api+"/api/encryption/keys", `{"deviceId":"phone"}`, "")
	key := regexp.MustCompile(`"keyId":"([a-z2-7]{26})"`).FindStringSubmatch(answer)
	if key == nil {
		t.Fatalf("no key: %s", answer)
	}
	s.stop()
	<-s.code
	var out, problems strings.Builder
	if code := run(t.Context(), []string{"admin", "revoke", "--data-dir", dir, "--key", key[1], "--reason", " \u2028 lost in Zürich \t"}, &out, &problems); code != cli.ExitOK {
		t.Fatalf("revoke: %d %s", code, problems.String())
	}
	out.Reset()
	if code := run(t.Context(), []string{"audit", "verify", "--data-dir", dir}, &out, &problems); code != cli.ExitOK {
		t.Fatalf("audit verify: %d %s%s", code, out.String(), problems.String())
	}

	db, err := sql.Open("sqlite", filepath.Join(dir, "strongroom.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var reason string
	if err := db.QueryRow("SELECT reason FROM audit_log WHERE event = 'key.revoked'").Scan(&reason); err != nil || reason != "lost in Zürich" {
		t.Errorf("the trail keeps the reason as %q, %v", reason, err)
	}
	var head string
	if err := db.QueryRow("SELECT 'Head of chain ' || chain || ': entry ' || seq || ', hash ' || lower(hex(hash)) FROM audit_log ORDER BY seq DESC LIMIT 1").Scan(&head); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "\n"+head+"\n") {
		t.Errorf("audit verify says\n%swithout\n%s", out.String(), head)
	}
}

// A supervisor must not start it again and again.
func TestAStartThatNeedsAChangedSettingExitsWithTheUsageCode(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		var log strings.Builder
		code := run(t.Context(), []string{"serve", "--data-dir", filepath.Join(t.TempDir(), "data"), "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0",
			"--log-format", format, "--accept-restored", "chain:1:digest"}, io.Discard, &log)
		if code != cli.ExitUsage || !strings.Contains(log.String(), "remove it") {
			t.Errorf("%s: exit code %d, want %d:\n%s", format, code, cli.ExitUsage, &log)
		}
	}
}

// A stop is no failure, also while the start waits for a root key.
func TestAStartThatIsStoppedExitsWithZero(t *testing.T) {
	t.Setenv("VAULT_TOKEN", "none")
	for _, format := range []string{"text", "json"} {
		ctx, stop := context.WithCancel(t.Context())
		log, code := &logged{ready: make(chan struct{})}, make(chan int, 1)
		args := []string{"serve", "--data-dir", filepath.Join(t.TempDir(), "data"), "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0",
			"--log-format", format, "--root-key", "vault:https://127.0.0.1:1/transit/root"}
		go func() { code <- run(ctx, args, io.Discard, log) }()
		awaited(t, "it waits", func() bool { return strings.Contains(log.String(), "waiting for a root key") })
		stop()
		if got := <-code; got != cli.ExitOK || !strings.Contains(log.String(), "stopped before the service was ready") || strings.Contains(log.String(), "ERROR") {
			t.Errorf("%s: exit code %d, want 0:\n%s", format, got, log)
		}
	}
}

func request(t *testing.T, method, url, body, token string) (int, string) {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", fmt.Sprint("Bearer ", token))
	}
	req.Close = true // the drain must not wait for an idle connection of the test
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

// A job that verifies a backup must not take a stop for damage, whose exit code is 1. A
// lost terminal sends SIGHUP, perhaps twice: the server drains, and so has time to clean up.
func TestASecondSignalStopsWithTheExitCodeOfTheSignal(t *testing.T) {
	for name, c := range map[string]struct {
		first, second syscall.Signal
		code          int
	}{
		"terminate": {syscall.SIGTERM, syscall.SIGTERM, 143},
		"interrupt": {syscall.SIGHUP, syscall.SIGINT, 130},
	} {
		said := &logged{ready: make(chan struct{})}
		cmd := exec.Command("strongroom", "serve", "--data-dir", filepath.Join(t.TempDir(), "data"), "--key-pool", "0",
			"--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--drain-delay", "5m")
		cmd.Stderr = said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-said.ready
		send := func(s syscall.Signal) {
			t.Helper()
			if err := cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
		}
		if signal.Ignored(c.first) {
			c.first = syscall.SIGTERM // the tests run under nohup
		}
		send(c.first)
		awaited(t, "it drains", func() bool { return strings.Contains(said.String(), "draining") })
		send(syscall.SIGHUP)
		send(c.second)
		_ = cmd.Wait() // the exit code says it
		if code := cmd.ProcessState.ExitCode(); code != c.code {
			t.Errorf("%s: exit code %d, want %d:\n%s", name, code, c.code, said)
		}
	}
}

// The advice to give the directory to root would take it from the service.
func TestRootCopiesTheDatabaseOfTheUserOfTheService(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root can give files away")
	}
	const service = 4242
	dir := filepath.Join(t.TempDir(), "data")
	output(t, "bench", "fill", dir, "--devices", "1", "--rsa-bits", "2048")
	lock := filepath.Join(dir, "serve.lock")
	_ = os.Remove(lock)
	for _, path := range []string{dir, filepath.Join(dir, "strongroom.db"), filepath.Join(dir, "root.key")} {
		if err := os.Chown(path, service, service); err != nil {
			t.Fatal(err)
		}
	}
	// In a process of its own, because it trusts that user from then on.
	says, err := exec.Command("strongroom", "copy", "--from", "sqlite:"+filepath.Join(dir, "strongroom.db"),
		"--root-key", "file:"+filepath.Join(dir, "root.key"), "--to", "postgres://u@127.0.0.1:1/x").CombinedOutput()
	if err == nil || !strings.Contains(string(says), "the database server cannot be reached") {
		t.Errorf("%v: %s", err, says)
	}
	if info, err := os.Stat(lock); err != nil || info.Sys().(*syscall.Stat_t).Uid != service {
		t.Errorf("the lock of the service is not its own: %+v, %v", info, err)
	}
}
