package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The values are read back exactly, whatever characters they contain.
func TestACommentedFileIsReadBackUnchanged(t *testing.T) {
	values := map[string]string{
		"data-dir": "/var/lib/strongroom", "database": "postgres://vault@db.internal:5432/vault?sslmode=verify-full", "root-key": "file:/etc/strongroom/root.key",
		"hardened": "true", "accounts": "jwt", "jwt-issuer": "https://login.example.com/a#b, c", "jwt-audience": `a "b" 'c': d`, "listen": "[::1]:8443", "admin-listen": ":8081",
		"key-ttl": "365d", "rsa-bits": "4096", "tls-cert": "C:\\x\n- y", "tls-key": "", "jwt-algorithms": "RS256,PS256",
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
