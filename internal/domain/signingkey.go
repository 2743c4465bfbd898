package domain

import "time"

// AlgorithmES256 is the algorithm of every signing key: ECDSA on P-256 with
// SHA-256 (RFC 7518, 3.4).
const AlgorithmES256 = "ES256"

// SigningPublished is how long a signing key is published before it signs, and
// how long after it stopped. A client that reads the key set at least this often
// knows each key before it receives a signature by it.
const SigningPublished = 7 * 24 * time.Hour

// SigningKey is the stored record of a key pair with which the service signs. A
// key signs from ActiveFrom until the next number's ActiveFrom, the first one from its
// creation.
type SigningKey struct {
	Number     int64  // from 1, without gaps
	ID         string // the kid: RFC 7638 thumbprint, base64url, 43 characters
	Algorithm  string
	Version    int64     // rises by one with each change of the record
	CreatedAt  time.Time // it is published from then on
	ActiveFrom time.Time
	ErasedAt   time.Time // of the private key, which the successor replaced; zero before
	PublicKey  []byte    // DER SubjectPublicKeyInfo
	Sealed     []byte    // the sealed private key, PKCS #8; empty once erased
	MAC        []byte    // over Canonical, keyed: an edited row is refused
}

// Canonical is the record in the one form that its MAC is computed over.
func (k SigningKey) Canonical() []byte {
	return Encode([]byte("signing key"), []byte(Tenant), EncodeInt(k.Number), []byte(k.ID), []byte(k.Algorithm), EncodeInt(k.Version),
		EncodeTime(k.CreatedAt), EncodeTime(k.ActiveFrom), EncodeTime(k.ErasedAt), k.PublicKey, k.Sealed)
}

// SigningKeyState is what a signing key does at some time.
type SigningKeyState string

// The states of a signing key, in their order.
const (
	SigningNext    SigningKeyState = "next"    // published, and signs later
	SigningActive  SigningKeyState = "active"  // signs
	SigningRetired SigningKeyState = "retired" // published, and no longer signs
	SigningEnded   SigningKeyState = "ended"   // not published any more
)

// SigningStates are the states at time now of all keys, which are in order of
// their numbers. The first one signs before its ActiveFrom too: if the clock was ahead
// when it was made, no other key could sign.
func SigningStates(keys []SigningKey, now time.Time) []SigningKeyState {
	states := make([]SigningKeyState, len(keys))
	for i, k := range keys {
		switch {
		case i > 0 && now.Before(k.ActiveFrom):
			states[i] = SigningNext
		case i == len(keys)-1 || now.Before(keys[i+1].ActiveFrom):
			states[i] = SigningActive
		case now.Before(keys[i+1].ActiveFrom.Add(SigningPublished)):
			states[i] = SigningRetired
		default:
			states[i] = SigningEnded
		}
	}
	return states
}
