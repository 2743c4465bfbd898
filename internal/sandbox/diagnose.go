package sandbox

import (
	"bytes"
	"crypto"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"strongroom/internal/crypto/devicekey"
	"strongroom/internal/domain"
)

// The verdicts of a [Diagnosis]: what set and verify would do with exactly the
// pasted text.
const (
	verdictAccepted = "accepted" // it decrypts to something that looks like a PIN or passcode
	verdictDoubtful = "doubtful" // it decrypts, but the secret inside is wrong
	verdictRefused  = "refused"  // set and verify answer DECRYPTION_FAILED
	verdictUnknown  = "unknown"  // the doctor has no such key
)

// Finding is one finding about a ciphertext. Code is a mistake. Its words are
// in findings.go, and repeat nothing of the pasted text except lengths.
type Finding struct {
	Code    string `json:"code"`
	Refused bool   `json:"refused"` // set and verify refuse a ciphertext with this mistake
	Title   string `json:"title"`
	Meaning string `json:"meaning"`
	Remedy  string `json:"remedy"`
}

// Diagnosis is the result for one ciphertext.
type Diagnosis struct {
	Verdict  string    `json:"verdict"`
	Findings []Finding `json:"findings"`           // from the outermost layer to the innermost
	Scheme   string    `json:"scheme"`             // how it was encrypted; "": unknown
	Expected *Expected `json:"expected,omitempty"` // only for HPKE keys
	Shape    string    `json:"shape,omitempty"`    // of the secret: letters and digits are dots, characters that do not print have a symbol
}

// examination is the state of one diagnosis.
type examination struct {
	key      *sandboxKey
	others   []*sandboxKey
	accepted []devicekey.Variant // that the service accepts
	question question
	purpose  purpose // of the ciphertext, according to its AAD or label
	findings []Finding
}

func (e *examination) find(code mistake, refused bool, args ...any) {
	w, ok := hpkeWords[code]
	if !ok || e.key.algorithm == devicekey.RSAOAEP256 {
		w = words[code]
	}
	if remedy, ok := boundRemedies[code]; ok && e.question.required {
		w.remedy = remedy
	}
	e.findings = append(e.findings, Finding{string(code), refused, w.title, fmt.Sprintf(w.meaning, args...), w.remedy})
}

// diagnose examines the text that a client would send as encryptedPin or
// encryptedPasscode: its encoding, its encryption and its content. The text was
// pasted by a stranger, and has at most [maxText] bytes.
func diagnose(k *sandboxKey, others []*sandboxKey, accepted []devicekey.Variant, q question) Diagnosis {
	e := &examination{key: k, others: others, accepted: accepted, question: q}
	d := Diagnosis{Verdict: verdictRefused}
	if ciphertext := e.decode(q.text); ciphertext != nil {
		var message []byte
		if k.algorithm == devicekey.RSAOAEP256 {
			d.Scheme, message = e.openRSA(ciphertext)
		} else {
			d.Scheme, message = e.openHPKE(ciphertext)
		}
		if d.Scheme != "" {
			d.Shape = shape(message)
			e.content(message)
			clear(message)
		}
	}
	if k.algorithm != devicekey.RSAOAEP256 {
		d.Expected = expected(k, q.operation)
	}
	d.Findings = e.findings
	switch {
	case slices.ContainsFunc(d.Findings, func(f Finding) bool { return f.Refused }):
	case slices.ContainsFunc(d.Findings, func(f Finding) bool { return f.Code != string(fine) && !isHarmless(f.Code) }):
		d.Verdict = verdictDoubtful
	default:
		d.Verdict = verdictAccepted
	}
	return d
}

// decode removes the layers around the ciphertext, one after the other. It
// returns nil if that does not lead to a ciphertext.
func (e *examination) decode(text string) []byte {
	for range 6 { // no client has more layers
		text = strings.TrimSpace(e.withPlus(text)) // a + at an end may be a space
		if ciphertext, ok := e.taken(text); ok {
			return ciphertext
		}
		next, found := e.unwrap(text)
		if !found {
			return e.bytesOf(text)
		}
		text = next
	}
	e.find(notBase64, true)
	return nil
}

var (
	percent     = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
	escape      = regexp.MustCompile(`\\(u[0-9A-Fa-f]{4}|["\\/bfnrt])`)
	white       = regexp.MustCompile(`\s+`)
	hexadecimal = regexp.MustCompile(`^(0[xX])?[0-9A-Fa-f:\s-]+$`)
	base64Chars = regexp.MustCompile(`^[A-Za-z0-9+/_=\s-]+$`)
	fields      = []string{"encryptedPin", "encryptedPasscode", "encryptedData", "ciphertext"}
)

// unwrap removes one layer of text around the text.
func (e *examination) unwrap(text string) (string, bool) {
	var object map[string]any
	switch {
	case len(text) > 1 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0]:
		e.find(quotedCiphertext, true)
		var inner string
		if json.Unmarshal([]byte(text), &inner) == nil {
			return inner, true
		}
		return text[1 : len(text)-1], true
	case strings.HasPrefix(text, "{") && json.Unmarshal([]byte(text), &object) == nil:
		if both, ok := e.twoMembers(object); ok {
			e.find(twoParts, true)
			return both, true
		}
		if inner, ok := member(object); ok {
			e.find(jsonAround, true)
			return inner, true
		}
	case percent.MatchString(text):
		if inner, err := url.PathUnescape(text); err == nil {
			e.find(urlEncoded, true)
			return inner, true
		}
	case escape.MatchString(text):
		var inner string
		if json.Unmarshal([]byte(`"`+strings.ReplaceAll(text, `"`, "")+`"`), &inner) == nil {
			e.find(jsonEscapes, true)
			return inner, true
		}
	}
	return "", false
}

// withPlus puts back each + that became a space, if that makes the text a ciphertext.
func (e *examination) withPlus(text string) string {
	if !strings.Contains(text, " ") || strings.Contains(text, "+") {
		return text
	}
	plus := strings.ReplaceAll(text, " ", "+")
	b, err := devicekey.DecodeCiphertextFor(e.key.algorithm, e.key.bits(), plus)
	if err != nil || e.key.hpke != nil && !e.unseals(e.key, b) {
		return text
	}
	e.find(plusToSpace, true)
	return plus
}

// member finds the ciphertext in a pasted object: the body of a request, or its
// variables.
func member(object map[string]any) (string, bool) {
	for _, name := range fields {
		if text, ok := object[name].(string); ok {
			return text, true
		}
	}
	for _, v := range object {
		if inner, ok := v.(map[string]any); ok {
			if text, found := member(inner); found {
				return text, true
			}
		}
	}
	return "", false
}

// taken decodes text that the service accepts as a ciphertext of the key.
func (e *examination) taken(text string) ([]byte, bool) {
	ciphertext, err := devicekey.DecodeCiphertextFor(e.key.algorithm, e.key.bits(), text)
	if err != nil || e.key.hpke != nil && e.looksOtherwise(text, ciphertext) {
		return nil, false
	}
	if strings.ContainsAny(text, "-_") {
		e.find(base64URL, false)
	}
	return ciphertext, true
}

// bytesOf decodes text that the service does not accept as a ciphertext.
func (e *examination) bytesOf(text string) []byte {
	compact := white.ReplaceAllString(text, "")
	switch {
	case compact == "":
		e.find(empty, true)
		return nil
	case strings.HasPrefix(text, "-----BEGIN"):
		e.find(pemPasted, true)
		return nil
	case strings.HasPrefix(text, "eyJ") && strings.Count(text, ".") == 4:
		e.find(jwe, true)
		return nil
	}
	if hexadecimal.MatchString(text) {
		digits := strings.NewReplacer(":", "", "-", "").Replace(strings.TrimPrefix(strings.TrimPrefix(compact, "0x"), "0X"))
		if b, err := hex.DecodeString(digits); err == nil {
			if b, ok := e.fitting(b); ok {
				e.find(hexEncoded, true)
				return b
			}
		}
	}
	if b := e.joined(text); b != nil {
		e.find(twoParts, true)
		return b
	}
	b, ok := lenient(compact)
	switch {
	case !ok || len(compact) < e.shortest():
		if len(compact) < e.shortest() {
			e.find(plaintext, true, utf8.RuneCountInString(text))
		} else {
			e.find(notBase64, true)
		}
		return nil
	case isText(b):
		return e.twice(string(b))
	case e.fits(len(b)):
		e.find(looseBase64, true)
		return b
	case e.key.hpke != nil:
		return b // judged if it does not open
	}
	return e.length(b)
}

// fits reports whether n bytes can be a ciphertext of the key.
func (e *examination) fits(n int) bool {
	if e.key.rsa != nil {
		return n == e.key.rsa.Size()
	}
	least := devicekey.EncapsulatedSize(e.key.algorithm) + tagSize
	return n >= least && n <= least+devicekey.MaxHPKEPlaintext
}

// fitting is fits for bytes that may begin with the sign byte of an RSA number.
func (e *examination) fitting(b []byte) ([]byte, bool) {
	if e.key.rsa != nil && len(b) == e.key.rsa.Size()+1 && b[0] == 0 {
		b = b[1:]
	}
	return b, e.fits(len(b))
}

// shortest returns the length of the shortest text that can be a ciphertext, or
// the larger part of one.
func (e *examination) shortest() int {
	if e.key.rsa != nil {
		return 64
	}
	return 28 // the ciphertext of a PIN, without enc
}

// twice decodes text that was inside base64.
func (e *examination) twice(inner string) []byte {
	if b, err := hex.DecodeString(strings.TrimSpace(inner)); err == nil && e.fits(len(b)) {
		e.find(base64OfHex, true)
		return b
	}
	if b, ok := lenient(white.ReplaceAllString(inner, "")); ok && e.fits(len(b)) {
		e.find(doubleBase64, true)
		return b
	}
	e.find(base64OfText, true)
	return nil
}

// lenient decodes base64 with all usual mistakes: mixed alphabets, wrong
// padding, unused bits that are set.
func lenient(text string) ([]byte, bool) {
	if !base64Chars.MatchString(text) {
		return nil, false
	}
	text = strings.NewReplacer("-", "+", "_", "/", "=", "").Replace(text)
	if len(text)%4 == 1 { // the last digit is not a whole byte: cut it off
		text = text[:len(text)-1]
	}
	b, err := base64.RawStdEncoding.DecodeString(text)
	return b, err == nil
}

func isText(b []byte) bool {
	return len(b) > 0 && !bytes.ContainsFunc(b, func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsPrint(r) && !unicode.IsSpace(r) })
}

// length judges bytes whose length is not that of the modulus.
func (e *examination) length(b []byte) []byte {
	size, n := e.key.rsa.Size(), len(b)
	switch {
	case e.isHPKE(b):
		return nil
	case n == size+1 && b[0] == 0:
		e.find(leadingZero, true, n, size)
		return b[1:]
	case n < size && n >= size-4:
		padded := append(make([]byte, size-n), b...)
		if _, _, ok := unpad(encoded(e.key.rsa, padded)); ok {
			e.find(lostZero, true, n, size)
			return padded
		}
	case n == 128 || n == 256 || n == 384 || n == 512:
		if n < size || n%size != 0 {
			e.find(otherSize, true, n, n*8, size*8)
			return nil
		}
	}
	switch {
	case n < size && e.couldBeHPKE(n):
		e.find(hpkeCiphertext, true, n)
	case n < size:
		e.find(truncated, true, n, size, base64.StdEncoding.EncodedLen(size))
	case e.opens(b[:size]):
		if n%size == 0 {
			e.find(blocks, true, n/size)
		} else {
			e.find(hybrid, true, n, size)
		}
	case e.couldBeHPKE(n):
		e.find(hpkeCiphertext, true, n)
	default:
		e.find(tooLong, true, n, size)
	}
	return nil
}

func (e *examination) opens(ciphertext []byte) bool {
	_, _, ok := unpad(encoded(e.key.rsa, ciphertext))
	return ok
}

// openRSA decrypts a ciphertext that is as long as the modulus. It returns how
// it was encrypted, or "" if that is unknown.
func (e *examination) openRSA(ciphertext []byte) (scheme string, message []byte) {
	p, message, ok := unpad(encoded(e.key.rsa, ciphertext))
	if !ok {
		if p, message, ok = unpad(encoded(e.key.rsa, reversed(ciphertext))); ok {
			e.find(byteOrder, true)
		}
	}
	for i := 0; !ok && i < len(e.others); i++ {
		other := e.others[i].rsa
		if other != nil && other.Size() == len(ciphertext) {
			if p, message, ok = unpad(encoded(other, ciphertext)); ok {
				e.find(otherKey, true)
			}
		}
	}
	if !ok {
		e.find(undecryptable, true)
		return "", nil
	}
	e.judge(p)
	return p.name(), message
}

func reversed(b []byte) []byte {
	b = bytes.Clone(b)
	slices.Reverse(b)
	return b
}

// judge reports what is wrong with a padding.
func (e *examination) judge(p padding) {
	e.purpose.operation = e.question.operation
	switch p.scheme {
	case pkcs1:
		e.find(pkcs1Padding, true)
	case signed:
		e.find(signature, true)
	case raw:
		e.find(rawRSA, true)
	case labelled:
		e.judgeLabel(p.label)
		e.judgeHashes(p, true)
	case oaep:
		if e.question.required {
			e.find(noLabel, true)
		}
		e.judgeHashes(p, !slices.ContainsFunc(e.accepted, func(v devicekey.Variant) bool { return variant(p) == v }))
	}
}

// judgeLabel reports a label that does not fit the operation. given is "" for a label
// that the service does not know.
func (e *examination) judgeLabel(given string) {
	wanted := e.question.operation
	i := slices.IndexFunc(purposes, func(p purpose) bool { return p.label == given && (wanted == "" || p.operation == wanted) })
	switch {
	case given == "":
		e.find(label, true)
	case i < 0:
		e.find(otherLabel, true, given, wanted)
	default:
		e.purpose = purposes[i]
	}
}

func (e *examination) judgeHashes(p padding, refused bool) {
	switch {
	case p.hash == crypto.SHA256 && p.mgf == crypto.SHA256:
	case p.hash == crypto.SHA256:
		e.find(mgf1, refused, p.mgf)
	case p.hash == crypto.SHA1 && p.mgf == crypto.SHA1:
		e.find(sha1ForSHA256, refused)
	default:
		e.find(otherHash, true, p.hash, p.mgf)
	}
}

// variant returns the service's name for OAEP with these hashes, or 0 if it has
// none.
func variant(p padding) devicekey.Variant {
	switch p {
	case padding{oaep, crypto.SHA256, crypto.SHA256, ""}:
		return devicekey.SHA256
	case padding{oaep, crypto.SHA256, crypto.SHA1, ""}:
		return devicekey.SHA256MGF1SHA1
	case padding{oaep, crypto.SHA1, crypto.SHA1, ""}:
		return devicekey.SHA1
	}
	return 0
}

// name returns the usual name of a padding.
func (p padding) name() string {
	switch {
	case p.label != "":
		return fmt.Sprintf("RSA-OAEP with the label %s, %v, MGF1 with %v", p.label, p.hash, p.mgf)
	case p.scheme == oaep, p.scheme == labelled:
		return fmt.Sprintf("RSA-%s, %v, MGF1 with %v", p.scheme, p.hash, p.mgf)
	case p.scheme == raw:
		return "RSA without padding"
	}
	return "RSA with " + p.scheme
}

var (
	digitsOnly = regexp.MustCompile(`^[0-9]{4,12}$`)
	hexDigest  = regexp.MustCompile(`^([0-9a-fA-F]{32}|[0-9a-fA-F]{40}|[0-9a-fA-F]{64}|[0-9a-fA-F]{128})$`)
)

// content examines the secret itself for what clients put around it.
func (e *examination) content(secret []byte) {
	before := len(e.findings)
	secret = e.authorization(secret)
	trimmed := bytes.TrimRight(secret, "\r\n")
	inner := bytes.TrimSpace(secret)
	switch {
	case len(secret) == 0:
		e.find(emptySecret, false)
	case bytes.HasPrefix(secret, []byte("\xef\xbb\xbf")):
		e.find(bom, false)
	case isUTF16(secret):
		e.find(utf16Secret, false)
	case bytes.IndexByte(secret, 0) >= 0:
		e.find(nulByte, false)
	case !utf8.Valid(secret):
		e.find(notUTF8, false)
	case len(inner) > 1 && (inner[0] == '"' || inner[0] == '\'') && inner[len(inner)-1] == inner[0]:
		e.find(quotedSecret, false)
	case len(inner) > 0 && (inner[0] == '{' || inner[0] == '[') && json.Valid(inner):
		e.find(jsonSecret, false)
	case len(trimmed) < len(secret):
		e.find(trailingNewline, false)
	case len(inner) < len(secret):
		e.find(spaceAround, false)
	case percent.Match(secret):
		e.find(urlEncodedSecret, false)
	case hexDigest.Match(secret):
		e.find(hashedSecret, false)
	case isEncodedPIN(secret):
		e.find(base64Secret, false)
	case len(secret) < 4 || len(secret) > 128:
		e.find(secretLength, false, len(secret))
	case e.forPIN() && !digitsOnly.Match(secret):
		e.find(notDigits, false)
	}
	if len(e.findings) == before && !slices.ContainsFunc(e.findings, func(f Finding) bool { return f.Refused }) {
		if before == 0 {
			e.find(fine, false)
		} else {
			e.find(fineInside, false)
		}
	}
}

// forPIN reports whether the secret is certainly for a PIN. With RSA only the
// question says so: one label is for PINs and passcodes.
func (e *examination) forPIN() bool {
	operation := e.question.operation
	if e.key.hpke != nil {
		operation = e.purpose.operation
	}
	return slices.Contains([]domain.Operation{domain.OpSetPIN, domain.OpSetPIN.Current(), domain.OpVerifyPIN}, operation)
}

// isUTF16 reports whether every second byte is zero, as in UTF-16 of Latin
// letters and digits in either byte order.
func isUTF16(b []byte) bool {
	if len(b) < 4 || len(b)%2 != 0 {
		return false
	}
	zeros := [2]int{}
	for i, c := range b {
		if c == 0 {
			zeros[i%2]++
		}
	}
	return zeros[0] == len(b)/2 && zeros[1] == 0 || zeros[1] == len(b)/2 && zeros[0] == 0
}

// isEncodedPIN reports whether the secret is a PIN as base64.
func isEncodedPIN(secret []byte) bool {
	b, err := base64.StdEncoding.DecodeString(string(secret))
	return err == nil && digitsOnly.Match(b)
}

// shape shows the form of a secret without its content: letters and digits as
// dots, characters that do not print as symbols, and the rest as it is. Secrets
// here should be made up, but people will try their own.
func shape(secret []byte) string {
	const most = 40
	signs := map[rune]rune{'\n': '⏎', '\r': '␍', '\t': '⇥', ' ': '␣', 0: '␀', utf8.RuneError: '�', '\ufeff': '␂'}
	var out strings.Builder
	for i, r := range []rune(string(secret)) {
		sign, known := signs[r]
		switch {
		case i == most:
			return out.String() + "…"
		case known:
			out.WriteRune(sign)
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			out.WriteRune('•')
		case unicode.IsPrint(r):
			out.WriteRune(r)
		default:
			out.WriteRune('�')
		}
	}
	return out.String()
}
