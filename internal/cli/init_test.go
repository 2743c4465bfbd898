package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"strongroom/internal/config"
)

// init asks again at once for an answer that is not a valid value, and at the end for
// answers that are not valid together. It asks nothing else twice.
func TestInitAsksAgainForInvalidAnswers(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "strongroom.yaml")
	answers := []string{
		"everyone", "", "jwt", // accounts: not a mode, nothing, a mode
		"nonsense", "my-app", dir, "", "", filepath.Join(dir, "witness"), "", "", "127.0.0.1:99999", "127.0.0.1:8443",
		"https://login.example.com/", // the issuer again
	}
	var out, errs strings.Builder
	p := &Program{Stdin: strings.NewReader(strings.Join(answers, "\n") + "\n"), Terminal: true, Stdout: &out, Stderr: &errs,
		CheckServe: func(*config.Settings) (string, error) { return "", nil }}
	if code := p.Run(t.Context(), []string{"init", file}); code != ExitOK {
		t.Fatalf("exit code %d: %s\n%s", code, errs.String(), out.String())
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"accounts: jwt\n", "jwt-issuer: https://login.example.com/\n", "jwt-audience: my-app\n", "# overwrite-max-auth-age: 0\n", "listen: 127.0.0.1:8443\n", "root-key: file:/etc/strongroom/root.key\n"} {
		if !strings.Contains(string(written), want) {
			t.Errorf("the file lacks %q:\n%s", want, written)
		}
	}
	if strings.Contains(string(written), "\ndatabase: ") || strings.Contains(string(written), "\ntls-cert: ") {
		t.Errorf("an empty answer became a setting:\n%s", written)
	}
	for question, times := range map[string]int{"--accounts: ": 3, "--jwt-issuer: ": 2, "--jwt-audience: ": 1, "--listen [": 2, "--database: ": 1, "--tls-key": 0, "It must be ": 2} {
		if got := strings.Count(out.String(), question); got != times {
			t.Errorf("%q is there %d times, want %d:\n%s", question, got, times, out.String())
		}
	}
}

func TestInitWithoutFurtherAnswersWritesNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "strongroom.yaml")
	var out, errs strings.Builder
	p := &Program{Stdin: strings.NewReader("gateway\n"), Terminal: true, Stdout: &out, Stderr: &errs}
	if code := p.Run(t.Context(), []string{"init", file}); code != ExitFailed || !strings.Contains(errs.String(), "nothing was written") {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a file was written")
	}
}

func TestInitReportsAPathThatCannotExist(t *testing.T) {
	file := filepath.Join(t.TempDir(), "n.yaml")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	p := &Program{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}
	code := p.Run(t.Context(), []string{"init", filepath.Join(file, "foo")})
	if code != ExitUsage || strings.Contains(errs.String(), "exists already") || !strings.Contains(errs.String(), "not a directory") {
		t.Errorf("exit code %d: %s", code, &errs)
	}
}

func TestInitKeepsAFileThatAppearsDuringTheQuestions(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "strongroom.yaml")
	var out, errs strings.Builder
	p := &Program{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, CheckServe: func(*config.Settings) (string, error) {
		return "", os.WriteFile(file, []byte("another's\n"), 0o600)
	}}
	code := p.Run(t.Context(), []string{"init", file, "--accounts", "device", "--data-dir", dir})
	if code != ExitUsage || !strings.Contains(errs.String(), "exists already: nothing was changed") {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
	if kept, err := os.ReadFile(file); err != nil || string(kept) != "another's\n" {
		t.Errorf("the file contains %q, %v", kept, err)
	}
}

// The group of the settings directory is that of the service. Root's umask is 077 on
// many hardened machines.
func TestInitAsRootLetsTheGroupOfTheDirectoryRead(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root can give a file to any group")
	}
	dir := t.TempDir()
	const service = 4242
	if err := os.Chown(dir, -1, service); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "strongroom.yaml")
	var out, errs strings.Builder
	p := &Program{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, CheckServe: func(*config.Settings) (string, error) { return "", nil }}
	defer syscall.Umask(syscall.Umask(0o077))
	if code := p.Run(t.Context(), []string{"init", file, "--accounts", "device", "--data-dir", dir}); code != ExitOK {
		t.Fatalf("exit code %d: %s", code, errs.String())
	}
	written, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if owners, ok := written.Sys().(*syscall.Stat_t); !ok || owners.Gid != service || owners.Uid != 0 || written.Mode() != 0o640 {
		t.Errorf("%+v, mode %v", written.Sys(), written.Mode())
	}
}

// A read from a terminal cannot be interrupted.
func TestInitEndsWhenItIsInterrupted(t *testing.T) {
	stdin, keyboard := io.Pipe()
	defer keyboard.Close()
	ctx, interrupt := context.WithCancel(t.Context())
	file := filepath.Join(t.TempDir(), "strongroom.yaml")
	var errs strings.Builder
	p := &Program{Stdin: stdin, Terminal: true, Stdout: io.Discard, Stderr: &errs}
	ended := make(chan int, 1)
	go func() { ended <- p.Run(ctx, []string{"init", file}) }()
	interrupt()
	select {
	case code := <-ended:
		if code != ExitFailed || !strings.Contains(errs.String(), "interrupted: nothing was written") {
			t.Errorf("exit code %d: %s", code, errs.String())
		}
	case <-time.After(20 * time.Second):
		t.Error("it still waits for an answer")
	}
}

func TestInitAsksAgainForADatabaseURLWithAPassword(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "strongroom.yaml")
	answers := []string{"device", dir, "postgres://u:hunter2@db/x?sslmode=verify-full", "", "", "", "", "", "postgres://u@db/x?sslmode=verify-full"}
	var out, errs strings.Builder
	p := &Program{Stdin: strings.NewReader(strings.Join(answers, "\n") + "\n"), Terminal: true, Stdout: &out, Stderr: &errs,
		CheckServe: func(*config.Settings) (string, error) { return "", nil }}
	if code := p.Run(t.Context(), []string{"init", file}); code != ExitOK {
		t.Fatalf("exit code %d: %s\n%s", code, errs.String(), out.String())
	}
	written, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(written), "postgres://u@db/x") || strings.Contains(string(written)+out.String(), "hunter2") {
		t.Errorf("%v:\n%s\n%s", err, written, out.String())
	}
}
