package sandbox

import (
	"bytes"
	"crypto"
	"crypto/rsa"
	_ "crypto/sha1"   //nolint:gosec // clients use it, and are told so
	_ "crypto/sha256" // registered for what follows
	_ "crypto/sha512" // likewise
	"encoding/binary"
	"math/big"
	"slices"

	"strongroom/internal/crypto/devicekey"
)

// This file examines how a client padded its message. It must only be used with
// the doctor's own keys: math/big does not run in constant time, and telling
// paddings apart enables the attacks of Bleichenbacher and Manger.

// encoded returns the encoded message of RFC 8017: the ciphertext to the power
// of the private exponent, as long as the modulus. It returns nil if the
// ciphertext is not below the modulus.
func encoded(key *rsa.PrivateKey, ciphertext []byte) []byte {
	c := new(big.Int).SetBytes(ciphertext)
	if c.Cmp(key.N) >= 0 {
		return nil
	}
	p, q := key.Primes[0], key.Primes[1]
	m := new(big.Int).Exp(c, key.Precomputed.Dp, p)
	m2 := new(big.Int).Exp(c, key.Precomputed.Dq, q)
	m.Sub(m, m2).Mul(m, key.Precomputed.Qinv).Mod(m, p) // the Chinese remainder theorem, RFC 8017, 5.1.2
	m.Mul(m, q).Add(m, m2)
	return m.FillBytes(make([]byte, key.Size()))
}

// hashes are the hashes that libraries offer for OAEP.
var hashes = []crypto.Hash{crypto.SHA256, crypto.SHA1, crypto.SHA512, crypto.SHA384, crypto.SHA224}

// padding is how a message was padded.
type padding struct {
	scheme    string      // one of the constants below
	hash, mgf crypto.Hash // only for OAEP
	label     string      // if it is one of [devicekey.Labels]
}

const (
	oaep     = "OAEP"
	labelled = "OAEP with a label"
	pkcs1    = "PKCS #1 v1.5"
	signed   = "PKCS #1 v1.5 signature"
	raw      = "none"
)

// unpad returns how an encoded message was padded, and the message. ok is false
// if it has none of these paddings, as after encryption with another key.
func unpad(em []byte) (p padding, message []byte, ok bool) {
	if em == nil {
		return padding{}, nil, false
	}
	for _, hash := range hashes {
		for _, mgf := range hashes {
			if message, digest, ok := openOAEP(em, hash, mgf); ok {
				return withLabel(hash, mgf, digest), message, true
			}
		}
	}
	if message, ok := openPKCS1(em, 2); ok {
		return padding{scheme: pkcs1}, message, true
	}
	if message, ok := openPKCS1(em, 1); ok {
		return padding{scheme: signed}, message, true
	}
	// Without padding, a secret is a small number, or a multiple of a large power
	// of 256 if the client appended zeros. Neither happens by chance.
	const zeros = 16
	if message := bytes.TrimLeft(em, "\x00"); len(em)-len(message) >= zeros {
		return padding{scheme: raw}, message, true
	}
	if message := bytes.TrimRight(em, "\x00"); len(em)-len(message) >= zeros {
		return padding{scheme: raw}, bytes.TrimLeft(message, "\x00"), true
	}
	return padding{}, nil, false
}

// withLabel returns the padding whose label has this digest.
func withLabel(hash, mgf crypto.Hash, digest []byte) padding {
	if bytes.Equal(digest, digestOf(hash, "")) {
		return padding{scheme: oaep, hash: hash, mgf: mgf}
	}
	p := padding{scheme: labelled, hash: hash, mgf: mgf}
	if i := slices.IndexFunc(devicekey.Labels, func(label string) bool { return bytes.Equal(digest, digestOf(hash, label)) }); i >= 0 {
		p.label = devicekey.Labels[i]
	}
	return p
}

func digestOf(hash crypto.Hash, label string) []byte {
	h := hash.New()
	_, _ = h.Write([]byte(label))
	return h.Sum(nil)
}

// openOAEP removes RSA-OAEP (RFC 8017, 7.1.2) with any label, and returns the digest
// of the label. If it is not the empty one, only the zeros before the message tell it
// from random bytes, so there must be many.
func openOAEP(em []byte, hash, mgf crypto.Hash) (message, label []byte, ok bool) {
	size := hash.Size()
	if len(em) < 2*size+2 || em[0] != 0 {
		return nil, nil, false
	}
	seed, data := bytes.Clone(em[1:1+size]), bytes.Clone(em[1+size:])
	mask(seed, data, mgf)
	mask(data, seed, mgf)
	zeros := bytes.IndexByte(data[size:], 1)
	if zeros < 0 || len(bytes.Trim(data[size:size+zeros], "\x00")) > 0 {
		return nil, nil, false
	}
	label = data[:size]
	if zeros < 16 && !bytes.Equal(label, digestOf(hash, "")) {
		return nil, nil, false
	}
	return data[size+zeros+1:], label, true
}

// mask XORs MGF1 of the seed (RFC 8017, B.2.1) into data.
func mask(data, seed []byte, hash crypto.Hash) {
	for counter := uint32(0); len(data) > 0; counter++ {
		h := hash.New()
		_, _ = h.Write(seed)
		_, _ = h.Write(binary.BigEndian.AppendUint32(nil, counter))
		block := h.Sum(nil)
		n := min(len(block), len(data))
		for i := range n {
			data[i] ^= block[i]
		}
		data = data[n:]
	}
}

// openPKCS1 removes PKCS #1 v1.5 padding (RFC 8017, 7.2.2) of this type: 2 for
// encryption, 1 for signatures.
func openPKCS1(em []byte, typ byte) ([]byte, bool) {
	if em[0] != 0 || em[1] != typ {
		return nil, false
	}
	end := bytes.IndexByte(em[2:], 0)
	if end < 8 || typ == 1 && len(bytes.Trim(em[2:2+end], "\xff")) > 0 {
		return nil, false
	}
	return em[2+end+1:], true
}
