package ownfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"strongroom/internal/stracetest"
)

func TestAReplacedFileIsSyncedToDisk(t *testing.T) {
	calls := stracetest.Calls(t, func(dir string) error {
		return Replace(filepath.Join(dir, "file"), []byte("text"), nil)
	})
	if want := []string{"fsync file.new", "rename file.new file", "fsync ."}; !slices.Equal(calls, want) {
		t.Errorf("system calls %q, want %q", calls, want)
	}
}

func TestAFileIsReplacedAndKeepsItsMode(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	written(t, path, os.Geteuid(), 0o640)
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	written(t, path+".new", os.Geteuid(), 0o400) // as a crash leaves it
	if err := Replace(path, []byte("new"), before); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != "new" {
		t.Errorf("the file holds %q, %v", text, err)
	}
	if after, err := os.Stat(path); err != nil || after.Mode() != before.Mode() {
		t.Errorf("mode %v, %v", after.Mode(), err)
	}
	if err := os.Mkdir(path+".full", 0o700); err != nil {
		t.Fatal(err)
	}
	written(t, path+".full/file", os.Geteuid(), 0o600)
	if err := Replace(path+".full", []byte("new"), nil); err == nil {
		t.Error("a directory was replaced")
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.new")); left != nil {
		t.Errorf("a temporary file is left: %q", left)
	}
}

// Nobody knows the name of the file that is only written to see whether that works.
func TestTheErrorOfAProbeNamesItsDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "missing")
	err := CheckWritable(dir)
	if want := "write to " + dir + ": no such file or directory"; !errors.Is(err, fs.ErrNotExist) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
