// Package stracetest shows tests which system calls make files durable: what
// is not synced is in the page cache, where every other test finds it.
package stracetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// inside holds the directory, in the process that strace watches.
const inside = "STRACETEST_DIR"

// Calls runs do on an empty directory, in another process under strace, and
// returns the calls that sync, link and rename files in it, in their order:
// "fsync NAME" or "rename OLD NEW". The directory itself is "."; digits of
// random names are one N. A test calls it once, and first. Without strace the
// test is skipped by name; in CI it fails.
func Calls(t *testing.T, do func(dir string) error) []string {
	t.Helper()
	if dir := os.Getenv(inside); dir != "" {
		if err := do(dir); err != nil {
			t.Fatal(err)
		}
		t.SkipNow() // the other process has the rest of the test
	}
	dir, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	// -y tells the paths of descriptors.
	//nolint:gosec // G204: this binary
	cmd := exec.Command("strace", "-f", "-qq", "-y", "-e", "signal=none", "-o", log, "-e",
		"trace=fsync,fdatasync,?link,linkat,?rename,?renameat,renameat2", os.Args[0], "-test.run", "^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), inside+"="+dir)
	out, err := cmd.CombinedOutput()
	text, unread := os.ReadFile(log)                   //nolint:gosec // G304: written by strace just now
	if unread != nil || len(text) == 0 && err != nil { // strace is not there, or may not trace
		if os.Getenv("CI") == "true" {
			t.Fatalf("strace: %v: %s", err, out)
		}
		t.Skipf("SKIPPED: strace cannot be run: %v: %s", err, out)
	}
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	return parse(string(text), dir)
}

var (
	call   = regexp.MustCompile(`(?m)^\d+ +(fsync|fdatasync|link|rename)(?:at2?)?\((.*)`)
	path   = regexp.MustCompile(`["<](/[^">]*)[">]`)
	random = regexp.MustCompile(`\d{3,}`)
)

func parse(log, dir string) (calls []string) {
	for _, c := range call.FindAllStringSubmatch(log, -1) {
		line := c[1]
		for _, p := range path.FindAllStringSubmatch(c[2], -1) {
			if name, err := filepath.Rel(dir, p[1]); err == nil && !strings.HasPrefix(name, "..") {
				line += " " + random.ReplaceAllString(name, "N")
			}
		}
		if line != c[1] {
			calls = append(calls, line)
		}
	}
	return calls
}
