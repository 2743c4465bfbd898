package sqltx

import (
	"bytes"
	"crypto/rsa"
	"crypto/x509"
	"math/big"
	"slices"
)

// A public key is DER SubjectPublicKeyInfo (RFC 5280). Of an RSA key with the usual
// exponent all but the modulus is the same in each, so a column can hold the modulus
// alone. Its first bit is 1, and DER begins with 0x30, so the two are never confused.

// rsaForms are those of 2048, 3072 and 4096 bits.
var rsaForms = []rsaForm{newRSAForm(2048), newRSAForm(3072), newRSAForm(4096)}

// rsaForm is the SubjectPublicKeyInfo of all moduli of a size.
type rsaForm struct {
	before, after []byte
	modulus       int // bytes
}

func newRSAForm(bits int) rsaForm {
	n := new(big.Int).Lsh(big.NewInt(1), uint(bits-1)) //nolint:gosec // G115: the sizes above
	der, err := x509.MarshalPKIXPublicKey(&rsa.PublicKey{N: n, E: 65537})
	if err != nil {
		panic(err) // it encodes every RSA key
	}
	modulus := bits / 8
	at := bytes.Index(der, n.Bytes())
	return rsaForm{der[:at], der[at+modulus:], modulus}
}

// PackPublicKey returns the modulus alone of an RSA key, and any other key as it is.
func PackPublicKey(spki []byte) []byte {
	for _, f := range rsaForms {
		if len(spki) == len(f.before)+f.modulus+len(f.after) && bytes.HasPrefix(spki, f.before) && bytes.HasSuffix(spki, f.after) {
			return spki[len(f.before):][:f.modulus]
		}
	}
	return spki
}

// unpackPublicKey is the inverse of [PackPublicKey].
func unpackPublicKey(column []byte) []byte {
	for _, f := range rsaForms {
		if len(column) == f.modulus && column[0] >= 0x80 {
			return slices.Concat(f.before, column, f.after)
		}
	}
	return column
}
