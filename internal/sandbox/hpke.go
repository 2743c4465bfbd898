package sandbox

import (
	"crypto/hpke"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
)

// This file finds out how an HPKE ciphertext was made, by trying the mistakes of
// clients. A ciphertext opens only with exactly the suite, info and AAD of its
// sender, so the first success is proof. Like oaep.go, this code must only be used
// with the doctor's own keys.

const tagSize = 16 // of each AEAD

// kems are the KEMs of the HPKE algorithms.
var kems = map[devicekey.Algorithm]hpke.KEM{
	devicekey.HPKEX25519: hpke.DHKEM(x25519),
	devicekey.HPKEXWing:  hpke.MLKEM768X25519(),
}

// newHPKE generates a key pair, with the public key as DER SubjectPublicKeyInfo.
func newHPKE(a devicekey.Algorithm) (hpke.PrivateKey, []byte, error) {
	spki, private, err := devicekey.GenerateHPKE(a)
	if err != nil {
		return nil, nil, err
	}
	k, err := kems[a].NewPrivateKey(private[1:]) // after the byte that names the form
	if err != nil {
		return nil, nil, fmt.Errorf("reading a new key of %s: %w", a, err)
	}
	return k, spki, nil
}

// purpose is an operation and a credential that a ciphertext can be for, and its label
// with RSA. The current secret in a set has an operation of its own.
type purpose struct {
	operation domain.Operation
	typ       domain.CredentialType
	label     string
}

func rightAAD(keyID string, p purpose) string {
	return string(devicekey.AAD(string(p.operation), keyID, string(p.typ)))
}

var purposes = []purpose{
	{domain.OpVerifyPIN, domain.TransactionPIN, devicekey.LabelVerify},
	{domain.OpSetPIN, domain.TransactionPIN, devicekey.LabelSet},
	{domain.OpSetPIN.Current(), domain.TransactionPIN, devicekey.LabelCurrent},
	{domain.OpVerifyPasscode, domain.Passcode, devicekey.LabelVerify},
	{domain.OpSetPasscode, domain.Passcode, devicekey.LabelSet},
	{domain.OpSetPasscode.Current(), domain.Passcode, devicekey.LabelCurrent},
	{domain.OpAuthorize, domain.TransactionPIN, devicekey.LabelAuthorize},
	{domain.OpAuthorize, domain.Passcode, devicekey.LabelAuthorize},
}

// operations returns the operations of the purposes, each once.
func operations() (all []domain.Operation) {
	for _, p := range purposes {
		if !slices.Contains(all, p.operation) {
			all = append(all, p.operation)
		}
	}
	return all
}

// Expected is what a client must give HPKE for a key.
type Expected struct {
	Suite    string `json:"suite"`
	EncBytes int    `json:"encBytes"`
	Info     string `json:"info"`
	AAD      string `json:"aad"` // for the operation in the request, or for verifyTransactionPin
	AADHex   string `json:"aadHex"`
}

func expected(k *sandboxKey, o domain.Operation) *Expected {
	p := purposes[max(0, slices.IndexFunc(purposes, func(p purpose) bool { return p.operation == o }))]
	aad := rightAAD(k.id, p)
	return &Expected{suiteName(k, suites[0]), devicekey.EncapsulatedSize(k.algorithm), devicekey.Info, aad, hex.EncodeToString([]byte(aad))}
}

// suite is a KDF and an AEAD, with their names.
type suite struct {
	kdf               hpke.KDF
	aead              hpke.AEAD
	kdfName, aeadName string
}

// suites are all suites, the right one first.
var suites = func() (all []suite) {
	kdfs := []suite{
		{kdf: hpke.HKDFSHA256(), kdfName: "HKDF-SHA256"}, {kdf: hpke.HKDFSHA384(), kdfName: "HKDF-SHA384"},
		{kdf: hpke.HKDFSHA512(), kdfName: "HKDF-SHA512"}, {kdf: hpke.SHAKE128(), kdfName: "SHAKE128"}, {kdf: hpke.SHAKE256(), kdfName: "SHAKE256"},
	}
	for _, s := range kdfs {
		for _, a := range []suite{
			{aead: hpke.AES256GCM(), aeadName: "AES-256-GCM"}, {aead: hpke.AES128GCM(), aeadName: "AES-128-GCM"}, {aead: hpke.ChaCha20Poly1305(), aeadName: "ChaCha20-Poly1305"},
		} {
			all = append(all, suite{s.kdf, a.aead, s.kdfName, a.aeadName})
		}
	}
	return all
}()

func suiteName(k *sandboxKey, s suite) string {
	kem := map[devicekey.Algorithm]string{devicekey.HPKEX25519: "DHKEM(X25519, HKDF-SHA256)", devicekey.HPKEXWing: "X-Wing"}[k.algorithm]
	return "HPKE, " + kem + ", " + s.kdfName + ", " + s.aeadName
}

// sealing is how an HPKE ciphertext was made.
type sealing struct {
	suite suite
	info  info
	aad   aad
}

// unseal tries to open enc || ct: with the right suite and info and every AAD that
// clients make, and if thorough also with wrong suites and infos. At most that is
// about 300 decapsulations and 110,000 AADs, which take about 55 ms.
func (e *examination) unseal(k *sandboxKey, ciphertext []byte, thorough bool) (sealing, []byte, bool) {
	n := devicekey.EncapsulatedSize(k.algorithm)
	if len(ciphertext) < n+tagSize {
		return sealing{}, nil, false
	}
	enc, ct := ciphertext[:n], ciphertext[n:]
	all := aads(k.id, e.ids(k))
	if s, message, ok := open(k, enc, ct, suites[0], infos[0], all); ok || !thorough {
		return s, message, ok
	}
	for _, p := range purposes {
		swapped := aad{text: devicekey.Info, purpose: p, mistakes: []noted{{aadInfoSwapped, nil}}}
		if s, message, ok := open(k, enc, ct, suites[0], info{text: rightAAD(k.id, p)}, []aad{swapped}); ok {
			return s, message, true
		}
	}
	plain := all[:len(purposes)+1] // the right AADs, and the empty one
	for i, s := range suites {
		for j, info := range infos {
			if i == 0 && j == 0 {
				continue
			}
			tries := plain
			if i == 0 || j == 0 {
				tries = all
			}
			if s, message, ok := open(k, enc, ct, s, info, tries); ok {
				return s, message, true
			}
		}
	}
	return sealing{}, nil, false
}

// open tries AADs with one suite and info.
func open(k *sandboxKey, enc, ct []byte, s suite, i info, tries []aad) (sealing, []byte, bool) {
	r, err := hpke.NewRecipient(enc, k.hpke, s.kdf, s.aead, []byte(i.text))
	if err != nil {
		return sealing{}, nil, false // the point has low order
	}
	for _, a := range tries {
		if message, err := r.Open([]byte(a.text), ct); err == nil {
			return sealing{s, i, a}, message, true
		}
	}
	return sealing{}, nil, false
}

// ids returns the ids of keys other than k that a client may have put into the AAD.
func (e *examination) ids(k *sandboxKey) []string {
	ids := append([]string{e.key.id}, e.question.others...)
	return slices.DeleteFunc(ids, func(id string) bool { return id == k.id })
}

func (e *examination) unseals(k *sandboxKey, ciphertext []byte) bool {
	_, _, ok := e.unseal(k, ciphertext, false)
	return ok
}

// openHPKE decrypts bytes with an HPKE key. It returns how they were encrypted, or
// "" if that is unknown.
func (e *examination) openHPKE(b []byte) (scheme string, message []byte) {
	if most := devicekey.EncapsulatedSize(e.key.algorithm) + tagSize + devicekey.MaxHPKEPlaintext; len(b) > most {
		e.find(tooLong, true, len(b), most)
		return "", nil
	}
	k := e.key
	s, message, ok := e.unseal(k, b, true)
	if !ok {
		s, message, ok = e.mended(b)
	}
	for i := 0; !ok && i < len(e.others); i++ {
		if other := e.others[i]; other.hpke != nil {
			if s, message, ok = e.unseal(other, b, false); ok {
				e.find(otherKey, true)
				k = other
			}
		}
	}
	if !ok {
		return e.unopened(b)
	}
	e.purpose = s.aad.purpose
	e.judgeSealing(s, k)
	return suiteName(k, s.suite) + ", for " + string(s.aad.operation), message
}

// mended opens bytes that were joined in a wrong way.
func (e *examination) mended(b []byte) (sealing, []byte, bool) {
	n := devicekey.EncapsulatedSize(e.key.algorithm)
	if len(b) > n {
		at := len(b) - n
		if s, message, ok := e.unseal(e.key, slices.Concat(b[at:], b[:at]), false); ok {
			e.find(encLast, true, n)
			return s, message, true
		}
		for _, at := range []int{0, n - 1} {
			if s, message, ok := e.unseal(e.key, slices.Insert(slices.Clone(b), at, 0), false); ok {
				e.find(lostZero, true)
				return s, message, true
			}
		}
	}
	return sealing{}, nil, false
}

// unopened judges bytes that no way of HPKE opens.
func (e *examination) unopened(b []byte) (scheme string, message []byte) {
	n, size := len(b), devicekey.EncapsulatedSize(e.key.algorithm)
	if how, message, ok := e.withoutHPKE(b); ok {
		e.find(withoutHPKE, true, how)
		return "X25519, " + how, message
	}
	for _, other := range e.others {
		if other.rsa != nil && n == other.rsa.Size() {
			if p, message, ok := unpad(encoded(other.rsa, b)); ok {
				e.find(rsaCiphertext, true, n)
				return p.name(), message
			}
		}
	}
	switch {
	case n == 256 || n == 384 || n == 512:
		e.find(rsaCiphertext, true, n)
	case n < size+tagSize+4:
		e.find(truncated, true, n, size)
	default:
		e.find(undecryptable, true)
	}
	return "", nil
}

// judgeSealing reports the mistakes in a ciphertext for k.
func (e *examination) judgeSealing(s sealing, k *sandboxKey) {
	if s.suite.kdfName != suites[0].kdfName {
		e.find(otherKDF, true, s.suite.kdfName)
	}
	if s.suite.aeadName != suites[0].aeadName {
		e.find(otherAEAD, true, s.suite.aeadName)
	}
	if s.info.name != "" {
		e.find(otherInfo, true, s.info.name)
	}
	wanted := e.question.operation
	for _, n := range s.aad.mistakes {
		if n.code == aadKeyID && k != e.key {
			continue // the key is the finding
		}
		if n.code == aadOperation && wanted != "" {
			n.args = []any{n.args[0], wanted}
			wanted = ""
		}
		e.find(n.code, true, n.args...)
	}
	switch {
	case wanted == "" || s.aad.operation == "" || s.aad.operation == wanted:
	case s.aad.operation.Current() == wanted:
		e.find(aadOfNewSecret, e.question.required, s.aad.operation, wanted)
	default:
		e.find(aadOperation, true, s.aad.operation, wanted)
	}
}

// couldBeHPKE reports whether an HPKE ciphertext of a PIN or passcode can have n
// bytes.
func (e *examination) couldBeHPKE(n int) bool {
	const shortest, longest = 4, 128 // bytes of a secret
	return slices.ContainsFunc([]devicekey.Algorithm{devicekey.HPKEX25519, devicekey.HPKEXWing}, func(a devicekey.Algorithm) bool {
		overhead := devicekey.EncapsulatedSize(a) + tagSize
		return n >= overhead+shortest && n <= overhead+longest
	})
}

// isHPKE reports whether b is a ciphertext for another key of the question, an HPKE
// key.
func (e *examination) isHPKE(b []byte) bool {
	for _, other := range e.others {
		if other.hpke != nil && e.unseals(other, b) {
			e.find(hpkeCiphertext, true, len(b))
			return true
		}
	}
	return false
}

// looksOtherwise reports whether text is more likely to be something else than the
// base64 of an HPKE ciphertext, which can have many lengths.
func (e *examination) looksOtherwise(text string, ciphertext []byte) bool {
	if hexadecimal.MatchString(text) || isText(ciphertext) {
		return true
	}
	return strings.Contains(text, " ") && !e.unseals(e.key, ciphertext)
}

// joined decodes two base64 texts, one of which is enc.
func (e *examination) joined(text string) []byte {
	n := devicekey.EncapsulatedSize(e.key.algorithm)
	if n == 0 {
		return nil
	}
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(".:,;|", r) })
	if at := strings.Index(text, "="); len(parts) == 1 && at > 0 {
		at += len(text[at:]) - len(strings.TrimLeft(text[at:], "="))
		parts = []string{text[:at], text[at:]}
	}
	if len(parts) != 2 {
		return nil
	}
	return e.both(parts[0], parts[1])
}

// twoMembers is joined for an object with enc and the ciphertext as members.
func (e *examination) twoMembers(object map[string]any) (string, bool) {
	enc, _ := object["enc"].(string)
	for _, name := range []string{"ciphertext", "ct", "cipherText", "data"} {
		if ct, _ := object[name].(string); enc != "" && ct != "" {
			if b := e.both(enc, ct); b != nil {
				return base64.StdEncoding.EncodeToString(b), true
			}
		}
	}
	return "", false
}

func (e *examination) both(first, second string) []byte {
	n := devicekey.EncapsulatedSize(e.key.algorithm)
	a, okA := lenient(white.ReplaceAllString(first, ""))
	b, okB := lenient(white.ReplaceAllString(second, ""))
	if n == 0 || !okA || !okB || len(a) != n && len(b) != n || !e.fits(len(a)+len(b)) {
		return nil
	}
	return slices.Concat(a, b)
}

// authorization checks the plaintext for authorizeTransaction, and returns the
// secret in it. For other operations the plaintext is the secret.
func (e *examination) authorization(message []byte) []byte {
	if e.purpose.operation != domain.OpAuthorize {
		return message
	}
	var members map[string]any
	err := json.Unmarshal(message, &members)
	pin, ok := members["pin"].(string)
	_, txn := members["txn"].(string)
	if err != nil || !ok || !txn || len(members) != 2 {
		e.find(notForAuthorize, true)
		return message
	}
	return []byte(pin)
}
