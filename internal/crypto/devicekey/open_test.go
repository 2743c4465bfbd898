package devicekey

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"io"
	"math"
	"math/big"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func mustEncrypt(t testing.TB, v Variant, plaintext string) []byte {
	t.Helper()
	ciphertext, err := rsa.EncryptOAEPWithOptions(rand.Reader, &testKey().PublicKey, []byte(plaintext), v.options())
	if err != nil {
		t.Fatal(err)
	}
	return ciphertext
}

// engineKey is testKey as the build decrypts with it.
var engineKey = sync.OnceValue(func() decrypter {
	key, err := accelerated(testKey())
	if err != nil {
		panic(err)
	}
	return key
})

func TestEveryVariantOpensAndIsNamed(t *testing.T) {
	for _, v := range DefaultVariants {
		plaintext, got, err := Open(engineKey(), mustEncrypt(t, v, "4711"), DefaultVariants)
		if err != nil || string(plaintext) != "4711" || got != v {
			t.Errorf("%v: got %q by %v, %v", v, plaintext, got, err)
		}
	}
}

func TestAVariantThatIsSwitchedOffDoesNotOpen(t *testing.T) {
	for _, v := range DefaultVariants {
		others := slices.DeleteFunc(slices.Clone(DefaultVariants), func(o Variant) bool { return o == v })
		if _, got, err := Open(engineKey(), mustEncrypt(t, v, "4711"), others); err != ErrDecryption || got != 0 {
			t.Errorf("%v among %v: got %v, error %v; want ErrDecryption", v, others, got, err)
		}
	}
}

func TestEveryDecryptionFailureGivesTheSameError(t *testing.T) {
	key := testKey()
	pkcs1, err := rsa.EncryptPKCS1v15(rand.Reader, &key.PublicKey, []byte("4711")) //nolint:staticcheck // what must be refused
	if err != nil {
		t.Fatal(err)
	}
	labelled, err := rsa.EncryptOAEPWithOptions(rand.Reader, &key.PublicKey, []byte("4711"),
		&rsa.OAEPOptions{Hash: SHA256.options().Hash, Label: []byte("label")})
	if err != nil {
		t.Fatal(err)
	}
	good := mustEncrypt(t, SHA256, "4711")
	changed := bytes.Clone(good)
	changed[100] ^= 1
	for name, ciphertext := range map[string][]byte{
		"nothing":          nil,
		"one byte less":    good[:len(good)-1],
		"one byte more":    append(bytes.Clone(good), 0),
		"a zero before":    append([]byte{0}, good...),
		"a changed byte":   changed,
		"PKCS#1 v1.5":      pkcs1,
		"a label":          labelled,
		"zero":             make([]byte, 256),
		"one":              append(make([]byte, 255), 1),
		"the modulus":      key.N.FillBytes(make([]byte, 256)),
		"modulus - 1":      new(big.Int).Sub(key.N, big.NewInt(1)).FillBytes(make([]byte, 256)),
		"over the modulus": bytes.Repeat([]byte{0xff}, 256),
		"raw RSA": new(big.Int).Exp(big.NewInt(4711), big.NewInt(int64(key.E)), key.N).
			FillBytes(make([]byte, 256)),
	} {
		if plaintext, v, err := Open(engineKey(), ciphertext, DefaultVariants); err != ErrDecryption || v != 0 || plaintext != nil {
			t.Errorf("%s: got %q by %v, error %v; want ErrDecryption", name, plaintext, v, err)
		}
	}
}

// counted is a private key that notes the variants that it was tried with.
type counted struct {
	decrypter
	tried []Variant
}

func (c *counted) Decrypt(random io.Reader, ciphertext []byte, opts crypto.DecrypterOpts) ([]byte, error) {
	asked := opts.(*rsa.OAEPOptions)
	for _, v := range DefaultVariants {
		if o := v.options(); o.Hash == asked.Hash && o.MGFHash == asked.MGFHash {
			c.tried = append(c.tried, v)
		}
	}
	return c.decrypter.Decrypt(random, ciphertext, opts)
}

// If one kind of failure took less work than another, the time would be the oracle that
// Manger's attack on OAEP needs: does the padding begin with a zero?
func TestEveryDecryptionFailureHasTriedEveryVariant(t *testing.T) {
	modulus, size := testKey().N, testKey().Size()
	raw := func(first byte) []byte {
		padded := append([]byte{first}, bytes.Repeat([]byte{0x55}, size-1)...)
		return new(big.Int).Exp(new(big.Int).SetBytes(padded), big.NewInt(int64(testKey().E)), modulus).FillBytes(padded)
	}
	labelled, err := rsa.EncryptOAEPWithOptions(rand.Reader, &testKey().PublicKey, []byte("4711"),
		&rsa.OAEPOptions{Hash: SHA256.options().Hash, Label: []byte("label")})
	if err != nil {
		t.Fatal(err)
	}
	for name, ciphertext := range map[string][]byte{
		"a padding that begins with zero": raw(0),
		"one that does not":               raw(1),
		"a label":                         labelled,
		"zero":                            make([]byte, size),
		"the modulus":                     modulus.FillBytes(make([]byte, size)),
	} {
		for _, variants := range [][]Variant{DefaultVariants, {SHA1}, {SHA256, SHA1}} {
			key := &counted{decrypter: engineKey()}
			if _, _, err := Open(key, ciphertext, variants); err != ErrDecryption {
				t.Errorf("%s: got error %v, want ErrDecryption", name, err)
			}
			if diff := cmp.Diff(variants, key.tried); diff != "" {
				t.Errorf("%s: tried (-want +got):\n%s", name, diff)
			}
		}
	}
}

func TestALabelBindsACiphertextToItsPurpose(t *testing.T) {
	seal := func(label string) []byte {
		ciphertext, err := rsa.EncryptOAEPWithOptions(rand.Reader, &testKey().PublicKey, []byte("4711"),
			&rsa.OAEPOptions{Hash: crypto.SHA256, Label: []byte(label)})
		if err != nil {
			t.Fatal(err)
		}
		return ciphertext
	}
	optional, required := Forms(DefaultVariants, "verify", false), Forms(DefaultVariants, "verify", true)
	for _, c := range []struct {
		label string
		forms []Form
		by    string
	}{
		{"", optional, "sha256"},
		{"verify", optional, "sha256-labelled"},
		{"set", optional, ""},
		{"verify\x00", optional, ""},
		{"", required, ""},
		{"verify", required, "sha256-labelled"},
		{"set", required, ""},
	} {
		key := &counted{decrypter: engineKey()}
		plaintext, form, err := OpenForm(key, seal(c.label), c.forms)
		if opened := err == nil && string(plaintext) == "4711" && form.String() == c.by; opened != (c.by != "") {
			t.Errorf("label %q among %v: got %q by %v, %v", c.label, c.forms, plaintext, form, err)
		}
		if c.by == "" && (err != ErrDecryption || len(key.tried) != len(c.forms)) {
			t.Errorf("label %q among %v: error %v after %d forms", c.label, c.forms, err, len(key.tried))
		}
	}
	for _, v := range []Variant{SHA256MGF1SHA1, SHA1} {
		if _, form, err := OpenForm(engineKey(), mustEncrypt(t, v, "4711"), optional); err != nil || form.String() != v.String() {
			t.Errorf("%v without a label: by %v, %v", v, form, err)
		}
	}
}

// crypto/rsa itself opens a ciphertext whose leading zero byte was removed. So one
// ciphertext would have two encodings, and replay protection would not recognize the
// second.
func TestACiphertextWithoutItsLeadingZeroDoesNotOpen(t *testing.T) {
	for {
		ciphertext := mustEncrypt(t, SHA256, "4711")
		if ciphertext[0] != 0 {
			continue
		}
		if _, _, err := Open(engineKey(), ciphertext[1:], DefaultVariants); err != ErrDecryption {
			t.Errorf("got error %v, want ErrDecryption", err)
		}
		return
	}
}

func TestVariantListsAreParsedStrictlyAndSorted(t *testing.T) {
	got, err := ParseVariants([]string{"sha1", "sha256"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Variant{SHA256, SHA1}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	all, err := ParseVariants([]string{"sha256-mgf1-sha1", "sha1", "sha256"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(DefaultVariants, all); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, names := range [][]string{nil, {""}, {"sha512"}, {"SHA256"}, {"none"}, {"sha1", "sha1"}} {
		if got, err := ParseVariants(names); err == nil {
			t.Errorf("%q was read as %v", names, got)
		}
	}
}

func TestCiphertextIsReadInEveryBase64ThatClientsSend(t *testing.T) {
	want := bytes.Repeat([]byte{0xfb, 0xff, 0xbe, 0x00}, 64) // has + and / in it
	standard := base64.StdEncoding.EncodeToString(want)
	wrapped := func(width int, end string) string {
		var b strings.Builder
		for s := standard; s != ""; {
			n := min(width, len(s))
			b.WriteString(s[:n] + end)
			s = s[n:]
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"standard":             standard,
		"without padding":      base64.RawStdEncoding.EncodeToString(want),
		"URL alphabet":         base64.URLEncoding.EncodeToString(want),
		"URL, without padding": base64.RawURLEncoding.EncodeToString(want),
		"Android's lines":      wrapped(76, "\n"),
		"MIME's lines":         wrapped(76, "\r\n"),
		"OpenSSL's lines":      wrapped(64, "\n"),
		"white space":          " \t\v\f" + wrapped(1, " ") + "\r\n",
		"space in the padding": strings.Replace(standard, "==", "= =", 1),
	} {
		got, err := DecodeCiphertext(text, len(want))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: got %d bytes, error %v", name, len(got), err)
		}
	}
}

func TestMalformedCiphertextTextIsRefused(t *testing.T) {
	b := bytes.Repeat([]byte{0xfb, 0xff, 0xbe, 0x00}, 64)
	standard := base64.StdEncoding.EncodeToString(b)
	raw := strings.TrimRight(standard, "=")
	for name, text := range map[string]string{
		"nothing":                "",
		"white space":            " \n",
		"padding":                "==",
		"one byte less":          base64.StdEncoding.EncodeToString(b[:255]),
		"one byte more":          base64.StdEncoding.EncodeToString(append(bytes.Clone(b), 0)),
		"mixed alphabets":        strings.Replace(standard, "+", "-", 1),
		"half of the padding":    raw + "=",
		"too much padding":       raw + "===",
		"a whole padding group":  raw + "==" + "====",
		"a digit behind the end": raw + "==A",
		"padding inside":         raw[:100] + "=" + raw[100:],
		"bits behind the end":    raw[:len(raw)-1] + "B",
		"a foreign character":    "%" + raw[1:],
		"a NUL":                  "\x00" + raw[1:],
		"a no-break space":       "\u00a0" + raw,
		"hexadecimal":            strings.Repeat("ab", 256),
		"too much white space":   standard + strings.Repeat(" ", MaxCiphertextText),
	} {
		if got, err := DecodeCiphertext(text, 256); err != ErrCiphertext || got != nil {
			t.Errorf("%s: got %d bytes, error %v; want ErrCiphertext", name, len(got), err)
		}
	}
}

func TestAnyCiphertextSurvivesItsEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfN(rapid.Byte(), 256, 512).Draw(t, "ciphertext")
		text := rapid.SampledFrom([]*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding}).
			Draw(t, "encoding").EncodeToString(b)
		at := rapid.IntRange(0, len(text)).Draw(t, "break at")
		got, err := DecodeCiphertext(text[:at]+"\r\n"+text[at:], len(b))
		if err != nil || !bytes.Equal(got, b) {
			t.Fatalf("got %x, %v", got, err)
		}
	})
}

func FuzzDecodeCiphertext(f *testing.F) {
	f.Add("", uint8(0))
	f.Add("+/+/", uint8(3))
	f.Add("-_-_", uint8(3))
	f.Add(" A A\r\n= =\t", uint8(1))
	f.Add("AB==", uint8(1))
	f.Fuzz(func(t *testing.T, s string, size uint8) {
		b, err := DecodeCiphertext(s, int(size))
		if err != nil {
			if err != ErrCiphertext || b != nil {
				t.Errorf("a refusal is %v with %d bytes, want ErrCiphertext alone", err, len(b))
			}
			return
		}
		if len(b) != int(size) {
			t.Errorf("got %d bytes, want %d", len(b), size)
		}
		// What was decoded, encoded again, is the input but for alphabet,
		// white space and padding.
		digits := strings.NewReplacer(" ", "", "\t", "", "\n", "", "\v", "", "\f", "", "\r", "", "-", "+", "_", "/").Replace(s)
		again := base64.StdEncoding.EncodeToString(b)
		if digits != again && digits != strings.TrimRight(again, "=") {
			t.Errorf("%q decodes to what encodes as %q", s, again)
		}
	})
}

func FuzzOpen(f *testing.F) {
	key := engineKey()
	f.Add(mustEncrypt(f, SHA256, "4711"))
	f.Add(mustEncrypt(f, SHA1, ""))
	f.Add(make([]byte, 256))
	f.Add([]byte("short"))
	f.Fuzz(func(t *testing.T, ciphertext []byte) {
		plaintext, v, err := Open(key, ciphertext, DefaultVariants)
		if err != nil {
			if err != ErrDecryption || plaintext != nil || v != 0 {
				t.Errorf("a refusal is %v with %d bytes by %v, want ErrDecryption alone", err, len(plaintext), v)
			}
			return
		}
		if again, _, err := Open(key, ciphertext, []Variant{v}); err != nil || !bytes.Equal(again, plaintext) {
			t.Errorf("the variant that is said to have opened it gives %q, %v", again, err)
		}
	})
}

// BenchmarkOpenRefusals measures whether the time of a refusal distinguishes a PKCS#1
// v1.5 ciphertext, which decrypts to well-formed padding of another scheme, from random
// bytes of the same size. It takes 1,000 interleaved samples of each, in random order
// within each pair, and reports Welch's t of the two. Beyond ±4.5 they can be
// distinguished.
func BenchmarkOpenRefusals(b *testing.B) {
	const samples = 1000
	key := newTestKey(3072)
	pkcs1, random := make([][]byte, samples), make([][]byte, samples)
	for i := range samples {
		c, err := rsa.EncryptPKCS1v15(rand.Reader, &key.PublicKey, []byte("4711")) //nolint:staticcheck // what must be refused
		if err != nil {
			b.Fatal(err)
		}
		n, err := rand.Int(rand.Reader, key.N)
		if err != nil {
			b.Fatal(err)
		}
		pkcs1[i], random[i] = c, n.FillBytes(make([]byte, key.Size()))
	}
	opening := func(ciphertext []byte) func() error {
		return func() error { _, _, err := Open(key, ciphertext, DefaultVariants); return err }
	}
	for b.Loop() {
		x, y := refusals(b, samples, func(i int) (x, y func() error, swap bool) {
			return opening(pkcs1[i]), opening(random[i]), random[i][key.Size()-1]&1 != 0
		})
		b.ReportMetric(welch(x, y), "welch_t")
	}
}

// refusals is how long, in nanoseconds, it takes to refuse the two ciphertexts of each
// pair, of which swap says whether the second one comes first.
func refusals(b *testing.B, pairs int, pair func(i int) (x, y func() error, swap bool)) (xs, ys []float64) {
	b.Helper()
	took := func(open func() error) float64 {
		start := time.Now()
		err := open()
		elapsed := time.Since(start)
		if err != ErrDecryption {
			b.Fatalf("got error %v, want ErrDecryption", err)
		}
		return float64(elapsed.Nanoseconds())
	}
	xs, ys = make([]float64, pairs), make([]float64, pairs)
	for i := range pairs {
		x, y, swap := pair(i)
		if swap {
			ys[i], xs[i] = took(y), took(x)
		} else {
			xs[i], ys[i] = took(x), took(y)
		}
	}
	return xs, ys
}

// welch is Welch's t statistic of two samples of possibly unequal variance.
func welch(x, y []float64) float64 {
	mx, vx := meanVariance(x)
	my, vy := meanVariance(y)
	return (mx - my) / math.Sqrt(vx/float64(len(x))+vy/float64(len(y)))
}

func meanVariance(x []float64) (mean, variance float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x)-1)
	}
	return mean, variance
}

func TestWelchComputesTheTStatistic(t *testing.T) {
	// Means 3 and 5, variances 2.5 each, five values: t = -2/√(0.5+0.5).
	if got := welch([]float64{1, 2, 3, 4, 5}, []float64{3, 4, 5, 6, 7}); math.Abs(got+2) > 1e-9 {
		t.Errorf("got %v, want -2", got)
	}
}

func BenchmarkOpen(b *testing.B) {
	key := newTestKey(3072)
	for _, v := range DefaultVariants {
		ciphertext, err := rsa.EncryptOAEPWithOptions(rand.Reader, &key.PublicKey, []byte("4711"), v.options())
		if err != nil {
			b.Fatal(err)
		}
		b.Run(v.String(), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := Open(key, ciphertext, DefaultVariants); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
