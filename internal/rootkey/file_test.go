package rootkey

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/stracetest"
)

func TestARootKeyFileOpensToTheSameKeyEachTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "root.key")
	if err := CreateFile(path); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() != 32 || info.Mode() != 0o600 {
		t.Errorf("file has %d bytes and mode %v, want 32 and -rw-------", info.Size(), info.Mode())
	}
	ctx := context.Background()
	first, second := mustOpenFile(t, path), mustOpenFile(t, path)
	if first.ID() != second.ID() || len(first.ID()) != 16 {
		t.Errorf("fingerprints %q and %q, want the same 16 characters", first.ID(), second.ID())
	}
	wrapped, err := first.Wrap(ctx, []byte("secret"), []byte("purpose"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := second.Unwrap(ctx, wrapped, []byte("purpose")); err != nil || string(got) != "secret" {
		t.Errorf("unwrapping: got %q, %v", got, err)
	}
	if _, err := second.Unwrap(ctx, wrapped, []byte("another purpose")); !errors.Is(err, seal.ErrSeal) {
		t.Errorf("unwrapping for another purpose: got error %v, want ErrSeal", err)
	}
}

func mustOpenFile(t *testing.T, path string) seal.RootKey {
	t.Helper()
	root, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func TestARootKeyFileIsNeverOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "root.key")
	if err := CreateFile(path); err != nil {
		t.Fatal(err)
	}
	before := mustOpenFile(t, path).ID()
	if err := CreateFile(path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("creating it again: got error %v, want fs.ErrExist", err)
	}
	if after := mustOpenFile(t, path).ID(); after != before {
		t.Error("the key changed")
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(t.TempDir(), "elsewhere"), link); err != nil {
		t.Fatal(err)
	}
	if err := CreateFile(link); !errors.Is(err, fs.ErrExist) {
		t.Errorf("creating it through a link: got error %v, want fs.ErrExist", err)
	}
}

func TestAnUnsafeRootKeyFileIsRefusedWithItsRemedy(t *testing.T) {
	random := bytes.Repeat([]byte{7, 9}, 16)
	file := func(content []byte, mode fs.FileMode) func(string) error {
		return func(path string) error {
			return errors.Join(os.WriteFile(path, content, 0o600), os.Chmod(path, mode))
		}
	}
	for name, c := range map[string]struct {
		make func(path string) error
		want string // in the message
	}{
		"missing":             {func(string) error { return nil }, "does not exist"},
		"readable by all":     {file(random, 0o644), "chmod 600"},
		"readable by a group": {file(random, 0o640), "chmod 600"},
		"writable by all":     {file(random, 0o602), "chmod 600"},
		"empty":               {file(nil, 0o600), "holds 0 bytes"},
		"short":               {file(random[:31], 0o600), "holds 31 bytes"},
		"with a line end":     {file(append(bytes.Clone(random), '\n'), 0o600), "line end"},
		"only zeros":          {file(make([]byte, 32), 0o600), "zeros"},
		"a directory":         {func(path string) error { return os.Mkdir(path, 0o700) }, "not a regular file"},
		"a named pipe":        {func(path string) error { return syscall.Mkfifo(path, 0o600) }, "not a regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "root.key")
			if err := c.make(path); err != nil {
				t.Fatal(err)
			}
			root, err := OpenFile(path)
			if err == nil {
				t.Fatalf("opened as %s", root.ID())
			}
			if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("message %q does not name both the file and %q", err, c.want)
			}
			if got, want := errors.Is(err, fs.ErrNotExist), name == "missing"; got != want {
				t.Errorf("matches fs.ErrNotExist: %v, want %v", got, want)
			}
		})
	}
}

func TestARootKeyFromTheEnvironmentMayUseAnyBase64Variant(t *testing.T) {
	key := bytes.Repeat([]byte{0xfb, 0xef, 0xff, 0x01}, 8)
	want := ""
	for _, value := range []string{
		base64.StdEncoding.EncodeToString(key), base64.RawStdEncoding.EncodeToString(key),
		base64.URLEncoding.EncodeToString(key), base64.RawURLEncoding.EncodeToString(key),
		base64.StdEncoding.EncodeToString(key) + "\n",
	} {
		t.Setenv("ROOT_KEY", value)
		root, err := FromEnv("ROOT_KEY")
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = root.ID()
		}
		if root.ID() != want {
			t.Errorf("fingerprint %s, want %s: another key was read", root.ID(), want)
		}
	}
}

func TestABadRootKeyInTheEnvironmentIsRefusedAndNotRepeated(t *testing.T) {
	for _, value := range []string{"", " ", "hunter2hunter2", "%%%hunter2", "aHVudGVyMg==", strings.Repeat("A", 43), strings.Repeat("h", 44)} {
		t.Setenv("ROOT_KEY", value)
		_, err := FromEnv("ROOT_KEY")
		if err == nil {
			t.Fatalf("%q was accepted", value)
		}
		if msg := err.Error(); !strings.Contains(msg, "openssl rand -base64 32") || !strings.Contains(msg, "ROOT_KEY") {
			t.Errorf("message %q lacks the name or the remedy", msg)
		}
		if v := strings.TrimSpace(value); v != "" && strings.Contains(err.Error(), v) {
			t.Errorf("the message repeats the value")
		}
	}
}

// If a power cut loses a key, everything sealed under it is lost.
func TestANewRootKeyIsOnTheDiskBeforeItIsUsed(t *testing.T) {
	calls := stracetest.Calls(t, func(dir string) error { return CreateFile(filepath.Join(dir, "root.key")) })
	want := []string{"fsync root.key.new-N", "link root.key.new-N root.key", "fsync ."}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Errorf("system calls (-want +got):\n%s", diff)
	}
}
