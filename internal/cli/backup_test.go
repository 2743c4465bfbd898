package cli

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"strongroom/internal/backup"
	"strongroom/internal/config"
)

// archive writes a backup of a file that is not a database. The manifest agrees with it.
func archive(t *testing.T, m backup.Manifest, database []byte, options ...zstd.EOption) (path string) {
	t.Helper()
	m.Size, m.SHA256 = int64(len(database)), fmt.Sprintf("%x", sha256.Sum256(database))
	manifest, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "strongroom backup 1\n%s\n", manifest)
	z, err := zstd.NewWriter(&text, options...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(database); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "backup")
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func verify(t *testing.T, path string) (code int, says string) {
	t.Helper()
	var out strings.Builder
	p := &Program{Stdout: &out, Stderr: &out, OpenSchema: func(context.Context, *config.Settings, bool) (Schema, error) {
		return nil, errors.New("it is not a database")
	}}
	code = p.Run(t.Context(), []string{"backup", "verify", path, "--data-dir", t.TempDir()})
	return code, out.String()
}

// The manifest is printed before anything in it is verified.
func TestAForgedManifestCannotControlTheTerminal(t *testing.T) {
	const text = "1.0\x1b[2K\rGood: the root key opens it"
	for name, m := range map[string]backup.Manifest{
		"version": {Version: text}, "engine": {Engine: text}, "store": {Store: text}, "accounts": {Accounts: text},
		"a line end": {Version: "1.0\nGood: the root key opens it"}, "head": {Heads: []backup.Head{{Chain: text}}},
	} {
		code, says := verify(t, archive(t, m, []byte("x")))
		if code != BackupDamaged || strings.Contains(says, "\x1b") || strings.Contains(says, "\nGood") {
			t.Errorf("%s: exit code %d: %q", name, code, says)
		}
	}
}

// Decoding a frame takes as much memory as its window.
func TestABackupCannotTakeMuchMemory(t *testing.T) {
	database := bytes.Repeat([]byte("some rows of a database "), 3<<20/24)
	code, says := verify(t, archive(t, backup.Manifest{Version: "1"}, database, zstd.WithWindowSize(zstd.MaxWindowSize), zstd.WithSingleSegment(false)))
	if code != BackupDamaged || !strings.Contains(says, "window size exceeded") {
		t.Errorf("exit code %d: %s", code, says)
	}
}

// Errors can contain text from a database that someone edited.
func TestAnErrorCannotControlTheTerminal(t *testing.T) {
	var errs strings.Builder
	p := &Program{Stderr: &errs, OpenSchema: func(context.Context, *config.Settings, bool) (Schema, error) {
		return nil, errors.New("wrapped by \x1b[2K\rnone\nrun this")
	}}
	code := p.Run(t.Context(), []string{"migrate", "--status"})
	if want := "strongroom: \"wrapped by \\x1b[2K\\rnone\"\nrun this\n"; code != ExitFailed || errs.String() != want {
		t.Errorf("exit code %d: %q, want %q", code, errs.String(), want)
	}
}
