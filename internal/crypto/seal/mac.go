package seal

import (
	"crypto/subtle"
	"encoding/binary"

	"github.com/tink-crypto/tink-go/v2/prf"
)

// A MAC, version 1:
//
//	offset  size  what
//	     0     1  format, 1
//	     1     4  key id in the keyset, big-endian
//	     5    32  HMAC-SHA-256
//
// The PRF key set is used rather than Tink's MAC because the same keys also
// make keyed hashes of a fixed length without a key id, which a MAC key must
// not be asked for.
const (
	formatMAC = 1
	tagSize   = 32
	macHeader = 1 + 4
)

// The first byte that goes into the PRF. A hash is shown to people who must
// not learn half of the tag over the same label and data.
const (
	domainMAC  = 'M'
	domainHash = 'H'
)

// MAC authenticates data for the purpose that label names: a MAC made for one
// label verifies for no other. It is 37 bytes long and the same for the same
// input until the keyset gets a new key. Safe for concurrent use; a few
// microseconds for a row.
func (k *Keyset) MAC(label string, data []byte) []byte {
	out := make([]byte, macHeader, macHeader+tagSize)
	out[0] = formatMAC
	binary.BigEndian.PutUint32(out[1:], k.prfs.PrimaryID)
	return append(out, compute(k.prfs.PRFs[k.prfs.PrimaryID], prfInput(domainMAC, label, data), tagSize)...)
}

// VerifyMAC reports whether mac is [Keyset.MAC] of label and data under any
// key of the keyset, older ones included. The comparison takes constant time.
// Safe for concurrent use.
func (k *Keyset) VerifyMAC(label string, data, mac []byte) bool {
	if len(mac) != macHeader+tagSize || mac[0] != formatMAC {
		return false
	}
	p, ok := k.prfs.PRFs[binary.BigEndian.Uint32(mac[1:])]
	if !ok {
		return false
	}
	tag := compute(p, prfInput(domainMAC, label, data), tagSize)
	return subtle.ConstantTimeCompare(tag, mac[macHeader:]) == 1
}

// Hash is a keyed hash of data for the purpose that label names: a pseudonym
// or a lookup key that tells nothing to whoever lacks the keyset, even where
// data could be guessed. 128 bits keep two of 2^48 values apart with a chance
// of error below 2^-32. Safe for concurrent use.
//
// It never changes: always the first key of the keyset makes it, whichever is
// the newest. A rotation therefore adds keys behind the first one and neither
// disables nor removes it; a keyset whose first key is disabled is refused.
func (k *Keyset) Hash(label string, data []byte) [16]byte {
	return [16]byte(compute(k.hash, prfInput(domainHash, label, data), 16))
}

// prfInput is domain, label length, label, data: the length keeps a label from
// reaching into the data.
func prfInput(domain byte, label string, data []byte) []byte {
	in := make([]byte, 0, 1+4+len(label)+len(data))
	in = append(in, domain)
	in = binary.BigEndian.AppendUint32(in, uint32(len(label))) //nolint:gosec // labels are constants
	in = append(in, label...)
	return append(in, data...)
}

func compute(p prf.PRF, input []byte, size uint32) []byte {
	out, err := p.ComputePRF(input, size)
	if err != nil {
		// HMAC-SHA-256 refuses only an output longer than 32 bytes. A MAC left
		// out in silence would be worse than a stop.
		panic("seal: PRF refused its output size")
	}
	return out
}
