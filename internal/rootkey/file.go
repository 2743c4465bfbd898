package rootkey

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/ownfile"
)

// files are raw keys of [seal.RootKeySize] bytes in files on this machine.
var files = provider{
	form:   "file:PATH",
	check:  checkPath,
	open:   func(_ context.Context, path string) (seal.RootKey, error) { return OpenFile(path) },
	create: func(_ context.Context, path string) error { return CreateFile(path) },
}

func checkPath(path string) error {
	if path == "" || strings.ContainsRune(path, 0) {
		return errors.New("the path of the file is missing")
	}
	return nil
}

// Absolute makes the path in a file: URL absolute, because processes with other working
// directories open the root key too. It returns other URLs unchanged.
func Absolute(url string) string {
	path, isFile := strings.CutPrefix(url, "file:")
	if abs, err := filepath.Abs(path); isFile && path != "" && err == nil {
		return "file:" + abs
	}
	return url
}

// CreateFile writes a new random root key durably to a new file that only its owner
// can read: when it returns nil, the key survives a power cut. The directory must
// exist. CreateFile never changes an existing file: then the error matches
// fs.ErrExist.
func CreateFile(path string) error {
	if err := createFile(path); err != nil {
		return fmt.Errorf("creating root key file: %w", err)
	}
	return nil
}

// createFile writes the key to a draft first, and then links the draft to the path.
// So a process that is killed does not leave a part of a key at the path, which
// would stop every later start. A rename would replace an existing key.
func createFile(path string) error {
	if _, err := os.Lstat(path); err == nil { // also if the directory is not writable
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	dir := filepath.Dir(path)
	draft, err := os.CreateTemp(dir, filepath.Base(path)+".new-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(draft.Name()) }()
	if err := errors.Join(writeRootKey(draft), draft.Close()); err != nil {
		return err
	}
	if err := os.Link(draft.Name(), path); err != nil {
		return err
	}
	return ownfile.SyncDir(dir)
}

func writeRootKey(f *os.File) error {
	if err := f.Chmod(0o600); err != nil {
		return err // without Chmod, a strict umask could make the file unreadable even for its owner
	}
	err := seal.OutsideHeap(seal.RootKeySize, func(secret []byte) error {
		rand.Read(secret) // never fails: crypto/rand ends the process instead
		_, err := f.Write(secret)
		return err
	})
	return errors.Join(err, f.Sync())
}

// OpenFile reads a root key from a file of exactly 32 bytes that other users cannot
// read. If the file does not exist, the error matches fs.ErrNotExist. Every error says
// what to do.
func OpenFile(path string) (seal.RootKey, error) {
	f, _, err := ownfile.OpenSecret(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("root key file %s: %w: put the key there, or name the right file with --root-key", path, fs.ErrNotExist)
	}
	if err != nil {
		return nil, fmt.Errorf("root key file %w", pathFirst(err))
	}
	defer func() { _ = f.Close() }()
	var root seal.RootKey
	err = seal.OutsideHeap(seal.RootKeySize+1, func(secret []byte) error { // one more byte, to detect a file that is too long
		n, err := io.ReadFull(f, secret)
		switch {
		case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
			return fmt.Errorf("reading root key file: %w", err)
		case n > seal.RootKeySize:
			return fmt.Errorf("root key file %s holds more than %d bytes: it must be the raw key, neither text nor with a line end; restore it from its copy",
				path, seal.RootKeySize)
		}
		local, err := seal.NewLocalRoot(secret[:n])
		if err != nil {
			return fmt.Errorf("root key file %s %v: restore it from its copy", path, err)
		}
		root = local
		return nil
	})
	return root, err
}

// pathFirst makes an error of the file system begin with the path.
func pathFirst(err error) error {
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", of.Path, of.Err)
	}
	return err
}
