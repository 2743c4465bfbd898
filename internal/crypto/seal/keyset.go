package seal

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tink-crypto/tink-go/v2/aead"
	"github.com/tink-crypto/tink-go/v2/insecurecleartextkeyset"
	"github.com/tink-crypto/tink-go/v2/keyset"
	"github.com/tink-crypto/tink-go/v2/prf"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// Keyset is the data keys of one database, in memory: a Tink keyset of
// XAES-256-GCM keys that seals, and one of HMAC-SHA-256 keys that makes MACs
// and keyed hashes. The newest ("primary") key of each is used for new values,
// the older ones still open and verify. It is immutable and safe for
// concurrent use.
type Keyset struct {
	sealing *keyset.Handle
	hashing *keyset.Handle

	aead    tink.AEAD           // of sealing
	macs    map[uint32]*hmacKey // of hashing, by key id
	primary uint32              // the id of the newest of them
	hash    *hmacKey            // the first of them, see Hash
}

// NewKeyset makes a keyset with one new random key of each kind.
func NewKeyset() (*Keyset, error) {
	sealing, err := keyset.NewHandle(aead.XAES256GCM192BitNonceKeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("making the sealing key: %v", err)
	}
	hashing, err := keyset.NewHandle(prf.HMACSHA256PRFKeyTemplate())
	if err != nil {
		return nil, fmt.Errorf("making the hashing key: %v", err)
	}
	return newKeyset(sealing, hashing)
}

func newKeyset(sealing, hashing *keyset.Handle) (*Keyset, error) {
	opener, err := aead.New(sealing)
	if err != nil {
		return nil, fmt.Errorf("using the sealing keys: %v", err)
	}
	k := &Keyset{sealing: sealing, hashing: hashing, aead: opener, macs: map[uint32]*hmacKey{}}
	for i := range hashing.Len() {
		entry, err := hashing.Entry(i)
		if err != nil {
			return nil, fmt.Errorf("using the hashing keys: %v", err)
		}
		if entry.KeyStatus() != keyset.Enabled {
			continue
		}
		mac, err := newHMACKey(entry.Key())
		if err != nil {
			return nil, fmt.Errorf("using the hashing keys: %v", err)
		}
		k.macs[entry.KeyID()] = mac
		if entry.IsPrimary() {
			k.primary = entry.KeyID()
		}
		if i == 0 {
			k.hash = mac
		}
	}
	if k.hash == nil {
		return nil, errors.New("using the hashing keys: the first key is disabled, and every stored keyed hash depends on it")
	}
	return k, nil
}

// A wrapped keyset, version 1:
//
//	offset  size  what
//	     0     1  format, 1
//	     1     n  RootKey.Wrap of the two keysets, with keysetPurpose as associated data
//
// and inside the wrapping:
//
//	  0     4  length s of the sealing keyset, big-endian
//	  4     s  sealing keyset, Tink's binary form
//	4+s  rest  hashing keyset, Tink's binary form
//
// The two are one blob so that they can only be replaced together.
const (
	formatKeyset  = 1
	keysetPurpose = "strongroom keyset v1"
)

// Wrap encrypts the keyset under root, for the database.
func (k *Keyset) Wrap(ctx context.Context, root RootKey) ([]byte, error) {
	var plain bytes.Buffer
	plain.Grow(maxKeyset) // so that it never moves and leaves a copy behind
	defer func() { clear(plain.Bytes()) }()

	var length [4]byte
	plain.Write(length[:])
	if err := insecurecleartextkeyset.Write(k.sealing, keyset.NewBinaryWriter(&plain)); err != nil {
		return nil, errors.New("encoding the sealing keys failed")
	}
	binary.BigEndian.PutUint32(plain.Bytes(), uint32(plain.Len()-len(length))) //nolint:gosec // far below 4 GiB
	if err := insecurecleartextkeyset.Write(k.hashing, keyset.NewBinaryWriter(&plain)); err != nil {
		return nil, errors.New("encoding the hashing keys failed")
	}

	wrapped, err := root.Wrap(ctx, plain.Bytes(), []byte(keysetPurpose))
	if err != nil {
		return nil, fmt.Errorf("wrapping the keyset: %w", err)
	}
	return versioned(formatKeyset, wrapped), nil
}

// maxKeyset is room for some two hundred keys of both kinds.
const maxKeyset = 32 << 10

// UnwrapKeyset is the inverse of [Keyset.Wrap]. It fails with [ErrSeal] when
// the blob does not open under root; any other error is the root key
// provider's, or a keyset that this version cannot use.
func UnwrapKeyset(ctx context.Context, root RootKey, wrapped []byte) (*Keyset, error) {
	if len(wrapped) == 0 || wrapped[0] != formatKeyset {
		return nil, ErrSeal
	}
	plain, err := root.Unwrap(ctx, wrapped[1:], []byte(keysetPurpose))
	if err != nil {
		return nil, fmt.Errorf("unwrapping the keyset: %w", err)
	}
	defer clear(plain)
	if len(plain) < 4 || int64(binary.BigEndian.Uint32(plain)) > int64(len(plain)-4) {
		return nil, errors.New("unwrapping the keyset: not a keyset of this version")
	}
	end := 4 + int(binary.BigEndian.Uint32(plain))
	sealing, err := readKeyset(plain[4:end])
	if err != nil {
		return nil, err
	}
	hashing, err := readKeyset(plain[end:])
	if err != nil {
		return nil, err
	}
	return newKeyset(sealing, hashing)
}

func readKeyset(plain []byte) (*keyset.Handle, error) {
	h, err := insecurecleartextkeyset.Read(keyset.NewBinaryReader(bytes.NewReader(plain)))
	if err != nil {
		// Tink's error may say what it found where it looked for a key.
		return nil, errors.New("unwrapping the keyset: not a keyset of this version")
	}
	return h, nil
}
