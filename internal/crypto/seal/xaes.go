package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"

	"github.com/tink-crypto/tink-go/v2/aead/xaesgcm"
	"github.com/tink-crypto/tink-go/v2/insecuresecretdataaccess"
	"github.com/tink-crypto/tink-go/v2/key"
)

// xaes is XAES-256-GCM (https://c2sp.org/XAES-256-GCM) under one key, in the format of
// Tink: the nonce, then the output of AES-GCM. The first half of the nonce derives a key
// for this one message, by AES-CMAC in counter mode (NIST SP 800-108). The second half
// is the nonce of AES-GCM. Go's cryptographic module generates it, as FIPS 140 requires.
// Tink's implementation passes a nonce to AES-GCM, which is not approved, so it is not
// used.
//
// It is safe for concurrent use.
type xaes struct {
	block  cipher.Block
	subkey [aes.BlockSize]byte // K1 of CMAC
}

const (
	xaesKeySize  = 32
	xaesSaltSize = 12
)

func newXAES(key []byte) (*xaes, error) {
	if len(key) != xaesKeySize {
		return nil, errors.New("XAES-256-GCM needs a key of 32 bytes")
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	x := &xaes{block: block}
	block.Encrypt(x.subkey[:], x.subkey[:])
	var carry byte
	for i := len(x.subkey) - 1; i >= 0; i-- {
		x.subkey[i], carry = x.subkey[i]<<1|carry, x.subkey[i]>>7
	}
	x.subkey[len(x.subkey)-1] ^= carry * 0x87
	return x, nil
}

// xaesOf returns the AEAD of a key in a Tink keyset. It accepts all keys that any version
// of this package has made.
func xaesOf(k key.Key) (*xaes, error) {
	secret, ok := k.(*xaesgcm.Key)
	if ok {
		params, is := secret.Parameters().(*xaesgcm.Parameters)
		ok = is && params.Variant() == xaesgcm.VariantTink && params.SaltSizeInBytes() == xaesSaltSize
	}
	if !ok {
		return nil, errors.New("one is not for XAES-256-GCM")
	}
	raw := secret.KeyBytes().Data(insecuresecretdataaccess.Token{})
	defer clear(raw)
	return newXAES(raw)
}

// Encrypt encrypts plaintext and binds it to associatedData. The result is 40 bytes
// longer than plaintext.
func (x *xaes) Encrypt(plaintext, associatedData []byte) ([]byte, error) {
	return x.seal(make([]byte, 0, xaesOverhead+len(plaintext)), plaintext, associatedData)
}

// xaesOverhead is the size of nonce and tag.
const xaesOverhead = 24 + 16

func (x *xaes) seal(out, plaintext, associatedData []byte) ([]byte, error) {
	begin := len(out)
	out = append(out, make([]byte, xaesSaltSize)...)
	rand.Read(out[begin:]) // never fails
	gcm, err := x.derive(out[begin:])
	if err != nil {
		return nil, err
	}
	return gcm.Seal(out, nil, plaintext, associatedData), nil //nolint:gosec // gcm generates the nonce
}

// Decrypt decrypts what Encrypt returned for the same associatedData.
func (x *xaes) Decrypt(sealed, associatedData []byte) ([]byte, error) {
	if len(sealed) < xaesOverhead {
		return nil, ErrSeal
	}
	gcm, err := x.derive(sealed[:xaesSaltSize])
	if err != nil {
		return nil, err
	}
	return gcm.Open(nil, nil, sealed[xaesSaltSize:], associatedData)
}

// derive returns the AES-GCM for one message.
func (x *xaes) derive(salt []byte) (cipher.AEAD, error) {
	var derived [xaesKeySize]byte
	defer clear(derived[:])
	for i := range 2 {
		half := derived[i*aes.BlockSize:][:aes.BlockSize]
		copy(half, []byte{0, byte(i + 1), 'X', 0})
		copy(half[4:], salt)
		for j := range half {
			half[j] ^= x.subkey[j]
		}
		x.block.Encrypt(half, half)
	}
	block, err := aes.NewCipher(derived[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
