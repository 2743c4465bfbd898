package seal

import (
	"context"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
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
	aead *xaes
}

var _ RootKey = (*localRoot)(nil)

// NewLocalRoot returns the root key whose [RootKeySize] bytes are in secret, and
// wipes secret. Its errors follow the name of the place where the bytes were found.
func NewLocalRoot(secret []byte) (RootKey, error) {
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
