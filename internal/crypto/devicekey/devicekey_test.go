package devicekey

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"strings"
	"sync"
	"testing"
)

// Two keys for all tests: making one takes longer than most tests.
var (
	testKey  = sync.OnceValue(func() *rsa.PrivateKey { return newTestKey(2048) })
	otherKey = sync.OnceValue(func() *rsa.PrivateKey { return newTestKey(2048) })
)

func newTestKey(bits int) *rsa.PrivateKey {
	key, err := Generate(bits)
	if err != nil {
		panic(err)
	}
	return key
}

func mustSPKI(t testing.TB, key *rsa.PrivateKey) []byte {
	t.Helper()
	spki, err := MarshalPublic(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	return spki
}

func TestAGeneratedKeyHasTheSizeAndExponentAskedFor(t *testing.T) {
	key, err := Generate(3072)
	if err != nil {
		t.Fatal(err)
	}
	if key.N.BitLen() != 3072 || key.E != 65537 || len(key.Primes) != 2 {
		t.Errorf("got %d bits, e = %d, %d primes", key.N.BitLen(), key.E, len(key.Primes))
	}
	for _, bits := range []int{0, -1, 1024, 2047, 2049, 8192, 1 << 30} {
		if _, err := Generate(bits); err == nil {
			t.Errorf("a key of %d bits was generated", bits)
		}
	}
}

func TestAPublicKeyIsPEMWithLinesOf64Characters(t *testing.T) {
	spki := mustSPKI(t, testKey())
	text := PEM(spki)
	lines := strings.Split(text, "\n")
	if lines[0] != "-----BEGIN PUBLIC KEY-----" || lines[len(lines)-2] != "-----END PUBLIC KEY-----" || lines[len(lines)-1] != "" {
		t.Errorf("not a PUBLIC KEY block with an LF at its end: %q", text)
	}
	for _, line := range lines[1 : len(lines)-3] {
		if len(line) != 64 {
			t.Errorf("a line has %d characters, want 64", len(line))
		}
	}
	pub, err := ParsePublic(text)
	if err != nil || !pub.Equal(&testKey().PublicKey) {
		t.Errorf("it reads back as another key (%v)", err)
	}
}

func TestThePEMMatchesTheStandardLibrary(t *testing.T) {
	for n := range 200 {
		spki := bytes.Repeat([]byte{byte(n)}, n)
		if got, want := PEM(spki), string(pem.EncodeToMemory(&pem.Block{Type: pemSPKI, Bytes: spki})); got != want {
			t.Errorf("%d bytes:\n%s\nwant\n%s", n, got, want)
		}
	}
}

func TestThePKCS1FormIsTheSameKey(t *testing.T) {
	text, err := PKCS1(mustSPKI(t, testKey()))
	if err != nil {
		t.Fatal(err)
	}
	der, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	pub, err := x509.ParsePKCS1PublicKey(der)
	if err != nil || !pub.Equal(&testKey().PublicKey) {
		t.Errorf("it reads back as another key (%v)", err)
	}
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ecSPKI, err := x509.MarshalPKIXPublicKey(&ec.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	for name, spki := range map[string][]byte{"nothing": nil, "garbage": []byte("garbage"), "an EC key": ecSPKI} {
		if _, err := PKCS1(spki); err == nil {
			t.Errorf("%s has a PKCS#1 form", name)
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	for b.Loop() {
		if _, err := Generate(3072); err != nil {
			b.Fatal(err)
		}
	}
}
