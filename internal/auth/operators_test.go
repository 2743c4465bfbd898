package auth

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/tokenfile"
)

// These are of internal/tokenfile.
const (
	adminTokenChars = 43
	minServiceToken = 16
	checkInterval   = 2 * time.Second
)

// entrance is the operator side's, with a clock that stands still.
type entrance struct {
	*Operators
	t    *testing.T
	path string
	at   time.Time
	log  syncBuffer
}

func newEntrance(t *testing.T, tokens string, oidc *OIDCConfig) *entrance {
	t.Helper()
	e := &entrance{t: t, path: tokenFileOf(t, tokens), at: time.Now().Truncate(time.Second)}
	var err error
	e.Operators, err = OpenOperators(OperatorsConfig{TokenFile: e.path, OIDC: oidc,
		Now: func() time.Time { return e.at }, Logger: slog.New(slog.NewTextHandler(&e.log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	e.Start()
	t.Cleanup(e.Close)
	return e
}

func (e *entrance) ask(address, token string) (domain.Operator, error) {
	r := httptest.NewRequest("GET", "/metrics", nil)
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return e.Authenticate(r.WithContext(domain.WithCaller(r.Context(), domain.Caller{Address: netip.MustParseAddr(address)})))
}

// is asks with a token and wants the role, or for NoRole the code.
func (e *entrance) is(token string, role domain.Role, code domain.Code) domain.Operator {
	e.t.Helper()
	got, err := e.ask("192.0.2.1", token)
	var refusal *domain.Error
	if errors.As(err, &refusal); got.Role != role || (code == "") != (err == nil) || refusal != nil && refusal.Code != code {
		e.t.Errorf("%.8s…: %+v, %v; want role %d, %s\n%s", token, got, err, role, code, &e.log)
	}
	return got
}

// tokens are those in the file.
func (e *entrance) tokens() []string {
	e.t.Helper()
	text, err := os.ReadFile(e.path)
	if err != nil {
		e.t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func must0(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestAnAdminTokenIsRotatedWithoutARestartAndWithoutAGap(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "admin.token")
	must0(t, tokenfile.MakeAdmin(dir))
	first, err := os.ReadFile(dir)
	must0(t, err)
	must0(t, tokenfile.MakeAdmin(dir)) // a second start
	if again, err := os.ReadFile(dir); err != nil || !bytes.Equal(again, first) || len(first) != adminTokenChars+1 {
		t.Fatalf("a second start changed the file, or %v, or it has %d bytes", err, len(first))
	}
	e := newEntrance(t, string(first), nil)
	old := e.tokens()[0]
	digest := sha256.Sum256([]byte(old))
	if who := e.is(old, domain.RoleOperator, ""); who.Name != "token:"+hex.EncodeToString(digest[:])[:8] {
		t.Errorf("it is called %s", who.Name)
	}

	_ = must(tokenfile.RotateAdmin(e.path, domain.RoleOperator))
	lines := e.tokens()
	if len(lines) != 2 || lines[1] != old || lines[0] == old {
		t.Fatalf("after a rotation the file has %d lines, or not the old token in the second", len(lines))
	}
	e.at = e.at.Add(checkInterval)
	e.is(lines[0], domain.RoleOperator, "")
	e.is(old, domain.RoleOperator, "")

	_ = must(tokenfile.RotateAdmin(e.path, domain.RoleViewer))
	_ = must(tokenfile.RotateAdmin(e.path, domain.RoleViewer))
	if lines := e.tokens(); len(lines) != 4 || lines[1] != old {
		t.Errorf("with two tokens of each role the file has %d lines", len(lines))
	}
	must0(t, tokenfile.RetireAdmin(e.path, domain.RoleOperator))
	e.at = e.at.Add(checkInterval)
	viewer, _ := strings.CutSuffix(e.tokens()[1], " viewer")
	e.is(lines[0], domain.RoleOperator, "")
	e.is(old, domain.NoRole, domain.CodeUnauthenticated)
	e.is(viewer, domain.RoleViewer, "")
	if err := tokenfile.RetireAdmin(e.path, domain.RoleOperator); err == nil || e.tokens()[0] != lines[0] {
		t.Error("the last token was retired")
	}
	if strings.Contains(e.log.String(), old) || strings.Contains(e.log.String(), viewer) {
		t.Errorf("the log has a token:\n%s", &e.log)
	}
	info, err := os.Stat(e.path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(e.path), "*.new")); left != nil {
		t.Errorf("a draft is left: %q", left)
	}
}

// A backend with the token of an operator would be an operator.
func TestATokenOfABackendIsNeverOneOfAnOperator(t *testing.T) {
	admin, shared := strings.Repeat("a", adminTokenChars), strings.Repeat("s", adminTokenChars)
	for name, backends := range map[string]func(t *testing.T, path string) (Authenticator, *tokenfile.File[domain.Permission]){
		"a gateway": func(t *testing.T, path string) (Authenticator, *tokenfile.File[domain.Permission]) {
			g := newTestGateway(t, GatewayConfig{TokenFile: path})
			return mustRedeemers(t, g, ""), g.tokens
		},
		"a redeemer": func(t *testing.T, path string) (Authenticator, *tokenfile.File[domain.Permission]) {
			by := mustRedeemers(t, Device(nil), path)
			return by, by.(receiptTokens).tokens
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEntrance(t, admin+"\n"+shared+" viewer\n", nil)
			path := tokenFileOf(t, oneToken+"\n"+shared+"\n")
			by, _ := backends(t, path)
			err := e.Separate(by)
			if err == nil || !strings.Contains(err.Error(), "token-file: a token is also in admin-token-file") || strings.Contains(err.Error(), shared) {
				t.Errorf("a start with a shared token: %v", err)
			}

			must0(t, os.WriteFile(path, []byte(oneToken+"\n"), 0o600))
			by, tokens := backends(t, path)
			must0(t, e.Separate(by))
			tokens.Now = func() time.Time { return e.at }
			write := func(path, text string) {
				t.Helper()
				must0(t, os.WriteFile(path, []byte(text), 0o600))
				e.at = e.at.Add(checkInterval)
			}
			takes := func(token string, want bool) {
				t.Helper()
				if _, refused := redeemer(t, by, token); (refused == "") != want {
					t.Errorf("the backend's %.5s… is taken: %v, want %v", token, !want, want)
				}
			}
			write(path, otherToken+"\n"+shared+"\n") // read again, and refused
			takes(shared, false)
			takes(oneToken, true)
			write(e.path, admin+"\n") // the operator gives it up
			takes(shared, true)
			takes(oneToken, false)
			write(e.path, admin+"\n"+shared+"\n") // and may not have it back
			e.is(shared, domain.NoRole, domain.CodeUnauthenticated)
			e.is(admin, domain.RoleOperator, "")
			if log := e.log.String(); !strings.Contains(log, "admin-token-file: a token is also in ") || strings.Contains(log, shared) {
				t.Errorf("the log: %s", log)
			}
		})
	}
	e := newEntrance(t, admin+"\n", nil)
	for what, by := range map[string]Authenticator{"client certificates only": mustRedeemers(t, newTestGateway(t, GatewayConfig{ClientCertificates: true}), ""),
		"no receipts": mustRedeemers(t, Device(nil), "")} {
		if err := e.Separate(by); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestWrongTokensAreLimitedAndARightOneAlwaysPasses(t *testing.T) {
	right := strings.Repeat("r", adminTokenChars)
	e := newEntrance(t, right, nil)
	for i := range wrongByAddress {
		e.is(fmt.Sprint("wrong", i), domain.NoRole, domain.CodeUnauthenticated)
	}
	for i := range 100 {
		e.is(fmt.Sprint("more", i), domain.NoRole, domain.CodeTooManyRequests)
		e.is(right, domain.RoleOperator, "")
	}
	var refusal *domain.Error
	if _, err := e.ask("192.0.2.1", "x"); !errors.As(err, &refusal) || refusal.RetryAfterSeconds() != 1 {
		t.Errorf("retry after %+v", refusal)
	}
	if _, err := e.ask("192.0.2.2", "x"); !errors.As(err, &refusal) || refusal.Code != domain.CodeUnauthenticated {
		t.Errorf("another address: %v", err)
	}
	e.is("", domain.NoRole, domain.CodeUnauthenticated) // no token at all is no guess
	e.at = e.at.Add(time.Minute)
	e.is("x", domain.NoRole, domain.CodeUnauthenticated)
}

func TestWrongTokensFromManyAddressesTakeNoMoreMemory(t *testing.T) {
	e := newEntrance(t, strings.Repeat("r", adminTokenChars), nil)
	answers := map[domain.Code]int{}
	flood := func(network string) uint64 {
		for i := range 10_000 {
			_, err := e.ask(fmt.Sprintf("%s%x::1", network, i), fmt.Sprintf("wrong-%s-%d", network, i))
			var refusal *domain.Error
			if !errors.As(err, &refusal) {
				t.Fatal(err)
			}
			answers[refusal.Code]++
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := flood("2001:db8:1:")
	if answers[domain.CodeUnauthenticated] != wrongOverall || answers[domain.CodeTooManyRequests] != 10_000-wrongOverall {
		t.Errorf("answers %v, want %d that are not limited", answers, wrongOverall)
	}
	if after := flood("2001:db8:2:"); after > before+64<<10 {
		t.Errorf("10,000 more took %d bytes", after-before)
	}
	if n := e.failures.byAddress.Entries(); n > wrongAddresses {
		t.Errorf("%d addresses are remembered", n)
	}
}

func TestAnOperatorsRolesAndNameComeFromTheToken(t *testing.T) {
	p := threeKeys(t)
	keys := filepath.Join(t.TempDir(), "jwks.json")
	must0(t, os.WriteFile(keys, []byte(keySetOf(jwk("ed", edKey()))), 0o600))
	right := strings.Repeat("r", adminTokenChars)
	e := newEntrance(t, right, &OIDCConfig{Issuer: p.URL, KeySet: keys, Audience: audience, Algorithms: []string{"EdDSA"},
		NameClaim: "email", RoleClaim: "roles", Viewers: []string{"vault readers", "auditor"}, Operators: []string{"sre"}})
	good := p.claims(e.at).with(fields{"email": "alice@bank.example", "exp": e.at.Add(24 * time.Hour).Unix()})
	sign := func(more fields) string {
		return signed(fields{"alg": "EdDSA", "kid": "ed"}, good.with(more), edKey())
	}
	const refused = domain.CodeUnauthenticated
	for name, tc := range map[string]struct {
		claims fields
		role   domain.Role
		code   domain.Code
	}{
		"a list":                {fields{"roles": []string{"x", "sre"}}, domain.RoleOperator, ""},
		"both roles":            {fields{"roles": []string{"sre", "auditor"}}, domain.RoleOperator, ""},
		"both, the other way":   {fields{"roles": []string{"auditor", "sre"}}, domain.RoleOperator, ""},
		"one text":              {fields{"roles": "auditor"}, domain.RoleViewer, ""},
		"words in a text":       {fields{"roles": "x auditor y"}, domain.RoleViewer, ""},
		"a role of two words":   {fields{"roles": "vault readers"}, domain.RoleViewer, ""},
		"two words in a list":   {fields{"roles": []string{"vault readers"}}, domain.RoleViewer, ""},
		"words within a list":   {fields{"roles": []string{"x sre"}}, domain.NoRole, domain.CodeForbidden},
		"part of a role":        {fields{"roles": "sre-junior"}, domain.NoRole, domain.CodeForbidden},
		"another case":          {fields{"roles": "SRE"}, domain.NoRole, domain.CodeForbidden},
		"no role":               {nil, domain.NoRole, domain.CodeForbidden},
		"roles as a number":     {fields{"roles": 7}, domain.NoRole, domain.CodeForbidden},
		"a number among them":   {fields{"roles": []any{"sre", 7}}, domain.NoRole, domain.CodeForbidden},
		"roles as an object":    {fields{"roles": fields{"sre": true}}, domain.NoRole, domain.CodeForbidden},
		"roles elsewhere":       {fields{"groups": "sre", "scope": "sre"}, domain.NoRole, domain.CodeForbidden},
		"no name":               {fields{"roles": "sre", "email": nil}, domain.NoRole, refused},
		"a name that is a list": {fields{"roles": "sre", "email": []string{"alice"}}, domain.NoRole, refused},
		"the longest name":      {fields{"roles": "sre", "email": strings.Repeat("é", 123)}, domain.RoleOperator, ""},
		"a longer name":         {fields{"roles": "sre", "email": strings.Repeat("é", 124)}, domain.NoRole, refused},
		"a name with a line":    {fields{"roles": "sre", "email": "alice\noperator"}, domain.NoRole, refused},
		"a reversed name":       {fields{"roles": "sre", "email": "alice\u202e"}, domain.NoRole, refused},
		"space before the name": {fields{"roles": "sre", "email": " alice"}, domain.NoRole, refused},
		"another audience":      {fields{"roles": "sre", "aud": "other"}, domain.NoRole, refused},
		"another issuer":        {fields{"roles": "sre", "iss": "https://eve.example"}, domain.NoRole, refused},
		"expired":               {fields{"roles": "sre", "exp": e.at.Unix() - 60}, domain.NoRole, refused},
		"an ID token":           {fields{"roles": "sre", "at_hash": "x"}, domain.NoRole, refused},
		"bound to its sender":   {fields{"roles": "sre", "cnf": fields{"jkt": rfcThumbprint}}, domain.NoRole, refused},
	} {
		t.Run(name, func(t *testing.T) {
			e.t = t
			token, before := sign(tc.claims), e.Refusals()
			for range 2 { // verified, then remembered
				who := e.is(token, tc.role, tc.code)
				if tc.role != domain.NoRole && who.Name != "oidc:"+good.with(tc.claims)["email"].(string) {
					t.Errorf("it is called %q", who.Name)
				}
			}
			if counted := !maps.Equal(before, e.Refusals()); counted != (tc.code != "") {
				t.Errorf("counted as refused: %t", counted)
			}
			e.at = e.at.Add(time.Minute) // or the wrong tokens of all cases together would be limited
		})
	}
	e.t = t
	forged := sign(fields{"roles": "sre"})
	e.is(forged[:len(forged)-8]+"AAAAAAAA", domain.NoRole, domain.CodeUnauthenticated)
	e.is(signed(fields{"alg": "EdDSA", "kid": "ed", "jwk": jwk("ed", edKey())}, good.with(fields{"roles": "sre"}), edKey()), domain.NoRole, domain.CodeUnauthenticated)
	e.is(right, domain.RoleOperator, "")
	var refusal *domain.Error
	_, err := e.ask("192.0.2.1", sign(fields{"roles": "clerk"}))
	if want := "Its claim roles must have one of the values vault readers, auditor, sre."; !errors.As(err, &refusal) || !strings.HasSuffix(refusal.Message, want) {
		t.Errorf("a token without a role gets %v, want %s", err, want)
	}
	for _, secret := range []string{forged, "alice", right} {
		if strings.Contains(e.log.String(), secret) {
			t.Errorf("the log contains a token:\n%s", &e.log)
		}
	}
	if !strings.Contains(e.log.String(), `reason="no role" claim=roles present=false`) || !strings.Contains(e.log.String(), `claim=roles present=true`) {
		t.Errorf("the log does not say why:\n%s", &e.log)
	}
}

func TestTheAdminTokenWorksWithoutTheProvidersKeys(t *testing.T) {
	p := newProvider(t)
	p.publish() // it is down
	right := strings.Repeat("r", adminTokenChars)
	e := newEntrance(t, right, &OIDCConfig{Issuer: p.URL, Audience: audience, Algorithms: []string{"EdDSA"}, NameClaim: "sub", RoleClaim: "roles"})
	_, err := e.ask("192.0.2.1", signed(fields{"alg": "EdDSA", "kid": "ed"}, p.claims(e.at), edKey()))
	var refusal *domain.Error
	if err == nil || errors.As(err, &refusal) {
		t.Errorf("a token that cannot be verified: %v, want an error that is no refusal", err)
	}
	e.is(right, domain.RoleOperator, "")
	if sets := e.KeySets(); len(sets) != 1 || sets[0].Issuer != p.URL || sets[0].Keys != 0 {
		t.Errorf("key sets %+v", sets)
	}
}

// Only the right token names an operator.
func FuzzOperatorToken(f *testing.F) {
	right := strings.Repeat("r", adminTokenChars)
	path := filepath.Join(f.TempDir(), "admin.token")
	if err := os.WriteFile(path, []byte(right), 0o600); err != nil {
		f.Fatal(err)
	}
	o, err := OpenOperators(OperatorsConfig{TokenFile: path, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{"", "Bearer " + right, "bearer  " + right + " ", "Bearer " + right[1:], "Basic " + right, "Bearer a.b.c", "Bearer \x00", "Bearer " + strings.Repeat("a", tokenfile.MaxTokenBytes+1)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		r := httptest.NewRequest("GET", "/admin/v1", nil)
		r.Header.Set("Authorization", header)
		who, err := o.Authenticate(r)
		scheme, token, _ := strings.Cut(header, " ")
		if holds := strings.EqualFold(scheme, "bearer") && strings.Trim(token, " ") == right; holds != (err == nil) || holds != (who.Role == domain.RoleOperator) {
			t.Errorf("%q: %+v, %v", header, who, err)
		}
		var refusal *domain.Error
		if err != nil && !errors.As(err, &refusal) {
			t.Errorf("%q: %v", header, err)
		}
	})
}
