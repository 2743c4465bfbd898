package service

import (
	"encoding/base64"
	"runtime"
	"testing"
	"time"

	"strongroom/internal/crypto/argon2"
	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/crypto/verifier"
	"strongroom/internal/domain"
)

// BenchmarkVerify is one verify from submission to durable verdict, at the
// default costs, compared with its floor: RSA-3072 decryption and one Argon2id. The
// two are measured in turns, so that a busy machine slows both alike; what the
// service adds is the ratio's distance from 1.
func BenchmarkVerify(b *testing.B) {
	v := openVault(b, func(c *Config) {
		c.KeyBits, c.NewPrivateKey = 3072, devicekey.Generate
		c.Verifier, c.Workers = verifier.DefaultParams, runtime.GOMAXPROCS(0)
	})
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "1357"), "true")
	sub := submission(b, k, domain.TransactionPIN, "1357")
	ciphertext, err := base64.StdEncoding.DecodeString(sub.Ciphertext)
	if err != nil {
		b.Fatal(err)
	}
	var matrix argon2.Matrix
	defer matrix.Release()
	stored := v.stored(k)
	plain, err := v.records.OpenKey(stored)
	if err != nil {
		b.Fatal(err)
	}
	private, err := devicekey.ParseRSA(plain, stored.PublicKey)
	if err != nil {
		b.Fatal(err)
	}
	encoded, err := verifier.New(&matrix, []byte("1357"), verifier.DefaultParams)
	if err != nil {
		b.Fatal(err)
	}
	var whole, primitives time.Duration
	n := 0
	for b.Loop() {
		start := time.Now()
		if ok, err := v.matches(v.ctx, sub); !ok || err != nil {
			b.Fatal(ok, err)
		}
		half := time.Now()
		secret, _, err := devicekey.Open(private, ciphertext, devicekey.DefaultVariants)
		if err != nil {
			b.Fatal(err)
		}
		if ok, err := verifier.Compare(&matrix, encoded, secret); !ok || err != nil {
			b.Fatal(ok, err)
		}
		whole += half.Sub(start)
		primitives += time.Since(half)
		n++
	}
	perOp := func(d time.Duration) float64 { return d.Seconds() * 1000 / float64(n) }
	b.ReportMetric(perOp(whole), "ms/verify")
	b.ReportMetric(perOp(primitives), "ms/primitives")
	b.ReportMetric(whole.Seconds()/primitives.Seconds(), "ratio")
	b.ReportMetric(0, "ns/op") // the sum of both says nothing
}
