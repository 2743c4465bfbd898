package auth

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"strongroom/internal/domain"
	"strongroom/internal/ratelimit"
)

const publicURL = "https://vault.bank.example"

// prover is a client with a key of its own.
type prover struct{ key crypto.Signer }

func (d prover) jwk() fields {
	var f fields
	if err := json.Unmarshal(must(jose.JSONWebKey{Key: d.key.Public()}.MarshalJSON()), &f); err != nil {
		panic(err)
	}
	return f
}

func (d prover) header() fields {
	algorithm := "ES256"
	if _, ok := d.key.(ed25519.PrivateKey); ok {
		algorithm = "EdDSA"
	}
	return fields{"typ": "dpop+jwt", "alg": algorithm, "jwk": d.jwk()}
}

// proof makes a proof for POST /graphql, changed in any way.
func (d prover) proof(now time.Time, header, claims fields) string {
	good := fields{"jti": rand.Text(), "htm": "POST", "htu": publicURL + "/graphql", "iat": now.Unix()}
	return signed(d.header().with(header), good.with(claims), d.key)
}

// dpopWorld is a verifier with a clock that stands still.
type dpopWorld struct {
	*DPoP
	clock time.Time
	log   *syncBuffer
}

func newDPoPWorld(t testing.TB, cfg DPoPConfig) *dpopWorld {
	t.Helper()
	w := &dpopWorld{clock: time.Now().Truncate(time.Second), log: &syncBuffer{}}
	cfg.Logger = slog.New(slog.NewTextHandler(w.log, nil))
	var err error
	if w.DPoP, err = NewDPoP(cfg); err != nil {
		t.Fatal(err)
	}
	w.now = func() time.Time { return w.clock }
	return w
}

func request(proofs ...string) *http.Request {
	r := httptest.NewRequest("POST", "/graphql?query=x", nil)
	r.Header["Dpop"] = proofs
	return r
}

func (w *dpopWorld) mustTake(t testing.TB, proof string) string {
	t.Helper()
	got, err := w.Verify(request(proof), "")
	if err != nil {
		t.Fatalf("refused: %v\n%s", err, w.log)
	}
	return got
}

// mustRefuse also sees that the reason is counted, and that nothing of the proof
// is repeated.
func (w *dpopWorld) mustRefuse(t testing.TB, why reason, r *http.Request, accessToken string) {
	t.Helper()
	before := w.Refusals()[string(why)]
	got, err := w.Verify(r, accessToken)
	refusal, ok := errors.AsType[*domain.Error](err)
	if !ok || refusal.Code != domain.CodeUnauthenticated || got != "" {
		t.Errorf("got %q, %v; want a refusal for %q", got, err, why)
		return
	}
	if w.Refusals()[string(why)] != before+1 {
		t.Errorf("%q was not counted; log: %s", why, w.log)
	}
	if byTime := why == proofStale || why == proofFuture; byTime != (refusal.Reason == domain.ReasonDPoPProofTime) {
		t.Errorf("%q is answered with the reason %s", why, refusal.Reason)
	}
	for _, proof := range r.Header["Dpop"] {
		for part := range strings.SplitSeq(proof, ".") {
			if len(part) > 3 && strings.Contains(refusal.Message+w.log.String(), part) {
				t.Errorf("the proof is repeated: %s", refusal.Message)
			}
		}
	}
}

func p256() prover { return prover{ecKey()} }

func TestAProofNamesItsKey(t *testing.T) {
	for name, d := range map[string]prover{"ES256": p256(), "EdDSA": {edKey()}} {
		w := newDPoPWorld(t, DPoPConfig{PublicURL: publicURL})
		digest := must((&jose.JSONWebKey{Key: d.key.Public()}).Thumbprint(crypto.SHA256))
		want := base64.RawURLEncoding.EncodeToString(digest)
		if got := w.mustTake(t, d.proof(w.clock, nil, nil)); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		if name == "EdDSA" {
			w.mustTake(t, d.proof(w.clock, fields{"alg": "Ed25519", "jwk": d.jwk().with(fields{"alg": "Ed25519"})}, nil))
		}
		w.mustTake(t, d.proof(w.clock, fields{"kid": "ignored", "jku": "https://eve.example"}, fields{"more": []int{1}}))
		w.mustTake(t, d.proof(w.clock, fields{"jwk": d.jwk().with(fields{"use": "sig", "ext": true, "key_ops": []string{"verify"}, "alg": d.header()["alg"]})}, nil))
	}
}

func TestARequestWithoutAProofIsAccepted(t *testing.T) {
	w := newDPoPWorld(t, DPoPConfig{})
	w.NeedNonces(NewNonces(fakeMAC{}))
	if got, err := w.Verify(httptest.NewRequest("POST", "/graphql", nil), "token"); err != nil || got != "" {
		t.Errorf("got %+v, %v", got, err)
	}
}

// The proofs of RFC 9449, 4.1 and 7.1 (figures 2 and 13), the thumbprint of
// their key in 6.1, and the access token of 7.1. Copyright IETF Trust and the
// authors of the RFC.
const (
	rfcHeader     = "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19"
	rfcFigure2    = rfcHeader + ".eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg"
	rfcFigure13   = rfcHeader + ".eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA"
	rfcThumbprint = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"
	rfcToken      = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"
)

func TestTheProofsOfRFC9449AreAccepted(t *testing.T) {
	for _, tc := range []struct {
		proof, method, url, token string
		at                        int64
	}{
		{rfcFigure2, "POST", "https://server.example.com/token", "", 1562262616},
		{rfcFigure13, "GET", "https://resource.example.org/protectedresource", rfcToken, 1562262618},
	} {
		r := httptest.NewRequest(tc.method, tc.url, nil) // with TLS, and the host of the URL
		r.Header.Set("DPoP", tc.proof)
		w := newDPoPWorld(t, DPoPConfig{})
		w.clock = time.Unix(tc.at, 0)
		got, err := w.Verify(r, tc.token)
		if err != nil || got != rfcThumbprint {
			t.Errorf("%s: got %+v, %v", tc.url, got, err)
		}
		w.clock = time.Unix(tc.at+121, 0)
		w.mustRefuse(t, proofStale, r, tc.token)
	}
}

func TestPublishedThumbprintsAreReproduced(t *testing.T) {
	const n = "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"
	if got := thumbprint(`{"e":"AQAB","kty":"RSA","n":"` + n + `"}`); got != "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs" {
		t.Errorf("RFC 7638, 3.1: got %s", got)
	}
	key, err := parseProofKey(map[string]any{"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}, "EdDSA")
	if err != nil || key.thumbprint != "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k" {
		t.Errorf("RFC 8037, A.3: got %s, %v", key.thumbprint, err)
	}
}

// TestAProofByAnotherLibraryIsAccepted has go-jose make the header and the signature.
func TestAProofByAnotherLibraryIsAccepted(t *testing.T) {
	for algorithm, key := range map[jose.SignatureAlgorithm]crypto.Signer{jose.ES256: ecKey(), jose.EdDSA: edKey()} {
		w := newDPoPWorld(t, DPoPConfig{PublicURL: publicURL})
		signer := must(jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, (&jose.SignerOptions{EmbedJWK: true}).WithType("dpop+jwt")))
		claims := fields{"jti": "1", "htm": "POST", "htu": publicURL + "/graphql", "iat": w.clock.Unix()}
		w.mustTake(t, must(must(signer.Sign(must(json.Marshal(claims)))).CompactSerialize()))
	}
}

func TestABadProofIsRefused(t *testing.T) {
	w := newDPoPWorld(t, DPoPConfig{PublicURL: publicURL})
	d, now := p256(), w.clock
	stranger := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	good := d.proof(now, nil, nil)
	parts := strings.Split(good, ".")
	private := func(key any) (f fields) {
		_ = json.Unmarshal(must(jose.JSONWebKey{Key: key}.MarshalJSON()), &f)
		return f
	}
	hs256 := func() string {
		text := encode(d.header().with(fields{"alg": "HS256"})) + "." + parts[1]
		mac := hmac.New(sha256.New, must(json.Marshal(d.jwk())))
		mac.Write([]byte(text))
		return text + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	}
	raw := func(header, claims string) string {
		text := base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + base64.RawURLEncoding.EncodeToString([]byte(claims))
		return text + "." + base64.RawURLEncoding.EncodeToString(signature("ES256", text, d.key))
	}
	head, body := string(must(json.Marshal(d.header()))), fmt.Sprintf(`{"jti":"raw","htm":"POST","htu":%q,"iat":%d}`, publicURL+"/graphql", now.Unix())
	w.mustTake(t, raw(head, body))
	header := func(f fields) string { return d.proof(now, f, nil) }
	key := func(f fields) string { return d.proof(now, fields{"jwk": d.jwk().with(f)}, nil) }
	claims := func(f fields) string { return d.proof(now, nil, f) }
	flipped := base64.RawURLEncoding.EncodeToString(flip(must(base64.RawURLEncoding.DecodeString(parts[2]))))

	for name, tc := range map[string]struct {
		why   reason
		proof string
	}{
		"empty":                   {proofMalformed, ""},
		"two parts":               {proofMalformed, parts[0] + "." + parts[1]},
		"four parts":              {proofMalformed, good + "."},
		"padding":                 {proofMalformed, good + "="},
		"line end":                {proofMalformed, good + "\n"},
		"two in one header":       {proofMalformed, good + ", " + good},
		"64 KiB":                  {proofTooLong, claims(fields{"more": strings.Repeat("x", 64<<10)})},
		"one byte too long":       {proofTooLong, strings.Repeat("x", maxProofBytes+1)},
		"header repeats alg":      {proofMalformed, raw(strings.Replace(head, `{`, `{"alg":"none",`, 1), body)},
		"header repeats jwk":      {proofMalformed, raw(strings.Replace(head, `{`, `{"j\u0077k":{},`, 1), body)},
		"jwk repeats x":           {proofMalformed, raw(strings.Replace(head, `"x":`, `"x":"AA","x":`, 1), body)},
		"claims repeat htu":       {proofMalformed, raw(head, strings.Replace(body, `{`, `{"htu":"https://eve.example",`, 1))},
		"claims not UTF-8":        {proofMalformed, raw(head, strings.Replace(body, `raw`, "\xff", 1))},
		"crit":                    {proofHeader, header(fields{"crit": []string{"exp"}})},
		"empty crit":              {proofHeader, header(fields{"crit": []string{}})},
		"b64":                     {proofHeader, header(fields{"b64": true})},
		"no typ":                  {proofType, header(fields{"typ": nil})},
		"typ JWT":                 {proofType, header(fields{"typ": "JWT"})},
		"alg none":                {proofAlgorithm, encode(d.header().with(fields{"alg": "none"})) + "." + parts[1] + "."},
		"alg None":                {proofAlgorithm, encode(d.header().with(fields{"alg": "None"})) + "." + parts[1] + "." + parts[2]},
		"HMAC with the key":       {proofAlgorithm, hs256()},
		"RSA":                     {proofAlgorithm, prover{rsaKey()}.proof(now, fields{"alg": "RS256"}, nil)},
		"RSA key for ES256":       {badProofKey, prover{rsaKey()}.proof(now, nil, nil)},
		"ES384":                   {proofAlgorithm, header(fields{"alg": "ES384"})},
		"no alg":                  {proofAlgorithm, header(fields{"alg": nil})},
		"alg of the other key":    {badProofKey, header(fields{"alg": "EdDSA"})},
		"alg other than the jwk":  {proofAlgorithm, key(fields{"alg": "EdDSA"})},
		"Ed25519 with a P-256":    {badProofKey, header(fields{"alg": "Ed25519"})},
		"Ed25519 in an EC jwk":    {proofAlgorithm, key(fields{"alg": "Ed25519"})},
		"no jwk":                  {badProofKey, header(fields{"jwk": nil})},
		"jwk as text":             {badProofKey, header(fields{"jwk": "{}"})},
		"kid instead of jwk":      {badProofKey, header(fields{"jwk": nil, "kid": "1"})},
		"private EC key":          {privateProofKey, header(fields{"jwk": private(ecKey())})},
		"private Ed25519 key":     {privateProofKey, prover{edKey()}.proof(now, fields{"jwk": private(edKey())}, nil)},
		"symmetric key":           {privateProofKey, header(fields{"jwk": fields{"kty": "oct", "k": "AAAA"}})},
		"empty d":                 {privateProofKey, key(fields{"d": ""})},
		"for encryption":          {badProofKey, key(fields{"use": "enc"})},
		"P-384":                   {badProofKey, key(fields{"crv": "P-384"})},
		"not on the curve":        {badProofKey, key(fields{"y": d.jwk()["x"]})},
		"x with padding":          {badProofKey, key(fields{"x": fmt.Sprint(d.jwk()["x"]) + "="})},
		"x with a line end":       {badProofKey, key(fields{"x": "\n" + fmt.Sprint(d.jwk()["x"])})},
		"x with a leading zero":   {badProofKey, key(fields{"x": "AA" + fmt.Sprint(d.jwk()["x"])})},
		"no y":                    {badProofKey, key(fields{"y": nil})},
		"by another key":          {proofSignature, signed(d.header(), fields{"jti": "1"}, stranger)},
		"flipped signature":       {proofSignature, parts[0] + "." + parts[1] + "." + flipped},
		"no signature":            {proofSignature, parts[0] + "." + parts[1] + "."},
		"zero signature":          {proofSignature, parts[0] + "." + parts[1] + "." + base64.RawURLEncoding.EncodeToString(make([]byte, 64))},
		"ASN.1 signature":         {proofSignature, parts[0] + "." + parts[1] + "." + base64.RawURLEncoding.EncodeToString(must(ecKey().Sign(rand.Reader, make([]byte, 32), crypto.SHA256)))},
		"claims of another proof": {proofSignature, parts[0] + "." + strings.Split(claims(nil), ".")[1] + "." + parts[2]},
		"no jti":                  {proofClaim, claims(fields{"jti": nil})},
		"empty jti":               {proofClaim, claims(fields{"jti": ""})},
		"long jti":                {proofClaim, claims(fields{"jti": strings.Repeat("j", maxProofIDBytes+1)})},
		"jti as a number":         {proofClaim, claims(fields{"jti": 1})},
		"no htm":                  {proofClaim, claims(fields{"htm": nil})},
		"no htu":                  {proofClaim, claims(fields{"htu": nil})},
		"no iat":                  {proofClaim, claims(fields{"iat": nil})},
		"null iat":                {proofClaim, raw(head, strings.Replace(body, fmt.Sprint(now.Unix()), "null", 1))},
		"iat as text":             {proofClaim, claims(fields{"iat": fmt.Sprint(now.Unix())})},
		"iat out of range":        {proofClaim, raw(head, strings.Replace(body, fmt.Sprint(now.Unix()), "1e300", 1))},
		"null nonce":              {proofClaim, raw(head, strings.Replace(body, `{`, `{"nonce":null,`, 1))},
		"another method":          {proofMethod, claims(fields{"htm": "GET"})},
		"method in small letters": {proofMethod, claims(fields{"htm": "post"})},
		"another host":            {proofURL, claims(fields{"htu": "https://eve.example/graphql"})},
		"another path":            {proofURL, claims(fields{"htu": publicURL + "/other"})},
		"http":                    {proofURL, claims(fields{"htu": "http://vault.bank.example/graphql"})},
		"path only":               {proofURL, claims(fields{"htu": "/graphql"})},
		"stale":                   {proofStale, claims(fields{"iat": now.Unix() - 120})},
		"from 1970":               {proofStale, claims(fields{"iat": 0})},
		"from the future":         {proofFuture, claims(fields{"iat": now.Unix() + 61})},
	} {
		t.Run(name, func(t *testing.T) { w.mustRefuse(t, tc.why, request(tc.proof), "") })
	}
	w.mustRefuse(t, severalProofs, request(good, d.proof(now, nil, nil)), "")
	w.mustRefuse(t, severalProofs, request(good, good), "")
	w.mustTake(t, good) // no refusal used it up
	w.mustTake(t, claims(fields{"iat": now.Unix() - 119}))
	w.mustTake(t, claims(fields{"iat": now.Unix() + 60}))
	w.mustTake(t, claims(fields{"jti": strings.Repeat("j", maxProofIDBytes)}))
}

func flip(b []byte) []byte {
	b[len(b)-1] ^= 1
	return b
}

// TestKeysOfSmallOrderAreRefused forges, without any private key, a proof that
// crypto/ed25519 verifies: its signature is the neutral point and zero.
func TestKeysOfSmallOrderAreRefused(t *testing.T) {
	w := newDPoPWorld(t, DPoPConfig{PublicURL: publicURL})
	signature := append([]byte{1}, make([]byte, ed25519.SignatureSize-1)...)
	forge := func(key []byte) string {
		jwk := fields{"kty": "OKP", "crv": "Ed25519", "x": base64.RawURLEncoding.EncodeToString(key)}
		for range 500 { // with a key of order 8, one proof in eight verifies
			text := prover{edKey()}.proof(w.clock, fields{"jwk": jwk}, nil)
			text = text[:strings.LastIndexByte(text, '.')]
			if ed25519.Verify(key, []byte(text), signature) {
				return text + "." + base64.RawURLEncoding.EncodeToString(signature)
			}
		}
		t.Fatalf("no proof by %x verifies", key)
		return ""
	}
	for _, y := range smallOrderY {
		key := must(hex.DecodeString(y))
		w.mustRefuse(t, badProofKey, request(forge(key)), "")
		key[31] |= 0x80 // the other x
		w.mustRefuse(t, badProofKey, request(forge(key)), "")
	}
}

func TestAProofBelongsToItsAccessToken(t *testing.T) {
	w, d := newDPoPWorld(t, DPoPConfig{PublicURL: publicURL}), p256()
	ath := func(token string) string {
		digest := sha256.Sum256([]byte(token))
		return base64.RawURLEncoding.EncodeToString(digest[:])
	}
	bound := d.proof(w.clock, nil, fields{"ath": ath("mine")})
	w.mustRefuse(t, proofToken, request(bound), "stolen")
	w.mustRefuse(t, proofToken, request(d.proof(w.clock, nil, nil)), "mine")
	if _, err := w.Verify(request(bound), "mine"); err != nil {
		t.Error(err)
	}
}

// TestAProofIsAcceptedOnce sends each proof as long as it is valid, at the edges
// of both halves of the memory.
func TestAProofIsAcceptedOnce(t *testing.T) {
	w, d := newDPoPWorld(t, DPoPConfig{PublicURL: publicURL}), p256()
	var all []string
	for range 60 {
		ahead := d.proof(w.clock, nil, fields{"iat": w.clock.Add(clockSkew).Unix()}) // valid longest
		w.mustTake(t, ahead)
		all = append(all, ahead)
		w.clock = w.clock.Add(17 * time.Second)
		for i, proof := range all {
			if age := time.Duration(len(all)-i) * 17 * time.Second; age < proofWindow {
				w.mustRefuse(t, proofReplayed, request(proof), "")
			} else {
				w.mustRefuse(t, proofStale, request(proof), "")
			}
		}
	}
	same := fields{"jti": "same"}
	w.mustTake(t, d.proof(w.clock, nil, same))
	w.mustTake(t, prover{edKey()}.proof(w.clock, nil, same)) // of another key
	w.mustRefuse(t, proofReplayed, request(d.proof(w.clock, nil, same.with(fields{"iat": w.clock.Unix() + 1}))), "")
	if n := len(w.used.recent) + len(w.used.older); n > 25 {
		t.Errorf("%d proofs are remembered", n)
	}
}

func TestOneOfParallelReplaysIsAccepted(t *testing.T) {
	w := newDPoPWorld(t, DPoPConfig{PublicURL: publicURL})
	proof := p256().proof(w.clock, nil, nil)
	var wg sync.WaitGroup
	accepted := make(chan string, 50)
	for range cap(accepted) {
		wg.Go(func() {
			if got, err := w.Verify(request(proof), ""); err == nil {
				accepted <- got
			}
		})
	}
	wg.Wait()
	if len(accepted) != 1 {
		t.Errorf("%d of 50 were accepted", len(accepted))
	}
}

// TestAFullProofMemoryRefusesProofs: if it forgot proofs, they could be replayed.
func TestAFullProofMemoryRefusesProofs(t *testing.T) {
	w := newDPoPWorld(t, DPoPConfig{PublicURL: publicURL})
	memory := w.used
	_, _ = memory.use(context.Background(), [16]byte{}, w.clock)
	for i := range maxRecentProofs {
		memory.recent[[16]byte(domain.Encode(domain.EncodeInt(int64(i)), make([]byte, 4)))] = struct{}{}
	}
	proof := p256().proof(w.clock, nil, nil)
	_, err := w.Verify(request(proof), "")
	if refusal, ok := errors.AsType[*domain.Error](err); !ok || refusal.Code != domain.CodeOverloaded {
		t.Fatalf("got %v", err)
	}
	w.clock = w.clock.Add(proofWindow)
	w.mustTake(t, p256().proof(w.clock, nil, nil))
}

// TestOneAddressCannotFillTheMemory: anyone can make keys and proofs.
func TestOneAddressCannotFillTheMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("it has one goroutine, and takes long under the race detector")
	}
	w := newDPoPWorld(t, DPoPConfig{PublicURL: publicURL})
	from := func(address string) *http.Request {
		r := request(p256().proof(w.clock, nil, nil))
		return r.WithContext(domain.WithCaller(r.Context(), domain.Caller{Address: netip.MustParseAddr(address)}))
	}
	accepted, refusal := 0, error(nil)
	for flood := from("2001:db8::1").Context(); refusal == nil && accepted < maxRecentProofs; accepted++ {
		id := [16]byte(domain.Encode(domain.EncodeInt(int64(accepted)), make([]byte, 4)))
		_, refusal = w.used.use(flood, id, w.clock)
	}
	if domain.CodeOf(refusal) != domain.CodeOverloaded {
		t.Fatalf("one address used %d proofs: %v", accepted, refusal)
	}
	if _, err := w.Verify(from("2001:db8::2"), ""); domain.CodeOf(err) != domain.CodeOverloaded {
		t.Errorf("another address of its network: %v", err)
	}
	if _, err := w.Verify(from("192.0.2.1"), ""); err != nil {
		t.Errorf("another client: %v", err)
	}
	w.clock = w.clock.Add(proofWindow)
	if _, err := w.Verify(from("2001:db8::1"), ""); err != nil {
		t.Errorf("the address, in the next window: %v", err)
	}
}

// TestOneSiteCannotFillTheMemory: one subscriber may have a /48, with 65,536 networks.
func TestOneSiteCannotFillTheMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("it has one goroutine, and takes long under the race detector")
	}
	var memory proofMemory
	now, sent := time.Now(), 0
	use := func(address string) error {
		sent++
		from := domain.WithCaller(t.Context(), domain.Caller{Address: netip.MustParseAddr(address)})
		_, err := memory.use(from, [16]byte(domain.Encode(domain.EncodeInt(int64(sent)), make([]byte, 4))), now)
		return err
	}
	for n := range maxRecentProofs {
		_ = use(fmt.Sprintf("2001:db8:1:%x::1", n%16))
	}
	if n := len(memory.recent); n != maxRecentProofs/2 {
		t.Errorf("16 networks of one /48 fill %d places of %d", n, maxRecentProofs)
	}
	if err := use("2001:db8:1:ffff::1"); domain.CodeOf(err) != domain.CodeOverloaded {
		t.Errorf("another network of that /48: %v", err)
	}
	for _, address := range []string{"198.51.100.7", "2001:db8:2::1"} {
		if err := use(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	for range maxRecentProofs {
		_ = use(fmt.Sprintf("2001:db8:2:%x::1", sent%16))
	}
	site, _ := ratelimit.SiteKey(netip.MustParseAddr("2001:db8:2::1"))
	if n := memory.senders[site]; n != maxProofsOfSite {
		t.Errorf("a second /48 has %d places, want %d", n, maxProofsOfSite)
	}
	if err := use("198.51.100.7"); err != nil {
		t.Errorf("an honest client after two such sites: %v", err)
	}
}

// fakeMAC is a keyset with one key.
type fakeMAC struct{ key byte }

func (f fakeMAC) MAC(label string, data []byte) []byte {
	mac := hmac.New(sha256.New, bytes.Repeat([]byte{f.key}, 32))
	mac.Write(domain.Encode([]byte(label), data))
	return mac.Sum(nil)
}

func (f fakeMAC) VerifyMAC(label string, data, mac []byte) bool {
	return hmac.Equal(mac, f.MAC(label, data))
}

func TestAProofNeedsACurrentNonce(t *testing.T) {
	w, d := newDPoPWorld(t, DPoPConfig{PublicURL: publicURL}), p256()
	w.NeedNonces(NewNonces(fakeMAC{1}))
	with := func(nonce string) string { return d.proof(w.clock, nil, fields{"nonce": nonce}) }
	nonce := w.Nonce()
	foreign := NewNonces(fakeMAC{2}).next(w.clock)
	for _, bad := range []string{"", "x", nonce[:11], foreign, nonce + "A", nonce + "=", "\n" + nonce} {
		w.mustRefuse(t, proofNonce, request(with(bad)), "")
	}
	w.mustRefuse(t, proofNonce, request(d.proof(w.clock, nil, nil)), "")
	w.mustTake(t, with(nonce))
	w.mustTake(t, with(nonce))                                              // the nonce may be used again, the jti not
	w.mustTake(t, with(NewNonces(fakeMAC{1}).next(w.clock.Add(nonceStep)))) // of an instance ahead
	w.clock = w.clock.Add(nonceStep)
	w.mustTake(t, with(nonce))
	w.clock = w.clock.Add(nonceStep)
	w.mustRefuse(t, proofNonce, request(with(nonce)), "")
	if refusal := proofNonce.refusal(); refusal.Reason != domain.ReasonDPoPNonceRequired {
		t.Errorf("got %+v", refusal)
	}
	if off := newDPoPWorld(t, DPoPConfig{}); off.Nonce() != "" {
		t.Error("a nonce although none is needed")
	}
}

func TestURLsAreComparedInTheirNormalForm(t *testing.T) {
	for a, b := range map[string]string{
		"https://a.example/x":        "HTTPS://A.Example:443/x?query#fragment",
		"http://a.example":           "http://a.example:80/",
		"https://a.example/%7Ex/%c3": "https://a.example/~x/%C3",
		"https://a.example/a/b":      "https://a.example/./z/../a/%2E/b",
		"https://[::1]:8443/x":       "https://[::1]:8443/x",
		"https://a.example/a!b(c)":   "https://a.example/a!b(c)",
	} {
		if !sameURL(a, b) {
			got, _ := normalURL(b)
			t.Errorf("%s and %s differ: %s", a, b, got)
		}
	}
	for a, b := range map[string]string{
		"https://a.example/x":     "https://a.example/x/",
		"https://a.example/X":     "https://a.example/x",
		"https://a.example/a//b":  "https://a.example/a/b",
		"https://a.example/a%2Fb": "https://a.example/a/b",
		"https://a.example/a%21b": "https://a.example/a!b",
		"https://a.example:80/x":  "https://a.example/x",
		"https://a.example./x":    "https://a.example/x",
		"https://u@a.example/x":   "https://u@a.example/x",
		"ftp://a.example/x":       "ftp://a.example/x",
		"https:a.example/x":       "https:a.example/x",
		"https:///x":              "https:///x",
		"/x":                      "/x",
		"https://a.example/%zz":   "https://a.example/%zz",
		"":                        "",
	} {
		if sameURL(a, b) {
			t.Errorf("%s and %s are the same", a, b)
		}
	}
}

func TestProofsMustNameThePublicURL(t *testing.T) {
	d := p256()
	w := newDPoPWorld(t, DPoPConfig{PublicURL: publicURL + "/vault/"})
	w.mustRefuse(t, proofURL, request(d.proof(w.clock, nil, nil)), "")
	w.mustTake(t, d.proof(w.clock, nil, fields{"htu": publicURL + "/vault/graphql"}))
	r := request(d.proof(w.clock, nil, fields{"htu": "https://eve.example/graphql"}))
	r.Host, r.TLS = "eve.example", &tls.ConnectionState{}
	w.mustRefuse(t, proofURL, r, "")
	for _, bad := range []string{"http://vault.bank.example", "vault.bank.example", "https://", publicURL + "?x", publicURL + "#x"} {
		if _, err := NewDPoP(DPoPConfig{PublicURL: bad}); err == nil || !strings.HasPrefix(err.Error(), "public-url: ") {
			t.Errorf("%s: got %v", bad, err)
		}
	}
}

func TestCnfIsReadStrictly(t *testing.T) {
	hash := base64.RawURLEncoding.EncodeToString(bytes.Repeat([]byte{1}, 32))
	for text, want := range map[string]any{
		`{}`:                             confirmation{},
		`{"cnf":{"jkt":"` + hash + `"}}`: confirmation{Thumbprint: hash},
		`{"cnf":{"x5t#S256":"` + hash + `","kid":"1"}}`:                     confirmation{Certificate: hash},
		`{"cnf":{"x5t#S256":"` + hash + `","jkt":"` + rfcThumbprint + `"}}`: confirmation{rfcThumbprint, hash},
		`{"cnf":null}`:                                 boundToSender,
		`{"cnf":"` + hash + `"}`:                       boundToSender,
		`{"cnf":{"jkt":1}}`:                            boundToSender,
		`{"cnf":{"jkt":null}}`:                         boundToSender,
		`{"cnf":{"jkt":""}}`:                           boundToSender,
		`{"cnf":{"jkt":"` + hash + `="}}`:              boundToSender,
		`{"cnf":{"jkt":"` + hash[1:] + `"}}`:           boundToSender,
		`{"cnf":{"jkt":"` + hash + `","x5t#S256":[]}}`: boundToSender,
		`{"cnf":{}}`:                                   boundToSender,
		`{"cnf":{"jwk":{}}}`:                           boundToSender,
		`{"cnf":{"JKT":"` + hash + `"}}`:               boundToSender,
	} {
		var claims map[string]any
		if err := json.Unmarshal([]byte(text), &claims); err != nil {
			t.Fatal(err)
		}
		got, err := parseConfirmation(claims)
		if err != nil && err != want || err == nil && got != want {
			t.Errorf("%s: got %+v, %v; want %+v", text, got, err, want)
		}
	}
}

func TestTheSenderMustProveWhatCnfDemands(t *testing.T) {
	server := httptest.NewTLSServer(nil) // for its certificate
	defer server.Close()
	certificate := server.Certificate()
	digest := sha256.Sum256(certificate.Raw)
	hash := base64.RawURLEncoding.EncodeToString(digest[:])
	presented := &tls.ConnectionState{PeerCertificates: []*x509.Certificate{certificate}}
	for name, tc := range map[string]struct {
		c          confirmation
		thumbprint string
		connection *tls.ConnectionState
		want       error
	}{
		"nothing is demanded":    {confirmation{}, "", nil, nil},
		"the key":                {confirmation{Thumbprint: rfcThumbprint}, rfcThumbprint, nil, nil},
		"another key":            {confirmation{Thumbprint: rfcThumbprint}, hash, nil, wrongProofKey},
		"no proof":               {confirmation{Thumbprint: rfcThumbprint}, "", presented, noProof},
		"the certificate":        {confirmation{Certificate: hash}, "", presented, nil},
		"another certificate":    {confirmation{Certificate: rfcThumbprint}, "", presented, wrongCertificate},
		"no certificate":         {confirmation{Certificate: hash}, "", &tls.ConnectionState{}, wrongCertificate},
		"no TLS":                 {confirmation{Certificate: hash}, "", nil, wrongCertificate},
		"both":                   {confirmation{rfcThumbprint, hash}, rfcThumbprint, presented, nil},
		"both, key only":         {confirmation{rfcThumbprint, hash}, rfcThumbprint, nil, wrongCertificate},
		"both, certificate only": {confirmation{rfcThumbprint, hash}, "", presented, noProof},
	} {
		if err := tc.c.check(tc.thumbprint, tc.connection); err != tc.want {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func BenchmarkProof(b *testing.B) {
	for name, d := range map[string]prover{"ES256": p256(), "EdDSA": {edKey()}} {
		b.Run(name, func(b *testing.B) {
			w := newDPoPWorld(b, DPoPConfig{PublicURL: publicURL})
			w.NeedNonces(NewNonces(fakeMAC{1}))
			r := request(d.proof(w.clock, nil, fields{"nonce": w.Nonce()}))
			for b.Loop() {
				w.used = new(proofMemory) // or it would be a replay
				if _, err := w.Verify(r, ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// FuzzProof sends any header. Whatever it is, it is refused with a reason, or
// go-jose verifies it too and finds the same key.
func FuzzProof(f *testing.F) {
	f.Add(rfcFigure2)
	f.Add(rfcFigure13)
	f.Add(prover{edKey()}.proof(time.Unix(1562262616, 0), nil, nil))
	f.Fuzz(func(t *testing.T, text string) {
		p, err := parseProof(text)
		if err != nil {
			if _, ok := errors.AsType[reason](err); !ok {
				t.Fatalf("got %v", err)
			}
			return
		}
		jws, err := jose.ParseSignedCompact(text, []jose.SignatureAlgorithm{jose.ES256, jose.EdDSA})
		if err != nil {
			t.Fatalf("go-jose cannot parse it: %v", err)
		}
		key := jws.Signatures[0].Header.JSONWebKey
		if _, err := jws.Verify(key); err != nil {
			t.Fatalf("go-jose does not verify it: %v", err)
		}
		if theirs := must(key.Thumbprint(crypto.SHA256)); base64.RawURLEncoding.EncodeToString(theirs) != p.key.thumbprint {
			t.Fatal("another key")
		}
	})
}

// FuzzSignedProof signs any header and claims, so that all of a proof is read.
func FuzzSignedProof(f *testing.F) {
	d := p256()
	want := must((&jose.JSONWebKey{Key: d.key.Public()}).Thumbprint(crypto.SHA256))
	f.Add(string(must(json.Marshal(d.header()))), `{"jti":"1","htm":"POST","htu":"https://a.example/%41/../b","iat":1.5e9,"ath":"","nonce":"x"}`)
	f.Fuzz(func(t *testing.T, header, claims string) {
		text := base64.RawURLEncoding.EncodeToString([]byte(header)) + "." + base64.RawURLEncoding.EncodeToString([]byte(claims))
		p, err := parseProof(text + "." + base64.RawURLEncoding.EncodeToString(signature("ES256", text, d.key)))
		if _, ok := errors.AsType[reason](err); err != nil && !ok {
			t.Fatalf("got %v", err)
		}
		if err == nil && (p.key.thumbprint != base64.RawURLEncoding.EncodeToString(want) || p.id == "" || len(p.id) > maxProofIDBytes) {
			t.Fatalf("%s %s: %+v", header, claims, p)
		}
		_ = sameURL(p.url, publicURL)
	})
}
