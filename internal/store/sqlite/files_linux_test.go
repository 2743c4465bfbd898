package sqlite

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"strongroom/internal/store"
)

func TestOnlyTheirOwnerCanReadTheFilesDespiteTheUmask(t *testing.T) {
	for _, umask := range []int{0, 0o022, 0o277} {
		old := syscall.Umask(umask)
		defer syscall.Umask(old)
		path := newPath(t)
		if err := os.Chmod(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		put(t, migrated(t, path), "name", nil)
		for _, suffix := range []string{"", "-wal", "-shm"} {
			if mode := modeOf(t, path+suffix); mode != 0o600 {
				t.Errorf("umask %#o: mode of %q is %#o, want 0600", umask, "strongroom.db"+suffix, mode)
			}
		}
		syscall.Umask(old)
	}
}

// asNobody runs fn with the rights of a user that owns nothing, on a thread of
// its own: root may write everywhere.
func asNobody(t *testing.T, fn func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		fn()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // never unlocked: the thread ends with the goroutine
		if err := syscall.Setfsuid(65534); err != nil {
			t.Error(err)
			return
		}
		fn()
	}()
	<-done
}

func TestErrorsNameMissingFilePermissions(t *testing.T) {
	// Everything down to the database may be looked at by anyone.
	dir, err := os.MkdirTemp("", "rights")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "strongroom.db")
	s := migrated(t, path)
	put(t, s, "name", nil)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	open := func(path string) (err error) {
		asNobody(t, func() {
			var s *Store
			if s, err = Open(context.Background(), Config{Path: path}); err == nil {
				_ = s.Close()
			}
		})
		return err
	}
	chmod := func(path string, mode fs.FileMode) {
		t.Helper()
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	chmod(dir, 0o555)
	wantError(t, open(filepath.Join(dir, "new.db")), "directory "+dir+" is not writable")
	if os.Geteuid() == 0 { // the file belongs to root, so nobody cannot even read it
		wantError(t, open(path), "its file and its directory must be readable and writable")
	} else {
		wantError(t, open(path), "make the file and its directory writable")
	}
	chmod(dir, 0o777)
	chmod(path, 0o444)
	wantError(t, open(path), "the database is read-only")
	chmod(path, 0o000)
	wantError(t, open(path), "its file and its directory must be readable and writable")
}

// Closing any descriptor of the database file drops this process's locks on
// it. According to the locks, the child is then the last process that closes
// it. Even so, the child must not remove the WAL.
func TestReadingTheDatabaseFileInTheProcessKeepsTheWAL(t *testing.T) {
	path := newPath(t)
	s := migrated(t, path)
	put(t, s, "name", []byte("value"))
	if _, err := os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	child(t, "write", path).wait(t)
	if err := s.Ping(context.Background()); err != nil {
		t.Fatal(err)
	}
	err := s.View(context.Background(), func(tx store.Tx) error { _, err := tx.Setting("name"); return err })
	if err != nil {
		t.Fatal(err)
	}
}
