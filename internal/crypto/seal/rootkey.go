package seal

import (
	"context"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
)

// RootKey wraps the keyset of a database. It is kept outside of that database: in
// a file, in the environment, or in a key management service, which may be slow or
// down, hence the contexts. It must be safe for concurrent use.
type RootKey interface {
	// ID is a public fingerprint that identifies the root key. It may be stored
	// and logged, and reveals nothing about the key.
	ID() string
	// Wrap encrypts plaintext and binds it to associatedData.
	Wrap(ctx context.Context, plaintext, associatedData []byte) ([]byte, error)
	// Unwrap decrypts what Wrap returned for the same associatedData. If the bytes
	// do not open under this key, the error matches [ErrSeal]. If Unwrap cannot
	// find out, for example because a service is down, it returns another error, so
	// that operators are not told that the key is wrong.
	Unwrap(ctx context.Context, wrapped, associatedData []byte) ([]byte, error)
}

// RootKeySize is the size of a local root key in bytes: 256 random bits.
const RootKeySize = 32

// Labels of HKDF-SHA-256 (RFC 5869, info). A local root key is used only to derive
// other keys, so that its fingerprint reveals nothing about the wrapping key.
const (
	labelWrapping    = "strongroom root key v1: wrapping"
	labelFingerprint = "strongroom root key v1: fingerprint"
)

// localRoot is a root key whose bytes are in this process. Its nonces are 192 random
// bits, as for sealed values. A root key wraps rarely, but it is used for years and
// in several copies, which could not share a counter.
type localRoot struct {
	id   string
	aead *xaes
}

var _ RootKey = (*localRoot)(nil)

// NewLocalRoot returns the root key whose [RootKeySize] bytes are in secret, and wipes
// secret. Its errors complete a sentence that begins with the place of the bytes.
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
