package seal

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"testing"
)

// The sizes are those of a key row's MAC, an attempt counter, a verifier and a
// private key of 3072 bits. The last of each is the bare primitive.
func BenchmarkSeal(b *testing.B) {
	k, err := NewKeyset()
	if err != nil {
		b.Fatal(err)
	}
	for name, size := range map[string]int{"verifier": 97, "private key": 385} {
		plaintext, ad := make([]byte, size), make([]byte, 120)
		sealed, err := k.Seal(plaintext, ad)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("Seal/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := k.Seal(plaintext, ad); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("Open/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := k.Open(sealed, ad); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMAC(b *testing.B) {
	k, err := NewKeyset()
	if err != nil {
		b.Fatal(err)
	}
	for _, size := range []int{36, 300, 1100} {
		data := make([]byte, size)
		rand.Read(data)
		mac := k.MAC("benchmark v1", data)
		run := func(name string, f func()) {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
		run("MAC", func() { k.MAC("benchmark v1", data) })
		run("VerifyMAC", func() { k.VerifyMAC("benchmark v1", data, mac) })
		run("Hash", func() { k.Hash("benchmark v1", data) })
		key := make([]byte, 32)
		run("bare", func() {
			h := hmac.New(sha256.New, key)
			h.Write(data)
			h.Sum(nil)
		})
	}
}
