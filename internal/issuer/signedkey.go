package issuer

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"strongroom/internal/domain"
)

// typeSignedKey is the typ of signed keys.
const typeSignedKey = "strongroom-key+jwt"

// How long a signed key is valid. Without a challenge it is signed once and
// returned for half of that time, so a client always gets one that is valid for
// hours. The key that signed it is published for 7 days after its end.
const (
	validWithChallenge = 5 * time.Minute
	validWithout       = 24 * time.Hour
	returnedFor        = validWithout / 2
)

// maxSignedKeys bounds the signed keys in memory: about 1.5 KiB each.
const maxSignedKeys = 4096

// signedKey is a signature that can be returned again.
type signedKey struct {
	text string
	kid  string    // of the signing key
	at   time.Time // when it was signed
}

// signedKeyClaims are the claims of a signed key. Iss, sub, iat and exp are of
// RFC 7519, sub_iss is the claim of receipts. The others have the names of the GraphQL schema.
type signedKeyClaims struct {
	Issuer        string `json:"iss"`
	Subject       string `json:"sub,omitempty"`     // of the caller; none in device mode
	SubjectIssuer string `json:"sub_iss,omitempty"` // of a token that named the subject
	KeyID         string `json:"keyId"`
	SPKI          string `json:"spki"` // DER SubjectPublicKeyInfo in base64, as in the PEM
	Algorithm     string `json:"algorithm"`
	DeviceID      string `json:"deviceId"`
	Challenge     string `json:"challenge,omitempty"`
	IssuedAt      int64  `json:"iat"`
	Expires       int64  `json:"exp"`
}

// SignKey returns a key pair of the caller as a JWS of the type
// strongroom-key+jwt, with which a client detects a replaced public key. It is safe
// for concurrent use.
func (i *Issuer) SignKey(c domain.Caller, pair domain.KeyPair) (string, error) {
	// Round removes the monotonic reading, which does not show that the clock was set or that
	// the machine was suspended. Clients compare exp with the wall clock.
	now, kid := i.cfg.Now().Round(0), i.kid()
	if pair.Challenge == "" {
		known, ok := i.signed.Get(pair.KeyID)
		if age := now.Sub(known.at); ok && known.kid == kid && age >= 0 && age < returnedFor {
			return known.text, nil
		}
	}
	valid := validWithout
	if pair.Challenge != "" {
		valid = validWithChallenge
	}
	payload, err := json.Marshal(signedKeyClaims{Issuer: i.cfg.URL, Subject: c.Subject, SubjectIssuer: c.Issuer, KeyID: pair.KeyID,
		SPKI: base64.StdEncoding.EncodeToString(pair.PublicKey), Algorithm: pair.Algorithm, DeviceID: pair.DeviceID, Challenge: pair.Challenge,
		IssuedAt: now.Unix(), Expires: now.Add(valid).Unix()})
	if err != nil {
		return "", fmt.Errorf("encoding a signed key: %v", err)
	}
	text, err := i.Sign(typeSignedKey, payload)
	if err == nil && pair.Challenge == "" {
		i.signed.Add(pair.KeyID, signedKey{text, kid, now})
	}
	return text, err
}

// kid is the id of the active key; empty: none could be read.
func (i *Issuer) kid() string {
	if known := i.current.Load(); known != nil {
		return known.kid
	}
	return ""
}
