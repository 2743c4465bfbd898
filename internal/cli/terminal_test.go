package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"strongroom/internal/config"
)

// A hostile server, or a client whose text a server stored, must not control the terminal
// of an operator: neither by C1 characters such as CSI, nor by the direction of writing.
func TestJSONOfAServerCannotControlTheTerminal(t *testing.T) {
	t.Setenv(config.AdminTokenVariable, "token")
	const hostile = "a\u009b2J\u202eb\u2066\U000e0001\xff\x9b31m"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		item := `{"id":"i","state":"active","deviceId":"` + hostile + `","subject":"` + hostile + `","reason":"` + hostile + `"}`
		switch {
		case r.Method == http.MethodPost:
			_, _ = io.WriteString(w, "{\r\n\t\"requestId\":\""+hostile+"\",\"events\":1}\n")
		case strings.HasSuffix(r.URL.Path, "/webhook"):
			_, _ = io.WriteString(w, `{"deadLetters":1}`)
		default:
			_, _ = io.WriteString(w, "{\r\n\t\"items\":["+item+"]}\n")
		}
	}))
	defer server.Close()
	dir := t.TempDir()
	cells, token := filepath.Join(dir, "cells.list"), filepath.Join(dir, "token")
	for path, text := range map[string]string{cells: "eu1 " + server.URL + " " + token + "\n", token: strings.Repeat("t", 43) + "\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := []string{"--server", server.URL}
	for _, args := range [][]string{
		append([]string{"devices"}, at...),
		append([]string{"device", "phone"}, at...),
		append([]string{"audit"}, at...),
		append([]string{"audit", "--all"}, at...),
		append([]string{"revoke", "--key", strings.Repeat("a", 26), "--reason", "why"}, at...),
		append([]string{"webhook", "resend", "--all", "--reason", "why"}, at...),
		append([]string{"rotation", "status", "i"}, at...),
		{"cells", cells, "--find", "alice"},
	} {
		var out, errs strings.Builder
		p := &Program{Stdout: &out, Stderr: &errs}
		code := p.Run(t.Context(), append(append([]string{"admin"}, args...), "--json"))
		switch text := out.String(); {
		case code != ExitOK || !json.Valid([]byte(text)):
			t.Errorf("%s: exit code %d: %q %s", args, code, text, errs.String())
		case !utf8.ValidString(text) || strings.ContainsFunc(text, func(c rune) bool { return c != '\n' && !unicode.IsPrint(c) }):
			t.Errorf("%s prints %q", args, text)
		case !strings.Contains(text, `a\u009b2J\u202eb\u2066\udb40\udc01`):
			t.Errorf("%s does not print what the server says: %q", args, text)
		}
	}
}
