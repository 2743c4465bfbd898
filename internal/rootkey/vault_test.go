package rootkey

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/rootkey/vaulttest"
)

// transitServer is a server with the key "root", and the URL of that key.
func transitServer(t *testing.T) (s *vaulttest.Server, url string) {
	t.Helper()
	s, err := vaulttest.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	t.Setenv("VAULT_TOKEN", s.Token)
	s.Make("root")
	return s, s.URL("root", "")
}

// secretFile writes a file that only this user may read.
func secretFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAVaultKeyUnwrapsItsWrapsOnlyForTheirPurpose(t *testing.T) {
	s, url := transitServer(t)
	wrapped := mustWrap(t, url)
	if err := unwrap(t, url, wrapped); err != nil {
		t.Errorf("after a restart: %v", err)
	}
	root := mustOpen(t, url)
	for name, c := range map[string]struct{ wrapped, purpose []byte }{
		"another purpose": {wrapped, []byte("another purpose")},
		"changed":         {append(bytes.Clone(wrapped[:len(wrapped)-5]), "AAAA="...), []byte("purpose")},
		"no transit":      {[]byte("something else"), []byte("purpose")},
		"nothing":         {nil, []byte("purpose")},
	} {
		if _, err := root.Unwrap(t.Context(), c.wrapped, c.purpose); !errors.Is(err, seal.ErrSeal) {
			t.Errorf("%s: got %v, want ErrSeal", name, err)
		}
	}
	s.Make("other")
	if err := unwrap(t, s.URL("other", ""), wrapped); !errors.Is(err, seal.ErrSeal) {
		t.Errorf("another key: got %v, want ErrSeal", err)
	}
	s.Rotate("root")
	if err := unwrap(t, url, wrapped); err != nil {
		t.Errorf("after a rotation in Vault: %v", err)
	}
	if again := mustWrap(t, url); !bytes.HasPrefix(again, []byte("vault:v2:")) {
		t.Errorf("the new version does not wrap: %.9s", again)
	}
	s.Oldest("root", 2)
	failsWith(t, unwrap(t, url, wrapped), Disabled, "min_decryption_version of transit/keys/root", "root-key rotate")
}

func TestTheVaultURLSelectsTheLoginMethod(t *testing.T) {
	s, url := transitServer(t)
	wrapped := mustWrap(t, url)
	t.Setenv("VAULT_TOKEN", "")
	failsWith(t, unwrap(t, url, wrapped), Denied, "VAULT_TOKEN", "there is no token")
	t.Setenv("VAULT_TOKEN", "s.first\ns.second")
	failsWith(t, unwrap(t, url, wrapped), Denied, "VAULT_TOKEN", "line break")
	file := secretFile(t, "s.first\ns.second\n")
	failsWith(t, unwrap(t, url+"&token-file="+file, wrapped), Denied, file, "line break")
	file = secretFile(t, "")
	failsWith(t, unwrap(t, url+"&token-file="+file, wrapped), Denied, file+" is empty", "write the token")
	secret, jwt := secretFile(t, vaulttest.Secret), secretFile(t, vaulttest.JWT)
	if err := os.Chmod(jwt, 0o644); err != nil { // as Kubernetes mounts it
		t.Fatal(err)
	}
	for name, more := range map[string]string{
		"token file":           "&token-file=" + secretFile(t, s.Token),
		"AppRole":              "&auth=approle&role-id=" + vaulttest.RoleID + "&secret-id-file=" + secret,
		"AppRole, other mount": "&auth=approle&auth-mount=machines&role-id=" + vaulttest.RoleID + "&secret-id-file=" + secret,
		"Kubernetes":           "&auth=kubernetes&role=strongroom&jwt-file=" + jwt,
	} {
		t.Run(name, func(t *testing.T) {
			s.Asked()
			for range 2 {
				if err := unwrap(t, s.URL("root", more), wrapped); err != nil {
					t.Fatal(err)
				}
			}
			logins := strings.Count(strings.Join(s.Asked(), "\n"), "/login")
			if strings.Contains(more, "auth=") != (logins == 1) || logins > 1 {
				t.Errorf("%d logins: each leaves a token on the server", logins)
			}
			s.Revoke()
			if err := unwrap(t, s.URL("root", more), wrapped); err != nil {
				t.Errorf("after its token was revoked: %v", err)
			}
		})
	}
	for name, c := range map[string]struct{ more, part string }{
		"wrong secret": {"&auth=approle&role-id=x&secret-id-file=" + secretFile(t, "wrong"), "invalid role or secret ID"},
		"wrong role":   {"&auth=kubernetes&role=other&jwt-file=" + jwt, "auth/kubernetes"},
		"wrong token":  {"&token-file=" + secretFile(t, "wrong"), "expired or was revoked"},
	} {
		t.Run(name, func(t *testing.T) {
			failsWith(t, unwrap(t, s.URL("root", c.more), wrapped), Denied, c.part)
		})
	}
	failsWith(t, unwrap(t, s.URL("root", "&token-file=/no/such/file"), wrapped), Missing, "token-file: /no/such/file")
	open := secretFile(t, s.Token)
	if err := os.Chmod(open, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := unwrap(t, s.URL("root", "&token-file="+open), wrapped); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a token file that all users can read: %v", err)
	}
}

// Each login leaves a token on the server until its lease ends. A server checks its root
// keys every 5 min.
func TestAPolicyThatDeniesAVaultKeyCausesFewLogins(t *testing.T) {
	s, url := transitServer(t)
	wrapped := mustWrap(t, url)
	url = s.URL("root", "&auth=approle&role-id="+vaulttest.RoleID+"&secret-id-file="+secretFile(t, vaulttest.Secret))
	logins := func() int { return strings.Count(strings.Join(s.Asked(), "\n"), "/login") }
	for _, part := range []string{"transit/keys", "transit/decrypt"} { // GET of the key works before the second one
		s.Errors(part, http.StatusForbidden, "1 error occurred:\n\t* permission denied\n\n")
		logins()
		for range 5 {
			failsWith(t, unwrap(t, url, wrapped), Denied, "policy of the token")
		}
		if n := logins(); n > 2 {
			t.Errorf("%s: 5 checks caused %d logins, want at most 2", part, n)
		}
		vaultDenied.Range(func(request, _ any) bool {
			vaultDenied.Store(request, time.Now().Add(-vaultDeniedFor))
			return true
		})
		failsWith(t, unwrap(t, url, wrapped), Denied, "policy of the token")
		if n := logins(); n != 1 { // a token keeps the policies of its login
			t.Errorf("%s: a check after an hour caused %d logins, want 1", part, n)
		}
		s.Answer(nil)
		if err := unwrap(t, url, wrapped); err != nil {
			t.Errorf("%s: after the policy was corrected: %v", part, err)
		}
	}
	s.Revoke()
	if err := unwrap(t, url, wrapped); err != nil {
		t.Errorf("after its token was revoked: %v", err)
	}
}

func TestVaultErrorsAreExplained(t *testing.T) {
	s, url := transitServer(t)
	wrapped := mustWrap(t, url)
	for name, c := range map[string]struct {
		status int
		errors string
		reason Reason
		part   string
	}{
		"revoked":    {403, "1 error occurred:\n\t* permission denied\n\n", Denied, "update on transit/encrypt/root and transit/decrypt/root"},
		"sealed":     {503, "Vault is sealed", Unavailable, "unseal the server"},
		"throttled":  {429, `request path "transit/decrypt/root": rate limit quota exceeded`, Unavailable, "quotas"},
		"broken":     {500, "internal error", Unavailable, "check the log"},
		"standby":    {503, "no active cluster node", Unavailable, "status of the server"},
		"no transit": {404, `no handler for route "transit/keys/root". route entry not found.`, Missing, "vault secrets enable -path=transit transit"},
		"kv":         {405, "unsupported operation", Invalid, "is transit"},
	} {
		t.Run(name, func(t *testing.T) {
			s.Errors("transit/", c.status, c.errors)
			defer s.Answer(nil)
			err := unwrap(t, url, wrapped)
			failsWith(t, err, c.reason, c.part, url)
			if Passing(err) != (c.reason == Unavailable) {
				t.Errorf("passing: %t", Passing(err))
			}
		})
	}
	s.Answer(func(w http.ResponseWriter, _ *http.Request) bool {
		_, _ = w.Write([]byte("<html>welcome"))
		return true
	})
	failsWith(t, unwrap(t, url, wrapped), Invalid, "Vault or OpenBao")
	s.Answer(func(http.ResponseWriter, *http.Request) bool { return true }) // 200 without a body
	login := s.URL("root", "&auth=kubernetes&role=strongroom&jwt-file="+secretFile(t, vaulttest.JWT))
	for _, u := range []string{url, login} {
		failsWith(t, unwrap(t, u, wrapped), Unavailable, "the answer has no content", "proxy")
	}
	s.Answer(nil)

	s.SoftDelete("root")
	failsWith(t, unwrap(t, url, wrapped), Disabled, "transit/keys/root/soft-delete-restore")
	s.Delete("root")
	failsWith(t, unwrap(t, url, wrapped), Missing, "or it was deleted")
	s.MakeOther("rsa", "rsa-4096", false)
	s.MakeOther("derived", "aes256-gcm96", true)
	for _, name := range []string{"rsa", "derived"} {
		failsWith(t, unwrap(t, s.URL(name, ""), wrapped), Invalid, "aes256-gcm96")
	}
}

func TestAnUnreachableVaultIsDistinguishedFromAWrongKey(t *testing.T) {
	s, url := transitServer(t)
	wrapped := mustWrap(t, url)
	root := mustOpen(t, url)
	s.Cut()
	for name, err := range map[string]error{"at the start": unwrap(t, url, wrapped), "later": func() error { _, err := root.Unwrap(t.Context(), wrapped, []byte("purpose")); return err }()} {
		failsWith(t, err, Unreachable, "check the network")
		if !Passing(err) {
			t.Errorf("%s: a start would give up", name)
		}
	}
	s.Answer(func(_ http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body) // then the server notices that the client is gone
		<-r.Context().Done()
		return true
	})
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := root.Unwrap(ctx, wrapped, []byte("purpose"))
	failsWith(t, err, Timeout, "did not answer in time")
	s.Answer(nil)

	without := "vault:https://" + s.Address + "/transit/root"
	failsWith(t, unwrap(t, without, wrapped), Unreachable, "its CA with ca=")
	failsWith(t, unwrap(t, without+"?ca="+secretFile(t, "no certificate"), wrapped), Invalid, "PEM")
	s.Close()
	failsWith(t, unwrap(t, url, wrapped), Unreachable, "check the network")
}

// A token gives access to the whole database, so it goes only to the host of the URL.
func TestAVaultTokenFollowsNoRedirect(t *testing.T) {
	s, url := transitServer(t)
	thief, _ := transitServer(t)
	s.Answer(func(w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, "https://"+thief.Address+r.URL.Path, http.StatusTemporaryRedirect)
		return true
	})
	failsWith(t, unwrap(t, url, nil), Unavailable, "no other host")
	if asked := thief.Asked(); len(asked) > 0 {
		t.Errorf("the other host got %s", asked)
	}
}

func TestAVaultKeyIsCreatedOnceAndNotExportable(t *testing.T) {
	s, _ := transitServer(t)
	url := s.URL("fresh", "")
	failsWith(t, unwrap(t, url, nil), Missing, "there is no key")
	var body bytes.Buffer
	s.Answer(func(_ http.ResponseWriter, r *http.Request) bool { _, _ = body.ReadFrom(r.Body); return false })
	if err := Create(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	s.Answer(nil)
	for _, part := range []string{`"exportable":false`, `"allow_plaintext_backup":false`, `"type":"aes256-gcm96"`} {
		if !strings.Contains(body.String(), part) {
			t.Errorf("the request lacks %s: %s", part, body.String())
		}
	}
	wrapped := mustWrap(t, url)
	if err := Create(t.Context(), url); !errors.Is(err, fs.ErrExist) {
		t.Errorf("creating it again: got %v, want fs.ErrExist", err)
	}
	if err := unwrap(t, url, wrapped); err != nil {
		t.Errorf("after creating it again: %v", err)
	}
}

// If the server's name changes, the key is still the same. An error distinguishes another
// key from the same key that was deleted and created again.
func TestAVaultKeyIsIdentifiedByItsPath(t *testing.T) {
	s, url := transitServer(t)
	root := mustOpen(t, url)
	moved := strings.Replace(url, "127.0.0.1", "localhost", 1)
	n, err := parseVaultName(strings.TrimPrefix(moved, "vault:"))
	if err != nil {
		t.Fatal(err)
	}
	other := &vaultKey{vaultName: n}
	if other.ID() == root.ID() || !other.Opens(root.ID()) {
		t.Errorf("%s does not open a wrap of %s", other.ID(), root.ID())
	}
	n.key = "oot"
	if (&vaultKey{vaultName: n}).Opens(root.ID()) {
		t.Error("another key is accepted")
	}

	keyset, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	wrap, err := keyset.WrapFor(t.Context(), root, url, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	stored := seal.Stored{Wraps: []seal.Wrap{wrap}}
	s.Delete("root")
	s.Make("root")
	if _, err := stored.Open(t.Context(), mustOpen(t, url)); !errors.Is(err, seal.ErrWrongRootKey) || !strings.Contains(err.Error(), "created again") {
		t.Errorf("a key of the same name: %v", err)
	}
}

func TestVaultURLsAreChecked(t *testing.T) {
	for _, good := range []string{
		"vault:https://vault.internal:8200/transit/strongroom",
		"vault:https://vault.internal/bank/transit/strongroom?namespace=team/a&ca=/etc/ca.pem",
		"vault:http://127.0.0.1:8200/transit/strongroom?token-file=/run/token",
		"vault:https://[fd00::1]:8200/transit/s?auth=approle&role-id=r&secret-id-file=/s",
		"vault:https://v/transit/s?auth=kubernetes&role=r",
	} {
		if err := Check(good); err != nil {
			t.Error(err)
		}
	}
	for bad, part := range map[string]string{
		"vault:vault.internal/transit/strongroom":                        "not the address",
		"vault:http://vault.internal/transit/strongroom":                 "https://",
		"vault:https://u:p@vault.internal/transit/strongroom":            "not the address",
		"vault:https://v/strongroom":                                     "MOUNT/KEY",
		"vault:https://v/transit/../sys/seal":                            "MOUNT/KEY",
		"vault:https://v/transit/a%2Fb":                                  "MOUNT/KEY",
		"vault:https://v/transit/":                                       "MOUNT/KEY",
		"vault:https://v/transit/s?token=hvs.1":                          `"token" is unknown`,
		"vault:https://v/transit/s?ca=":                                  `"ca" must have one value`,
		"vault:https://v/transit/s?ca=ca.pem":                            "absolute path",
		"vault:https://v/transit/s?auth=approle&role-id=r":               "secret-id-file",
		"vault:https://v/transit/s?auth=kubernetes":                      "needs role",
		"vault:https://v/transit/s?auth=ldap":                            "approle or kubernetes",
		"vault:https://v/transit/s?auth=kubernetes&role=r&token-file=/t": `"token-file" is unknown or does not go`,
	} {
		if err := Check(bad); err == nil || !strings.Contains(err.Error(), part) || !strings.Contains(err.Error(), "the form is vault:") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
