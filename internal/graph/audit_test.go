package graph

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
)

// The transport must pass all 61 audits of npm graphql-http 1.23.1, including
// those that only say MAY. Newer versions may follow a later draft with other
// statuses (see status).
func TestTheGraphQLOverHTTPServerAuditPasses(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel")
	}
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			skipLoudly(t, tool+" is not installed: the server audit of graphql-http did not run")
		}
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/audit")); err != nil {
		t.Fatal(err)
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		skipLoudly(t, "npm could not install graphql-http: its server audit did not run\n"+string(out))
	}
	server := httptest.NewServer(newStand(true).handler)
	defer server.Close()
	audit := exec.Command("node", "audit.js", server.URL)
	audit.Dir = dir
	out, err := audit.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	passed := 0
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		var result struct{ ID, Name, Status, Reason string }
		if err := json.Unmarshal(lines.Bytes(), &result); err != nil {
			t.Fatalf("%v: %s", err, lines.Text())
		}
		if result.Status == "ok" {
			passed++
		} else {
			t.Errorf("%s %s: %s: %s", result.ID, result.Name, result.Status, result.Reason)
		}
	}
	if passed != 61 {
		t.Errorf("%d of 61 audits passed", passed)
	}
}

// skipLoudly skips where a tool is missing, but never where the test is meant
// to run.
func skipLoudly(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(why)
	}
	t.Skip("SKIPPED: " + why)
}
