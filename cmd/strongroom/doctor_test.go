package main

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strongroom/internal/checkup"
	"strongroom/internal/cli"
)

// The doctor of a server on this machine needs no flags but its settings.
func TestTheDoctorChecksRunningAndStoppedServers(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, dir)
	operator, err := url.Parse(s.operator)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("STRONGROOM_ADMIN_LISTEN", operator.Host)
	texts := map[string]string{}
	ask := func(args ...string) map[string]checkup.State {
		t.Helper()
		var stdout, stderr strings.Builder
		run(t.Context(), append([]string{"doctor", "--json"}, args...), &stdout, &stderr)
		var answer struct{ Items []checkup.Finding }
		if err := json.Unmarshal([]byte(stdout.String()), &answer); err != nil {
			t.Fatalf("%v: %s%s", err, stdout.String(), stderr.String())
		}
		found := map[string]checkup.State{}
		for _, f := range answer.Items {
			found[f.Check], texts[f.Check] = f.State, f.Text
		}
		return found
	}
	found := ask("--data-dir", dir)
	for check, want := range map[string]checkup.State{"readiness": checkup.OK, "root key": checkup.OK, "clock": checkup.OK, "certificate": checkup.OK,
		"backup": checkup.Warning, "checkpoints": checkup.Warning, "witness": checkup.OK, "version": checkup.OK, "database": checkup.OK, "posture": checkup.Warning} {
		if found[check] != want {
			t.Errorf("%s is %q, want %q", check, found[check], want)
		}
	}
	for _, check := range []string{"disk", "data directory"} {
		if _, looked := found[check]; !looked {
			t.Errorf("it did not check the %s", check)
		}
	}

	var stdout, stderr strings.Builder
	if code := run(t.Context(), []string{"doctor", "--data-dir", dir}, &stdout, &stderr); code != cli.ExitFailed || !strings.Contains(stdout.String(), "warning  backup: No backup was ever verified.") {
		t.Errorf("exit code %d:\n%s%s", code, stdout.String(), stderr.String())
	}

	token, err := os.ReadFile(filepath.Join(dir, "admin.token"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("STRONGROOM_ADMIN_TOKEN", strings.Fields(string(token))[0])
	found = ask("--server", s.operator, "--server", "http://127.0.0.1:1")
	if _, looked := found["data directory"]; looked || found["server"] != checkup.Bad || found["readiness"] != checkup.OK {
		t.Errorf("with two servers, one of them unreachable: %v", found)
	}
	s.stop()
	<-s.code
	if found = ask("--data-dir", dir); found["server"] != checkup.Bad || found["database"] != checkup.OK || found["start"] != checkup.OK || !strings.Contains(texts["start"], "It was not compared with its witness") {
		t.Errorf("after the server stopped: %v, %q", found, texts["start"])
	}
	tokens := filepath.Join(dir, "gateway.token")
	if err := os.WriteFile(tokens, []byte(strings.Repeat("t", 43)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("STRONGROOM_ACCOUNTS", "gateway")
	t.Setenv("STRONGROOM_GATEWAY_TOKEN_FILE", tokens)
	if found = ask("--data-dir", dir); found["database"] != checkup.OK || found["start"] != checkup.Bad {
		t.Errorf("with the accounts of another mode: %v", found)
	}
	t.Setenv("STRONGROOM_ACCOUNTS", "device")
	t.Setenv("STRONGROOM_GATEWAY_TOKEN_FILE", "")
	if err := os.Chmod(filepath.Join(dir, "root.key"), 0o644); err != nil {
		t.Fatal(err)
	}
	if found = ask("--data-dir", dir); found["database"] != checkup.OK || found["start"] != checkup.Bad {
		t.Errorf("with a root key that others can read: %v", found)
	}
}

// An app that knows only RSA gets no key after RSA was removed from --key-algorithms, not
// even the one that it has.
func TestTheDoctorFindsDevicesWhoseAppsMayBeRefused(t *testing.T) {
	dir := t.TempDir()
	issue := func(s *serving, body string) int {
		t.Helper()
		status, _ := request(t, "POST", s.api+"/api/encryption/keys", body, "")
		return status
	}
	ask := func(s *serving) string {
		t.Helper()
		var stdout, stderr strings.Builder
		run(t.Context(), []string{"doctor", "--json", "--server", s.operator, "--token-file", filepath.Join(dir, "admin.token")}, &stdout, &stderr)
		var answer struct{ Items []checkup.Finding }
		if err := json.Unmarshal([]byte(stdout.String()), &answer); err != nil {
			t.Fatalf("%v: %s%s", err, stdout.String(), stderr.String())
		}
		for _, f := range answer.Items {
			if f.Check == "key algorithms" {
				return string(f.State) + ": " + f.Text
			}
		}
		return "no finding"
	}
	expect := func(s *serving, want string) {
		t.Helper()
		if got := ask(s); !strings.HasPrefix(got, want) {
			t.Errorf("the finding is %q, want %q", got, want)
		}
	}

	s := serve(t, dir)
	if status := issue(s, `{"deviceId":"phone"}`); status != 200 {
		t.Fatalf("a first key: status %d", status)
	}
	expect(s, "ok: The server offers RSA-OAEP-256")
	s.stop()
	<-s.code
	s = serve(t, dir, "--key-algorithms", "HPKE-XWING")
	if status := issue(s, `{"deviceId":"phone"}`); status != 400 {
		t.Errorf("an app for RSA gets status %d", status)
	}
	expect(s, "warning: The server does not offer RSA-OAEP-256, but devices use it (active keys: 1).")
	if status := issue(s, `{"deviceId":"phone","algorithms":["HPKE-XWING"]}`); status != 200 {
		t.Errorf("a key of HPKE: status %d", status)
	}
	expect(s, "ok: The server does not offer RSA-OAEP-256, and no device uses it")
}
