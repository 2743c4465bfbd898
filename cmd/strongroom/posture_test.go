package main

import (
	"log/slog"
	"maps"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/cli"
	"strongroom/internal/config"
)

var hardenedFlags = map[string]string{"hardened": "true", "accounts": "gateway", "gateway-token-file": "t", "root-key": "env:ROOM", "rate-limit-caller": "30/1m"}

func TestAReachableServerWarnsOfPostureChecksThatAreOff(t *testing.T) {
	open := []string{"known-callers", "root-key-apart", "replay-protection", "blocklist", "credential-history", "current-secret", "key-expiry",
		"no-helper", "no-sandbox", "no-introspection", "no-field-suggestions", "rate-limits"}
	for name, tc := range map[string]struct {
		hardened bool
		flags    map[string]string
		warnings []string // their parts
		others   []string // their messages
	}{
		"a sandbox":                     {false, nil, nil, []string{"INFO accounts are devices", "WARN the root key is in the data directory"}},
		"a sandbox with a separate key": {false, map[string]string{"root-key": "env:ROOM"}, nil, []string{"INFO accounts are devices"}},
		"an open operator side":         {false, map[string]string{"root-key": "env:ROOM", "admin-listen": ":1"}, []string{"operator-transport"}, []string{"INFO accounts are devices"}},
		"a console behind a proxy":      {false, map[string]string{"root-key": "env:ROOM", "admin-url": "https://ops.example"}, nil, []string{"INFO accounts are devices", "WARN the proxy in front of the console is not in --trusted-proxies"}},
		"a proxy that is named":         {false, map[string]string{"root-key": "env:ROOM", "admin-url": "https://ops.example", "trusted-proxies": "127.0.0.1", "public-url": "https://vault.example"}, nil, []string{"INFO accounts are devices"}},
		"proofs behind a proxy":         {false, map[string]string{"root-key": "env:ROOM", "trusted-proxies": "127.0.0.1"}, nil, []string{"INFO accounts are devices", "WARN --public-url is not set, but proxies are"}},
		"no proofs behind a proxy":      {false, map[string]string{"root-key": "env:ROOM", "trusted-proxies": "127.0.0.1", "device-proof": "off"}, nil, []string{"INFO accounts are devices"}},
		"hardened behind a proxy":       {true, map[string]string{"admin-url": "https://ops.example"}, nil, []string{"INFO the posture is hardened", "WARN the proxy in front of the console is not in --trusted-proxies"}},
		"on the network":                {false, map[string]string{"listen": ":1"}, append(open[:len(open)-1:len(open)-1], "api-transport", "rate-limits"), nil},
		"hardened":                      {true, nil, nil, []string{"INFO the posture is hardened"}},
		"hardened, on the network":      {true, map[string]string{"listen": ":1"}, []string{"api-transport"}, []string{"INFO the posture is hardened, except for checks that were turned off explicitly"}},
		"hardened, except for accounts": {true, map[string]string{"accounts": "device", "gateway-token-file": "", "helper": "true"}, []string{"known-callers", "no-helper"}, []string{"INFO the posture is hardened, except for checks that were turned off explicitly"}},
	} {
		flags := map[string]string{}
		if tc.hardened {
			maps.Copy(flags, hardenedFlags)
		}
		maps.Copy(flags, tc.flags)
		s, _, err := config.Load(flags, nil)
		if err != nil {
			t.Fatal(err)
		}
		var log strings.Builder
		warnOfPosture(slog.New(slog.NewTextHandler(&log, nil)), s)
		var warnings, others []string
		for line := range strings.Lines(log.String()) {
			if m := regexp.MustCompile(`level=WARN msg="not hardened" part=(\S+) settings=\S.* gain="[A-Z].*\."`).FindStringSubmatch(line); m != nil {
				warnings = append(warnings, m[1])
			} else if m := regexp.MustCompile(`level=(\S+) msg="([^":]*)`).FindStringSubmatch(line); m != nil {
				others = append(others, m[1]+" "+m[2])
			}
		}
		if diff := cmp.Diff(tc.warnings, warnings); diff != "" {
			t.Errorf("%s: parts (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(tc.others, sorted(others)); diff != "" {
			t.Errorf("%s: other lines (-want +got):\n%s", name, diff)
		}
	}
}

func TestAHardenedServeStartsWithExplicitExceptions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := serve(t, dir, "--hardened", "--accounts", "device", "--root-key", "file:"+filepath.Join(dir, "root.key"))
	if status, _ := request(t, "GET", s.api+"/schema.graphql", "", ""); status != 404 {
		t.Errorf("the schema is served: %d", status)
	}
	for _, path := range []string{"/sandbox", "/sandbox/", "/sandbox/doctor", "/sandbox/doctor/keys", "/sandbox/doctor/diagnose"} {
		for _, method := range []string{"GET", "POST"} {
			if status, _ := request(t, method, s.api+path, "{}", ""); status != 404 {
				t.Errorf("the sandbox exists: %s %s: %d", method, path, status)
			}
		}
	}
	_, answer := request(t, "POST", s.api+"/graphql", `{"query":"{ __schema { types { name } } }"}`, "")
	if !strings.Contains(answer, "OPERATION_DISABLED") {
		t.Errorf("introspection: %s", answer)
	}
	_, answer = request(t, "POST", s.api+"/graphql", `{"query":"mutation { generateClientEncryptionKey(input: {deviceId: \"phone\"}) { expiresAt } }"}`, "")
	if !regexp.MustCompile(`"expiresAt":"20`).MatchString(answer) {
		t.Errorf("a key that never expires: %s", answer)
	}
	s.stop()
	if code := <-s.code; code != cli.ExitOK {
		t.Errorf("exit code %d", code)
	}
	if log := s.log.String(); !regexp.MustCompile(`level=INFO msg="the posture is hardened, except for checks that were turned off explicitly" posture=hardened off=known-callers,root-key-apart,`).MatchString(log) ||
		strings.Count(log, `level=WARN msg="not hardened"`) != 3 {
		t.Errorf("the log:\n%s", log)
	}
}
