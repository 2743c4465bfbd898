// Package seal keeps secrets at rest. It is the envelope of everything that
// must not be read from, or changed in, the database: private keys, verifiers,
// and the rows that a MAC protects.
//
// The idea: root keys outside the database wrap one keyset inside it, and any one of
// them opens it, once at each start. The keyset does all further work: an AEAD key
// set seals values, a PRF key set authenticates rows and makes keyed hashes. Key ids
// travel with what they sealed, so a keyset can get new keys while old values still
// open.
//
// The threat: somebody who reads the database, its backups or its log files
// learns nothing, and somebody who also writes to them can neither exchange
// one sealed value for another nor make up a row. That holds because every
// value is bound to its place by associated data, which the caller supplies in
// one canonical form. What it cannot see is a whole row put back to an older
// state. It does not defend against anyone who also has the root key, and the keys
// stay in the memory of the process: Tink cannot wipe them.
//
// Bytes in, bytes out: nothing here knows what it seals.
//
// A Keyset is read in keyset.go, and its methods are in the files of what they do, so
// the files refer to each other.
package seal

import (
	"encoding/binary"
	"errors"
)

// ErrSeal is the one error of everything that does not open: another key,
// other associated data, a changed or truncated blob, an unknown format. Which
// of them it was is not told, as nobody could act on the difference safely.
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
// Everything from offset 1 on is in Tink's form. The format byte is also the first
// byte of the associated data, so that a later format cannot be taken for
// this one.
//
// The nonce has 192 random bits, of which the first half derives a key for
// this one message (https://c2sp.org/XAES-256-GCM). Plain AES-GCM has 96: its
// bound of 2^32 messages for each key is near enough for a busy service to
// have to count, and a counter in the database rewinds with every restored
// backup. Here 2^80 messages stay below a collision chance of 2^-32.
const (
	formatSealed = 1
	tinkPrefix   = 1
	sealedHeader = 1 + 1 + 4
	minSealed    = sealedHeader + 24 + 16
)

// Seal encrypts plaintext under the keyset's primary key and binds it to
// associatedData, which must name the one place where the value belongs, in a
// form that no other place shares. The result is 46 bytes longer than
// plaintext. Safe for concurrent use.
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

// Open decrypts what [Keyset.Seal] made, under whichever key of the keyset it
// names, if associatedData is the same. Every failure is [ErrSeal]. The caller
// wipes the plaintext. Safe for concurrent use.
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

// KeyID says which key of the keyset a value is sealed under, without opening
// it: tooling finds what to seal again before a key is retired. The id is not
// authenticated until the value opens. It fails with [ErrSeal].
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
