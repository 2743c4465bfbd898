// Parallel tests start in the reverse order of their files. The tests here take longest, so
// the file has a late name.

package e2e

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/sandbox"
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
		{"the label of a purpose by openssl", k.ID, b64([]byte(openssl("493817", append(oaep, "rsa_oaep_label:"+hex.EncodeToString([]byte("strongroom/verify")))...))), "accepted", []string{"FINE"}},
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
	stdin    io.Closer // whose end ends it: kept, or the collector would close it
}

// openChromium installs the drivers and starts the browser, which ends with
// this process.
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
	path, err := exec.LookPath(browserProgram())
	if err != nil {
		return c, err
	}
	server := exec.Command("node", "chromium.mjs")
	server.Dir, server.Env, server.Stderr = c.dir, append(cleanEnv(), "CHROMIUM="+path), os.Stderr
	if c.stdin, err = server.StdinPipe(); err != nil {
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

// browserProgram prefers the shell of Chromium without a window: the same
// engine in half the CPU time.
func browserProgram() string {
	if _, err := exec.LookPath("chromium-headless-shell"); err == nil {
		return "chromium-headless-shell"
	}
	return "chromium"
}

// browse runs a driver of testdata/browser to its end. Each of its checks must
// hold. BROWSER_SHOTS names a directory for screenshots.
func browse(t *testing.T, driver []string, env ...string) {
	t.Helper()
	need(t, "node", "npm", browserProgram())
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
	checks, ended, failed := 0, -1, []string{}
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
			failed = append(failed, check.Name+": "+check.Detail)
		}
	}
	for _, f := range failed {
		t.Error(f)
	}
	if checks == 0 || ended != checks {
		t.Errorf("%v ended after %d checks, and says %d", driver, checks, ended)
	}
	t.Logf("%v: %d checks in %.0f s", driver, checks, time.Since(began).Seconds())
}

// TestTheSandboxInABrowser drives GraphiQL, the client's pages and the doctor
// with Chromium.
func TestTheSandboxInABrowser(t *testing.T) {
	t.Parallel()
	need(t, "openssl")
	token := strings.Repeat("gateway-token-", 4)
	tokens := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(tokens, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := newProvider(t)
	i, behind := start(t, redeemable(t)...), start(t, "--accounts", "gateway", "--gateway-token-file", tokens)
	jwt := start(t, p.flags()...)
	labels := start(t, append(redeemable(t), "--ciphertext-purpose", "required")...)
	cases, err := json.Marshal(doctorsCases(t, i))
	if err != nil {
		t.Fatal(err)
	}
	browse(t, []string{"sandbox.mjs"}, "BASE="+i.base, "GATEWAY="+behind.base, "TOKEN="+token, "CASES="+string(cases), "LABELS="+labels.base,
		"JWT="+jwt.base, "BEARER="+p.token("alice", nil), "BACKEND="+receiptToken, "BACKEND_BEARER="+p.token("backend", map[string]any{"scope": "receipt:redeem"}))
	for _, secret := range []string{"493817", "pässwort", "correct horse"} {
		if strings.Contains(i.log.String()+behind.log.String()+jwt.log.String()+labels.log.String(), secret) {
			t.Errorf("%q is in a log", secret)
		}
	}
	i.auditIntact()
}

func TestADoctorKeyDoesNotWorkAsADeviceKey(t *testing.T) {
	t.Parallel()
	i := start(t)
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

// The doctor answers or refuses any input. It gives the same answer for every key that is
// not its own, whether the key exists or not.
func TestTheDoctorHandlesAnyInput(t *testing.T) {
	t.Parallel()
	i := start(t)
	k, real := i.sandboxKey(), i.mustIssue(generate, "phone")
	send := func(i *instance, contentType, body string) answer {
		a, err := i.post("/sandbox/doctor/diagnose", contentType, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	ask := func(body string) answer { return send(i, "application/json", body) }
	question := func(id, text string) string {
		b, err := json.Marshal(map[string]string{"keyId": id, "ciphertext": text})
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	text := encrypt(t, real, "493817")
	nobodys := ask(question("aaaaaaaaaaaaaaaaaaaaaaaaaa", text))
	for what, id := range map[string]string{"a device's key": real.ID, "another doctor's": "sandbox-aaaaaaaaaaaaaaaaaaaaaaaaaa", "nonsense": hostileDevice, "a path": "../" + k.ID, "nothing": ""} {
		a := ask(question(id, text))
		if a.Status != nobodys.Status || string(a.Body) != string(nobodys.Body) || !strings.Contains(string(a.Body), `"unknown"`) {
			t.Errorf("%s: %d %s, and of nobody's key: %d %s", what, a.Status, a.Body, nobodys.Status, nobodys.Body)
		}
		if diff := cmp.Diff(steady(nobodys.Header), steady(a.Header)); diff != "" {
			t.Errorf("%s: headers (-nobody's +its):\n%s", what, diff)
		}
	}

	for what, tc := range map[string]struct {
		answer
		status int
	}{
		"16 KiB":                          {ask(question(k.ID, strings.Repeat("A", 16<<10))), 200},
		"a byte more":                     {ask(question(k.ID, strings.Repeat("A", 16<<10+1))), 400},
		"4 MiB":                           {ask(question(k.ID, strings.Repeat("A", 4<<20))), 413},
		"4 MiB of escapes":                {ask(`{"keyId":"` + k.ID + `","ciphertext":"` + strings.Repeat(`\u0041`, 700_000) + `"}`), 413},
		"no UTF-8":                        {ask("{\"keyId\":\"" + k.ID + "\",\"ciphertext\":\"\xff\xfe\"}"), 400},
		"UTF-16":                          {ask("\xfe\xff\x00{\x00}"), 400},
		"half a surrogate":                {ask(`{"keyId":"` + k.ID + `","ciphertext":"\ud800"}`), 400},
		"NUL":                             {ask(question(k.ID, "\x00\x00")), 200},
		"a byte order mark":               {ask(question(k.ID, "\ufeff"+text)), 200},
		"a right-to-left override":        {ask(question(k.ID, turnedDevice)), 200},
		"markup":                          {ask(question(k.ID, hostileDevice)), 200},
		"10,000 nested brackets":          {ask(`{"keyId":"` + k.ID + `","ciphertext":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`), 400},
		"one name twice":                  {ask(`{"keyId":"` + k.ID + `","keyId":"x","ciphertext":"x"}`), 400},
		"declared as compressed":          {send(i.as("Content-Encoding", "gzip"), "application/json", question(k.ID, "x")), 415},
		"in another character set":        {send(i, "application/json; charset=utf-16", question(k.ID, "x")), 415},
		"a form":                          {send(i, "application/x-www-form-urlencoded", "keyId=x"), 415},
		"no type":                         {send(i, "", question(k.ID, "x")), 415},
		"percent signs":                   {ask(question(k.ID, strings.Repeat("%", 9_000))), 200},
		"a thousand other keys":           {ask(`{"keyId":"` + k.ID + `","ciphertext":"x","otherKeyIds":["` + strings.Repeat(k.ID+`","`, 1_000) + `"]}`), 200},
		"other keys that are not strings": {ask(`{"keyId":"` + k.ID + `","ciphertext":"x","otherKeyIds":[{},null,1,"` + real.ID + `"]}`), 200},
		"other keys that are a map":       {ask(`{"keyId":"` + k.ID + `","ciphertext":"x","otherKeyIds":{"a":1}}`), 200},
	} {
		if tc.Status != tc.status || strings.Contains(string(tc.Body), "<script>") || strings.Contains(string(tc.Body), "\u202e") || !strings.HasPrefix(tc.Header.Get("Content-Type"), "application/json") {
			t.Errorf("%s: %d %.300s, want %d", what, tc.Status, tc.Body, tc.status)
		}
	}
	i.expect("verify", i.try("verifyTransactionPin", real, "493817"), "false")
	i.auditIntact()
}

// With either flag, the paths of the sandbox get the same answers as unknown paths. Not
// parallel: the test sets the environment.
func TestWithoutTheSandboxItsPathsLookUnknown(t *testing.T) {
	t.Setenv("E2E_ROOT_KEY", base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", 32))))
	p := newProvider(t)
	for name, i := range map[string]*instance{
		"--sandbox=false": start(t, "--sandbox=false"),
		"--hardened":      start(t, p.flags("--hardened", "--root-key", "env:E2E_ROOT_KEY")...).withToken(p.token("alice", nil)),
	} {
		i = i.as("Accept", "text/html,*/*;q=0.1") // as a browser does
		ask := func(method, path string) answer {
			a, err := i.send(method, path, "application/json", []byte("{}"))
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		shown := sandbox.New(sandbox.Config{}).Pages()
		if len(shown) < 10 {
			t.Fatalf("the sandbox has only %v", shown)
		}
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "OPTIONS"} {
			nothing := ask(method, "/nobody/thought/of/this")
			for path := range shown {
				a := ask(method, path)
				if a.Status != http.StatusNotFound || string(a.Body) != string(nothing.Body) {
					t.Errorf("%s: %s %s: %d %s", name, method, path, a.Status, a.Body)
				}
				if diff := cmp.Diff(steady(nothing.Header), steady(a.Header)); diff != "" {
					t.Errorf("%s: %s %s: headers (-no path +it):\n%s", name, method, path, diff)
				}
			}
		}
		if a := ask("GET", "/graphql"); a.Status != 400 || strings.Contains(string(a.Body), "<") {
			t.Errorf("%s: GET /graphql by a browser: %d %s", name, a.Status, a.Body)
		}
	}
}
