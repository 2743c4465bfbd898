package place

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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
	return ownfile.Replace(f.path(k), text, nil)
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
