package backup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// workDir is a private directory (0700) for the database of an archive, on the
// file system of the archive. It is locked while its process lives, so that the
// next run removes those that a kill left behind, and no other.
type workDir struct {
	dir  string
	lock *os.File
}

const workDirs = ".strongroom-backup-"

func newWorkDir(parent string) (*workDir, error) {
	dir, err := os.MkdirTemp(parent, workDirs)
	if err != nil {
		return nil, fmt.Errorf("making a temporary directory: %w", err)
	}
	w := &workDir{dir: dir}
	if w.lock, err = lock(dir); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return w, nil
}

// lock locks a directory for as long as the file is open.
func lock(dir string) (*os.File, error) {
	f, err := os.Open(dir) //nolint:gosec // our own directory
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (w *workDir) path(name string) string { return filepath.Join(w.dir, name) }

func (w *workDir) remove() error {
	return errors.Join(os.RemoveAll(w.dir), w.lock.Close())
}

// RemoveLeftovers removes what killed runs left in a directory: copies of the
// database, with sealed values only. It returns their paths. It leaves the
// directories of runs that are under way.
func RemoveLeftovers(parent string) (removed []string, err error) {
	left, err := filepath.Glob(filepath.Join(escape(parent), workDirs+"*"))
	if err != nil {
		return nil, err
	}
	for _, dir := range left {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || int(info.Sys().(*syscall.Stat_t).Uid) != os.Geteuid() { //nolint:forcetypeassert // it is that wherever this builds
			continue
		}
		held, err := lock(dir)
		if err != nil { // another run
			continue
		}
		if err := errors.Join(os.RemoveAll(dir), held.Close()); err != nil {
			return removed, fmt.Errorf("removing what a killed run left: %w", err)
		}
		removed = append(removed, dir)
	}
	return removed, nil
}

// escape keeps Glob from reading a path as a pattern.
func escape(path string) string {
	var out []rune
	for _, r := range path {
		if r == '*' || r == '?' || r == '[' || r == '\\' {
			out = append(out, '\\')
		}
		out = append(out, r)
	}
	return string(out)
}
