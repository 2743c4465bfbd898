//go:build !openssl || !cgo

package devicekey

import "crypto/rsa"

// Engine is what decrypts with RSA, with its version.
func Engine() string { return goEngine }

// accelerated returns what decrypts with a private key: the key itself.
func accelerated(key *rsa.PrivateKey) (decrypter, error) { return key, nil }
