package e2e

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/big"
	"net"
	"net/http"
	"net/http/httputil"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"strongroom/internal/crypto/devicekey"
)

// needle is one form of a secret that must be nowhere.
type needle struct {
	what   string
	bytes  []byte
	folded bool // looked for without regard to the case of ASCII letters
}

// needles are the forms in which a secret might be written down: as it is, in
// UTF-16, in hex, and in base64 at each of the three places where it may begin
// in a longer value.
func needles(what string, secret []byte) []needle {
	var le, be []byte
	for _, unit := range utf16.Encode([]rune(string(secret))) {
		le, be = append(le, byte(unit), byte(unit>>8)), append(be, byte(unit>>8), byte(unit))
	}
	all := []needle{
		{what + ", plain", fold(secret), true},
		{what + ", hex", fold([]byte(hex.EncodeToString(secret))), true},
		{what + ", UTF-16LE", fold(le), true},
		{what + ", UTF-16BE", fold(be), true},
	}
	for before := range 3 {
		longer := append(make([]byte, before), secret...)
		first, end := (before*8+5)/6, len(longer)*8/6 // characters that no neighbour has a bit in
		for name, encoding := range map[string]*base64.Encoding{"base64": base64.RawStdEncoding, "base64url": base64.RawURLEncoding} {
			all = append(all, needle{what + ", " + name, []byte(encoding.EncodeToString(longer)[first:end]), false})
		}
	}
	return all
}

// fold makes ASCII letters lower-case and leaves every other byte alone.
func fold(b []byte) []byte {
	out := bytes.Clone(b)
	for n, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[n] = c + 'a' - 'A'
		}
	}
	return out
}

// found says which of the needles are in the text, and what stands around.
func found(where string, text []byte, all []needle) []string {
	var finds []string
	folded := fold(text)
	for _, n := range all {
		in := text
		if n.folded {
			in = folded
		}
		if at := bytes.Index(in, n.bytes); at >= 0 {
			finds = append(finds, fmt.Sprintf("%s is in %s at byte %d: %q", n.what, where, at,
				text[max(0, at-40):min(len(text), at+len(n.bytes)+40)]))
		}
	}
	return finds
}

// privateKeyNeedles are what a private key in clear looks like from outside:
// the beginning of any RSA PKCS#8 structure, and of these keys' PKCS#1
// structures the part that every reader of the public key knows, with the tag
// of the private exponent behind it.
func privateKeyNeedles(keys ...*rsa.PublicKey) []needle {
	all := needles("a PKCS#8 header", []byte("\x02\x01\x00\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\x00\x04\x82"))
	all = append(all, needle{"a PEM header", []byte("PRIVATE KEY-----"), false}, needle{"a JWK", []byte(`"dp":`), false})
	for _, k := range keys {
		all = append(all, needles("a private exponent behind its modulus", append(k.N.Bytes(), "\x02\x03\x01\x00\x01\x02"...))...)
	}
	return all
}

func TestTheSearchForSecretsFindsThem(t *testing.T) {
	t.Parallel()
	noise := make([]byte, 1<<16)
	rand.Read(noise)
	secret := []byte("Kx7Canary04711")
	all := needles("it", secret)
	if finds := found("noise", noise, all); len(finds) > 0 {
		t.Errorf("secrets found in random bytes: %v", finds)
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	other := &rsa.PublicKey{N: new(big.Int).Add(key.N, big.NewInt(2)), E: key.E}
	all = append(all, privateKeyNeedles(&key.PublicKey, other)...)
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	planted := map[string][]byte{
		"as it is": secret, "in capitals": bytes.ToUpper(secret),
		"in hex": []byte(hex.EncodeToString(secret)), "in capital hex": bytes.ToUpper([]byte(hex.EncodeToString(secret))),
		"in UTF-16": {'K', 0, 'x', 0, '7', 0, 'C', 0, 'a', 0, 'n', 0, 'a', 0, 'r', 0, 'y', 0, '0', 0, '4', 0, '7', 0, '1', 0, '1', 0},
		"in PKCS#8": pkcs8, "in PKCS#1": x509.MarshalPKCS1PrivateKey(key),
		"in PKCS#8 as base64": []byte(base64.StdEncoding.EncodeToString(pkcs8)), "in PKCS#1 as hex": []byte(hex.EncodeToString(x509.MarshalPKCS1PrivateKey(key))),
	}
	for before := range 4 {
		longer := append(append(noise[:before:before], secret...), noise[:5]...)
		planted[fmt.Sprintf("in base64 behind %d bytes", before)] = []byte(base64.StdEncoding.EncodeToString(longer))
		planted[fmt.Sprintf("in base64url behind %d bytes", before)] = []byte(base64.RawURLEncoding.EncodeToString(longer))
	}
	for name, form := range planted {
		hay := append(append(bytes.Clone(noise), form...), noise...)
		if finds := found("noise", hay, all); len(finds) == 0 {
			t.Errorf("%s: not found", name)
		}
	}
	spki, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	// In the store a sealed value, which begins with its format byte, follows.
	if finds := found("a public key", append(spki, 1), all); len(finds) > 0 {
		t.Errorf("a public key is reported as a private one: %v", finds)
	}
}

// aviary is a server that secrets are sent to, and everything that it answers.
// Each secret begins with one random word, so that looking for the word finds
// them all, and parts of them too.
type aviary struct {
	*instance
	word    string
	placed  int // secrets so far
	pins    []string
	answers []byte
	keys    []keyPair
	spans   *collector
	places  map[string][]byte // to be searched, beside files, log and answers
	past    []byte            // the root key before the rotation
}

func newAviary(i *instance, spans *collector) *aviary {
	return &aviary{instance: i, word: "Kx" + rand.Text()[:10], spans: spans, places: map[string][]byte{}}
}

// canary is a secret that was never used before, in letters and digits: no
// encoding on the way escapes any of it. Its number tells where it was put.
func (a *aviary) canary() string {
	a.placed++
	return fmt.Sprintf("%s%04d%s", a.word, a.placed, rand.Text()[:8])
}

// pin is a PIN that was never used before: twelve digits, which no other bytes
// are likely to repeat.
func (a *aviary) pin() string {
	n, err := rand.Int(rand.Reader, big.NewInt(1e12))
	if err != nil {
		a.t.Fatal(err)
	}
	a.pins = append(a.pins, fmt.Sprintf("%012d", n))
	return a.pins[len(a.pins)-1]
}

func (a *aviary) issue(operation, device string) keyPair {
	a.t.Helper()
	k := a.mustIssue(operation, device)
	a.keys = append(a.keys, k)
	return k
}

// send sends a request in which CANARY stands for a new secret, and keeps the
// whole answer.
func (a *aviary) send(method, url string, header map[string]string, body string) {
	a.t.Helper()
	secret := a.canary()
	put := strings.NewReplacer("CANARY", secret, "BASE64OF", base64.StdEncoding.EncodeToString([]byte(secret))).Replace
	req, err := http.NewRequest(put(method), put(url), strings.NewReader(put(body)))
	if err != nil {
		a.t.Fatal(err)
	}
	for name, value := range header {
		req.Header.Set(put(name), put(value))
	}
	if header["Host"] != "" {
		req.Host = put(header["Host"])
	}
	resp, err := client.Do(req)
	if err != nil {
		a.t.Fatal(err)
	}
	defer resp.Body.Close()
	dump, err := httputil.DumpResponse(resp, true)
	if err != nil {
		a.t.Fatal(err)
	}
	a.answers = fmt.Appendf(a.answers, "\nrequest %04d: %s", a.placed, dump)
}

// raw sends bytes that no HTTP client would.
func (a *aviary) raw(text string) {
	a.t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(a.base, "http://"))
	if err != nil {
		a.t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(c, strings.ReplaceAll(text, "CANARY", a.canary())); err != nil {
		a.t.Fatal(err)
	}
	_ = c.(*net.TCPConn).CloseWrite()
	got, _ := io.ReadAll(c)
	a.answers = append(append(a.answers, '\n'), got...)
}

// credential submits a ciphertext, keeps the answer, and says in one word what
// it was.
func (a *aviary) credential(operation string, k keyPair, ciphertext string) string {
	a.t.Helper()
	got, err := a.submit(operation, k.ID, ciphertext)
	if err != nil {
		a.t.Fatal(err)
	}
	a.answers = append(append(a.answers, '\n'), got.Body...)
	a.answers = fmt.Append(a.answers, got.Header)
	return word(operation, got, nil)
}

func (a *aviary) cli(want int, args ...string) {
	a.t.Helper()
	out, code := a.command(args...)
	if code != want {
		a.t.Errorf("%v: exit code %d, want %d:\n%s", args, code, want, out)
	}
	a.answers = append(append(a.answers, '\n'), out...)
}

// search looks for every secret in every file of the data directory, the log,
// all answers and all that was sent to the collector.
func (a *aviary) search() {
	a.t.Helper()
	all := needles("a secret", []byte(a.word))
	for _, pin := range a.pins {
		all = append(all, needles("a PIN", []byte(pin))...)
	}
	all = append(all, privateKeyNeedles()...)
	for _, k := range a.keys { // of HPKE nobody outside knows what its private key looks like
		if k.recipient(a.t).Algorithm() == devicekey.RSAOAEP256 {
			all = append(all, privateKeyNeedles(k.public(a.t))...)
		}
	}
	root := needles("the root key", a.read("root.key"))
	if a.past != nil {
		all = append(all, needles("the root key before the rotation", a.past)...)
	}
	token := needles("the admin token", bytes.TrimSpace(a.read("admin.token")))

	places := maps.Clone(a.places)
	maps.Copy(places, map[string][]byte{"the log": []byte(a.log.String()), "the answers": a.answers, "the traces": a.spans.bytes()})
	err := filepath.WalkDir(a.dataDir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			places[strings.TrimPrefix(path, a.dataDir+"/")], err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		a.t.Fatal(err)
	}
	for where, text := range places {
		needles := all
		if where != "root.key" {
			needles = append(needles[:len(needles):len(needles)], root...)
		}
		if where != "admin.token" {
			needles = append(needles[:len(needles):len(needles)], token...)
		}
		for _, find := range found(where, text, needles) {
			a.t.Error(find)
		}
	}
}

func (a *aviary) read(file string) []byte {
	a.t.Helper()
	b, err := os.ReadFile(filepath.Join(a.dataDir, file))
	if err != nil {
		a.t.Fatal(err)
	}
	return b
}

// The tests of internal/graph and internal/server check injected panics.
func TestNoSecretIsWrittenOrReturned(t *testing.T) {
	t.Parallel()
	spans := newCollector(t)
	a := newAviary(startWith(t, spans.env(), "--log-level", "debug"), spans)
	k := a.issue(generate, "phone")
	a.sendSecretsAsTheyShouldBe(k)
	a.sendSecretsWhereTheyShouldNotBe(k)
	a.sendSecretsAsNoClientWould()
	a.askOperatorSide(k)
	a.cli(0, "audit", "verify")
	device := "device-" + rand.Text()
	last := a.issue(generate, device)
	a.spans.await(a.instance)

	a.kill()
	wal := a.read("strongroom.db-wal")
	if !bytes.Contains(wal, []byte(device)) || !bytes.Contains(wal, last.publicBytes(t)) {
		t.Fatalf("the WAL of %d bytes does not hold the last key: the search would prove nothing", len(wal))
	}
	a.search()

	a.run()
	previous := k
	k = a.issue(rotate, "phone")
	a.expect("with a rotated key", a.credential("setUserPasscode", previous, encryptFor(t, previous, "setUserPasscode", a.canary())), "KEY_NOT_USABLE")
	a.expect("with the new key", a.credential("setUserPasscode", k, encryptFor(t, k, "setUserPasscode", a.canary())), "true")
	a.cli(0, "admin", "unlock", "--device", "phone", "--type", "TRANSACTION_PIN", "--reason", "asked")
	a.cli(0, "admin", "revoke", "--key", last.ID, "--reason", "lost")
	a.cli(0, "admin", "erase", "--device", "phone", "--reason", "left")
	a.cli(0, "audit", "verify")
	a.askOperatorSide(last) // the key of an erased account is gone
	a.spans.await(a.instance)
	a.past = a.read("root.key")
	a.rotatesAllKeys()
	a.rewritesUnderNewKeys()
	a.kill()
	a.search()
}

// rewritesUnderNewKeys uses the service after its root key and data key were rotated,
// makes a backup of it, restores that, and serves what was restored.
func (a *aviary) rewritesUnderNewKeys() {
	t := a.t.(*testing.T)
	t.Helper()
	k, pin := a.issue(generate, "tablet"), a.pin()
	a.expect("under new keys", a.credential("setTransactionPin", k, encryptFor(t, k, "setTransactionPin", pin)), "true")
	a.expect("under new keys", a.credential("setUserPasscode", k, encryptFor(t, k, "setUserPasscode", a.canary())), "true")
	backup, root := filepath.Join(a.dataDir, "backup"), "file:"+filepath.Join(a.dataDir, "root.key")
	a.cli(0, "backup", backup)
	a.cli(0, "backup", "verify", backup)
	restored := &instance{t: t, dataDir: filepath.Join(a.dataDir, "restored"), args: []string{"--root-key", root}, log: a.log}
	out, code := strongroom(t, nil, "restore", backup, "--data-dir", restored.dataDir, "--root-key", root, "--reason", "drill")
	if code != 0 {
		t.Fatalf("restore exits %d:\n%s", code, out)
	}
	a.answers = append(a.answers, out...)
	a.places["the database in the backup"] = unpacked(t, a.read("backup"))
	a.places["the restored database"] = a.read("restored/strongroom.db")
	restored.run()
	t.Cleanup(restored.kill)
	a.expect("restored", restored.try("verifyTransactionPin", k, pin), "true")
	a.expect("restored", restored.try("setTransactionPin", k, a.pin()), "true")
	restored.kill()
	a.places["the WAL of the restored database"] = a.read("restored/strongroom.db-wal")
	for _, where := range []string{"the database in the backup", "the restored database"} {
		if !bytes.Contains(a.places[where], k.publicBytes(t)) {
			t.Errorf("%s does not hold the last key: the search would prove nothing", where)
		}
	}
}

// undecryptable are ciphertexts of the right size with a secret in them, or around
// one, that do not decrypt.
func (a *aviary) undecryptable(k keyPair) [][]byte {
	a.t.Helper()
	size := len(k.publicBytes(a.t))
	if algorithm := k.recipient(a.t).Algorithm(); algorithm != devicekey.RSAOAEP256 {
		size = devicekey.EncapsulatedSize(algorithm)
	}
	clear := []byte(strings.Repeat(a.canary(), 1+(size+64)/20)) // no encryption at all
	if k.recipient(a.t).Algorithm() != devicekey.RSAOAEP256 {
		enc, err := base64.StdEncoding.DecodeString(encryptFor(a.t, k, "setUserPasscode", a.canary()))
		if err != nil {
			a.t.Fatal(err)
		}
		return [][]byte{clear[:size+64], append(enc[:size:size], clear[:64]...)}
	}
	public := k.public(a.t)
	return [][]byte{pkcs1v15(public, a.canary()), rawRSA(public, []byte(a.canary())), clear[:size]}
}

// askOperatorSide reads all that operators can read, and sends secrets to where
// none belongs there.
func (a *aviary) askOperatorSide(k keyPair) {
	a.t.Helper()
	const api = "/admin/v1"
	for _, path := range []string{"/metrics", api + "/devices", api + "/keys/" + k.ID, api + "/accounts", api + "/locks", api + "/suspicions",
		api + "/audit", api + "/audit/export", api + "/health", api + "/posture", api + "/operations", api + "/rotation-plans"} {
		a.answers = append(a.answers, a.operator(path)...)
	}
	secret := a.canary()
	for _, path := range []string{"/", "/keys/", "/accounts/", "/devices?after=", "/devices?limit=", "/devices?keyId=", "/devices?prefix=",
		"/audit?from=", "/audit?event=", "/summary?hours="} {
		a.answers = append(a.answers, a.get(a.admin+api+path+secret, a.bearer()).Body...)
	}
}

// sendSecretsAsTheyShouldBe is every operation, with good, wrong, locked and
// policy-breaking secrets, all of them encrypted; and the helper.
func (a *aviary) sendSecretsAsTheyShouldBe(k keyPair) {
	t := a.t
	t.Helper()
	passcode, pin := a.canary(), a.pin()
	for _, step := range []struct{ operation, secret, want string }{
		{"setUserPasscode", passcode, "true"},
		{"verifyUserPasscode", passcode, "true"},
		{"verifyUserPasscode", a.canary(), "false"},
		{"setUserPasscode", strings.Repeat(a.canary(), 6), "false"},
		{"setUserPasscode", a.canary() + "\xff", "false"},
		{"verifyUserPasscode", strings.Repeat(a.canary(), 6), "false"},
		{"setTransactionPin", pin, "true"},
		{"verifyTransactionPin", pin, "true"},
		{"setTransactionPin", a.canary(), "false"},
		{"setTransactionPin", a.pin() + "3", "false"},
		{"verifyTransactionPin", a.pin(), "false"},
		{"verifyTransactionPin", a.pin(), "false"},
		{"verifyTransactionPin", a.canary(), "false"},
		{"verifyTransactionPin", a.pin() + "3", "false"},
		{"verifyTransactionPin", a.pin(), "false"},
		{"verifyTransactionPin", pin, "CREDENTIAL_LOCKED"},
		{"setTransactionPin", a.pin(), "CREDENTIAL_LOCKED"},
	} {
		a.expect(step.operation, a.credential(step.operation, k, encryptFor(t, k, step.operation, step.secret)), step.want)
	}
	public, err := json.Marshal(k.PEM)
	if err != nil {
		t.Fatal(err)
	}
	const help = `mutation($i: EncryptDataPayload!) { encryptDataLikeClient(input: $i) { encryptedData } }`
	for _, body := range []string{"CANARY", strings.Repeat("CANARY", 9), "CANARY\\u0000"} {
		a.graphqlWith(help, `{"i":{"body":"`+body+`","publicKey":`+string(public)+`,"operation":"setUserPasscode","keyId":"`+k.ID+`","passwordAuthType":"PASSCODE"}}`)
	}
	if !bytes.Contains(a.answers, []byte(`"encryptedData":"`)) {
		t.Error("the helper encrypted nothing")
	}
}

// graphqlWith sends a document with variables, in both of which CANARY stands
// for a secret.
func (a *aviary) graphqlWith(query, variables string) {
	a.t.Helper()
	q, err := json.Marshal(query)
	if err != nil {
		a.t.Fatal(err)
	}
	a.send("POST", a.base+"/graphql", jsonBody, `{"query":`+string(q)+`,"variables":`+variables+`}`)
}

var jsonBody = map[string]string{"Content-Type": "application/json"}

// sendSecretsWhereTheyShouldNotBe puts a secret wherever a client could have
// put one by mistake, an alias alone excepted: GraphQL makes it a name in the
// answer.
func (a *aviary) sendSecretsWhereTheyShouldNotBe(k keyPair) {
	t := a.t
	t.Helper()
	for _, ciphertext := range a.undecryptable(k) {
		a.expect("undecryptable", a.credential("setUserPasscode", k, base64.StdEncoding.EncodeToString(ciphertext)), "DECRYPTION_FAILED")
	}
	const (
		issue  = `mutation($i: ClientIdentityInput!) { generateClientEncryptionKey(input: $i) { keyId } }`
		rotate = `mutation($i: ClientIdentityInput!) { rotateClientEncryptionKey(input: $i) { keyId } }`
		set    = `mutation($i: EncryptedTransactionPinInput!) { setTransactionPin(input: $i) }`
		verify = `mutation($i: EncryptedVerifyPasscodeInput!) { verifyUserPasscode(input: $i) }`
		help   = `mutation($i: EncryptDataPayload!) { encryptDataLikeClient(input: $i) { encryptedData } }`
		sum    = `query($h: Float) { getEncryptionMetricsSummary(timeframeHours: $h) }`
	)
	long := strings.Repeat("CANARY", 20)
	key := `"keyId":"` + k.ID + `"`
	for _, with := range []struct{ query, variables string }{
		{issue, `{"i":{"deviceId":"CANARY\u0007"}}`}, {issue, `{"i":{"deviceId":"CANARY","appVersion":"\n"}}`},
		{issue, `{"i":{"deviceId":"` + long + `"}}`}, {issue, `{"i":{"deviceId":"d","appVersion":"` + long + `"}}`},
		{issue, `{"i":{"deviceId":["CANARY"]}}`}, {issue, `{"i":{"deviceId":{"CANARY":"CANARY"}}}`},
		{issue, `{"i":"CANARY"}`}, {issue, `{"i":{"CANARY":1}}`}, {issue, `{"i":{"deviceId":"d","CANARY":"CANARY"}}`},
		{issue, `{"CANARY":1}`}, {rotate, `{"i":{"deviceId":"CANARY\u0000"}}`}, {rotate, `{"i":{"deviceId":null,"appVersion":"CANARY"}}`},
		{set, `{"i":{"encryptedPin":"CANARY",` + key + `,"passwordAuthType":"TRANSACTION_PIN"}}`},
		{set, `{"i":{"encryptedPin":"BASE64OF",` + key + `,"passwordAuthType":"TRANSACTION_PIN"}}`},
		{set, `{"i":{"encryptedPin":"CANARY","keyId":"CANARY","passwordAuthType":"TRANSACTION_PIN"}}`},
		{set, `{"i":{"encryptedPin":"CANARY",` + key + `,"passwordAuthType":"PASSCODE"}}`},
		{set, `{"i":{"encryptedPin":"CANARY",` + key + `,"passwordAuthType":"CANARY"}}`},
		{set, `{"i":{"encryptedPasscode":"CANARY",` + key + `,"passwordAuthType":"TRANSACTION_PIN"}}`},
		{verify, `{"i":{"encryptedPasscode":"CANARY",` + key + `,"passwordAuthType":"PASSCODE"}}`},
		{verify, `{"i":{"encryptedPasscode":"CANARY","keyId":"","passwordAuthType":"PASSCODE"}}`},
		{verify, `{"i":{"encryptedPasscode":["CANARY"],` + key + `,"passwordAuthType":"PASSCODE"}}`},
		{verify, `{"i":{"encryptedPasscode":"","keyId":"CANARY","passwordAuthType":"PASSCODE"}}`},
		{help, `{"i":{"body":"CANARY","publicKey":"CANARY"}}`}, {help, `{"i":{"body":"","publicKey":"CANARY"}}`},
		{help, `{"i":{"body":"CANARY","publicKey":"-----BEGIN PUBLIC KEY-----\nBASE64OF\n-----END PUBLIC KEY-----\n"}}`},
		{help, `{"i":{"body":"CANARY","publicKey":"-----BEGIN CANARY-----\nBASE64OF\n-----END CANARY-----\n"}}`},
		{help, `{"i":{"body":"CANARY","publicKey":"-----BEGIN PRIVATE KEY-----\nBASE64OF\n-----END PRIVATE KEY-----\n"}}`},
		{sum, `{"h":"CANARY"}`}, {sum, `{"h":{"CANARY":1}}`}, {sum, `"CANARY"`}, {sum, `["CANARY"]`},
		{`mutation CANARY { setUserPasscode(input: {encryptedPasscode: "CANARY", keyId: "CANARY", passwordAuthType: CANARY}) }`, `{}`},
		{`mutation CANARY { setUserPasscode(input: {encryptedPasscode: "CANARY", keyId: "CANARY", passwordAuthType: PASSCODE, CANARY: 1}) }`, `{}`},
		{`mutation { setUserPasscode(input: "CANARY", CANARY: 1) }`, `{}`}, {`{ CANARY }`, `{}`}, {`CANARY`, `{}`}, {`{ f(a: "CANARY`, `{}`},
		{`{ __typename @CANARY }`, `{}`}, {`{ __typename @skip(if: "CANARY") }`, `{}`}, {`{ ...CANARY }`, `{}`}, {`# CANARY`, `{}`},
		{`query($CANARY: CANARY) { __typename }`, `{}`}, {`query($CANARY: Float = "CANARY") { getEncryptionMetricsSummary(timeframeHours: $CANARY) }`, `{}`},
		{`{ __type(name: "CANARY") { name } }`, `{}`}, {`subscription CANARY { CANARY }`, `{}`},
		{`{ getEncryptionMetricsSummary(timeframeHours: CANARY) }`, `{}`}, {`query A { __typename } query CANARY { __typename }`, `{}`},
	} {
		a.graphqlWith(with.query, with.variables)
	}
	graphql, rest := a.base+"/graphql", a.base+"/api/encryption/keys"
	for _, body := range []string{`{"query":"CANARY`, `CANARY`, `"CANARY"`, `["CANARY"]`, `{"CANARY":1,"CANARY":2}`, `{"query":{"CANARY":1}}`,
		`{"query":"{ __typename }","operationName":"CANARY"}`, `{"query":"{ __typename }","extensions":{"CANARY":"CANARY"}}`,
		`{"query":"\CANARY"}`, `{"deviceId":"CANARY\u0001"}`, `{"deviceId":"CANARY\ud800"}`, `{"deviceId":"d","CANARY":"CANARY"}`,
		`{"deviceId":"d","appVersion":"` + long + `"}`, `{"deviceId":["CANARY"]}`, `{"query":"{ __typename }"} CANARY`} {
		a.send("POST", graphql, jsonBody, body)
		a.send("POST", rest, jsonBody, body)
	}
}

// sendSecretsAsNoClientWould puts secrets into the parts of HTTP around the
// request, and into what is no HTTP at all.
func (a *aviary) sendSecretsAsNoClientWould() {
	a.t.Helper()
	for _, url := range []string{a.base + "/CANARY", a.base + "/graphql/CANARY", a.base + "/api/encryption/keys/CANARY", a.base + "/graphql?CANARY=CANARY",
		a.base + "/graphql?query={CANARY}", a.base + "/graphql?query={__typename}&variables=CANARY", a.base + "/graphql?query=%7B__typename%7D&operationName=CANARY",
		a.base + "/graphql?query=mutation{setUserPasscode(input:%22CANARY%22)}", a.base + "/healthz?CANARY", a.base + "/CANARY%00", a.base + "/api/CANARY",
		a.admin + "/CANARY", a.admin + "/metrics?CANARY", a.admin + "/debug/pprof/CANARY"} {
		a.send("GET", url, nil, "")
		a.send("POST", url, jsonBody, `{"deviceId":"CANARY\u0001"}`)
	}
	for _, name := range []string{"Content-Type", "Accept", "Authorization", "Cookie", "User-Agent", "Referer", "Origin", "X-Request-Id",
		"X-Forwarded-For", "Content-Encoding", "Accept-Encoding", "Traceparent", "X-Canary", "CANARY", "Host", "Range", "If-None-Match"} {
		for _, url := range []string{a.base + "/graphql", a.base + "/api/encryption/keys", a.base + "/readyz", a.admin + "/metrics"} {
			header := map[string]string{"Content-Type": "application/json"}
			header[name] = "CANARY"
			a.send("POST", url, header, `{"query":"CANARY","deviceId":"\u0001CANARY"}`)
		}
	}
	a.send("POST", a.base+"/graphql", map[string]string{"Content-Type": "application/json", "Traceparent": traceparent(),
		"Tracestate": "vendor=CANARY", "Baggage": "key=CANARY"}, `{"query":"{ __typename }"}`)
	a.send("POST", a.base+"/graphql", map[string]string{"Content-Type": `multipart/form-data; boundary=CANARY`}, "--CANARY\r\n\r\nCANARY\r\n--CANARY--\r\n")
	a.send("POST", a.admin+"/metrics", map[string]string{"Authorization": "Bearer CANARY"}, "")
	a.send("CANARY", a.base+"/graphql", jsonBody, "CANARY")
	a.send("CANARY", a.base+"/CANARY", jsonBody, "CANARY")
	for _, text := range []string{"CANARY\r\n\r\n", "GET /CANARY\r\n\r\n", "CANARY / HTTP/1.1\r\n\r\n", "GET / HTTP/CANARY\r\n\r\n",
		"GET /%zzCANARY HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\nHost: CANARY CANARY\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nCANARY\r\n\r\n",
		"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: CANARY\r\n\r\nCANARY",
		"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: CANARY\r\n\r\nCANARY",
		"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nCANARY\r\n",
		"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{\"query\":\"CANARY"} {
		a.raw(text)
	}
}
