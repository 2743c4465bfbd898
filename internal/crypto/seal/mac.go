package seal

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"hash"
	"sync"

	"github.com/tink-crypto/tink-go/v2/insecuresecretdataaccess"
	"github.com/tink-crypto/tink-go/v2/key"
	"github.com/tink-crypto/tink-go/v2/prf/hmacprf"
)

// A MAC, version 1:
//
//	offset  size  what
//	     0     1  format, 1
//	     1     4  key id in the keyset, big-endian
//	     5    32  HMAC-SHA-256
//
// The keys are Tink's for its PRF rather than for its MAC because the same keys also
// make keyed hashes of a fixed length without a key id, which a MAC key must
// not be asked for.
//
// With [ShortTrailLabel] the tag is its first 16 bytes, as that of HMAC-SHA-256-128
// (RFC 4868).
const (
	formatMAC    = 1
	tagSize      = 32
	shortTagSize = 16
	macHeader    = 1 + 4
)

// The first byte that goes into the PRF. A hash is shown to people who must
// not learn half of the tag over the same label and data.
const (
	domainMAC  = 'M'
	domainHash = 'H'
)

// MAC authenticates data for the purpose that label names: a MAC made for one
// label verifies for no other. It is 37 bytes long, or 21 with [ShortTrailLabel], and the
// same for the same input until the keyset gets a new key. Safe for concurrent use; a few
// microseconds for a row.
func (k *Keyset) MAC(label string, data []byte) []byte {
	out := make([]byte, macHeader, macHeader+tagSize)
	out[0] = formatMAC
	d := k.now.Load()
	binary.BigEndian.PutUint32(out[1:], d.primary)
	tag := d.macs[d.primary].compute(domainMAC, label, data)
	return append(out, tag[:tagSizeOf(label)]...)
}

func tagSizeOf(label string) int {
	if label == ShortTrailLabel {
		return shortTagSize
	}
	return tagSize
}

// VerifyMAC reports whether mac is [Keyset.MAC] of label and data under any data
// key of the keyset, older ones included. Past keys verify nothing but MACs with
// [TrailLabel] and [ShortTrailLabel]. The comparison takes constant time. Safe for
// concurrent use.
func (k *Keyset) VerifyMAC(label string, data, mac []byte) bool {
	id, err := MACKeyID(mac)
	if err != nil || len(mac) != macHeader+tagSizeOf(label) {
		return false
	}
	d := k.now.Load()
	key, ok := d.macs[id]
	if !ok && (label == TrailLabel || label == ShortTrailLabel) {
		key, ok = d.past[id]
	}
	if !ok {
		return false
	}
	tag := key.compute(domainMAC, label, data)
	return subtle.ConstantTimeCompare(tag[:len(mac)-macHeader], mac[macHeader:]) == 1
}

// Knows reports whether a data key of the keyset made mac, past ones included, by the
// key id that it names.
func (k *Keyset) Knows(mac []byte) bool {
	id, err := MACKeyID(mac)
	d := k.now.Load()
	return err == nil && (d.macs[id] != nil || d.past[id] != nil)
}

// Past reports whether the HMAC key of a destroyed data key made mac, by the key id
// that it names.
func (k *Keyset) Past(mac []byte) bool {
	id, err := MACKeyID(mac)
	_, past := k.now.Load().past[id]
	return err == nil && past
}

// TrailLabel and ShortTrailLabel are the labels of the hashes of the audit trail, which
// alone are verified with past keys too. Because there are two, nobody can cut a hash and
// have it verify.
const (
	TrailLabel      = "audit entry v1"
	ShortTrailLabel = "short audit entry v1"
)

// MACKeyID says which key of the keyset made a MAC. The id is not authenticated
// until the MAC verifies. It fails with [ErrSeal].
func MACKeyID(mac []byte) (uint32, error) {
	if len(mac) != macHeader+tagSize && len(mac) != macHeader+shortTagSize || mac[0] != formatMAC {
		return 0, ErrSeal
	}
	return binary.BigEndian.Uint32(mac[1:]), nil
}

// Hash is a keyed hash of data for the purpose that label names: a pseudonym
// or a lookup key that tells nothing to anyone without the keyset, even if
// data could be guessed. 128 bits keep two of 2^48 values apart with a chance
// of error below 2^-32. Safe for concurrent use.
//
// It never changes: always the first key of the keyset makes it, whichever is
// the primary one, and also if it is a past one. So no name has to be stored
// again when data keys are rotated. A caller must not rely on that key being
// secret for anything but the privacy of names.
func (k *Keyset) Hash(label string, data []byte) [16]byte {
	tag := k.now.Load().hash.compute(domainHash, label, data)
	return [16]byte(tag[:16])
}

// hmacKey is one HMAC-SHA-256 key, as states that have taken it in already.
// Tink takes it in anew each time, which is half of the work for an input of a
// hundred bytes, and all of the garbage. Safe for concurrent use.
type hmacKey struct {
	states sync.Pool // of *hmacState
}

type hmacState struct {
	hash.Hash
	scratch []byte // what Write and Sum take would be garbage otherwise
}

func newHMACKey(k key.Key) (*hmacKey, error) {
	secret, ok := k.(*hmacprf.Key)
	if !ok || secret.Parameters().(*hmacprf.Parameters).HashType() != hmacprf.SHA256 {
		return nil, errors.New("one is not for HMAC-SHA-256")
	}
	raw := secret.KeyBytes().Data(insecuresecretdataaccess.Token{})
	return &hmacKey{sync.Pool{New: func() any { return &hmacState{Hash: hmac.New(sha256.New, raw)} }}}, nil
}

// compute is HMAC-SHA-256 over domain, label length, label, data: the length
// keeps a label from reaching into the data.
func (k *hmacKey) compute(domain byte, label string, data []byte) [tagSize]byte {
	h := k.states.Get().(*hmacState)
	defer k.states.Put(h)
	h.Reset()
	h.scratch = append(h.scratch[:0], domain)
	h.scratch = binary.BigEndian.AppendUint32(h.scratch, uint32(len(label))) //nolint:gosec // labels are constants
	h.scratch = append(h.scratch, label...)
	_, _ = h.Write(h.scratch) // never fails
	_, _ = h.Write(data)
	h.scratch = h.Sum(h.scratch[:0])
	return [tagSize]byte(h.scratch)
}
