package sqlite

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strongroom/internal/store"
)

func TestOpenRefusesUnusablePathsWithAClearError(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	foreign := filepath.Join(dir, "foreign.db")
	if _, err := plainly(t, foreign).Exec("CREATE TABLE theirs (x)"); err != nil {
		t.Fatal(err)
	}
	marked := filepath.Join(dir, "marked.db")
	if _, err := plainly(t, marked).Exec("PRAGMA application_id = 7"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		cfg   Config
		words string
	}{
		{"no directory", Config{Path: filepath.Join(dir, "missing", "a.db")}, "directory " + filepath.Join(dir, "missing") + " does not exist"},
		{"a file for a directory", Config{Path: filepath.Join(write("file", ""), "a.db")}, "is not a directory"},
		{"a directory for a file", Config{Path: dir}, "is not a regular file"},
		{"a mistyped path", Config{Path: filepath.Join(dir, "typo.db"), MustExist: true}, "there is no database"},
		{"a long file of something else", Config{Path: write("garbage", strings.Repeat("no database ", 1000))}, "not a Strongroom database"},
		{"a short file of something else", Config{Path: write("short", "no database")}, "not a Strongroom database"},
		{"another program's database", Config{Path: foreign}, "database of another program"},
		{"another program's empty database", Config{Path: marked}, "database of another program"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before, _ := os.ReadFile(tt.cfg.Path)
			s, err := Open(context.Background(), tt.cfg)
			wantError(t, err, tt.words)
			if after, _ := os.ReadFile(tt.cfg.Path); !bytes.Equal(before, after) {
				t.Error("the refused file was changed")
			}
			if s != nil {
				t.Error("a store was returned beside the error")
			}
		})
	}
	if _, err := os.Stat(filepath.Join(dir, "typo.db")); err == nil {
		t.Error("a mistyped path was created")
	}
}

func TestAnyFileNameWorks(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"plain.db", "with space", "a?mode=memory", "50%25.db", "#1", "ü📱.db", "a&b=c.db", "quo'te\".db"} {
		path := filepath.Join(dir, name)
		s := migrated(t, path)
		put(t, s, "name", []byte(name))
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%q: %v", name, err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 8 {
		t.Errorf("%d files, want 8 (%v)", len(entries), err)
	}
}

func TestAnEmptyFileIsANewDatabase(t *testing.T) {
	path := newPath(t)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	put(t, migrated(t, path), "name", nil)
}

// Opened by another name, a database would get a second WAL.
func TestADatabaseWithTwoHardLinksIsRefused(t *testing.T) {
	path, link := newPath(t), filepath.Join(t.TempDir(), "link.db")
	s := migrated(t, path)
	put(t, s, "name", nil)
	if err := os.Link(path, link); err != nil {
		t.Skip("LOUD: this file system has no hard links: ", err)
	}
	for _, name := range []string{path, link} {
		if _, err := Open(context.Background(), Config{Path: name}); err == nil || !strings.Contains(err.Error(), "2 hard links") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(link + "-wal"); err == nil {
		t.Error("the link got a WAL of its own")
	}
	if err := s.Ping(context.Background()); err != nil {
		t.Errorf("the store that was open before: %v", err)
	}
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	put(t, migrated(t, path), "name", nil)
}

func TestASymbolicLinkIsFollowed(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link.db")
	if err := os.Symlink(newPath(t), link); err == nil {
		_, err = Open(context.Background(), Config{Path: link})
		if err == nil {
			t.Error("a link to nothing was opened")
		}
	}
	real := newPath(t)
	put(t, migrated(t, real), "name", nil)
	link = filepath.Join(dir, "good.db")
	if err := os.Symlink(real, link); err != nil {
		t.Skip("LOUD: this system has no symbolic links: ", err)
	}
	if err := migrated(t, link).Ping(context.Background()); err != nil {
		t.Error(err)
	}
}

// losses are the ways to lose a database file under a running process, and
// how to bring it back.
var losses = []struct {
	name       string
	lose, back func(path string) error
}{
	{"the file is moved away",
		func(path string) error { return os.Rename(path, path+".moved") },
		func(path string) error { return os.Rename(path+".moved", path) }},
	{"the file is replaced by a copy",
		func(path string) error {
			content, err := os.ReadFile(path)
			if err == nil {
				err = os.Rename(path, path+".moved")
			}
			if err == nil {
				err = os.WriteFile(path, content, 0o600)
			}
			return err
		},
		func(path string) error { return os.Rename(path+".moved", path) }},
	{"the directory is moved away",
		func(path string) error { return os.Rename(filepath.Dir(path), filepath.Dir(path)+".moved") },
		func(path string) error { return os.Rename(filepath.Dir(path)+".moved", filepath.Dir(path)) }},
	{"the WAL is moved away",
		func(path string) error { return os.Rename(path+"-wal", path+".moved") },
		func(path string) error { return os.Rename(path+".moved", path+"-wal") }},
}

func TestOperationsFailWhileTheFileIsMissing(t *testing.T) {
	ctx := context.Background()
	for _, tt := range losses {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "data", "strongroom.db")
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			s := migrated(t, path)
			put(t, s, "name", []byte("before"))
			if err := s.Ping(ctx); err != nil {
				t.Fatal(err)
			}
			if err := tt.lose(path); err != nil {
				t.Fatal(err)
			}
			wantError(t, s.Ping(ctx), "was removed")
			wantError(t, s.Update(ctx, func(tx store.Tx) error { return tx.PutSetting("name", []byte("lost")) }), "was removed")
			wantError(t, s.View(ctx, func(store.Tx) error { return nil }), "was removed")
			if err := tt.back(path); err != nil {
				t.Fatal(err)
			}
			if err := s.Ping(ctx); err != nil {
				t.Fatalf("after its return: %v", err)
			}
			put(t, s, "name", []byte("after"))
		})
	}
}

func modeOf(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}
