// Package verifier turns passcodes and PINs into verifiers and compares later ones
// against them: Argon2id (RFC 9106), or PBKDF2-HMAC-SHA-256 (RFC 8018) where only
// algorithms that NIST approved are allowed.
//
// The idea: what is stored cannot be turned back into the secret, and checking
// one guess costs memory and time that a graphics card cannot cheaply give (with
// PBKDF2, time only). Algorithm, cost and salt stand beside the tag, so that they
// can be changed while old verifiers still compare.
//
// The threat: somebody who has the verifiers and guesses. A six-digit PIN
// falls to a million guesses, some core-hours at the default cost, so callers
// seal verifiers (package seal) before they store them; this package is what
// is left when the seal is broken too. Somebody who may write verifiers must
// not be able to make one comparison take all memory: costs are bounded. And
// an account without a verifier must take as long as one that has it, for
// which there is [Dummy].
//
// Bytes in, bytes out. What hashes takes the memory to do it in, an
// [argon2.Matrix], of which each thread of work has its own; PBKDF2 does not use
// it. Apart from that all functions are safe for concurrent use.
//
// What cannot be wiped: copies of the secret that package pbkdf2 leaves on the heap.
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

// ErrFormat is the one error of bytes that are not a verifier: an unknown
// format, another length, or a cost out of bounds.
var ErrFormat = errors.New("not a verifier in a known format")

// Params is the algorithm and the cost of one comparison: Argon2id, unless
// Iterations is set.
type Params struct {
	Memory      uint32 // KiB, the m of RFC 9106
	Time        uint32 // passes over the memory, the t of RFC 9106
	Parallelism uint8  // lanes, the p of RFC 9106

	Iterations uint32 // of PBKDF2-HMAC-SHA-256, with which the others are 0
}

// DefaultParams is the OWASP Password Storage Cheat Sheet's second choice:
// 19 MiB, two passes, one lane. In 2026 about 4 ms of one core with AVX-512,
// and 25 in plain Go. It must not be changed.
var DefaultParams = Params{Memory: 19456, Time: 2, Parallelism: 1}

// DefaultPBKDF2 is what the OWASP Password Storage Cheat Sheet asks for where FIPS
// 140 is required. In 2026 about 90 ms of one core with SHA instructions. It must not
// be changed.
var DefaultPBKDF2 = Params{Iterations: 600_000}

// The names of the algorithms, as in settings and metrics.
const (
	Argon2id = "argon2id"
	PBKDF2   = "pbkdf2"
)

// Algorithm is the name of the algorithm.
func (p Params) Algorithm() string {
	if p.Iterations > 0 {
		return PBKDF2
	}
	return Argon2id
}

// Bounds of the cost. The lower ones are the algorithms' own and serve tests; the
// upper ones keep one comparison below 1 GiB and some seconds, whatever
// somebody wrote into a verifier.
const (
	maxMemory      = 1 << 20 // KiB
	maxTime        = 16
	maxParallelism = 16
	memoryPerLane  = 8 // KiB, RFC 9106, 3.1

	maxIterations = 10_000_000
)

// Validate refuses a cost that the algorithm cannot have, or that a server should
// not. The message says which bound was broken.
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
// Both have the same length, so that a sealed verifier does not tell its algorithm.
// Salt and tag have the sizes that RFC 9106, 4, recommends: 128 random bits
// tell all verifiers apart, and 256 bits of tag leave nothing to a chance
// match.
const (
	formatArgon2id = 1
	formatPBKDF2   = 2
	saltOffset     = 1 + 4 + 4 + 1
	saltSize       = 16
	tagOffset      = saltOffset + saltSize
	tagSize        = 32
	size           = tagOffset + tagSize
)

// New makes the verifier of a secret at cost p, with a salt of its own. It
// fails when p is out of bounds. The secret may have any length; its policy is
// the caller's, as is wiping it.
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

// Compare reports whether encoded is the verifier of secret, at the cost that
// encoded names. The comparison of tags takes constant time. It fails with
// [ErrFormat] and does no work when encoded is not a verifier.
func Compare(m *argon2.Matrix, encoded, secret []byte) (bool, error) {
	p, err := decode(encoded)
	if err != nil {
		return false, err
	}
	tag := hash(m, secret, encoded[saltOffset:tagOffset], p)
	defer clear(tag)
	return subtle.ConstantTimeCompare(tag, encoded[tagOffset:]) == 1, nil
}

// Again makes the verifier that encoded would be if it were of secret: with its
// salt and at its cost. The verifiers of one account's successive secrets may
// share a salt, so that one hash compares a new secret with all of them; see
// [SameSalt]. It fails with [ErrFormat] and does no work when encoded is not a
// verifier.
//
// A salt has to tell apart the verifiers of different users, so that one hash
// is a guess at one of them only (NIST SP 800-63B, 3.1.1.2). Among the secrets
// that one user had one after the other it gains a guesser little: someone who
// also broke the seal finds the first of them with fewer hashes, and only the
// present one is worth anything.
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

// SameSalt reports whether two verifiers have the same salt and cost, so that
// what [Again] makes with one of them can be compared with the other.
func SameSalt(a, b []byte) bool {
	return len(a) == size && len(b) == size && bytes.Equal(a[:tagOffset], b[:tagOffset])
}

// Equal reports in constant time whether two verifiers are the same.
func Equal(a, b []byte) bool { return subtle.ConstantTimeCompare(a, b) == 1 }

// Dummy does the work of [Compare] at cost p and is always false. It is for an
// account with nothing to compare against, which must not be told apart by
// time: it compares the secret with a verifier of zeros by the same code. It
// fails with [ErrFormat] when p is out of bounds.
func Dummy(m *argon2.Matrix, secret []byte, p Params) (bool, error) {
	_, err := Compare(m, encode(p), secret)
	return false, err
}

// Outdated reports whether encoded has another algorithm than p or a lower cost, so
// that a verifier at p should replace it when the secret is next at hand. A lowered
// cost leaves verifiers as they are, and parallelism is no cost. What is not a
// verifier is not outdated: [Compare] refuses it.
func Outdated(encoded []byte, p Params) bool {
	was, err := decode(encoded)
	return err == nil && (was.Algorithm() != p.Algorithm() || was.Memory < p.Memory || was.Time < p.Time || was.Iterations < p.Iterations)
}

// ParamsOf returns the algorithm and the cost of a verifier. It fails with
// [ErrFormat].
func ParamsOf(encoded []byte) (Params, error) { return decode(encoded) }

// encode is a verifier of cost p with salt and tag of zeros.
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

// hash is the tag of a secret. p was validated. To PBKDF2, secrets of up to 64 bytes that
// differ in zero bytes at their end are the same, because HMAC pads its key with them
// (RFC 2104, 2). That gives nobody a guess.
func hash(m *argon2.Matrix, secret, salt []byte, p Params) []byte {
	if p.Iterations == 0 {
		return m.IDKey(secret, salt, p.Time, p.Memory, p.Parallelism, tagSize)
	}
	// The secret as a string without a copy that could not be wiped.
	text := unsafe.String(unsafe.SliceData(secret), len(secret)) //nolint:gosec // it is not changed during the call
	tag, err := pbkdf2.Key(sha256.New, text, salt, int(p.Iterations), tagSize)
	if err != nil {
		panic("verifier: " + err.Error()) // only of a tag or salt of another size
	}
	return tag
}
