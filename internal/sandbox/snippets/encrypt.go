// Command encrypt encrypts standard input for Strongroom:
// printf %s 493817 | go run encrypt.go public.pem
package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
)

func encrypt(secret, publicKey []byte) (string, error) {
	block, _ := pem.Decode(publicKey)
	if block == nil {
		return "", errors.New("the public key is no PEM")
	}
	key, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return "", err
	}
	// SHA-256 for hash and MGF1, with an empty label.
	ciphertext, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, key.(*rsa.PublicKey), secret, nil)
	if err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(ciphertext), nil
}

func main() {
	publicKey, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	secret, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	encrypted, err := encrypt(secret, publicKey)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(encrypted)
}
