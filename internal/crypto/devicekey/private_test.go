package devicekey

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"reflect"
	"slices"
	"sync"
	"testing"
)

// privateVector is a key pair of OpenSSL's making in both stored forms, and
// OpenSSL's encryption of "1234" under it. Format 2 was put together from the
// numbers that "openssl pkey -text" shows.
type privateVector struct {
	Bits                               int
	SPKI, Format1, Format2, Ciphertext []byte
}

func privateVectors(t testing.TB) []privateVector {
	t.Helper()
	text, err := os.ReadFile("testdata/private-keys.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []privateVector
	if err := json.Unmarshal(text, &vectors); err != nil {
		t.Fatal(err)
	}
	return vectors
}

// mustBeUsable fails unless key is that of the vector, complete, and ready to be used
// without further computation.
func mustBeUsable(t testing.TB, key *rsa.PrivateKey, want *rsa.PublicKey) {
	t.Helper()
	if !key.PublicKey.Equal(want) {
		t.Error("it is another key")
	}
	// Where crypto/rsa keeps what it makes of the numbers.
	if reflect.ValueOf(key.Precomputed).FieldByName("fips").IsNil() {
		t.Error("crypto/rsa computes its numbers again for each use")
	}
	phi := new(big.Int).Mul(minus1(key.Primes[0]), minus1(key.Primes[1]))
	e := big.NewInt(int64(key.E))
	for name, of := range map[string]struct{ got, modulus *big.Int }{
		"d":  {new(big.Int).Mod(key.D, lambda(key)), lambda(key)},
		"dP": {key.Precomputed.Dp, minus1(key.Primes[0])},
		"dQ": {key.Precomputed.Dq, minus1(key.Primes[1])},
	} {
		if of.got.Cmp(new(big.Int).ModInverse(e, of.modulus)) != 0 {
			t.Errorf("%s is not 1/e", name)
		}
	}
	if key.D.Cmp(phi) >= 0 {
		t.Error("d is larger than it need be")
	}
	if key.Precomputed.Qinv.Cmp(new(big.Int).ModInverse(key.Primes[1], key.Primes[0])) != 0 {
		t.Error("qInv is not 1/q")
	}
}

func minus1(n *big.Int) *big.Int { return new(big.Int).Sub(n, big.NewInt(1)) }

func lambda(key *rsa.PrivateKey) *big.Int {
	p, q := minus1(key.Primes[0]), minus1(key.Primes[1])
	return new(big.Int).Div(new(big.Int).Mul(p, q), new(big.Int).GCD(nil, nil, p, q))
}

func TestBothStoredFormsOfAPrivateKeyAreTheSameKey(t *testing.T) {
	vectors := privateVectors(t)
	if len(vectors) != 3 {
		t.Fatalf("%d vectors, want one of each size", len(vectors))
	}
	for _, v := range vectors {
		pub, err := parseSPKI(v.SPKI)
		if err != nil || pub.N.BitLen() != v.Bits {
			t.Fatal(v.Bits, err)
		}
		for format, plain := range map[int][]byte{1: v.Format1, 2: v.Format2} {
			t.Run(fmt.Sprintf("%d bits, format %d", v.Bits, format), func(t *testing.T) {
				key, err := ParseRSA(plain, v.SPKI)
				if err != nil {
					t.Fatal(err)
				}
				mustBeUsable(t, key, pub)
				if got, variant, err := Open(key, v.Ciphertext, DefaultVariants); string(got) != "1234" || variant != SHA256 || err != nil {
					t.Errorf("it opens OpenSSL's ciphertext to %q, %v, %v", got, variant, err)
				}
				if !bytes.Equal(MarshalPrivate(key), v.Format2) {
					t.Error("it is stored in another form than format 2")
				}
			})
		}
	}
}

func TestAPrivateKeyParsesOnlyWithItsOwnPublicKey(t *testing.T) {
	for _, bits := range []int{2048, 3072} {
		original := newTestKey(bits)
		plain := MarshalPrivate(original)
		if len(plain) != 1+bits/8 || plain[0] != 2 {
			t.Errorf("%d bytes of format %d", len(plain), plain[0])
		}
		key, err := ParseRSA(plain, mustSPKI(t, original))
		if err != nil {
			t.Fatal(err)
		}
		mustBeUsable(t, key, &original.PublicKey)
		if _, err := ParseRSA(plain, mustSPKI(t, otherKey())); !errors.Is(err, ErrMismatch) {
			t.Errorf("beside a foreign public key: got error %v, want ErrMismatch", err)
		}
	}
}

// Every byte of both numbers counts: what is not the stored key's is refused.
func TestAChangedPrivateKeyIsRefused(t *testing.T) {
	key := testKey()
	plain, spki := MarshalPrivate(key), mustSPKI(t, key)
	half := key.Size() / 2
	change := func(f func(b []byte)) []byte {
		b := bytes.Clone(plain)
		f(b)
		return b
	}
	forms := map[string][]byte{
		"halves exchanged": slices.Concat(plain[:1], plain[1+half:], plain[1:1+half]),
		"p is zero":        change(func(b []byte) { clear(b[1 : 1+half]) }),
		"p is one":         change(func(b []byte) { clear(b[1:half]); b[half] = 1 }),
		"p is all ones":    change(func(b []byte) { copy(b[1:], bytes.Repeat([]byte{0xff}, half)) }),
		"p is even":        change(func(b []byte) { b[half] &^= 1 }),
		"p is q":           change(func(b []byte) { key.Primes[1].FillBytes(b[1 : 1+half]) }),
		"p is another's":   change(func(b []byte) { otherKey().Primes[0].FillBytes(b[1 : 1+half]) }),
		"the inverse is 0": change(func(b []byte) { clear(b[1+half:]) }),
		"the inverse plus p": change(func(b []byte) {
			sum := new(big.Int).Add(key.Precomputed.Qinv, key.Primes[0])
			sum.SetBit(sum, 8*half, 0).FillBytes(b[1+half:])
		}),
		"shorter":            slices.Concat(plain[:half], plain[1+half:len(plain)-1]),
		"longer":             slices.Concat(plain[:1], []byte{0}, plain[1:1+half], []byte{0}, plain[1+half:]),
		"an inverse less":    plain[:1+half],
		"format 1 beside it": append([]byte{1}, mustPKCS8(t, otherKey())...),
	}
	for i := 1; i < len(plain); i += 37 {
		forms[fmt.Sprintf("byte %d", i)] = change(func(b []byte) { b[i] ^= 0x10 })
	}
	for name, form := range forms {
		if _, err := ParseRSA(form, spki); !errors.Is(err, ErrMismatch) {
			t.Errorf("%s: got error %v, want ErrMismatch", name, err)
		}
	}
}

func TestAPrivateKeyBesideADamagedPublicKeyIsRefused(t *testing.T) {
	key := testKey()
	cubed := key.PublicKey
	cubed.E = 3
	small := rsa.PublicKey{N: big.NewInt(15), E: publicExponent}
	spkis := map[string][]byte{"no": nil, "a cut": mustSPKI(t, key)[:40]}
	for name, pub := range map[string]*rsa.PublicKey{"another exponent's": &cubed, "a tiny": &small} {
		spki, err := MarshalPublic(pub)
		if err != nil {
			t.Fatal(err)
		}
		spkis[name] = spki
	}
	for name, spki := range spkis {
		for _, plain := range [][]byte{MarshalPrivate(key), append([]byte{1}, mustPKCS8(t, key)...)} {
			if _, err := ParseRSA(plain, spki); !errors.Is(err, ErrMismatch) {
				t.Errorf("format %d beside %s public key: got error %v, want ErrMismatch", plain[0], name, err)
			}
		}
	}
}

func mustPKCS8(t testing.TB, key any) []byte {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func TestMalformedPrivateKeysAreRefused(t *testing.T) {
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	first, second := append([]byte{1}, mustPKCS8(t, testKey())...), MarshalPrivate(testKey())
	for name, b := range map[string][]byte{
		"nothing":               nil,
		"a format byte":         {1},
		"another format byte":   {2},
		"format 2 as 1":         append([]byte{1}, second[1:]...),
		"a future format":       append([]byte{3}, second[1:]...),
		"a cut key of format 1": first[:len(first)-1],
		"a cut key of format 2": second[:len(second)-1],
		"an EC key":             append([]byte{1}, mustPKCS8(t, ec)...),
	} {
		if _, err := ParseRSA(b, mustSPKI(t, testKey())); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: got error %v, want ErrFormat", name, err)
		}
	}
}

// made returns a key of these primes that crypto/rsa accepts.
func made(t testing.TB, e int64, p, q *big.Int) *rsa.PrivateKey {
	t.Helper()
	d := new(big.Int).ModInverse(big.NewInt(e), new(big.Int).Mul(minus1(p), minus1(q)))
	if d == nil {
		t.Fatalf("%d has no inverse for these primes", e)
	}
	key := &rsa.PrivateKey{PublicKey: rsa.PublicKey{N: new(big.Int).Mul(p, q), E: int(e)}, D: d, Primes: []*big.Int{p, q}}
	key.Precompute()
	if err := key.Validate(); err != nil {
		t.Fatal(err)
	}
	return key
}

func mustPrime(t testing.TB, bits int) *big.Int {
	t.Helper()
	for { // about one prime in 65537 is of no use: the exponent divides p - 1
		p, err := rand.Prime(rand.Reader, bits)
		if err != nil {
			t.Fatal(err)
		}
		if new(big.Int).Mod(minus1(p), big.NewInt(publicExponent)).Sign() != 0 {
			return p
		}
	}
}

func TestAKeyThatWouldNotParseIsNeverMarshalled(t *testing.T) {
	good, other := testKey(), otherKey()
	for name, key := range map[string]*rsa.PrivateKey{
		"numbers of another key":   {PublicKey: good.PublicKey, D: other.D, Primes: other.Primes},
		"no precomputed numbers":   {PublicKey: good.PublicKey, D: good.D, Primes: good.Primes},
		"precomputed of another":   {PublicKey: good.PublicKey, D: good.D, Primes: good.Primes, Precomputed: other.Precomputed},
		"no primes":                {PublicKey: good.PublicKey, D: good.D},
		"primes exchanged":         {PublicKey: good.PublicKey, D: good.D, Primes: []*big.Int{good.Primes[1], good.Primes[0]}, Precomputed: good.Precomputed},
		"another exponent":         made(t, 1<<31-1, good.Primes[0], good.Primes[1]),
		"primes of different size": made(t, publicExponent, mustPrime(t, 1000), mustPrime(t, 1048)),
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: it was marshalled", name)
				}
			}()
			MarshalPrivate(key)
		}()
	}
}

func TestAWipedKeyHoldsNoneOfItsNumbers(t *testing.T) {
	v := privateVectors(t)[0]
	key, err := ParseRSA(v.Format2, v.SPKI)
	if err != nil {
		t.Fatal(err)
	}
	numbers := map[string]*big.Int{"d": key.D, "p": key.Primes[0], "q": key.Primes[1],
		"dP": key.Precomputed.Dp, "dQ": key.Precomputed.Dq, "qInv": key.Precomputed.Qinv}
	Wipe(key)
	for name, n := range numbers {
		if words := n.Bits(); slices.ContainsFunc(words, func(w big.Word) bool { return w != 0 }) || len(words) == 0 {
			t.Errorf("%s is still there, or was not", name)
		}
	}
	Wipe(&rsa.PrivateKey{}) // nothing to wipe
}

// The arithmetic is compared with math/big, for numbers of every length, also with words
// of all zeros and all ones, which keys hardly ever have.
func TestTheWordArithmeticAgreesWithBigNumbers(t *testing.T) {
	e := big.NewInt(publicExponent)
	for length := 1; length <= 32; length++ {
		for range 50 {
			p, q := awkward(length), awkward(length)
			n := new(big.Int).Mul(p, q)
			words := slices.Concat(n.Bits(), make([]big.Word, 2*length-len(n.Bits())))
			if got := new(big.Int).SetBits(quotient(words, p.Bits())); got.Cmp(q) != 0 {
				t.Fatalf("%x / %x = %x", n, p, got)
			}
			want := new(big.Int).Mul(minus1(p), minus1(q))
			if got := new(big.Int).SetBits(totient(words, p.Bits(), q.Bits())); got.Cmp(want) != 0 {
				t.Fatalf("(%x - 1) * (%x - 1) = %x", p, q, got)
			}
			for _, m := range []*big.Int{p, want, minus1(p)} {
				inv := new(big.Int).ModInverse(e, m)
				if m.Cmp(big.NewInt(1)) <= 0 || inv == nil {
					continue
				}
				if got := new(big.Int).SetBits(inverse(m.Bits())); got.Cmp(inv) != 0 {
					t.Fatalf("1/e mod %x = %x, want %x", m, got, inv)
				}
			}
		}
	}
}

// awkward is an odd number of this many words.
func awkward(length int) *big.Int {
	random := make([]byte, length)
	rand.Read(random)
	words := make([]big.Word, length)
	for i, b := range random {
		switch b % 4 {
		case 0: // stays zero
		case 1:
			words[i] = ^big.Word(0)
		default:
			words[i] = ^big.Word(0) / big.Word(b)
		}
	}
	words[0] |= 1
	words[length-1] |= 1 << 16
	return new(big.Int).SetBits(words)
}

func FuzzParsePrivate(f *testing.F) {
	for _, v := range privateVectors(f) {
		f.Add(v.Format1, v.SPKI)
		f.Add(v.Format2, v.SPKI)
	}
	f.Add([]byte{2, 3, 2}, []byte{})
	f.Fuzz(func(t *testing.T, plain, spki []byte) {
		key, err := ParseRSA(plain, spki)
		if err != nil {
			if !errors.Is(err, ErrFormat) && !errors.Is(err, ErrMismatch) {
				t.Errorf("got error %v", err)
			}
			return
		}
		pub, err := parseSPKI(spki)
		if err != nil || !key.PublicKey.Equal(pub) {
			t.Error("it is not the stored public key's")
		}
		if plain[0] == formatPrime && !bytes.Equal(MarshalPrivate(key), plain) {
			t.Error("two plaintexts are one key")
		}
	})
}

// benchmarkSizes runs f with a key of each size.
func benchmarkSizes(b *testing.B, f func(b *testing.B, key *rsa.PrivateKey)) {
	for _, bits := range []int{2048, 3072, 4096} {
		b.Run(fmt.Sprint(bits), func(b *testing.B) { f(b, benchmarkKeys[bits]()) })
	}
}

var benchmarkKeys = map[int]func() *rsa.PrivateKey{
	2048: testKey,
	3072: sync.OnceValue(func() *rsa.PrivateKey { return newTestKey(3072) }),
	4096: sync.OnceValue(func() *rsa.PrivateKey { return newTestKey(4096) }),
}

// Loading a private key from each stored form, and the part of it that
// crypto/rsa takes when it is given all numbers.
func BenchmarkLoad(b *testing.B) {
	benchmarkSizes(b, func(b *testing.B, key *rsa.PrivateKey) {
		spki := mustSPKI(b, key)
		load := func(plain []byte) func(*testing.B) {
			return func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, err := ParseRSA(plain, spki); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(plain)), "stored-bytes")
			}
		}
		b.Run("format=1", load(append([]byte{1}, mustPKCS8(b, key)...)))
		b.Run("format=2", load(MarshalPrivate(key)))
		b.Run("precompute", func(b *testing.B) {
			for b.Loop() {
				bare := rsa.PrivateKey{PublicKey: key.PublicKey, D: key.D, Primes: key.Primes}
				bare.Precomputed.Dp, bare.Precomputed.Dq, bare.Precomputed.Qinv = key.Precomputed.Dp, key.Precomputed.Dq, key.Precomputed.Qinv
				bare.Precompute()
			}
		})
	})
}

// Opening a ciphertext of the first variant with a key as it was generated and
// as it was loaded: they must cost the same.
func BenchmarkOpenLoaded(b *testing.B) {
	benchmarkSizes(b, func(b *testing.B, key *rsa.PrivateKey) {
		text, err := Encrypt(&key.PublicKey, []byte("123456"))
		if err != nil {
			b.Fatal(err)
		}
		ciphertext, err := DecodeCiphertext(text, key.Size())
		if err != nil {
			b.Fatal(err)
		}
		loaded, err := ParseRSA(MarshalPrivate(key), mustSPKI(b, key))
		if err != nil {
			b.Fatal(err)
		}
		for name, key := range map[string]*rsa.PrivateKey{"generated": key, "loaded": loaded} {
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if _, _, err := Open(key, ciphertext, DefaultVariants); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	})
}
