//go:build !openssl || !cgo

package devicekey

import "crypto/rsa"

// Engine names the implementation that decrypts with RSA.
func Engine() string { return goEngine }

// accelerated returns the decrypter of a private key: the key itself.
func accelerated(key *rsa.PrivateKey) (decrypter, error) { return key, nil }
