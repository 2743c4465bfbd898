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
// The keys are Tink PRF keys and not MAC keys, because they also make keyed hashes of a
// fixed length without a key id. A MAC key must not be used for that.
//
// With [ShortTrailLabel] only the first 16 bytes of the tag are stored, as in
// HMAC-SHA-256-128 (RFC 4868).
const (
	formatMAC    = 1
	tagSize      = 32
	shortTagSize = 16
	macHeader    = 1 + 4
)

// The first byte of the PRF's input. People see hashes. Without this byte, a hash would
// be half of the tag over the same label and data.
const (
	domainMAC  = 'M'
	domainHash = 'H'
)

// MAC authenticates data for the purpose that label names: a MAC for one label does not
// verify for another. It is 37 bytes long, or 21 with [ShortTrailLabel]. It is the same
// for the same input until the keyset has a new primary key. It takes a few microseconds
// for a row, and is safe for concurrent use.
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

// VerifyMAC reports whether mac is [Keyset.MAC] of label and data under any data key of
// the keyset, also an older one. Past keys verify only MACs with [TrailLabel] and
// [ShortTrailLabel]. The comparison takes constant time. VerifyMAC is safe for concurrent
// use.
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

// Knows reports whether the key id in mac is that of a data key of the keyset, also of a
// past one. It does not verify mac.
func (k *Keyset) Knows(mac []byte) bool {
	id, err := MACKeyID(mac)
	d := k.now.Load()
	return err == nil && (d.macs[id] != nil || d.past[id] != nil)
}

// Past reports whether the key id in mac is that of a destroyed data key. It does not
// verify mac.
func (k *Keyset) Past(mac []byte) bool {
	id, err := MACKeyID(mac)
	_, past := k.now.Load().past[id]
	return err == nil && past
}

// TrailLabel and ShortTrailLabel are the labels of the hashes of the audit trail. Only
// these hashes are verified with past keys too. Because the labels differ, a truncated
// long hash does not verify as a short one.
const (
	TrailLabel      = "audit entry v1"
	ShortTrailLabel = "short audit entry v1"
)

// MACKeyID returns the id of the key that made a MAC. The id is not authenticated until
// the MAC verifies. If mac has no valid form, MACKeyID fails with [ErrSeal].
func MACKeyID(mac []byte) (uint32, error) {
	if len(mac) != macHeader+tagSize && len(mac) != macHeader+shortTagSize || mac[0] != formatMAC {
		return 0, ErrSeal
	}
	return binary.BigEndian.Uint32(mac[1:]), nil
}

// Hash returns a keyed hash of data for the purpose that label names: a pseudonym or
// lookup key. Without the keyset it reveals nothing, even if data could be guessed. With
// 128 bits, the probability that any two of 2^48 values collide is below 2^-32. Hash is
// safe for concurrent use.
//
// The hash never changes: it always uses the first key of the keyset, even if that is a
// past key. So names need not be stored again when data keys are rotated. Callers must
// rely on the secrecy of that key only for the privacy of names.
func (k *Keyset) Hash(label string, data []byte) [16]byte {
	tag := k.now.Load().hash.compute(domainHash, label, data)
	return [16]byte(tag[:16])
}

// hmacKey is one HMAC-SHA-256 key, as a pool of hash states that have already absorbed
// it. Tink absorbs the key for each MAC, which is half of the work for an input of
// 100 bytes, and all of the garbage. It is safe for concurrent use.
type hmacKey struct {
	states sync.Pool // of *hmacState
}

type hmacState struct {
	hash.Hash
	scratch []byte // reused for the arguments of Write and Sum
}

func newHMACKey(k key.Key) (*hmacKey, error) {
	secret, ok := k.(*hmacprf.Key)
	if !ok || secret.Parameters().(*hmacprf.Parameters).HashType() != hmacprf.SHA256 {
		return nil, errors.New("one is not for HMAC-SHA-256")
	}
	raw := secret.KeyBytes().Data(insecuresecretdataaccess.Token{})
	return &hmacKey{sync.Pool{New: func() any { return &hmacState{Hash: hmac.New(sha256.New, raw)} }}}, nil
}

// compute returns HMAC-SHA-256 over domain, label length, label, data. The length
// separates the label from the data.
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
