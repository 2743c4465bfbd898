package e2e

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"
)

// jwsVerifiers verify a JWS of the service with its published keys, by
// third-party code, and return its payload.
func jwsVerifiers(t *testing.T, i *instance) map[string]func(typ, text string) (string, error) {
	t.Helper()
	need(t, "java", "javac")
	libraries := newProvers(t).dir
	keys := i.base + "/.well-known/jwks.json"
	program := func(dir, input, name string, args ...string) (string, error) {
		c := exec.Command(name, args...)
		c.Dir, c.Stdin = dir, strings.NewReader(input)
		out, err := c.Output()
		return string(out), err
	}
	return map[string]func(typ, text string) (string, error){
		"java.security": func(typ, text string) (string, error) {
			return program(".", text, "java", "testdata/clients/Verify.java", keys, typ)
		},
		"npm jose": func(typ, text string) (string, error) {
			return program(libraries, text, "node", globalCrypto, "verify.mjs", keys, typ)
		},
		"go-jose": func(_, text string) (string, error) {
			jws, err := jose.ParseSignedCompact(text, []jose.SignatureAlgorithm{jose.ES256})
			if err != nil {
				return "", err
			}
			var set jose.JSONWebKeySet
			published, err := i.send(http.MethodGet, "/.well-known/jwks.json", "", nil)
			if err == nil {
				err = json.Unmarshal(published.Body, &set)
			}
			if err != nil {
				return "", err
			}
			payload, err := jws.Verify(set)
			return string(payload), err
		},
	}
}

// An app whose random generator failed must get an error, not an older signature.
func TestAnEmptyChallengeIsRefused(t *testing.T) {
	t.Parallel()
	i := start(t)
	for challenge, refused := range map[any]bool{"": true, "fifteen-letters": true, nil: false, "sixteen--letters": false} {
		for _, operation := range []string{generate, rotate} {
			a, err := i.graphql(`mutation($input: ClientIdentityInput!) { `+operation+`(input: $input) { signedKey } }`, map[string]any{"deviceId": "phone", "challenge": challenge})
			if err != nil || (a.code() == "BAD_USER_INPUT" && strings.Contains(string(a.Body), `"field":"challenge"`)) != refused {
				t.Errorf("%s with the challenge %q: %s, %v", operation, challenge, a.Body, err)
			}
		}
		body, _ := json.Marshal(map[string]any{"deviceId": "phone", "challenge": challenge})
		a, err := i.post("/api/encryption/keys", "application/json", body)
		if err != nil || (a.Status == http.StatusBadRequest && strings.Contains(string(a.Body), "challenge must be 16 to 128")) != refused {
			t.Errorf("REST with the challenge %q: %d %s, %v", challenge, a.Status, a.Body, err)
		}
	}
}

func TestOtherLibrariesVerifySignedKeys(t *testing.T) {
	t.Parallel()
	i := start(t, "--issuer", "https://vault.bank.example")
	const query = `mutation($input: ClientIdentityInput!) { generateClientEncryptionKey(input: $input) { keyId publicKey signedKey } }`
	const challenge = "cmFuZG9tIGJ5dGVz"
	a, err := i.graphql(query, map[string]any{"deviceId": "phone", "challenge": challenge})
	if err != nil {
		t.Fatal(err)
	}
	pair, _ := a.Data[generate].(map[string]any)
	signed, _ := pair["signedKey"].(string)
	if signed == "" {
		t.Fatalf("no signed key: %s", a.Body)
	}
	block, _ := pem.Decode([]byte(pair["publicKey"].(string)))
	want := map[string]any{"iss": "https://vault.bank.example", "keyId": pair["keyId"], "spki": base64.StdEncoding.EncodeToString(block.Bytes),
		"algorithm": "RSA-OAEP-256", "deviceId": "phone", "challenge": challenge}
	parts := strings.Split(signed, ".")
	exchanged := strings.Join([]string{parts[0], base64.RawURLEncoding.EncodeToString([]byte(`{"keyId":"other"}`)), parts[2]}, ".")
	for name, verify := range jwsVerifiers(t, i) {
		payload, err := verify("strongroom-key+jwt", signed)
		var claims map[string]any
		if err != nil || json.Unmarshal([]byte(payload), &claims) != nil {
			t.Errorf("%s: %q, %v", name, payload, err)
			continue
		}
		if claims["exp"].(float64)-claims["iat"].(float64) != 300 {
			t.Errorf("%s: iat and exp are %v and %v", name, claims["iat"], claims["exp"])
		}
		delete(claims, "iat")
		delete(claims, "exp")
		if diff := cmp.Diff(want, claims); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if payload, err := verify("strongroom-key+jwt", exchanged); err == nil {
			t.Errorf("%s accepts an exchanged key: %s", name, payload)
		}
	}
}
