package e2e

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A reader that goes away, as in "strongroom bench 2>&1 | head", must not
// leave the server of the measurement running, nor its records.
func TestABenchWhoseReaderClosesLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command(binary(t), "bench", "--work", dir, "--floors", "0", "--devices", "50", "--pool", "10", "--rounds", "1000", "--warmup", "0", "--duration", "100ms",
		"--rsa-bits", "2048", "--load", "existing:1", "--", "--key-pool", "0")
	cmd.Env = cleanEnv()
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil { // ours: only the bench has it now
		t.Fatal(err)
	}
	said := bufio.NewScanner(r)
	for said.Scan() && !strings.HasPrefix(said.Text(), "enrolling") {
	}
	if got := processesAbout(t, dir); len(got) != 2 {
		t.Fatalf("running during the measurement: %q, want only the bench and its server", got)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("a bench that was interrupted exits 0")
	}
	for _, left := range processesAbout(t, dir) {
		t.Errorf("still running: %s", left)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

// processesAbout is the command lines of the processes that name a directory.
func processesAbout(t *testing.T, dir string) (found []string) {
	t.Helper()
	paths, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(text), dir) { // or it has ended meanwhile
			found = append(found, strings.ReplaceAll(string(text), "\x00", " "))
		}
	}
	return found
}
