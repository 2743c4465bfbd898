package sqltx

import (
	"bytes"
	"crypto/ecdh"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"testing"
)

func TestAPublicKeyIsReadAsItWasStored(t *testing.T) {
	spki := func(pub any) []byte {
		der, err := x509.MarshalPKIXPublicKey(pub)
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	x25519, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GODEBUG", "rsa1024min=0") // the last one is too small for Strongroom
	var keys [4]*rsa.PrivateKey
	for i, bits := range []int{2048, 3072, 4096, 1024} {
		if keys[i], err = rsa.GenerateKey(rand.Reader, bits); err != nil {
			t.Fatal(err)
		}
	}
	other := keys[0].PublicKey
	other.E = 3
	der := spki(&keys[1].PublicKey)
	for _, test := range []struct {
		name   string
		key    []byte
		stored int
	}{
		{"RSA, 2048 bits", spki(&keys[0].PublicKey), 256},
		{"RSA, 3072 bits", der, 384},
		{"RSA, 4096 bits", spki(&keys[2].PublicKey), 512},
		{"RSA, 1024 bits", spki(&keys[3].PublicKey), 162},
		{"RSA, another exponent", spki(&other), 292},
		{"X25519", spki(x25519.PublicKey()), 44},
		{"nothing", nil, 0},
		{"a byte too few", der[:len(der)-1], 421},
		{"a byte too many", append(bytes.Clone(der), 0), 423},
		{"another algorithm", append([]byte{0x31}, der[1:]...), 422},
	} {
		column := PackPublicKey(test.key)
		if len(column) != test.stored {
			t.Errorf("%s: %d bytes are stored, not %d", test.name, len(column), test.stored)
		}
		if back := UnpackPublicKey(column); !bytes.Equal(back, test.key) {
			t.Errorf("%s: read as %x instead of %x", test.name, back, test.key)
		}
	}
}
