package e2e

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// marker stands in the bad input wherever there is room. No answer and no line
// of the log may repeat it.
const marker = "hunter2"

// badRequest is what is sent, and what its one error must be: the HTTP status,
// the code (at the REST path the name of the status), and a part of the
// message, which is the name of the field where there is one.
type badRequest struct {
	name                            string
	method, path, contentType, body string
	status                          int
	code, says                      string
}

// badDocument is a well-formed GraphQL request that must be refused, or must
// fail, under status 200.
type badDocument struct{ name, query, variables, code, says string }

func (d badDocument) request(t testing.TB) badRequest {
	t.Helper()
	query, err := json.Marshal(d.query)
	if err != nil {
		t.Fatal(err)
	}
	body := `{"query":` + string(query) + `,"variables":` + d.variables + `}`
	if !json.Valid([]byte(body)) {
		t.Fatalf("%s: the request body of this test is not JSON: %s", d.name, body)
	}
	return badRequest{d.name, "POST", "/graphql", "application/json", body, http.StatusOK, d.code, d.says}
}

const (
	docGenerate = `mutation($i: ClientIdentityInput!) { generateClientEncryptionKey(input: $i) { keyId } }`
	docRotate   = `mutation($i: ClientIdentityInput!) { rotateClientEncryptionKey(input: $i) { keyId } }`
	docSet      = `mutation($i: EncryptedPasscodeInput!) { setUserPasscode(input: $i) }`
	docVerify   = `mutation($i: EncryptedVerifyTransactionPinInput!) { verifyTransactionPin(input: $i) }`
	docEncrypt  = `mutation($i: EncryptDataPayload!) { encryptDataLikeClient(input: $i) { encryptedData } }`
	docSummary  = `query($h: Float) { getEncryptionMetricsSummary(timeframeHours: $h) }`
	badUser     = "BAD_USER_INPUT"
	invalid     = "GRAPHQL_INVALID"
)

// notRequests are not GraphQL requests.
var notRequests = []badRequest{
	{"nothing", "POST", "/graphql", "application/json", ``, 400, "BAD_REQUEST", "empty"},
	{"white space", "POST", "/graphql", "application/json", " \n", 400, "BAD_REQUEST", "empty"},
	{"cut short", "POST", "/graphql", "application/json", `{"query":"hunter2`, 400, "BAD_REQUEST", "syntax error at byte"},
	{"a name twice", "POST", "/graphql", "application/json", `{"query":"{hunter2}","query":"{__typename}"}`, 400, "BAD_REQUEST", "same name"},
	{"two values", "POST", "/graphql", "application/json", `{"query":"{__typename}"} {"hunter2":1}`, 400, "BAD_REQUEST", "syntax error"},
	{"not UTF-8", "POST", "/graphql", "application/json", "{\"query\":\"hunter2\xff\"}", 400, "BAD_REQUEST", "UTF-8"},
	{"a lone surrogate", "POST", "/graphql", "application/json", `{"query":"hunter2\ud800"}`, 400, "BAD_REQUEST", "surrogate"},
	{"a string", "POST", "/graphql", "application/json", `"hunter2"`, 400, "BAD_REQUEST", "not an object"},
	{"null", "POST", "/graphql", "application/json", `null`, 400, "BAD_REQUEST", "not an object"},
	{"a batch", "POST", "/graphql", "application/json", `[{"query":"{__typename}"},{"query":"{hunter2}"}]`, 400, "BAD_REQUEST", "not an object"},
	{"deep JSON", "POST", "/graphql", "application/json", `{"query":"{__typename}","variables":` + strings.Repeat(`{"hunter2":`, 5000) + `1` + strings.Repeat(`}`, 5001), 400, "BAD_REQUEST", "nests deeper"},
	{"deep lists", "POST", "/graphql", "application/json", strings.Repeat(`[`, 60_000), 400, "BAD_REQUEST", "syntax error"},
	{"huge JSON", "POST", "/graphql", "application/json", `{"query":"` + strings.Repeat(marker, 10_000) + `"}`, 413, "PAYLOAD_TOO_LARGE", "65536 bytes"},
	{"10 MiB", "POST", "/graphql", "application/json", strings.Repeat(marker, 10<<20/len(marker)), 413, "PAYLOAD_TOO_LARGE", "65536 bytes"},
	{"query missing", "POST", "/graphql", "application/json", `{"hunter2":1}`, 400, "BAD_REQUEST", "query must be"},
	{"query null", "POST", "/graphql", "application/json", `{"query":null}`, 400, "BAD_REQUEST", "query must be"},
	{"query a number", "POST", "/graphql", "application/json", `{"query":5}`, 400, "BAD_REQUEST", "query must be"},
	{"variables a list", "POST", "/graphql", "application/json", `{"query":"{__typename}","variables":["hunter2"]}`, 400, "BAD_REQUEST", "variables must be"},
	{"variables a string", "POST", "/graphql", "application/json", `{"query":"{__typename}","variables":"hunter2"}`, 400, "BAD_REQUEST", "variables must be"},
	{"operationName a number", "POST", "/graphql", "application/json", `{"query":"{__typename}","operationName":7}`, 400, "BAD_REQUEST", "operationName must be"},

	{"no media type", "POST", "/graphql", "", `{"query":"{__typename}"}`, 415, "UNSUPPORTED_MEDIA_TYPE", "application/json"},
	{"text", "POST", "/graphql", "text/plain", `{"query":"{__typename}"}`, 415, "UNSUPPORTED_MEDIA_TYPE", "application/json"},
	{"a form", "POST", "/graphql", "application/x-www-form-urlencoded", `query={__typename}`, 415, "UNSUPPORTED_MEDIA_TYPE", "application/json"},
	{"a form in parts", "POST", "/graphql", "multipart/form-data; boundary=hunter2", `--hunter2--`, 415, "UNSUPPORTED_MEDIA_TYPE", "application/json"},
	{"a document only", "POST", "/graphql", "application/graphql", `{__typename}`, 415, "UNSUPPORTED_MEDIA_TYPE", "application/json"},
	{"UTF-16", "POST", "/graphql", "application/json; charset=utf-16", `{"query":"{__typename}"}`, 415, "UNSUPPORTED_MEDIA_TYPE", "UTF-8"},
	{"no media type at all", "POST", "/graphql", "hunter2", `{"query":"{__typename}"}`, 415, "UNSUPPORTED_MEDIA_TYPE", "application/json"},

	{"a mutation by GET", "GET", `/graphql?query=mutation{generateClientEncryptionKey(input:{deviceId:"hunter2"}){keyId}}`, "", "", 405, "METHOD_NOT_ALLOWED", "POST"},
	{"GET of nothing", "GET", "/graphql", "", "", 400, "BAD_REQUEST", "query must be"},
	{"GET with bad variables", "GET", "/graphql?query={__typename}&variables=hunter2", "", "", 400, "BAD_REQUEST", "variables must be"},
	{"GET with query twice", "GET", "/graphql?query={__typename}&query={hunter2}", "", "", 400, "BAD_REQUEST", "query must be given once"},
	{"PUT", "PUT", "/graphql", "application/json", `{"query":"{__typename}"}`, 405, "METHOD_NOT_ALLOWED", "POST"},
	{"DELETE", "DELETE", "/graphql", "", ``, 405, "METHOD_NOT_ALLOWED", "POST"},
	{"another path", "POST", "/graphql/hunter2", "application/json", `{"query":"{__typename}"}`, 404, "NOT_FOUND", "/graphql"},
	{"the path in capitals", "POST", "/GraphQL", "application/json", `{"query":"{__typename}"}`, 404, "NOT_FOUND", "/graphql"},
}

// badREST is sent to the specification's other path.
var badREST = []badRequest{
	{"REST, nothing", "POST", "/api/encryption/keys", "application/json", ``, 400, "Bad Request", "empty"},
	{"REST, malformed", "POST", "/api/encryption/keys", "application/json", `{"deviceId":"hunter2`, 400, "Bad Request", "syntax error"},
	{"REST, a list", "POST", "/api/encryption/keys", "application/json", `[{"deviceId":"hunter2"}]`, 400, "Bad Request", "not an object"},
	{"REST, no deviceId", "POST", "/api/encryption/keys", "application/json", `{}`, 400, "Bad Request", "deviceId"},
	{"REST, deviceId null", "POST", "/api/encryption/keys", "application/json", `{"deviceId":null}`, 400, "Bad Request", "deviceId"},
	{"REST, deviceId a number", "POST", "/api/encryption/keys", "application/json", `{"deviceId":4711}`, 400, "Bad Request", "deviceId"},
	{"REST, deviceId empty", "POST", "/api/encryption/keys", "application/json", `{"deviceId":""}`, 400, "Bad Request", "deviceId"},
	{"REST, deviceId blank", "POST", "/api/encryption/keys", "application/json", `{"deviceId":" \u3000"}`, 400, "Bad Request", "deviceId"},
	{"REST, deviceId with NUL", "POST", "/api/encryption/keys", "application/json", `{"deviceId":"hunter2\u0000"}`, 400, "Bad Request", "deviceId"},
	{"REST, deviceId too long", "POST", "/api/encryption/keys", "application/json", `{"deviceId":"` + strings.Repeat("hunter2-", 625) + `"}`, 400, "Bad Request", "deviceId"},
	{"REST, deviceId twice", "POST", "/api/encryption/keys", "application/json", `{"deviceId":"a","deviceId":"hunter2"}`, 400, "Bad Request", "same name"},
	{"REST, deviceId in another case", "POST", "/api/encryption/keys", "application/json", `{"deviceID":"hunter2"}`, 400, "Bad Request", "deviceId"},
	{"REST, appVersion a number", "POST", "/api/encryption/keys", "application/json", `{"deviceId":"d","appVersion":1.5}`, 400, "Bad Request", "appVersion"},
	{"REST, appVersion too long", "POST", "/api/encryption/keys", "application/json", `{"deviceId":"d","appVersion":"` + strings.Repeat("hunter2", 10) + `"}`, 400, "Bad Request", "appVersion"},
	{"REST, an unknown field", "POST", "/api/encryption/keys", "application/json", `{"deviceId":"d","hunter2":1}`, 400, "Bad Request", "deviceId, appVersion, challenge and algorithms"},
	{"REST, huge", "POST", "/api/encryption/keys", "application/json", `{"deviceId":"` + strings.Repeat(marker, 10_000) + `"}`, 413, "Request Entity Too Large", "65536 bytes"},
	{"REST, a form", "POST", "/api/encryption/keys", "application/x-www-form-urlencoded", `deviceId=hunter2`, 415, "Unsupported Media Type", "application/json"},
	{"REST, GET", "GET", "/api/encryption/keys?deviceId=hunter2", "", "", 405, "Method Not Allowed", "POST"},
	{"REST, another path", "POST", "/api/encryption/hunter2", "application/json", `{}`, 404, "Not Found", "/api/encryption/keys"},
}

// badDocuments are wrong for all keys.
var badDocuments = []badDocument{
	{"no document", ``, `{}`, invalid, "no operation"},
	{"a syntax error", `{ hunter2(`, `{}`, invalid, "line 1, column"},
	{"an unknown operation", `mutation { hunter2 }`, `{}`, invalid, "no such field"},
	{"an unknown field of the answer", `mutation { rotateClientEncryptionKey(input: {deviceId: "d"}) { hunter2 } }`, `{}`, invalid, "no such field"},
	{"a deep document", strings.Repeat(`{ hunter2 `, 50) + strings.Repeat(`}`, 50), `{}`, invalid, "20 fields deep"},
	{"many tokens", `{ ` + strings.Repeat(`__typename `, 2000) + `}`, `{}`, invalid, "1000 tokens"},
	{"many aliases", `{ ` + strings.Repeat(`hunter2a: __typename `, 16) + `}`, `{}`, invalid, "15 aliases"},
	{"a subscription", `subscription { hunter2 }`, `{}`, invalid, "queries and mutations"},

	{"two mutations", `mutation { a: rotateClientEncryptionKey(input: {deviceId: "hunter2"}) { keyId } b: rotateClientEncryptionKey(input: {deviceId: "hunter2"}) { keyId } }`, `{}`, badUser, "one mutation field"},

	{"input left out", docGenerate, `{}`, badUser, "input"},
	{"input null", docGenerate, `{"i":null}`, badUser, "input"},
	{"input a string", docGenerate, `{"i":"hunter2"}`, badUser, "input"},
	{"input a list", docGenerate, `{"i":[{"deviceId":"hunter2"}]}`, badUser, "input"},
	{"an unknown field", docGenerate, `{"i":{"deviceId":"d","hunter2":1}}`, badUser, "input"},
	{"deviceId left out", docGenerate, `{"i":{}}`, badUser, "deviceId"},
	{"deviceId null", docGenerate, `{"i":{"deviceId":null}}`, badUser, "deviceId"},
	{"deviceId a number", docGenerate, `{"i":{"deviceId":4711}}`, badUser, "deviceId"},
	{"deviceId a boolean", docGenerate, `{"i":{"deviceId":true}}`, badUser, "deviceId"},
	{"deviceId a list", docRotate, `{"i":{"deviceId":["hunter2"]}}`, badUser, "deviceId"},
	{"deviceId empty", docGenerate, `{"i":{"deviceId":""}}`, badUser, "deviceId"},
	{"deviceId blank", docGenerate, `{"i":{"deviceId":"   "}}`, badUser, "deviceId"},
	{"deviceId blank in Unicode", docRotate, `{"i":{"deviceId":"\u3000\u2003"}}`, badUser, "deviceId"},
	{"deviceId of 5,000 characters", docGenerate, `{"i":{"deviceId":"` + strings.Repeat("hunter2-", 625) + `"}}`, badUser, "deviceId"},
	{"deviceId of 257 bytes", docRotate, `{"i":{"deviceId":"` + strings.Repeat("x", 257) + `"}}`, badUser, "deviceId"},
	{"deviceId with NUL", docGenerate, `{"i":{"deviceId":"hunter2\u0000"}}`, badUser, "deviceId"},
	{"deviceId with a line end", docGenerate, `{"i":{"deviceId":"hunter2\nx"}}`, badUser, "deviceId"},
	{"deviceId with ESC", docRotate, `{"i":{"deviceId":"\u001b[31mhunter2"}}`, badUser, "deviceId"},
	{"deviceId with DEL", docGenerate, `{"i":{"deviceId":"hunter2\u007f"}}`, badUser, "deviceId"},
	{"deviceId with a C1 control", docGenerate, `{"i":{"deviceId":"hunter2\u0085"}}`, badUser, "deviceId"},
	{"appVersion a number", docGenerate, `{"i":{"deviceId":"d","appVersion":1.5}}`, badUser, "appVersion"},
	{"appVersion of 65 characters", docRotate, `{"i":{"deviceId":"d","appVersion":"` + strings.Repeat("€", 65) + `"}}`, badUser, "appVersion"},
	{"appVersion with a control", docGenerate, `{"i":{"deviceId":"d","appVersion":"hunter2\u0000"}}`, badUser, "appVersion"},

	{"hours 0", docSummary, `{"h":0}`, badUser, "timeframeHours"},
	{"hours negative", docSummary, `{"h":-1}`, badUser, "timeframeHours"},
	{"hours negative zero", docSummary, `{"h":-0.0}`, badUser, "timeframeHours"},
	{"hours beyond ten years", docSummary, `{"h":87840.001}`, badUser, "timeframeHours"},
	{"hours huge", docSummary, `{"h":1e300}`, badUser, "timeframeHours"},
	{"hours beyond a double", docSummary, `{"h":1e999}`, badUser, "timeframeHours"},
	{"hours a string", docSummary, `{"h":"24"}`, badUser, "timeframeHours"},
	{"hours NaN", docSummary, `{"h":"NaN"}`, badUser, "timeframeHours"},
	{"hours Infinity", docSummary, `{"h":"Infinity"}`, badUser, "timeframeHours"},
	{"hours -Infinity", docSummary, `{"h":"-Infinity"}`, badUser, "timeframeHours"},
	{"hours a boolean", docSummary, `{"h":true}`, badUser, "timeframeHours"},
	{"hours a list", docSummary, `{"h":[24]}`, badUser, "timeframeHours"},
	{"hours NaN in the document", `{ getEncryptionMetricsSummary(timeframeHours: NaN) }`, `{}`, badUser, "timeframeHours"},
	{"hours 1e999 in the document", `{ getEncryptionMetricsSummary(timeframeHours: 1e999) }`, `{}`, badUser, "timeframeHours"},
}

// badCredentials are wrong around a key that is good.
func badCredentials(t testing.TB, k keyPair) []badDocument {
	passcode := func(ciphertext, keyID, authType string) string {
		return `{"i":{"encryptedPasscode":` + ciphertext + `,"keyId":` + keyID + `,"passwordAuthType":` + authType + `}}`
	}
	pin := func(ciphertext, keyID, authType string) string {
		return `{"i":{"encryptedPin":` + ciphertext + `,"keyId":` + keyID + `,"passwordAuthType":` + authType + `}}`
	}
	quote := func(s string) string {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	id, good := quote(k.ID), quote(encrypt(t, k, "493817"))
	all := []badDocument{
		{"type of the other credential", docSet, passcode(good, id, `"TRANSACTION_PIN"`), badUser, "passwordAuthType"},
		{"type of the other credential, PIN", docVerify, pin(good, id, `"PASSCODE"`), badUser, "passwordAuthType"},
		{"type unknown", docSet, passcode(good, id, `"hunter2"`), badUser, "passwordAuthType"},
		{"type in lower case", docSet, passcode(good, id, `"passcode"`), badUser, "passwordAuthType"},
		{"type null", docVerify, pin(good, id, `null`), badUser, "passwordAuthType"},
		{"type a number", docVerify, pin(good, id, `0`), badUser, "passwordAuthType"},
		{"type left out", docSet, `{"i":{"encryptedPasscode":` + good + `,"keyId":` + id + `}}`, badUser, "passwordAuthType"},
		{"a field of the other type", docSet, pin(good, id, `"PASSCODE"`), badUser, "encryptedPasscode"},
		{"ciphertext null", docSet, passcode(`null`, id, `"PASSCODE"`), badUser, "encryptedPasscode"},
		{"ciphertext a number", docVerify, pin(`493817`, id, `"TRANSACTION_PIN"`), badUser, "encryptedPin"},
		{"ciphertext a list", docSet, passcode(`["hunter2"]`, id, `"PASSCODE"`), badUser, "encryptedPasscode"},
		{"ciphertext empty", docVerify, pin(`""`, id, `"TRANSACTION_PIN"`), badUser, "encryptedPin"},
		{"keyId null", docSet, passcode(good, `null`, `"PASSCODE"`), badUser, "keyId"},
		{"keyId a number", docVerify, pin(good, `7`, `"TRANSACTION_PIN"`), badUser, "keyId"},
		{"keyId empty", docVerify, pin(good, `""`, `"TRANSACTION_PIN"`), badUser, "keyId"},
	}
	for _, keyID := range []string{"hunter2", strings.ToUpper(k.ID), k.ID + " ", k.ID[:25], k.ID + "\x00", "' OR '1'='1", "../../root.key", "📱", "%s%n",
		strings.Repeat("a", 26), strings.Repeat(marker, 5000), "<script>", "\x1b[2J\n"} {
		all = append(all, badDocument{"keyId " + fmt.Sprintf("%.20q", keyID), docVerify, pin(good, quote(keyID), `"TRANSACTION_PIN"`), "KEY_NOT_USABLE", "generateClientEncryptionKey"})
	}
	size := k.public(t).Size()
	random := base64.StdEncoding.EncodeToString(randomCiphertext(t, k.public(t)))
	for name, ciphertext := range map[string]string{
		"a PIN": "493817", "a word": marker, "not base64": "hunter2!" + random, "a byte": "AA==", "emoji": "📱", "NUL": "\x00", "white space": " \n",
		"zeros": base64.StdEncoding.EncodeToString(make([]byte, size)), "0xff": base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{0xff}, size)),
		"random": random, "both alphabets": "+/-_" + random[4:], "padding inside": "AA==" + random, "padding too much": random + "==",
		"a little short": random[4:], "a little long": "AAAA" + random, "60 KB": strings.Repeat("AAAA", 15_000), "hex": fmt.Sprintf("%x", random), "PEM": k.PEM,
		"data URL": "data:;base64," + random, "JSON": `{"pin":"hunter2"}`,
	} {
		all = append(all, badDocument{"ciphertext " + name, docVerify, pin(quote(ciphertext), id, `"TRANSACTION_PIN"`), "DECRYPTION_FAILED", "RSA-OAEP"})
	}
	return all
}

// badHelperInput is wrong around the helper.
func badHelperInput(t testing.TB, k keyPair) []badDocument {
	t.Helper()
	block := func(kind string, der []byte, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	rsaOf := func(bits uint, e int) string { // nobody can tell that it has no factors
		n := new(big.Int).Lsh(big.NewInt(1), bits)
		n.Sub(n, big.NewInt(159))
		der, err := x509.MarshalPKIXPublicKey(&rsa.PublicKey{N: n, E: e})
		return block("PUBLIC KEY", der, err)
	}
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	ecDER, ecErr := x509.MarshalPKIXPublicKey(&ec.PublicKey)
	pkcs8, pkcs8Err := x509.MarshalPKCS8PrivateKey(private)
	var all []badDocument
	for name, text := range map[string]string{
		"empty": "", "garbage": marker, "garbage in PEM": block("PUBLIC KEY", []byte("hunter2 is no DER"), nil), "half": k.PEM[:len(k.PEM)/2],
		"EC": block("PUBLIC KEY", ecDER, ecErr), "private": block("PRIVATE KEY", pkcs8, pkcs8Err),
		"private, PKCS#1": block("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(private), nil),
		"certificate":     block("CERTIFICATE", []byte(marker), nil), "1,024 bits": rsaOf(1024, 65537), "16,384 bits": rsaOf(16384, 65537),
		"8,200 bits": rsaOf(8200, 65537), "2,040 bits": rsaOf(2040, 65537), "exponent 1": rsaOf(2048, 1), "exponent even": rsaOf(2048, 65536),
		"two": k.PEM + k.PEM, "text before it": "hunter2\n" + k.PEM, "text behind it": k.PEM + marker, "over 4 KiB": k.PEM + strings.Repeat("\n", 4096),
		"without its lines": strings.ReplaceAll(k.PEM, "\n", ""), "DER": "\x30\u0082\x01\x22",
	} {
		v, err := json.Marshal(map[string]any{"i": map[string]string{"body": marker, "publicKey": text}})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, badDocument{"PEM " + name, docEncrypt, string(v), badUser, "publicKey"})
	}
	for name, body := range map[string]string{"too long": strings.Repeat(marker, 28)[:191], "far too long": strings.Repeat(marker, 8000), "empty": ""} {
		v, err := json.Marshal(map[string]any{"i": map[string]string{"body": body, "publicKey": k.PEM}})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, badDocument{"body " + name, docEncrypt, string(v), badUser, "body"})
	}
	return append(all,
		badDocument{"publicKey null", docEncrypt, `{"i":{"body":"hunter2","publicKey":null}}`, badUser, "publicKey"},
		badDocument{"publicKey left out", docEncrypt, `{"i":{"body":"hunter2"}}`, badUser, "publicKey"},
		badDocument{"body a number", docEncrypt, `{"i":{"body":493817,"publicKey":"hunter2"}}`, badUser, "body"})
}

func TestEveryBadInputGetsOneClearErrorAndHarmsNothing(t *testing.T) {
	t.Parallel()
	i := start(t, "--log-level", "debug")
	k := i.mustIssue(generate, "phone")
	i.expect("set before", i.try("setTransactionPin", k, "493817"), "true")
	before := i.residentMemory()

	requests := append(notRequests[:len(notRequests):len(notRequests)], badREST...)
	for _, table := range [][]badDocument{badDocuments, badCredentials(t, k), badHelperInput(t, k)} {
		for _, d := range table {
			requests = append(requests, d.request(t))
		}
	}
	for _, r := range requests {
		r.check(t, i)
	}
	if log := strings.ToLower(i.log.String()); strings.Contains(log, marker) {
		t.Error("the log repeats bad input")
	}

	i.expect("verify after", i.try("verifyTransactionPin", k, "493817"), "true")
	other := i.mustIssue(generate, "another phone")
	i.expect("set after", i.try("setTransactionPin", other, "271828"), "true")
	i.expect("verify after", i.try("verifyTransactionPin", other, "271828"), "true")
	if again := i.mustIssue(generate, "phone"); again != k {
		t.Error("bad input changed the key")
	}
	if after := i.residentMemory(); after > before+64<<20 {
		t.Errorf("memory went from %d to %d MiB", before>>20, after>>20)
	}
	i.auditIntact()
}

func (r badRequest) check(t *testing.T, i *instance) {
	t.Helper()
	req, err := http.NewRequest(r.method, i.base+strings.ReplaceAll(r.path, `"`, "%22"), strings.NewReader(r.body))
	if err != nil {
		t.Fatal(err)
	}
	if r.contentType != "" {
		req.Header.Set("Content-Type", r.contentType)
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Errorf("%s: %v", r.name, err)
		return
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Errorf("%s: %v", r.name, err)
		return
	}
	message, code := problem(t, r, body)
	if resp.StatusCode != r.status || code != r.code || !strings.Contains(message, r.says) {
		t.Errorf("%s: %d %s, want %d %s and a message with %q", r.name, resp.StatusCode, body, r.status, r.code, r.says)
	}
	if strings.Contains(strings.ToLower(string(body)+fmt.Sprint(resp.Header)), marker) {
		t.Errorf("%s: the answer repeats the request: %v %s", r.name, resp.Header, body)
	}
	if media := resp.Header.Get("Content-Type"); !strings.HasPrefix(media, "application/json") {
		t.Errorf("%s: the answer is %s", r.name, media)
	}
}

// problem reads the one error of an answer in the shape of its path.
func problem(t *testing.T, r badRequest, body []byte) (message, code string) {
	t.Helper()
	if strings.HasPrefix(r.path, "/api/") {
		var failure struct {
			StatusCode     int
			Message, Error string
		}
		if err := json.Unmarshal(body, &failure); err != nil || failure.StatusCode != r.status {
			t.Errorf("%s: not the specification's error: %s", r.name, body)
		}
		return failure.Message, failure.Error
	}
	var a answer
	if err := json.Unmarshal(body, &a); err != nil || len(a.Errors) != 1 {
		t.Errorf("%s: not one error: %s", r.name, body)
		return "", ""
	}
	return a.Errors[0].Message, a.code()
}

var residentLine = regexp.MustCompile(`(?m)^process_resident_memory_bytes (\S+)$`)

func (i *instance) residentMemory() int64 {
	i.t.Helper()
	m := residentLine.FindStringSubmatch(i.operator("/metrics"))
	if m == nil {
		i.t.Fatal("the metrics lack the resident memory")
	}
	bytes, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		i.t.Fatal(err)
	}
	return int64(bytes)
}

func TestInputsAtTheLimitsAreAccepted(t *testing.T) {
	t.Parallel()
	i := start(t)
	k := i.mustIssue(generate, strings.Repeat("x", 256))
	a, err := i.graphql(`mutation($input: EncryptDataPayload!) { encryptDataLikeClient(input: $input) { encryptedData } }`,
		map[string]any{"body": strings.Repeat("x", 190), "publicKey": k.PEM})
	if err != nil || a.Data["encryptDataLikeClient"] == nil {
		t.Errorf("the longest body of a key of 2,048 bits: %v %s", err, a.Body)
	}
	i.expect("the longest passcode", i.try("setUserPasscode", k, strings.Repeat("x", 128)), "true")
	i.expect("the longest PIN", i.try("setTransactionPin", k, strings.Repeat("1", 12)), "true")
	for variables, want := range map[string]string{
		`{}`: "24", `{"h":null}`: "24", `{"h":24}`: "24", `{"h":87840}`: "87840", `{"h":0.5}`: "0.5", `{"h":1e-9}`: "1e-9", `{"h":2.4e1}`: "24",
	} {
		a, err := i.post("/graphql", "application/json", []byte(`{"query":"`+docSummary+`","variables":`+variables+`}`))
		sum, _ := a.Data["getEncryptionMetricsSummary"].(string)
		if err != nil || !strings.Contains(sum, `"timeframeHours":`+want+`}`) && !strings.Contains(sum, `"timeframeHours":`+want+`,`) {
			t.Errorf("%s: %v %s, want timeframeHours %s", variables, err, a.Body, want)
		}
	}
	if a, err := i.post("/graphql", "application/json", []byte(`{"query":"{ getEncryptionMetricsSummary(timeframeHours: null) }"}`)); err != nil || len(a.Errors) > 0 {
		t.Errorf("null in the document: %v %s", err, a.Body)
	}
}

func TestUnusualDeviceIDsStayDistinct(t *testing.T) {
	t.Parallel()
	i := start(t)
	devices := []string{
		"phone", "Phone", "PHONE", "phone ", " phone", "pho\u00adne", // each is another device
		"caf\u00e9", "cafe\u0301", // so is each way to write a word
		"📱👩‍👩‍👧", `it's "quoted" \ and \u0041`, "../../../etc/passwd", `C:\con\nul`, "/", ".", "%2e%2e%00",
		"<script>alert(1)</script>", "&lt;b&gt;", "Robert'); DROP TABLE account;--", "${jndi:ldap://x}", "{{7*7}}", "%s%n%d",
		"null", "0", "-1", "\u202ephone", "\ufeffphone", strings.Repeat("€", 85),
	}
	owner := map[string]string{} // of each keyId
	for n, device := range devices {
		k := i.mustIssue(generate, device)
		if other, taken := owner[k.ID]; taken {
			t.Errorf("%q and %q share a device key", device, other)
		}
		owner[k.ID] = device
		i.expect(fmt.Sprintf("set for %q", device), i.try("setTransactionPin", k, fmt.Sprintf("%06d", n)), "true")
	}
	for n, device := range devices {
		k := i.mustIssue(generate, device)
		if owner[k.ID] != device {
			t.Errorf("%q has the key of %q the second time", device, owner[k.ID])
		}
		body, err := json.Marshal(map[string]string{"deviceId": device})
		if err != nil {
			t.Fatal(err)
		}
		a, err := i.post("/api/encryption/keys", "application/json", body)
		if err != nil || a.Status != http.StatusOK || !strings.Contains(string(a.Body), `"keyId":"`+k.ID+`"`) {
			t.Errorf("%q has another key by REST: %v %d %s", device, err, a.Status, a.Body)
		}
		i.expect(fmt.Sprintf("verify for %q", device), i.try("verifyTransactionPin", k, fmt.Sprintf("%06d", n)), "true")
	}
	i.auditIntact()
}
