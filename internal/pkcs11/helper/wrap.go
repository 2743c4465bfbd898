//go:build cgo && linux

package helper

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1" //nolint:gosec // only if the operator says that the token has no other
	"crypto/sha256"
	"hash"
	"math/big"

	p11 "github.com/miekg/pkcs11"

	"strongroom/internal/pkcs11"
)

// The first byte of a wrap.
const (
	formAES    = 1 // then the length of the nonce, the nonce, AES-256-GCM with the associated data
	formSHA256 = 2 // then RSA-OAEP with SHA-256 of the associated data's SHA-256 and the data
	formSHA1   = 3 // the same with RSA-OAEP with SHA-1
)

// The sizes of GCM. Root keys wrap rarely, so random nonces of 96 bits do not repeat.
const (
	nonceBytes = 12
	tagBits    = 128
)

func (k *key) wrap(plain, bound []byte) ([]byte, error) {
	if k.rsa != nil {
		return k.rsa.wrap(plain, bound)
	}
	nonce := make([]byte, nonceBytes)
	rand.Read(nonce) // never fails
	params := p11.NewGCMParams(nonce, bound, tagBits)
	defer params.Free()
	if err := k.module.EncryptInit(k.session, gcm(params), k.object); err != nil {
		return nil, failure("C_EncryptInit with AES-GCM", err)
	}
	sealed, err := k.module.Encrypt(k.session, plain)
	if err != nil {
		return nil, failure("C_Encrypt with AES-GCM", err)
	}
	if used := params.IV(); len(used) > 0 && len(used) < 1<<8 { // some HSMs choose it
		nonce = used
	}
	return append(append([]byte{formAES, byte(len(nonce))}, nonce...), sealed...), nil //nolint:gosec // under 256, as checked above
}

func (k *key) unwrap(wrapped, bound []byte) ([]byte, error) {
	if k.rsa != nil {
		return k.unwrapRSA(wrapped, bound)
	}
	if len(wrapped) < 2 || wrapped[0] != formAES {
		return nil, fail(pkcs11.WrongKey, "the data was not wrapped by an AES key")
	}
	end := 2 + int(wrapped[1]) // of the nonce
	if len(wrapped) < end {
		return nil, fail(pkcs11.WrongKey, "the data is too short for its nonce")
	}
	nonce, sealed := wrapped[2:end], wrapped[end:]
	params := p11.NewGCMParams(nonce, bound, tagBits)
	defer params.Free()
	if err := k.module.DecryptInit(k.session, gcm(params), k.object); err != nil {
		return nil, failure("C_DecryptInit with AES-GCM", err)
	}
	plain, err := k.module.Decrypt(k.session, sealed)
	if err != nil {
		return nil, failure("C_Decrypt with AES-GCM", err)
	}
	return plain, nil
}

func gcm(params *p11.GCMParams) []*p11.Mechanism {
	return []*p11.Mechanism{p11.NewMechanism(p11.CKM_AES_GCM, params)}
}

// rsaKey is the public key, which wraps in this process, and the parameters with which
// the token unwraps.
type rsaKey struct {
	public *rsa.PublicKey
	form   byte
	hash   func() hash.Hash
	params *p11.OAEPParams
}

func newRSAKey(modulus *big.Int, e int, withSHA1 bool) *rsaKey {
	public := &rsa.PublicKey{N: modulus, E: e}
	if withSHA1 {
		return &rsaKey{public, formSHA1, sha1.New, p11.NewOAEPParams(p11.CKM_SHA_1, p11.CKG_MGF1_SHA1, p11.CKZ_DATA_SPECIFIED, nil)}
	}
	return &rsaKey{public, formSHA256, sha256.New, p11.NewOAEPParams(p11.CKM_SHA256, p11.CKG_MGF1_SHA256, p11.CKZ_DATA_SPECIFIED, nil)}
}

// wrap encrypts with the public key. Not every token can bind a label, so the SHA-256
// of the associated data goes before the data.
func (r *rsaKey) wrap(plain, bound []byte) ([]byte, error) {
	sum := sha256.Sum256(bound)
	text := append(sum[:], plain...)
	defer clear(text)
	sealed, err := rsa.EncryptOAEP(r.hash(), rand.Reader, r.public, text, nil)
	if err != nil {
		return nil, fail(pkcs11.WrongKind, "RSA-OAEP encryption: %v", err)
	}
	return append([]byte{r.form}, sealed...), nil
}

func (k *key) unwrapRSA(wrapped, bound []byte) ([]byte, error) {
	if len(wrapped) == 0 || wrapped[0] != k.rsa.form {
		return nil, fail(pkcs11.WrongKey, "the data was not wrapped by an RSA key with this hash")
	}
	mechanism := []*p11.Mechanism{p11.NewMechanism(p11.CKM_RSA_PKCS_OAEP, k.rsa.params)}
	if err := k.module.DecryptInit(k.session, mechanism, k.object); err != nil {
		return nil, k.rsa.failure("C_DecryptInit", err)
	}
	text, err := k.module.Decrypt(k.session, wrapped[1:])
	if err != nil {
		return nil, k.rsa.failure("C_Decrypt", err)
	}
	defer clear(text)
	sum := sha256.Sum256(bound)
	if len(text) < len(sum) || !hmac.Equal(text[:len(sum)], sum[:]) {
		return nil, fail(pkcs11.WrongKey, "the data was wrapped for another purpose")
	}
	return bytes.Clone(text[len(sum):]), nil
}

// failure distinguishes a token that supports OAEP only with SHA-1 from one without
// OAEP.
func (r *rsaKey) failure(call string, err error) error {
	for _, rv := range []uint{p11.CKR_MECHANISM_PARAM_INVALID, p11.CKR_ARGUMENTS_BAD} {
		if r.form == formSHA256 && isRV(err, rv) {
			return fail(pkcs11.NoSHA256, "the token refuses RSA-OAEP with SHA-256 (%s: %v)", call, err)
		}
	}
	return failure(call+" with RSA-OAEP", err)
}
