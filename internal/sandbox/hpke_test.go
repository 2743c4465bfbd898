package sandbox

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hpke"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/crypto/nacl/box"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
)

var hpkeAlgorithms = []devicekey.Algorithm{devicekey.HPKEX25519, devicekey.HPKEXWing}

// keyOf asks for a sandbox key of an algorithm, and loads its public key as a client
// does.
func (s *stand) keyOf(t *testing.T, a devicekey.Algorithm) (issuedKey, hpke.PublicKey) {
	t.Helper()
	var k issuedKey
	if code := s.post(t, keysPath, map[string]any{"algorithm": a}, &k); code != http.StatusOK || k.Algorithm != string(a) {
		t.Fatalf("%d %+v", code, k)
	}
	return k, must(kems[a].NewPublicKey(must(base64.StdEncoding.DecodeString(k.PublicKeyBytes))))
}

// client is a client of HPKE, that makes one mistake or none.
type client struct {
	to        hpke.PublicKey
	kdf       hpke.KDF
	aead      hpke.AEAD
	info, aad string
	secret    string
}

// seal is enc and the ciphertext.
func (c client) seal() (enc, ct []byte) {
	enc, sender, err := hpke.NewSender(c.to, c.kdf, c.aead, []byte(c.info))
	if err != nil {
		panic(err)
	}
	return enc, must(sender.Seal([]byte(c.aad), []byte(c.secret)))
}

func (c client) bytes() []byte { enc, ct := c.seal(); return slices.Concat(enc, ct) }

func (c client) with(change func(*client)) string {
	change(&c)
	return base64.StdEncoding.EncodeToString(c.bytes())
}

func codesOf(t *testing.T, d Diagnosis) (codes []mistake) {
	t.Helper()
	for _, f := range d.Findings {
		codes = append(codes, mistake(f.Code))
		if strings.Contains(f.Meaning, "%!") || f.Title == "" || f.Meaning == "" || f.Remedy == "" {
			t.Errorf("%s is badly worded: %+v", f.Code, f)
		}
	}
	return codes
}

func TestTheDoctorNamesEachMistakeWithHPKE(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: a hundred mistakes, by -short")
	}
	found := map[mistake]bool{}
	for _, a := range hpkeAlgorithms {
		t.Run(string(a), func(t *testing.T) {
			s := newStand()
			k, public := s.keyOf(t, a)
			other, otherPublic := s.keyOf(t, a)
			ofRSA := s.key(t)
			encLen := devicekey.EncapsulatedSize(a)
			b64 := base64.StdEncoding.EncodeToString
			aad := func(fields ...string) string { return strings.Join(fields, "\n") }
			c := client{public, hpke.HKDFSHA256(), hpke.AES256GCM(), "strongroom hpke v1", aad("verifyTransactionPin", k.KeyID, "TRANSACTION_PIN"), "493817"}
			withAAD := func(text string) string { return c.with(func(c *client) { c.aad = text }) }
			withInfo := func(text string) string { return c.with(func(c *client) { c.info = text }) }
			secret := func(text string) string { return c.with(func(c *client) { c.secret = text }) }
			good := c.with(func(*client) {})
			signs := func(b []byte) bool { return strings.Contains(b64(b)[1:60], "+") }
			enc, ct := c.seal()
			unpadded := c // its base64 has no padding
			unpadded.secret = c.secret[:6-(encLen+6+16)%3]

			type row struct {
				name, text string
				operation  domain.Operation
				verdict    string
				codes      []mistake
			}
			rows := []row{
				{"none", good, "", verdictAccepted, []mistake{fine}},
				{"none", good, domain.OpVerifyPIN, verdictAccepted, []mistake{fine}},
				{"none, in lines", good[:20] + "\r\n" + good[20:] + "\n", "", verdictAccepted, []mistake{fine}},
				{"none, to set a passcode", c.with(func(c *client) { c.aad, c.secret = aad("setUserPasscode", k.KeyID, "PASSCODE"), "pässwort €4711" }), domain.OpSetPasscode, verdictAccepted, []mistake{fine}},
				{"none, to authorize", c.with(func(c *client) {
					c.aad, c.secret = aad("authorizeTransaction", k.KeyID, "PASSCODE"), `{"pin":"493817","txn":"oUoJ0Jg4WnFTD7pOXZGJ1VlUhv0Jh0w3rQ0m3o5dNlI"}`
				}), "", verdictAccepted, []mistake{fine}},
				{"none, as the current PIN", withAAD(aad("setTransactionPin/current", k.KeyID, "TRANSACTION_PIN")), domain.OpSetPIN.Current(), verdictAccepted, []mistake{fine}},
				{"none, as the current passcode", withAAD(aad("setUserPasscode/current", k.KeyID, "PASSCODE")), "", verdictAccepted, []mistake{fine}},
				{"base64url", base64.RawURLEncoding.EncodeToString(until(c.bytes, signs)), "", verdictAccepted, []mistake{base64URL, fineInside}},

				{"operation of set used for verify", withAAD(aad("setTransactionPin", k.KeyID, "TRANSACTION_PIN")), domain.OpVerifyPIN, verdictRefused, []mistake{aadOperation}},
				{"the AAD of the current PIN for the new one", withAAD(aad("setTransactionPin/current", k.KeyID, "TRANSACTION_PIN")), domain.OpSetPIN, verdictRefused, []mistake{aadOperation}},
				{"the AAD of the current PIN for verify", withAAD(aad("setTransactionPin/current", k.KeyID, "TRANSACTION_PIN")), domain.OpVerifyPIN, verdictRefused, []mistake{aadOperation}},
				{"the AAD of verify for the current PIN", good, domain.OpSetPIN.Current(), verdictRefused, []mistake{aadOperation}},
				{"the AAD of the new PIN for the current passcode", withAAD(aad("setTransactionPin", k.KeyID, "TRANSACTION_PIN")), domain.OpSetPasscode.Current(), verdictRefused, []mistake{aadOperation}},
				{"the AAD of the new PIN for the current one", withAAD(aad("setTransactionPin", k.KeyID, "TRANSACTION_PIN")), domain.OpSetPIN.Current(), verdictAccepted, []mistake{aadOfNewSecret, fineInside}},
				{"the same with a trailing line feed", withAAD(aad("setTransactionPin", k.KeyID, "TRANSACTION_PIN\n")), domain.OpSetPIN.Current(), verdictRefused, []mistake{aadTrailing, aadOfNewSecret}},
				{"the label of RSA for the current PIN", withAAD(aad("strongroom/current", k.KeyID, "TRANSACTION_PIN")), domain.OpSetPIN.Current(), verdictRefused, []mistake{aadOperation}},
				{"the input's field for the current PIN", withAAD(aad("encryptedCurrentPin", k.KeyID, "TRANSACTION_PIN")), "", verdictRefused, []mistake{aadOperation}},
				{"operation in another case", withAAD(aad("VerifyTransactionPin", k.KeyID, "TRANSACTION_PIN")), domain.OpVerifyPIN, verdictRefused, []mistake{aadOperation}},
				{"no operation", withAAD(aad("", k.KeyID, "TRANSACTION_PIN")), "", verdictRefused, []mistake{aadOperation}},
				{"another keyId", withAAD(aad("verifyTransactionPin", other.KeyID, "TRANSACTION_PIN")), "", verdictRefused, []mistake{aadKeyID}},
				{"a keyId in capitals", withAAD(aad("verifyTransactionPin", strings.ToUpper(k.KeyID), "TRANSACTION_PIN")), "", verdictRefused, []mistake{aadKeyID}},
				{"PIN as passwordAuthType", withAAD(aad("verifyTransactionPin", k.KeyID, "PIN")), "", verdictRefused, []mistake{aadType}},
				{"the other passwordAuthType", withAAD(aad("verifyTransactionPin", k.KeyID, "PASSCODE")), "", verdictRefused, []mistake{aadType}},
				{"keyId first", withAAD(aad(k.KeyID, "verifyTransactionPin", "TRANSACTION_PIN")), "", verdictRefused, []mistake{aadOrder}},
				{"type before keyId", withAAD(aad("verifyTransactionPin", "TRANSACTION_PIN", k.KeyID)), "", verdictRefused, []mistake{aadOrder}},
				{"\\r\\n", withAAD(strings.ReplaceAll(c.aad, "\n", "\r\n")), "", verdictRefused, []mistake{aadLineEnding}},
				{"trailing line feed", withAAD(c.aad + "\n"), "", verdictRefused, []mistake{aadTrailing}},
				{"\\r\\n everywhere", withAAD(strings.ReplaceAll(c.aad+"\n", "\n", "\r\n")), "", verdictRefused, []mistake{aadLineEnding, aadTrailing}},
				{"no separator", withAAD(strings.ReplaceAll(c.aad, "\n", "")), "", verdictRefused, []mistake{aadSeparator}},
				{"an escaped line feed", withAAD(strings.ReplaceAll(c.aad, "\n", `\n`)), "", verdictRefused, []mistake{aadSeparator}},
				{"AAD in base64", withAAD(b64([]byte(c.aad))), "", verdictRefused, []mistake{aadEncoding}},
				{"no AAD", withAAD(""), "", verdictRefused, []mistake{noAAD}},
				{"keyId of another key, with \\r\\n", withAAD(strings.ReplaceAll(aad("verifyTransactionPin", other.KeyID, "TRANSACTION_PIN"), "\n", "\r\n")), "", verdictRefused, []mistake{aadKeyID, aadLineEnding}},
				{"AAD of set with a trailing line feed, for verify", withAAD(aad("setTransactionPin", k.KeyID, "TRANSACTION_PIN\n")), domain.OpVerifyPIN, verdictRefused, []mistake{aadTrailing, aadOperation}},

				{"no info", withInfo(""), "", verdictRefused, []mistake{otherInfo}},
				{"info with a line feed", withInfo("strongroom hpke v1\n"), "", verdictRefused, []mistake{otherInfo}},
				{"info with hyphens", withInfo("strongroom-hpke-v1"), "", verdictRefused, []mistake{otherInfo}},
				{"info and AAD exchanged", c.with(func(c *client) { c.info, c.aad = c.aad, c.info }), "", verdictRefused, []mistake{aadInfoSwapped}},
				{"no info and no AAD", c.with(func(c *client) { c.info, c.aad = "", "" }), "", verdictRefused, []mistake{otherInfo, noAAD}},
				{"AES-128-GCM", c.with(func(c *client) { c.aead = hpke.AES128GCM() }), "", verdictRefused, []mistake{otherAEAD}},
				{"ChaCha20-Poly1305", c.with(func(c *client) { c.aead = hpke.ChaCha20Poly1305() }), "", verdictRefused, []mistake{otherAEAD}},
				{"HKDF-SHA512", c.with(func(c *client) { c.kdf = hpke.HKDFSHA512() }), "", verdictRefused, []mistake{otherKDF}},
				{"HKDF-SHA384 with AES-128-GCM", c.with(func(c *client) { c.kdf, c.aead = hpke.HKDFSHA384(), hpke.AES128GCM() }), "", verdictRefused, []mistake{otherKDF, otherAEAD}},
				{"SHAKE256", c.with(func(c *client) { c.kdf = hpke.SHAKE256() }), "", verdictRefused, []mistake{otherKDF}},
				{"AES-128-GCM and a trailing line feed", c.with(func(c *client) { c.aead, c.aad = hpke.AES128GCM(), c.aad+"\n" }), "", verdictRefused, []mistake{otherAEAD, aadTrailing}},

				{"ciphertext || enc", b64(slices.Concat(ct, enc)), "", verdictRefused, []mistake{encLast}},
				{"two texts joined", b64(enc) + b64(ct), "", verdictRefused, []mistake{twoParts}},
				{"two texts with a dot", b64(enc) + "." + b64(ct), "", verdictRefused, []mistake{twoParts}},
				{"two members", string(must(json.Marshal(map[string]string{"enc": b64(enc), "ciphertext": b64(ct)}))), "", verdictRefused, []mistake{twoParts}},
				{"hex", hex.EncodeToString(c.bytes()), "", verdictRefused, []mistake{hexEncoded}},
				{"hex in capitals with colons", strings.ToUpper(string(bytes.Join(slices.Collect(slices.Chunk([]byte(hex.EncodeToString(c.bytes())), 2)), []byte(":")))), "", verdictRefused, []mistake{hexEncoded}},
				{"hex in base64", b64([]byte(hex.EncodeToString(c.bytes()))), "", verdictRefused, []mistake{base64OfHex}},
				{"base64 twice", b64([]byte(good)), "", verdictRefused, []mistake{doubleBase64}},
				{"quoted", `"` + good + `"`, "", verdictRefused, []mistake{quotedCiphertext}},
				{"plus became a space", strings.ReplaceAll(b64(until(c.bytes, signs)), "+", " "), "", verdictRefused, []mistake{plusToSpace}},
				{"plus at the start became a space", strings.ReplaceAll(b64(until(c.bytes, func(b []byte) bool { return b64(b)[0] == '+' })), "+", " "), "", verdictRefused, []mistake{plusToSpace}},
				{"plus at the end became a space", strings.ReplaceAll(b64(until(unpadded.bytes, func(b []byte) bool { return strings.HasSuffix(b64(b), "+") })), "+", " ") + "\n", "", verdictRefused, []mistake{plusToSpace}},
				{"mixed alphabets", strings.Replace(b64(until(c.bytes, func(b []byte) bool { return strings.Count(b64(b), "+") > 1 })), "+", "-", 1), "", verdictRefused, []mistake{looseBase64}},
				{"PEM", k.PublicKey, "", verdictRefused, []mistake{pemPasted}},
				{"JWE", "eyJhbGciOiJIUEtFLTAifQ.a.b.c.d", "", verdictRefused, []mistake{jwe}},
				{"plain text", "493817", "", verdictRefused, []mistake{plaintext}},
				{"the ciphertext without enc", b64(ct), "", verdictRefused, []mistake{truncated}},
				{"enc without the ciphertext", b64(enc), "", verdictRefused, []mistake{truncated}},
				{"without the tag", b64(slices.Concat(enc, ct[:6])), "", verdictRefused, []mistake{truncated}},
				{"half of enc", b64(slices.Concat(enc[:encLen/2], ct)), "", verdictRefused, []mistake{truncated}},
				{"enc without its leading zero", "", "", verdictRefused, []mistake{lostZero}},
				{"too long", b64(random(encLen + 16 + 513)), "", verdictRefused, []mistake{tooLong}},
				{"another key's ciphertext", c.with(func(c *client) {
					c.to, c.aad = otherPublic, aad("verifyTransactionPin", other.KeyID, "TRANSACTION_PIN")
				}), "", verdictRefused, []mistake{otherKey}},
				{"another key, and the keyId of this one", c.with(func(c *client) { c.to = otherPublic }), "", verdictRefused, []mistake{otherKey}},
				{"a changed byte", b64(until(c.bytes, func(b []byte) bool { b[len(b)-1] ^= 1; return true })), "", verdictRefused, []mistake{undecryptable}},
				{"RSA under a sandbox key", b64(sealed(twoKeys()[0], "493817")), "", verdictRefused, []mistake{rsaCiphertext}},
				{"RSA under any key", b64(random(384)), "", verdictRefused, []mistake{rsaCiphertext}},

				{"a line end in the secret", secret("493817\n"), "", verdictDoubtful, []mistake{trailingNewline}},
				{"quotes in the secret", secret(`"493817"`), "", verdictDoubtful, []mistake{quotedSecret}},
				{"a short secret", secret("123"), "", verdictDoubtful, []mistake{secretLength}},
				{"a secret for authorizeTransaction", c.with(func(c *client) { c.aad = aad("authorizeTransaction", k.KeyID, "TRANSACTION_PIN") }), "", verdictRefused, []mistake{notForAuthorize}},
			}
			if a == devicekey.HPKEX25519 {
				for i := range rows {
					if rows[i].codes[0] == lostZero {
						rows[i].text = b64(until(c.bytes, func(b []byte) bool { return b[0] == 0 })[1:])
					}
				}
			} else {
				rows = slices.DeleteFunc(rows, func(r row) bool { return r.codes[0] == lostZero })
			}
			for _, row := range rows {
				var d Diagnosis
				if code := s.post(t, diagnosePath, map[string]any{"keyId": k.KeyID, "ciphertext": row.text, "operation": row.operation,
					"otherKeyIds": []string{other.KeyID, ofRSA.KeyID}}, &d); code != http.StatusOK {
					t.Fatalf("%s: %d", row.name, code)
				}
				codes := codesOf(t, d)
				for _, code := range codes {
					found[code] = true
				}
				if diff := cmp.Diff(row.codes, codes); diff != "" || d.Verdict != row.verdict {
					t.Errorf("%s: %s, want %s; findings (-want +got):\n%s", row.name, d.Verdict, row.verdict, diff)
				}
				if accepts := s.doctor.serviceOpens(k, row.text, row.operation); accepts != (d.Verdict != verdictRefused) && row.codes[0] != notForAuthorize {
					t.Errorf("%s: set and verify decrypt it: %v, and the doctor says %s", row.name, accepts, d.Verdict)
				}
				if told := string(must(json.Marshal(d))); strings.Contains(told, "493817") {
					t.Errorf("%s: the secret is in the diagnosis: %s", row.name, told)
				}
			}
		})
	}
	document := string(must(os.ReadFile("../../docs/sandbox.md")))
	for code := range hpkeWords {
		if !found[code] && code != withoutHPKE {
			t.Errorf("no ciphertext led to %s", code)
		}
		if !strings.Contains(document, "`"+string(code)+"`") {
			t.Errorf("docs/sandbox.md lacks %s", code)
		}
	}
}

// serviceOpens is what set and verify do with a text, or any of them without an
// operation.
func (d *doctor) serviceOpens(issued issuedKey, text string, o domain.Operation) bool {
	k := d.key(issued.KeyID)
	ciphertext, err := devicekey.DecodeCiphertextFor(k.algorithm, 0, text)
	if err != nil {
		return false
	}
	block, _ := pem.Decode([]byte(issued.PublicKey))
	const serialized = 3 // the format of a stored private key
	private := must(devicekey.ParsePrivate(k.algorithm, append([]byte{serialized}, must(k.hpke.Bytes())...), block.Bytes))
	return slices.ContainsFunc(purposes, func(p purpose) bool {
		_, _, err := private.Open(ciphertext, devicekey.Binding{AAD: devicekey.AAD(string(p.operation), k.id, string(p.typ))})
		return err == nil && (o == "" || o == p.operation || o == p.operation.Current())
	})
}

// serviceOpens is the service with --ciphertext-purpose optional.
func TestTheDoctorRefusesTheAADOfANewSecretIfThePurposeIsRequired(t *testing.T) {
	s := newStand()
	s.doctor.cfg.PurposeRequired = true
	k, public := s.keyOf(t, devicekey.HPKEX25519)
	for operation, want := range map[domain.Operation]struct {
		verdict string
		codes   []mistake
	}{
		"setTransactionPin":         {verdictRefused, []mistake{aadOfNewSecret}},
		"setTransactionPin/current": {verdictAccepted, []mistake{fine}},
	} {
		text := client{public, hpke.HKDFSHA256(), hpke.AES256GCM(), devicekey.Info, string(operation) + "\n" + k.KeyID + "\nTRANSACTION_PIN", "493817"}.with(func(*client) {})
		var d Diagnosis
		s.post(t, diagnosePath, map[string]any{"keyId": k.KeyID, "ciphertext": text, "operation": domain.OpSetPIN.Current()}, &d)
		if d.Verdict != want.verdict || !slices.Equal(codesOf(t, d), want.codes) || d.Expected.AAD != "setTransactionPin/current\n"+k.KeyID+"\nTRANSACTION_PIN" {
			t.Errorf("%s: %+v %+v", operation, d, d.Expected)
		}
	}
}

func TestTheDoctorNamesX25519WithoutHPKE(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel")
	}
	s := newStand()
	k, public := s.keyOf(t, devicekey.HPKEX25519)
	ephemeral := must(x25519.GenerateKey(rand.Reader))
	shared := must(ephemeral.ECDH(must(x25519.NewPublicKey(public.Bytes()))))
	hashed := sha256.Sum256(shared)
	gcm := func(key []byte) cipher.AEAD { return must(cipher.NewGCM(must(aes.NewCipher(key)))) }
	nonce := random(12)
	for name, b := range map[string][]byte{
		"the shared secret as the key, a nonce of zeros": gcm(shared).Seal(ephemeral.PublicKey().Bytes(), make([]byte, 12), []byte("493817"), nil),
		"a hash of it, a nonce before the ciphertext":    gcm(hashed[:]).Seal(slices.Concat(ephemeral.PublicKey().Bytes(), nonce), nonce, []byte("493817"), nil),
		"libsodium": must(box.SealAnonymous(nil, []byte("493817"), (*[32]byte)(public.Bytes()), rand.Reader)),
	} {
		if d := s.ask(t, k.KeyID, base64.StdEncoding.EncodeToString(b)); d.Verdict != verdictRefused || !slices.Equal(codesOf(t, d), []mistake{withoutHPKE}) || d.Shape != "••••••" {
			t.Errorf("%s: %+v", name, d)
		}
	}
}

func TestAnHPKECiphertextForAnRSAKeyIsNamed(t *testing.T) {
	for _, a := range hpkeAlgorithms {
		s := newStand()
		k := s.key(t)
		other, public := s.keyOf(t, a)
		aad := "verifyTransactionPin\n" + other.KeyID + "\nTRANSACTION_PIN"
		text := client{public, hpke.HKDFSHA256(), hpke.AES256GCM(), devicekey.Info, aad, strings.Repeat("long", 32)}.with(func(*client) {})
		if d := s.ask(t, k.KeyID, text, other.KeyID); !slices.Equal(codesOf(t, d), []mistake{hpkeCiphertext}) {
			t.Errorf("%s, under a sandbox key: %+v", a, d)
		}
		if d := s.ask(t, k.KeyID, text); !slices.Equal(codesOf(t, d), []mistake{hpkeCiphertext}) {
			t.Errorf("%s, under any key: %+v", a, d)
		}
	}
}

func TestADoctorKeyHasTheRequestedAlgorithm(t *testing.T) {
	s := newStand()
	for body, want := range map[string]string{`{}`: "RSA-OAEP-256", `{"deviceId":"x"}`: "RSA-OAEP-256", `{"algorithm":null}`: "RSA-OAEP-256", `{"algorithm":"RSA-OAEP-256"}`: "RSA-OAEP-256",
		`{"algorithm":"HPKE-X25519"}`: "HPKE-X25519", `{"algorithm":"HPKE-XWING"}`: "HPKE-XWING"} {
		var k issuedKey
		w := s.send("POST", keysPath, body, "Content-Type", "application/json")
		if err := json.Unmarshal(w.Body.Bytes(), &k); err != nil || k.Algorithm != want {
			t.Fatalf("%s: %s", body, w.Body)
		}
		recipient := must(devicekey.ParseRecipient(k.PublicKey))
		if string(recipient.Algorithm()) != want || recipient.KeySize() != k.KeySize {
			t.Errorf("%s: the PEM is of %s with %d bits, want %d", body, recipient.Algorithm(), recipient.KeySize(), k.KeySize)
		}
		isHPKE := want != "RSA-OAEP-256"
		if (k.PublicKeyBytes != "") != isHPKE || (k.PublicKeyPKCS1 == "") != isHPKE || strings.Contains(w.Body.String(), "publicKeyBytes") != isHPKE {
			t.Errorf("%s: %s", body, w.Body)
		}
		if !isHPKE {
			continue
		}
		text := must(recipient.Encrypt([]byte("493817"), devicekey.AAD("setTransactionPin", k.KeyID, "TRANSACTION_PIN")))
		d := s.ask(t, k.KeyID, text)
		if d.Verdict != verdictAccepted || d.Expected == nil || d.Expected.AAD != "verifyTransactionPin\n"+k.KeyID+"\nTRANSACTION_PIN" || !strings.HasSuffix(d.Scheme, "for setTransactionPin") {
			t.Errorf("%s: %+v %+v", body, d, d.Expected)
		}
	}
	for _, body := range []string{`{"algorithm":"HPKE"}`, `{"algorithm":7}`, `{"algorithm":""}`, `{"algorithm":["HPKE-XWING"]}`} {
		if w := s.send("POST", keysPath, body, "Content-Type", "application/json"); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "must be one of RSA-OAEP-256, HPKE-X25519, HPKE-XWING") {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	var refusal any
	k, _ := s.keyOf(t, devicekey.HPKEXWing)
	for _, operation := range []any{"sign", 7, true, []string{"verifyTransactionPin"}} {
		if code := s.post(t, diagnosePath, map[string]any{"keyId": k.KeyID, "ciphertext": "x", "operation": operation}, &refusal); code != http.StatusBadRequest {
			t.Errorf("%v is not an operation that takes a ciphertext, and was answered with %d %v", operation, code, refusal)
		}
	}
}

func BenchmarkACiphertextThatOpensInNoWay(b *testing.B) {
	for _, a := range hpkeAlgorithms {
		b.Run(string(a), func(b *testing.B) {
			private, _, err := newHPKE(a)
			if err != nil {
				b.Fatal(err)
			}
			k := &sandboxKey{keyPrefix + domain.NewID(), a, nil, private, nil}
			text := base64.StdEncoding.EncodeToString(random(devicekey.EncapsulatedSize(a) + 22))
			for b.Loop() {
				diagnose(k, []*sandboxKey{k, k, k, k}, nil, question{text: text, others: []string{"a", "b", "c", "d"}})
			}
		})
	}
}
