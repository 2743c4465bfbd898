package e2e

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/rootkey/hsmtest"
	"strongroom/internal/store/postgres/pgtest"
)

// work is a directory of all tests together, removed in the end.
var work string

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	flag.Parse()
	if testing.Short() {
		fmt.Println("SKIPPED: all tests of the built binary, by -short")
		return 0
	}
	// Most tests wait for a clock, a lock or a server that starts.
	if p := flag.Lookup("test.parallel"); p.Value.String() == p.DefValue {
		_ = p.Value.Set(strconv.Itoa(2 * runtime.GOMAXPROCS(0)))
	}
	var err error
	if work, err = os.MkdirTemp("", "strongroom-e2e-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(work)
	defer pgtest.End()
	defer hsmtest.End()
	return m.Run()
}

// keyAlgorithm is that of the keys that the tests' clients ask for. Tests that are
// about RSA run with RSA only; E2E_KEY_ALGORITHM lets the others run with HPKE too.
var keyAlgorithm = devicekey.Algorithm(cmp.Or(os.Getenv("E2E_KEY_ALGORITHM"), string(devicekey.RSAOAEP256)))

// tested is a binary of another version, to write its kept databases.
var tested = flag.String("binary", "", "test this binary instead of one built from the tree")

// binary is the program under test, built once from the tree, as by make build but
// without symbols: linking them takes most of the time.
func binary(t testing.TB) string {
	t.Helper()
	if *tested != "" {
		return *tested
	}
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var build = sync.OnceValues(func() (string, error) {
	path := filepath.Join(work, "strongroom")
	command := exec.Command("go", "build", "-trimpath", "-ldflags=-s", "-o", path, "strongroom/cmd/strongroom")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the binary: %w\n%s", err, out)
	}
	return path, dependOnSources()
})

// dependOnSources looks at every file of ours, embedded ones among them, so
// that "go test" takes none of these results from its cache when one has
// changed: it sees what this process looks at, and not what the binary was
// built of. It looks from the first test on: in TestMain this would be in vain.
func dependOnSources() error {
	for _, dir := range []string{"../../cmd", "../../internal", "../../go.mod", "../../go.sum"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				_, err = os.Stat(path)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// instance is one running server.
type instance struct {
	t       testing.TB
	program string // "": the binary under test
	dataDir string
	args    []string
	env     []string // beside the clean environment
	base    string   // of the API
	admin   string   // of the operator side
	cmd     *exec.Cmd
	exited  chan struct{}
	log     *lockedBuffer // everything it ever wrote, over restarts
	header  http.Header   // sent with every request, see as
	stdout  *os.File      // nil: log
}

// start runs "strongroom serve" on a fresh data directory and free ports, and
// returns when it says that it is ready.
func start(t testing.TB, args ...string) *instance {
	t.Helper()
	return startWith(t, nil, args...)
}

// startWith is start with variables in the environment.
func startWith(t testing.TB, env []string, args ...string) *instance {
	t.Helper()
	i := &instance{t: t, dataDir: filepath.Join(t.TempDir(), "data"), args: args, env: env, log: &lockedBuffer{}}
	i.run()
	t.Cleanup(func() {
		i.kill()
		if t.Failed() {
			t.Logf("the server's log:\n%s", tail(i.log.String(), 8<<10))
		}
	})
	return i
}

var readyLine = regexp.MustCompile(`msg=ready api=(\S+) operator=(\S+)`)

// run starts the server again on the same data directory.
func (i *instance) run() {
	i.t.Helper()
	args := append([]string{"serve", "--data-dir", i.dataDir, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"}, i.args...)
	i.cmd = exec.Command(cmp.Or(i.program, binary(i.t)), args...)
	// Dozens of servers that each fill a pool of keys would leave no time for the tests.
	// Keys of 3072 bits take three times as long; a test that needs them asks for them.
	i.cmd.Env = append(cleanEnv(), "STRONGROOM_KEY_POOL=0", "STRONGROOM_RSA_BITS=2048")
	if keyAlgorithm != devicekey.RSAOAEP256 {
		i.cmd.Env = append(i.cmd.Env, "STRONGROOM_KEY_ALGORITHMS="+string(keyAlgorithm)+","+string(devicekey.RSAOAEP256))
	}
	i.cmd.Env = append(i.cmd.Env, i.env...)
	stderr, err := i.cmd.StderrPipe()
	if err != nil {
		i.t.Fatal(err)
	}
	i.cmd.Stdout = i.log
	if i.stdout != nil {
		i.cmd.Stdout = i.stdout
	}
	if err := i.cmd.Start(); err != nil {
		i.t.Fatal(err)
	}
	i.exited = make(chan struct{})
	ready := make(chan []string, 1)
	go func(cmd *exec.Cmd, exited chan struct{}) {
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			fmt.Fprintln(i.log, lines.Text())
			if m := readyLine.FindStringSubmatch(lines.Text()); m != nil {
				ready <- m
			}
		}
		_ = cmd.Wait()
		close(exited)
	}(i.cmd, i.exited)
	select {
	case m := <-ready:
		i.base, i.admin = "http://"+m[1], "http://"+m[2]
	case <-i.exited:
		i.t.Fatalf("the server did not start:\n%s", i.log.String())
	case <-time.After(patience):
		i.t.Fatalf("the server is not ready after %v:\n%s", patience, i.log.String())
	}
}

// everything reports whether there is time for every form of the tests, as in make soak.
func everything() bool { return os.Getenv("E2E_ALL") != "" }

// pause waits between the requests of a client that only adds load. Without it, a few
// such clients take both processors from the other tests. The soak run does not pause.
func pause() {
	if !everything() {
		time.Sleep(150 * time.Millisecond)
	}
}

// patience is how long a test waits for what takes a second or two. On a slow machine,
// other tests can have both processors for half a minute: the server generates keys with
// a low priority.
const patience = 2 * time.Minute

// cleanEnv is the environment without settings of ours, those of OpenTelemetry
// among them.
func cleanEnv() []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "STRONGROOM_") && !strings.HasPrefix(v, "OTEL_") {
			env = append(env, v)
		}
	}
	return env
}

// kill ends the process as a power cut would, and waits for its end.
func (i *instance) kill() {
	_ = i.cmd.Process.Kill()
	<-i.exited
}

// stop ends the process as an operator would, and returns its exit code.
func (i *instance) stop() int {
	i.t.Helper()
	_ = i.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-i.exited:
	case <-time.After(patience):
		i.t.Fatalf("the server did not stop within %v of SIGTERM", patience)
	}
	return i.cmd.ProcessState.ExitCode()
}

// command runs another command of the binary on the same data directory.
func (i *instance) command(args ...string) (out string, code int) {
	i.t.Helper()
	cmd := exec.Command(binary(i.t), append(args, "--data-dir", i.dataDir)...)
	cmd.Env = append(cleanEnv(), i.env...)
	b, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		i.t.Fatal(err)
	}
	return string(b), cmd.ProcessState.ExitCode()
}

// answer is what the server answered, whatever it was.
type answer struct {
	Status int
	Header http.Header
	Body   []byte
	Data   map[string]any `json:"data"`
	Errors []struct {
		Message    string         `json:"message"`
		Extensions map[string]any `json:"extensions"`
	} `json:"errors"`
	Extensions map[string]any `json:"extensions"`
}

// code is the first error's code, or "".
func (a answer) code() string {
	if len(a.Errors) == 0 {
		return ""
	}
	code, _ := a.Errors[0].Extensions["code"].(string)
	return code
}

// client keeps as many connections as tests open at once.
var client = &http.Client{Timeout: 60 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 256}}

// post sends a body as it is. The error is of the connection.
func (i *instance) post(path, contentType string, body []byte) (answer, error) {
	return i.send(http.MethodPost, path, contentType, body)
}

func (i *instance) send(method, path, contentType string, body []byte) (answer, error) {
	r, err := http.NewRequest(method, i.base+path, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	maps.Copy(r.Header, i.header)
	r.Header.Set("Content-Type", contentType)
	resp, err := client.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	a := answer{Status: resp.StatusCode, Header: resp.Header}
	if a.Body, err = io.ReadAll(resp.Body); err != nil {
		return answer{}, err
	}
	_ = json.Unmarshal(a.Body, &a) // what is no JSON has no code
	return a, nil
}

// graphql sends one request of the specification's shape.
func (i *instance) graphql(query string, input map[string]any) (answer, error) {
	body, err := json.Marshal(map[string]any{"query": query, "variables": map[string]any{"input": input}})
	if err != nil {
		return answer{}, err
	}
	return i.post("/graphql", "application/json", body)
}

// keyPair is what a client keeps of its key.
type keyPair struct{ ID, PEM string }

const (
	generate = "generateClientEncryptionKey"
	rotate   = "rotateClientEncryptionKey"
)

// issue calls generate or rotate, for a key of keyAlgorithm.
func (i *instance) issue(operation, device string) (keyPair, error) {
	input := map[string]any{"deviceId": device}
	if keyAlgorithm != devicekey.RSAOAEP256 {
		input["algorithms"] = []string{string(keyAlgorithm)}
	}
	return i.issueTo(operation, input)
}

// issueTo is issue with any input.
func (i *instance) issueTo(operation string, input map[string]any) (keyPair, error) {
	a, err := i.graphql("mutation($input: ClientIdentityInput!) { "+operation+"(input: $input) { keyId publicKey } }", input)
	if err != nil {
		return keyPair{}, err
	}
	pair, _ := a.Data[operation].(map[string]any)
	id, _ := pair["keyId"].(string)
	text, _ := pair["publicKey"].(string)
	if id == "" || text == "" {
		return keyPair{}, fmt.Errorf("%s: status %d: %s", operation, a.Status, a.Body)
	}
	return keyPair{id, text}, nil
}

func (i *instance) mustIssue(operation, device string) keyPair {
	i.t.Helper()
	k, err := i.issue(operation, device)
	if err != nil {
		i.t.Fatal(err)
	}
	return k
}

// encryptFor encrypts a secret for one of the four credential operations, or a PIN
// and a hash for authorizeTransaction, as the key's algorithm has it.
func encryptFor(t testing.TB, k keyPair, operation, secret string) string {
	t.Helper()
	recipient := k.recipient(t)
	if recipient.Algorithm() == devicekey.RSAOAEP256 {
		return encrypt(t, k, secret)
	}
	typ := cmp.Or(credentialOps[operation].typ, "TRANSACTION_PIN")
	text, err := recipient.Encrypt([]byte(secret), devicekey.AAD(operation, k.ID, typ))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (k keyPair) recipient(t testing.TB) devicekey.Recipient {
	t.Helper()
	recipient, err := devicekey.ParseRecipient(k.PEM)
	if err != nil {
		t.Fatal(err)
	}
	return recipient
}

// encrypt is RSA-OAEP with SHA-256, as clients are told to use it.
func encrypt(t testing.TB, k keyPair, secret string) string {
	t.Helper()
	block, _ := pem.Decode([]byte(k.PEM))
	if block == nil {
		t.Fatalf("not PEM: %q", k.PEM)
	}
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	ct, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, public.(*rsa.PublicKey), []byte(secret), nil)
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(ct)
}

// The four credential operations: their input types and fields.
var credentialOps = map[string]struct{ input, field, typ string }{
	"setUserPasscode":      {"EncryptedPasscodeInput", "encryptedPasscode", "PASSCODE"},
	"verifyUserPasscode":   {"EncryptedVerifyPasscodeInput", "encryptedPasscode", "PASSCODE"},
	"setTransactionPin":    {"EncryptedTransactionPinInput", "encryptedPin", "TRANSACTION_PIN"},
	"verifyTransactionPin": {"EncryptedVerifyTransactionPinInput", "encryptedPin", "TRANSACTION_PIN"},
}

// submit sends a ciphertext to one of the four credential operations.
func (i *instance) submit(operation, keyID, ciphertext string) (answer, error) {
	op := credentialOps[operation]
	return i.graphql("mutation($input: "+op.input+"!) { "+operation+"(input: $input) }",
		map[string]any{op.field: ciphertext, "keyId": keyID, "passwordAuthType": op.typ})
}

// try submits a secret and answers in one word: "true", "false", a code, or
// "?" when the connection broke and nobody knows.
func (i *instance) try(operation string, k keyPair, secret string) string {
	a, err := i.submit(operation, k.ID, encryptFor(i.t, k, operation, secret))
	return word(operation, a, err)
}

func word(operation string, a answer, err error) string {
	if err != nil {
		return "?"
	}
	if ok, is := a.Data[operation].(bool); is {
		return fmt.Sprint(ok)
	}
	if code := a.code(); code != "" {
		return code
	}
	return fmt.Sprintf("status %d: %s", a.Status, a.Body)
}

func (i *instance) expect(what, got, want string) {
	i.t.Helper()
	if got != want {
		i.t.Errorf("%s: %s, want %s", what, got, want)
	}
}

// summary is getEncryptionMetricsSummary.
func (i *instance) summary(hours float64) map[string]float64 {
	i.t.Helper()
	body, _ := json.Marshal(map[string]any{
		"query":     "query($h: Float) { getEncryptionMetricsSummary(timeframeHours: $h) }",
		"variables": map[string]any{"h": hours}})
	a, err := i.post("/graphql", "application/json", body)
	if err != nil {
		i.t.Fatal(err)
	}
	text, _ := a.Data["getEncryptionMetricsSummary"].(string)
	var sum map[string]float64
	if err := json.Unmarshal([]byte(text), &sum); err != nil {
		i.t.Fatalf("the summary is not JSON: %s", a.Body)
	}
	return sum
}

// auditIntact runs audit verify beside the server.
func (i *instance) auditIntact() {
	i.t.Helper()
	if out, code := i.command("audit", "verify"); code != 0 {
		i.t.Errorf("audit verify exits %d:\n%s", code, out)
	}
}

// need says whether a tool is there. Without it a test is skipped by name; in
// CI it fails, so that nothing is skipped unseen.
func need(t testing.TB, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatalf("%s is not installed", tool)
			}
			t.Skipf("SKIPPED: %s is not installed", tool)
		}
	}
}

// lockedBuffer is a buffer that a test reads while a process writes.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }
