package service

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
)

var hpkeAlgorithms = []devicekey.Algorithm{devicekey.HPKEX25519, devicekey.HPKEXWing}

// withCurrent is a set that carries the current secret.
func withCurrent(t testing.TB, k domain.KeyPair, op domain.Operation, typ domain.CredentialType, current, secret string) domain.Submission {
	t.Helper()
	sub := sealedFor(t, k, op, typ, secret)
	sub.Current = new(sealedFor(t, k, op, typ, current).Ciphertext)
	return sub
}

// paying is the submission of an authorization of one payment.
func paying(t testing.TB, k domain.KeyPair, pin string) domain.Submission {
	t.Helper()
	plaintext, err := json.Marshal(map[string]string{"pin": pin, "txn": hashOf(payment)})
	if err != nil {
		t.Fatal(err)
	}
	return sealedFor(t, k, domain.OpAuthorize, domain.TransactionPIN, string(plaintext))
}

// pay answers in one word.
func (v *instance) pay(sub domain.Submission) string {
	verdict, err := v.Authorize(v.ctx, domain.Authorization{Submission: sub, Transaction: payment})
	return word(verdict.Match, err)
}

// replace answers "true", the rule by which nothing was set, or a code.
func (v *instance) replace(sub domain.Submission) string {
	rule, err := v.Set(v.ctx, sub)
	if err == nil && rule != "" {
		return string(rule)
	}
	return word(true, err)
}

// Every input with a ciphertext, under HPKE keys.
func TestEveryEncryptedInputAcceptsHPKE(t *testing.T) {
	v := openReceipts(t, offering(hpkeAlgorithms...))
	for _, a := range hpkeAlgorithms {
		k := must[domain.KeyPair](t)(v.get(string(a), string(a)))
		passcode := func(op domain.Operation, secret string) domain.Submission {
			return sealedFor(t, k, op, domain.Passcode, secret)
		}
		pin := func(op domain.Operation, secret string) domain.Submission {
			return sealedFor(t, k, op, domain.TransactionPIN, secret)
		}
		for _, step := range []struct {
			input string
			got   string
			want  string
		}{
			{"encryptedPasscode, set", v.replace(passcode(domain.OpSetPasscode, "open sesame")), "true"},
			{"encryptedPasscode, verify", v.verify(passcode(domain.OpVerifyPasscode, "open sesame")), "true"},
			{"encryptedPasscode, a wrong one", v.verify(passcode(domain.OpVerifyPasscode, "open barley")), "false"},
			{"encryptedCurrentPasscode", v.replace(withCurrent(t, k, domain.OpSetPasscode, domain.Passcode, "open sesame", "open barley")), "true"},
			{"encryptedCurrentPasscode, a wrong one", v.replace(withCurrent(t, k, domain.OpSetPasscode, domain.Passcode, "open sesame", "open wheat")), "CURRENT_MISMATCH"},
			{"the replaced passcode", v.verify(passcode(domain.OpVerifyPasscode, "open barley")), "true"},
			{"encryptedPin, set", v.replace(pin(domain.OpSetPIN, "8302")), "true"},
			{"encryptedPin, verify", v.verify(pin(domain.OpVerifyPIN, "8302")), "true"},
			{"encryptedPin, a wrong one", v.verify(pin(domain.OpVerifyPIN, "0000")), "false"},
			{"encryptedCurrentPin", v.replace(withCurrent(t, k, domain.OpSetPIN, domain.TransactionPIN, "8302", "4917")), "true"},
			{"encryptedCurrentPin, a wrong one", v.replace(withCurrent(t, k, domain.OpSetPIN, domain.TransactionPIN, "8302", "5555")), "CURRENT_MISMATCH"},
			{"the replaced PIN", v.verify(pin(domain.OpVerifyPIN, "4917")), "true"},
			{"encryptedAuthorization", v.pay(paying(t, k, "4917")), "true"},
			{"encryptedAuthorization, a wrong PIN", v.pay(paying(t, k, "8302")), "false"},
			{"encryptedAuthorization, the ciphertext of a verify", v.pay(pin(domain.OpVerifyPIN, "4917")), "DECRYPTION_FAILED"},
			{"encryptedPin, the ciphertext of an authorization", v.verify(paying(t, k, "4917")), "DECRYPTION_FAILED"},
			{"encryptedPin, the ciphertext of a passcode", v.verify(pin(domain.OpVerifyPasscode, "4917")), "DECRYPTION_FAILED"},
			{"encryptedCurrentPin, the ciphertext of a verify", v.replace(domain.Submission{Type: domain.TransactionPIN, Declared: domain.TransactionPIN, KeyID: k.KeyID,
				Ciphertext: pin(domain.OpSetPIN, "5555").Ciphertext, Current: new(pin(domain.OpVerifyPIN, "4917").Ciphertext)}), "DECRYPTION_FAILED"},
			{"the PIN after all refusals", v.verify(pin(domain.OpVerifyPIN, "4917")), "true"},
		} {
			v.expect(string(a)+": "+step.input, step.got, step.want)
		}
	}
	if n := v.events()[domain.EventReceiptIssued]; n != 2 {
		t.Errorf("%d receipts were issued", n)
	}
	v.intact()
}

// bound is a ciphertext for one purpose, which the label of RSA or the AAD of HPKE names.
func bound(t testing.TB, k domain.KeyPair, op domain.Operation, typ domain.CredentialType, secret string) string {
	t.Helper()
	if k.Algorithm != string(devicekey.RSAOAEP256) {
		return sealedFor(t, k, op, typ, secret).Ciphertext
	}
	public, err := x509.ParsePKIXPublicKey(k.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	label := map[domain.Operation]string{
		domain.OpSetPIN: "strongroom/set", domain.OpSetPIN.Current(): "strongroom/current", domain.OpVerifyPIN: "strongroom/verify",
		domain.OpSetPasscode: "strongroom/set", domain.OpSetPasscode.Current(): "strongroom/current", domain.OpVerifyPasscode: "strongroom/verify",
	}[op]
	ct, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, public.(*rsa.PublicKey), []byte(secret), []byte(label))
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(ct)
}

// A thief with the caller's rights has the ciphertext of an earlier set, and does not
// know the secret in it.
func TestARecordedSetIsNoCurrentSecretIfThePurposeIsRequired(t *testing.T) {
	for _, required := range []bool{false, true} {
		v := openVault(t, func(c *Config) {
			c.Algorithms, c.PurposeRequired, c.DecryptionFailures = devicekey.Algorithms, required, 1000
		})
		for _, a := range devicekey.Algorithms {
			k := must[domain.KeyPair](t)(v.get(string(a), string(a)))
			for typ, s := range map[domain.CredentialType]struct {
				set, verify               domain.Operation
				first, thief, next, other string
			}{
				domain.TransactionPIN: {domain.OpSetPIN, domain.OpVerifyPIN, "4938", "8302", "6174", "5927"},
				domain.Passcode:       {domain.OpSetPasscode, domain.OpVerifyPasscode, "open sesame", "open barley", "open wheat", "open millet"},
			} {
				sub := func(ciphertext string) domain.Submission {
					return domain.Submission{Type: typ, Declared: typ, KeyID: k.KeyID, Ciphertext: ciphertext}
				}
				replace := func(next, current string) string {
					with := sub(bound(t, k, s.set, typ, next))
					with.Current = new(current)
					return v.replace(with)
				}
				expect := func(what, got, want string) {
					t.Helper()
					v.expect(fmt.Sprintf("%s, %s, required %v: %s", a, typ, required, what), got, want)
				}
				recorded := bound(t, k, s.set, typ, s.first)
				if a == devicekey.RSAOAEP256 && !required {
					recorded = submission(t, k, typ, s.first).Ciphertext // without a label
				}
				expect("the owner sets", v.replace(sub(recorded)), "true")
				want := "DECRYPTION_FAILED"
				if !required {
					want, s.first = "true", s.thief
				}
				expect("the thief replaces", replace(s.thief, recorded), want)
				current := bound(t, k, s.set.Current(), typ, s.first)
				expect("a current one is not a new one", v.replace(sub(current)), "DECRYPTION_FAILED")
				expect("nor one to verify", v.verify(sub(current)), "DECRYPTION_FAILED")
				expect("a verify is not a current one", replace(s.next, bound(t, k, s.verify, typ, s.first)), "DECRYPTION_FAILED")
				expect("what is set", v.verify(sub(bound(t, k, s.verify, typ, s.first))), "true")
				expect("the owner replaces", replace(s.next, current), "true")
				expect("a wrong current one", replace(s.other, current), "CURRENT_MISMATCH")
				expect("what is set now", v.verify(sub(bound(t, k, s.verify, typ, s.next))), "true")
			}
		}
		v.intact()
	}
}

// HPKE's AAD has the type of the credential too. An RSA label has not.
func TestACurrentSecretOfHPKEIsBoundToItsCredential(t *testing.T) {
	v := openVault(t, offering(hpkeAlgorithms...))
	for _, a := range hpkeAlgorithms {
		k := must[domain.KeyPair](t)(v.get(string(a), string(a)))
		v.expect("set", v.set(sealedFor(t, k, domain.OpSetPIN, domain.TransactionPIN, "4938")), "true")
		for name, aad := range map[string]struct {
			op  domain.Operation
			typ domain.CredentialType
		}{
			"the type of the other":                 {domain.OpSetPIN.Current(), domain.Passcode},
			"the operation of the other":            {domain.OpSetPasscode.Current(), domain.TransactionPIN},
			"verify/current, which does not exist":  {domain.OpVerifyPIN.Current(), domain.TransactionPIN},
			"the operation of the other, as it was": {domain.OpSetPasscode, domain.TransactionPIN},
			"current twice, which does not exist":   {domain.OpSetPIN.Current().Current(), domain.TransactionPIN},
		} {
			sub := sealedFor(t, k, domain.OpSetPIN, domain.TransactionPIN, "8302")
			sub.Current = new(sealedFor(t, k, aad.op, aad.typ, "4938").Ciphertext)
			v.expect(string(a)+": "+name, v.replace(sub), "DECRYPTION_FAILED")
		}
		if n := v.attemptCounter(k).Failures; n != 0 {
			t.Errorf("%s: %d failures were counted", a, n)
		}
	}
}

func TestASignedHPKEKeyNamesItsAlgorithm(t *testing.T) {
	v := openVault(t, func(c *Config) {
		c.Mode, c.IssuerURL, c.Algorithms = domain.ModeJWT, vaultURL, hpkeAlgorithms
	}).as("alice")
	v.tend()
	const challenge = "Zm9yIHRoaXMgcmVxdWVzdA"
	for _, a := range hpkeAlgorithms {
		id := domain.Identity{DeviceID: string(a), Algorithms: []string{string(a)}, Challenge: new(challenge)}
		pair := must[domain.KeyPair](t)(v.GenerateKey(v.ctx, id))
		_, claims := v.signedKey(pair)
		now := v.lately(claims["iat"])
		same(v, string(a), claims, map[string]any{"iss": vaultURL, "sub": "alice", "sub_iss": testIssuer, "keyId": pair.KeyID,
			"spki": base64.StdEncoding.EncodeToString(pair.PublicKey), "algorithm": string(a), "deviceId": string(a),
			"challenge": challenge, "iat": now, "exp": now + 300})
	}
}

// brokenOf are the ciphertexts of a right PIN that an attacker can make of a good
// one, and those of a client that is wrong.
func brokenOf(t testing.TB, k domain.KeyPair, others []domain.KeyPair) map[string]string {
	t.Helper()
	text := sealedFor(t, k, domain.OpVerifyPIN, domain.TransactionPIN, "1357").Ciphertext
	good, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	n := devicekey.EncapsulatedSize(devicekey.Algorithm(k.Algorithm))
	order8, err := hex.DecodeString("e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800")
	if err != nil {
		t.Fatal(err)
	}
	point := func(p []byte) []byte { return append(append(bytes.Clone(good[:n-32]), p...), good[n:]...) }
	flipped := func(at int) []byte {
		changed := bytes.Clone(good)
		changed[at] ^= 1
		return changed
	}
	broken := map[string][]byte{
		"a point of order 1":   point(make([]byte, 32)),
		"a point of order 8":   point(order8),
		"a truncated enc":      good[1:],
		"enc alone":            good[:n],
		"a truncated tag":      good[:len(good)-1],
		"a byte more":          append(bytes.Clone(good), 0),
		"another point":        flipped(n - 32),
		"implicit rejection":   flipped(0), // of ML-KEM with X-Wing: another shared secret and no error (FIPS 203, 6.3)
		"another secret":       flipped(n),
		"another tag":          flipped(len(good) - 1),
		"nothing that opens":   bytes.Repeat([]byte{7}, len(good)),
		"a byte, and no tag":   good[:n+1],
		"an RSA ciphertext":    bytes.Repeat([]byte{7}, 384),
		"no more than nothing": {0},
	}
	texts := map[string]string{"not base64": "*" + text[1:]}
	for name, ciphertext := range broken {
		texts[name] = base64.StdEncoding.EncodeToString(ciphertext)
	}
	seal := func(of domain.KeyPair, op domain.Operation, keyID string, typ domain.CredentialType) string {
		of.KeyID = keyID
		return sealedFor(t, of, op, typ, "1357").Ciphertext
	}
	for _, other := range others {
		texts["of another key: "+other.Algorithm] = seal(other, domain.OpVerifyPIN, k.KeyID, domain.TransactionPIN)
	}
	texts["an altered AAD: operation"] = seal(k, domain.OpVerifyPasscode, k.KeyID, domain.TransactionPIN)
	texts["an altered AAD: keyId"] = seal(k, domain.OpVerifyPIN, others[0].KeyID, domain.TransactionPIN)
	texts["an altered AAD: passwordAuthType"] = seal(k, domain.OpVerifyPIN, k.KeyID, domain.Passcode)
	return texts
}

// P7: one code, message and form, which costs no attempt.
func TestEveryBrokenHPKECiphertextGetsTheSameAnswer(t *testing.T) {
	v := openVault(t, func(c *Config) { c.Algorithms, c.DecryptionFailures = hpkeAlgorithms, 1000 })
	for _, a := range hpkeAlgorithms {
		k := must[domain.KeyPair](t)(v.get(string(a), string(a)))
		v.expect("set", v.set(sealedFor(t, k, domain.OpSetPIN, domain.TransactionPIN, "1357")), "true")
		var others []domain.KeyPair // of its own KEM, and of the other
		for _, other := range hpkeAlgorithms {
			others = append(others, must[domain.KeyPair](t)(v.get("another "+string(other)+string(a), string(other))))
		}
		for name, text := range brokenOf(t, k, others) {
			verdict, err := v.Verify(v.ctx, domain.Submission{Type: domain.TransactionPIN, Declared: domain.TransactionPIN, KeyID: k.KeyID, Ciphertext: text})
			if !errors.Is(err, domain.ErrDecryptionFailed) || err.Error() != domain.ErrDecryptionFailed.Error() || verdict != (domain.Verdict{}) {
				t.Errorf("%s, %s: %+v, %v", a, name, verdict, err)
			}
		}
		v.expect("the right PIN", v.verify(sealedFor(t, k, domain.OpVerifyPIN, domain.TransactionPIN, "1357")), "true")
		if counter := v.attemptCounter(k); counter.Failures != 0 || len(counter.Pending) != 0 {
			t.Errorf("%s: attempts were counted: %+v", a, counter)
		}
	}
	v.intact()
}

// Each key has its own limit, which covers every input.
func TestUndecryptableHPKECiphertextsUseTheBudgetAndCostNoAttempt(t *testing.T) {
	v := openReceipts(t, func(c *Config) { c.Algorithms, c.DecryptionFailures = hpkeAlgorithms, 10 })
	for _, a := range hpkeAlgorithms {
		k := must[domain.KeyPair](t)(v.get(string(a), string(a)))
		other := must[domain.KeyPair](t)(v.get("another "+string(a), string(a)))
		right := func(k domain.KeyPair) domain.Submission {
			return sealedFor(t, k, domain.OpVerifyPIN, domain.TransactionPIN, "1357")
		}
		for _, k := range []domain.KeyPair{k, other} {
			v.expect("set", v.set(sealedFor(t, k, domain.OpSetPIN, domain.TransactionPIN, "1357")), "true")
		}
		broken := right(k)
		broken.Ciphertext = right(other).Ciphertext
		for i := range 10 {
			try := []func(domain.Submission) string{v.verify, v.set, v.pay}[i%3]
			v.expect(string(a)+": a ciphertext of another key", try(broken), "DECRYPTION_FAILED")
		}
		v.expect(string(a)+": verify past the budget", v.verify(right(k)), "TOO_MANY_REQUESTS")
		v.expect(string(a)+": set past the budget", v.set(sealedFor(t, k, domain.OpSetPIN, domain.TransactionPIN, "1357")), "TOO_MANY_REQUESTS")
		v.expect(string(a)+": authorize past the budget", v.pay(paying(t, k, "1357")), "TOO_MANY_REQUESTS")
		v.expect(string(a)+": another key", v.verify(right(other)), "true")
		v.clock.Advance(15*time.Minute + time.Second)
		v.expect(string(a)+": a window later", v.verify(right(k)), "true")
	}
	v.intact()
}

func TestIssuedKeysAreCountedByAlgorithm(t *testing.T) {
	registry := prometheus.NewRegistry()
	v := openVault(t, func(c *Config) {
		c.Algorithms, c.Metrics = []devicekey.Algorithm{devicekey.HPKEXWing, devicekey.RSAOAEP256}, metrics.New(registry)
	})
	v.issue("phone")
	v.issue("phone") // the same
	v.rotate("phone")
	must[domain.KeyPair](t)(v.get("tablet", "HPKE-XWING"))
	if _, err := v.get("watch", "HPKE-X25519"); err == nil {
		t.Error("an algorithm that is not offered was issued")
	}
	for a, want := range map[string]float64{"RSA-OAEP-256": 2, "HPKE-XWING": 1, "HPKE-X25519": 0} {
		if got := counted(t, registry, "strongroom_keys_issued_total", a); got != want {
			t.Errorf("%s: %g keys, want %g", a, got, want)
		}
	}
}
