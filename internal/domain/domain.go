// Package domain defines the types that all other packages share: accounts, device
// keys, credentials, the attempt counter and its policy, operations, audit entries
// and error codes. It imports no other package of Strongroom, so every package can
// use it, and no database row or GraphQL type can get into it.
//
// The rules that decide whether a guess may be made are pure functions here (see
// [AttemptPolicy]), so table tests can compare them with the specification without
// a database, a clock or a network.
//
// The types refer to each other (an Error describes a lock of Attempts, Attempts
// belong to a credential type), so the files do too.
package domain

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"strings"
	"time"
)

// Tenant is the only tenant. It is a column, and the first part of every primary
// key, from the first migration on, so that a later version can host several
// without sealing anything again.
const Tenant = "default"

// Account names whose passcode and PIN a request is about. The three identity
// fields are unique together; ID is a keyed hash of them in the form of
// [NewID], so that nobody can swap the names of two accounts.
type Account struct {
	ID        string
	Mode      Mode
	Issuer    string // empty in device and gateway mode
	Subject   string // the deviceId in device mode
	CreatedAt time.Time

	// Tampered: the name is not the one that the id was made for. It is set only in
	// what operators see, and is not stored.
	Tampered bool
}

var idEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// NewID returns 128 random bits as 26 lower-case base32 characters: the form
// of every keyId and record id. OWASP ASVS 5.0 (11.5.1) asks for
// 128 bits, so that an identifier cannot be guessed and does not repeat.
func NewID() string {
	var b [16]byte
	rand.Read(b[:]) // never fails: crypto/rand ends the process instead
	return FormatID(b)
}

// IsID reports whether text has the form of [NewID].
func IsID(text string) bool {
	return len(text) == 26 && !strings.ContainsFunc(text, func(c rune) bool { return (c < 'a' || c > 'z') && (c < '2' || c > '7') })
}

// NewRequestID returns an id in the form of [NewID] for a request that begins
// now: 48 bits of the time in milliseconds and 80 random ones, as in UUIDv7
// (RFC 9562). So the trail can be searched by it without an index: see
// [RequestTime]. It is shown to clients and is no secret.
func NewRequestID(now time.Time) string {
	var b [16]byte
	rand.Read(b[6:]) // never fails: crypto/rand ends the process instead
	ms := uint64(now.UnixMilli())
	for i := range 6 {
		b[i] = byte(ms >> (40 - 8*i)) //nolint:gosec // the low byte of each
	}
	return FormatID(b)
}

// RequestTime is when the request with this id began, by the clock of its
// instance. An id that [NewRequestID] did not make has a time that means
// nothing.
func RequestTime(id string) (at time.Time, ok bool) {
	b, ok := ParseID(id)
	ms := int64(0)
	for _, one := range b[:6] {
		ms = ms<<8 | int64(one)
	}
	return time.UnixMilli(ms).UTC(), ok
}

// FormatID is 128 bits in the form of [NewID].
func FormatID(b [16]byte) string { return idEncoding.EncodeToString(b[:]) }

// ParseID is the inverse of [FormatID]. It accepts only what FormatID writes.
func ParseID(text string) (b [16]byte, ok bool) {
	raw, err := idEncoding.DecodeString(text)
	if err != nil || len(raw) != len(b) {
		return b, false
	}
	b = [16]byte(raw)
	return b, FormatID(b) == text // otherwise two texts with different last bits or line ends would be one id
}

// Encode joins fields into one byte string from which they can be told apart
// again: each is preceded by its length as a 32-bit big-endian number. Hashes,
// MACs and associated data are computed over this form only; without the
// lengths ("ab","c") and ("a","bc") would be the same bytes, and a value could
// be moved from one field to its neighbour.
func Encode(fields ...[]byte) []byte {
	n := 0
	for _, f := range fields {
		n += 4 + len(f)
	}
	out := make([]byte, 0, n)
	for _, f := range fields {
		out = appendField(out, f)
	}
	return out
}

// appendField adds one more field to what [Encode] made.
func appendField(encoded, f []byte) []byte {
	encoded = binary.BigEndian.AppendUint32(encoded, uint32(len(f))) //nolint:gosec // fields are rows and names, far below 4 GiB
	return append(encoded, f...)
}

// EncodeInt is an integer as a field of [Encode]: eight bytes, big-endian.
func EncodeInt(n int64) []byte {
	return binary.BigEndian.AppendUint64(nil, uint64(n)) //nolint:gosec // two's complement is the encoding
}

// EncodeTime is a time as a field of [Encode]: microseconds since 1970 UTC,
// the precision that the store keeps; the zero time is 0.
func EncodeTime(t time.Time) []byte { return EncodeInt(Micros(t)) }

// TimeSize is the size of [EncodeTime] in bytes.
const TimeSize = 8

// DecodeTime is the inverse of [EncodeTime]. It returns the zero time for anything else.
func DecodeTime(b []byte) time.Time {
	if len(b) != TimeSize {
		return time.Time{}
	}
	return FromMicros(int64(binary.BigEndian.Uint64(b))) //nolint:gosec // as EncodeInt
}

// Micros is t as the store keeps it: microseconds since 1970 UTC. The zero
// time is 0 and means "never" or "not yet".
func Micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// FromMicros is the inverse of [Micros].
func FromMicros(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}
