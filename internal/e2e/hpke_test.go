package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"strongroom/internal/crypto/devicekey"
)

// hpkeKey is what a client keeps of a key pair of HPKE.
type hpkeKey struct {
	ID             string              `json:"keyId"`
	Algorithm      devicekey.Algorithm `json:"algorithm"`
	PublicKeyBytes string              `json:"publicKeyBytes"`
}

// hpkeKey asks for a key pair of an algorithm, as a client does that has RSA too.
func (i *instance) hpkeKey(operation string, a devicekey.Algorithm, device string) hpkeKey {
	i.t.Helper()
	got, err := i.graphql("mutation($input: ClientIdentityInput!) { "+operation+"(input: $input) { keyId algorithm publicKeyBytes } }",
		map[string]any{"deviceId": device, "algorithms": []string{"RSA-OAEP-256", string(a)}})
	if err != nil {
		i.t.Fatal(err)
	}
	var data struct{ Data map[string]hpkeKey }
	if err := json.Unmarshal(got.Body, &data); err != nil || data.Data[operation].Algorithm != a {
		i.t.Fatalf("no key pair of %s: %s", a, got.Body)
	}
	return data.Data[operation]
}

// hpkeEncrypt is client code: it makes the ciphertext of a secret for an operation
// and a passwordAuthType.
type hpkeEncrypt func(t testing.TB, k hpkeKey, operation, typ, secret string) string

// program runs a client that reads the secret and prints the ciphertext.
func program(dir string, command ...string) hpkeEncrypt {
	return func(t testing.TB, k hpkeKey, operation, typ, secret string) string {
		t.Helper()
		args := append(command[1:len(command):len(command)], string(k.Algorithm), k.PublicKeyBytes, operation, k.ID, typ)
		cmd := exec.Command(command[0], args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(secret)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		return strings.TrimSpace(string(out))
	}
}

// hpkeLibraries is a directory with the client programs and the npm packages that
// they need, installed once.
var hpkeLibraries = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(work, "hpke")
	if err := os.CopyFS(dir, os.DirFS("testdata/hpke")); err != nil {
		return "", err
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm could not install @hpke/core: %w\n%s", err, out)
	}
	return dir, nil
})

func hpkePrograms(t *testing.T) string {
	t.Helper()
	need(t, "node", "npm")
	dir, err := hpkeLibraries()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("SKIPPED: %v", err)
	}
	return dir
}

// The snippet of docs/api.md encrypts with the versions of the packages that the page names.
func TestTheDocumentedHPKESnippetEncrypts(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	var tested struct{ Dependencies map[string]string }
	if text, err := os.ReadFile("testdata/hpke/package.json"); err != nil || json.Unmarshal(text, &tested) != nil {
		t.Fatalf("package.json: %v", err)
	}
	for name, version := range tested.Dependencies {
		if !strings.Contains(string(page), name+"@"+version) {
			t.Errorf("docs/api.md does not name %s@%s", name, version)
		}
	}
	doc := blocks(t, "docs/api.md")
	n := slices.IndexFunc(doc, func(b block) bool { return b.heading == "HPKE" && b.lang == "js" })
	if n < 0 {
		t.Fatal("docs/api.md has no such snippet")
	}
	i := start(t, "--key-algorithms", "HPKE-XWING,RSA-OAEP-256")
	dir := hpkePrograms(t)
	k := i.hpkeKey(generate, devicekey.HPKEXWing, "phone")
	set := program(dir, "node", globalCrypto, "hpke.mjs")(t, k, "setTransactionPin", "TRANSACTION_PIN", "493817")
	i.expect("set", i.answerTo("setTransactionPin", keyPair{ID: k.ID}, set), "true")
	text := "const [publicKeyBytes, keyId, secret] = process.argv.slice(2)\n" + doc[n].text + "\nprocess.stdout.write(encrypted)"
	if err := os.WriteFile(filepath.Join(dir, "snippet.mjs"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	verify := pipe(t, "", "node", globalCrypto, filepath.Join(dir, "snippet.mjs"), k.PublicKeyBytes, k.ID, "493817")
	i.expect("verify", i.answerTo("verifyTransactionPin", keyPair{ID: k.ID}, verify), "true")
}

// bouncyCastle is the path of BouncyCastle as Debian has it.
func bouncyCastle(t *testing.T) string {
	t.Helper()
	need(t, "java", "javac")
	const jar = "/usr/share/java/bcprov.jar"
	if _, err := os.Stat(jar); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("SKIPPED: BouncyCastle is not installed: %v", err)
	}
	return jar
}

// openPage starts a browser on the page of testdata/hpke. It needs no driver: the
// page asks for what it has to encrypt. The last of args gets the path of a profile.
func openPage(t *testing.T, browser string, args ...string) hpkeEncrypt {
	t.Helper()
	dir := hpkePrograms(t)
	need(t, browser)
	jobs, answers := make(chan []byte), make(chan []byte)
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServer(http.Dir(dir)))
	mux.HandleFunc("GET /jobs", func(w http.ResponseWriter, r *http.Request) {
		select {
		case job := <-jobs:
			_, _ = w.Write(job)
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("POST /answers", func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		select {
		case answers <- body:
		case <-r.Context().Done():
		}
	})
	server := httptest.NewServer(mux)
	profile, err := os.MkdirTemp(work, "profile-")
	if err != nil {
		t.Fatal(err)
	}
	args = append(args[:len(args)-1:len(args)-1], args[len(args)-1]+profile, server.URL+"/page.html")
	cmd := exec.Command(browser, args...)
	cmd.Env = append(cleanEnv(), "HOME="+profile)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var log lockedBuffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // the browser and its processes for pages
		_ = cmd.Wait()
		server.CloseClientConnections()
		server.Close()
	})
	return func(t testing.TB, k hpkeKey, operation, typ, secret string) string {
		t.Helper()
		job, err := json.Marshal(map[string]any{"key": k, "operation": operation, "passwordAuthType": typ, "secret": secret})
		if err != nil {
			t.Fatal(err)
		}
		timeout := time.After(60 * time.Second)
		select {
		case jobs <- job:
		case early := <-answers:
			t.Fatalf("%s: %s", browser, early)
		case <-timeout:
			t.Fatalf("%s did not open the page:\n%s", browser, tail(log.String(), 4<<10))
		}
		select {
		case body := <-answers:
			var answer struct{ Ciphertext, Error string }
			if err := json.Unmarshal(body, &answer); err != nil || answer.Ciphertext == "" {
				t.Fatalf("%s, %s: %s", browser, k.Algorithm, body)
			}
			return answer.Ciphertext
		case <-timeout:
			t.Fatalf("%s did not answer:\n%s", browser, tail(log.String(), 4<<10))
		}
		return ""
	}
}

// hpkeStack is one way in which client code encrypts by HPKE.
type hpkeStack struct {
	name       string
	algorithms []devicekey.Algorithm
	open       func(t *testing.T) hpkeEncrypt
}

// TestHPKEOfOtherLibrariesSetsAndVerifies lets clients of other stacks encrypt. A
// ciphertext works for the operation, key and type that it was made for, and for
// nothing else. BOUNCYCASTLE is the path of a bcprov of 1.81 or newer, if there is one.
func TestHPKEOfOtherLibrariesSetsAndVerifies(t *testing.T) {
	t.Parallel()
	i := start(t, "--key-algorithms", "HPKE-XWING,HPKE-X25519,RSA-OAEP-256", "--replay-protection")
	both := []devicekey.Algorithm{devicekey.HPKEX25519, devicekey.HPKEXWing}
	stacks := []hpkeStack{
		{"Node", both, func(t *testing.T) hpkeEncrypt {
			return program(hpkePrograms(t), "node", globalCrypto, "hpke.mjs")
		}},
		{"Chromium", both, func(t *testing.T) hpkeEncrypt {
			return openPage(t, browserProgram(), "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--user-data-dir=")
		}},
		{"Firefox", both, func(t *testing.T) hpkeEncrypt {
			return openPage(t, "firefox-esr", "--headless", "--no-remote", "-profile=")
		}},
		// Debian 12 has BouncyCastle 1.72, which has neither HPKE nor X-Wing.
		{"BouncyCastle as Debian has it", both[:1], func(t *testing.T) hpkeEncrypt {
			return program("testdata/hpke", "java", "-cp", bouncyCastle(t), "Hpke.java")
		}},
	}
	if jar := os.Getenv("BOUNCYCASTLE"); jar != "" { // of 1.81 or newer
		stacks = append(stacks, hpkeStack{"BouncyCastle", both, func(*testing.T) hpkeEncrypt {
			return program("testdata/hpke", "java", "-cp", jar, "BouncyCastle.java")
		}})
	}
	for _, stack := range stacks {
		t.Run(stack.name, func(t *testing.T) {
			t.Parallel()
			encrypt := stack.open(t)
			for _, a := range stack.algorithms {
				i := i.in(t)
				device := stack.name + " " + string(a)
				k, other := i.hpkeKey(generate, a, device), i.hpkeKey(generate, a, "another "+device)
				what := func(does string) string { return string(a) + ", " + does }
				set := encrypt(t, k, "setTransactionPin", "TRANSACTION_PIN", "493817")
				verify := encrypt(t, k, "verifyTransactionPin", "TRANSACTION_PIN", "493817")
				pair := keyPair{ID: k.ID}
				i.expect(what("verify with the ciphertext of a set"), i.answerTo("verifyTransactionPin", pair, set), "DECRYPTION_FAILED")
				i.expect(what("set with the ciphertext of a verify"), i.answerTo("setTransactionPin", pair, verify), "DECRYPTION_FAILED")
				i.expect(what("set"), i.answerTo("setTransactionPin", pair, set), "true")
				i.expect(what("verify"), i.answerTo("verifyTransactionPin", pair, verify), "true")
				i.expect(what("the same again"), i.answerTo("verifyTransactionPin", pair, verify), "CIPHERTEXT_REUSED")
				i.expect(what("verify another PIN"), i.answerTo("verifyTransactionPin", pair,
					encrypt(t, k, "verifyTransactionPin", "TRANSACTION_PIN", "493818")), "false")
				i.expect(what("verify under another key"), i.answerTo("verifyTransactionPin", keyPair{ID: other.ID}, verify), "DECRYPTION_FAILED")
				i.expect(what("another type"), i.answerTo("verifyTransactionPin", pair,
					encrypt(t, k, "verifyTransactionPin", "PASSCODE", "493817")), "DECRYPTION_FAILED")

				k = i.hpkeKey(rotate, a, device)
				i.expect(what("after a rotation"), i.answerTo("verifyTransactionPin", keyPair{ID: k.ID},
					encrypt(t, k, "verifyTransactionPin", "TRANSACTION_PIN", "493817")), "true")
			}
		})
	}
}

// A database from before the switch to FIPS mode has keys that must not be used there.
func TestInFIPSModeDevicesGetXWingInsteadOfX25519Keys(t *testing.T) {
	t.Parallel()
	i := start(t, "--key-algorithms", "HPKE-X25519,RSA-OAEP-256", "--rotation-grace", "1h")
	either := []string{"HPKE-X25519", "HPKE-XWING"}
	for _, mode := range []string{"on", "only"} {
		i.kill()
		i.env, i.args = nil, []string{"--key-algorithms", "HPKE-X25519,RSA-OAEP-256", "--rotation-grace", "1h"}
		i.run()
		input := map[string]any{"deviceId": "phone-" + mode, "algorithms": either}
		old, err := i.issueTo(generate, input)
		if err != nil {
			t.Fatal(err)
		}
		i.expect("set", i.try(setPIN, old, "4938"), "true")
		i.kill()
		i.env, i.args = []string{"GODEBUG=fips140=" + mode}, []string{"--key-algorithms", "HPKE-XWING,RSA-OAEP-256", "--rotation-grace", "1h"}
		i.run()
		i.expect("verify, "+mode, i.try(verifyPIN, old, "4938"), "KEY_NOT_USABLE")
		i.expect("set, "+mode, i.try(setPIN, old, "4939"), "KEY_NOT_USABLE")
		next, err := i.issueTo(generate, input)
		if err != nil {
			t.Fatal(err)
		}
		if a := next.recipient(t).Algorithm(); a != devicekey.HPKEXWing {
			t.Errorf("%s: the new key is of %s", mode, a)
		}
		i.expect("verify by the new key, "+mode, i.try(verifyPIN, next, "4938"), "true")
		i.expect("verify by the old key, "+mode, i.try(verifyPIN, old, "4938"), "KEY_NOT_USABLE")
		a, err := i.graphql(`mutation($input: EncryptDataPayload!) { encryptDataLikeClient(input: $input) { encryptedData } }`,
			map[string]any{"body": "4938", "publicKey": old.PEM, "operation": verifyPIN, "keyId": old.ID, "passwordAuthType": "TRANSACTION_PIN"})
		if err != nil || a.code() != "BAD_USER_INPUT" || !strings.Contains(string(a.Body), "FIPS mode") {
			t.Errorf("the helper, %s: %v, %s", mode, err, a.Body)
		}
	}
	there := start(t, "--key-algorithms", "HPKE-X25519,RSA-OAEP-256")
	if _, err := there.issueTo(generate, map[string]any{"deviceId": "moves", "algorithms": either}); err != nil {
		t.Fatal(err)
	}
	ours, _ := i.command("account", "key")
	theirs, _ := there.command("account", "key")
	parcel := filepath.Join(t.TempDir(), "parcel")
	there.wants(0, "move 1", "account", "move", "--device", "moves", "--to", writeFile(t, ours), "--output", parcel, "--reason", "full")
	i.wants(0, "Keys that still work: 0.", "account", "receive", parcel, "--from", writeFile(t, theirs), "--reason", "full")
	if log := i.log.String(); strings.Contains(log, "a stored row was refused") {
		t.Errorf("the log reports tampering")
	}
	i.auditIntact()
}
