package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"strongroom/internal/sandbox"
)

// snippetPrograms say how the snippets are run that can be run here.
var snippetPrograms = map[string]struct {
	tool string
	args []string
}{
	"java":      {"java", nil},
	"webcrypto": {"node", []string{globalCrypto}},
	"node":      {"node", nil},
	"python":    {"python3", nil},
	"go":        {"go", []string{"run"}},
	"openssl":   {"sh", nil},
}

// TestTheSnippetsEncryptWhatTheServiceDecrypts runs the very files that the
// sandbox shows.
func TestTheSnippetsEncryptWhatTheServiceDecrypts(t *testing.T) {
	t.Parallel()
	const secret = "pässwort €4711"
	i := start(t)
	// The strictest service: what it takes, every one takes.
	strict := start(t, "--oaep", "sha256")
	for _, s := range sandbox.Snippets() {
		program, runs := snippetPrograms[s.ID]
		if runs != s.Tested {
			t.Errorf("%s: the page says that it is tested: %v", s.ID, s.Tested)
		}
		if !runs {
			continue
		}
		t.Run(s.ID, func(t *testing.T) {
			tool := program.tool
			if s.ID == "python" {
				tool = pythonWithCryptography(t)
			}
			need(t, tool, "openssl")
			for _, i := range []*instance{i.in(t), strict.in(t)} {
				dir := t.TempDir()
				k := i.mustIssue(generate, s.ID)
				for name, content := range map[string]string{s.File: s.Code, "public.pem": k.PEM} {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				args := append(program.args, filepath.Join(dir, s.File), filepath.Join(dir, "public.pem"))
				first := strings.TrimSpace(pipe(t, secret, tool, args...))
				i.expect("set", i.answerTo("setUserPasscode", k, first), "true")
				i.expect("verify", i.try("verifyUserPasscode", k, secret), "true")
			}
		})
	}
}

// pythonWithCryptography is a Python that has the package, as Debian's does
// once tools/install was there, or the first in the path.
func pythonWithCryptography(t *testing.T) string {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import cryptography").Run() == nil {
			return python
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("python3 with the package cryptography is not installed")
	}
	t.Skip("SKIPPED: python3 with the package cryptography is not installed")
	return ""
}
