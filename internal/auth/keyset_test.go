package auth

import (
	"crypto"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"strongroom/internal/domain"
	"strongroom/internal/outbound"
)

func TestARotatedKeyWorksImmediatelyAndTheOldOneStops(t *testing.T) {
	p := newProvider(t, jwk("old", rsaKey()))
	w := newWorld(t, JWTConfig{Issuers: []string{p.URL}})
	before := signed(fields{"alg": "RS256", "kid": "old"}, p.claims(w.time()), rsaKey())
	after := signed(fields{"alg": "EdDSA", "kid": "new"}, p.claims(w.time()), edKey())
	w.mustTake(t, before) // remembered from now on
	w.mustRefuse(t, signed(fields{"alg": "EdDSA", "kid": "old"}, p.claims(w.time()), edKey()))
	if n := p.fetches.Load(); n != 1 {
		t.Fatalf("%d fetches before the rotation", n)
	}

	p.publish(jwk("old", rsaKey()), jwk("new", edKey()))
	w.mustTake(t, after)
	w.mustTake(t, before)
	if n := p.fetches.Load(); n != 2 {
		t.Errorf("%d fetches, want one more for the new key", n)
	}

	p.publish(jwk("new", edKey()))
	if pause := w.refreshed(); pause < 9*time.Minute || pause > 11*time.Minute {
		t.Errorf("the background pauses for %v", pause)
	}
	w.mustTake(t, after)
	w.mustRefuse(t, before)

	p.publish(jwk("new", rsaKey())) // the same name for another key
	w.refreshed()
	w.mustRefuse(t, after)
}

// A token without a key id does not name the new key.
func TestARotatedKeyWithoutAnIDWorksImmediately(t *testing.T) {
	_, another, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	p := newProvider(t, jwk("", edKey()))
	w := newWorld(t, JWTConfig{Issuers: []string{p.URL}})
	claims := p.claims(w.time())
	before, after := signed(fields{"alg": "EdDSA"}, claims, edKey()), signed(fields{"alg": "EdDSA"}, claims, another)
	ofAnotherType := signed(fields{"alg": "RS256"}, claims, rsaKey())
	fetched := func(want int64) {
		t.Helper()
		if n := p.fetches.Load(); n != want {
			t.Errorf("%d fetches, want %d", n, want)
		}
	}
	w.mustTake(t, before)
	fetched(1)
	p.publish(jwk("", another))
	w.mustTake(t, after)
	w.mustRefuse(t, before)
	fetched(2)

	// Forged tokens cause no more fetches than unknown key ids do.
	for i := range 100 {
		w.mustRefuse(t, signed(fields{"alg": "EdDSA"}, p.claims(w.time()).with(fields{"sub": fmt.Sprint("forged-", i)}), edKey()))
		w.mustRefuse(t, signed(fields{"alg": "EdDSA", "kid": fmt.Sprint("forged-", i)}, claims, edKey()))
	}
	w.pass(webUnknownKeyInterval - 1)
	p.publish(jwk("", rsaKey()))
	w.mustRefuse(t, ofAnotherType)
	fetched(2)
	w.pass(1)
	w.mustTake(t, ofAnotherType)
	fetched(3)
	w.mustRefuse(t, after)
	fetched(3)
}

func TestTheLastGoodKeysOutliveAnOutage(t *testing.T) {
	p := newProvider(t)
	p.publish() // down
	w := newWorld(t, JWTConfig{Issuers: []string{p.URL}})
	token := signed(fields{"alg": "EdDSA", "kid": "ed"}, p.claims(w.time()), edKey())
	var refusal *domain.Error
	if _, err := w.ask(token); err == nil || errors.As(err, &refusal) {
		t.Fatalf("without any keys: %v, want an error that is no refusal", err)
	}
	if n := p.fetches.Load(); n != 1 {
		t.Errorf("requests made %d fetches where there are no keys", n-1)
	}

	for want := 2 * time.Second; want < 8*time.Second; want *= 2 {
		if pause := w.refreshed(); pause < want*9/10 || pause > want*11/10 {
			t.Errorf("the background pauses for %v, want about %v", pause, want)
		}
	}
	p.publish(jwk("ed", edKey()))
	w.refreshed()
	w.mustTake(t, token)

	p.publish()
	for range 10 {
		if pause := w.refreshed(); pause > maxRetryDelay*11/10 {
			t.Errorf("the background pauses for %v in an outage", pause)
		}
	}
	w.cache.Purge()
	w.mustTake(t, token)
	if n := strings.Count(w.log.String(), "cannot be refreshed"); n != 2 {
		t.Errorf("two outages are logged %d times", n)
	}

	for i, keys := range []string{`{"keys":[]}`, `{"keys":[{},{"kty":"oct","k":"AAAA"}]}`} { // up, without a usable key
		p.mu.Lock()
		p.keys = keys
		p.mu.Unlock()
		w.pass(time.Hour)
		age := w.KeySets()[0].Age
		w.refreshed()
		w.cache.Purge()
		w.mustTake(t, signed(fields{"alg": "EdDSA", "kid": "ed"}, p.claims(w.time()), edKey()))
		if state := w.KeySets()[0]; state.Keys != 1 || state.Age != age {
			t.Errorf("after %s: %+v", keys, state)
		}
		want := []string{"it has no usable key\"", "it has no usable key; key 1: malformed\""}[i]
		if n := strings.Count(w.log.String(), "level=WARN"); n != 3+i || !strings.Contains(w.log.String(), want) {
			t.Errorf("%d warnings, want %s:\n%s", n, want, w.log)
		}
	}
	p.publish(jwk("new", rsaKey()))
	w.refreshed()
	w.mustRefuse(t, token)
}

func TestAFloodOfUnknownKeysCostsOneFetchIn30Seconds(t *testing.T) {
	tokens, clients := 10_000, 50
	if testing.Short() { // the race detector needs fewer
		tokens = 1_000
	}
	p := newProvider(t, jwk("ed", edKey()))
	w := newWorld(t, JWTConfig{Issuers: []string{p.URL}})
	good := signed(fields{"alg": "EdDSA", "kid": "ed"}, p.claims(w.time()), edKey())
	claims := p.claims(w.time())
	goroutines := runtime.NumGoroutine()
	flood := func(wave int) {
		var all sync.WaitGroup
		for c := range clients {
			all.Go(func() {
				for i := range tokens / clients {
					_, err := w.ask(encode(fields{"alg": "EdDSA", "kid": fmt.Sprintf("%d-%d-%d", wave, c, i)}) + "." + encode(claims) + ".AAAA")
					var refusal *domain.Error
					if !errors.As(err, &refusal) || refusal.Code != domain.CodeUnauthenticated {
						t.Errorf("got %v", err)
						return
					}
				}
			})
		}
		all.Wait()
	}
	flood(1)
	flood(2)
	w.pass(30*time.Second - 1)
	flood(3)
	if n := p.fetches.Load() - 1; n != 1 {
		t.Errorf("three floods in 30 s made %d fetches", n)
	}
	w.pass(1)
	flood(4)
	if n := p.fetches.Load() - 1; n != 2 {
		t.Errorf("after 30 s there were %d fetches, want one more", n)
	}
	w.mustTake(t, good)
	if n := w.issuers[p.URL].unknown.Len(); n > maxUnknownKeys {
		t.Errorf("%d unknown keys are remembered", n)
	}
	if n := runtime.NumGoroutine() - goroutines; n > 10 {
		t.Errorf("%d goroutines are left", n)
	}
	if n := strings.Count(w.log.String(), "level=WARN"); n != 0 {
		t.Errorf("a flood wrote %d warnings", n)
	}
}

func TestRequestsThatWaitForANewKeyShareOneFetch(t *testing.T) {
	p := newProvider(t, jwk("old", rsaKey()))
	w := newWorld(t, JWTConfig{Issuers: []string{p.URL}})
	hold := make(chan struct{})
	p.mu.Lock()
	p.keys, p.hold = keySetOf(jwk("new", edKey())), hold
	p.mu.Unlock()

	set := w.issuers[p.URL]
	known := set.keys.Load()
	first := set.refreshFor("new", known)
	if first == nil || set.refreshFor("other", known) != first || set.refresh() != first {
		t.Fatal("they do not share one refresh")
	}
	token := signed(fields{"alg": "EdDSA", "kid": "new"}, p.claims(w.time()), edKey())
	var waiting sync.WaitGroup
	const callers = 500 // right after a change of the provider's key
	for range callers {
		waiting.Go(func() {
			if _, err := w.ask(token); err != nil {
				t.Error(err)
			}
		})
	}
	awaitNumber(t, &set.waiting, callers)
	close(hold)
	waiting.Wait()
	if n := p.fetches.Load(); n != 2 {
		t.Errorf("%d fetches, want 2", n)
	}
}

// awaitNumber waits until n is want.
func awaitNumber(t *testing.T, n *atomic.Int32, want int32) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); n.Load() != want; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d requests wait, want %d", n.Load(), want)
		}
	}
}

// Strangers can send any token. If the provider hangs, their requests must not hold all
// connections of the operator side.
func TestFewOperatorsWaitForAProviderThatHangs(t *testing.T) {
	p := newProvider(t, jwk("ed", edKey()))
	hold := make(chan struct{})
	p.hold = hold
	right := strings.Repeat("r", adminTokenChars)
	e := newEntrance(t, right, &OIDCConfig{Issuer: p.URL, Audience: audience, Algorithms: []string{"EdDSA"}, NameClaim: "sub", RoleClaim: "roles", Operators: []string{"sre"}})
	set := e.issuers[p.URL]
	set.refresh() // the background has begun it, or will join it
	token := signed(fields{"alg": "EdDSA", "kid": "ed"}, p.claims(e.at).with(fields{"roles": "sre"}), edKey())
	var waiting sync.WaitGroup
	for range maxWaitingOperators {
		waiting.Go(func() {
			if _, err := e.ask("192.0.2.1", token); err != nil {
				t.Errorf("one of those that wait: %v", err)
			}
		})
	}
	awaitNumber(t, &set.waiting, maxWaitingOperators)
	_, err := e.ask("192.0.2.1", token)
	if !errors.Is(err, errNoKeys) {
		t.Errorf("one more: %v", err)
	}
	e.is(right, domain.RoleOperator, "")
	close(hold)
	waiting.Wait()
	e.is(token, domain.RoleOperator, "")
}

// Anyone can send a token with a made-up key id while the provider changes its key, even
// with the key id of the next key.
func TestAForgedTokenDelaysANewKeyBy30Seconds(t *testing.T) {
	p := newProvider(t, jwk("old", rsaKey()))
	w := newWorld(t, JWTConfig{Issuers: []string{p.URL}})
	token := signed(fields{"alg": "EdDSA", "kid": "next"}, p.claims(w.time()), edKey())
	w.mustRefuse(t, token)
	p.publish(jwk("next", edKey()))
	w.pass(webUnknownKeyInterval - 1)
	w.mustRefuse(t, token)
	w.pass(1)
	w.mustTake(t, token)
}

func TestAnUnknownKeyIsRememberedFor30Seconds(t *testing.T) {
	p := newProvider(t, jwk("ed", edKey()))
	w := newWorld(t, JWTConfig{Issuers: []string{p.URL}})
	token := signed(fields{"alg": "EdDSA", "kid": "gone"}, p.claims(w.time()), edKey())
	for i, tc := range []struct {
		after   time.Duration
		fetches int64
	}{{0, 2}, {0, 2}, {webUnknownKeyInterval - 1, 2}, {1, 3}} {
		w.pass(tc.after)
		w.mustRefuse(t, token)
		if n := p.fetches.Load(); n != tc.fetches {
			t.Errorf("step %d: %d fetches, want %d", i, n, tc.fetches)
		}
	}
	w.refreshed() // forgets what was unknown
	w.pass(webUnknownKeyInterval)
	p.publish(jwk("gone", edKey()))
	w.mustTake(t, token)

	w.pass(webUnknownKeyInterval)
	before := p.fetches.Load()
	w.mustRefuse(t, signed(fields{"alg": "EdDSA", "kid": strings.Repeat("k", maxKeyIDBytes+1)}, p.claims(w.time()), edKey()))
	if p.fetches.Load() != before {
		t.Error("a key id that is too long was asked for")
	}
}

func TestCloseEndsAFetchThatHangs(t *testing.T) {
	p := newProvider(t, jwk("ed", edKey()))
	w := newWorld(t, JWTConfig{Issuers: []string{p.URL}})
	p.mu.Lock()
	p.hold = make(chan struct{})
	p.mu.Unlock()
	r := w.issuers[p.URL].refresh()
	w.Close()
	<-r.done
	if r := w.issuers[p.URL].refresh(); r.err == nil {
		t.Error("a refresh began after the end")
	}
}

func TestAKeySetFileIsReadAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(keySetOf(jwk("a", edKey())))
	w := newWorld(t, JWTConfig{Issuers: []string{"bank"}, KeySets: []string{path}})
	claims := (&provider{Server: &httptest.Server{URL: "bank"}}).claims(w.time())
	a, b := signed(fields{"alg": "EdDSA", "kid": "a"}, claims, edKey()), signed(fields{"alg": "RS256", "kid": "b"}, claims, rsaKey())
	w.mustTake(t, a)

	write("{")
	w.refreshed()
	w.mustTake(t, a)
	write(keySetOf(jwk("b", rsaKey())))
	if pause := w.refreshed(); pause > fileRefreshInterval*11/10 {
		t.Errorf("the background pauses for %v", pause)
	}
	w.mustRefuse(t, a)
	w.mustTake(t, b)

	// An unknown key is looked for at once, but not at each request.
	write(keySetOf(jwk("c", edKey())))
	w.pass(fileRefreshInterval)
	w.mustTake(t, signed(fields{"alg": "EdDSA", "kid": "c"}, claims, edKey()))
	write(keySetOf(jwk("b", rsaKey())))
	w.mustRefuse(t, b)
	w.pass(fileRefreshInterval)
	w.mustTake(t, b)
}

func TestOnlySuitableKeysOfASetAreUsed(t *testing.T) {
	rsaOf := func(bits uint, exponent int) json.RawMessage { // of any odd modulus: no key is used here
		n := new(big.Int).SetBit(big.NewInt(1), int(bits-1), 1)
		return json.RawMessage(fmt.Sprintf(`{"kty":"RSA","kid":"k","n":%q,"e":%q}`, base64.RawURLEncoding.EncodeToString(n.Bytes()),
			base64.RawURLEncoding.EncodeToString(big.NewInt(int64(exponent)).Bytes())))
	}
	raw := func(v any) json.RawMessage { return must(json.Marshal(v)) }
	with := func(name string, value any) json.RawMessage {
		var key map[string]any
		must(0, json.Unmarshal(raw(jwk("k", edKey())), &key))
		key[name] = value
		return raw(key)
	}
	for name, tc := range map[string]struct {
		key    json.RawMessage
		used   bool
		reason string // that the operator is told
	}{
		"good":                  {raw(jwk("k", edKey())), true, ""},
		"for verifying":         {with("key_ops", []string{"verify"}), true, ""},
		"RSA of 2047 bits":      {rsaOf(2047, 65537), false, "RSA key of 2047 bits: only 2048 to 4096 are supported"},
		"RSA of 2048 bits":      {rsaOf(2048, 65537), true, ""},
		"RSA of 4096 bits":      {rsaOf(4096, 65537), true, ""},
		"RSA of 4097 bits":      {rsaOf(4097, 65537), false, "RSA key of 4097 bits: only 2048 to 4096 are supported"},
		"RSA of 8192 bits":      {rsaOf(8192, 65537), false, "RSA key of 8192 bits: only 2048 to 4096 are supported"},
		"RSA for encryption":    {json.RawMessage(strings.Replace(string(rsaOf(8192, 65537)), "{", `{"use":"enc",`, 1)), false, ""},
		"exponent 1":            {rsaOf(2048, 1), false, "malformed"},
		"exponent 2":            {rsaOf(2048, 2), false, "exponent"},
		"exponent 3":            {rsaOf(2048, 3), true, ""},
		"exponent 65536":        {rsaOf(2048, 65536), false, "exponent"},
		"exponent 65539":        {rsaOf(2048, 65539), false, "exponent"},
		"exponent of 31 bits":   {rsaOf(2048, 1<<31-1), false, "RSA exponent other than an odd number from 3 to 65537"},
		"the size twice":        {json.RawMessage(strings.Replace(string(rsaOf(2048, 3)), "{", `{"n":"AQAB",`, 1)), false, "RSA key of 17 bits"},
		"symmetric":             {raw(jose.JSONWebKey{Key: []byte("0123456789abcdef0123456789abcdef"), KeyID: "k"}), false, "symmetric"},
		"private":               {raw(jose.JSONWebKey{Key: edKey(), KeyID: "k"}), false, "private"},
		"for encryption":        {with("use", "enc"), false, ""},
		"for other operations":  {with("key_ops", []string{"deriveKey"}), false, ""},
		"unknown type":          {with("kty", "XYZ"), false, "type"},
		"unknown curve":         {with("crv", "Ed448"), false, "type"},
		"not a key":             {json.RawMessage(`1`), false, "malformed"},
		"a point off the curve": {json.RawMessage(`{"kty":"EC","crv":"P-256","x":"AQ","y":"AQ"}`), false, "malformed"},
	} {
		t.Run(name, func(t *testing.T) {
			set, unusable, err := parseKeySet([]byte(`{"keys":[` + string(tc.key) + `]}`))
			if err != nil {
				t.Fatal(err)
			}
			if used := len(set.list) == 1; used != tc.used || (len(unusable) == 1) != (tc.reason != "") || !strings.Contains(unusable[0], tc.reason) {
				t.Errorf("used %v, reported %v", used, unusable)
			}
		})
	}
	for name, document := range map[string]string{
		"too many": `{"keys":[` + strings.Repeat("{},", maxKeys) + `{}]}`,
		"no keys":  `{}`, "an array": `[]`, "nothing": ``, "HTML": `<html>`,
	} {
		if _, _, err := parseKeySet([]byte(document)); err == nil {
			t.Errorf("%s: it was accepted", name)
		}
	}
}

// A hostile issuer can give one key id to all keys of its set, so that each of its
// tokens needs many verifications.
func TestATokenIsVerifiedWithFewKeys(t *testing.T) {
	var private []ed25519.PrivateKey
	var set []jose.JSONWebKey
	for range maxKeys / 2 {
		_, key, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		private = append(private, key)
		set = append(set, jwk("k", ecKey()), jwk("k", key))
	}
	p := newProvider(t, set...)
	w := newWorld(t, JWTConfig{Issuers: []string{p.URL}})
	found, err := w.issuers[p.URL].keys.Load().find("k", "EdDSA")
	if err != nil || len(found) != maxTriesPerToken {
		t.Errorf("%d keys are tried: %v", len(found), err)
	}
	for n, key := range private {
		token := signed(fields{"alg": "EdDSA", "kid": "k"}, p.claims(w.time()), key)
		if n < maxTriesPerToken {
			w.mustTake(t, token)
		} else {
			w.mustRefuse(t, token)
		}
	}
}

func TestAKeyFitsOneKindOfAlgorithm(t *testing.T) {
	for name, tc := range map[string]struct {
		key       crypto.PublicKey
		named     string
		algorithm string
		want      bool
	}{
		"RSA":                 {rsaKey().Public(), "", "RS512", true},
		"RSA, PSS":            {rsaKey().Public(), "", "PS256", true},
		"RSA as ECDSA":        {rsaKey().Public(), "", "ES256", false},
		"RSA, named":          {rsaKey().Public(), "PS256", "PS256", true},
		"RSA, another named":  {rsaKey().Public(), "PS256", "RS256", false},
		"EC":                  {ecKey().Public(), "", "ES256", true},
		"EC of another curve": {ecKey().Public(), "", "ES384", false},
		"EC as RSA":           {ecKey().Public(), "", "RS256", false},
		"Ed25519":             {edKey().Public(), "", "EdDSA", true},
		"Ed25519 as ECDSA":    {edKey().Public(), "", "ES256", false},
		"HS256":               {rsaKey().Public(), "HS256", "HS256", false},
		"none":                {edKey().Public(), "", "none", false},
	} {
		if got := (publicKey{key: tc.key, algorithm: tc.named}).supports(tc.algorithm); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if curves["ES256"] != elliptic.P256() || curves["ES384"] != elliptic.P384() || curves["ES512"] != elliptic.P521() {
		t.Error("a curve belongs to another algorithm")
	}
}

func TestDiscoveryTrustsOnlyTheIssuerItself(t *testing.T) {
	elsewhere := newProvider(t, jwk("ed", edKey()))
	for name, document := range map[string]string{
		"another issuer":       `{"issuer":"https://eve.example","jwks_uri":"` + elsewhere.URL + `/keys"}`,
		"issuer with a slash":  `{"issuer":"ISSUER/","jwks_uri":"ISSUER/keys"}`,
		"issuer twice":         `{"issuer":"https://eve.example","issuer":"ISSUER","jwks_uri":"ISSUER/keys"}`,
		"no key set":           `{"issuer":"ISSUER"}`,
		"key set in the clear": `{"issuer":"ISSUER","jwks_uri":"http://keys.example/keys"}`,
		"key set in a file":    `{"issuer":"ISSUER","jwks_uri":"file:///etc/keys"}`,
		"too long":             `{"issuer":"ISSUER","jwks_uri":"ISSUER/keys"}` + strings.Repeat(" ", maxDocumentBytes),
		"not JSON":             `<html>`,
	} {
		t.Run(name, func(t *testing.T) {
			p := newProvider(t, jwk("ed", edKey()))
			p.discovery = func(issuer string) string { return strings.ReplaceAll(document, "ISSUER", issuer) }
			w := newWorld(t, JWTConfig{Issuers: []string{p.URL}})
			if w.issuers[p.URL].keys.Load() != nil || p.fetches.Load()+elsewhere.fetches.Load() != 0 {
				t.Error("keys were fetched")
			}
			if log := w.log.String(); !strings.Contains(log, "discovery") || strings.Contains(log, "eve.example") {
				t.Errorf("log:\n%s", log)
			}
		})
	}
}

// OpenID Connect Discovery 1.0, section 4: the path is appended to the issuer as it is.
func TestDiscoveryKeepsTheEncodingOfTheIssuersPath(t *testing.T) {
	asked := ""
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked = r.RequestURI }))
	defer server.Close()
	for _, path := range []string{"", "/", "/a", "/a/", "/a%2Fb", "/a%2Fb/", "/a%20b", "/a//b", "/a%2F"} {
		issuer := server.URL + path
		_, _ = fetchMetadata(t.Context(), server.Client(), issuer)
		if want := strings.TrimSuffix(path, "/") + wellKnown; asked != want {
			t.Errorf("%q: asked for %s, want %s", path, asked, want)
		}
	}
}

// An issuer elsewhere must not make the service call what listens on its loopback
// addresses, such as the operator side.
func TestDiscoveryOverTLSLeadsToNoServiceOnLoopback(t *testing.T) {
	inside := newProvider(t, jwk("ed", edKey()))
	var document string
	secure := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, document) }))
	defer secure.Close()
	client := newClient()
	client.Transport.(outbound.Transport).TLSClientConfig = secure.Client().Transport.(*http.Transport).TLSClientConfig
	for name, tc := range map[string]struct {
		endpoint, url string
		refused       bool
	}{
		"the key set":       {"jwks_uri", inside.URL + "/keys", true},
		"the sign-in":       {"authorization_endpoint", inside.URL + "/authorize", true},
		"the tokens":        {"token_endpoint", inside.URL + "/token", true},
		"an issuer with it": {"jwks_uri", secure.URL + "/keys", false},
	} {
		metadata := map[string]string{"issuer": secure.URL}
		for _, endpoint := range []string{"jwks_uri", "authorization_endpoint", "token_endpoint"} {
			metadata[endpoint] = secure.URL + "/" + endpoint
		}
		metadata[tc.endpoint] = tc.url
		document = string(must(json.Marshal(metadata)))
		_, err := fetchDiscovered(t.Context(), client, secure.URL)
		if tc.endpoint != "jwks_uri" {
			_, err = readEndpoints(must(fetchMetadata(t.Context(), client, secure.URL)))
		}
		if refused := err != nil && strings.Contains(err.Error(), tc.endpoint+": must begin https://"); refused != tc.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := inside.fetches.Load(); n != 0 {
		t.Errorf("%d requests came to loopback", n)
	}
}

func TestRedirectsLeadToNoOtherOrigin(t *testing.T) {
	target := newProvider(t, jwk("ed", edKey()))
	secure := httptest.NewTLSServer(http.RedirectHandler(target.URL+"/keys", http.StatusFound))
	defer secure.Close()
	loop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Path, http.StatusFound)
	}))
	defer loop.Close()
	out := httptest.NewServer(http.RedirectHandler("http://keys.example/", http.StatusFound))
	defer out.Close()
	open := httptest.NewServer(http.RedirectHandler(target.URL+"/keys", http.StatusFound))
	defer open.Close()
	moved := newProvider(t, jwk("ed", edKey()))
	moved.mux.Handle("GET /moved", http.RedirectHandler("/keys", http.StatusMovedPermanently))
	moved.mux.Handle("GET /away", http.RedirectHandler("/open", http.StatusFound))
	moved.mux.Handle("GET /open", http.RedirectHandler(target.URL+"/keys", http.StatusFound))

	client := newClient()
	client.Transport.(outbound.Transport).TLSClientConfig = secure.Client().Transport.(*http.Transport).TLSClientConfig
	for name, where := range map[string]string{"https to http": secure.URL, "to itself": loop.URL, "out of this machine": out.URL,
		"to another port": open.URL, "away by a second one": moved.URL + "/away"} {
		if _, err := get(t.Context(), client, must(parseURL(where))); err == nil || !strings.Contains(err.Error(), "redirect") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := target.fetches.Load(); n != 0 {
		t.Errorf("%d redirects were followed", n)
	}
	if _, err := get(t.Context(), client, must(parseURL(moved.URL+"/moved"))); err != nil {
		t.Errorf("a redirect within the origin: %v", err)
	}
}

// A key set comes from outside. Whatever is in it, each key that is used fits
// an algorithm and can be asked about a signature.
func FuzzKeySet(f *testing.F) {
	f.Add([]byte(keySetOf(jwk("a", rsaKey()), jwk("b", ecKey()), jwk("c", edKey()))))
	f.Add([]byte(`{"keys":[{"kty":"oct","k":"AAAA"},{"kty":"EC","crv":"P-521","x":"AA","y":"AA"},{"kty":"RSA","n":"AQ","e":"AQAB"}]}`))
	f.Fuzz(func(t *testing.T, document []byte) {
		set, unusable, err := parseKeySet(document)
		if err != nil {
			return
		}
		if len(set.list)+len(unusable) > maxKeys {
			t.Errorf("%d keys", len(set.list)+len(unusable))
		}
		for _, key := range set.list {
			key.algorithm = ""
			var fits []string
			for _, algorithm := range asymmetric {
				if key.supports(algorithm) {
					fits = append(fits, algorithm)
				}
			}
			if len(fits) == 0 {
				t.Fatalf("a %T fits nothing", key.key)
			}
			text := encode(fields{"alg": fits[0]}) + ".e30." + strings.Repeat("A", 342)
			if _, err := (&publicKeys{list: []publicKey{key}}).signerOf(text, &token{algorithm: fits[0]}); err == nil {
				t.Errorf("a %T verified nothing", key.key)
			}
		}
	})
}
