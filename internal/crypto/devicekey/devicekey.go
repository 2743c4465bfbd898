// Package devicekey makes the RSA key pairs that devices encrypt to, puts them
// into the encodings that clients and the database want, and opens what comes
// back.
//
// The idea: one public key format, one encryption scheme, RSA-OAEP (RFC 8017,
// 7.1), and the few parameter sets of it that real client libraries send when
// asked for "OAEP with SHA-256".
//
// The threat: whoever may send ciphertexts and see how they fail can decrypt a
// captured one if failures differ (Bleichenbacher 1998 on PKCS#1 v1.5, Manger
// 2001 on OAEP). So there is no PKCS#1 v1.5 here, all undecryptable input of
// the right size fails with one error after the same work, and what is told
// apart earlier is public: alphabet and length. Clients also send public keys
// to be encrypted to; those are bounded before any arithmetic is done on them.
//
// Bytes in, bytes out: who owns a key, and whether it may be used, is decided
// elsewhere. All functions are safe for concurrent use.
package devicekey

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/subtle"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
)

// Errors of opening a stored private key. Either means that the record was
// changed by something else than this service.
var (
	// ErrMismatch: the private key is not that of the stored public key.
	ErrMismatch = errors.New("private key does not belong to the public key")
	// ErrFormat: not a private key in any form that this version knows.
	ErrFormat = errors.New("not a private key in a known format")
)

// Generate makes a key pair with a modulus of 2048, 3072 or 4096 bits and the
// public exponent 65537. It takes about 0.2 s of CPU for 3072 bits, at times
// several times as much.
func Generate(bits int) (*rsa.PrivateKey, error) {
	switch bits {
	case 2048, 3072, 4096:
	default:
		return nil, fmt.Errorf("RSA keys have 2048, 3072 or 4096 bits, not %d", bits)
	}
	key, err := rsa.GenerateKey(rand.Reader, bits)
	if err != nil {
		return nil, fmt.Errorf("generating RSA key: %v", err)
	}
	return key, nil
}

// MarshalPublic encodes a public key as DER SubjectPublicKeyInfo (RFC 5280),
// the form in which it is stored.
func MarshalPublic(pub *rsa.PublicKey) ([]byte, error) {
	spki, err := x509.MarshalPKIXPublicKey(pub)
	if err != nil {
		return nil, fmt.Errorf("encoding public key: %v", err)
	}
	return spki, nil
}

// PEM is the form in which clients get a public key: "PUBLIC KEY" around the
// SubjectPublicKeyInfo, lines of 64 characters ended by LF, the last one too.
// It is the one format that every client stack loads.
func PEM(spki []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: pemSPKI, Bytes: spki}))
}

// PKCS1 is the public key as base64 of DER RSAPublicKey (RFC 8017, A.1.1),
// which is what SecKeyCreateWithData on iOS takes.
func PKCS1(spki []byte) (string, error) {
	pub, err := parseSPKI(spki)
	if err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(x509.MarshalPKCS1PublicKey(pub)), nil
}

func parseSPKI(spki []byte) (*rsa.PublicKey, error) {
	pub, err := x509.ParsePKIXPublicKey(spki)
	if err != nil {
		return nil, errors.New("not a public key in DER")
	}
	rsaPub, ok := pub.(*rsa.PublicKey)
	if !ok {
		return nil, errors.New("not an RSA public key")
	}
	return rsaPub, nil
}

// A private key in clear, version 1, is the format byte 1 followed by DER
// PKCS#8 (RFC 5958). The byte leaves room for a more compact form.
const formatPKCS8 = 1

// MarshalPrivate is the plaintext of a sealed private key. The caller wipes
// it. It panics on a key that neither [Generate] nor [ParsePrivate] made and
// whose numbers do not fit together: sealing it would lose every ciphertext
// made for it.
func MarshalPrivate(key *rsa.PrivateKey) []byte {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		panic("devicekey: inconsistent private key")
	}
	defer clear(der)
	out := make([]byte, 0, 1+len(der))
	return append(append(out, formatPKCS8), der...)
}

// ParsePrivate is the inverse of [MarshalPrivate]. It fails with [ErrFormat],
// or with [ErrMismatch] when the key is not that of the stored public key, so
// that a key pair cannot be exchanged by halves. The caller wipes plain.
func ParsePrivate(plain, spki []byte) (*rsa.PrivateKey, error) {
	if len(plain) == 0 || plain[0] != formatPKCS8 {
		return nil, ErrFormat
	}
	parsed, err := x509.ParsePKCS8PrivateKey(plain[1:])
	if err != nil {
		return nil, ErrFormat // the cause could quote the numbers
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, ErrFormat
	}
	derived, err := MarshalPublic(&key.PublicKey)
	if err != nil {
		return nil, err
	}
	if subtle.ConstantTimeCompare(derived, spki) != 1 {
		return nil, ErrMismatch
	}
	return key, nil
}
