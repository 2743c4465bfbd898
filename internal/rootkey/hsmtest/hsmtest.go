// Package hsmtest makes tokens of SoftHSM2 for tests, and builds the helper that uses
// them.
package hsmtest

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// PIN is the user PIN of every token.
const PIN = "71829304"

// module is where Debian installs SoftHSM2.
const module = "/usr/lib/softhsm/libsofthsm2.so"

//go:embed testdata/faulty.c
var faulty []byte

// HSM is a directory with a token named "bank". Its module is SoftHSM2 behind a module
// that fails when [HSM.Fault] says so.
type HSM struct {
	t              testing.TB
	dir            string
	Module, Helper string // Helper is the program's directory
	PINFile        string
}

// New makes a token. Without SoftHSM2, pkcs11-tool or a C compiler it skips the test, or
// fails it in CI.
func New(t testing.TB) *HSM {
	t.Helper()
	for _, program := range []string{"softhsm2-util", "pkcs11-tool", "gcc"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("CI") == "true" {
				t.Fatalf("%s is not installed", program)
			}
			t.Skipf("SKIPPED: %s is not installed", program)
		}
	}
	dir, err := build()
	if err != nil {
		t.Fatal(err)
	}
	h := &HSM{t: t, dir: t.TempDir(), Module: filepath.Join(dir, "faulty.so"), Helper: dir}
	h.write("softhsm2.conf", "directories.tokendir = "+h.dir+"\nobjectstore.backend = file\nlog.level = ERROR\n")
	h.PINFile = h.write("pin", PIN+"\n")
	h.InitToken("bank")
	return h
}

var built string

var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "strongroom-hsm-")
	if err != nil {
		return "", err
	}
	built = dir
	source := filepath.Join(dir, "faulty.c")
	if err := os.WriteFile(source, faulty, 0o600); err != nil {
		return "", err
	}
	helper := exec.Command("go", "build", "-trimpath", "-o", dir, "strongroom/cmd/strongroom-pkcs11") //nolint:gosec // a test
	helper.Env = append(os.Environ(), "CGO_ENABLED=1")
	module := exec.Command("gcc", "-shared", "-fPIC", "-o", filepath.Join(dir, "faulty.so"), source) //nolint:gosec // a test
	for _, c := range []*exec.Cmd{helper, module} {
		if out, err := c.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w\n%s", c, err, out)
		}
	}
	return dir, nil
})

// End removes what the tests of a process built.
func End() {
	if built != "" {
		_ = os.RemoveAll(built)
	}
}

func (h *HSM) write(name, text string) string {
	path := filepath.Join(h.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		h.t.Fatal(err)
	}
	return path
}

// WritePIN changes the PIN file, but not the token.
func (h *HSM) WritePIN(text string) { h.write("pin", text) }

// Fault makes the module fail: crash, slow, removed, error (each when it encrypts or
// decrypts), once (an error the next time), last-pin, locked-pin (flags of the token),
// locks, login-crash, login-slow, login-error or login-removed (at a sign-in). "" ends it.
func (h *HSM) Fault(kind string) { h.write("fault", kind) }

// Logins returns how often the PIN was tried.
func (h *HSM) Logins() int {
	text, _ := os.ReadFile(filepath.Join(h.dir, "fault.logins"))
	return len(text)
}

// Env returns the environment variables that the module reads.
func (h *HSM) Env() []string {
	return []string{
		"SOFTHSM2_CONF=" + filepath.Join(h.dir, "softhsm2.conf"),
		"PKCS11_TEST_MODULE=" + module,
		"PKCS11_TEST_FAULT=" + filepath.Join(h.dir, "fault"),
	}
}

// URL returns the root key URL of a key in the token.
func (h *HSM) URL(object string) string {
	return "pkcs11:token=bank;object=" + object + "?module-path=" + h.Module + "&pin-source=" + h.PINFile
}

// InitToken makes a token.
func (h *HSM) InitToken(label string) {
	h.t.Helper()
	h.run("softhsm2-util", "--init-token", "--free", "--label", label, "--pin", PIN, "--so-pin", "so-"+PIN)
}

// Tool runs pkcs11-tool on the token and returns its output.
func (h *HSM) Tool(args ...string) string {
	h.t.Helper()
	return h.run("pkcs11-tool", append([]string{"--module", module, "--token-label", "bank", "--login", "--pin", PIN}, args...)...)
}

func (h *HSM) run(program string, args ...string) string {
	h.t.Helper()
	c := exec.Command(program, args...) //nolint:gosec // a test
	c.Env = append(os.Environ(), h.Env()...)
	out, err := c.CombinedOutput()
	if err != nil {
		h.t.Fatalf("%s: %v\n%s", c, err, out)
	}
	return string(out)
}
