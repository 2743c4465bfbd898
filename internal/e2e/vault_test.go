package e2e

import (
	"net/http"
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
