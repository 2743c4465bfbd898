// Package devicekey generates the key pairs that devices encrypt to, encodes them for
// clients and the database, and decrypts the ciphertexts of the devices.
//
// The idea: one public key format, and few encryption schemes ([Algorithm]).
// RSA-OAEP (RFC 8017, 7.1) has the parameter sets that real client libraries use
// for "OAEP with SHA-256". HPKE (RFC 9180) has one suite for each KEM.
//
// The threat: a client that sends ciphertexts and sees how they fail can decrypt a
// captured one if failures differ (Bleichenbacher 1998 on PKCS#1 v1.5, Manger
// 2001 on OAEP). So there is no PKCS#1 v1.5 here, and all undecryptable input of
// the right size fails with the same error after the same work. Earlier checks depend
// only on what is public: alphabet and length. Clients also send public keys for us to
// encrypt to. Their sizes are checked before any arithmetic.
//
// Other packages decide who owns a key, and whether it may be used. All functions are
// safe for concurrent use.
package devicekey

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"
)

// goEngine is what [Engine] returns if crypto/rsa decrypts.
const goEngine = "Go"

// publicExponent is the public exponent of every key pair from [Generate].
const publicExponent = 65537

// Generate generates an RSA key pair with a modulus of 2048, 3072 or 4096 bits and the
// public exponent 65537. For 3072 bits it takes about 0.2 s of CPU, sometimes several
// times as much.
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

// MarshalPublic encodes a public key as DER SubjectPublicKeyInfo (RFC 5280), the
// storage format.
func MarshalPublic(pub *rsa.PublicKey) ([]byte, error) {
	spki, err := x509.MarshalPKIXPublicKey(pub)
	if err != nil {
		return nil, fmt.Errorf("encoding public key: %v", err)
	}
	return spki, nil
}

// PEM encodes a DER SubjectPublicKeyInfo for clients: a "PUBLIC KEY" block with lines
// of 64 characters, each ended by LF. Every client library can load this format. It
// is computed for every answer, so it does not use encoding/pem, which takes five
// times as long.
func PEM(spki []byte) string {
	const perLine = 48 // bytes, which are 64 characters
	lines := (len(spki) + perLine - 1) / perLine
	var b strings.Builder
	b.Grow(len("-----BEGIN -----\n-----END -----\n") + 2*len(pemSPKI) + base64.StdEncoding.EncodedLen(len(spki)) + lines)
	b.WriteString("-----BEGIN " + pemSPKI + "-----\n")
	var line [64]byte
	for part := range slices.Chunk(spki, perLine) {
		b.Write(base64.StdEncoding.AppendEncode(line[:0], part))
		b.WriteByte('\n')
	}
	b.WriteString("-----END " + pemSPKI + "-----\n")
	return b.String()
}

// rsaEncryption is the content of the AlgorithmIdentifier of an RSA key: the
// object identifier 1.2.840.113549.1.1.1 and NULL (RFC 3279, 2.3.1).
const rsaEncryption = "\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00"

// PKCS1 returns the public key of a DER SubjectPublicKeyInfo as base64 of DER
// RSAPublicKey (RFC 8017, A.1.1), which SecKeyCreateWithData on iOS takes. It is the
// content of the bit string at the end of the SubjectPublicKeyInfo (RFC 5280, 4.1).
func PKCS1(spki []byte) (string, error) {
	in := cryptobyte.String(spki)
	var info, algorithm, key cryptobyte.String
	if !in.ReadASN1(&info, asn1.SEQUENCE) || !in.Empty() || !info.ReadASN1(&algorithm, asn1.SEQUENCE) ||
		!info.ReadASN1(&key, asn1.BIT_STRING) || !info.Empty() || len(key) < 2 || key[0] != 0 {
		return "", errors.New("not a public key in DER")
	}
	if string(algorithm) != rsaEncryption {
		return "", errors.New("not an RSA public key")
	}
	return base64.StdEncoding.EncodeToString(key[1:]), nil // key[0] counts unused bits
}

// PKCS1For is [PKCS1] for a key pair of any algorithm. It returns "" if it is not RSA.
func PKCS1For(a Algorithm, spki []byte) (string, error) {
	if a != RSAOAEP256 {
		return "", nil
	}
	return PKCS1(spki)
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
