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
)

// This file looks inside what the client encrypted, without caring who learns
// from how long that takes: math/big is not constant in time, and telling one
// padding from another is what Bleichenbacher's and Manger's attacks live on.
// It must never see another key than one of the doctor's own.

// encoded is the encoded message of RFC 8017: the ciphertext to the power of
// the private exponent, as many bytes as the modulus has. It is nil for a
// ciphertext that is not below the modulus.
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

// hashes are those that libraries offer for OAEP.
var hashes = []crypto.Hash{crypto.SHA256, crypto.SHA1, crypto.SHA512, crypto.SHA384, crypto.SHA224}

// padding is how a message was padded.
type padding struct {
	scheme    string      // see the constants
	hash, mgf crypto.Hash // of OAEP
}

const (
	oaep     = "OAEP"
	labelled = "OAEP with a label"
	pkcs1    = "PKCS #1 v1.5"
	signed   = "PKCS #1 v1.5 signature"
	raw      = "none"
)

// unpad finds out how an encoded message was padded, and what is in it. It
// reports false for one that looks like none of them, as a message does that
// was encrypted under another key.
func unpad(em []byte) (p padding, message []byte, ok bool) {
	if em == nil {
		return padding{}, nil, false
	}
	for _, hash := range hashes {
		for _, mgf := range hashes {
			if message, label, ok := openOAEP(em, hash, mgf); ok {
				p := padding{oaep, hash, mgf}
				if label {
					p.scheme = labelled
				}
				return p, message, true
			}
		}
	}
	if message, ok := openPKCS1(em, 2); ok {
		return padding{scheme: pkcs1}, message, true
	}
	if message, ok := openPKCS1(em, 1); ok {
		return padding{scheme: signed}, message, true
	}
	// Without padding a secret is a small number; or, with zeros put behind it
	// by the client, a round one. By chance neither comes about.
	const zeros = 16
	if message := bytes.TrimLeft(em, "\x00"); len(em)-len(message) >= zeros {
		return padding{scheme: raw}, message, true
	}
	if message := bytes.TrimRight(em, "\x00"); len(em)-len(message) >= zeros {
		return padding{scheme: raw}, bytes.TrimLeft(message, "\x00"), true
	}
	return padding{}, nil, false
}

// openOAEP undoes RSA-OAEP (RFC 8017, 7.1.2) under any label. A label that is
// not the empty one is reported; what tells such a message from chance is then
// the row of zeros before the message, which has to be long.
func openOAEP(em []byte, hash, mgf crypto.Hash) (message []byte, label, ok bool) {
	size := hash.Size()
	if len(em) < 2*size+2 || em[0] != 0 {
		return nil, false, false
	}
	seed, data := bytes.Clone(em[1:1+size]), bytes.Clone(em[1+size:])
	mask(seed, data, mgf)
	mask(data, seed, mgf)
	zeros := bytes.IndexByte(data[size:], 1)
	if zeros < 0 || len(bytes.Trim(data[size:size+zeros], "\x00")) > 0 {
		return nil, false, false
	}
	h := hash.New()
	label = !bytes.Equal(h.Sum(nil), data[:size])
	if label && zeros < 16 {
		return nil, false, false
	}
	return data[size+zeros+1:], label, true
}

// mask adds MGF1 of the seed (RFC 8017, B.2.1) to data.
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

// openPKCS1 undoes the padding of PKCS #1 v1.5 (RFC 8017, 7.2.2) of a type: 2
// for encryption, 1 for signatures.
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
