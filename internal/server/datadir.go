package server

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// DataDir is a data directory that this process alone serves from.
type DataDir struct {
	path string
	lock *os.File
}

const (
	lockFile  = "serve.lock"
	tokenFile = "admin.token"
)

// OpenDataDir makes the directory (0700) where it is missing, and locks it
// against a second serve. The lock is the kernel's (flock) and ends with the
// process, however that ends. Errors are in words for the operator.
func OpenDataDir(path string) (*DataDir, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, dataDirError(path, err)
	}
	lock, err := os.OpenFile(filepath.Join(path, lockFile), os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // the operator's own choice
	if err != nil {
		return nil, dataDirError(path, err)
	}
	err = unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		err = fmt.Errorf("data directory %s: another serve runs on it; stop that one or choose another with --data-dir", path)
	} else if err != nil {
		err = dataDirError(path, err)
	} else {
		err = probe(path)
	}
	if err != nil {
		_ = lock.Close()
		return nil, err
	}
	return &DataDir{path, lock}, nil
}

// probe finds out now, and not at the first write, that the directory takes no
// new files: the lock file may be an old one.
func probe(path string) error {
	f, err := os.CreateTemp(path, ".probe-*")
	if err != nil {
		return dataDirError(path, err)
	}
	_, err = f.Write([]byte{0})
	if err := errors.Join(err, f.Close(), os.Remove(f.Name())); err != nil {
		return dataDirError(path, err)
	}
	return nil
}

func dataDirError(path string, err error) error {
	var remedy string
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		remedy = "it is not writable; let this user write to it or choose another with --data-dir"
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		remedy = "it is not a directory; choose another with --data-dir"
	case errors.Is(err, syscall.ENOSPC):
		remedy = "the disk is full"
	default:
		remedy = err.Error()
	}
	return fmt.Errorf("data directory %s: %s", path, remedy)
}

// Close gives the directory up to the next serve.
func (d *DataDir) Close() error { return d.lock.Close() }

// AdminToken returns the token that opens the operator side: 32 random bytes
// in base64url, kept in admin.token and made there on first use. A token file
// that others can read is refused, as the token may be known.
func (d *DataDir) AdminToken() (string, error) {
	path := filepath.Join(d.path, tokenFile)
	const remedy = "; remove it, and the next start makes a new one"
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return d.newToken(path)
	}
	if err != nil {
		return "", fmt.Errorf("admin token: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("admin token: group or others may read %s (mode %04o)%s", path, info.Mode().Perm(), remedy)
	}
	text, err := os.ReadFile(path) //nolint:gosec // inside the data directory
	if err != nil {
		return "", fmt.Errorf("admin token: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if raw, err := base64.RawURLEncoding.DecodeString(token); err != nil || len(raw) != tokenBytes {
		return "", fmt.Errorf("admin token: %s does not hold %d bytes in base64url%s", path, tokenBytes, remedy)
	}
	return token, nil
}

const tokenBytes = 32

// newToken writes the file under another name first, so that a stop halfway
// leaves no half a token.
func (d *DataDir) newToken(path string) (string, error) {
	raw := make([]byte, tokenBytes)
	rand.Read(raw) // never fails: crypto/rand ends the process instead
	token := base64.RawURLEncoding.EncodeToString(raw)
	draft := path + ".new"
	_ = os.Remove(draft) // one left from such a stop, whatever its mode
	err := os.WriteFile(draft, []byte(token+"\n"), 0o600)
	if err == nil {
		err = os.Rename(draft, path)
	}
	if err != nil {
		return "", dataDirError(d.path, err)
	}
	return token, nil
}
