// Package signing generates the ES256 key pairs of the service, and signs with them
// what others must be able to verify: ECDSA on the curve P-256 with SHA-256 (RFC 7518,
// 3.4), in JWS compact serialization (RFC 7515, 7.1).
//
// The idea: anyone can verify a signature with a JOSE library and the public keys of
// the service, without our code. Each kind of signed value has its own "typ", so that
// none is accepted as another kind (RFC 8725, 3.11).
//
// Other packages decide when a key may sign. All functions and methods are safe for
// concurrent use.
package signing

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"math/big"

	"github.com/go-jose/go-jose/v4"
)

// Algorithm is the algorithm of every key, as JOSE names it.
const Algorithm = string(jose.ES256)

// PrivateKey is an ES256 key that signs. The zero value is not usable.
type PrivateKey struct{ key *ecdsa.PrivateKey }

// Generate generates a key pair. It takes less than 1 ms.
func Generate() (PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return PrivateKey{}, fmt.Errorf("generating an ES256 key: %v", err)
	}
	return PrivateKey{key}, nil
}

// Marshal encodes the private key as DER PKCS #8 (RFC 5208), about 140 bytes. The
// caller seals it and clears the slice.
func (k PrivateKey) Marshal() ([]byte, error) {
	der, err := x509.MarshalPKCS8PrivateKey(k.key)
	if err != nil {
		return nil, fmt.Errorf("encoding an ES256 key: %v", err)
	}
	return der, nil
}

// Parse reads what [PrivateKey.Marshal] returned.
func Parse(der []byte) (PrivateKey, error) {
	parsed, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return PrivateKey{}, errors.New("not a private key in PKCS #8")
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok || key.Curve != elliptic.P256() {
		return PrivateKey{}, errors.New("not an ES256 private key")
	}
	return PrivateKey{key}, nil
}

// Public returns the public key as DER SubjectPublicKeyInfo (RFC 5280), 91 bytes.
func (k PrivateKey) Public() ([]byte, error) {
	spki, err := x509.MarshalPKIXPublicKey(&k.key.PublicKey)
	if err != nil {
		return nil, fmt.Errorf("encoding an ES256 public key: %v", err)
	}
	return spki, nil
}

// Sign returns payload as a JWS in compact serialization, with the header
// members alg, kid and typ. typ is a media type without "application/".
func (k PrivateKey) Sign(kid, typ string, payload []byte) (string, error) {
	options := (&jose.SignerOptions{}).WithType(jose.ContentType(typ)).WithHeader("kid", kid)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: k.key}, options)
	if err != nil {
		return "", fmt.Errorf("signing: %v", err)
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		return "", fmt.Errorf("signing: %v", err)
	}
	return signed.CompactSerialize()
}

// Verify reports whether signature is the ES256 signature of text by a public key
// in SubjectPublicKeyInfo: R and S, 32 bytes each (RFC 7518, 3.4).
func Verify(spki []byte, text string, signature []byte) bool {
	const half = 32
	jwk, err := publicJWK(spki)
	if err != nil || len(signature) != 2*half {
		return false
	}
	key, ok := jwk.Key.(*ecdsa.PublicKey)
	digest := sha256.Sum256([]byte(text))
	return ok && ecdsa.Verify(key, digest[:], new(big.Int).SetBytes(signature[:half]), new(big.Int).SetBytes(signature[half:]))
}

// KeyID returns the RFC 7638 thumbprint of a public key in SubjectPublicKeyInfo: SHA-256
// in base64url without padding, 43 characters.
func KeyID(spki []byte) (string, error) {
	jwk, err := publicJWK(spki)
	if err != nil {
		return "", err
	}
	sum, err := jwk.Thumbprint(crypto.SHA256)
	if err != nil {
		return "", fmt.Errorf("computing a JWK thumbprint: %v", err)
	}
	return base64.RawURLEncoding.EncodeToString(sum), nil
}

// JWK encodes a public key in SubjectPublicKeyInfo as a JSON Web Key (RFC 7517), with
// kid, "use": "sig" and alg. It has no private member.
func JWK(spki []byte) ([]byte, error) {
	jwk, err := publicJWK(spki)
	if err != nil {
		return nil, err
	}
	if jwk.KeyID, err = KeyID(spki); err != nil {
		return nil, err
	}
	jwk.Algorithm, jwk.Use = Algorithm, "sig"
	return jwk.MarshalJSON()
}

func publicJWK(spki []byte) (jose.JSONWebKey, error) {
	parsed, err := x509.ParsePKIXPublicKey(spki)
	if err != nil {
		return jose.JSONWebKey{}, errors.New("not a public key in DER")
	}
	key, ok := parsed.(*ecdsa.PublicKey)
	if !ok || key.Curve != elliptic.P256() {
		return jose.JSONWebKey{}, errors.New("not an ES256 public key")
	}
	return jose.JSONWebKey{Key: key}, nil
}
