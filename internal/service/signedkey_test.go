package service

import (
	"encoding/base64"
	"encoding/json"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"strongroom/internal/domain"
)

// signedKey is a key pair as its client gets it signed, and the claims after a
// published key has verified them.
func (v *instance) signedKey(pair domain.KeyPair) (text string, claims map[string]any) {
	v.t.Helper()
	text, err := v.SignKey(v.ctx, pair)
	if err != nil {
		v.t.Fatal(err)
	}
	jws, err := jose.ParseSignedCompact(text, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		v.t.Fatal(err)
	}
	var set jose.JSONWebKeySet
	published, _ := v.KeySet()
	if err := json.Unmarshal(published, &set); err != nil {
		v.t.Fatal(err)
	}
	payload, err := jws.Verify(set)
	if err != nil {
		v.t.Fatalf("no published key verifies: %v", err)
	}
	same(v, "typ", jws.Signatures[0].Header.ExtraHeaders["typ"], any("strongroom-key+jwt"))
	if err := json.Unmarshal(payload, &claims); err != nil {
		v.t.Fatal(err)
	}
	return text, claims
}

func TestASignedKeyNamesItsAccountAndDevice(t *testing.T) {
	v := openVault(t, func(c *Config) { c.Mode, c.IssuerURL = domain.ModeJWT, "https://vault.bank.example" }).as("alice")
	v.tend()
	const challenge = "Zm9yIHRoaXMgcmVxdWVzdA"
	pair, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: "phone", Challenge: new(challenge)})
	if err != nil {
		t.Fatal(err)
	}
	_, claims := v.signedKey(pair)
	now := v.lately(claims["iat"])
	same(v, "claims", claims, map[string]any{"iss": "https://vault.bank.example", "sub": "alice", "sub_iss": testIssuer, "keyId": pair.KeyID,
		"spki": base64.StdEncoding.EncodeToString(pair.PublicKey), "algorithm": "RSA-OAEP-256", "deviceId": "phone",
		"challenge": challenge, "iat": now, "exp": now + 300})
	rotated, err := v.RotateKey(v.ctx, domain.Identity{DeviceID: "phone", Challenge: new(challenge)})
	if err != nil {
		t.Fatal(err)
	}
	_, claims = v.signedKey(rotated)
	same(v, "key after a rotation", claims["keyId"], any(rotated.KeyID))
}

func TestWithoutAChallengeAKeyIsSignedOnceInTwelveHours(t *testing.T) {
	v := openSigning(t)
	pair := v.issue("phone")
	first, claims := v.signedKey(pair)
	same(v, "challenge", claims["challenge"], nil)
	same(v, "subject in device mode", claims["sub"], nil)
	same(v, "its issuer", claims["sub_iss"], nil)
	v.clock.Advance(12*time.Hour - time.Minute)
	if again, _ := v.signedKey(v.issue("phone")); again != first {
		t.Error("it was signed again")
	}
	v.clock.Advance(time.Minute)
	later, claims := v.signedKey(v.issue("phone"))
	same(v, "valid until", claims["exp"], any(v.lately(claims["iat"])+24*60*60))
	if later == first {
		t.Error("after 12 hours it was not signed again")
	}
	if _, err := v.RotateSigningKey(v.ctx, true, domain.Act{Reason: "test"}); err != nil {
		t.Fatal(err)
	}
	v.tend()
	if rotated, _ := v.signedKey(pair); rotated == later {
		t.Error("the previous signing key's signature is returned")
	}
	pair.Challenge = "0123456789abcdef"
	if challenged, claims := v.signedKey(pair); challenged == later || claims["challenge"] != pair.Challenge {
		t.Errorf("with a challenge: %v", claims)
	}
}

func TestAKeyIsSignedAgainAfterTheClockWasSetBack(t *testing.T) {
	v := openSigning(t)
	v.clock.Set(6 * time.Hour)
	ahead, _ := v.signedKey(v.issue("phone"))
	v.clock.Set(-6 * time.Hour)
	again, claims := v.signedKey(v.issue("phone"))
	v.lately(claims["iat"])
	if again == ahead {
		t.Error("a signature from the future is returned")
	}
}

func TestMalformedChallengesAreRefused(t *testing.T) {
	v := openVault(t, nil)
	for _, challenge := range []string{"", "fifteen-letters", "a space between them", "a\nline\nbetween them", "umlauts are not ä ASCII", string(make([]byte, 20)),
		"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0"} {
		_, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: "phone", Challenge: new(challenge)})
		v.code(challenge, err, domain.CodeBadUserInput, "challenge")
	}
}

// lately returns a time of a claim, which must be a moment ago: the clock goes on.
func (v *instance) lately(claim any) float64 {
	v.t.Helper()
	at, _ := claim.(float64)
	if ago := float64(v.clock.Now().Unix()) - at; ago < 0 || ago > 60 {
		v.t.Errorf("%v is %v s ago", claim, ago)
	}
	return at
}
