package tokenfile

import (
	"bytes"
	"crypto/sha256"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"strongroom/internal/domain"
)

// adminFile is an open file of admin tokens with a clock that stands still.
type adminFile struct {
	*File[domain.Role]
	t    *testing.T
	path string
	at   time.Time
	log  bytes.Buffer
}

func openAdmin(t *testing.T, text string) *adminFile {
	t.Helper()
	f := &adminFile{t: t, path: write(t, text), at: time.Now().Truncate(time.Second)}
	var err error
	if f.File, err = OpenAdmin(f.path, slog.New(slog.NewTextHandler(&f.log, nil))); err != nil {
		t.Fatal(err)
	}
	f.Now = func() time.Time { return f.at }
	return f
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// is wants a token to have the role; NoRole: not to be in the file.
func (f *adminFile) is(token string, role domain.Role) {
	f.t.Helper()
	if got, ok := f.Find(sha256.Sum256([]byte(token))); got != role || ok != (role != domain.NoRole) {
		f.t.Errorf("%.8s…: %v, %v; want role %d\n%s", token, got, ok, role, &f.log)
	}
}

// lines are those of the file.
func (f *adminFile) lines() []string {
	f.t.Helper()
	text, err := os.ReadFile(f.path)
	if err != nil {
		f.t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func TestAfterConcurrentRotationsTheLastTwoTokensStay(t *testing.T) {
	f := openAdmin(t, strings.Repeat("o", adminTokenChars)+"\n")
	before := f.lines()[0]
	var rotating sync.WaitGroup
	for range 8 {
		rotating.Go(func() {
			if _, err := RotateAdmin(f.path, domain.RoleOperator); err != nil {
				t.Error(err)
			}
		})
	}
	rotating.Wait()
	lines := f.lines()
	if len(lines) != 2 || lines[0] == lines[1] || lines[1] == before {
		t.Fatalf("the file has %d lines", len(lines))
	}
	f.at = f.at.Add(checkInterval)
	f.is(lines[0], domain.RoleOperator)
	f.is(lines[1], domain.RoleOperator)
}

// A mistake in the file neither locks operators out nor lets anyone in.
func TestAnAdminTokenFileThatCannotBeReadLeavesTheLastGoodTokens(t *testing.T) {
	good, other := strings.Repeat("g", adminTokenChars), strings.Repeat("o", adminTokenChars)
	for name, text := range map[string]string{
		"empty": "", "only a comment": "# none\n", "short": other[1:], "not a token": strings.Repeat("=", adminTokenChars),
		"three operators": other + "\n" + good + "\n" + strings.Repeat("x", adminTokenChars) + "\n", "twice": other + "\n" + other + "\n",
		"unknown role": other + " root\n", "two roles": other + " viewer operator\n", "NUL": other + "\x00\n",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := OpenAdmin(write(t, text), slog.New(slog.DiscardHandler)); err == nil {
				t.Error("a start takes it")
			} else if strings.Contains(err.Error(), other[1:]) {
				t.Errorf("the error has the token: %v", err)
			}
			f := openAdmin(t, good)
			if err := os.WriteFile(f.path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			f.at = f.at.Add(checkInterval)
			f.is(good, domain.RoleOperator)
			f.is(other, domain.NoRole)
			if !strings.Contains(f.log.String(), "the admin token file cannot be read") {
				t.Errorf("it is not said:\n%s", &f.log)
			}
			if _, err := RotateAdmin(f.path, domain.RoleOperator); err == nil {
				t.Error("it is rotated")
			}
		})
	}
}

// The log names chown as the remedy. It changes neither size nor time nor mode of the file.
func TestAnAdminTokenFileIsReadAgainAfterItsOwnerWasCorrected(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("SKIPPED: only root can give files away")
	}
	before, after := strings.Repeat("b", adminTokenChars), strings.Repeat("a", adminTokenChars)
	f := openAdmin(t, before)
	if err := os.WriteFile(f.path, []byte(after), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		owner         int
		valid, logged string
	}{{4242, before, "run chown 0"}, {4242, before, ""}, {0, after, "was read again"}, {0, after, ""}} {
		if err := os.Chown(f.path, step.owner, -1); err != nil {
			t.Fatal(err)
		}
		f.log.Reset()
		f.at = f.at.Add(checkInterval)
		f.is(step.valid, domain.RoleOperator)
		if strings.Count(f.log.String(), "\n") != min(len(step.logged), 1) || !strings.Contains(f.log.String(), step.logged) {
			t.Errorf("owner %d: want one line of %q, got:\n%s", step.owner, step.logged, &f.log)
		}
	}
}

func TestAnAdminTokenFileAccessibleToOthersIsRefused(t *testing.T) {
	for mode, want := range map[os.FileMode]bool{0o600: true, 0o400: true, 0o440: false, 0o640: false, 0o444: false, 0o660: false, 0o602: false} {
		path := write(t, strings.Repeat("g", adminTokenChars))
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenAdmin(path, slog.New(slog.DiscardHandler)); (err == nil) != want {
			t.Errorf("mode %o: %v", mode, err)
		}
		if _, err := RotateAdmin(path, domain.RoleViewer); (err == nil) != want {
			t.Errorf("mode %o is rotated: %v", mode, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
			t.Errorf("mode %o became %v, %v", mode, info.Mode(), err)
		}
	}
}
