package main

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/fips140"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"math/big"

	"strongroom/internal/config"
)

// startFIPS runs the self-tests of the FIPS 140-3 module and logs its version. The
// module has already checked its own integrity. A failed self-test ends the process.
func startFIPS(log *slog.Logger) error {
	if !fips140.Enabled() {
		return nil
	}
	if err := runLateSelfTests(); err != nil {
		return fmt.Errorf("self-tests of the FIPS 140-3 module: %w", err)
	}
	log.Info("FIPS mode: the module's integrity check and self-tests passed", "module", fips140.Version(),
		"frozen", config.FIPSBuild(), "only", fips140.Enforced())
	return nil
}

// runLateSelfTests uses the algorithms whose self-tests the module runs at their first
// use, so that a failure stops the start and not a request. The other self-tests ran
// when the process started.
func runLateSelfTests() error {
	modulus := new(big.Int).Lsh(big.NewInt(1), 2048)
	_, err1 := rsa.EncryptOAEP(sha256.New(), rand.Reader, &rsa.PublicKey{N: modulus.Sub(modulus, big.NewInt(1)), E: 65537}, nil, nil)
	private, err2 := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err2 == nil {
		_, err2 = ecdsa.SignASN1(rand.Reader, private, make([]byte, sha256.Size))
	}
	_, _, err3 := ed25519.GenerateKey(rand.Reader)
	return errors.Join(err1, err2, err3)
}
