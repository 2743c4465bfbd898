package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"strongroom/internal/config"
)

// A script with an unset variable passes an empty value. It must select neither the only
// account of the database nor more keys than the script names.
func TestAnEmptyFlagSelectsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel")
	}
	t.Setenv(config.AdminTokenVariable, "token")
	var acts []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodPost:
			body, _ := io.ReadAll(r.Body)
			acts = append(acts, r.URL.Path+" "+string(body))
			fmt.Fprint(w, `{"requestId":"r"}`)
		case strings.HasSuffix(r.URL.Path, "/accounts"):
			fmt.Fprint(w, `{"items":[{"id":"only"}]}`)
		default:
			fmt.Fprint(w, `{"mode":"device"}`)
		}
	}))
	defer server.Close()
	run := func(args ...string) (code int, says string) {
		var out strings.Builder
		p := &Program{Stdout: &out, Stderr: &out}
		code = p.Run(t.Context(), append(args, "--reason", "why", "--server", server.URL))
		return code, out.String()
	}
	for _, name := range []string{"--device", "--account", "--id"} {
		if code, says := run("admin", "erase", name, ""); code != ExitUsage || len(acts) > 0 || !strings.Contains(says, "must not be empty") {
			t.Errorf("%s: exit code %d, %v: %s", name, code, acts, says)
		}
	}
	acts = nil
	if code, says := run("admin", "erase", "--device", "phone-1"); code != ExitOK || len(acts) != 1 {
		t.Errorf("with a name: exit code %d, %v: %s", code, acts, says)
	}
	// The server refuses these values.
	for _, flag := range [][2]string{{"--created-before=", `"createdBefore":""`}, {"--key-size=0", `"keySize":0`}, {"--older-than-days=0", `"olderThanDays":0`}} {
		acts = nil
		_, says := run("admin", "rotation", "start", "--upgrade", flag[0])
		if len(acts) != 1 || !strings.Contains(acts[0], flag[1]) {
			t.Errorf("%s: %v: %s", flag[0], acts, says)
		}
	}
	acts = nil
	if code, says := run("admin", "webhook", "resend", "--all", "--event", ""); code != ExitUsage || len(acts) > 0 {
		t.Errorf("dead letters of no event: exit code %d, %v: %s", code, acts, says)
	}
	var out strings.Builder
	p := &Program{Stdout: &out, Stderr: &out}
	if code := p.Run(t.Context(), []string{"root-key", "rotate", "--data-dir", t.TempDir(), "--from", "", "--to", "file:new.key"}); code != ExitUsage ||
		!strings.Contains(out.String(), "--from: must not be empty") {
		t.Errorf("a root key without a name: exit code %d: %s", code, out.String())
	}
}
