package e2e

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// sandboxKey asks the doctor for a key.
func (i *instance) sandboxKey() keyPair {
	i.t.Helper()
	a, err := i.post("/sandbox/doctor/keys", "application/json", []byte("{}"))
	if err != nil {
		i.t.Fatal(err)
	}
	var k struct{ KeyID, PublicKey string }
	if err := json.Unmarshal(a.Body, &k); err != nil || !strings.HasPrefix(k.KeyID, "sandbox-") {
		i.t.Fatalf("%d %s", a.Status, a.Body)
	}
	return keyPair{k.KeyID, k.PublicKey}
}

// doctorsCase is a ciphertext, and what the doctor must say of it.
type doctorsCase struct {
	Name       string   `json:"name"`
	KeyID      string   `json:"keyId"`
	Ciphertext string   `json:"ciphertext"`
	Verdict    string   `json:"verdict"`
	Codes      []string `json:"codes"`
}

// doctorsCases are ciphertexts of other programs than the sandbox's own.
func doctorsCases(t *testing.T, i *instance) []doctorsCase {
	k, real := i.sandboxKey(), i.mustIssue(generate, "a device")
	pem := filepath.Join(t.TempDir(), "public.pem")
	if err := os.WriteFile(pem, []byte(k.PEM), 0o600); err != nil {
		t.Fatal(err)
	}
	openssl := func(secret string, options ...string) string {
		args := []string{"pkeyutl", "-encrypt", "-pubin", "-inkey", pem}
		for _, o := range options {
			args = append(args, "-pkeyopt", o)
		}
		return pipe(t, secret, "openssl", args...)
	}
	b64 := base64.StdEncoding.EncodeToString
	oaep := []string{"rsa_padding_mode:oaep", "rsa_oaep_md:sha256", "rsa_mgf1_md:sha256"}
	return []doctorsCase{
		{"none", k.ID, encrypt(t, k, "493817"), "accepted", []string{"FINE"}},
		{"none, by openssl", k.ID, b64([]byte(openssl("493817", oaep...))), "accepted", []string{"FINE"}},
		{"a line end, by echo", k.ID, b64([]byte(openssl("493817\n", oaep...))), "doubtful", []string{"TRAILING_NEWLINE"}},
		{"SHA-1 by openssl, with a line end", k.ID, b64([]byte(openssl("493817\n", "rsa_padding_mode:oaep"))), "doubtful", []string{"SHA1", "TRAILING_NEWLINE"}},
		{"MGF1 by openssl", k.ID, b64([]byte(openssl("493817", oaep[0], oaep[1], "rsa_mgf1_md:sha1"))), "accepted", []string{"MGF1", "FINE_INSIDE"}},
		{"SHA-512 by openssl", k.ID, b64([]byte(openssl("493817", oaep[0], "rsa_oaep_md:sha512"))), "refused", []string{"OTHER_HASH"}},
		{"a label by openssl", k.ID, b64([]byte(openssl("493817", append(oaep, "rsa_oaep_label:6c6162656c")...))), "refused", []string{"LABEL"}},
		{"PKCS #1 v1.5 by openssl", k.ID, b64([]byte(openssl("493817"))), "refused", []string{"PKCS1_V15"}},
		{"no padding", k.ID, b64(rawRSA(k.public(t), []byte("493817"))), "refused", []string{"RAW_RSA"}},
		{"a device's key", k.ID, encrypt(t, real, "493817"), "refused", []string{"UNDECRYPTABLE"}},
		{"asked about a device's key", real.ID, encrypt(t, real, "493817"), "unknown", []string{}},
	}
}

// chromium is one browser for all tests, and a directory with what drives it.
type chromium struct {
	dir      string
	endpoint string
}

// openChromium installs the drivers and starts the browser, which ends with
// this process: with its standard input.
var openChromium = sync.OnceValues(func() (chromium, error) {
	c := chromium{dir: filepath.Join(work, "browser")}
	if err := os.CopyFS(c.dir, os.DirFS("testdata/browser")); err != nil {
		return c, err
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	install.Dir = c.dir
	if out, err := install.CombinedOutput(); err != nil {
		return c, fmt.Errorf("npm could not install playwright-core: %w\n%s", err, out)
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		return c, err
	}
	server := exec.Command("node", "chromium.mjs")
	server.Dir, server.Env, server.Stderr = c.dir, append(cleanEnv(), "CHROMIUM="+path), os.Stderr
	if _, err := server.StdinPipe(); err != nil { // stays open as long as this process
		return c, err
	}
	out, err := server.StdoutPipe()
	if err != nil {
		return c, err
	}
	if err := server.Start(); err != nil {
		return c, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return c, fmt.Errorf("chromium did not start: %w", err)
	}
	c.endpoint = strings.TrimSpace(line)
	return c, nil
})

// browse runs a driver of testdata/browser to its end. Each of its checks must
// hold. BROWSER_SHOTS names a directory for screenshots.
func browse(t *testing.T, driver []string, env ...string) {
	t.Helper()
	need(t, "node", "npm", "chromium")
	c, err := openChromium()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("SKIPPED: %v", err)
	}
	drive := exec.Command("node", driver...)
	drive.Dir = c.dir
	drive.Env = append(append(cleanEnv(), "BROWSER="+c.endpoint, "SHOTS="+os.Getenv("BROWSER_SHOTS")), env...)
	drive.Stderr = os.Stderr
	began := time.Now()
	out, err := drive.Output()
	if err != nil {
		t.Errorf("%v: %v", driver, err)
	}
	checks, ended := 0, -1
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		check := struct {
			Name, Detail string
			OK           bool
			MS           int
			End          int
		}{End: -1}
		if err := json.Unmarshal(lines.Bytes(), &check); err != nil {
			t.Fatalf("%v: %s", err, lines.Text())
		}
		if check.End >= 0 {
			ended = check.End
			continue
		}
		checks++
		t.Logf("%6d ms  %s", check.MS, check.Name)
		if !check.OK {
			t.Errorf("%s: %s", check.Name, check.Detail)
		}
	}
	if checks == 0 || ended != checks {
		t.Errorf("%v ended after %d checks, and says %d", driver, checks, ended)
	}
	t.Logf("%v: %d checks in %.0f s", driver, checks, time.Since(began).Seconds())
}

// TestTheSandboxInABrowser drives GraphiQL, the client's page and the doctor
// with Chromium.
func TestTheSandboxInABrowser(t *testing.T) {
	need(t, "openssl")
	token := strings.Repeat("gateway-token-", 4)
	tokens := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(tokens, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := newProvider(t)
	i, behind := start(t, "--rsa-bits", "2048"), start(t, "--rsa-bits", "2048", "--accounts", "gateway", "--gateway-token-file", tokens)
	jwt := start(t, p.flags()...)
	cases, err := json.Marshal(doctorsCases(t, i))
	if err != nil {
		t.Fatal(err)
	}
	browse(t, []string{"sandbox.mjs"}, "BASE="+i.base, "GATEWAY="+behind.base, "TOKEN="+token, "CASES="+string(cases),
		"JWT="+jwt.base, "BEARER="+p.token("alice", nil))
	for _, secret := range []string{"493817", "pässwort", "correct horse"} {
		if strings.Contains(i.log.String()+behind.log.String()+jwt.log.String(), secret) {
			t.Errorf("%q is in a log", secret)
		}
	}
	i.auditIntact()
}

func TestADoctorsKeyIsNoDevicesKey(t *testing.T) {
	t.Parallel()
	i := start(t, "--rsa-bits", "2048")
	k := i.sandboxKey()
	for operation := range maps.Keys(credentialOps) {
		i.expect(operation+" with a doctor's key", i.try(operation, k, "493817"), "KEY_NOT_USABLE")
	}
	unknown, err := i.submit("setTransactionPin", "aaaaaaaaaaaaaaaaaaaaaaaaaa", encrypt(t, k, "493817"))
	if err != nil {
		t.Fatal(err)
	}
	its, err := i.submit("setTransactionPin", k.ID, encrypt(t, k, "493817"))
	if err != nil || string(its.Body) != string(unknown.Body) {
		t.Errorf("%v: a doctor's key: %s, an unknown one: %s", err, its.Body, unknown.Body)
	}
	i.auditIntact()
}

func TestWithoutTheSandboxNothingOfItIsThere(t *testing.T) {
	t.Parallel()
	i := start(t, "--sandbox=false", "--rsa-bits", "2048")
	i.header = http.Header{"Accept": {"text/html,*/*;q=0.1"}} // as a browser does
	for path, want := range map[string]int{"/sandbox": 404, "/sandbox/": 404, "/sandbox/doctor": 404, "/graphql": 400} {
		a, err := i.send(http.MethodGet, path, "", nil)
		if err != nil || a.Status != want || strings.Contains(string(a.Body), "<") {
			t.Errorf("GET %s: %v %d %s, want %d", path, err, a.Status, a.Body, want)
		}
	}
	for _, path := range []string{"/sandbox/doctor/keys", "/sandbox/doctor/diagnose"} {
		if a, err := i.post(path, "application/json", []byte("{}")); err != nil || a.Status != 404 {
			t.Errorf("POST %s: %v %d %s", path, err, a.Status, a.Body)
		}
	}
}
