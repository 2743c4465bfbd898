// Package seal protects secrets at rest: everything that must not be read or changed
// in the database, which are private keys, verifiers, and rows with a MAC.
//
// The idea: root keys outside the database wrap one keyset inside it, and any one of
// them opens it, once at each start. The keyset does all other work: AEAD keys seal
// values, and PRF keys authenticate rows and make keyed hashes. Each sealed value
// contains the id of its key, so a keyset can get new keys, and old values still
// open.
//
// The threat: someone who can read the database, its backups or its log files learns
// no secrets. Someone who can also write to them can neither exchange one sealed
// value for another nor forge a row, because associated data binds every value to
// its place. The caller supplies the associated data in one canonical form. This
// package cannot detect that a whole row was replaced by an older version of it. It
// does not protect against anyone who also has the root key. The keys stay in the
// memory of the process, because Tink cannot wipe them.
//
// This package does not know what it seals: it only handles bytes.
//
// A Keyset is read in keyset.go, and its methods are in files by subject, so the files
// refer to each other.
package seal

import (
	"encoding/binary"
	"errors"
)

// ErrSeal is the only error for a value that does not open: another key, other
// associated data, changed or truncated bytes, or an unknown format. It does not say
// which, because no caller could act on the difference safely.
var ErrSeal = errors.New("sealed value does not decrypt")

// A sealed value, version 1:
//
//	offset  size  what
//	     0     1  format, 1
//	     1     1  Tink's prefix, 1
//	     2     4  key id in the keyset, big-endian
//	     6    24  nonce of XAES-256-GCM, random
//	    30     n  ciphertext, as long as the plaintext
//	  30+n    16  GCM tag
//
// From offset 1 on it is Tink's format. The format byte is also the first byte of the
// associated data, so that a value of a later format cannot be opened as this one.
//
// The nonce has 192 random bits. The first half derives a key for this one message
// (https://c2sp.org/XAES-256-GCM). Plain AES-GCM has 96 bits, and is limited to 2^32
// messages per key. A busy service would have to count them, and a counter in the
// database goes back with every restored backup. Here the probability of a collision
// stays below 2^-32 for 2^80 messages.
const (
	formatSealed = 1
	tinkPrefix   = 1
	sealedHeader = 1 + 1 + 4
	minSealed    = sealedHeader + 24 + 16
)

// Seal encrypts plaintext under the keyset's primary key and binds it to
// associatedData, which must uniquely name the place where the value is stored. The
// result is 46 bytes longer than plaintext. Seal is safe for concurrent use.
func (k *Keyset) Seal(plaintext, associatedData []byte) ([]byte, error) {
	d := k.now.Load()
	out := make([]byte, 0, minSealed+len(plaintext))
	out = append(out, formatSealed, tinkPrefix)
	out = binary.BigEndian.AppendUint32(out, d.sealer)
	out, err := d.aeads[d.sealer].seal(out, plaintext, versioned(formatSealed, associatedData))
	if err != nil {
		return nil, errors.New("sealing failed") // never, with keys of this package
	}
	return out, nil
}

// Open decrypts a value from [Keyset.Seal] under any key of the keyset, if
// associatedData is the same. Every failure is [ErrSeal]. The caller wipes the
// plaintext. Open is safe for concurrent use.
func (k *Keyset) Open(sealed, associatedData []byte) ([]byte, error) {
	id, err := KeyID(sealed)
	if err != nil {
		return nil, ErrSeal
	}
	under, ok := k.now.Load().aeads[id]
	if !ok {
		return nil, ErrSeal
	}
	plaintext, err := under.Decrypt(sealed[sealedHeader:], versioned(formatSealed, associatedData))
	if err != nil {
		return nil, ErrSeal
	}
	return plaintext, nil
}

// KeyID returns the id of the key that a value is sealed under, without opening it, to
// find what must be sealed again before a key is destroyed. The id is not
// authenticated until the value opens. If the value has no valid form, KeyID fails with
// [ErrSeal].
func KeyID(sealed []byte) (uint32, error) {
	if len(sealed) < minSealed || sealed[0] != formatSealed || sealed[1] != tinkPrefix {
		return 0, ErrSeal
	}
	return binary.BigEndian.Uint32(sealed[2:sealedHeader]), nil
}

// versioned puts a format byte before b.
func versioned(format byte, b []byte) []byte {
	out := make([]byte, 0, 1+len(b))
	return append(append(out, format), b...)
}
