package seal

import (
	"context"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
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
	"syscall"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/aead/xaesgcm"
	"github.com/tink-crypto/tink-go/v2/insecuresecretdataaccess"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/secretdata"
	"github.com/tink-crypto/tink-go/v2/tink"
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
	fingerprint, err := hkdf.Key(sha256.New, secret, nil, labelFingerprint, 8)
	if err != nil {
		return nil, fmt.Errorf("deriving the fingerprint: %v", err)
	}
	wrapping, err := hkdf.Key(sha256.New, secret, nil, labelWrapping, 32)
	if err != nil {
		return nil, fmt.Errorf("deriving the wrapping key: %v", err)
	}
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
	return syncDirectory(dir)
}

func writeRootKey(f *os.File) error {
	var secret [RootKeySize]byte
	defer clear(secret[:])
	rand.Read(secret[:]) // never fails: crypto/rand ends the process instead
	if err := f.Chmod(0o600); err != nil {
		return err // a strict umask would have left it unreadable even to us
	}
	if _, err := f.Write(secret[:]); err != nil {
		return err
	}
	return f.Sync()
}

// syncDirectory makes a new name in a directory durable.
func syncDirectory(dir string) error {
	d, err := os.Open(dir) //nolint:gosec // the operator names the file
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// OpenFile reads a root key from a file of exactly 32 bytes that only its
// owner can reach. A missing file is an error that matches fs.ErrNotExist;
// every refusal says how to mend it.
func OpenFile(path string) (RootKey, error) {
	// Without O_NONBLOCK, opening a named pipe would wait for a writer.
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) //nolint:gosec // the operator names the file
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("root key file %s does not exist: put the key there, or name the right file: %w", path, fs.ErrNotExist)
	}
	if err != nil {
		return nil, fmt.Errorf("opening root key file: %w", err)
	}
	defer func() { _ = f.Close() }()

	info, err := f.Stat() // of what was opened, not of what bears the name by now
	if err != nil {
		return nil, fmt.Errorf("opening root key file: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("root key file %s is not a regular file: name a file of %d bytes", path, RootKeySize)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return nil, fmt.Errorf("root key file %s has mode %04o, so that others than its owner can reach it: run chmod 600 %s", path, mode, path)
	}

	secret := make([]byte, RootKeySize+1) // one more, to see that the file ends
	n, err := io.ReadFull(f, secret)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("reading root key file: %w", err)
	}
	defer clear(secret)
	if n > RootKeySize {
		return nil, fmt.Errorf("root key file %s holds more than %d bytes: it must be the raw key, neither text nor with a line end; restore it from its copy",
			path, RootKeySize)
	}
	root, err := newLocalRoot(secret[:n])
	if err != nil {
		return nil, fmt.Errorf("root key file %s %v: restore it from its copy", path, err)
	}
	return root, nil
}

// FromEnv reads a root key from an environment variable: base64 of 32 bytes,
// either alphabet, padding optional. Every refusal says how to make one, and
// none repeats the value. The environment itself cannot be wiped: a file is
// the better place where there is one.
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
	return root, nil
}
