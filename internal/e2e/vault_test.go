package e2e

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"strongroom/internal/rootkey/vaulttest"
)

// The root key of a running server moves from a file into the transit engine of Vault.
// The key is rotated there and here, and each failure of the server has its own words.
func TestARootKeyMovesToVault(t *testing.T) {
	t.Parallel()
	s, err := vaulttest.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	env := []string{"VAULT_TOKEN=" + s.Token}
	i := startWith(t, env)
	k := i.mustIssue(generate, "phone")
	i.expect("set PIN", i.try("setTransactionPin", k, "493817"), "true")
	url, second := s.URL("strongroom", ""), s.URL("second", "")
	i.mustRoot(env, "root-key", "create", url)
	i.mustRoot(env, "root-key", "rotate", "--data-dir", i.dataDir, "--root-key", "file:"+i.dataDir+"/root.key", "--to", url)
	s.Cut()
	i.expect("with Vault away", i.try("verifyTransactionPin", k, "493817"), "true")
	s.Answer(nil)

	i.stop()
	tries := 0
	s.Answer(func(w http.ResponseWriter, _ *http.Request) bool {
		tries++
		if tries < 3 {
			http.Error(w, `{"errors":["Vault is sealed"]}`, http.StatusServiceUnavailable)
		}
		return tries < 3
	})
	i.args = []string{"--root-key", url}
	i.run()
	if text := i.log.String(); !strings.Contains(text, "waiting for a root key") || !strings.Contains(text, "unseal the server") {
		t.Errorf("the log does not say what a start waits for:\n%s", text)
	}
	i.expect("after a restart", i.try("verifyTransactionPin", k, "493817"), "true")

	s.Rotate("strongroom")
	i.mustRoot(env, "root-key", "rotate", "--data-dir", i.dataDir, "--root-key", url, "--to", url) // under version 2
	s.Oldest("strongroom", 2)
	i.mustRoot(env, "root-key", "create", second)
	i.mustRoot(env, "root-key", "add", "--data-dir", i.dataDir, "--root-key", url, second)
	i.mustRoot(env, "audit", "verify", "--data-dir", i.dataDir, "--root-key", second)
	i.stop()

	for _, c := range []struct {
		what    string
		happens func()
		part    string
	}{
		{"revoked permission", func() { s.Errors("/decrypt/", 403, "1 error occurred:\n\t* permission denied\n\n") }, "update on transit/encrypt/strongroom and transit/decrypt/strongroom"},
		{"key deleted", func() { s.Answer(nil); s.Delete("strongroom") }, "there is no key transit/keys/strongroom, or it was deleted"},
		{"wrong key", func() { s.Answer(nil); s.Delete("strongroom"); s.Make("strongroom") }, "may have been deleted and created again"},
	} {
		c.happens()
		out, code := strongroom(t, env, "serve", "--data-dir", i.dataDir, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--root-key", url)
		if code == 0 || !strings.Contains(out, c.part) {
			t.Errorf("%s: exit code %d: %s", c.what, code, out)
		}
	}
	i.args = []string{"--root-key", url, "--root-key", second}
	i.run()
	i.expect("by the other key", i.try("verifyTransactionPin", k, "493817"), "true")
}

// The same with a real server, whose words the messages rely on. It takes minutes to
// build, so it is part of the soak run.
func TestARootKeyInARealVault(t *testing.T) {
	program := os.Getenv("E2E_VAULT")
	if program == "" {
		t.Skip("needs a Vault server in E2E_VAULT; make soak builds one with tools/vault")
	}
	v := startVault(t, program)
	v.must("secrets", "enable", "transit")
	v.must("auth", "enable", "approle")
	v.allow("encrypt", "decrypt")
	v.must("write", "auth/approle/role/strongroom", "token_policies=strongroom")
	v.must("write", "-f", "transit/keys/strongroom")
	secret := filepath.Join(t.TempDir(), "secret-id")
	if err := os.WriteFile(secret, v.must("write", "-f", "-field=secret_id", "auth/approle/role/strongroom/secret-id"), 0o600); err != nil {
		t.Fatal(err)
	}
	url := "vault:" + v.address + "/transit/strongroom?ca=" + v.ca + "&auth=approle&secret-id-file=" + secret +
		"&role-id=" + string(v.must("read", "-field=role_id", "auth/approle/role/strongroom/role-id"))

	i := startWith(t, nil, "--root-key", url)
	k := i.mustIssue(generate, "phone")
	i.expect("set PIN", i.try("setTransactionPin", k, "493817"), "true")
	v.must("write", "-f", "transit/keys/strongroom/rotate")
	i.mustRoot(nil, "root-key", "rotate", "--data-dir", i.dataDir, "--root-key", url, "--to", url)
	v.must("write", "transit/keys/strongroom/config", "min_decryption_version=2", "deletion_allowed=true")
	i.stop()
	i.run()
	i.expect("after a restart", i.try("verifyTransactionPin", k, "493817"), "true")
	i.stop()

	for _, c := range []struct {
		what    string
		happens func()
		says    string
	}{
		{"version disallowed", func() {
			v.must("write", "-f", "transit/keys/strongroom/rotate")
			v.must("write", "transit/keys/strongroom/config", "min_decryption_version=3")
		}, "lower min_decryption_version"},
		{"permission revoked", func() {
			v.must("write", "transit/keys/strongroom/config", "min_decryption_version=1")
			v.allow("encrypt")
		}, "update on transit/encrypt/strongroom and transit/decrypt/strongroom"},
		{"key deleted", func() { v.allow("encrypt", "decrypt"); v.must("delete", "transit/keys/strongroom") }, "or it was deleted"},
		{"created again", func() { v.must("write", "-f", "transit/keys/strongroom") }, "may have been deleted and created again"},
		{"login revoked", func() { v.must("delete", "auth/approle/role/strongroom") }, "invalid role"},
		{"engine gone", func() { v.must("auth", "disable", "approle") }, "denied"},
	} {
		c.happens()
		out, code := strongroom(t, nil, "audit", "verify", "--data-dir", i.dataDir, "--root-key", url)
		if code == 0 || !strings.Contains(out, c.says) {
			t.Errorf("%s: exit code %d: %s", c.what, code, out)
		}
	}
}

// realVault is a development server of Vault.
type realVault struct {
	t                    *testing.T
	program, address, ca string
}

func startVault(t *testing.T, program string) *realVault {
	t.Helper()
	dir := t.TempDir()
	v := &realVault{t, program, "https://" + freeAddress(t), filepath.Join(dir, "vault-ca.pem")}
	server := exec.Command(program, "server", "-dev", "-dev-tls", "-dev-tls-cert-dir="+dir, "-dev-root-token-id=root", "-dev-listen-address="+strings.TrimPrefix(v.address, "https://"))
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	server.Stderr = server.Stdout
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "Development mode should NOT") {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return v
		}
	}
	t.Fatal("Vault ended")
	return nil
}

// allow sets what the service may do with transit keys, besides reading them.
func (v *realVault) allow(acts ...string) {
	policy := filepath.Join(v.t.TempDir(), "policy.hcl")
	text := `path "transit/keys/*" { capabilities = ["read"] }`
	for _, act := range acts {
		text += "\n" + `path "transit/` + act + `/*" { capabilities = ["update"] }`
	}
	if err := os.WriteFile(policy, []byte(text), 0o600); err != nil {
		v.t.Fatal(err)
	}
	v.must("policy", "write", "strongroom", policy)
}

// must runs a command of Vault as root.
func (v *realVault) must(args ...string) []byte {
	v.t.Helper()
	c := exec.Command(v.program, args...)
	c.Env = append(os.Environ(), "VAULT_ADDR="+v.address, "VAULT_CACERT="+v.ca, "VAULT_TOKEN=root")
	out, err := c.CombinedOutput()
	if err != nil {
		v.t.Fatalf("vault %s: %v: %s", args, err, out)
	}
	return bytes.TrimSpace(out)
}
