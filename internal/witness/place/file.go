package place

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"strongroom/internal/ownfile"
)

// File keeps a witness in files of this machine. Only one process may use it.
type File struct {
	Path string // absolute; the other parts are beside it
}

// String is the path.
func (f File) String() string { return f.Path }

// Shared is false: each instance has its own file.
func (File) Shared() bool { return false }

func (f File) path(k Key) string {
	if k.Part == Heads {
		return f.Path
	}
	return f.Path + "." + k.Part
}

// Read reads a file. It fails if another user could have changed it. A file has no
// version.
func (f File) Read(_ context.Context, k Key) (text []byte, version string, err error) {
	if err := noLink(f.path(k)); err != nil {
		return nil, "", err
	}
	file, _, err := ownfile.OpenSecret(f.path(k))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", ErrNone
	}
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	text, err = io.ReadAll(io.LimitReader(file, maxBytes))
	return text, "", err
}

// Write replaces a file durably.
func (f File) Write(_ context.Context, k Key, text []byte, _ string) error {
	if err := noLink(f.path(k)); err != nil {
		return err
	}
	return ownfile.Replace(f.path(k), text, nil)
}

// Lock locks the witness against another server. Two servers with one file would not
// notice each other, because each only writes it. Close the lock at the end; the kernel
// ends it with the process. Each write replaces the file of the witness, so another file
// beside it is locked, and stays. Where the file system has no locks, Lock locks nothing.
func (f File) Lock() (io.Closer, error) {
	lock, err := ownfile.Lock(f.Path + ".lock")
	switch {
	case errors.Is(err, errors.ErrUnsupported), errors.Is(err, syscall.ENOLCK):
		return io.NopCloser(nil), nil
	case errors.Is(err, ownfile.ErrLocked):
		return nil, fmt.Errorf("%s: another serve uses it; stop that one, or give this one a file of its own with --witness", f.Path)
	}
	return lock, err
}

// noLink refuses a symbolic link, also one to nothing: a write would replace the link, and
// the note would move to the disk of the link.
func noLink(path string) error {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a symbolic link, which a write would replace; name the file itself", path)
	}
	return nil
}

// SetAside renames the files, and returns the new path. The heads come last: as long as
// they are there, the next start sets aside what a crash left.
func (f File) SetAside() (path string, err error) {
	old := File{f.Path + "." + time.Now().UTC().Format("20060102T150405.000000Z")}
	for _, part := range []string{Keys, Heads} {
		if err := os.Rename(f.path(Key{Part: part}), old.path(Key{Part: part})); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return old.Path, ownfile.SyncDir(filepath.Dir(f.Path))
}
