package e2e

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"

	"strongroom/internal/store/postgres/pgtest"
)

// provider stands for an identity provider: it signs tokens, and its key set is
// in a file.
type provider struct {
	t      testing.TB
	key    *rsa.PrivateKey
	keySet string // path
}

const (
	tokenIssuer   = "https://login.example.com"
	tokenAudience = "strongroom"
)

func newProvider(t testing.TB) *provider {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p := &provider{t, key, filepath.Join(t.TempDir(), "jwks.json")}
	set := jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: key.Public(), KeyID: "key-1", Algorithm: "RS256", Use: "sig"}}}
	text, err := json.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.keySet, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

// flags start a service that takes the provider's tokens.
func (p *provider) flags(more ...string) []string {
	return append([]string{"--accounts", "jwt", "--jwt-issuer", tokenIssuer,
		"--jwt-audience", tokenAudience, "--jwt-jwks", p.keySet}, more...)
}

// claims are those of a good token of subject. What more says replaces them,
// and a nil takes one away.
func claims(subject string, more map[string]any) map[string]any {
	c := map[string]any{"iss": tokenIssuer, "aud": tokenAudience, "sub": subject, "exp": time.Now().Add(time.Hour).Unix()}
	maps.Copy(c, more)
	maps.DeleteFunc(c, func(_ string, v any) bool { return v == nil })
	return c
}

func (p *provider) token(subject string, more map[string]any) string {
	p.t.Helper()
	return p.sign(jose.RS256, p.key, claims(subject, more))
}

func (p *provider) sign(algorithm jose.SignatureAlgorithm, key any, claims map[string]any) string {
	p.t.Helper()
	options := new(jose.SignerOptions).WithType("JWT").WithHeader("kid", "key-1")
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, options)
	if err != nil {
		p.t.Fatal(err)
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		p.t.Fatal(err)
	}
	jws, err := signer.Sign(payload)
	if err != nil {
		p.t.Fatal(err)
	}
	compact, err := jws.CompactSerialize()
	if err != nil {
		p.t.Fatal(err)
	}
	return compact
}

// as is the same server, called with a header.
func (i *instance) as(name string, values ...string) *instance {
	w := *i
	w.header = maps.Clone(i.header)
	if w.header == nil {
		w.header = http.Header{}
	}
	w.header[name] = values
	return &w
}

func (i *instance) withToken(token string) *instance { return i.as("Authorization", "Bearer "+token) }

// refusesToStart runs a serve that must fail, and returns what it said.
func refusesToStart(t *testing.T, args ...string) string {
	t.Helper()
	program := binary(t) // first: building it may take longer than the refusal may
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, append([]string{"serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"}, args...)...)
	cmd.Env = append(cleanEnv(), "STRONGROOM_KEY_POOL=0")
	out, err := cmd.CombinedOutput()
	if err == nil || ctx.Err() != nil || !cmd.ProcessState.Exited() {
		t.Fatalf("serve %q did not refuse to start: %v\n%s", args, err, out)
	}
	return string(out)
}

func says(t *testing.T, text string, wanted ...string) {
	t.Helper()
	for _, want := range wanted {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
}

func TestRequestsWithoutAValidTokenAreRefused(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	i := start(t, p.flags()...)
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: mustDER(t, p.key)})
	good := p.token("alice", nil)
	part := strings.Split(good, ".")
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + part[1] + "."
	hour := time.Hour / time.Second
	for name, token := range map[string]string{
		"missing":                   "",
		"expired":                   p.token("alice", map[string]any{"exp": time.Now().Unix() - int64(hour)}),
		"not yet valid":             p.token("alice", map[string]any{"nbf": time.Now().Unix() + int64(hour)}),
		"without an expiry":         p.token("alice", map[string]any{"exp": nil}),
		"for another service":       p.token("alice", map[string]any{"aud": "elsewhere"}),
		"of another provider":       p.token("alice", map[string]any{"iss": "https://evil.example.com"}),
		"without a subject":         p.token("", nil),
		"without a signature":       none,
		"stripped of its signature": part[0] + "." + part[1] + ".",
		"signed by anyone who can read the public key": p.sign(jose.HS256, public, claims("alice", nil)),
		"signed by another key":                        newProvider(t).token("alice", nil),
		"with other claims under the signature":        part[0] + "." + strings.Split(p.token("bob", nil), ".")[1] + "." + part[2],
		"too large":                                    p.token("alice", map[string]any{"x": strings.Repeat("x", 16<<10)}),
		"made up":                                      "opensesame",
	} {
		caller, challenge := i, "Bearer"
		if token != "" {
			caller, challenge = i.withToken(token), `Bearer error="invalid_token"`
		}
		for _, request := range []struct{ method, path, body string }{
			{http.MethodPost, "/graphql", `{"query":"{ __typename }"}`},
			{http.MethodGet, "/graphql?query=" + url.QueryEscape("{ __typename }"), ""},
			{http.MethodPost, "/api/encryption/keys", `{"deviceId":"phone"}`},
		} {
			a, err := caller.send(request.method, request.path, "application/json", []byte(request.body))
			if err != nil {
				t.Fatal(err)
			}
			where := fmt.Sprintf("a token %s: %s %s", name, request.method, request.path)
			if a.Status != http.StatusUnauthorized || a.Header.Get("WWW-Authenticate") != challenge {
				t.Errorf("%s: status %d, WWW-Authenticate %q, want 401, %q", where, a.Status, a.Header.Get("WWW-Authenticate"), challenge)
			}
			if strings.HasPrefix(request.path, "/api/") {
				var refusal struct {
					StatusCode     int
					Message, Error string
				}
				if err := json.Unmarshal(a.Body, &refusal); err != nil || refusal.StatusCode != 401 || refusal.Message == "" || refusal.Error != "Unauthorized" {
					t.Errorf("%s: %s", where, a.Body)
				}
			} else if a.code() != "UNAUTHENTICATED" || a.Data != nil {
				t.Errorf("%s: %s", where, a.Body)
			}
			if token != "" && strings.Contains(string(a.Body), token) {
				t.Errorf("%s: the answer repeats the token", where)
			}
		}
	}
	if log := i.log.String(); strings.Contains(log, part[2]) || strings.Contains(log, "alice") {
		t.Errorf("the log repeats a token:\n%s", log)
	}
	if _, err := i.withToken(good).issue(generate, "phone"); err != nil {
		t.Errorf("a good token: %v", err)
	}
}

func mustDER(t *testing.T, key *rsa.PrivateKey) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	if err != nil {
		t.Fatal(err)
	}
	return der
}

func TestTwoAccountsWithTheSameDeviceIDAreIndependent(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	i := start(t, p.flags()...)
	type life struct {
		*instance
		key     keyPair
		pin     string
		another string // the other one's
	}
	lives := map[string]*life{
		"alice": {instance: i.withToken(p.token("alice", nil)), pin: "8302", another: "6174"},
		"bob":   {instance: i.withToken(p.token("bob", nil)), pin: "6174", another: "8302"},
	}
	for name, l := range lives {
		l.key = l.mustIssue(generate, "phone")
		l.expect(name+" has nothing set", l.try("verifyTransactionPin", l.key, l.pin), "false")
	}
	for name, l := range lives {
		l.expect(name+" sets", l.try("setTransactionPin", l.key, l.pin), "true")
	}
	for name, l := range lives {
		l.expect(name+" verifies", l.try("verifyTransactionPin", l.key, l.pin), "true")
		l.expect(name+" tries the other's", l.try("verifyTransactionPin", l.key, l.another), "false")
		old := l.key
		l.key = l.mustIssue(rotate, "phone")
		l.expect(name+"'s old key", l.try("verifyTransactionPin", old, l.pin), "KEY_NOT_USABLE")
	}
	for name, l := range lives {
		l.expect(name+" with the new key", l.try("verifyTransactionPin", l.key, l.pin), "true")
		second := l.mustIssue(generate, "tablet")
		l.expect(name+"'s second device", l.try("verifyTransactionPin", second, l.pin), "true")
	}
	if lives["alice"].key == lives["bob"].key {
		t.Error("two accounts have one key")
	}
	i.auditIntact()
}

// differsEachTime is what two answers to the same request differ in: ids, keys
// and times.
var differsEachTime = regexp.MustCompile(`[a-z2-7]{26}|-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----|` +
	`"publicKeyPkcs1":"[^"]+"|"encryptedData":"[^"]+"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)

// told is all that a stranger can see of an answer, but for its time.
func told(t *testing.T, a answer, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	header := a.Header.Clone()
	header.Del("Date")
	header.Del("X-Request-Id")
	var lines []string
	for name, values := range header {
		lines = append(lines, name+": "+strings.Join(values, ", "))
	}
	slices.Sort(lines)
	return fmt.Sprintf("%d\n%s\n%s", a.Status, strings.Join(lines, "\n"), differsEachTime.ReplaceAllString(string(a.Body), "…"))
}

// TestResourcesOfAnotherAccountLookUnknown sends requests of bob with device ids and keys
// of alice, and with unknown ones. It leaves out the summary, which concerns no account.
func TestResourcesOfAnotherAccountLookUnknown(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	i := start(t, p.flags("--replay-protection")...)
	alice, bob := i.withToken(p.token("alice", nil)), i.withToken(p.token("bob", nil))
	phone, tablet := alice.mustIssue(generate, "alice's phone"), alice.mustIssue(generate, "alice's tablet")
	alice.expect("alice sets", alice.try("setTransactionPin", phone, "8302"), "true")
	alice.expect("alice sets", alice.try("setUserPasscode", phone, "8302"), "true")
	captured, wrong := encrypt(t, phone, "8302"), encrypt(t, phone, "0000") // on their way: alice has not sent them
	bobs := bob.mustIssue(generate, "bob's phone")
	alike := func(what, foreign, unknown string) {
		if diff := cmp.Diff(unknown, foreign); diff != "" {
			t.Errorf("%s (-unknown +alice's):\n%s", what, diff)
		}
	}

	device := map[string]func(id string) (answer, error){
		"generate over REST": func(id string) (answer, error) {
			return bob.post("/api/encryption/keys", "application/json", []byte(`{"deviceId":"`+id+`"}`))
		},
	}
	for _, operation := range []string{generate, rotate} {
		device[operation] = func(id string) (answer, error) {
			return bob.graphql("mutation($input: ClientIdentityInput!) { "+operation+
				"(input: $input) { keyId publicKey algorithm keySize createdAt expiresAt publicKeyPkcs1 } }", map[string]any{"deviceId": id})
		}
	}
	for what, ask := range device {
		foreign, err := ask("alice's phone")
		if strings.Contains(string(foreign.Body), phone.ID) {
			t.Errorf("%s gave bob alice's key", what)
		}
		unknown, errUnknown := ask("nobody's phone") // as long, for the header Content-Length
		alike(what, told(t, foreign, err), told(t, unknown, errUnknown))
	}
	help := func(k keyPair) string {
		a, err := bob.graphql("mutation($input: EncryptDataPayload!) { encryptDataLikeClient(input: $input) { encryptedData } }",
			map[string]any{"body": "8302", "publicKey": k.PEM})
		return told(t, a, err)
	}
	alike("the helper", help(phone), help(bobs))

	nobodys := strings.Repeat("a", len(phone.ID))
	for operation := range credentialOps {
		submit := func(keyID, ciphertext, want string) string {
			a, err := bob.submit(operation, keyID, ciphertext)
			bob.expect(operation, a.code(), want)
			return told(t, a, err)
		}
		for what, ciphertext := range map[string]string{"right": captured, "wrong": wrong, "no ciphertext": "AAAA", "bob's": encrypt(t, bobs, "8302")} {
			alike(operation+" "+what, submit(phone.ID, ciphertext, "KEY_NOT_USABLE"), submit(nobodys, ciphertext, "KEY_NOT_USABLE"))
		}
		random := base64.StdEncoding.EncodeToString(randomCiphertext(t, bobs.public(t)))
		alike(operation+" under bob's own key", submit(bobs.ID, captured, "DECRYPTION_FAILED"), submit(bobs.ID, random, "DECRYPTION_FAILED"))
	}

	if again := alice.mustIssue(generate, "alice's phone"); again != phone {
		t.Error("alice has another key")
	}
	for _, verify := range []string{"verifyTransactionPin", "verifyUserPasscode"} {
		// Her two devices have two tries each, and the account its fifth.
		for _, k := range []keyPair{phone, tablet, phone, tablet} {
			alice.expect("alice errs", alice.try(verify, k, "1111"), "false")
		}
		alice.expect("alice: "+verify, alice.try(verify, tablet, "8302"), "true")
	}
	a, err := alice.submit("verifyTransactionPin", phone.ID, captured)
	alice.expect("what bob sent before her", word("verifyTransactionPin", a, err), "true")
	i.auditIntact()
}

func TestAStolenDeviceLocksItselfAndAFifthFailureTheAccount(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	i := start(t, p.flags()...)
	alice, bob := i.withToken(p.token("alice", nil)), i.withToken(p.token("bob", nil))
	const verify = "verifyTransactionPin"
	stolen, phone, tablet := alice.mustIssue(generate, "stolen"), alice.mustIssue(generate, "phone"), alice.mustIssue(generate, "tablet")
	alice.expect("set", alice.try("setTransactionPin", phone, "8302"), "true")
	for range 3 {
		alice.expect("the thief guesses", alice.try(verify, stolen, "0000"), "false")
	}
	alice.expect("the thief's fourth, and right", alice.try(verify, stolen, "8302"), "CREDENTIAL_LOCKED")
	alice.expect("the thief sets", alice.try("setTransactionPin", stolen, "0000"), "CREDENTIAL_LOCKED")
	alice.expect("the fourth in a row, from the phone", alice.try(verify, phone, "1111"), "false")
	for range 6 {
		bob.expect("a stranger guesses", bob.try(verify, phone, "0000"), "KEY_NOT_USABLE")
	}
	alice.expect("the owner", alice.try(verify, phone, "8302"), "true")
	alice.expect("the thief, for all that", alice.try(verify, stolen, "8302"), "CREDENTIAL_LOCKED")

	for _, k := range []keyPair{phone, tablet, phone, tablet} {
		alice.expect("wrong", alice.try(verify, k, "1111"), "false")
	}
	i.kill()
	i.run()
	alice.base = i.base
	alice.expect("the fifth", alice.try(verify, alice.mustIssue(generate, "fourth device"), "1111"), "false")
	for _, k := range []keyPair{phone, tablet} {
		alice.expect("the account is locked", alice.try(verify, k, "8302"), "CREDENTIAL_LOCKED")
	}
	says(t, i.mustCommand(0, "admin", "unlock", "--account", "alice", "--issuer", tokenIssuer,
		"--type", "TRANSACTION_PIN", "--reason", "she called"), "Unlocked.")
	for _, k := range []keyPair{phone, stolen} {
		alice.expect("after the operator", alice.try(verify, k, "8302"), "true")
	}
	i.auditIntact()
}

// TestTheAccountHeaderNeedsTheGatewayToken uses a raw connection, because client libraries
// do not send such headers.
func TestTheAccountHeaderNeedsTheGatewayToken(t *testing.T) {
	t.Parallel()
	const token = "mpqVZ0Yv2bD4Wl1nR7sT9uX3cE6gJ8kA"
	file := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(file, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	i := start(t, "--accounts", "gateway", "--gateway-token-file", file)
	const proof, account = "Authorization: Bearer " + token, "Strongroom-Account: alice"
	for name, headers := range map[string][]string{
		"nothing":                         nil,
		"the header without the token":    {account},
		"a wrong token":                   {account, "Authorization: Bearer " + strings.Repeat("a", len(token))},
		"the token's beginning":           {account, proof[:len(proof)-1]},
		"the token in another scheme":     {account, "Authorization: Basic " + token},
		"two tokens":                      {account, proof, proof},
		"the token without the header":    {proof},
		"two accounts":                    {account, "Strongroom-Account: bob", proof},
		"the account twice":               {account, account, proof},
		"a second account, spelt unlike":  {account, "STRONGROOM-ACCOUNT: bob", proof},
		"an empty account":                {"Strongroom-Account:", proof},
		"a blank account":                 {"Strongroom-Account:  \t ", proof},
		"an escape in the account":        {"Strongroom-Account: al\x1bice", proof},
		"a zero byte in the account":      {"Strongroom-Account: alice\x00", proof},
		"a delete in the account":         {"Strongroom-Account: alice\x7f", proof},
		"a C1 control in the account":     {"Strongroom-Account: alice\u0085", proof},
		"an account that is no UTF-8":     {"Strongroom-Account: alice\xff", proof},
		"an account over 256 bytes":       {"Strongroom-Account: " + strings.Repeat("a", 257), proof},
		"another header that looks alike": {"Strongroom_Account: alice", proof},
	} {
		// Which of the two refuses depends on whether it is HTTP at all.
		if status := i.bare(headers); status != http.StatusUnauthorized && status != http.StatusBadRequest {
			t.Errorf("%s: status %d", name, status)
		}
	}
	if status := i.bare([]string{account, proof}); status != http.StatusOK {
		t.Errorf("the correct headers: status %d", status)
	}

	gateway := i.withToken(token)
	alice, bob := gateway.as("Strongroom-Account", "alice"), gateway.as("Strongroom-Account", "bob")
	phone, bobs := alice.mustIssue(generate, "phone"), bob.mustIssue(generate, "phone")
	alice.expect("alice sets", alice.try("setTransactionPin", phone, "8302"), "true")
	bob.expect("bob has none", bob.try("verifyTransactionPin", bobs, "8302"), "false")
	bob.expect("bob with her key", bob.try("verifyTransactionPin", phone, "8302"), "KEY_NOT_USABLE")
	for range 2 {
		alice.expect("wrong", alice.try("verifyTransactionPin", phone, "1111"), "false")
	}
	i.kill()
	i.run()
	alice.base = i.base
	alice.expect("the third, after a crash", alice.try("verifyTransactionPin", phone, "1111"), "false")
	alice.expect("the device is locked", alice.try("verifyTransactionPin", phone, "8302"), "CREDENTIAL_LOCKED")
	i.auditIntact()
	says(t, i.mustCommand(0, "admin", "unlock", "--account", "alice", "--type", "TRANSACTION_PIN", "--reason", "she called"), "Unlocked.")
	alice.expect("after the operator", alice.try("verifyTransactionPin", phone, "8302"), "true")
}

func (i *instance) mustCommand(want int, args ...string) string {
	i.t.Helper()
	out, code := i.command(args...)
	if code != want {
		i.t.Errorf("%q exits %d:\n%s", args, code, out)
	}
	return out
}

// bare asks for a key over a connection of its own, with the header lines as
// they are, and returns the status.
func (i *instance) bare(headers []string) int {
	i.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(i.base, "http://"))
	if err != nil {
		i.t.Fatal(err)
	}
	defer conn.Close()
	const body = `{"deviceId":"phone"}`
	lines := append([]string{"POST /api/encryption/keys HTTP/1.1", "Host: localhost", "Connection: close",
		"Content-Type: application/json", fmt.Sprintf("Content-Length: %d", len(body))}, headers...)
	if _, err := fmt.Fprint(conn, strings.Join(lines, "\r\n"), "\r\n\r\n", body); err != nil {
		i.t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		i.t.Fatal(err)
	}
	return resp.StatusCode
}

// Not parallel: it sets the environment.
func TestTheHardenedPostureNamesMissingSettingsAndIsEnforced(t *testing.T) {
	says(t, refusesToStart(t, "--data-dir", t.TempDir(), "--hardened"),
		"--accounts jwt", "--accounts gateway", "--root-key file:PATH", "a key management service, an HSM or a TPM")

	t.Setenv("E2E_ROOT_KEY", base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", 32))))
	p := newProvider(t)
	i := start(t, p.flags("--hardened", "--root-key", "env:E2E_ROOT_KEY")...)
	says(t, i.log.String(), "the posture is hardened")
	if a, err := i.graphql("{ __typename }", nil); err != nil || a.Status != http.StatusUnauthorized {
		t.Errorf("without a token: %d %v", a.Status, err)
	}
	alice := i.withToken(p.token("alice", nil))
	for what, query := range map[string]string{
		"introspection": `{ __schema { types { name } } }`,
		"the helper":    `mutation { encryptDataLikeClient(input: {body: "8302", publicKey: "x"}) { encryptedData } }`,
	} {
		a, err := alice.graphql(query, nil)
		alice.expect(what, word("", a, err), "OPERATION_DISABLED")
	}
	if a, err := alice.send(http.MethodGet, "/schema.graphql", "", nil); err != nil || a.Status != http.StatusNotFound {
		t.Errorf("the schema: %d %v", a.Status, err)
	}
	phone := alice.mustIssue(generate, "phone")
	a, err := alice.graphql("mutation($input: ClientIdentityInput!) { generateClientEncryptionKey(input: $input) { expiresAt } }", map[string]any{"deviceId": "phone"})
	pair, _ := a.Data[generate].(map[string]any)
	expires, _ := pair["expiresAt"].(string)
	if at, bad := time.Parse(time.RFC3339, expires); err != nil || bad != nil || time.Until(at) > 366*24*time.Hour {
		t.Errorf("the key expires %q: %v", expires, err)
	}

	alice.rejected("1234", phone, "TOO_COMMON")
	set := encrypt(t, phone, "8302")
	submit := func(operation, ciphertext string) string {
		a, err := alice.submit(operation, phone.ID, ciphertext)
		return word(operation, a, err)
	}
	alice.expect("set", submit("setTransactionPin", set), "true")
	verify := encrypt(t, phone, "8302")
	alice.expect("verify", submit("verifyTransactionPin", verify), "true")
	raw, _ := base64.StdEncoding.DecodeString(verify)
	for what, again := range map[string]string{
		"the same":             verify,
		"in the other base64":  base64.RawURLEncoding.EncodeToString(raw),
		"broken into lines":    verify[:76] + "\r\n" + verify[76:],
		"the set, as a verify": set,
	} {
		alice.expect(what, submit("verifyTransactionPin", again), "CIPHERTEXT_REUSED")
		alice.expect(what+", to set", submit("setTransactionPin", again), "CIPHERTEXT_REUSED")
	}
	i.kill()
	i.run()
	alice.base = i.base
	alice.expect("after a crash", submit("verifyTransactionPin", verify), "CIPHERTEXT_REUSED")
	alice.expect("encrypted anew: none of those was a guess", alice.try("verifyTransactionPin", phone, "8302"), "true")
	alice.expect("set without the current PIN", alice.try("setTransactionPin", phone, "6174"), "FORBIDDEN")
	alice.expectReplaced(phone, "8302", "8302", "REUSED")
	alice.expectReplaced(phone, "0000", "6174", "CURRENT_MISMATCH")
	alice.expectReplaced(phone, "8302", "6174", "")
	i.mustCommand(0, "audit", "verify", "--root-key", "env:E2E_ROOT_KEY")
}

// rejected sets a PIN that a rule must forbid.
func (i *instance) rejected(pin string, k keyPair, rule string) {
	i.t.Helper()
	a, err := i.submit("setTransactionPin", k.ID, encrypt(i.t, k, pin))
	i.expectRule("set "+pin, rule, a, err)
}

func (i *instance) expectRule(what, rule string, a answer, err error) {
	i.t.Helper()
	i.expect(what, word("setTransactionPin", a, err), "false")
	want := map[string]any{"rejection": map[string]any{"code": "CREDENTIAL_REJECTED", "rule": rule}}
	if diff := cmp.Diff(want, a.Extensions); diff != "" {
		i.t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// replace sets a PIN and sends the current one with it.
func (i *instance) replace(k keyPair, current, pin string) (answer, error) {
	return i.graphql("mutation($input: EncryptedTransactionPinInput!) { setTransactionPin(input: $input) }",
		map[string]any{"encryptedPin": encrypt(i.t, k, pin), "encryptedCurrentPin": encrypt(i.t, k, current),
			"keyId": k.ID, "passwordAuthType": "TRANSACTION_PIN"})
}

// expectReplaced replaces a PIN, which a rule must forbid unless it is "".
func (i *instance) expectReplaced(k keyPair, current, pin, rule string) {
	i.t.Helper()
	a, err := i.replace(k, current, pin)
	if rule == "" {
		i.expect("replace by "+pin, word("setTransactionPin", a, err), "true")
		return
	}
	i.expectRule("replace by "+pin, rule, a, err)
}

// A thief has a copy of the owner's token, with scopes and a fresh auth_time,
// and knows the deviceId. So the thief is given the owner's key, and sends set
// after set while the owner verifies. Not parallel: it sets the environment.
func TestACopiedTokenNeverTakesOverAPIN(t *testing.T) {
	t.Setenv("E2E_ROOT_KEY", base64.StdEncoding.EncodeToString([]byte(strings.Repeat("k", 32))))
	p := newProvider(t)
	i := start(t, p.flags("--hardened", "--root-key", "env:E2E_ROOT_KEY", "--require-scopes", "--overwrite-max-auth-age", "5m")...)
	token := p.token("alice", map[string]any{"auth_time": time.Now().Unix(), "scope": "key:issue credential:write credential:verify"})
	owner, thief := i.withToken(token), i.withToken(token)
	phone := owner.mustIssue(generate, "phone")
	owner.expect("set", owner.try("setTransactionPin", phone, "8302"), "true")
	stolen := thief.mustIssue(generate, "phone")
	if stolen.ID != phone.ID {
		t.Fatal("the thief was given another key")
	}
	done, answers := make(chan struct{}), make(chan map[string]int)
	go func() {
		got := map[string]int{}
		for {
			select {
			case <-done:
				answers <- got
				return
			default:
				got[thief.try("setTransactionPin", stolen, "6174")]++
			}
		}
	}()
	for range 20 {
		owner.expect("the owner verifies", owner.try("verifyTransactionPin", phone, "8302"), "true")
	}
	close(done)
	got := <-answers
	if got["true"] > 0 || got["FORBIDDEN"] != 10 || got["TOO_MANY_REQUESTS"] == 0 {
		t.Errorf("the thief was answered %v, want 10 times FORBIDDEN and then TOO_MANY_REQUESTS", got)
	}
	owner.expect("the PIN is the owner's", owner.try("verifyTransactionPin", phone, "8302"), "true")
	says(t, i.operator("/metrics"), `strongroom_overwrites_refused_total{reason="CURRENT_REQUIRED"} 10`)
	says(t, i.operator("/admin/v1/audit?event=overwrite.refused"), `"outcome":"CURRENT_REQUIRED"`)
	i.mustCommand(0, "audit", "verify", "--root-key", "env:E2E_ROOT_KEY")
}

func TestAFilledDatabaseRefusesAnotherKindOfAccounts(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	i := start(t)
	phone := i.mustIssue(generate, "phone")
	i.stop()
	says(t, refusesToStart(t, p.flags("--data-dir", i.dataDir)...), "device", "jwt")
	i.run()
	i.expect("as it was", i.try("setTransactionPin", phone, "8302"), "true")
}

func TestScopesAreRequiredAndAResetEndsALock(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	i := start(t, p.flags("--require-scopes")...)
	with := func(scope string) *instance { return i.withToken(p.token("alice", map[string]any{"scope": scope})) }
	all := with("openid key:issue credential:write credential:verify")
	phone := all.mustIssue(generate, "phone")
	all.expect("set", all.try("setTransactionPin", phone, "8302"), "true")

	verifier := with("credential:verify")
	verifier.expect("verify", verifier.try("verifyTransactionPin", phone, "8302"), "true")
	verifier.expect("set", verifier.try("setTransactionPin", phone, "6174"), "FORBIDDEN")
	a, err := verifier.post("/api/encryption/keys", "application/json", []byte(`{"deviceId":"phone"}`))
	if err != nil || a.Status != http.StatusForbidden || !strings.Contains(string(a.Body), "key:issue") {
		t.Errorf("a key over REST: %d %v %s", a.Status, err, a.Body)
	}
	summary := func(c *instance) string {
		a, err := c.graphql("{ getEncryptionMetricsSummary }", nil)
		if _, told := a.Data["getEncryptionMetricsSummary"].(string); told {
			return "told"
		}
		return word("", a, err)
	}
	all.expect("the summary", summary(all), "FORBIDDEN")
	metrics := with("metrics:read")
	metrics.expect("the summary, with its scope", summary(metrics), "told")

	for range 3 {
		all.expect("wrong", all.try("verifyTransactionPin", phone, "0000"), "false")
	}
	all.expect("set while locked", all.try("setTransactionPin", phone, "6174"), "CREDENTIAL_LOCKED")
	desk := with("credential:reset")
	desk.expect("the help desk verifies", desk.try("verifyTransactionPin", phone, "8302"), "FORBIDDEN")
	desk.expect("the help desk sets", desk.try("setTransactionPin", phone, "6174"), "true")
	all.expect("the old PIN", all.try("verifyTransactionPin", phone, "8302"), "false")
	all.expect("the new PIN", all.try("verifyTransactionPin", phone, "6174"), "true")
	i.auditIntact()
}

func TestReplacingACredentialCanRequireARecentSignIn(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	i := start(t, p.flags("--overwrite-max-auth-age", "5m")...)
	signedIn := func(at any) *instance { return i.withToken(p.token("alice", map[string]any{"auth_time": at})) }
	never, now, earlier := signedIn(nil), signedIn(time.Now().Unix()), signedIn(time.Now().Add(-time.Hour).Unix())
	phone := never.mustIssue(generate, "phone")
	never.expect("the first", never.try("setTransactionPin", phone, "8302"), "true")
	never.expect("with a token that does not tell", never.try("setTransactionPin", phone, "6174"), "FORBIDDEN")
	earlier.expect("an hour after the sign-in", earlier.try("setTransactionPin", phone, "6174"), "FORBIDDEN")
	now.expect("it is the first still", now.try("verifyTransactionPin", phone, "8302"), "true")
	now.expect("just after the sign-in", now.try("setTransactionPin", phone, "6174"), "true")
}

func TestRateLimitsOfCallersAreIndependent(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	i := start(t, p.flags("--rate-limit-caller", "3/1h")...)
	alice, bob := i.withToken(p.token("alice", nil)), i.withToken(p.token("bob", nil))
	phone := alice.mustIssue(generate, "phone")
	for range 3 {
		bob.expect("bob with her key", bob.try("verifyTransactionPin", phone, "0000"), "KEY_NOT_USABLE")
	}
	a, err := bob.submit("verifyTransactionPin", phone.ID, encrypt(t, phone, "0000"))
	bob.expect("bob once more", word("", a, err), "TOO_MANY_REQUESTS")
	if wait := a.Header.Get("Retry-After"); wait == "" || wait != fmt.Sprint(a.Errors[0].Extensions["retryAfterSeconds"]) {
		t.Errorf("Retry-After %q, extensions %v", wait, a.Errors[0].Extensions)
	}
	if a, err := bob.post("/api/encryption/keys", "application/json", []byte(`{"deviceId":"phone"}`)); err != nil || a.Status != http.StatusTooManyRequests {
		t.Errorf("bob over REST: %d %v", a.Status, err)
	}
	alice.expect("alice sets", alice.try("setTransactionPin", phone, "8302"), "true")
	alice.expect("alice verifies", alice.try("verifyTransactionPin", phone, "8302"), "true")
}

// TestCallerExamplesPrintTheDocumentedOutput runs the examples unchanged. The document
// shows the exact text of each, and its output.
func TestCallerExamplesPrintTheDocumentedOutput(t *testing.T) {
	t.Parallel()
	need(t, "sh", "curl", "openssl", "sed")
	doc := blocks(t, "docs/callers.md")
	for _, name := range []string{"jwt.sh", "gateway.sh"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join("../../examples", name)
			script, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, body, _ := strings.Cut(string(script), "\n(\n")
			n := slices.IndexFunc(doc, func(b block) bool { return b.text == "(\n"+body })
			if n < 0 || n+1 == len(doc) || doc[n+1].lang != "text" {
				t.Fatalf("docs/callers.md does not show examples/%s unchanged, followed by its output", name)
			}
			cmd := exec.Command(path, binary(t), freeAddress(t), freeAddress(t))
			cmd.Env = append(cleanEnv(), "STRONGROOM_KEY_POOL=0", "STRONGROOM_RSA_BITS=2048")
			var log strings.Builder
			cmd.Stderr = &log
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("%v\n%s%s", err, log.String(), out)
			}
			compare(t, string(out), doc[n+1].text)
		})
	}
}

// freeAddress returns an address that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	port, err := pgtest.FreePort()
	if err != nil {
		t.Fatal(err)
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
}
