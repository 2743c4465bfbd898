package domain

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// KeyState is the state of a key pair (NIST SP 800-57 part 1, 7): active, then exactly
// one of the others, permanently. If an account comes back from another store, its keys
// have the states that they have there.
type KeyState string

// The states of a key pair.
const (
	KeyActive      KeyState = "active"
	KeyInvalidated KeyState = "invalidated" // a rotation replaced it
	KeyExpired     KeyState = "expired"     // its validity ended
	KeyRevoked     KeyState = "revoked"     // an operator ended it, or its account was erased
	KeyMoved       KeyState = "moved"       // its account is in another store
)

// CiphertextDigest stands for a ciphertext that a key has decrypted: a keyed hash
// over keyId and ciphertext. A store keeps its first 8 bytes, and also compares
// all 16 with the digests that version 0.6.0 wrote. Without the keyset, nobody can
// make two equal digests. A key with n digests refuses a new ciphertext by chance
// with a probability of about n/2^61.
type CiphertextDigest [16]byte

// DeviceKey is the stored record of a device's key pair.
type DeviceKey struct {
	ID         string // the keyId clients send
	AccountID  string
	DeviceID   string // as the client sent it, byte for byte
	Algorithm  string // how clients encrypt to it: a devicekey.Algorithm
	Bits       int    // of the modulus of RSA, or of the public key of HPKE
	PublicKey  []byte // DER SubjectPublicKeyInfo
	Sealed     []byte // the sealed private key; empty once erased
	AppVersion string // the latest the client named; never a reason for a new key
	// Thumbprint is the JWK thumbprint (RFC 7638) by SHA-256, in base64url without
	// padding, of the key that the device must prove to have when it uses this key
	// pair ([Caller.Thumbprint]). Empty: none, the key pair is not bound.
	Thumbprint string
	State      KeyState
	Version    int64 // rises by one with each change of the record
	CreatedAt  time.Time
	ExpiresAt  time.Time // zero: never
	EndedAt    time.Time // zero while active
	GraceUntil time.Time // after EndedAt while verify may still use the key; else zero
	MAC        []byte    // over Canonical, keyed: an edited row is refused
}

// Use says what a request wants a key for.
type Use int

const (
	// ForSet stores a credential: only the active key may be used, so that a
	// ciphertext captured before a rotation can change nothing after it.
	ForSet Use = iota
	// ForVerify compares a credential: the previous key may also be used during its
	// grace period, so that a rotation does not break requests in flight.
	ForVerify
)

// Usable reports whether the key may open a ciphertext for use at time now.
func (k DeviceKey) Usable(use Use, now time.Time) bool {
	if len(k.Sealed) == 0 {
		return false
	}
	switch k.State {
	case KeyActive:
		return k.ExpiresAt.IsZero() || now.Before(k.ExpiresAt)
	case KeyInvalidated:
		return use == ForVerify && now.Before(k.GraceUntil)
	default:
		return false
	}
}

// Canonical is the record in the one form that its digest is computed over. A record
// that is not bound has the form that it had before there was Thumbprint.
func (k DeviceKey) Canonical() []byte {
	fields := [][]byte{[]byte("device key"), []byte(Tenant), []byte(k.AccountID), []byte(k.DeviceID), []byte(k.ID),
		[]byte(k.Algorithm), EncodeInt(int64(k.Bits)), k.PublicKey, k.Sealed, []byte(k.AppVersion),
		[]byte(k.State), EncodeInt(k.Version),
		EncodeTime(k.CreatedAt), EncodeTime(k.ExpiresAt), EncodeTime(k.EndedAt), EncodeTime(k.GraceUntil)}
	if k.Thumbprint != "" {
		fields = append(fields, []byte(k.Thumbprint))
	}
	return Encode(fields...)
}

// Identity is what a client says about itself when it asks for a key.
type Identity struct {
	DeviceID   string
	AppVersion string  // optional
	Challenge  *string // optional: returned in the signed key, which shows that it is not an older one
	// Algorithms are those by which the client can encrypt; names that the service
	// does not know are allowed. nil: the client did not say, so it gets
	// RSA-OAEP-256.
	Algorithms []string
}

// Bounds on what a client says about itself.
const (
	MaxDeviceIDBytes   = 256
	MaxAppVersionRunes = 64
	MinChallenge       = 16 // characters
	MaxChallenge       = 128
	MaxAlgorithms      = 16
	MaxAlgorithm       = 64 // characters
)

// Validate refuses an identity that cannot be shown, logged or distinguished
// safely. It never changes one: ids are compared byte for byte.
func (id Identity) Validate() error {
	switch {
	case id.DeviceID == "":
		return BadInput("deviceId", "must not be empty")
	case len(id.DeviceID) > MaxDeviceIDBytes:
		return BadInput("deviceId", fmt.Sprintf("must be at most %d bytes of UTF-8", MaxDeviceIDBytes))
	case !utf8.ValidString(id.DeviceID):
		return BadInput("deviceId", "must be valid UTF-8")
	case strings.ContainsFunc(id.DeviceID, unicode.IsControl):
		return BadInput("deviceId", "must not contain control characters")
	case strings.TrimSpace(id.DeviceID) == "":
		return BadInput("deviceId", "must not be blank")
	case utf8.RuneCountInString(id.AppVersion) > MaxAppVersionRunes:
		return BadInput("appVersion", fmt.Sprintf("must be at most %d characters", MaxAppVersionRunes))
	case !utf8.ValidString(id.AppVersion):
		return BadInput("appVersion", "must be valid UTF-8")
	case strings.ContainsFunc(id.AppVersion, unicode.IsControl):
		return BadInput("appVersion", "must not contain control characters")
	case id.Challenge != nil && !isChallenge(*id.Challenge):
		return BadInput("challenge", fmt.Sprintf("must be %d to %d visible ASCII characters, such as random bytes in base64", MinChallenge, MaxChallenge))
	case id.Algorithms != nil && len(id.Algorithms) == 0:
		return BadInput("algorithms", "must name at least one algorithm; leave it out for RSA-OAEP-256")
	case len(id.Algorithms) > MaxAlgorithms || slices.ContainsFunc(id.Algorithms, func(a string) bool { return len(a) > MaxAlgorithm || !IsVisible(a) }):
		return BadInput("algorithms", fmt.Sprintf("must be at most %d names of at most %d visible ASCII characters", MaxAlgorithms, MaxAlgorithm))
	}
	return nil
}

func isChallenge(text string) bool {
	return len(text) >= MinChallenge && len(text) <= MaxChallenge && IsVisible(text)
}

// IsVisible reports whether a text has only visible ASCII characters: no spaces, no line
// ends and nothing that controls a terminal.
func IsVisible(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' })
}

// KeyPair is what a client is given of its key pair: everything but the
// private key.
type KeyPair struct {
	KeyID     string
	PublicKey []byte // DER SubjectPublicKeyInfo
	Algorithm string
	Bits      int // as in [DeviceKey]
	CreatedAt time.Time
	ExpiresAt time.Time // zero: never
	DeviceID  string    // as the client sent it
	Challenge string    // of the request: [Identity]
}

// Pair is the part of the record that its client gets, with the challenge of the
// request.
func (k DeviceKey) Pair(challenge *string) KeyPair {
	pair := KeyPair{k.ID, k.PublicKey, k.Algorithm, k.Bits, k.CreatedAt, k.ExpiresAt, k.DeviceID, ""}
	if challenge != nil {
		pair.Challenge = *challenge
	}
	return pair
}
