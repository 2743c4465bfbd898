package sandbox

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/sha256"

	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/nacl/box"

	"strongroom/internal/crypto/devicekey"
)

var x25519 = ecdh.X25519()

// withoutHPKE opens ciphertexts of clients that agree on a key with X25519 and
// encrypt directly with it. how says in which way.
func (e *examination) withoutHPKE(b []byte) (how string, message []byte, ok bool) {
	const point = 32
	if e.key.algorithm != devicekey.HPKEX25519 || len(b) < point+tagSize {
		return "", nil, false
	}
	serialized, err := e.key.hpke.Bytes()
	if err != nil {
		return "", nil, false
	}
	private := must(x25519.NewPrivateKey(serialized))
	if message, ok := box.OpenAnonymous(nil, b, (*[32]byte)(private.PublicKey().Bytes()), (*[32]byte)(serialized)); ok {
		return "crypto_box_seal of libsodium", message, true
	}
	ephemeral, err := x25519.NewPublicKey(b[:point])
	if err != nil {
		return "", nil, false
	}
	shared, err := private.ECDH(ephemeral)
	if err != nil {
		return "", nil, false // the point has low order
	}
	hashed := sha256.Sum256(shared)
	derive := func(salt []byte, info string) []byte { return must(hkdf.Key(sha256.New, shared, salt, info, 32)) }
	keys := []struct {
		name string
		key  []byte
	}{
		{"the shared secret as the key", shared},
		{"the SHA-256 of the shared secret as the key", hashed[:]},
		{"a key that plain HKDF-SHA256 derived", derive(nil, "")},
		{"a key that plain HKDF-SHA256 derived", derive(nil, devicekey.Info)},
		{"a key that plain HKDF-SHA256 derived", derive([]byte(devicekey.Info), "")},
	}
	tries := append([]aad{{}, {text: string(b[:point])}}, aads(e.key.id, nil)[:len(purposes)]...)
	for _, k := range keys {
		if name, message, ok := openDirectly(k.key, b[point:], tries); ok {
			return name + " and " + k.name, message, true
		}
	}
	return "", nil, false
}

// openDirectly tries AEADs, with a nonce of zeros and with a nonce before the
// ciphertext.
func openDirectly(key, b []byte, tries []aad) (name string, message []byte, ok bool) {
	gcm := func(key []byte) cipher.AEAD { return must(cipher.NewGCM(must(aes.NewCipher(key)))) }
	for _, a := range []struct {
		name string
		cipher.AEAD
	}{
		{"AES-256-GCM", gcm(key)}, {"AES-128-GCM", gcm(key[:16])}, {"ChaCha20-Poly1305", must(chacha20poly1305.New(key))},
	} {
		n := a.NonceSize()
		for _, t := range tries {
			if message, err := a.Open(nil, make([]byte, n), b, []byte(t.text)); err == nil {
				return a.name, message, true
			}
			if len(b) < n {
				continue
			}
			if message, err := a.Open(nil, b[:n], b[n:], []byte(t.text)); err == nil {
				return a.name, message, true
			}
		}
	}
	return "", nil, false
}
