package auth

import (
	"crypto"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"log/slog"
	"maps"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"strongroom/internal/domain"
	"strongroom/internal/tokenfile"
)

func threeKeys(t testing.TB) *provider {
	return newProvider(t, jwk("rsa", rsaKey()), jwk("ec", ecKey()), jwk("ed", edKey()))
}

func TestATokenOfTheProviderNamesItsCaller(t *testing.T) {
	p := threeKeys(t)
	w := newWorld(t, JWTConfig{Issuers: []string{p.URL}})
	good := p.claims(w.time())
	for name, tc := range map[string]struct {
		header, claims fields
		key            crypto.Signer
	}{
		"RS256":                  {fields{"alg": "RS256", "kid": "rsa"}, nil, rsaKey()},
		"PS256, JWT":             {fields{"alg": "PS256", "kid": "rsa", "typ": "JWT"}, nil, rsaKey()},
		"ES256, at+jwt":          {fields{"alg": "ES256", "kid": "ec", "typ": "at+jwt"}, nil, ecKey()},
		"EdDSA, in capitals":     {fields{"alg": "EdDSA", "kid": "ed", "typ": "Application/AT+JWT"}, nil, edKey()},
		"without kid, one fits":  {fields{"alg": "EdDSA"}, nil, edKey()},
		"keys named elsewhere":   {fields{"alg": "EdDSA", "jku": "https://eve.example/keys", "x5u": "https://eve.example"}, nil, edKey()},
		"one of its audiences":   {fields{"alg": "EdDSA"}, fields{"aud": []string{"other", audience}}, edKey()},
		"expired within skew":    {fields{"alg": "EdDSA"}, fields{"exp": w.time().Unix() - 59}, edKey()},
		"from a clock ahead":     {fields{"alg": "EdDSA"}, fields{"iat": w.time().Unix() + 60, "nbf": w.time().Unix() + 60}, edKey()},
		"a fraction of a second": {fields{"alg": "EdDSA"}, fields{"exp": float64(w.time().Unix()) + 0.5}, edKey()},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/graphql", nil)
			r.Header.Set("authorization", "bEARER  "+signed(tc.header, good.with(tc.claims), tc.key))
			from := domain.Caller{RequestID: "id", Address: netip.MustParseAddr("192.0.2.1")}
			r = r.WithContext(domain.WithCaller(r.Context(), from))
			for range 2 { // verified, then remembered
				got, err := w.Authenticate(r)
				if err != nil {
					t.Fatalf("%v\n%s", err, w.log)
				}
				want := domain.Caller{Mode: domain.ModeJWT, Issuer: p.URL, Subject: "alice", RequestID: "id", Address: from.Address,
					Permissions: domain.OrdinaryPermissions}
				if diff := cmp.Diff(want, got, cmpopts.EquateComparable(netip.Addr{})); diff != "" {
					t.Errorf("caller (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestABadTokenIsRefused(t *testing.T) {
	p, stranger := threeKeys(t), newProvider(t, jwk("rsa", rsaKey()))
	w := newWorld(t, JWTConfig{Issuers: []string{p.URL}, Algorithms: []string{"RS256", "ES256", "EdDSA"}})
	now := w.time().Unix()
	header, claims := fields{"alg": "RS256", "kid": "rsa"}, p.claims(w.time()).with(fields{"sub": "canary-subject"})
	forged := func(h, c fields) string { return signed(header.with(h), claims.with(c), rsaKey()) }
	good := forged(nil, nil)
	w.mustTake(t, good)
	parts := strings.Split(good, ".")
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: must(x509.MarshalPKIXPublicKey(rsaKey().Public()))})
	hs256 := func(secret []byte) string {
		text := encode(header.with(fields{"alg": "HS256"})) + "." + parts[1]
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(text))
		return text + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	}
	raw := func(header, claims string) string {
		text := base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + base64.RawURLEncoding.EncodeToString([]byte(claims))
		return text + "." + base64.RawURLEncoding.EncodeToString(signature("RS256", text, rsaKey()))
	}
	const head = `{"alg":"RS256","kid":"rsa"}`
	body := func(more string) string {
		return fmt.Sprintf(`{"iss":%q,"sub":"canary-subject","aud":%q,"exp":%d%s}`, p.URL, audience, now+600, more)
	}
	w.mustTake(t, raw(head, body("")))

	for name, token := range map[string]string{
		"expired":                    forged(nil, fields{"exp": now - 60}),
		"no exp":                     forged(nil, fields{"exp": nil}),
		"exp as text":                forged(nil, fields{"exp": fmt.Sprint(now + 600)}),
		"exp out of range":           raw(head, strings.Replace(body(""), fmt.Sprint(now+600), "1e300", 1)),
		"nbf out of range":           raw(head, body(`,"nbf":1e300`)),
		"nbf before all time":        raw(head, body(`,"nbf":-1`)),
		"future nbf":                 forged(nil, fields{"nbf": now + 61}),
		"future iat":                 forged(nil, fields{"iat": now + 61}),
		"future auth_time":           forged(nil, fields{"auth_time": now + 61}),
		"wrong audience":             forged(nil, fields{"aud": "https://other.example"}),
		"no audience":                forged(nil, fields{"aud": nil}),
		"part of the audience":       forged(nil, fields{"aud": audience + " other"}),
		"wrong issuer":               forged(nil, fields{"iss": stranger.URL}),
		"issuer with a slash":        forged(nil, fields{"iss": p.URL + "/"}),
		"no issuer":                  forged(nil, fields{"iss": nil}),
		"no subject":                 forged(nil, fields{"sub": nil}),
		"empty subject":              forged(nil, fields{"sub": ""}),
		"subject with NUL":           forged(nil, fields{"sub": "canary-subject\x00"}),
		"long subject":               forged(nil, fields{"sub": strings.Repeat("s", domain.MaxAccountBytes+1)}),
		"scope as a number":          forged(nil, fields{"scope": 1}),
		"none":                       encode(fields{"alg": "none"}) + "." + parts[1] + ".",
		"none, with a signature":     encode(fields{"alg": "none", "kid": "rsa"}) + "." + parts[1] + "." + parts[2],
		"HS256 with the public key":  hs256(public),
		"HS256 without its line end": hs256(public[:len(public)-1]),
		"signature stripped":         parts[0] + "." + parts[1] + ".",
		"signature left out":         parts[0] + "." + parts[1],
		"signature of another":       parts[0] + "." + encode(claims.with(fields{"sub": "canary-other"})) + "." + parts[2],
		"signature by another key":   signed(header, claims, otherRSA()),
		"algorithm of another key":   signed(header.with(fields{"alg": "ES256"}), claims, ecKey()),
		"key of another algorithm":   signed(header.with(fields{"kid": "ec"}), claims, rsaKey()),
		"algorithm not configured":   forged(fields{"alg": "PS256"}, nil),
		"no kid, two fit":            signed(header.with(fields{"kid": nil, "alg": "RS256"}), claims, rsaKey()),
		"unknown kid":                forged(fields{"kid": "canary-kid"}, nil),
		"long kid":                   forged(fields{"kid": strings.Repeat("k", maxKeyIDBytes+1)}, nil),
		"kid as a number":            forged(fields{"kid": 1}, nil),
		"ID token":                   forged(nil, fields{"at_hash": "x"}),
		"bound to a key, DPoP":       forged(nil, fields{"cnf": fields{"jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"}}),
		"bound to a certificate":     forged(nil, fields{"cnf": fields{"x5t#S256": "bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2"}}),
		"bound to a key in it":       forged(nil, fields{"cnf": fields{"jwk": jwk("rsa", rsaKey())}}),
		"bound in some new way":      forged(nil, fields{"cnf": fields{"new": "canary"}}),
		"bound to nothing":           forged(nil, fields{"cnf": fields{}}),
		"bound by a text":            forged(nil, fields{"cnf": "canary"}),
		"bound to null":              raw(head, body(`,"cnf":null`)),
		"ID token of a log-out":      forged(fields{"typ": "logout+jwt"}, nil),
		"typ as a number":            forged(fields{"typ": 1}, nil),
		"typ by a dotted I":          forged(fields{"typ": "appl\u0130cation/at+jwt"}, nil),
		"crit":                       forged(fields{"crit": []string{"exp"}}, nil),
		"crit that is understood":    forged(fields{"crit": []string{}}, nil),
		"payload encoding":           forged(fields{"b64": true}, nil),
		"its own key":                signed(header.with(fields{"jwk": jwk("rsa", otherRSA())}), claims, otherRSA()),
		"the right key in it":        forged(fields{"jwk": jwk("rsa", rsaKey())}, nil),
		"its own certificates":       forged(fields{"x5c": []string{}}, nil),
		"jku of a stranger":          signed(header.with(fields{"jku": stranger.URL + "/keys", "kid": "eve"}), claims, otherRSA()),
		"oversize":                   forged(nil, fields{"more": strings.Repeat("x", tokenfile.MaxTokenBytes)}),
		"duplicate claim":            raw(head, body(`,"sub":"canary-other"`)),
		"duplicate header":           raw(`{"alg":"RS256","alg":"RS256","kid":"rsa"}`, body("")),
		"claims in an array":         raw(head, "["+body("")+"]"),
		"behind the claims":          raw(head, body("")+"{}"),
		"four parts":                 good + "." + parts[2],
		"five parts, a JWE":          strings.Repeat("AAAA.", 4) + "AAAA",
		"sloppy base64":              good + "=",
		"JSON serialisation":         fmt.Sprintf(`{"payload":%q,"protected":%q,"signature":%q}`, parts[1], parts[0], parts[2]),
		"two in one header":          good + ", Bearer " + good,
		"empty":                      "",
	} {
		t.Run(name, func(t *testing.T) {
			if name == "no kid, two fit" { // so that they do
				set := w.issuers[p.URL]
				known := set.keys.Load()
				defer set.keys.Store(known)
				two, _, err := parseKeySet([]byte(keySetOf(jwk("a", rsaKey()), jwk("b", otherRSA()))))
				if err != nil {
					t.Fatal(err)
				}
				set.keys.Store(two)
				p.publish(jwk("a", rsaKey()), jwk("b", otherRSA())) // which a refresh brings too
				defer p.publish(jwk("rsa", rsaKey()), jwk("ec", ecKey()), jwk("ed", edKey()))
			}
			before := w.Refusals()
			refusal := w.mustRefuse(t, token)
			if maps.Equal(before, w.Refusals()) {
				t.Error("its reason is not counted")
			}
			if bound := refusal.Reason == domain.ReasonTokenBound; bound != strings.HasPrefix(name, "bound") {
				t.Errorf("reason %s", refusal.Reason)
			}
			if says := refusal.Message == expired.refusal().Message; says != (name == "expired") {
				t.Errorf("message %q", refusal.Message)
			}
		})
	}
	for name, header := range map[string][]string{
		"no header":         nil,
		"two headers":       {"Bearer " + good, "Bearer " + good},
		"another scheme":    {"Basic " + good},
		"the scheme DPoP":   {"dpop " + good},
		"no scheme":         {good},
		"nothing behind it": {"Bearer"},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/graphql?access_token="+good, strings.NewReader("access_token="+good))
			r.Header["Authorization"] = header
			_, err := w.Authenticate(r)
			refusal := mustRefuse(t, err)
			if dpop := refusal.Reason == domain.ReasonDPoPUnsupported; dpop != (name == "the scheme DPoP") {
				t.Errorf("reason %s", refusal.Reason)
			}
		})
	}
	for _, why := range reasonsOfToken {
		if w.Refusals()[string(why)] == 0 {
			t.Errorf("no bad token was refused for %q", why)
		}
	}
	if log := w.log.String(); strings.Contains(log, "canary") || strings.Contains(log, parts[1]) {
		t.Errorf("the log has something of a token:\n%s", log)
	}
	if n := stranger.fetches.Load(); n != 0 {
		t.Errorf("a token made us fetch keys of a stranger %d times", n)
	}
}

func TestScopesGrantPermissions(t *testing.T) {
	const both = domain.MayIssueKeys | domain.MayVerifyCredential
	p := threeKeys(t)
	free := newWorld(t, JWTConfig{Issuers: []string{p.URL}})
	strict := newWorld(t, JWTConfig{Issuers: []string{p.URL}, RequireScopes: true})
	for name, tc := range map[string]struct {
		claims       fields
		free, strict domain.Permission
	}{
		"none":          {nil, domain.OrdinaryPermissions, 0},
		"scope":         {fields{"scope": "openid key:issue credential:verify"}, domain.OrdinaryPermissions, both},
		"scope, a list": {fields{"scope": []string{"key:issue", "credential:verify"}}, domain.OrdinaryPermissions, both},
		"scp, a list":   {fields{"scp": []string{"key:issue", "credential:verify"}}, domain.OrdinaryPermissions, both},
		"scp":           {fields{"scp": "key:issue credential:verify"}, domain.OrdinaryPermissions, both},
		"scope and scp": {fields{"scope": "key:issue", "scp": []string{"credential:verify"}}, domain.OrdinaryPermissions, both},
		"reset":         {fields{"scope": "credential:reset"}, domain.OrdinaryPermissions | domain.MayResetCredential, domain.MayResetCredential},
		"redeem":        {fields{"scope": "receipt:redeem"}, domain.OrdinaryPermissions | domain.MayRedeemReceipts, domain.MayRedeemReceipts},
		"star":          {fields{"scope": "*"}, domain.OrdinaryPermissions, 0},
		"in capitals":   {fields{"scope": "Key:Issue"}, domain.OrdinaryPermissions, 0},
	} {
		t.Run(name, func(t *testing.T) {
			signedIn := free.time().Add(-time.Minute).UTC()
			token := signed(fields{"alg": "EdDSA"}, p.claims(free.time()).with(tc.claims).with(fields{"auth_time": signedIn.Unix()}), edKey())
			a, b := free.mustTake(t, token), strict.mustTake(t, token)
			if a.Permissions != tc.free || b.Permissions != tc.strict {
				t.Errorf("permissions %b without require-scopes, want %b; %b with it, want %b", a.Permissions, tc.free, b.Permissions, tc.strict)
			}
			if !a.AuthenticatedAt.Equal(signedIn) {
				t.Errorf("authenticated at %v, want %v", a.AuthenticatedAt, signedIn)
			}
		})
	}
}

func TestARememberedTokenExpiresWhileTheMachineIsSuspended(t *testing.T) {
	p := threeKeys(t)
	w := newWorld(t, JWTConfig{Issuers: []string{p.URL}})
	now := time.Now() // with a monotonic reading
	w.clock.Store(&now)
	token := signed(fields{"alg": "EdDSA"}, p.claims(now), edKey())
	w.mustTake(t, token)
	later := suspended(now, time.Hour)
	w.clock.Store(&later)
	if refusal := w.mustRefuse(t, token); refusal.Reason != domain.ReasonTokenExpired {
		t.Errorf("%+v", refusal)
	}
}

func TestARememberedTokenExpiresOnTime(t *testing.T) {
	p := threeKeys(t)
	w := newWorld(t, JWTConfig{Issuers: []string{p.URL}})
	token := signed(fields{"alg": "EdDSA"}, p.claims(w.time()).with(fields{"exp": w.time().Unix() + 90}), edKey())
	remembered := func() time.Duration {
		w.mustTake(t, token)
		v, _ := w.cache.Peek(sha256.Sum256([]byte(token)))
		return v.until.Sub(w.time())
	}
	if d := remembered(); d != tokenCacheTTL {
		t.Errorf("remembered for %v", d)
	}
	w.pass(60 * time.Second)
	if d := remembered(); d != 30*time.Second {
		t.Errorf("remembered for %v beyond its exp", d-30*time.Second)
	}
	w.pass(89 * time.Second) // within the tolerance, and not remembered
	if d := remembered(); d > 0 {
		t.Errorf("an expired token is remembered for %v", d)
	}
	w.pass(time.Second)
	if got := w.mustRefuse(t, token); got.Message != expired.refusal().Message {
		t.Errorf("message %q", got.Message)
	}
}

func TestEachIssuerHasItsOwnKeysAndSubjects(t *testing.T) {
	a, b := newProvider(t, jwk("k", rsaKey())), newProvider(t, jwk("k", edKey()))
	w := newWorld(t, JWTConfig{Issuers: []string{a.URL, b.URL}, KeySets: []string{"", b.URL + "/keys"}})
	first := w.mustTake(t, signed(fields{"alg": "RS256", "kid": "k"}, a.claims(w.time()), rsaKey()))
	second := w.mustTake(t, signed(fields{"alg": "EdDSA", "kid": "k"}, b.claims(w.time()), edKey()))
	if first.Subject != second.Subject || first.Issuer == second.Issuer {
		t.Errorf("callers %+v and %+v", first, second)
	}
	w.mustRefuse(t, signed(fields{"alg": "EdDSA", "kid": "k"}, a.claims(w.time()), edKey()))
}

func TestAMisconfiguredStartIsRefused(t *testing.T) {
	for name, cfg := range map[string]JWTConfig{
		"symmetric":       {Issuers: []string{"https://a.example"}, Audiences: []string{"x"}, Algorithms: []string{"HS256"}},
		"none":            {Issuers: []string{"https://a.example"}, Audiences: []string{"x"}, Algorithms: []string{"none"}},
		"no algorithm":    {Issuers: []string{"https://a.example"}, Audiences: []string{"x"}},
		"no audience":     {Issuers: []string{"https://a.example"}, Algorithms: []string{"RS256"}},
		"no issuer":       {Audiences: []string{"x"}, Algorithms: []string{"RS256"}},
		"issuer twice":    {Issuers: []string{"https://a.example", "https://a.example"}, Audiences: []string{"x"}, Algorithms: []string{"RS256"}},
		"plain discovery": {Issuers: []string{"http://a.example"}, Audiences: []string{"x"}, Algorithms: []string{"RS256"}},
		"plain key set":   {Issuers: []string{"a"}, KeySets: []string{"http://a.example/keys"}, Audiences: []string{"x"}, Algorithms: []string{"RS256"}},
		"missing file":    {Issuers: []string{"a"}, KeySets: []string{"/nowhere/keys.json"}, Audiences: []string{"x"}, Algorithms: []string{"RS256"}},
		"too few sets":    {Issuers: []string{"a", "b"}, KeySets: []string{"/nowhere/keys.json"}, Audiences: []string{"x"}, Algorithms: []string{"RS256"}},
	} {
		t.Run(name, func(t *testing.T) {
			cfg.Logger = slog.New(slog.DiscardHandler)
			if j, err := NewJWT(cfg); err == nil {
				j.Close()
				t.Error("it was accepted")
			}
		})
	}
}

// A token without a valid signature is never accepted, and each refusal has a message.
func FuzzBearerToken(f *testing.F) {
	p := newProvider(f, jwk("rsa", rsaKey()), jwk("ed", edKey()))
	w := newWorld(f, JWTConfig{Issuers: []string{p.URL}})
	taken := map[string]bool{}
	for _, token := range []string{
		signed(fields{"alg": "RS256", "kid": "rsa"}, p.claims(w.time()), rsaKey()),
		signed(fields{"alg": "EdDSA"}, p.claims(w.time()).with(fields{"scope": []string{"key:issue"}}), edKey()),
	} {
		taken[token] = true
		f.Add("Bearer " + token)
		f.Add("Bearer " + token[:len(token)-4])
	}
	f.Add("Bearer " + encode(fields{"alg": "none"}) + "." + encode(p.claims(w.time())) + ".")
	f.Fuzz(func(t *testing.T, header string) {
		r := httptest.NewRequest("POST", "/graphql", nil)
		r.Header.Set("Authorization", header)
		c, err := w.Authenticate(r)
		if err != nil {
			mustRefuse(t, err)
			return
		}
		_, token, _ := strings.Cut(header, " ")
		if !taken[strings.Trim(token, " ")] || c.Subject != "alice" {
			t.Errorf("%q was accepted as %q", header, c.Subject)
		}
	})
}

func BenchmarkToken(b *testing.B) {
	p := threeKeys(b)
	w := newWorld(b, JWTConfig{Issuers: []string{p.URL}})
	for _, k := range []struct {
		algorithm, id string
		key           crypto.Signer
	}{{"RS256", "rsa", rsaKey()}, {"ES256", "ec", ecKey()}, {"EdDSA", "ed", edKey()}} {
		r := httptest.NewRequest("POST", "/graphql", nil)
		r.Header.Set("Authorization", "Bearer "+signed(fields{"alg": k.algorithm, "kid": k.id}, p.claims(w.time()), k.key))
		for _, cached := range []bool{true, false} {
			b.Run(fmt.Sprintf("%s/cached=%v", k.algorithm, cached), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if !cached {
						w.cache.Purge()
					}
					if _, err := w.Authenticate(r); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
