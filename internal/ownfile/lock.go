package ownfile

import (
	"errors"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// ErrLocked means that another process has the lock of [Lock].
var ErrLocked = errors.New("another process has the lock")

// Lock creates a file, mode 0600, if it is missing, and locks it against other processes
// (flock). It does not follow a symbolic link, and does not wait: it fails with
// [ErrLocked]. The kernel ends the lock when it is closed or when the process ends. The
// file stays, unless the process that has the lock removes it first.
func Lock(path string) (io.Closer, error) {
	lock, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600) //nolint:gosec // the operator's own choice
	if err != nil {
		return nil, err
	}
	err = unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil && !isAt(lock, path) { // its last holder has removed it meanwhile, and another process may lock a new one
		err = unix.EWOULDBLOCK
	}
	if err == nil {
		return lock, nil
	}
	_ = lock.Close()
	if errors.Is(err, unix.EWOULDBLOCK) {
		return nil, ErrLocked
	}
	return nil, &os.PathError{Op: "lock", Path: path, Err: err}
}

// isAt reports whether path still names an open file.
func isAt(f *os.File, path string) bool {
	is, err := f.Stat()
	at, err2 := os.Lstat(path)
	return err == nil && err2 == nil && os.SameFile(is, at)
}
