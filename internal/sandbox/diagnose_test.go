package sandbox

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
)

var twoKeys = sync.OnceValue(func() (keys [2]*rsa.PrivateKey) {
	for i := range keys {
		keys[i] = must(devicekey.Generate(2048))
	}
	return keys
})

func rsaKey(i int) *sandboxKey {
	return &sandboxKey{keyPrefix + "rsa", devicekey.RSAOAEP256, twoKeys()[i], nil, nil}
}

func sealWith(key *rsa.PrivateKey, secret string, hash, mgf crypto.Hash, label string) []byte {
	return must(rsa.EncryptOAEPWithOptions(rand.Reader, &key.PublicKey, []byte(secret), &rsa.OAEPOptions{Hash: hash, MGFHash: mgf, Label: []byte(label)}))
}

func sealed(key *rsa.PrivateKey, secret string) []byte {
	return sealWith(key, secret, crypto.SHA256, crypto.SHA256, "")
}

// until repeats what is random until it is as wanted.
func until(make func() []byte, wanted func([]byte) bool) []byte {
	for {
		if b := make(); wanted(b) {
			return b
		}
	}
}

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	return b
}

// power is RSA with no padding at all.
func power(key *rsa.PrivateKey, em []byte) []byte {
	m := new(big.Int).SetBytes(em)
	return m.Exp(m, big.NewInt(int64(key.E)), key.N).FillBytes(make([]byte, key.Size()))
}

// padded is PKCS #1 v1.5 of a type.
func padded(key *rsa.PrivateKey, typ byte, secret string) []byte {
	em := bytes.Repeat([]byte{0xff}, key.Size())
	em[0], em[1], em[key.Size()-len(secret)-1] = 0, typ, 0
	copy(em[key.Size()-len(secret):], secret)
	return power(key, em)
}

// opens is what the operation of a question does with its text, or any of them without
// an operation.
func opens(key *rsa.PrivateKey, q question) bool {
	ciphertext, err := devicekey.DecodeCiphertext(q.text, key.Size())
	if err != nil {
		return false
	}
	return slices.ContainsFunc(purposes, func(p purpose) bool {
		_, _, err := devicekey.OpenForm(key, ciphertext, devicekey.Forms(devicekey.DefaultVariants, p.label, q.required))
		return err == nil && (q.operation == "" || q.operation == p.operation)
	})
}

func TestTheDoctorCountsUnicodeCharacters(t *testing.T) {
	for text, want := range map[string]string{"hello world": "11 characters", "pässwort €4711\n": "14 characters"} {
		d := diagnose(rsaKey(0), nil, nil, question{text: text})
		if len(d.Findings) != 1 || !strings.Contains(d.Findings[0].Meaning, want) {
			t.Errorf("%q has %s: %+v", text, want, d.Findings)
		}
	}
}

func TestTheDoctorNamesEachMistake(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel")
	}
	key, other := twoKeys()[0], twoKeys()[1]
	b64 := base64.StdEncoding.EncodeToString
	good := func() []byte { return sealed(key, "493817") }
	secret := func(s string) string { return b64(sealed(key, s)) }
	withPlus := b64(until(good, func(b []byte) bool { return strings.ContainsAny(b64(b)[1:340], "+") && strings.Contains(b64(b), "/") }))
	zeroFirst := until(good, func(b []byte) bool { return b[0] == 0 })
	quoted := string(must(json.Marshal(withPlus)))

	others := []*sandboxKey{rsaKey(1)}
	found := map[mistake]bool{}
	check := func(q question, verdict string, wanted ...mistake) {
		t.Helper()
		d := diagnose(rsaKey(0), others, devicekey.DefaultVariants, q)
		var codes []mistake
		for _, f := range d.Findings {
			codes = append(codes, mistake(f.Code))
			found[mistake(f.Code)] = true
			if strings.Contains(f.Meaning, "%!") || f.Title == "" || f.Meaning == "" || f.Remedy == "" {
				t.Errorf("%s is badly worded: %+v", f.Code, f)
			}
		}
		if diff := cmp.Diff(wanted, codes); diff != "" || d.Verdict != verdict {
			t.Errorf("%.60q: %s, want %s; findings (-want +got):\n%s", q.text, d.Verdict, verdict, diff)
		}
		checkDiagnosis(t, key, q, d)
	}
	for _, row := range []struct {
		text    string
		verdict string
		codes   []mistake
	}{
		{b64(good()), verdictAccepted, []mistake{fine}},
		{base64.RawURLEncoding.EncodeToString(until(good, func(b []byte) bool { return strings.Contains(b64(b), "+") })), verdictAccepted, []mistake{base64URL, fineInside}},
		{withPlus[:76] + "\r\n" + withPlus[76:] + "\n", verdictAccepted, []mistake{fine}},
		{secret("pässwort €4711"), verdictAccepted, []mistake{fine}},

		{"  \n", verdictRefused, []mistake{empty}},
		{"493817", verdictRefused, []mistake{plaintext}},
		{"correct horse battery staple", verdictRefused, []mistake{plaintext}},
		{quoted, verdictRefused, []mistake{quotedCiphertext}},
		{"'" + withPlus + "'", verdictRefused, []mistake{quotedCiphertext}},
		{string(must(json.Marshal(quoted))), verdictRefused, []mistake{quotedCiphertext, quotedCiphertext}},
		{`{"input":{"keyId":"x","encryptedPin":"` + withPlus + `"}}`, verdictRefused, []mistake{jsonAround}},
		{`{"query":"x","variables":{"input":{"encryptedPasscode":` + quoted + `}}}`, verdictRefused, []mistake{jsonAround}},
		{strings.ReplaceAll(withPlus, "/", `\/`), verdictRefused, []mistake{jsonEscapes}},
		{strings.ReplaceAll(withPlus, "+", `\u002b`), verdictRefused, []mistake{jsonEscapes}},
		{url.QueryEscape(withPlus), verdictRefused, []mistake{urlEncoded}},
		{strings.ReplaceAll(withPlus, "+", " "), verdictRefused, []mistake{plusToSpace}},
		{hex.EncodeToString(good()), verdictRefused, []mistake{hexEncoded}},
		{"0x" + strings.ToUpper(hex.EncodeToString(good())), verdictRefused, []mistake{hexEncoded}},
		{b64([]byte(b64(good()))), verdictRefused, []mistake{doubleBase64}},
		{b64([]byte(hex.EncodeToString(good()))), verdictRefused, []mistake{base64OfHex}},
		{b64([]byte(strings.Repeat("this was never encrypted ", 9))), verdictRefused, []mistake{base64OfText}},
		{strings.Replace(withPlus, "+", "-", 1), verdictRefused, []mistake{looseBase64}},
		{strings.TrimSuffix(b64(good()), "="), verdictRefused, []mistake{looseBase64}},
		{strings.Repeat("§", 100), verdictRefused, []mistake{notBase64}},
		{devicekey.PEM(must(devicekey.MarshalPublic(&key.PublicKey))), verdictRefused, []mistake{pemPasted}},
		{"eyJhbGciOiJSU0EtT0FFUC0yNTYifQ.a.b.c.d", verdictRefused, []mistake{jwe}},

		{b64(good())[:255], verdictRefused, []mistake{truncated}},
		{b64(append([]byte{0}, good()...)), verdictRefused, []mistake{leadingZero}},
		{b64(zeroFirst[1:]), verdictRefused, []mistake{lostZero}},
		{b64(random(384)), verdictRefused, []mistake{otherSize}},
		{b64(append(good(), bytes.Repeat([]byte{0xfe}, 22)...)), verdictRefused, []mistake{hybrid}},
		{b64(append(good(), good()...)), verdictRefused, []mistake{blocks}},
		{b64(random(54)), verdictRefused, []mistake{hpkeCiphertext}},
		{b64(random(1142)), verdictRefused, []mistake{hpkeCiphertext}},
		{b64(append(sealed(other, "493817"), 0xfe, 0xfe)), verdictRefused, []mistake{tooLong}},

		{b64(sealWith(key, "493817", crypto.SHA1, crypto.SHA1, "")), verdictAccepted, []mistake{sha1ForSHA256, fineInside}},
		{b64(sealWith(key, "493817", crypto.SHA256, crypto.SHA1, "")), verdictAccepted, []mistake{mgf1, fineInside}},
		{b64(sealWith(key, "493817", crypto.SHA256, crypto.SHA512, "")), verdictRefused, []mistake{mgf1}},
		{b64(sealWith(key, "493817", crypto.SHA1, crypto.SHA256, "")), verdictRefused, []mistake{otherHash}},
		{b64(sealWith(key, "493817", crypto.SHA512, crypto.SHA512, "")), verdictRefused, []mistake{otherHash}},
		{b64(sealWith(key, "493817", crypto.SHA384, crypto.SHA384, "")), verdictRefused, []mistake{otherHash}},
		{b64(sealWith(key, "493817", crypto.SHA256, crypto.SHA256, "app")), verdictRefused, []mistake{label}},
		{b64(sealWith(key, "493817", crypto.SHA1, crypto.SHA1, "app")), verdictRefused, []mistake{label, sha1ForSHA256}},
		{b64(padded(key, 2, "493817")), verdictRefused, []mistake{pkcs1Padding}},
		{b64(padded(key, 1, "493817")), verdictRefused, []mistake{signature}},
		{b64(power(key, []byte("493817"))), verdictRefused, []mistake{rawRSA}},
		{b64(power(key, append([]byte("493817"), make([]byte, 240)...))), verdictRefused, []mistake{rawRSA}},
		{b64(reversed(good())), verdictRefused, []mistake{byteOrder}},
		{b64(sealed(other, "493817")), verdictRefused, []mistake{otherKey}},
		{b64(power(key, until(func() []byte { return sealed(other, "493817") }, func(b []byte) bool { return b[0] < 0x40 && b[0] > 2 }))), verdictRefused, []mistake{undecryptable}},
		{b64(bytes.Repeat([]byte{0xff}, key.Size())), verdictRefused, []mistake{undecryptable}}, // not below the modulus

		{secret(""), verdictDoubtful, []mistake{emptySecret}},
		{secret(`"493817"`), verdictDoubtful, []mistake{quotedSecret}},
		{secret(`{"pin":"493817"}`), verdictDoubtful, []mistake{jsonSecret}},
		{secret("493817\n"), verdictDoubtful, []mistake{trailingNewline}},
		{secret("493817\r\n"), verdictDoubtful, []mistake{trailingNewline}},
		{secret(" 493817"), verdictDoubtful, []mistake{spaceAround}},
		{secret("493817\x00"), verdictDoubtful, []mistake{nulByte}},
		{secret("\ufeff493817"), verdictDoubtful, []mistake{bom}},
		{secret(utf16LE("493817")), verdictDoubtful, []mistake{utf16Secret}},
		{secret("p\xe4sswort"), verdictDoubtful, []mistake{notUTF8}},
		{secret("p%C3%A4sswort"), verdictDoubtful, []mistake{urlEncodedSecret}},
		{secret(strings.Repeat("ab", 32)), verdictDoubtful, []mistake{hashedSecret}},
		{secret("NDkzODE3"), verdictDoubtful, []mistake{base64Secret}},
		{secret("123"), verdictDoubtful, []mistake{secretLength}},
		{secret(strings.Repeat("x", 129)), verdictDoubtful, []mistake{secretLength}},

		// Several at once, from the outside in.
		{hex.EncodeToString(sealWith(key, "493817\n", crypto.SHA1, crypto.SHA1, "")), verdictRefused, []mistake{hexEncoded, sha1ForSHA256, trailingNewline}},
		{string(must(json.Marshal(b64([]byte(b64(padded(key, 2, `"493817"`))))))), verdictRefused, []mistake{quotedCiphertext, doubleBase64, pkcs1Padding, quotedSecret}},
	} {
		check(question{text: row.text}, row.verdict, row.codes...)
	}
	labelled := func(label, secret string) string {
		return b64(sealWith(key, secret, crypto.SHA256, crypto.SHA256, label))
	}
	payment := `{"pin":"493817","txn":"sSu5ezJKHQRZTVD4HYm3yBdLDM32SFUkHh1zLt3iGWw"}`
	check(question{text: labelled("strongroom/verify", "493817")}, verdictAccepted, fine)
	check(question{text: labelled("strongroom/verify", "493817"), operation: domain.OpVerifyPasscode, required: true}, verdictAccepted, fine)
	check(question{text: labelled("strongroom/set", "493817"), operation: domain.OpSetPIN}, verdictAccepted, fine)
	check(question{text: labelled("strongroom/current", "493817"), operation: domain.OpSetPIN.Current()}, verdictAccepted, fine)
	check(question{text: labelled("strongroom/set", "493817"), operation: domain.OpSetPIN.Current()}, verdictRefused, otherLabel)
	check(question{text: labelled("strongroom/set", "493817"), operation: domain.OpVerifyPIN}, verdictRefused, otherLabel)
	check(question{text: labelled("strongroom/VERIFY", "493817"), operation: domain.OpVerifyPIN}, verdictRefused, label)
	check(question{text: labelled("strongroom/authorize", payment)}, verdictAccepted, fine)
	check(question{text: labelled("strongroom/authorize", "493817")}, verdictRefused, notForAuthorize)
	check(question{text: secret(payment), operation: domain.OpAuthorize}, verdictAccepted, fine)
	check(question{text: b64(sealWith(key, "493817", crypto.SHA1, crypto.SHA1, "strongroom/verify"))}, verdictRefused, sha1ForSHA256)
	check(question{text: b64(good()), required: true}, verdictRefused, noLabel)
	for _, pin := range []string{"hunter2", "1234567890123", "٤٩٣٨١٧", "4938\u200b17"} {
		for operation, want := range map[domain.Operation]mistake{domain.OpSetPIN: notDigits, domain.OpSetPIN.Current(): notDigits, domain.OpVerifyPIN: notDigits, domain.OpSetPasscode: fine, "": fine} {
			verdict := map[mistake]string{notDigits: verdictDoubtful, fine: verdictAccepted}[want]
			check(question{text: secret(pin), operation: operation}, verdict, want)
		}
	}
	check(question{text: secret("hunter2\n"), operation: domain.OpSetPIN}, verdictDoubtful, trailingNewline)
	document := string(must(os.ReadFile("../../docs/sandbox.md")))
	for code := range words {
		if !found[code] {
			t.Errorf("no ciphertext led to %s", code)
		}
		if !strings.Contains(document, "`"+string(code)+"`") {
			t.Errorf("docs/sandbox.md lacks %s", code)
		}
	}
}

func TestRemediesNameTheLabelThatTheServiceRequires(t *testing.T) {
	key := twoKeys()[0]
	for code, ciphertext := range map[mistake][]byte{
		otherHash: sealWith(key, "493817", crypto.SHA512, crypto.SHA512, ""), label: sealWith(key, "493817", crypto.SHA256, crypto.SHA256, "app"),
		pkcs1Padding: padded(key, 2, "493817"), signature: padded(key, 1, "493817"), rawRSA: power(key, []byte("493817")),
	} {
		q := question{text: base64.StdEncoding.EncodeToString(ciphertext)}
		for _, q.required = range []bool{false, true} {
			d := diagnose(rsaKey(0), nil, devicekey.DefaultVariants, q)
			i := slices.IndexFunc(d.Findings, func(f Finding) bool { return f.Code == string(code) })
			if i < 0 {
				t.Fatalf("%s: %+v", code, d.Findings)
			}
			remedy := d.Findings[i].Remedy
			none := strings.Contains(remedy, "empty label") || strings.Contains(remedy, "Leave the label out")
			if none == q.required || q.required && !strings.Contains(remedy, "strongroom/verify") {
				t.Errorf("%s, required: %t: %s", code, q.required, remedy)
			}
		}
	}
}

// checkDiagnosis holds a diagnosis to what the service does, and to silence
// about what is in the ciphertext.
func checkDiagnosis(t *testing.T, key *rsa.PrivateKey, q question, d Diagnosis) {
	t.Helper()
	notOfCiphertext := slices.ContainsFunc(d.Findings, func(f Finding) bool { return f.Code == string(notForAuthorize) })
	if accepts := opens(key, q); accepts != (d.Verdict != verdictRefused) && !notOfCiphertext {
		t.Errorf("%.60q: the service decrypts it: %v, and the doctor says %s", q.text, accepts, d.Verdict)
	}
	told := string(must(json.Marshal(d)))
	if strings.Contains(told, "493817") {
		t.Errorf("the secret is in the diagnosis: %s", told)
	}
	if len(d.Findings) == 0 {
		t.Errorf("%.60q: no finding", q.text)
	}
}

func TestDisabledOAEPVariantsAreRefused(t *testing.T) {
	key := twoKeys()[0]
	for _, mgf := range []crypto.Hash{crypto.SHA1, crypto.SHA256} {
		hash := mgf
		text := base64.StdEncoding.EncodeToString(sealWith(key, "493817", hash, mgf, ""))
		d := diagnose(rsaKey(0), nil, []devicekey.Variant{devicekey.SHA256}, question{text: text})
		if want := map[crypto.Hash]string{crypto.SHA1: verdictRefused, crypto.SHA256: verdictAccepted}[hash]; d.Verdict != want {
			t.Errorf("%v with --oaep sha256: %s, want %s", hash, d.Verdict, want)
		}
	}
}

func TestRandomBytesMatchNoPaddingButPKCS1(t *testing.T) {
	key := twoKeys()[0]
	for range 50 {
		em := make([]byte, key.Size())
		_, _ = rand.Read(em)
		em[0] = 0
		if p, _, ok := unpad(em); ok && p.scheme != pkcs1 { // of which one in some 100,000 looks so
			t.Errorf("random bytes were taken for %s", p.name())
		}
	}
}

func TestTheShapeOfASecretShowsNoneOfItsLetters(t *testing.T) {
	for secret, want := range map[string]string{
		"493817": "••••••", "493817\n": "••••••⏎", `"ab c"`: `"••␣•"`, "ä\x00\t\xff": "•␀⇥�", "": "",
		strings.Repeat("x", 50): strings.Repeat("•", 40) + "…",
	} {
		if got := shape([]byte(secret)); got != want {
			t.Errorf("%q: %s, want %s", secret, got, want)
		}
	}
}

func FuzzTheDoctorAgreesWithTheService(f *testing.F) {
	key, others := twoKeys()[0], []*sandboxKey{rsaKey(1)}
	good := base64.StdEncoding.EncodeToString(sealed(key, "493817"))
	for _, seed := range []string{good, url.QueryEscape(good), `{"a":` + `"` + good + `"}`, `"\u0000"`, "0x", "%00", "''", strings.Repeat("%25", 40), "eyJ....", good + " " + good} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q := question{text: text}
		checkDiagnosis(t, key, q, diagnose(rsaKey(0), others, devicekey.DefaultVariants, q))
	})
}
