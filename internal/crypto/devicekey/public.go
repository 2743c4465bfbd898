package devicekey

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"math"
	"strings"
)

// PublicKeyError is why a client's public key is refused. It contains nothing of the
// input.
type PublicKeyError string

// Error returns the end of a sentence that begins with the argument's name.
func (e PublicKeyError) Error() string { return string(e) }

// The refusals of [ParsePublic] and [ParseRecipient].
const (
	errTooLong    PublicKeyError = "must be at most 4096 bytes of PEM"
	errNotPEM     PublicKeyError = "must be one PEM block of type PUBLIC KEY (SubjectPublicKeyInfo) or RSA PUBLIC KEY with its line breaks, and nothing else"
	errPrivate    PublicKeyError = "must be a public key, never a private one"
	errMalformed  PublicKeyError = "must hold a public key in well-formed DER"
	errBadHPKE    PublicKeyError = "must hold a valid HPKE public key: send the publicKey that generateClientEncryptionKey returned, unchanged"
	errNotAllowed PublicKeyError = "must not be a key of HPKE-X25519 in FIPS mode, because X25519 alone is not approved: request a new key"
	errNotRSA     PublicKeyError = "must be an RSA key of 2048 to 8192 bits"
	errOtherType                 = errNotRSA + ", or an HPKE key of X25519 or X-Wing"
	errBadModulus PublicKeyError = "must have a modulus that is odd"
	errBadE       PublicKeyError = "must have a public exponent that is odd, at least 3 and at most 2147483647"
)

const (
	pemBegin    = "-----BEGIN "
	pemSPKI     = "PUBLIC KEY"
	pemPKCS1    = "RSA PUBLIC KEY"
	maxPEM      = 4 << 10
	minModulus  = 2048
	maxModulus  = 8192
	maxExponent = math.MaxInt32 // of crypto/rsa
	minExponent = 3
)

// ParsePublic reads a public key from a client: at most 4 KiB with one PEM block
// (RFC 7468) of type PUBLIC KEY or RSA PUBLIC KEY that contains an RSA key of 2048 to
// 8192 bits. Every refusal is a [PublicKeyError]. The bounds are checked before any
// arithmetic, so a hostile key costs no more than its parsing.
func ParsePublic(text string) (*rsa.PublicKey, error) {
	block, err := decodePEM(text)
	if err != nil {
		return nil, err
	}
	pub, err := parseBlock(block)
	if err != nil {
		return nil, err
	}
	if err := checkPublic(pub); err != nil {
		return nil, err
	}
	return pub, nil
}

// Recipient is a public key of any algorithm, to encrypt to.
type Recipient interface {
	Algorithm() Algorithm
	KeySize() int // in bits: of the modulus of RSA, or of the public key of HPKE
	// Encrypt encrypts body as a client should, and returns standard base64 with
	// padding. If body is too long, the error is a [*TooLongError]. If only the
	// encryption shows that the key is invalid, it is a [PublicKeyError]. Only HPKE
	// uses aad, which must be from [AAD].
	Encrypt(body, aad []byte) (string, error)
}

// ParseRecipient reads a public key as [ParsePublic] does, of any algorithm.
func ParseRecipient(text string) (Recipient, error) {
	block, err := decodePEM(text)
	if err != nil {
		return nil, err
	}
	if block.Type == pemSPKI {
		if r, err := parseHPKE(block.Bytes); r != nil || err != nil {
			return r, err
		}
	}
	pub, err := ParsePublic(text)
	if err != nil {
		return nil, err
	}
	return rsaPublic{pub}, nil
}

type rsaPublic struct{ key *rsa.PublicKey }

func (rsaPublic) Algorithm() Algorithm { return RSAOAEP256 }

func (p rsaPublic) KeySize() int { return p.key.N.BitLen() }

func (p rsaPublic) Encrypt(body, _ []byte) (string, error) { return Encrypt(p.key, body) }

// decodePEM decodes a text of exactly one PEM block.
func decodePEM(text string) (*pem.Block, error) {
	if len(text) > maxPEM {
		return nil, errTooLong
	}
	// pem.Decode skips anything before the block, also broken blocks.
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, pemBegin) || strings.Count(text, pemBegin) > 1 {
		return nil, errNotPEM
	}
	block, rest := pem.Decode([]byte(text))
	if block == nil || len(block.Headers) > 0 || len(rest) > 0 {
		return nil, errNotPEM
	}
	return block, nil
}

func checkPublic(pub *rsa.PublicKey) error {
	switch bits := pub.N.BitLen(); {
	case bits < minModulus || bits > maxModulus:
		return errNotRSA
	case pub.N.Bit(0) == 0:
		return errBadModulus
	case pub.E < minExponent || pub.E%2 == 0 || pub.E > maxExponent:
		return errBadE
	}
	return nil
}

func parseBlock(block *pem.Block) (*rsa.PublicKey, error) {
	switch {
	case block.Type == pemPKCS1:
		pub, err := x509.ParsePKCS1PublicKey(block.Bytes)
		if err != nil {
			return nil, errMalformed
		}
		return pub, nil
	case block.Type == pemSPKI:
		pub, err := x509.ParsePKIXPublicKey(block.Bytes)
		if err != nil {
			return nil, errMalformed
		}
		rsaPub, ok := pub.(*rsa.PublicKey)
		if !ok {
			return nil, errOtherType
		}
		return rsaPub, nil
	case strings.HasSuffix(block.Type, "PRIVATE KEY"):
		return nil, errPrivate
	}
	return nil, errNotPEM
}

// TooLongError is the refusal of a body that does not fit into one ciphertext under
// the given key.
type TooLongError struct {
	Max int // maximum length of the body in bytes
}

// Error returns the end of a sentence that begins with the argument's name.
func (e *TooLongError) Error() string {
	return fmt.Sprintf("must be at most %d bytes for this key", e.Max)
}

// Encrypt encrypts body as a client should: RSA-OAEP with SHA-256,
// MGF1-SHA-256 and an empty label, as standard base64 with padding. If body is too
// long for the key, the error is a [*TooLongError]. The key must be from
// [ParsePublic] or [Generate].
func Encrypt(pub *rsa.PublicKey, body []byte) (string, error) {
	if most := pub.Size() - 2*sha256.Size - 2; len(body) > most { // RFC 8017, 7.1.1
		return "", &TooLongError{most}
	}
	ciphertext, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, pub, body, nil)
	if err != nil {
		return "", errors.New("encrypting failed") // the key is out of bounds
	}
	return base64.StdEncoding.EncodeToString(ciphertext), nil
}
