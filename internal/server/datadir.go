package server

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"strongroom/internal/ownfile"
)

const lockFile = "serve.lock"

// OpenDataDir creates the directory (mode 0700) if it is missing, and locks it
// against a second server. The lock is the kernel's (flock): it ends when it is
// closed or when the process ends. Errors are for the operator to read.
func OpenDataDir(path string) (io.Closer, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, dataDirError(path, err)
	}
	if err := ownfile.CheckDir(path); err != nil {
		return nil, fmt.Errorf("data directory %w", err)
	}
	lock, err := ownfile.Lock(filepath.Join(path, lockFile))
	if errors.Is(err, ownfile.ErrLocked) {
		return nil, fmt.Errorf("data directory %s: another serve runs on it; stop that one or choose another with --data-dir", path)
	}
	if err != nil {
		return nil, dataDirError(path, err)
	}
	if err := ownfile.CheckWritable(path); err != nil { // the lock file may exist already
		_ = lock.Close()
		return nil, dataDirError(path, err)
	}
	return lock, nil
}

func dataDirError(path string, err error) error {
	var remedy string
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		remedy = "it is not writable; let this user write to it or choose another with --data-dir"
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		remedy = "it is not a directory; choose another with --data-dir"
	case errors.Is(err, syscall.ELOOP):
		remedy = lockFile + " in it is a symbolic link; remove it"
	case errors.Is(err, syscall.ENOSPC):
		remedy = "the disk is full"
	default:
		remedy = err.Error()
	}
	return fmt.Errorf("data directory %s: %s", path, remedy)
}
