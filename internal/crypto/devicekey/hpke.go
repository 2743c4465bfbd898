package devicekey

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/hpke"
	"crypto/sha256"
	"crypto/sha3"
	"encoding/base64"
	"errors"
	"fmt"

	"golang.org/x/crypto/cryptobyte"
	"golang.org/x/crypto/cryptobyte/asn1"
)

// An HPKE ciphertext is enc || ct: the encapsulated key, of a fixed length, and the
// sealed plaintext with its tag of 16 bytes. So its length reveals the length of the
// plaintext, unlike with RSA-OAEP.

// Info is the info of every HPKE ciphertext (RFC 9180, 5.1). It separates our
// ciphertexts from those of other protocols.
const Info = "strongroom hpke v1"

// AAD returns the associated data of an HPKE ciphertext: the GraphQL field that it is
// sent in, the keyId, and PASSCODE or TRANSACTION_PIN, separated by line feeds. The
// current secret in a set has the field's name with /current after it. So a ciphertext
// works only for this operation, key and credential.
func AAD(operation, keyID, passwordAuthType string) []byte {
	return []byte(operation + "\n" + keyID + "\n" + passwordAuthType)
}

// MaxHPKEPlaintext is the maximum length, in bytes, of the plaintext of an HPKE
// ciphertext. The longest secret and the longest authorization are shorter.
const MaxHPKEPlaintext = 512

const tagSize = 16 // of AES-GCM

var x25519 = ecdh.X25519()

// AlgorithmIdentifiers, in DER, without parameters: id-X25519 (RFC 8410, 3), and
// id-XWing 1.3.6.1.4.1.62253.25722 (draft-connolly-cfrg-xwing-kem). The bit string
// that follows contains the output of SerializePublicKey.
const (
	infoX25519 = "\x30\x05\x06\x03\x2b\x65\x6e"
	infoXWing  = "\x30\x0d\x06\x0b\x2b\x06\x01\x04\x01\x83\xe6\x2d\x81\xc8\x7a"
)

// hpkeKey is a private key of a KEM.
type hpkeKey struct {
	kem *kem
	key hpke.PrivateKey
}

// Open decrypts enc || ct. RFC 9180 has different errors for an invalid enc and for a
// ct that does not open. Here both are [ErrDecryption], after the same work.
func (k hpkeKey) Open(ciphertext []byte, by Binding) ([]byte, string, error) {
	plaintext, old, err := k.open(hpke.AES256GCM(), Info, by, ciphertext)
	switch {
	case err != nil:
		return nil, "", err
	case old:
		return plaintext, OldForm(k.kem.form), nil
	}
	return plaintext, k.kem.form, nil
}

func (k hpkeKey) open(aead hpke.AEAD, info string, by Binding, ciphertext []byte) (plaintext []byte, old bool, err error) {
	if len(ciphertext) < k.kem.encapsulated {
		return nil, false, ErrDecryption
	}
	enc, ct := ciphertext[:k.kem.encapsulated], ciphertext[k.kem.encapsulated:]
	recipient, err := hpke.NewRecipient(enc, k.key, hpke.HKDFSHA256(), aead, []byte(info))
	open := func(aad []byte) ([]byte, error) { return recipient.Open(aad, ct) }
	if err != nil {
		standIn := k.kem.imitate(info)
		open = func(aad []byte) ([]byte, error) {
			if standIn != nil {
				_, _ = standIn.Open(nil, make([]byte, standIn.NonceSize()), ct, aad) // anyone can compute its key
			}
			return nil, ErrDecryption
		}
	}
	if plaintext, old, err = by.unseal(open); err != nil {
		return nil, false, ErrDecryption
	}
	return plaintext, old, nil
}

// unseal calls open with the AAD, and with the old one if that fails. old says which one
// opened. Every failure is after all of them.
func (b Binding) unseal(open func(aad []byte) ([]byte, error)) (plaintext []byte, old bool, err error) {
	plaintext, err = open(b.AAD)
	if err == nil || b.OldAAD == nil {
		return plaintext, false, err
	}
	plaintext, err = open(b.OldAAD)
	return plaintext, true, err
}

// imitate does the work that a point of low order ends early: the KDF of the KEM (RFC
// 9180, 4.1) and the key schedule (5.1). It returns an AEAD for the rest, or nil where it
// is not allowed. Without this, such an enc would be refused 20 µs sooner than others.
func (k *kem) imitate(info string) cipher.AEAD {
	const label = "HPKE-v1 and a suite, and a label" // as long as those
	step := func(secret []byte, context string) []byte {
		secret, _ = hkdf.Extract(sha256.New, append([]byte(label), secret...), nil)
		secret, _ = hkdf.Expand(sha256.New, secret, string(append([]byte(label), context...)), sha256.Size)
		return secret
	}
	secret, context := make([]byte, sha256.Size), info+string(make([]byte, 2*sha256.Size))
	if k == kems[HPKEX25519] {
		secret = step(secret, context)
	} else {
		sum := sha3.Sum256(append(secret, context...))
		secret = sum[:]
	}
	for range 3 { // of the key schedule
		secret = step(secret, context)
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil // not of a secret of 32 bytes
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil // in FIPS mode "only"
	}
	return gcm
}

// Wipe does nothing: crypto/hpke gives no access to the bytes of a key. The garbage
// collector frees them.
func (hpkeKey) Wipe() {}

// GenerateHPKE generates a key pair of an HPKE algorithm, in the storage formats: the
// public key as DER SubjectPublicKeyInfo, and the private key as the plaintext to seal,
// which the caller wipes. It takes less than 0.1 ms.
func GenerateHPKE(a Algorithm) (spki, private []byte, err error) {
	kem := a.kem()
	if kem == nil {
		return nil, nil, fmt.Errorf("%s is no algorithm of HPKE", a)
	}
	key, err := kem.GenerateKey()
	if err != nil {
		return nil, nil, fmt.Errorf("generating a key pair for %s: %v", a, err)
	}
	serialized, err := key.Bytes()
	if err != nil {
		return nil, nil, fmt.Errorf("encoding a private key for %s: %v", a, err)
	}
	defer clear(serialized)
	return kem.marshalPublic(key.PublicKey()), append([]byte{formatSerialized}, serialized...), nil
}

// parseSerialized reads a private key of format 3.
func parseSerialized(a Algorithm, serialized, spki []byte) (PrivateKey, error) {
	kem := a.kem()
	if kem == nil {
		return nil, ErrFormat
	}
	key, err := kem.NewPrivateKey(serialized)
	if err != nil {
		return nil, ErrFormat
	}
	if string(kem.marshalPublic(key.PublicKey())) != string(spki) {
		return nil, ErrMismatch
	}
	return hpkeKey{kem, key}, nil
}

// marshalPublic encodes a public key as DER SubjectPublicKeyInfo (RFC 5280, 4.1).
func (k *kem) marshalPublic(key hpke.PublicKey) []byte {
	var b cryptobyte.Builder
	b.AddASN1(asn1.SEQUENCE, func(b *cryptobyte.Builder) {
		b.AddBytes([]byte(k.info))
		b.AddASN1BitString(key.Bytes())
	})
	return b.BytesOrPanic() // of fixed sizes
}

// PublicKeyBytes returns the public key of an HPKE algorithm as base64 of RFC 9180's
// SerializePublicKey. For RSA, which has no such form, it returns false.
func PublicKeyBytes(a Algorithm, spki []byte) (string, bool) {
	kem := a.kem()
	if kem == nil || len(spki) < kem.public {
		return "", false
	}
	return base64.StdEncoding.EncodeToString(spki[len(spki)-kem.public:]), true // the bit string is the end
}

// KeySize returns the size in bits of the public key of an HPKE algorithm, which is the
// keySize in the API. It is 0 for RSA.
func KeySize(a Algorithm) int {
	if kem := a.kem(); kem != nil {
		return 8 * kem.public
	}
	return 0
}

// EncapsulatedSize returns the size in bytes of enc in an HPKE ciphertext. It is 0 for
// RSA.
func EncapsulatedSize(a Algorithm) int {
	if kem := a.kem(); kem != nil {
		return kem.encapsulated
	}
	return 0
}

// parseHPKE reads the public key of a SubjectPublicKeyInfo. It returns nil without an
// error if the key is of another algorithm.
func parseHPKE(spki []byte) (Recipient, error) {
	in := cryptobyte.String(spki)
	var all, info, key cryptobyte.String
	if !in.ReadASN1(&all, asn1.SEQUENCE) || !in.Empty() || !all.ReadASN1Element(&info, asn1.SEQUENCE) ||
		!all.ReadASN1(&key, asn1.BIT_STRING) || !all.Empty() || len(key) == 0 || key[0] != 0 {
		return nil, errMalformed
	}
	for a, kem := range kems {
		if string(info) != kem.info {
			continue
		}
		if !a.Allowed() {
			return nil, errNotAllowed
		}
		public, err := kem.NewPublicKey(key[1:])
		if err != nil {
			return nil, errBadHPKE
		}
		return hpkePublic{a, public}, nil
	}
	return nil, nil
}

// hpkePublic is a public key of a KEM.
type hpkePublic struct {
	algorithm Algorithm
	key       hpke.PublicKey
}

func (p hpkePublic) Algorithm() Algorithm { return p.algorithm }

func (p hpkePublic) KeySize() int { return KeySize(p.algorithm) }

func (p hpkePublic) Encrypt(body, aad []byte) (string, error) {
	if len(body) > MaxHPKEPlaintext {
		return "", &TooLongError{MaxHPKEPlaintext}
	}
	enc, sender, err := hpke.NewSender(p.key, hpke.HKDFSHA256(), hpke.AES256GCM(), []byte(Info))
	if err != nil {
		return "", errBadHPKE // a point of low order
	}
	ct, err := sender.Seal(aad, body)
	if err != nil {
		return "", errors.New("encrypting failed")
	}
	return base64.StdEncoding.EncodeToString(append(enc, ct...)), nil
}
