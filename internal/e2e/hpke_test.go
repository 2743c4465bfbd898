package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// hpkeLibraries is the directory of encrypt.mjs with npm's libraries for HPKE,
// installed once.
var hpkeLibraries = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(work, "hpke")
	if err := os.CopyFS(dir, os.DirFS("testdata/hpke")); err != nil {
		return "", err
	}
	install := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm could not install @hpke/core and @hpke/hybridkem-x-wing: %w\n%s", err, out)
	}
	return dir, nil
})

// hpkePair is a key pair of HPKE as a client gets it.
type hpkePair struct{ KeyID, PublicKeyBytes string }

func (i *instance) hpkeKey(operation, device, algorithm string) hpkePair {
	i.t.Helper()
	a, err := i.graphql("mutation($input: ClientIdentityInput!) { "+operation+"(input: $input) { keyId algorithm publicKeyBytes } }",
		map[string]any{"deviceId": device, "algorithms": []string{"RSA-OAEP-256", algorithm}})
	pair, _ := a.Data[operation].(map[string]any)
	if err != nil || pair["algorithm"] != algorithm {
		i.t.Fatalf("%s answered %s, %v", operation, a.Body, err)
	}
	return hpkePair{pair["keyId"].(string), pair["publicKeyBytes"].(string)}
}

// A client that has only the API's page and npm's libraries.
func TestNpmsHPKESetsAndVerifies(t *testing.T) {
	t.Parallel()
	need(t, "node", "npm")
	dir, err := hpkeLibraries()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("SKIPPED: %v", err)
	}
	const secret = "pässwort €4711"
	i := start(t, "--key-algorithms", "HPKE-XWING,HPKE-X25519,RSA-OAEP-256", "--replay-protection")
	for _, algorithm := range []string{"HPKE-X25519", "HPKE-XWING"} {
		k := i.hpkeKey(generate, algorithm, algorithm)
		encrypt := func(k hpkePair, operation, secret string) string {
			return pipe(t, secret, "node", globalCrypto, filepath.Join(dir, "encrypt.mjs"), algorithm, k.PublicKeyBytes, operation, k.KeyID, "PASSCODE")
		}
		answer := func(operation, ciphertext string) string {
			return i.answerTo(operation, keyPair{ID: k.KeyID}, ciphertext)
		}
		set, verify := encrypt(k, "setUserPasscode", secret), encrypt(k, "verifyUserPasscode", secret)
		i.expect("verify with the ciphertext of a set", answer("verifyUserPasscode", set), "DECRYPTION_FAILED")
		i.expect("set", answer("setUserPasscode", set), "true")
		i.expect("verify", answer("verifyUserPasscode", verify), "true")
		i.expect("the same again", answer("verifyUserPasscode", verify), "CIPHERTEXT_REUSED")
		i.expect("a wrong one", answer("verifyUserPasscode", encrypt(k, "verifyUserPasscode", secret+" ")), "false")
		i.expect("for another key", answer("verifyUserPasscode", encrypt(hpkePair{KeyID: "another", PublicKeyBytes: k.PublicKeyBytes}, "verifyUserPasscode", secret)), "DECRYPTION_FAILED")
		k = i.hpkeKey(rotate, algorithm, algorithm)
		i.expect("after a rotation", answer("verifyUserPasscode", encrypt(k, "verifyUserPasscode", secret)), "true")
	}
}
