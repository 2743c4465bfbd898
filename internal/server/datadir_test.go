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

func TestASecondServeIsRefusedUntilTheFirstEndsHoweverItEnds(t *testing.T) {
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

func TestTheDirectoryIsMadeForItsOwnerOnly(t *testing.T) {
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

func TestADirectoryThatCannotServeIsRefusedInWords(t *testing.T) {
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

func TestTheAdminTokenIsMadeOnceAndRefusedOnceOthersMayReadIt(t *testing.T) {
	d, err := OpenDataDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	path := filepath.Join(d.path, tokenFile)

	token, err := d.AdminToken()
	if err != nil || len(token) != 43 {
		t.Fatalf("token of %d characters, %v", len(token), err)
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != token+"\n" {
		t.Errorf("the file holds %d bytes, %v", len(text), err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if again, err := d.AdminToken(); err != nil || again != token {
		t.Errorf("a second start has another token, or %v", err)
	}

	for _, mode := range []os.FileMode{0o640, 0o604, 0o644, 0o660} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := d.AdminToken(); err == nil || !strings.Contains(err.Error(), "remove it") || strings.Contains(err.Error(), token) {
			t.Errorf("mode %v: %v", mode, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if again, err := d.AdminToken(); err != nil || again == token {
		t.Errorf("after the remedy: the same token, or %v", err)
	}
	for _, bad := range []string{"", "short", strings.Repeat("a", 42), strings.Repeat("=", 43)} {
		if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := d.AdminToken(); err == nil {
			t.Errorf("%q opens the operator side", bad)
		}
	}
}
