package devicekey

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
)

// fakePublic returns a public key of this many bits without a private key.
func fakePublic(bits int, e int64) *rsa.PublicKey {
	n := new(big.Int).Lsh(big.NewInt(1), uint(bits-1))
	return &rsa.PublicKey{N: n.SetBit(n, 0, 1), E: int(e)}
}

func block(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

func spkiPEM(t testing.TB, pub any) string {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(pub)
	if err != nil {
		t.Fatal(err)
	}
	return block("PUBLIC KEY", der)
}

func TestAPublicKeyIsAcceptedAsSPKIAndPKCS1(t *testing.T) {
	pub := &testKey().PublicKey
	spki := spkiPEM(t, pub)
	for name, text := range map[string]string{
		"SPKI":              spki,
		"PKCS#1":            block("RSA PUBLIC KEY", x509.MarshalPKCS1PublicKey(pub)),
		"CRLF":              strings.ReplaceAll(spki, "\n", "\r\n"),
		"white space":       "\n\t " + spki + " \r\n",
		"no end of line":    strings.TrimSpace(spki),
		"long single line":  "-----BEGIN PUBLIC KEY-----\n" + base64.StdEncoding.EncodeToString(mustSPKI(t, testKey())) + "\n-----END PUBLIC KEY-----",
		"smallest exponent": spkiPEM(t, &rsa.PublicKey{N: pub.N, E: 3}),
		"largest exponent":  spkiPEM(t, &rsa.PublicKey{N: pub.N, E: math.MaxInt32}),
		"smallest modulus":  spkiPEM(t, fakePublic(2048, 65537)),
		"largest modulus":   spkiPEM(t, fakePublic(8192, 65537)),
	} {
		got, err := ParsePublic(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := Encrypt(got, []byte("4711")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBadPublicKeysAreRefusedWithTheReason(t *testing.T) {
	pub := &testKey().PublicKey
	spki := spkiPEM(t, pub)
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ed, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		text string
		want PublicKeyError
	}{
		"nothing":             {"", errNotPEM},
		"garbage":             {"hunter2", errNotPEM},
		"bare base64":         {base64.StdEncoding.EncodeToString(mustSPKI(t, testKey())), errNotPEM},
		"text before":         {"key: " + spki, errNotPEM},
		"text after":          {spki + "hunter2", errNotPEM},
		"two blocks":          {spki + spki, errNotPEM},
		"a broken one before": {"-----BEGIN PUBLIC KEY-----\nhunter2\n" + spki, errNotPEM},
		"headers":             {strings.Replace(spki, "-----\n", "-----\nhunter2: x\n\n", 1), errNotPEM},
		"a certificate":       {block("CERTIFICATE", mustSPKI(t, testKey())), errNotPEM},
		"a private key":       {block("PRIVATE KEY", MarshalPrivate(testKey())[1:]), errPrivate},
		"a PKCS#1 private":    {block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(testKey())), errPrivate},
		"garbage inside":      {block("PUBLIC KEY", []byte("hunter2")), errMalformed},
		"garbage inside too":  {block("RSA PUBLIC KEY", []byte("hunter2")), errMalformed},
		"the other type":      {block("RSA PUBLIC KEY", mustSPKI(t, testKey())), errMalformed},
		"bytes behind it":     {block("PUBLIC KEY", append(mustSPKI(t, testKey()), 0)), errMalformed},
		"EC":                  {spkiPEM(t, &ec.PublicKey), errOtherType},
		"Ed25519":             {spkiPEM(t, ed), errOtherType},
		"1024 bits":           {spkiPEM(t, fakePublic(1024, 65537)), errNotRSA},
		"2047 bits":           {spkiPEM(t, fakePublic(2047, 65537)), errNotRSA},
		"8193 bits":           {spkiPEM(t, fakePublic(8193, 65537)), errNotRSA},
		"16384 bits":          {spkiPEM(t, fakePublic(16384, 65537)), errNotRSA},
		"exponent 1":          {spkiPEM(t, fakePublic(2048, 1)), errBadE},
		"even exponent":       {spkiPEM(t, fakePublic(2048, 65536)), errBadE},
		"exponent of 32 bits": {spkiPEM(t, fakePublic(2048, math.MaxInt32+2)), errBadE},
		"even modulus":        {spkiPEM(t, &rsa.PublicKey{N: new(big.Int).Lsh(pub.N, 1), E: 65537}), errBadModulus},
		"too long":            {spki + strings.Repeat("\n", 4096), errTooLong},
	} {
		_, err := ParsePublic(c.text)
		var got PublicKeyError
		if !errors.As(err, &got) || got != c.want {
			t.Errorf("%s: got error %v, want %v", name, err, c.want)
		}
	}
}

func TestCiphertextsOfEncryptCanBeOpened(t *testing.T) {
	for _, body := range []string{"", "4711", strings.Repeat("x", 190)} {
		text, err := Encrypt(&testKey().PublicKey, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		ciphertext, err := DecodeCiphertext(text, 256)
		if err != nil {
			t.Fatal(err)
		}
		plaintext, v, err := Open(testKey(), ciphertext, DefaultVariants)
		if err != nil || string(plaintext) != body || v != SHA256 {
			t.Errorf("got %q by %v, %v", plaintext, v, err)
		}
	}
}

func TestTooLongErrorsGiveTheMaximumForTheKey(t *testing.T) {
	for bits, want := range map[int]int{2048: 190, 3072: 318, 4096: 446} {
		pub := fakePublic(bits, 65537)
		if _, err := Encrypt(pub, make([]byte, want)); err != nil {
			t.Errorf("%d bits, %d bytes: %v", bits, want, err)
		}
		_, err := Encrypt(pub, make([]byte, want+1))
		var tooLong *TooLongError
		if !errors.As(err, &tooLong) || tooLong.Max != want {
			t.Errorf("%d bits: got error %v, want at most %d bytes", bits, err, want)
		}
	}
}

func FuzzParsePublic(f *testing.F) {
	f.Add("")
	f.Add(spkiPEM(f, fakePublic(2048, 3)))
	f.Add(block("RSA PUBLIC KEY", x509.MarshalPKCS1PublicKey(fakePublic(2048, 65537))))
	f.Add(spkiPEM(f, fakePublic(1024, 65537)))
	f.Add("-----BEGIN PUBLIC KEY-----\n-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----")
	f.Fuzz(func(t *testing.T, text string) {
		pub, err := ParsePublic(text)
		if err != nil {
			var refusal PublicKeyError
			if pub != nil || !errors.As(err, &refusal) || !strings.HasPrefix(err.Error(), "must ") {
				t.Errorf("a refusal is %v, want a PublicKeyError alone", err)
			}
			return
		}
		if bits := pub.N.BitLen(); bits < 2048 || bits > 8192 || pub.E < 3 {
			t.Errorf("accepted %d bits, e = %d", bits, pub.E)
		}
		if _, err := Encrypt(pub, []byte("4711")); err != nil {
			t.Errorf("accepted a key that cannot encrypt: %v", err)
		}
		spki, err := MarshalPublic(pub)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParsePublic(PEM(spki))
		if err != nil || !again.Equal(pub) {
			t.Errorf("it does not survive our own encoding: %v", err)
		}
	})
}
