// Package verifier turns passcodes and PINs into verifiers, and compares secrets with
// them: Argon2id (RFC 9106), or PBKDF2-HMAC-SHA-256 (RFC 8018) if only NIST-approved
// algorithms are allowed.
//
// The idea: a verifier cannot be turned back into the secret, and each guess costs
// memory and time that are expensive on a graphics card too (with PBKDF2, only time).
// Algorithm, cost and salt are stored with the tag, so they can be changed, and old
// verifiers still compare.
//
// The threat: someone who has the verifiers and guesses. A million guesses find any
// 6-digit PIN, in a few core-hours at the default cost. So callers seal verifiers
// (package seal) before they store them, and this package is the second line of
// defense. Someone who can write verifiers must not be able to make one comparison
// use all memory, so costs are bounded. And for an account without a verifier, an
// attempt must take as long as for one with a verifier: see [Dummy].
//
// Each function that hashes gets the memory for it, an [argon2.Matrix], which must not
// be used by two goroutines at once. PBKDF2 does not use it. Apart from that, all
// functions are safe for concurrent use.
//
// Copies of the secret that package pbkdf2 leaves on the heap cannot be wiped.
package verifier

import (
	"bytes"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"strongroom/internal/crypto/argon2"
)

// ErrFormat is the only error for bytes that are not a verifier: an unknown format,
// a wrong length, or a cost out of bounds.
var ErrFormat = errors.New("not a verifier in a known format")

// Params is the algorithm and the cost of one comparison: Argon2id, unless
// Iterations is set.
type Params struct {
	Memory      uint32 // KiB, the m of RFC 9106
	Time        uint32 // passes over the memory, the t of RFC 9106
	Parallelism uint8  // lanes, the p of RFC 9106

	Iterations uint32 // of PBKDF2-HMAC-SHA-256; then the other fields must be 0
}

// DefaultParams is the second choice of the OWASP Password Storage Cheat Sheet: 19 MiB,
// 2 passes, 1 lane. In 2026 it takes about 4 ms of one core with AVX-512, and 25 ms in
// plain Go. It must not be changed.
var DefaultParams = Params{Memory: 19456, Time: 2, Parallelism: 1}

// DefaultPBKDF2 is the recommendation of the OWASP Password Storage Cheat Sheet if FIPS
// 140 is required. In 2026 it takes about 90 ms of one core with SHA instructions. It
// must not be changed.
var DefaultPBKDF2 = Params{Iterations: 600_000}

// The names of the algorithms in settings and metrics.
const (
	Argon2id = "argon2id"
	PBKDF2   = "pbkdf2"
)

// Algorithm returns the name of the algorithm.
func (p Params) Algorithm() string {
	if p.Iterations > 0 {
		return PBKDF2
	}
	return Argon2id
}

// Bounds of the cost. The lower bounds are those of the algorithms, for tests. The upper
// bounds keep one comparison below 1 GiB and a few seconds, whatever someone wrote into a
// verifier.
const (
	maxMemory      = 1 << 20 // KiB
	maxTime        = 16
	maxParallelism = 16
	memoryPerLane  = 8 // KiB, RFC 9106, 3.1

	maxIterations = 10_000_000
)

// Validate fails if a cost is out of bounds. The error says which one.
func (p Params) Validate() error {
	switch {
	case p.Iterations > 0 && p != Params{Iterations: p.Iterations}:
		return errors.New("a verifier is either Argon2id or PBKDF2")
	case p.Iterations > maxIterations:
		return fmt.Errorf("PBKDF2 iterations must be 1 to %d", maxIterations)
	case p.Iterations > 0:
		return nil
	case p.Parallelism < 1 || p.Parallelism > maxParallelism:
		return fmt.Errorf("argon2id parallelism must be 1 to %d", maxParallelism)
	case p.Time < 1 || p.Time > maxTime:
		return fmt.Errorf("argon2id time must be 1 to %d passes", maxTime)
	case p.Memory < memoryPerLane*uint32(p.Parallelism) || p.Memory > maxMemory:
		return fmt.Errorf("argon2id memory must be %d KiB for each lane to %d KiB", memoryPerLane, maxMemory)
	}
	return nil
}

// A verifier, numbers big-endian:
//
//	offset  size  Argon2id version 0x13  PBKDF2-HMAC-SHA-256
//	     0     1  format, 1              format, 2
//	     1     4  memory in KiB          iterations
//	     5     4  time in passes         0
//	     9     1  parallelism            0
//	    10    16  salt, random           the same
//	    26    32  tag                    the same
//
// Both have the same length, so that a sealed verifier does not reveal its algorithm.
// Salt and tag have the sizes that RFC 9106, 4, recommends: 128 random bits make every
// salt unique, and a tag of 256 bits does not match by chance.
const (
	formatArgon2id = 1
	formatPBKDF2   = 2
	saltOffset     = 1 + 4 + 4 + 1
	saltSize       = 16
	tagOffset      = saltOffset + saltSize
	tagSize        = 32
	size           = tagOffset + tagSize
)

// New returns a new verifier of a secret at cost p, with a random salt. It fails if p
// is out of bounds. The secret may have any length. The caller checks its policy, and
// wipes it.
func New(m *argon2.Matrix, secret []byte, p Params) ([]byte, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	encoded := encode(p)
	rand.Read(encoded[saltOffset:tagOffset]) // never fails: crypto/rand ends the process instead
	tag := hash(m, secret, encoded[saltOffset:tagOffset], p)
	defer clear(tag)
	copy(encoded[tagOffset:], tag)
	return encoded, nil
}

// Compare reports whether encoded is a verifier of secret, at the cost that encoded
// names. It compares the tags in constant time. If encoded is not a verifier, it fails
// with [ErrFormat] and does not hash.
func Compare(m *argon2.Matrix, encoded, secret []byte) (bool, error) {
	p, err := decode(encoded)
	if err != nil {
		return false, err
	}
	tag := hash(m, secret, encoded[saltOffset:tagOffset], p)
	defer clear(tag)
	return subtle.ConstantTimeCompare(tag, encoded[tagOffset:]) == 1, nil
}

// Again returns a verifier of secret with the salt and the cost of encoded. The
// verifiers of one account's successive secrets may share a salt, so that one hash
// compares a new secret with all of them: see [SameSalt]. If encoded is not a
// verifier, it fails with [ErrFormat] and does not hash.
//
// The salts of different users must differ, so that one hash is a guess for one user
// only (NIST SP 800-63B, 3.1.1.2). If successive secrets of one user share a salt, an
// attacker who also broke the seal finds the first of them with fewer hashes. But only
// the current secret is of use.
func Again(m *argon2.Matrix, encoded, secret []byte) ([]byte, error) {
	p, err := decode(encoded)
	if err != nil {
		return nil, err
	}
	again := make([]byte, size)
	copy(again, encoded[:tagOffset])
	tag := hash(m, secret, encoded[saltOffset:tagOffset], p)
	defer clear(tag)
	copy(again[tagOffset:], tag)
	return again, nil
}

// SameSalt reports whether two verifiers have the same algorithm, salt and cost. Then
// the result of [Again] with one of them can be compared with the other by [Equal].
func SameSalt(a, b []byte) bool {
	return len(a) == size && len(b) == size && bytes.Equal(a[:tagOffset], b[:tagOffset])
}

// Equal reports in constant time whether two verifiers are the same.
func Equal(a, b []byte) bool { return subtle.ConstantTimeCompare(a, b) == 1 }

// Dummy does the work of [Compare] at cost p and always returns false. Use it for an
// account without a verifier, so that timing does not reveal that there is none. It
// compares the secret with a verifier of zeros by the same code. It fails with
// [ErrFormat] if p is out of bounds.
func Dummy(m *argon2.Matrix, secret []byte, p Params) (bool, error) {
	_, err := Compare(m, encode(p), secret)
	return false, err
}

// Outdated reports whether encoded has another algorithm than p, or a lower cost. Then
// it should be replaced after the next successful comparison. A verifier with a higher
// cost is not outdated, and parallelism does not count as a cost. Bytes that are not a
// verifier are not outdated: [Compare] refuses them.
func Outdated(encoded []byte, p Params) bool {
	was, err := decode(encoded)
	return err == nil && (was.Algorithm() != p.Algorithm() || was.Memory < p.Memory || was.Time < p.Time || was.Iterations < p.Iterations)
}

// ParamsOf returns the algorithm and the cost of a verifier. If encoded is not a
// verifier, it fails with [ErrFormat].
func ParamsOf(encoded []byte) (Params, error) { return decode(encoded) }

// encode returns a verifier of cost p with a salt and tag of zeros.
func encode(p Params) []byte {
	b := make([]byte, size)
	if p.Iterations > 0 {
		b[0] = formatPBKDF2
		binary.BigEndian.PutUint32(b[1:], p.Iterations)
		return b
	}
	b[0] = formatArgon2id
	binary.BigEndian.PutUint32(b[1:], p.Memory)
	binary.BigEndian.PutUint32(b[5:], p.Time)
	b[9] = p.Parallelism
	return b
}

func decode(encoded []byte) (p Params, err error) {
	if len(encoded) != size {
		return p, ErrFormat
	}
	first, second, third := binary.BigEndian.Uint32(encoded[1:]), binary.BigEndian.Uint32(encoded[5:]), encoded[9]
	switch {
	case encoded[0] == formatArgon2id:
		p = Params{Memory: first, Time: second, Parallelism: third}
	case encoded[0] == formatPBKDF2 && first > 0 && second == 0 && third == 0:
		p = Params{Iterations: first}
	}
	if p.Validate() != nil {
		return Params{}, ErrFormat
	}
	return p, nil
}

// hash returns the tag of a secret. p is valid. With PBKDF2, secrets of up to 64 bytes that
// differ only in zero bytes at the end have the same tag, because HMAC pads its key with
// zeros (RFC 2104, 2). That does not help an attacker.
func hash(m *argon2.Matrix, secret, salt []byte, p Params) []byte {
	if p.Iterations == 0 {
		return m.IDKey(secret, salt, p.Time, p.Memory, p.Parallelism, tagSize)
	}
	// The secret as a string without a copy that could not be wiped.
	text := unsafe.String(unsafe.SliceData(secret), len(secret)) //nolint:gosec // it is not changed during the call
	tag, err := pbkdf2.Key(sha256.New, text, salt, int(p.Iterations), tagSize)
	if err != nil {
		panic("verifier: " + err.Error()) // unreachable: the sizes of salt and tag are valid
	}
	return tag
}
