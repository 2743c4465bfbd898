package signing

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"
)

// The key and the JWS of RFC 7515, appendix A.3 (IETF Trust, code components
// under the Revised BSD License).
const (
	rfcX   = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"
	rfcY   = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
	rfcD   = "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"
	rfcJWS = "eyJhbGciOiJFUzI1NiJ9" +
		".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ" +
		".DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
)

func raw(t *testing.T, text string) []byte {
	t.Helper()
	b, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func rfcKey(t *testing.T) PrivateKey {
	t.Helper()
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), raw(t, rfcD))
	if err != nil {
		t.Fatal(err)
	}
	return PrivateKey{key}
}

// verify checks a compact JWS with crypto/ecdsa alone, as RFC 7518, 3.4 says: the
// signature is R and S, 32 bytes each, over header and payload as they stand.
func verify(t *testing.T, key *ecdsa.PublicKey, jws string) bool {
	t.Helper()
	parts := strings.Split(jws, ".")
	if len(parts) != 3 {
		t.Fatalf("%d parts", len(parts))
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || len(signature) != 64 {
		t.Fatalf("a signature of %d bytes (%v)", len(signature), err)
	}
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	return ecdsa.Verify(key, digest[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:]))
}

func public(t *testing.T, k PrivateKey) []byte {
	t.Helper()
	spki, err := k.Public()
	if err != nil {
		t.Fatal(err)
	}
	return spki
}

func TestTheJWKMatchesTheKeyOfRFC7515(t *testing.T) {
	key := rfcKey(t)
	spki := public(t, key)
	jwk, err := JWK(spki)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]string
	if err := json.Unmarshal(jwk, &got); err != nil {
		t.Fatal(err)
	}
	// RFC 7638, 3.2: the members that a thumbprint covers, in order, without spaces.
	sum := sha256.Sum256([]byte(`{"crv":"P-256","kty":"EC","x":"` + rfcX + `","y":"` + rfcY + `"}`))
	kid := base64.RawURLEncoding.EncodeToString(sum[:])
	want := map[string]string{"kty": "EC", "crv": "P-256", "x": rfcX, "y": rfcY, "alg": "ES256", "use": "sig", "kid": kid}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("JWK (-want +got):\n%s", diff)
	}
	point := append([]byte{4}, append(raw(t, rfcX), raw(t, rfcY)...)...) // SEC 1, 2.3.3, uncompressed
	public, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), point)
	if err != nil {
		t.Fatal(err)
	}
	if !verify(t, public, rfcJWS) {
		t.Error("this test refuses the signature of the RFC")
	}
}

func TestSignaturesVerifyWithTheStandardLibrary(t *testing.T) {
	key := rfcKey(t)
	payload := []byte(`{"iss":"joe"}`)
	jws, err := key.Sign("the-kid", "strongroom-key+jwt", payload)
	if err != nil {
		t.Fatal(err)
	}
	if !verify(t, &key.key.PublicKey, jws) {
		t.Error("crypto/ecdsa refuses the signature")
	}
	parts := strings.Split(jws, ".")
	header, err := base64.RawURLEncoding.DecodeString(parts[0])
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]string
	if err := json.Unmarshal(header, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"alg": "ES256", "kid": "the-kid", "typ": "strongroom-key+jwt"}, got); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
	if parts[1] != base64.RawURLEncoding.EncodeToString(payload) {
		t.Error("the payload was changed")
	}
	other, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	if verify(t, &other.key.PublicKey, jws) {
		t.Error("another key verifies the signature")
	}
	parts[1] = base64.RawURLEncoding.EncodeToString([]byte(`{"iss":"eve"}`))
	if verify(t, &key.key.PublicKey, strings.Join(parts, ".")) {
		t.Error("another payload is verified")
	}
}

func TestAKeyRoundTripsThroughPKCS8(t *testing.T) {
	key, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	der, err := key.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Parse(der)
	if err != nil {
		t.Fatal(err)
	}
	if !back.key.Equal(key.key) {
		t.Error("another key came back")
	}
	jws, err := back.Sign("kid", "typ", []byte("payload"))
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := jose.ParseSignedCompact(jws, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		t.Fatal(err)
	}
	if payload, err := parsed.Verify(&key.key.PublicKey); err != nil || string(payload) != "payload" {
		t.Errorf("go-jose: %q, %v", payload, err)
	}
}

func TestUnsupportedKeysAreRefused(t *testing.T) {
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	spkiEd, edward, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ private, public any }{
		"P-384":   {p384, &p384.PublicKey},
		"Ed25519": {edward, spkiEd},
	} {
		der, err := x509.MarshalPKCS8PrivateKey(c.private)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(der); err == nil {
			t.Errorf("%s: the private key is accepted", name)
		}
		spki, err := x509.MarshalPKIXPublicKey(c.public)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := JWK(spki); err == nil {
			t.Errorf("%s: the public key is accepted", name)
		}
	}
	for _, der := range [][]byte{nil, {0x30}, []byte(rfcJWS)} {
		if _, err := Parse(der); err == nil {
			t.Errorf("%q is accepted as a private key", der)
		}
		if _, err := KeyID(der); err == nil {
			t.Errorf("%q is accepted as a public key", der)
		}
	}
}

func TestVerifyTakesTheSignatureOfRFC7515AndNoOther(t *testing.T) {
	parts := strings.Split(rfcJWS, ".")
	text, signature := parts[0]+"."+parts[1], raw(t, parts[2])
	spki := public(t, rfcKey(t))
	other, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		spki      []byte
		text      string
		signature []byte
		want      bool
	}{
		"the RFC's":      {spki, text, signature, true},
		"another text":   {spki, text + "A", signature, false},
		"another key":    {public(t, other), text, signature, false},
		"no key":         {nil, text, signature, false},
		"too short":      {spki, text, signature[:63], false},
		"too long":       {spki, text, append(slices.Clone(signature), 0), false},
		"zeros":          {spki, text, make([]byte, 64), false},
		"ASN.1":          {spki, text, append([]byte{0x30, 0x44}, signature...), false},
		"halves swapped": {spki, text, append(slices.Clone(signature[32:]), signature[:32]...), false},
	} {
		if got := Verify(tt.spki, tt.text, tt.signature); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
