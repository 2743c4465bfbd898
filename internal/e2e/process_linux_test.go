package e2e

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"syscall"
	"testing"
)

var coreLimit = regexp.MustCompile(`(?m)^Max core file size +0 +0 `)

// A core dump, or a debugger of the same user, would show every secret that is
// at work. The kernel gives the files of a process that must not be dumped to
// root, whatever user runs it; a test run as root starts it as nobody.
func TestTheServerCannotBeDumpedOrDebuggedByItsUser(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "strongroom-nobody-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	program := filepath.Join(dir, "strongroom")
	text, err := os.ReadFile(binary(t))
	if err == nil {
		err = os.WriteFile(program, text, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	uid := os.Getuid()
	as := &syscall.SysProcAttr{}
	if uid == 0 {
		uid = 65534
		as.Credential = &syscall.Credential{Uid: uint32(uid), Gid: 65534}
		if err := os.Chown(dir, uid, 65534); err != nil {
			t.Fatal(err)
		}
	}
	start := func(name string, args ...string) (proc string, output *bufio.Scanner) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Env, cmd.Dir, cmd.SysProcAttr = append(cleanEnv(), "STRONGROOM_KEY_POOL=0"), dir, as
		stderr, err := cmd.StderrPipe()
		if err == nil {
			err = cmd.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		return "/proc/" + strconv.Itoa(cmd.Process.Pid), bufio.NewScanner(stderr)
	}
	owner := func(proc string) int {
		t.Helper()
		info, err := os.Stat(proc + "/environ")
		if err != nil {
			t.Fatal(err)
		}
		return int(info.Sys().(*syscall.Stat_t).Uid)
	}
	other, _ := start("sleep", "600")
	if got := owner(other); got != uid {
		t.Fatalf("the files of another process are those of user %d, not %d: the rest would prove nothing", got, uid)
	}
	proc, output := start(program, "serve", "--data-dir", filepath.Join(dir, "data"), "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0")
	log := ""
	for !readyLine.MatchString(log) {
		if !output.Scan() {
			t.Fatalf("the server did not start:\n%s", log)
		}
		log += output.Text() + "\n"
	}
	if got := owner(proc); got == uid {
		t.Error("the process can be dumped, and its user can debug it")
	}
	limits, err := os.ReadFile(proc + "/limits")
	if err != nil || !coreLimit.Match(limits) {
		t.Errorf("core dumps are not switched off: %v\n%s", err, limits)
	}
}
