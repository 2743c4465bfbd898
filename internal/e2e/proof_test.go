package e2e

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// provers makes DPoP proofs with npm dpop and jose, in one process of Node.
type provers struct {
	t   testing.TB
	dir string
	in  io.Writer
	out *bufio.Scanner
}

func newProvers(t *testing.T) *provers {
	t.Helper()
	need(t, "node", "npm")
	dir, err := proofLibraries()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("SKIPPED: %v", err)
	}
	node := exec.Command("node", globalCrypto, "prove.mjs")
	node.Dir, node.Stderr = dir, os.Stderr
	in, err := node.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := node.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := node.Wait(); err != nil {
			t.Errorf("node: %v", err)
		}
	})
	return &provers{t, dir, in, bufio.NewScanner(out)}
}

// proofLibraries is the directory of prove.mjs with the libraries that it needs,
// installed once.
var proofLibraries = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(work, "dpop")
	if err := os.CopyFS(dir, os.DirFS("testdata/dpop")); err != nil {
		return "", err
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm could not install dpop and jose: %w\n%s", err, out)
	}
	return dir, nil
})

// ask is what prove.mjs is asked for. Its zero fields get those of POST /graphql.
type ask struct {
	Library string `json:"library"`
	Alg     string `json:"alg"`
	Key     string `json:"key"`
	Method  string `json:"htm"`
	URL     string `json:"htu"`
	Nonce   string `json:"nonce,omitempty"`
	Token   string `json:"token,omitempty"`
}

func (p *provers) proof(a ask) (proof, thumbprint string) {
	p.t.Helper()
	if a.Method == "" {
		a.Method = "POST"
	}
	line, err := json.Marshal(a)
	if err != nil {
		p.t.Fatal(err)
	}
	fmt.Fprintf(p.in, "%s\n", line)
	var made struct{ Proof, JKT string }
	if !p.out.Scan() || json.Unmarshal(p.out.Bytes(), &made) != nil {
		p.t.Fatalf("node made no proof: %s", p.out.Text())
	}
	return made.Proof, made.JKT
}

// proving is the same server, called with a new proof.
func (i *instance) proving(p *provers, a ask) *instance {
	i.t.Helper()
	if a.URL == "" {
		a.URL = i.base + "/graphql"
	}
	proof, _ := p.proof(a)
	return i.as("Dpop", proof)
}

// reasonOf is the reason of the first error, or the code where there is none.
func reasonOf(a answer, err error) string {
	if err != nil || len(a.Errors) == 0 {
		return fmt.Sprintf("no refusal: %v %s", err, a.Body)
	}
	reason, _ := a.Errors[0].Extensions["reason"].(string)
	return reason
}

func TestProofsByNpmLibrariesBindADevice(t *testing.T) {
	t.Parallel()
	p, i := newProvers(t), start(t)
	verify := func(i *instance, k keyPair) string {
		i.t.Helper()
		a, err := i.submit("verifyTransactionPin", k.ID, encrypt(t, k, "8302"))
		if len(a.Errors) > 0 {
			return reasonOf(a, err)
		}
		return word("verifyTransactionPin", a, err)
	}
	stranger := ask{Library: "jose", Alg: "ES256", Key: "stranger"}
	for _, owner := range []ask{{Library: "dpop", Alg: "ES256"}, {Library: "dpop", Alg: "Ed25519"}, {Library: "jose", Alg: "ES256"}, {Library: "jose", Alg: "EdDSA"}} {
		owner.Key = owner.Library + " " + owner.Alg
		t.Run(owner.Key, func(t *testing.T) {
			i := i.in(t)
			k := i.proving(p, owner).mustIssue(generate, owner.Key)
			i.expect("set", i.proving(p, owner).try("setTransactionPin", k, "8302"), "true")
			i.expect("verify", verify(i.proving(p, owner), k), "true")
			i.expect("without a proof", verify(i, k), "DPOP_PROOF_REQUIRED")
			i.expect("by another key", verify(i.proving(p, stranger), k), "DPOP_PROOF_INVALID")
			_, err := i.proving(p, stranger).issue(rotate, owner.Key)
			if err == nil {
				t.Error("a stranger rotated the key")
			}
			k = i.proving(p, owner).mustIssue(rotate, owner.Key)
			i.expect("after a rotation", verify(i.proving(p, owner), k), "true")
			_, jkt := p.proof(owner)
			if out := i.mustCommand(0, "admin", "key", k.ID); !strings.Contains(out, jkt) {
				t.Errorf("the output for operators lacks the thumbprint:\n%s", out)
			}
			i.mustCommand(0, "admin", "unbind", "--key", k.ID, "--reason", "a new phone")
			i.expect("after an operator's act", verify(i.proving(p, stranger), k), "true")
			i.expect("by the first key then", verify(i.proving(p, owner), k), "DPOP_PROOF_INVALID")
		})
	}
	i.auditIntact()
}

// The answers of the built binary to proofs that no library makes, and to good
// ones in the wrong place. Each is one clear refusal that costs no attempt.
func TestHostileProofsAreRefused(t *testing.T) {
	t.Parallel()
	p, i := newProvers(t), start(t)
	owner := ask{Library: "jose", Alg: "ES256", Key: "owner"}
	k := i.proving(p, owner).mustIssue(generate, "phone")
	i.expect("set", i.proving(p, owner).try("setTransactionPin", k, "8302"), "true")
	url := i.base + "/graphql"
	of := func(a ask) string { proof, _ := p.proof(a); return proof }
	good := func() string { a := owner; a.URL = url; return of(a) }
	elsewhere, otherMethod := owner, owner
	elsewhere.URL, otherMethod.URL, otherMethod.Method = "https://eve.example/graphql", url, "GET"
	used := good()
	if a, err := i.as("Dpop", used).submit("verifyTransactionPin", k.ID, encrypt(t, k, "8302")); word("verifyTransactionPin", a, err) != "true" {
		t.Fatalf("a good proof: %s %v", a.Body, err)
	}
	parts := strings.Split(good(), ".")
	mac := hmac.New(sha256.New, []byte(parts[0]))
	hs256 := base64.RawURLEncoding.EncodeToString([]byte(`{"typ":"dpop+jwt","alg":"HS256","jwk":{"kty":"oct","k":"AAAA"}}`)) + "." + parts[1]
	mac.Write([]byte(hs256))
	none := base64.RawURLEncoding.EncodeToString([]byte(`{"typ":"dpop+jwt","alg":"none"}`)) + "." + parts[1] + "."
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	forge := func(header map[jose.HeaderKey]any, payload string) string {
		options := (&jose.SignerOptions{EmbedJWK: true}).WithType("dpop+jwt")
		for name, value := range header {
			options.WithHeader(name, value)
		}
		signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, options)
		if err != nil {
			t.Fatal(err)
		}
		jws, err := signer.Sign([]byte(payload))
		if err != nil {
			t.Fatal(err)
		}
		text, err := jws.CompactSerialize()
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	payload := func(more string) string {
		return fmt.Sprintf(`{"jti":%q,"htm":"POST","htu":%q,"iat":%d%s}`, rand.Text(), url, time.Now().Unix(), more)
	}
	for name, proofs := range map[string][]string{
		"replayed":           {used},
		"for another URL":    {of(elsewhere)},
		"for another method": {of(otherMethod)},
		"two headers":        {good(), good()},
		"two in one header":  {good() + ", " + good()},
		"alg none":           {none},
		"HMAC":               {hs256 + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))},
		"crit":               {forge(map[jose.HeaderKey]any{"crit": []string{"exp"}}, payload(""))},
		"a claim twice":      {forge(nil, payload(`,"htu":"https://eve.example/graphql"`))},
		"60 KiB":             {forge(nil, payload(`,"x":"`+strings.Repeat("x", 45<<10)+`"`))},
		"stale":              {forge(nil, fmt.Sprintf(`{"jti":"1","htm":"POST","htu":%q,"iat":%d}`, url, time.Now().Unix()-121))},
		"garbage":            {"\xff\x80garbage"},
		"empty":              {""},
	} {
		reason := "DPOP_PROOF_INVALID"
		if name == "stale" {
			reason = "DPOP_PROOF_TIME"
		}
		for range 6 { // more often than there are attempts
			a, err := i.as("Dpop", proofs...).submit("verifyTransactionPin", k.ID, encrypt(t, k, "0000"))
			if err != nil || a.Status != http.StatusUnauthorized || a.code() != "UNAUTHENTICATED" || reasonOf(a, err) != reason ||
				!strings.HasPrefix(a.Header.Get("WWW-Authenticate"), `DPoP error="invalid_dpop_proof"`) {
				t.Errorf("%s: %v, %d %v %s", name, err, a.Status, a.Header["Www-Authenticate"], a.Body)
			}
			if strings.Contains(string(a.Body), parts[1]) || len(a.Body) > 1000 {
				t.Errorf("%s: the answer repeats the proof: %s", name, a.Body)
			}
		}
	}
	verify := i.as("Dpop", good())
	i.expect("the owner after all that", verify.try("verifyTransactionPin", k, "8302"), "true")
	i.auditIntact()
}

func TestAProofNeedsTheNonceOfTheServer(t *testing.T) {
	t.Parallel()
	p, i := newProvers(t), start(t, "--device-proof", "required", "--device-proof-nonce")
	if _, err := i.issue(generate, "phone"); err == nil || !strings.Contains(err.Error(), "DPOP_PROOF_REQUIRED") {
		t.Errorf("without a proof: %v", err)
	}
	owner := ask{Library: "dpop", Alg: "ES256", Key: "owner"}
	a, err := i.proving(p, owner).post("/graphql", "application/json", []byte(`{"query":"{__typename}"}`))
	owner.Nonce = a.Header.Get("DPoP-Nonce")
	if reasonOf(a, err) != "DPOP_NONCE_REQUIRED" || owner.Nonce == "" || !strings.HasPrefix(a.Header.Get("WWW-Authenticate"), `DPoP error="use_dpop_nonce"`) {
		t.Fatalf("without a nonce: %d %v %s", a.Status, a.Header, a.Body)
	}
	k := i.proving(p, owner).mustIssue(generate, "phone")
	i.expect("set", i.proving(p, owner).try("setTransactionPin", k, "8302"), "true")
	i.kill()
	i.run() // the nonce is of the store, not of the process
	i.expect("after a restart", i.proving(p, owner).try("verifyTransactionPin", k, "8302"), "true")
	owner.Nonce = base64.RawURLEncoding.EncodeToString(make([]byte, 40))
	a, err = i.proving(p, owner).submit("verifyTransactionPin", k.ID, encrypt(t, k, "8302"))
	i.expect("a made-up nonce", reasonOf(a, err), "DPOP_NONCE_REQUIRED")
}

func TestATokenBoundToAKeyNeedsItsProof(t *testing.T) {
	t.Parallel()
	p, provider := newProvers(t), newProvider(t)
	i := start(t, provider.flags("--public-url", "https://vault.bank.example/api")...)
	owner, stranger := ask{Library: "jose", Alg: "ES256", Key: "owner"}, ask{Library: "dpop", Alg: "ES256", Key: "stranger"}
	owner.URL, stranger.URL = "https://vault.bank.example/api/graphql", "https://vault.bank.example/api/graphql"
	_, jkt := p.proof(owner)
	token := provider.token("alice", map[string]any{"cnf": map[string]any{"jkt": jkt}})
	owner.Token, stranger.Token = token, token
	bound := i.as("Authorization", "DPoP "+token)

	k, err := i.withToken(provider.token("alice", nil)).issue(generate, "phone") // before the provider bound tokens
	if err != nil {
		t.Fatal(err)
	}
	if again := bound.proving(p, owner).mustIssue(generate, "phone"); again.ID != k.ID {
		t.Error("a bound token got another key")
	}
	i.expect("set", bound.proving(p, owner).try("setTransactionPin", k, "8302"), "true")
	refuses := func(what string, as *instance, want string) {
		t.Helper()
		a, err := as.submit("verifyTransactionPin", k.ID, encrypt(t, k, "8302"))
		if got := reasonOf(a, err); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	refuses("a stolen token alone", bound, "DPOP_PROOF_REQUIRED")
	refuses("a stolen token with a thief's proof", bound.proving(p, stranger), "DPOP_PROOF_INVALID")
	refuses("as a bearer token", i.withToken(token).proving(p, owner), "TOKEN_SENDER_CONSTRAINED")
	refuses("another token of alice, bound to none", i.withToken(provider.token("alice", nil)), "DPOP_PROOF_REQUIRED")
	another := owner
	another.Token = provider.token("alice", nil)
	refuses("a proof for another token", bound.proving(p, another), "DPOP_PROOF_INVALID")
	atHost := owner
	atHost.URL = i.base + "/graphql"
	refuses("a proof for the URL behind the proxy", bound.proving(p, atHost), "DPOP_PROOF_INVALID")
	i.expect("alice", bound.proving(p, owner).try("verifyTransactionPin", k, "8302"), "true")

	off := start(t, provider.flags("--device-proof", "off")...)
	for _, scheme := range []string{"Bearer ", "DPoP "} {
		a, err := off.as("Authorization", scheme+token).proving(p, owner).post("/graphql", "application/json", []byte(`{"query":"{__typename}"}`))
		if got := reasonOf(a, err); !slices.Contains([]string{"TOKEN_SENDER_CONSTRAINED", "DPOP_UNSUPPORTED"}, got) {
			t.Errorf("proofs off, %s: %s", scheme, got)
		}
	}
}

func TestATokenBoundToACertificateNeedsItsConnection(t *testing.T) {
	t.Parallel()
	c, provider := newCertificates(t), newProvider(t)
	_, host := c.serve(provider.flags("--tls-client-ca", c.ca)...)
	newClient := func(name string) (client *http.Client, hash string) {
		path := filepath.Join(t.TempDir(), name)
		c.make(&x509.Certificate{Subject: pkix.Name{CommonName: name}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}, path+".pem", path+".key")
		pair, err := tls.LoadX509KeyPair(path+".pem", path+".key")
		if err != nil {
			t.Fatal(err)
		}
		client = c.client()
		client.Transport.(*http.Transport).TLSClientConfig.Certificates = []tls.Certificate{pair}
		digest := sha256.Sum256(pair.Certificate[0])
		return client, base64.RawURLEncoding.EncodeToString(digest[:])
	}
	phone, hash := newClient("phone")
	laptop, _ := newClient("laptop")
	bound, plain := provider.token("alice", map[string]any{"cnf": map[string]any{"x5t#S256": hash}}), provider.token("alice", nil)
	ask := func(client *http.Client, token string) string {
		t.Helper()
		r, err := http.NewRequest("POST", "https://"+host+"/graphql", strings.NewReader(`{"query":"mutation{generateClientEncryptionKey(input:{deviceId:\"phone\"}){keyId}}"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
		res, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		var a answer
		if a.Body, err = io.ReadAll(res.Body); err != nil {
			t.Fatal(err)
		}
		_ = json.Unmarshal(a.Body, &a)
		if len(a.Errors) == 0 && res.StatusCode == http.StatusOK {
			return ""
		}
		return reasonOf(a, nil)
	}
	for _, tc := range []struct {
		what   string
		client *http.Client
		token  string
		want   string
	}{
		{"the token with its certificate", phone, bound, ""},
		{"the same connection again", phone, bound, ""},
		{"a stolen token with another certificate", laptop, bound, "TOKEN_SENDER_CONSTRAINED"},
		{"another token of alice from elsewhere", laptop, plain, "DPOP_PROOF_REQUIRED"},
		{"another token of alice, which names no certificate", phone, plain, "DPOP_PROOF_REQUIRED"},
	} {
		if got := ask(tc.client, tc.token); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.what, got, tc.want)
		}
	}
}

func TestRefusedProofsUseUpTheRateOfTheirAddress(t *testing.T) {
	t.Parallel()
	i := start(t, "--rate-limit-address", "5/1d")
	const unknown = "aaaaaaaaaaaaaaaaaaaaaaaaaa"
	send := func(want string) (a answer) {
		a, err := i.submit(verifyPIN, unknown, "AAAA")
		i.expect("a request", word(verifyPIN, a, err), want)
		return a
	}
	i.header = http.Header{"Dpop": {"no proof"}}
	for range 5 {
		send("UNAUTHENTICATED")
	}
	if a := send("TOO_MANY_REQUESTS"); a.Status != http.StatusTooManyRequests || a.Header.Get("Retry-After") == "" {
		t.Errorf("the sixth: %d %v %s", a.Status, a.Header, a.Body)
	}
	i.header = nil
	send("TOO_MANY_REQUESTS")
}
