package seal

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
)

// Wrap is the keyset under one root key. The root key wraps a random key that is used
// only once, to seal the keyset. So a provider that can encrypt only a few bytes, such as
// RSA-OAEP in an HSM, can wrap a keyset of any size, and no provider sees the data keys.
type Wrap struct {
	RootKey string    `json:"rootKey"` // RootKey.ID
	URL     string    `json:"url"`     // of the root key, as the operator named it; it contains no secret
	AddedAt time.Time `json:"addedAt"`
	Key     []byte    `json:"key"`    // RootKey.Wrap of the random key, with wrapPurpose as associated data
	Keyset  []byte    `json:"keyset"` // XAES-256-GCM of the keyset under it, with the same associated data
}

// wrapPurpose binds a wrapped key to its use.
const wrapPurpose = "strongroom keyset v2"

// WrapFor wraps the keyset under a root key, with one call of its provider.
func (k *Keyset) WrapFor(ctx context.Context, root RootKey, url string, now time.Time) (Wrap, error) {
	w := Wrap{RootKey: root.ID(), URL: url, AddedAt: now.UTC()}
	plain, err := k.encode()
	if err != nil {
		return w, err
	}
	defer clear(plain)
	err = OutsideHeap(RootKeySize, func(once []byte) error {
		rand.Read(once) // never fails
		a, err := newXAES(once)
		if err != nil {
			return fmt.Errorf("wrapping the keyset: %v", err)
		}
		if w.Keyset, err = a.Encrypt(plain, []byte(wrapPurpose)); err != nil {
			return errors.New("wrapping the keyset failed")
		}
		if w.Key, err = root.Wrap(ctx, once, []byte(wrapPurpose)); err != nil {
			return fmt.Errorf("wrapping the keyset: %w", err)
		}
		return nil
	})
	return w, err
}

// Open opens the keyset with the root key that wrapped it, with one call of its provider.
// If another root key wrapped it, or if it was changed, the error matches [ErrSeal].
// Otherwise it is the provider's error.
func (w Wrap) Open(ctx context.Context, root RootKey) (*Keyset, error) {
	once, err := root.Unwrap(ctx, w.Key, []byte(wrapPurpose))
	if err != nil {
		return nil, fmt.Errorf("unwrapping the keyset: %w", err)
	}
	defer clear(once)
	if len(once) != RootKeySize {
		return nil, ErrSeal
	}
	a, err := newXAES(once)
	if err != nil {
		return nil, ErrSeal
	}
	plain, err := a.Decrypt(w.Keyset, []byte(wrapPurpose))
	if err != nil {
		return nil, ErrSeal
	}
	defer clear(plain)
	return decodeKeyset(plain)
}

// Before version 0.8 one root key wrapped the keyset itself:
//
//	offset  size  what
//	     0     1  format, 1
//	     1     n  RootKey.Wrap of the keyset, with keysetPurpose as associated data
const (
	formatKeyset  = 1
	keysetPurpose = "strongroom keyset v1"
)

// unwrapFirst opens a keyset that a version before 0.8 wrapped. It fails like
// [Wrap.Open].
func unwrapFirst(ctx context.Context, root RootKey, wrapped []byte) (*Keyset, error) {
	if len(wrapped) == 0 || wrapped[0] != formatKeyset {
		return nil, ErrSeal
	}
	plain, err := root.Unwrap(ctx, wrapped[1:], []byte(keysetPurpose))
	if err != nil {
		return nil, fmt.Errorf("unwrapping the keyset: %w", err)
	}
	defer clear(plain)
	return decodeKeyset(plain)
}

// maxKeyset is enough for about 200 keys of both kinds, in bytes.
const maxKeyset = 32 << 10

// encode returns the keyset in plaintext. The caller wipes it.
//
//	offset  size  what
//	     0     4  length s of the sealing keyset, big-endian
//	     4     s  sealing keyset, Tink's binary form
//	   4+s  rest  hashing keyset, Tink's binary form
func (k *Keyset) encode() ([]byte, error) {
	d := k.now.Load()
	var plain bytes.Buffer
	plain.Grow(maxKeyset) // so that it never moves and leaves a copy behind
	var length [4]byte
	plain.Write(length[:])
	if err := insecurecleartextkeyset.Write(d.sealing, keyset.NewBinaryWriter(&plain)); err != nil {
		return nil, errors.New("encoding the sealing keys failed")
	}
	binary.BigEndian.PutUint32(plain.Bytes(), uint32(plain.Len()-len(length))) //nolint:gosec // far below 4 GiB
	if err := insecurecleartextkeyset.Write(d.hashing, keyset.NewBinaryWriter(&plain)); err != nil {
		return nil, errors.New("encoding the hashing keys failed")
	}
	return plain.Bytes(), nil
}

var errNoKeyset = errors.New("unwrapping the keyset: not a keyset of this version")

func decodeKeyset(plain []byte) (*Keyset, error) {
	if len(plain) < 4 || int64(binary.BigEndian.Uint32(plain)) > int64(len(plain)-4) {
		return nil, errNoKeyset
	}
	end := 4 + int(binary.BigEndian.Uint32(plain))
	// Tink's errors are dropped: they may contain what was found in place of a key.
	sealing, err1 := insecurecleartextkeyset.Read(keyset.NewBinaryReader(bytes.NewReader(plain[4:end])))
	hashing, err2 := insecurecleartextkeyset.Read(keyset.NewBinaryReader(bytes.NewReader(plain[end:])))
	if err1 != nil || err2 != nil {
		return nil, errNoKeyset
	}
	return newKeyset(sealing, hashing)
}
