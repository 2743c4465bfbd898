package server

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// This test binary, started with this variable, holds the lock of a directory
// until it is killed.
const holderVariable = "TEST_LOCK_HOLDER"

func lockHolder() string { return os.Getenv(holderVariable) }

func holdLock(dir string) {
	if _, err := OpenDataDir(dir); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("locked")
	select {}
}

func TestASecondServeIsRefusedUntilTheFirstEndsOrIsKilled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	first := exec.Command(os.Args[0], "-test.run=^$")
	first.Env = append(os.Environ(), holderVariable+"="+dir)
	out, err := first.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Fatalf("the first says %q", line)
	}
	if _, err := OpenDataDir(dir); err == nil || !strings.Contains(err.Error(), "another serve runs on it") {
		t.Errorf("beside another: %v", err)
	}
	_ = first.Process.Kill()
	_ = first.Wait()
	d, err := OpenDataDir(dir)
	if err != nil {
		t.Fatalf("after the first was killed: %v", err)
	}
	if _, err := OpenDataDir(dir); err == nil {
		t.Error("twice in one process")
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d, err = OpenDataDir(dir)
	if err != nil {
		t.Fatalf("after the first closed it: %v", err)
	}
	_ = d.Close()
}

func TestTheDataDirectoryIsCreatedForItsOwnerOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	d, err := OpenDataDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) != 1 || files[0].Name() != lockFile {
		t.Errorf("left behind: %v %v", files, err)
	}
}

func TestAnUnusableDataDirectoryIsRefusedWithTheReason(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{file: "it is not a directory", filepath.Join(file, "below"): "it is not a directory"}
	if os.Geteuid() != 0 { // root may write anywhere but to the kernel's own file systems
		locked := filepath.Join(t.TempDir(), "locked")
		if err := os.Mkdir(locked, 0o500); err != nil {
			t.Fatal(err)
		}
		cases[locked] = "it is not writable"
	}
	for path, want := range cases {
		_, err := OpenDataDir(path)
		if err == nil || !strings.HasPrefix(err.Error(), "data directory "+path+": "+want) || !strings.HasSuffix(err.Error(), "--data-dir") {
			t.Errorf("%s: got %v, want …%s…", path, err, want)
		}
	}
}

// Otherwise the owner of the directory could make a restore that root runs create a file
// anywhere, such as /etc/nologin.
func TestALockThatIsASymbolicLinkIsRefused(t *testing.T) {
	dir, target := t.TempDir(), filepath.Join(t.TempDir(), "nologin")
	if err := os.Symlink(target, filepath.Join(dir, lockFile)); err != nil {
		t.Fatal(err)
	}
	d, err := OpenDataDir(dir)
	if err == nil || !strings.Contains(err.Error(), "serve.lock in it is a symbolic link; remove it") {
		t.Errorf("got %v", err)
	}
	if err == nil {
		_ = d.Close()
	}
	if _, err := os.Lstat(target); err == nil {
		t.Error("a file was created elsewhere")
	}
}
