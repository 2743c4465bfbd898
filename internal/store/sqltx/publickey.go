package sqltx

import (
	"bytes"
	"crypto/rsa"
	"crypto/x509"
	"math/big"
	"slices"
)

// A public key is a DER SubjectPublicKeyInfo (RFC 5280). RSA keys of one size with the
// exponent 65537 differ only in the modulus, so a column can hold the modulus alone. The
// first bit of a modulus is 1 and DER begins with 0x30, so the two cannot be confused.

// rsaForms are the forms for 2048, 3072 and 4096 bits.
var rsaForms = []rsaForm{newRSAForm(2048), newRSAForm(3072), newRSAForm(4096)}

// rsaForm is what surrounds the modulus in the SubjectPublicKeyInfo of RSA keys of one size.
type rsaForm struct {
	before, after []byte
	modulus       int // bytes
}

func newRSAForm(bits int) rsaForm {
	n := new(big.Int).Lsh(big.NewInt(1), uint(bits-1))
	der, err := x509.MarshalPKIXPublicKey(&rsa.PublicKey{N: n, E: 65537})
	if err != nil {
		panic(err) // it encodes every RSA key
	}
	modulus := bits / 8
	at := bytes.Index(der, n.Bytes())
	return rsaForm{der[:at], der[at+modulus:], modulus}
}

// PackPublicKey returns the modulus of an RSA key in one of the rsaForms, and any other key
// unchanged.
func PackPublicKey(spki []byte) []byte {
	for _, f := range rsaForms {
		if len(spki) == len(f.before)+f.modulus+len(f.after) && bytes.HasPrefix(spki, f.before) && bytes.HasSuffix(spki, f.after) {
			return spki[len(f.before):][:f.modulus]
		}
	}
	return spki
}

// UnpackPublicKey is the inverse of [PackPublicKey].
func UnpackPublicKey(column []byte) []byte {
	for _, f := range rsaForms {
		if len(column) == f.modulus && column[0] >= 0x80 {
			return slices.Concat(f.before, column, f.after)
		}
	}
	return column
}
