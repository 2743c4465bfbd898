package seal

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/aead/xaesgcm"
	"github.com/tink-crypto/tink-go/v2/insecuresecretdataaccess"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/secretdata"
	"github.com/tink-crypto/tink-go/v2/tink"

	"strongroom/internal/ownfile"
)

// RootKey wraps the keyset of a database. It lives outside of that database:
// in a file, in the environment, or in a key management service, which may be
// slow or down, hence the contexts. It must be safe for concurrent use.
type RootKey interface {
	// ID is a public fingerprint that tells root keys apart. It may be stored
	// and logged, and reveals nothing about the key.
	ID() string
	// Wrap encrypts plaintext and binds it to associatedData.
	Wrap(ctx context.Context, plaintext, associatedData []byte) ([]byte, error)
	// Unwrap decrypts what Wrap made with the same associatedData. It fails
	// with an error that matches ErrSeal when the bytes do not open under this
	// key, and with any other error when it could not find out: an operator
	// must not be told of a wrong key because a service was down.
	Unwrap(ctx context.Context, wrapped, associatedData []byte) ([]byte, error)
}

// RootKeySize is the size of a local root key in bytes: 256 random bits.
const RootKeySize = 32

// Labels of HKDF-SHA-256 (RFC 5869, info). A local root key is used for
// nothing but to derive from it, so that its fingerprint says nothing about
// the key that wraps.
const (
	labelWrapping    = "strongroom root key v1: wrapping"
	labelFingerprint = "strongroom root key v1: fingerprint"
)

// localRoot is a root key whose bytes this process was given. The nonces are
// 192 random bits, as for sealed values: a root key wraps seldom but lives
// for years and in copies, none of which could keep a common counter.
type localRoot struct {
	id   string
	aead tink.AEAD
}

var _ RootKey = (*localRoot)(nil)

// newLocalRoot derives what is needed from secret and wipes it.
func newLocalRoot(secret []byte) (*localRoot, error) {
	defer clear(secret)
	if len(secret) != RootKeySize {
		return nil, fmt.Errorf("holds %d bytes, not the %d of a root key", len(secret), RootKeySize)
	}
	if subtle.ConstantTimeCompare(secret, make([]byte, RootKeySize)) == 1 {
		return nil, errors.New("holds only zeros, which is no key")
	}
	keys, err := derive(secret, 32, labelFingerprint, labelWrapping)
	if err != nil {
		return nil, fmt.Errorf("deriving from it: %v", err)
	}
	fingerprint, wrapping := keys[0][:8], keys[1]
	defer clear(wrapping)
	a, err := newXAES(wrapping)
	if err != nil {
		return nil, fmt.Errorf("using the wrapping key: %v", err)
	}
	return &localRoot{hex.EncodeToString(fingerprint), a}, nil
}

// newXAES is Tink's XAES-256-GCM under the given key, without a key id before
// the ciphertext: there is only this one key.
func newXAES(key []byte) (tink.AEAD, error) {
	params, err := xaesgcm.NewParameters(xaesgcm.VariantNoPrefix, 12)
	if err != nil {
		return nil, err
	}
	k, err := xaesgcm.NewKey(secretdata.NewBytesFromData(key, insecuresecretdataaccess.Token{}), 0, params)
	if err != nil {
		return nil, err
	}
	m := keyset.NewManager()
	id, err := m.AddKey(k)
	if err != nil {
		return nil, err
	}
	if err := m.SetPrimary(id); err != nil {
		return nil, err
	}
	h, err := m.Handle()
	if err != nil {
		return nil, err
	}
	return aead.New(h)
}

func (r *localRoot) ID() string { return r.id }

func (r *localRoot) Wrap(_ context.Context, plaintext, associatedData []byte) ([]byte, error) {
	wrapped, err := r.aead.Encrypt(plaintext, associatedData)
	if err != nil {
		return nil, errors.New("wrapping failed")
	}
	return wrapped, nil
}

func (r *localRoot) Unwrap(_ context.Context, wrapped, associatedData []byte) ([]byte, error) {
	plaintext, err := r.aead.Decrypt(wrapped, associatedData)
	if err != nil {
		return nil, ErrSeal
	}
	return plaintext, nil
}

// Find returns the root key in the environment variable env or, if that is
// empty, in file. With create it makes the file if there is none: only for a
// database that has no keyset yet.
func Find(env, file string, create bool) (RootKey, error) {
	if env != "" {
		return FromEnv(env)
	}
	if create {
		if err := CreateFile(file); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	return OpenFile(file)
}

// CreateFile makes a new random root key and writes it to a new file that only
// its owner can read, durably: when it returns nil, the key survives a power
// cut, and so does everything sealed under it. The directory must exist. A
// file that is there already is never touched: the error matches fs.ErrExist.
func CreateFile(path string) error {
	if err := createFile(path); err != nil {
		return fmt.Errorf("creating root key file: %w", err)
	}
	return nil
}

// createFile writes the key under another name first, and then links it to its
// own: a process that is killed halfway must not leave a part of a key there,
// which would stop every later start. A rename would replace an existing key.
func createFile(path string) error {
	if _, err := os.Lstat(path); err == nil { // perhaps where no file can be made
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
		return err // a strict umask would have left it unreadable even to us
	}
	err := outsideHeap(RootKeySize, func(secret []byte) error {
		rand.Read(secret) // never fails: crypto/rand ends the process instead
		_, err := f.Write(secret)
		return err
	})
	return errors.Join(err, f.Sync())
}

// OpenFile reads a root key from a file of exactly 32 bytes that only this
// process can read. A missing file is an error that matches fs.ErrNotExist;
// every refusal says how to mend it.
func OpenFile(path string) (RootKey, error) {
	f, _, err := ownfile.OpenSecret(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("root key file %s: %w: put the key there, or name the right file with --root-key", path, fs.ErrNotExist)
	}
	if err != nil {
		return nil, fmt.Errorf("root key file %w", pathFirst(err))
	}
	defer func() { _ = f.Close() }()
	var root RootKey
	err = outsideHeap(RootKeySize+1, func(secret []byte) error { // one more, to see that the file ends
		n, err := io.ReadFull(f, secret)
		switch {
		case err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
			return fmt.Errorf("reading root key file: %w", err)
		case n > RootKeySize:
			return fmt.Errorf("root key file %s holds more than %d bytes: it must be the raw key, neither text nor with a line end; restore it from its copy",
				path, RootKeySize)
		}
		local, err := newLocalRoot(secret[:n])
		if err != nil {
			return fmt.Errorf("root key file %s %v: restore it from its copy", path, err)
		}
		root = local
		return nil
	})
	return root, err
}

// pathFirst is an error of the file system that begins with the path.
func pathFirst(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return fmt.Errorf("%s: %w", of.Path, of.Err)
	}
	return err
}

// FromEnv reads a root key from an environment variable: base64 of 32 bytes,
// either alphabet, padding optional. Every refusal says how to make one, and
// none repeats the value. A variable that held a key is unset, so that no child
// process gets it. The environment that the kernel gave to this process, and
// what Go copied of it, cannot be wiped: a file is the better place.
func FromEnv(name string) (RootKey, error) {
	const remedy = "put the base64 of its 32 bytes there (for a new database, and only then, a new one: openssl rand -base64 32)"
	value := strings.TrimSpace(os.Getenv(name))
	if value == "" {
		return nil, fmt.Errorf("environment variable %s holds no root key: %s", name, remedy)
	}
	value = strings.TrimRight(strings.NewReplacer("-", "+", "_", "/").Replace(value), "=")
	secret, err := base64.RawStdEncoding.Strict().DecodeString(value)
	if err != nil {
		return nil, fmt.Errorf("environment variable %s is not base64 of %d bytes: %s", name, RootKeySize, remedy)
	}
	root, err := newLocalRoot(secret)
	if err != nil {
		return nil, fmt.Errorf("environment variable %s %v: %s", name, err, remedy)
	}
	return root, os.Unsetenv(name)
}
