package devicekey

import (
	"crypto"
	"crypto/rsa"
	_ "crypto/sha1"   //nolint:gosec // as a mask generator and label hash it needs no collision resistance
	_ "crypto/sha256" // registered for OAEPOptions
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Variant is a pair of hashes for RSA-OAEP that a client may have used. The zero
// value is none.
type Variant uint8

// The variants, in the order in which they are tried.
const (
	// SHA256 is SHA-256 with MGF1-SHA-256, which clients should use.
	SHA256 Variant = iota + 1
	// SHA256MGF1SHA1 is SHA-256 with MGF1-SHA-1, which the JDK's own provider
	// uses for "OAEPWithSHA-256AndMGF1Padding".
	SHA256MGF1SHA1
	// SHA1 is SHA-1 with MGF1-SHA-1: the default of RFC 8017, and of Node.js.
	// Collisions of SHA-1 do not help to attack OAEP.
	SHA1
)

// variants holds each variant's setting name and hashes, indexed by Variant.
var variants = [...]struct {
	name      string
	hash, mgf crypto.Hash
}{
	SHA256:         {"sha256", crypto.SHA256, crypto.SHA256},
	SHA256MGF1SHA1: {"sha256-mgf1-sha1", crypto.SHA256, crypto.SHA1},
	SHA1:           {"sha1", crypto.SHA1, crypto.SHA1},
}

// DefaultVariants is all variants, because real clients use each of them. It must
// not be changed.
var DefaultVariants = []Variant{SHA256, SHA256MGF1SHA1, SHA1}

// String returns the variant's stable name in settings and metrics.
func (v Variant) String() string {
	if v == 0 || int(v) >= len(variants) {
		return "none"
	}
	return variants[v].name
}

// ParseVariants returns the variants with these setting names, in the order in which
// they are tried. It fails if there is none, or if a name is unknown or repeated.
func ParseVariants(names []string) ([]Variant, error) {
	if len(names) == 0 {
		return nil, fmt.Errorf("at least one OAEP variant is needed: any of %s", variantNames())
	}
	out := make([]Variant, 0, len(names))
	for _, name := range names {
		i := slices.IndexFunc(DefaultVariants, func(v Variant) bool { return v.String() == name })
		if i < 0 {
			return nil, fmt.Errorf("unknown OAEP variant %q: there are %s", name, variantNames())
		}
		if slices.Contains(out, DefaultVariants[i]) {
			return nil, fmt.Errorf("OAEP variant %q is named twice", name)
		}
		out = append(out, DefaultVariants[i])
	}
	slices.Sort(out)
	return out, nil
}

func variantNames() string {
	names := make([]string, len(DefaultVariants))
	for i, v := range DefaultVariants {
		names[i] = v.String()
	}
	return strings.Join(names, ", ")
}

// The labels of RSA-OAEP with which a client can bind a ciphertext to its purpose. An
// intercepted ciphertext for one purpose does not decrypt for another.
const (
	LabelVerify    = "strongroom/verify"
	LabelAuthorize = "strongroom/authorize"
	LabelSet       = "strongroom/set"
	LabelCurrent   = "strongroom/current" // for the current secret in a set
)

// Labels are all of them.
var Labels = []string{LabelVerify, LabelAuthorize, LabelSet, LabelCurrent}

// Form is a form of RSA-OAEP ciphertext that is accepted: a variant, and the label
// (RFC 8017, 7.1), with which a client binds a ciphertext to its purpose. The zero
// value is none.
type Form struct {
	Variant Variant
	Label   string
}

// Forms returns the forms for a purpose, in the order in which they are tried: each
// variant with the empty label, unless the label is required, and SHA-256 with the
// label. There is no label with other variants: a client that can set a label can also
// choose the hash, and each further form makes a refusal cost more.
func Forms(variants []Variant, label string, required bool) []Form {
	labelled := Form{SHA256, label}
	if required {
		return []Form{labelled}
	}
	var forms []Form
	for _, v := range variants {
		forms = append(forms, Form{Variant: v})
		if v == SHA256 {
			forms = append(forms, labelled)
		}
	}
	return forms
}

// String returns the form's stable name in metrics.
func (f Form) String() string {
	if f.Label != "" {
		return f.Variant.String() + "-labelled"
	}
	return f.Variant.String()
}

// ErrDecryption is the only error for a ciphertext that does not decrypt.
var ErrDecryption = errors.New("ciphertext does not decrypt")

// PrivateKey is a private key of any algorithm, from [ParsePrivate]. Open is safe for
// concurrent use. Do not call Wipe while Open runs.
type PrivateKey interface {
	// Open decrypts a ciphertext with this binding. form is the name of its form in
	// metrics. Every failure is [ErrDecryption], after the same work. The caller wipes
	// the plaintext, which may be empty.
	Open(ciphertext []byte, by Binding) (plaintext []byte, form string, err error)
	// Wipe overwrites the numbers of the key that can be reached and that Open does not
	// need.
	Wipe()
}

// Binding is how ciphertexts are bound to one purpose.
type Binding struct {
	Forms  []Form // of RSA-OAEP: see [Forms]
	AAD    []byte // of HPKE: see [AAD]
	OldAAD []byte // of HPKE: accepted too, if not nil, for clients of 0.16.0 and earlier
}

// RSAKey is a [PrivateKey] of RSA.
type RSAKey struct {
	*rsa.PrivateKey
	by decrypter // see accelerated
}

// Open implements [PrivateKey] with [OpenForm].
func (k RSAKey) Open(ciphertext []byte, by Binding) ([]byte, string, error) {
	plaintext, form, err := OpenForm(k, ciphertext, by.Forms)
	return plaintext, form.String(), err
}

// Decrypt implements [crypto.Decrypter] with the engine of the build, see [Engine].
func (k RSAKey) Decrypt(random io.Reader, ciphertext []byte, opts crypto.DecrypterOpts) ([]byte, error) {
	return k.by.Decrypt(random, ciphertext, opts)
}

// Wipe implements [PrivateKey] with the function [Wipe].
func (k RSAKey) Wipe() { Wipe(k.PrivateKey) }

// decrypter is an [rsa.PrivateKey] or a key of another engine. Tests count its calls.
type decrypter interface {
	crypto.Decrypter
	Size() int // of the modulus, in bytes
}

// Open is [OpenForm] for ciphertexts with the empty label.
func Open(key decrypter, ciphertext []byte, variants []Variant) ([]byte, Variant, error) {
	forms := make([]Form, len(variants))
	for i, v := range variants {
		forms[i].Variant = v
	}
	plaintext, form, err := OpenForm(key, ciphertext, forms)
	return plaintext, form.Variant, err
}

// OpenForm tries the forms in the order given, and returns the plaintext and the first
// form that fits. Only failures must look alike: an attacker who can make a ciphertext
// that decrypts already knows its plaintext and its label.
//
// Every failure is [ErrDecryption], after all forms were tried. Only a ciphertext whose
// length is not that of the modulus fails at once. It must fail, because a ciphertext
// with its leading zeros removed would otherwise decrypt too, as a second encoding of the
// same ciphertext.
//
// The caller wipes the plaintext. It may be empty, and as long as the key allows.
func OpenForm(key decrypter, ciphertext []byte, forms []Form) ([]byte, Form, error) {
	if len(ciphertext) != key.Size() {
		return nil, Form{}, ErrDecryption
	}
	for _, f := range forms {
		options := f.Variant.options()
		options.Label = []byte(f.Label)
		if plaintext, err := key.Decrypt(nil, ciphertext, options); err == nil {
			return plaintext, f, nil
		}
	}
	return nil, Form{}, ErrDecryption
}

func (v Variant) options() *rsa.OAEPOptions {
	p := variants[v]
	return &rsa.OAEPOptions{Hash: p.hash, MGFHash: p.mgf}
}

// ErrCiphertext is the only error for a text that is not base64 of a ciphertext of the
// right size.
var ErrCiphertext = errors.New("not base64 of as many bytes as a ciphertext of this key has")

// MaxCiphertextText is the maximum length, in bytes, of a text to decode. A ciphertext
// of RSA with 4096 bits has 684 characters of base64, and the longest HPKE ciphertext
// 2,200. The rest is room for line breaks.
const MaxCiphertextText = 4096

// DecodeCiphertext decodes the base64 that clients send: in the standard or the URL
// alphabet (RFC 4648, 4 and 5), but not both in one text, with complete or no padding,
// and with ASCII white space anywhere (Android and Java wrap lines). Unused bits must
// be zero and the length exactly modulusBytes, so that the decoded bytes are the one
// canonical form of a ciphertext. Every refusal is [ErrCiphertext].
func DecodeCiphertext(s string, modulusBytes int) ([]byte, error) {
	return decodeCiphertext(s, modulusBytes, modulusBytes)
}

// DecodeCiphertextFor is [DecodeCiphertext] for a key of any algorithm. The plaintext of
// an HPKE ciphertext can have any length up to [MaxHPKEPlaintext]. bits is the modulus
// size of an RSA key.
func DecodeCiphertextFor(a Algorithm, bits int, s string) ([]byte, error) {
	if kem := a.kem(); kem != nil {
		return decodeCiphertext(s, kem.encapsulated+tagSize, kem.encapsulated+tagSize+MaxHPKEPlaintext)
	}
	return DecodeCiphertext(s, bits/8)
}

func decodeCiphertext(s string, least, most int) ([]byte, error) {
	if len(s) > MaxCiphertextText {
		return nil, ErrCiphertext
	}
	digits, ok := standardDigits(s)
	if !ok {
		return nil, ErrCiphertext
	}
	out := make([]byte, base64.RawStdEncoding.DecodedLen(len(digits)))
	n, err := base64.RawStdEncoding.Strict().Decode(out, digits)
	if err != nil || n < least || n > most {
		return nil, ErrCiphertext
	}
	return out[:n], nil
}

// standardDigits removes white space and padding, and maps the URL alphabet to the
// standard one. It returns false for mixed alphabets and wrong padding. The decoder
// refuses other characters.
func standardDigits(s string) (digits []byte, ok bool) {
	digits = make([]byte, 0, len(s))
	var standard, url bool
	padding := 0
	for i := range len(s) {
		c := s[i]
		switch c {
		case ' ', '\t', '\n', '\v', '\f', '\r':
			continue
		case '=':
			padding++
			continue
		case '+', '/':
			standard = true
		case '-':
			url, c = true, '+'
		case '_':
			url, c = true, '/'
		}
		if padding > 0 {
			return nil, false // a digit after the end
		}
		digits = append(digits, c)
	}
	complete := padding == 0 || padding == (4-len(digits)%4)%4
	return digits, complete && !(standard && url)
}
