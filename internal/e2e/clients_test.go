package e2e

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha512"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/crypto/devicekey"
)

// clientStack is one way in which client code encrypts. The programs below
// testdata/clients are what an app developer would write.
type clientStack struct {
	name    string
	tools   []string
	program []string
	mode    string
	sha1    bool // SHA-1 is among its hashes
}

// globalCrypto gives programs that are for browsers the global crypto of a
// browser. Node.js has it from version 20 on, and Debian 12 has version 18.
const globalCrypto = "--experimental-global-webcrypto"

var clientStacks = []clientStack{
	{"OpenSSL", []string{"openssl"}, []string{"testdata/clients/openssl.sh"}, "sha256", false},
	{"OpenSSL, MGF1 with SHA-1", []string{"openssl"}, []string{"testdata/clients/openssl.sh"}, "sha256-mgf1-sha1", true},
	{"OpenSSL, OAEP as it comes", []string{"openssl"}, []string{"testdata/clients/openssl.sh"}, "sha1", true},
	{"Node", []string{"node"}, []string{"node", "testdata/clients/node-crypto.mjs"}, "sha256", false},
	{"Node as it comes", []string{"node"}, []string{"node", "testdata/clients/node-crypto.mjs"}, "default", true},
	{"WebCrypto", []string{"node"}, []string{"node", globalCrypto, "testdata/clients/webcrypto.mjs"}, "", false},
	{"Java", []string{"java", "javac"}, []string{"java", "testdata/clients/Encrypt.java"}, "", false},
	{"Java as it comes", []string{"java", "javac"}, []string{"java", "testdata/clients/Encrypt.java"}, "stock", true},
}

func (c clientStack) encrypt(t testing.TB, k keyPair, secret string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "public.pem")
	if err := os.WriteFile(path, []byte(k.PEM), 0o600); err != nil {
		t.Fatal(err)
	}
	args := slices.Concat(c.program[1:], []string{path}, strings.Fields(c.mode))
	return strings.TrimSpace(pipe(t, secret, c.program[0], args...))
}

// pipe runs a program on an input and returns its output.
func pipe(t testing.TB, input, program string, args ...string) string {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Stdin = strings.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", program, args, err, stderr.String())
	}
	return string(out)
}

// in is the same server for another test, which then fails in its own name.
func (i *instance) in(t testing.TB) *instance {
	other := *i
	other.t = t
	return &other
}

// answerTo submits a ciphertext and answers in one word, as try does.
func (i *instance) answerTo(operation string, k keyPair, ciphertext string) string {
	a, err := i.submit(operation, k.ID, ciphertext)
	return word(operation, a, err)
}

func TestRealClientStacksSetAndVerify(t *testing.T) {
	t.Parallel()
	const secret = "pässwort €4711"
	i := start(t)
	keys := make([]keyPair, len(clientStacks))
	sent := make([]string, len(clientStacks))
	t.Run("stack", func(t *testing.T) {
		for n, c := range clientStacks {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				need(t, c.tools...)
				i := i.in(t)
				k := i.mustIssue(generate, c.name)
				first, second := c.encrypt(t, k, secret), c.encrypt(t, k, secret)
				if first == second {
					t.Fatal("two encryptions of one secret are equal: this is not OAEP")
				}
				i.expect("set", i.answerTo("setUserPasscode", k, first), "true")
				i.expect("verify", i.answerTo("verifyUserPasscode", k, second), "true")
				i.expect("verify another one", i.try("verifyUserPasscode", k, secret+" "), "false")
				keys[n], sent[n] = k, second
			})
		}
	})

	if code := i.stop(); code != 0 {
		t.Errorf("SIGTERM: exit code %d", code)
	}
	i.args = append(i.args, "--oaep", "sha256")
	i.run()
	for n, c := range clientStacks {
		if sent[n] == "" {
			continue // its stack is not installed
		}
		want := "true"
		if c.sha1 {
			want = "DECRYPTION_FAILED"
		}
		i.expect("with --oaep sha256, "+c.name, i.answerTo("verifyUserPasscode", keys[n], sent[n]), want)
	}
}

// wrap breaks text into lines of n characters, the last one ended too.
func wrap(text string, n int, end string) string {
	var b strings.Builder
	for line := range slices.Chunk([]byte(text), n) {
		b.Write(line)
		b.WriteString(end)
	}
	return b.String()
}

func TestEveryBase64VariantOfClientsIsAccepted(t *testing.T) {
	t.Parallel()
	i := start(t)
	k := i.mustIssue(generate, "phone")
	i.expect("set", i.try("setTransactionPin", k, "493817"), "true")
	raw := func() []byte {
		b, err := base64.StdEncoding.DecodeString(encrypt(t, k, "493817"))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for name, text := range map[string]string{
		"standard":                           base64.StdEncoding.EncodeToString(raw()),
		"standard without padding":           base64.RawStdEncoding.EncodeToString(raw()),
		"base64url":                          base64.URLEncoding.EncodeToString(raw()),
		"base64url without padding":          base64.RawURLEncoding.EncodeToString(raw()),
		"Android DEFAULT":                    wrap(base64.StdEncoding.EncodeToString(raw()), 76, "\n"),
		"Android CRLF":                       wrap(base64.StdEncoding.EncodeToString(raw()), 76, "\r\n"),
		"Android URL_SAFE":                   wrap(base64.URLEncoding.EncodeToString(raw()), 76, "\n"),
		"openssl base64":                     wrap(base64.StdEncoding.EncodeToString(raw()), 64, "\n"),
		"with spaces, as a form would do it": " " + base64.StdEncoding.EncodeToString(raw()) + " ",
	} {
		i.expect(name, i.answerTo("verifyTransactionPin", k, text), "true")
	}
}

func TestBothFormsOfThePublicKeyAreTheSameKey(t *testing.T) {
	t.Parallel()
	need(t, "openssl", "node")
	i := start(t, "--rsa-bits", "3072")
	a, err := i.graphql("mutation($input: ClientIdentityInput!) { generateClientEncryptionKey(input: $input) { keyId publicKey publicKeyPkcs1 keySize algorithm } }",
		map[string]any{"deviceId": "iPhone"})
	if err != nil {
		t.Fatal(err)
	}
	pair, _ := a.Data[generate].(map[string]any)
	id, _ := pair["keyId"].(string)
	spki, _ := pair["publicKey"].(string)
	pkcs1, _ := pair["publicKeyPkcs1"].(string)
	if pair["keySize"] != 3072.0 || pair["algorithm"] != "RSA-OAEP-256" {
		t.Errorf("keySize %v, algorithm %v", pair["keySize"], pair["algorithm"])
	}
	der, err := base64.StdEncoding.DecodeString(pkcs1)
	if err != nil {
		t.Fatal(err)
	}
	if got := pipe(t, string(der), "openssl", "rsa", "-RSAPublicKey_in", "-inform", "DER", "-pubout"); got != spki {
		t.Errorf("openssl reads publicKeyPkcs1 as\n%s, and publicKey is\n%s", got, spki)
	}
	const script = `const c = require('node:crypto');
		const key = c.createPublicKey({key: Buffer.from(process.argv[1], 'base64'), format: 'der', type: 'pkcs1'});
		console.log(c.publicEncrypt({key, oaepHash: 'sha256'}, Buffer.from('493817')).toString('base64'))`
	ciphertext := strings.TrimSpace(pipe(t, "", "node", "-e", script, pkcs1))
	k := keyPair{id, spki}
	i.expect("set with publicKeyPkcs1", i.answerTo("setTransactionPin", k, ciphertext), "true")
	i.expect("verify with publicKey", i.try("verifyTransactionPin", k, "493817"), "true")
}

// public is the key as a client has it.
func (k keyPair) public(t testing.TB) *rsa.PublicKey {
	t.Helper()
	block, _ := pem.Decode([]byte(k.PEM))
	if block == nil {
		t.Fatalf("not PEM: %q", k.PEM)
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return parsed.(*rsa.PublicKey)
}

// publicBytes are the part of the public key that every form of it contains: the
// modulus of RSA, or the serialized key of HPKE.
func (k keyPair) publicBytes(t testing.TB) []byte {
	t.Helper()
	a := k.recipient(t).Algorithm()
	if a == devicekey.RSAOAEP256 {
		return k.public(t).N.Bytes()
	}
	block, _ := pem.Decode([]byte(k.PEM))
	text, _ := devicekey.PublicKeyBytes(a, block.Bytes)
	serialized, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return serialized
}

// rawRSA is m^e mod n as many bytes long as n: RSA with no padding at all.
func rawRSA(public *rsa.PublicKey, message []byte) []byte {
	m := new(big.Int).SetBytes(message)
	c := m.Exp(m, big.NewInt(int64(public.E)), public.N)
	return c.FillBytes(make([]byte, public.Size()))
}

// pkcs1v15 is RSAES-PKCS1-v1_5 (RFC 8017, 7.2.1), which nobody should offer
// and old clients use. crypto/rsa has it too, marked as deprecated.
func pkcs1v15(public *rsa.PublicKey, secret string) []byte {
	em := make([]byte, public.Size())
	em[1] = 2
	padding := em[2 : len(em)-len(secret)-1]
	rand.Read(padding)
	for n := range padding {
		padding[n] |= 1 // no zeros
	}
	copy(em[len(em)-len(secret):], secret)
	return rawRSA(public, em)
}

// randomCiphertext is as long as the modulus and numerically below it, as
// every real ciphertext is: above it anyone can tell without asking.
func randomCiphertext(t testing.TB, public *rsa.PublicKey) []byte {
	t.Helper()
	c, err := rand.Int(rand.Reader, public.N)
	if err != nil {
		t.Fatal(err)
	}
	return c.FillBytes(make([]byte, public.Size()))
}

func TestAllUndecryptableCiphertextsGetTheSameAnswer(t *testing.T) {
	t.Parallel()
	need(t, "openssl")
	i := start(t)
	k := i.mustIssue(generate, "phone")
	other := i.mustIssue(generate, "other phone")
	public := k.public(t)
	i.expect("set", i.try("setTransactionPin", k, "493817"), "true")

	path := filepath.Join(t.TempDir(), "public.pem")
	if err := os.WriteFile(path, []byte(k.PEM), 0o600); err != nil {
		t.Fatal(err)
	}
	labelled, err := rsa.EncryptOAEP(sha512.New512_256(), rand.Reader, public, []byte("493817"), []byte("label"))
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := base64.StdEncoding.DecodeString(encrypt(t, other, "493817"))
	if err != nil {
		t.Fatal(err)
	}
	ciphertexts := map[string][]byte{
		"PKCS#1 v1.5 by openssl as it comes": []byte(pipe(t, "493817", "openssl", "pkeyutl", "-encrypt", "-pubin", "-inkey", path)),
		"PKCS#1 v1.5":                        pkcs1v15(public, "493817"),
		"PKCS#1 v1.5 of nothing":             pkcs1v15(public, ""),
		"no padding":                         rawRSA(public, []byte("493817")),
		"another hash and a label":           labelled,
		"for another key":                    foreign,
		"random, below the modulus":          randomCiphertext(t, public),
		"above the modulus":                  bytes.Repeat([]byte{0xff}, public.Size()),
		"zero":                               make([]byte, public.Size()),
		"one":                                rawRSA(public, []byte{1}),
		"the modulus":                        public.N.Bytes(),
		"a byte short":                       randomCiphertext(t, public)[1:],
		"a byte long":                        append(randomCiphertext(t, public), 0),
		"an OAEP ciphertext with a zero byte before": append([]byte{0}, foreign...),
	}
	for _, operation := range []string{"setTransactionPin", "verifyTransactionPin"} {
		submit := func(ciphertext []byte) answer {
			a, err := i.submit(operation, k.ID, base64.StdEncoding.EncodeToString(ciphertext))
			if err != nil {
				t.Fatal(err)
			}
			return a
		}
		want := submit(randomCiphertext(t, public))
		if want.Status != http.StatusOK || want.code() != "DECRYPTION_FAILED" {
			t.Fatalf("%s, random bytes: %d %s", operation, want.Status, want.Body)
		}
		for name, ciphertext := range ciphertexts {
			got := submit(ciphertext)
			if got.Status != want.Status || string(got.Body) != string(want.Body) {
				t.Errorf("%s, %s: %d %s, but random bytes: %d %s", operation, name, got.Status, got.Body, want.Status, want.Body)
			}
			if diff := cmp.Diff(steady(want.Header), steady(got.Header)); diff != "" {
				t.Errorf("%s, %s: headers (-random bytes +it):\n%s", operation, name, diff)
			}
		}
	}
	i.expect("no request cost an attempt or changed the PIN", i.try("verifyTransactionPin", k, "493817"), "true")
}

// steady is a header without what differs between any two answers.
func steady(h http.Header) http.Header {
	h = h.Clone()
	h.Del("Date")
	h.Del("X-Request-Id")
	return h
}
