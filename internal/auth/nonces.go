package auth

import (
	"encoding/base64"
	"encoding/binary"
	"time"

	"strongroom/internal/strictjson"
)

// MACer makes and verifies message authentication codes. label names their
// purpose, so that a code for one purpose is not valid for another. It is safe
// for concurrent use.
type MACer interface {
	MAC(label string, data []byte) []byte
	VerifyMAC(label string, data, mac []byte) bool
}

// labelNonce is the purpose of the codes in nonces. A nonce is public and has no
// other use, so its data is only the step.
const labelNonce = "dpop nonce"

// nonceStep is how long one nonce is given out. It is accepted for one more step,
// and one step ahead, for another instance whose clock is ahead.
const nonceStep = 2 * time.Minute

// Nonces are the values that a DPoP proof must repeat, to show that it was not
// made in advance (RFC 9449, 9). They need no memory: all instances with the
// same keys give out and accept the same nonces. Safe for concurrent use.
type Nonces struct{ keys MACer }

// NewNonces returns nonces under keys.
func NewNonces(keys MACer) *Nonces { return &Nonces{keys} }

// next returns the nonce of now: 8 bytes for the step and its MAC, in base64url
// without padding (RFC 9449 allows only characters of this kind).
func (n *Nonces) next(now time.Time) string {
	step := binary.BigEndian.AppendUint64(nil, stepOf(now))
	return base64.RawURLEncoding.EncodeToString(append(step, n.keys.MAC(labelNonce, step)...))
}

func (n *Nonces) valid(nonce string, now time.Time) bool {
	data, ok := strictjson.Base64URL(nonce)
	if !ok || len(data) <= 8 {
		return false
	}
	step, current := binary.BigEndian.Uint64(data), stepOf(now)
	return step+1 >= current && step <= current+1 && n.keys.VerifyMAC(labelNonce, data[:8], data[8:])
}

func stepOf(now time.Time) uint64 {
	return uint64(now.Unix() / int64(nonceStep/time.Second)) //nolint:gosec // after 1970
}
