package e2e

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The page gives a configuration of HAProxy as the gateway. A client must not name its
// account, and reaches only what users need.
func TestTheDocumentedProxyIsAGateway(t *testing.T) {
	t.Parallel()
	need(t, "haproxy")
	var config string
	for _, b := range blocks(t, "docs/callers.md") {
		if b.lang == "haproxy" {
			config = b.text
		}
	}
	const secret, scopes = "a-service-token-of-at-least-32-characters", " key:issue credential:write credential:verify"
	if page, err := os.ReadFile("../../docs/callers.md"); err != nil || !strings.Contains(string(page), "TOKEN"+scopes+"\n") {
		t.Errorf("the page has no token with the scopes%s: %v", scopes, err)
	}
	i := start(t, "--accounts", "gateway", "--require-scopes", "--gateway-token-file", writeFile(t, secret+scopes+"\n"))
	dir, address := t.TempDir(), freeAddress(t)
	config = strings.NewReplacer("127.0.0.1:8000", address, "127.0.0.1:8080", strings.TrimPrefix(i.base, "http://")).Replace(config)
	for name, text := range map[string]string{"haproxy.cfg": config, "sessions.map": "a1 alice\nb2 bob\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("haproxy", "-db", "-f", filepath.Join(dir, "haproxy.cfg"))
	cmd.Env = append(os.Environ(), "GATEWAY_TOKEN="+secret)
	var log lockedBuffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("HAProxy's log:\n%s", tail(log.String(), 4<<10))
		}
	})
	proxy := &instance{t: t, base: "http://" + address}
	post := func(from *instance, path string) (status int, body string) {
		a, err := from.post(path, "application/json", []byte(`{"deviceId":"phone"}`))
		if err != nil {
			return 0, err.Error()
		}
		return a.Status, string(a.Body)
	}
	await(t, "HAProxy answers", 5*time.Second, func() bool {
		status, _ := post(proxy, "/graphql")
		return status == http.StatusUnauthorized
	})

	alice := proxy.as("Cookie", "session=a1")
	k := alice.withPIN("phone", "4938")
	proxy.expect("a right PIN", alice.try(verifyPIN, k, "4938"), "true")
	proxy.expect("the same key from the account that the proxy must name",
		i.withToken(secret).as("Strongroom-Account", "alice").mustIssue(generate, "phone").ID, k.ID)
	bob := proxy.as("Cookie", "session=b2")
	for _, header := range []string{"Strongroom-Account", "strongroom-account", "STRONGROOM_ACCOUNT", "Strongroom_Account"} {
		if other := bob.as(header, "alice").mustIssue(generate, "phone"); other.ID == k.ID {
			t.Errorf("bob gets the key of alice with the header %s", header)
		}
	}
	proxy.expect("another user's key", bob.as("Authorization", "Bearer made-up").try(verifyPIN, k, "4938"), "KEY_NOT_USABLE")
	for what, c := range map[string]struct {
		from   *instance
		path   string
		status int
	}{
		"no session":             {proxy, "/api/encryption/keys", http.StatusUnauthorized},
		"an unknown session":     {proxy.as("Cookie", "session=c3"), "/api/encryption/keys", http.StatusUnauthorized},
		"the token of a gateway": {proxy.withToken(secret).as("Strongroom-Account", "alice"), "/api/encryption/keys", http.StatusUnauthorized},
		"a redemption":           {alice, "/api/receipts/redeem", http.StatusNotFound},
		"a longer path":          {alice, "/graphql/x", http.StatusNotFound},
	} {
		if status, body := post(c.from, c.path); status != c.status {
			t.Errorf("%s: status %d, want %d: %s", what, status, c.status, body)
		}
	}
}
