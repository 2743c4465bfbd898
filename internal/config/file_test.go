package config

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPathsOfASettingsFileBecomeAbsolute(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	values := map[string]string{
		"tls-cert": "etc/chain, old.pem", "tls-key": "/etc/key.pem", "data-dir": "./data", "database": "sqlite:vault.db", "root-key": "file:root.key,env:ROOM,file:../other.key",
		"witness": "tpm:w/witness?every=1h", "checkpoint-key": "file:signing.key", "checkpoint-sink": "stdout", "webhook-secret": "env:HOOK",
		"jwt-jwks": "keys.json,https://login.example.com/jwks", "jwt-audience": "file:app", "blocklist-file": "", "witness-secret": "not a source",
	}
	MakeAbsolute(values)
	if diff := cmp.Diff(map[string]string{
		"tls-cert": dir + "/etc/chain, old.pem", "tls-key": "/etc/key.pem", "data-dir": dir + "/data", "database": "sqlite:" + dir + "/vault.db",
		"root-key": "file:" + dir + "/root.key,env:ROOM,file:" + filepath.Dir(dir) + "/other.key",
		"witness":  "tpm:" + dir + "/w/witness?every=1h", "checkpoint-key": "file:" + dir + "/signing.key", "checkpoint-sink": "stdout", "webhook-secret": "env:HOOK",
		"jwt-jwks": dir + "/keys.json,https://login.example.com/jwks", "jwt-audience": "file:app", "blocklist-file": "", "witness-secret": "not a source",
	}, values); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for text, want := range map[string]string{"w": dir + "/w", "file:w": dir + "/w", "none": "none", "https://w.example.com/x": "https://w.example.com/x"} {
		one := map[string]string{"witness": text, "database": "postgres://u@db/x"}
		if MakeAbsolute(one); one["witness"] != want || one["database"] != "postgres://u@db/x" {
			t.Errorf("%s: got %v", text, one)
		}
	}
}

// The values are read back exactly, whatever characters they contain.
func TestACommentedFileIsReadBackUnchanged(t *testing.T) {
	values := map[string]string{
		"data-dir": "/var/lib/strongroom", "database": "postgres://vault@db.internal:5432/vault?sslmode=verify-full", "root-key": "file:/etc/strongroom/root.key",
		"hardened": "true", "accounts": "jwt", "jwt-issuer": "https://login.example.com/a#b, c", "jwt-audience": `a "b" 'c': d`, "listen": "[::1]:8443", "admin-listen": ":8081",
		"key-ttl": "365d", "rsa-bits": "4096", "tls-cert": "C:\\x\n- y", "tls-key": "", "jwt-algorithms": "RS256,PS256",
		"cell": "null", "receipt-audience": "~", "log-level": ".inf", "admin-oidc-client-id": "0x1F", "admin-oidc-name-claim": "true",
	}
	text := Commented(values, "checkpoint-key", "drain-delay")
	read, problems := parseFile([]byte(text))
	if len(problems) > 0 {
		t.Fatalf("%v in:\n%s", problems, text)
	}
	if diff := cmp.Diff(values, read.values); diff != "" {
		t.Errorf("(-written +read):\n%s\nin:\n%s", diff, text)
	}
	for _, want := range []string{"# Directory of the database, the root key file and the admin tokens.\ndata-dir: /var/lib/strongroom\n", "\n# drain-delay: 0\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in:\n%s", want, text)
		}
	}
	for line := range strings.Lines(text) {
		if len(line) > 101 && strings.HasPrefix(line, "#") {
			t.Errorf("a long line: %s", line)
		}
	}
	if err := Check("rsa-bits", "1024"); err == nil || Check("rsa-bits", "4096") != nil || Check("none", "") == nil {
		t.Errorf("Check: %v", err)
	}
}
