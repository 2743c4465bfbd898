package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"strongroom/internal/admin"
	"strongroom/internal/domain"
)

// If this variable is set, the test binary only prints the operator that the trail would
// name.
const operatorVariable = "TEST_PRINT_OPERATOR"

// Go takes the name of a user that the system does not list from $USER. Anyone can set it.
func TestTheTrailDoesNotNameAUserByTheEnvironment(t *testing.T) {
	if os.Getenv(operatorVariable) != "" {
		fmt.Println(domain.OperatorFrom(asOperator(t.Context())).Name)
		return
	}
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root can become another user")
	}
	const unlisted = 4242
	child := exec.Command(forEverybody(t, os.Args[0]), "-test.run=^"+t.Name()+"$")
	child.Dir = "/"
	child.Env = []string{operatorVariable + "=1", "USER=alice", "HOME=/"}
	child.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: unlisted, Gid: unlisted}}
	says, err := child.CombinedOutput()
	if name, _, _ := strings.Cut(string(says), "\n"); err != nil || name != "command:uid 4242" && !strings.HasPrefix(name, "command:uid 4242 by ") {
		t.Errorf("%v: %s", err, says)
	}
}

// forEverybody returns a copy of a program that every user can run.
func forEverybody(t *testing.T, program string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "strongroom-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	from, err := os.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(filepath.Join(dir, "program"), os.O_WRONLY|os.O_CREATE, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(to, from); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, to.Name()} {
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return to.Name()
}

// The console and the command show the same counter, in the same words.
func TestADeviceWithoutKeyRequestsIsShownAsOnTheConsole(t *testing.T) {
	for want, requests := range map[string]admin.KeyGeneration{
		"key requests  none in the last 24 hours\n":                      {Scope: "instance"},
		"key requests  2 in the window that ends 2026-03-01T12:00:00Z\n": {Count: 2, ResetTime: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Scope: "cluster"},
	} {
		var out strings.Builder
		connection{Server: "https://vault.example"}.printDevice(&out, admin.Device{DeviceID: "phone", KeyGeneration: requests})
		if !strings.Contains(out.String(), want) {
			t.Errorf("it prints %q, want %q", out.String(), want)
		}
	}
}
