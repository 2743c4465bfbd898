package devicekey

import (
	"bytes"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/hpke"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

var hpkeAlgorithms = []Algorithm{HPKEX25519, HPKEXWing}

// pairOf makes a key pair and opens it again, as it is stored.
func pairOf(t testing.TB, a Algorithm) (PrivateKey, []byte) {
	t.Helper()
	spki, private, err := GenerateHPKE(a)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ParsePrivate(a, private, spki)
	if err != nil {
		t.Fatal(err)
	}
	return key, spki
}

// sealed is a ciphertext of "4711" as a client makes it.
func sealed(t testing.TB, spki, aad []byte) []byte {
	t.Helper()
	recipient, err := ParseRecipient(PEM(spki))
	if err != nil {
		t.Fatal(err)
	}
	text, err := recipient.Encrypt([]byte("4711"), aad)
	if err != nil {
		t.Fatal(err)
	}
	ciphertext, err := DecodeCiphertextFor(recipient.Algorithm(), 0, text)
	if err != nil {
		t.Fatal(err)
	}
	return ciphertext
}

// published are the vectors of the standards: see the file.
type published struct {
	Vectors []struct {
		KEM         uint16 `json:"kem_id"`
		KDF         uint16 `json:"kdf_id"`
		AEAD        uint16 `json:"aead_id"`
		Info        string `json:"info"`
		Private     string `json:"skRm"`
		Public      string `json:"pkRm"`
		Enc         string `json:"enc"`
		Secret      string `json:"shared_secret"`
		Encryptions []struct{ AAD, CT, PT string }
		Exports     []struct {
			Context string `json:"exporter_context"`
			Length  int    `json:"L"`
			Value   string `json:"exported_value"`
		}
	}
	XWing []struct {
		Private string `json:"sk"`
		Public  string `json:"pk"`
		Enc     string `json:"ct"`
		Secret  string `json:"ss"`
	}
}

func readPublished(t testing.TB) (file published) {
	t.Helper()
	text, err := os.ReadFile("testdata/hpke.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file
}

// opener is the private key of a vector, whose public key is checked.
func opener(t testing.TB, a Algorithm, private, public string) hpkeKey {
	t.Helper()
	key, err := a.kem().NewPrivateKey(unhex(t, private))
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := PublicKeyBytes(a, a.kem().marshalPublic(key.PublicKey())); got != base64.StdEncoding.EncodeToString(unhex(t, public)) {
		t.Errorf("%s: the public key is %s", a, got)
	}
	return hpkeKey{a.kem(), key}
}

func TestTheSuitesMatchPublishedVectors(t *testing.T) {
	seen := map[Algorithm]int{}
	for _, v := range readPublished(t).Vectors {
		i := slices.IndexFunc(hpkeAlgorithms, func(a Algorithm) bool { return a.kem().ID() == v.KEM })
		if i < 0 || v.KDF != hpke.HKDFSHA256().ID() {
			t.Fatalf("unknown suite: KEM %d, KDF %d", v.KEM, v.KDF)
		}
		a := hpkeAlgorithms[i]
		aead, err := hpke.NewAEAD(v.AEAD)
		if err != nil {
			t.Fatal(err)
		}
		key := opener(t, a, v.Private, v.Public)
		recipient, err := hpke.NewRecipient(unhex(t, v.Enc), key.key, hpke.HKDFSHA256(), aead, unhex(t, v.Info))
		if err != nil {
			t.Fatal(err)
		}
		for n, e := range v.Encryptions {
			plaintext, err := recipient.Open(unhex(t, e.AAD), unhex(t, e.CT))
			if err != nil || !bytes.Equal(plaintext, unhex(t, e.PT)) {
				t.Errorf("%s, encryption %d: got %q, %v", a, n, plaintext, err)
			}
			// A ciphertext of ours is the first one of its context, and no later one.
			plaintext, _, err = key.open(aead, string(unhex(t, v.Info)), Binding{AAD: unhex(t, e.AAD)}, append(unhex(t, v.Enc), unhex(t, e.CT)...))
			if first := n == 0; first != (err == nil) || first && !bytes.Equal(plaintext, unhex(t, e.PT)) {
				t.Errorf("%s, encryption %d as the first: got %q, %v", a, n, plaintext, err)
			}
			seen[a]++
		}
		for _, e := range v.Exports {
			got, err := recipient.Export(string(unhex(t, e.Context)), e.Length)
			if want := exported(t, a, aead, v.Secret, unhex(t, v.Info), string(unhex(t, e.Context)), e.Length); err != nil || !bytes.Equal(got, want) || !bytes.Equal(got, unhex(t, e.Value)) {
				t.Errorf("%s exports %x, %v, and its shared secret %x", a, got, err, want)
			}
		}
	}
	for _, a := range hpkeAlgorithms {
		if seen[a] != 10 {
			t.Errorf("%d encryptions of %s", seen[a], a)
		}
	}
}

// X-Wing's own vectors have the shared secret of the KEM. The test compares it through
// what HPKE exports from it.
func TestXWingMatchesTheVectorsOfItsDraft(t *testing.T) {
	vectors := readPublished(t).XWing
	if len(vectors) != 3 {
		t.Fatalf("%d vectors", len(vectors))
	}
	for i, v := range vectors {
		key := opener(t, HPKEXWing, v.Private, v.Public)
		recipient, err := hpke.NewRecipient(unhex(t, v.Enc), key.key, hpke.HKDFSHA256(), hpke.AES256GCM(), []byte(Info))
		if err != nil {
			t.Fatal(err)
		}
		got, err := recipient.Export("check", 32)
		if want := exported(t, HPKEXWing, hpke.AES256GCM(), v.Secret, []byte(Info), "check", 32); err != nil || !bytes.Equal(got, want) {
			t.Errorf("vector %d: exports %x, %v, and its shared secret %x", i, got, err, want)
		}
	}
}

// exported is what a context of base mode exports for a KEM's shared secret: the
// key schedule and LabeledExtract and LabeledExpand of RFC 9180, 4, 5.1 and 5.3,
// written from the text.
func exported(t testing.TB, a Algorithm, aead hpke.AEAD, secret string, info []byte, context string, length int) []byte {
	t.Helper()
	suite := []byte("HPKE")
	for _, id := range []uint16{a.kem().ID(), hpke.HKDFSHA256().ID(), aead.ID()} {
		suite = binary.BigEndian.AppendUint16(suite, id)
	}
	labelled := func(label string, input []byte) []byte {
		return slices.Concat([]byte("HPKE-v1"), suite, []byte(label), input)
	}
	extract := func(salt []byte, label string, input []byte) []byte {
		prk, err := hkdf.Extract(sha256.New, labelled(label, input), salt)
		if err != nil {
			t.Fatal(err)
		}
		return prk
	}
	expand := func(prk []byte, label string, input []byte, length int) []byte {
		out, err := hkdf.Expand(sha256.New, prk, string(binary.BigEndian.AppendUint16(nil, uint16(length)))+string(labelled(label, input)), length)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	schedule := slices.Concat([]byte{0}, extract(nil, "psk_id_hash", nil), extract(nil, "info_hash", info))
	exporter := expand(extract(unhex(t, secret), "secret", nil), "exp", schedule, sha256.Size)
	return expand(exporter, "sec", []byte(context), length)
}

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestAnHPKECiphertextOpensOnlyWithItsOwnAAD(t *testing.T) {
	for _, a := range hpkeAlgorithms {
		key, spki := pairOf(t, a)
		aad := AAD("verifyTransactionPin", "key", "TRANSACTION_PIN")
		ciphertext := sealed(t, spki, aad)
		if plaintext, form, err := key.Open(ciphertext, Binding{AAD: aad}); err != nil || string(plaintext) != "4711" || "HPKE-"+strings.ToUpper(strings.TrimPrefix(form, "hpke-")) != string(a) {
			t.Errorf("%s: got %q by %s, %v", a, plaintext, form, err)
		}
		for _, other := range [][]byte{nil, AAD("setTransactionPin", "key", "TRANSACTION_PIN"), AAD("verifyTransactionPin", "other", "TRANSACTION_PIN"),
			AAD("verifyTransactionPin", "key", "PASSCODE"), append(aad, '\n')} {
			if _, _, err := key.Open(ciphertext, Binding{AAD: other}); err != ErrDecryption {
				t.Errorf("%s for %q: %v", a, other, err)
			}
		}
	}
}

func TestTheOldAADOpensOnlyIfTheBindingHasOne(t *testing.T) {
	for _, a := range hpkeAlgorithms {
		key, spki := pairOf(t, a)
		current, set, verify := AAD("setTransactionPin/current", "key", "TRANSACTION_PIN"), AAD("setTransactionPin", "key", "TRANSACTION_PIN"), AAD("verifyTransactionPin", "key", "TRANSACTION_PIN")
		for _, c := range []struct {
			aad  []byte
			by   Binding
			form string
		}{
			{current, Binding{AAD: current, OldAAD: set}, a.Form()},
			{set, Binding{AAD: current, OldAAD: set}, OldForm(a.Form())},
			{verify, Binding{AAD: current, OldAAD: set}, ""},
			{nil, Binding{AAD: current, OldAAD: set}, ""},
			{current, Binding{AAD: current}, a.Form()},
			{set, Binding{AAD: current}, ""},
			{nil, Binding{AAD: current}, ""},
			{current, Binding{AAD: set}, ""},
		} {
			plaintext, form, err := key.Open(sealed(t, spki, c.aad), c.by)
			if opened := err == nil && string(plaintext) == "4711"; form != c.form || opened != (c.form != "") || err != nil && err != ErrDecryption {
				t.Errorf("%s with %q for %q or %q: got %q by %q, %v", a, c.aad, c.by.AAD, c.by.OldAAD, plaintext, form, err)
			}
		}
	}
}

// The duration of a refusal must not tell which AAD was wrong.
func TestEveryHPKEFailureHasTriedEveryAAD(t *testing.T) {
	for _, by := range []Binding{{}, {AAD: []byte("new")}, {AAD: []byte("new"), OldAAD: []byte("old")}} {
		want := []string{string(by.AAD)}
		if by.OldAAD != nil {
			want = append(want, string(by.OldAAD))
		}
		var tried []string
		plaintext, _, err := by.unseal(func(aad []byte) ([]byte, error) {
			tried = append(tried, string(aad))
			return nil, ErrDecryption
		})
		if plaintext != nil || err != ErrDecryption || !slices.Equal(tried, want) {
			t.Errorf("%q: %v after %q, want %q", by, err, tried, want)
		}
	}
}

// With a point of low order there is no secret. The key that stands in for it is known
// to everyone.
func TestACiphertextUnderTheKeyThatStandsInIsRefused(t *testing.T) {
	for _, a := range hpkeAlgorithms {
		key, spki := pairOf(t, a)
		good := sealed(t, spki, nil)[:a.kem().encapsulated]
		clear(good[len(good)-32:])
		standIn, set := a.kem().imitate(Info), []byte("set")
		ciphertext := standIn.Seal(good, make([]byte, standIn.NonceSize()), []byte("4711"), set)
		for _, by := range []Binding{{AAD: set}, {OldAAD: set}} {
			if plaintext, form, err := key.Open(ciphertext, by); err != ErrDecryption || plaintext != nil || form != "" {
				t.Errorf("%s: got %q by %q, %v", a, plaintext, form, err)
			}
		}
	}
}

// The error is the same for every broken part. A changed ML-KEM ciphertext gives
// another shared secret and no error (FIPS 203, 6.3), but a point of low order gives one.
func TestEveryBrokenHPKECiphertextGivesTheSameError(t *testing.T) {
	for _, a := range hpkeAlgorithms {
		key, spki := pairOf(t, a)
		_, otherSPKI := pairOf(t, a)
		aad := AAD("verifyUserPasscode", "key", "PASSCODE")
		good := sealed(t, spki, aad)
		n := a.kem().encapsulated
		broken := map[string][]byte{
			"nothing":           nil,
			"enc alone":         good[:n],
			"a truncated enc":   good[1:],
			"a truncated tag":   good[:len(good)-1],
			"a byte more":       append(bytes.Clone(good), 0),
			"of another key":    sealed(t, otherSPKI, aad),
			"a point of zero":   append(append(bytes.Clone(good[:n-32]), make([]byte, 32)...), good[n:]...),
			"a point of order8": append(append(bytes.Clone(good[:n-32]), unhex(t, "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800")...), good[n:]...),
		}
		for name, at := range map[string]int{"the first byte of enc": 0, "the last byte of enc": n - 1, "the top bit of the point": -1, "the first byte sealed": n, "the tag": len(good) - 1} {
			changed := bytes.Clone(good)
			if at < 0 { // which X25519 itself ignores (RFC 7748, 5)
				changed[n-1] ^= 0x80
			} else {
				changed[at] ^= 1
			}
			broken[name] = changed
		}
		for name, ciphertext := range broken {
			if plaintext, form, err := key.Open(ciphertext, Binding{AAD: aad}); err != ErrDecryption || plaintext != nil || form != "" {
				t.Errorf("%s, %s: got %q by %q, %v", a, name, plaintext, form, err)
			}
		}
	}
	x25519Key, _ := pairOf(t, HPKEX25519)
	_, xwing := pairOf(t, HPKEXWing)
	if _, _, err := x25519Key.Open(sealed(t, xwing, nil), Binding{}); err != ErrDecryption {
		t.Errorf("of another KEM: %v", err)
	}
}

func TestAnHPKEPrivateKeyIsShortAndBelongsToItsPublicKey(t *testing.T) {
	for _, a := range hpkeAlgorithms {
		spki, private, err := GenerateHPKE(a)
		if err != nil || len(private) != 33 || private[0] != formatSerialized {
			t.Fatalf("%s: %d bytes, %v", a, len(private), err)
		}
		_, otherSPKI := pairOf(t, a)
		if _, err := ParsePrivate(a, private, otherSPKI); !errors.Is(err, ErrMismatch) {
			t.Errorf("%s under another public key: %v", a, err)
		}
		if _, err := ParsePrivate(RSAOAEP256, private, spki); !errors.Is(err, ErrFormat) {
			t.Errorf("%s as RSA: %v", a, err)
		}
		if _, err := ParsePrivate(a, private[:32], spki); !errors.Is(err, ErrFormat) {
			t.Errorf("%s, cut: %v", a, err)
		}
		if _, err := ParsePrivate(a, MarshalPrivate(testKey()), mustSPKI(t, testKey())); !errors.Is(err, ErrFormat) {
			t.Errorf("RSA as %s: %v", a, err)
		}
	}
}

func TestTheSubjectPublicKeyInfoMatchesTheStandards(t *testing.T) {
	_, spki := pairOf(t, HPKEX25519)
	parsed, err := x509.ParsePKIXPublicKey(spki)
	if err != nil {
		t.Fatal(err)
	}
	point, _ := PublicKeyBytes(HPKEX25519, spki)
	if key, ok := parsed.(*ecdh.PublicKey); !ok || base64.StdEncoding.EncodeToString(key.Bytes()) != point {
		t.Errorf("crypto/x509 reads %T", parsed)
	}
	_, spki = pairOf(t, HPKEXWing)
	// SEQUENCE of 1236 bytes, AlgorithmIdentifier, BIT STRING of 1217 bytes.
	if head := "308204d4" + hex.EncodeToString([]byte(infoXWing)) + "038204c100"; !strings.HasPrefix(hex.EncodeToString(spki), head) || len(spki) != 24+1216 {
		t.Errorf("%d bytes: %x", len(spki), spki[:30])
	}
	for _, a := range hpkeAlgorithms {
		_, spki := pairOf(t, a)
		if text, err := PKCS1For(a, spki); text != "" || err != nil {
			t.Errorf("%s has the PKCS#1 form %q (%v)", a, text, err)
		}
		if got, err := ParseRecipient(PEM(spki)); err != nil || got.Algorithm() != a {
			t.Errorf("%s reads as %v, %v", a, got, err)
		}
	}
	if _, ok := PublicKeyBytes(RSAOAEP256, mustSPKI(t, testKey())); ok {
		t.Error("RSA has public key bytes")
	}
}

func TestAnUnusableHPKEPublicKeyIsRefused(t *testing.T) {
	_, x := pairOf(t, HPKEX25519)
	_, w := pairOf(t, HPKEXWing)
	lowOrder := append(bytes.Clone(x[:len(x)-32]), make([]byte, 32)...)
	for name, spki := range map[string][]byte{"X25519, cut": x[:len(x)-1], "X-Wing, cut": w[:len(w)-1], "a byte more": append(bytes.Clone(x), 0),
		"no ML-KEM key": append(bytes.Clone(w[:24]), bytes.Repeat([]byte{0xff}, 1216)...)} {
		var refusal PublicKeyError
		if _, err := ParseRecipient(string(pem.EncodeToMemory(&pem.Block{Type: pemSPKI, Bytes: spki}))); !errors.As(err, &refusal) || strings.Contains(refusal.Error(), "RSA") {
			t.Errorf("%s: %v", name, err)
		}
	}
	recipient, err := ParseRecipient(PEM(lowOrder))
	if err == nil {
		_, err = recipient.Encrypt([]byte("4711"), nil)
	}
	var refusal PublicKeyError
	if !errors.As(err, &refusal) || refusal != errBadHPKE {
		t.Errorf("a point of low order: %v", err)
	}
	recipient, err = ParseRecipient(PEM(x))
	if err != nil {
		t.Fatal(err)
	}
	var long *TooLongError
	if _, err := recipient.Encrypt(make([]byte, MaxHPKEPlaintext+1), nil); !errors.As(err, &long) {
		t.Errorf("a long body: %v", err)
	}
	if text, err := recipient.Encrypt(make([]byte, MaxHPKEPlaintext), nil); err != nil {
		t.Error(err)
	} else if _, err := DecodeCiphertextFor(HPKEX25519, 0, text); err != nil {
		t.Errorf("the longest body: %v", err)
	}
}

func TestAlgorithmListsAreParsedStrictly(t *testing.T) {
	if got, err := ParseAlgorithms([]string{"HPKE-XWING", "RSA-OAEP-256"}); err != nil || got[0] != HPKEXWing || got[1] != RSAOAEP256 {
		t.Errorf("got %v, %v", got, err)
	}
	for _, names := range [][]string{nil, {""}, {"hpke-xwing"}, {"HPKE-XWING", "HPKE-XWING"}} {
		if got, err := ParseAlgorithms(names); err == nil {
			t.Errorf("%q was read as %v", names, got)
		}
	}
}

func BenchmarkGenerateHPKE(b *testing.B) {
	for _, a := range hpkeAlgorithms {
		b.Run(string(a), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := GenerateHPKE(a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOpenHPKE(b *testing.B) {
	for _, a := range hpkeAlgorithms {
		b.Run(string(a), func(b *testing.B) {
			key, spki := pairOf(b, a)
			ciphertext := sealed(b, spki, nil)
			for b.Loop() {
				if _, _, err := key.Open(ciphertext, Binding{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkOpenHPKERefusals is [BenchmarkOpenRefusals] for an enc with a point of low
// order and a ciphertext with other associated data. It leaves out the slowest tenth of
// each, in which the machine did something else, and also reports both means, in µs.
func BenchmarkOpenHPKERefusals(b *testing.B) {
	const samples = 2000
	for _, a := range hpkeAlgorithms {
		b.Run(string(a), func(b *testing.B) {
			key, spki := pairOf(b, a)
			opening := func(ciphertext []byte) func() error {
				return func() error {
					_, _, err := key.Open(ciphertext, Binding{AAD: []byte("new"), OldAAD: []byte("old")})
					return err
				}
			}
			for b.Loop() {
				low, other := refusals(b, samples, func(int) (x, y func() error, swap bool) {
					altered := sealed(b, spki, []byte("other"))
					order := bytes.Clone(altered)
					clear(order[a.kem().encapsulated-32 : a.kem().encapsulated])
					return opening(order), opening(altered), altered[len(altered)-1]&1 != 0
				})
				fastest := func(sample []float64) []float64 { return slices.Sorted(slices.Values(sample))[:samples*9/10] }
				low, other = fastest(low), fastest(other)
				of := func(sample []float64) float64 { mean, _ := meanVariance(sample); return mean / 1000 }
				b.ReportMetric(welch(low, other), "welch_t")
				b.ReportMetric(of(low), "low_order_us")
				b.ReportMetric(of(other), "other_aad_us")
			}
		})
	}
}
