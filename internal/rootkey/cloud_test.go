package rootkey

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/rootkey/cloudtest"
	"strongroom/internal/rootkey/hsmtest"
)

// clouds is where every request of the clouds' clients goes in these tests.
var clouds *cloudtest.World

func TestMain(m *testing.M) { os.Exit(inClouds(m)) }

func inClouds(m *testing.M) int {
	dir, err := os.MkdirTemp("", "clouds-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if clouds, err = cloudtest.Start(dir); err != nil {
		panic(err)
	}
	defer clouds.Close()
	defer hsmtest.End()
	for _, name := range os.Environ() { // of the developer
		name, _, _ = strings.Cut(name, "=")
		if strings.HasPrefix(name, "AWS_") || strings.HasPrefix(name, "AZURE_") || strings.HasPrefix(name, "GOOGLE_") {
			_ = os.Unsetenv(name)
		}
	}
	for _, v := range clouds.Env() {
		name, value, _ := strings.Cut(v, "=")
		_ = os.Setenv(name, value)
	}
	return m.Run()
}

// with sets variables for one test.
func with(t *testing.T, env []string) {
	t.Helper()
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
}

// signedIn gives a test the credentials of every cloud.
func signedIn(t *testing.T) {
	t.Helper()
	with(t, slices.Concat(cloudtest.AWSEnv(), clouds.Google.Env(), cloudtest.AzureEnv()))
}

// cloudKeys makes one key in each cloud and returns their URLs.
func cloudKeys() []string {
	return []string{
		"awskms:" + clouds.AWS.Make("eu-west-1").ARN("eu-west-1"),
		"gcpkms:" + clouds.Google.Make(fmt.Sprint("key-", time.Now().UnixNano())).Name,
		"azurekeyvault:" + clouds.Azure.Make(fmt.Sprint("key-", time.Now().UnixNano())).ID,
	}
}

func mustOpen(t *testing.T, url string) seal.RootKey {
	t.Helper()
	root, err := Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func mustWrap(t *testing.T, url string) []byte {
	t.Helper()
	wrapped, err := mustOpen(t, url).Wrap(t.Context(), []byte("the key of a keyset"), []byte("purpose"))
	if err != nil {
		t.Fatal(err)
	}
	return wrapped
}

// unwrap is what a start does with a wrap.
func unwrap(t *testing.T, url string, wrapped []byte) error {
	t.Helper()
	root, err := Open(t.Context(), url)
	if err != nil {
		return err
	}
	got, err := root.Unwrap(t.Context(), wrapped, []byte("purpose"))
	if err == nil && string(got) != "the key of a keyset" {
		t.Errorf("unwrapping gave %q", got)
	}
	return err
}

func TestACloudKeyUnwrapsItsWrapsOnlyForTheirPurpose(t *testing.T) {
	signedIn(t)
	for _, url := range cloudKeys() {
		t.Run(Scheme(url), func(t *testing.T) {
			wrapped := mustWrap(t, url)
			if bytes.Contains(wrapped, []byte("keyset")) {
				t.Error("the wrap holds the plaintext")
			}
			if err := unwrap(t, url, wrapped); err != nil {
				t.Errorf("after a restart: %v", err)
			}
			root := mustOpen(t, url)
			if _, err := root.Unwrap(t.Context(), wrapped, []byte("another purpose")); !errors.Is(err, seal.ErrSeal) {
				t.Errorf("for another purpose: got %v, want ErrSeal", err)
			}
			for _, at := range []int{0, len(wrapped) / 2, len(wrapped) - 1} {
				changed := bytes.Clone(wrapped)
				changed[at] ^= 1
				if _, err := root.Unwrap(t.Context(), changed, []byte("purpose")); !isSealed(err) {
					t.Errorf("with byte %d changed: got %v, want ErrSeal", at, err)
				}
			}
			if _, err := root.Unwrap(t.Context(), nil, []byte("purpose")); !errors.Is(err, seal.ErrSeal) {
				t.Errorf("of nothing: got %v, want ErrSeal", err)
			}
		})
	}
}

// isSealed reports that a wrap does not open. A changed wrap may name a version of the
// key that does not exist.
func isSealed(err error) bool {
	return errors.Is(err, seal.ErrSeal) || err != nil && ReasonOf(err) == Missing
}

func TestAnotherKeyOfTheSameCloudDoesNotOpenAWrap(t *testing.T) {
	signedIn(t)
	others := cloudKeys()
	for i, url := range cloudKeys() {
		wrapped := mustWrap(t, url)
		root := mustOpen(t, others[i])
		if root.ID() == mustOpen(t, url).ID() {
			t.Errorf("%s: two keys have the id %s", Scheme(url), root.ID())
		}
		if _, err := root.Unwrap(t.Context(), wrapped, []byte("purpose")); !isSealed(err) {
			t.Errorf("%s: another key: got %v, want ErrSeal", Scheme(url), err)
		}
	}
}

// failsWith checks what an operator reads.
func failsWith(t *testing.T, err error, reason Reason, parts ...string) {
	t.Helper()
	var is *Error
	if !errors.As(err, &is) {
		t.Errorf("got %v, want an Error", err)
		return
	}
	text := is.Error()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("the message lacks %q:\n%s", part, text)
		}
	}
	if is.Reason != reason {
		t.Errorf("reason %s, want %s:\n%s", is.Reason, reason, text)
	}
	if strings.ContainsAny(text, "\n\t") || len(text) > 1200 {
		t.Errorf("not one line:\n%s", text)
	}
	for _, secret := range []string{cloudtest.AWSSecretKey, "PRIVATE KEY", "example-of-a-client-secret", "the key of a keyset"} {
		if strings.Contains(text, secret) {
			t.Errorf("the message holds a secret:\n%s", text)
		}
	}
	t.Log(text)
}

func TestAnUnreachableCloudIsDistinguishedFromAWrongKey(t *testing.T) {
	signedIn(t)
	for _, url := range cloudKeys() {
		wrapped := mustWrap(t, url)
		t.Run(Scheme(url)+"/cut", func(t *testing.T) {
			clouds.Cut("")
			defer clouds.Cut()
			err := unwrap(t, url, wrapped)
			failsWith(t, err, Unreachable, "check the network")
			if !Passing(err) {
				t.Error("a start would give up")
			}
		})
		t.Run(Scheme(url)+"/cut after the start", func(t *testing.T) {
			root := mustOpen(t, url)
			if _, err := root.Unwrap(t.Context(), wrapped, []byte("purpose")); err != nil {
				t.Fatal(err)
			}
			clouds.Cut("")
			defer clouds.Cut()
			_, err := root.Unwrap(t.Context(), wrapped, []byte("purpose"))
			failsWith(t, err, Unreachable, "check the network")
		})
		t.Run(Scheme(url)+"/no token", func(t *testing.T) {
			clouds.Cut("oauth2.", "login.")
			defer clouds.Cut()
			if err := unwrap(t, url, wrapped); Scheme(url) != "awskms" { // whose key signs by itself
				failsWith(t, err, Unreachable, "check the network")
			}
		})
		t.Run(Scheme(url)+"/empty answers", func(t *testing.T) {
			root := mustOpen(t, url)
			if _, err := root.Unwrap(t.Context(), wrapped, []byte("purpose")); err != nil { // with a token
				t.Fatal(err)
			}
			clouds.Mute(true)
			defer clouds.Mute(false)
			_, wrapping := root.Wrap(t.Context(), []byte("the key of a keyset"), []byte("purpose"))
			_, unwrapping := root.Unwrap(t.Context(), wrapped, []byte("purpose"))
			for _, err := range []error{wrapping, unwrapping} {
				if failsWith(t, err, ReasonOf(err)); errors.Is(err, seal.ErrSeal) || !Passing(err) {
					t.Errorf("a start would give up: %v", err)
				}
			}
		})
		t.Run(Scheme(url)+"/slow", func(t *testing.T) {
			root := mustOpen(t, url)
			clouds.Slow(true)
			defer clouds.Slow(false)
			ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
			defer cancel()
			_, err := root.Unwrap(ctx, wrapped, []byte("purpose"))
			failsWith(t, err, Timeout, "did not answer in time")
			if !Passing(err) {
				t.Error("a start would give up")
			}
		})
		t.Run(Scheme(url)+"/ended", func(t *testing.T) {
			root := mustOpen(t, url)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := root.Unwrap(ctx, wrapped, []byte("purpose")); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want context.Canceled", err)
			}
		})
		t.Run(Scheme(url)+"/mistrusted", func(t *testing.T) {
			host := map[string]string{"awskms": "kms.", "gcpkms": "cloudkms.", "azurekeyvault": "strongroom."}[Scheme(url)]
			clouds.Mistrust(host)
			defer clouds.Mistrust("")
			failsWith(t, unwrap(t, url, wrapped), Unreachable, "certificate")
		})
	}
}

// An answer without an end must not fill the memory of the process.
func TestAnEndlessAnswerOfACloudIsCutOff(t *testing.T) {
	signedIn(t)
	const most = 2*cloudTries*maxCloudAnswer + 16<<20 // what the buffers of the connections take
	for _, url := range cloudKeys() {
		wrapped := mustWrap(t, url)
		t.Run(Scheme(url), func(t *testing.T) {
			root := mustOpen(t, url)
			if _, err := root.Unwrap(t.Context(), wrapped, []byte("purpose")); err != nil { // with a token
				t.Fatal(err)
			}
			clouds.Flood("kms.", "cloudkms.", "strongroom.")
			defer clouds.Flood()
			_, wrapping := root.Wrap(t.Context(), []byte("the key of a keyset"), []byte("purpose"))
			_, unwrapping := root.Unwrap(t.Context(), wrapped, []byte("purpose"))
			for _, err := range []error{wrapping, unwrapping} {
				if failsWith(t, err, Unavailable, "longer than 1048576 bytes"); !Passing(err) {
					t.Errorf("a start would give up: %v", err)
				}
			}
			if n := clouds.Flooded(); n > most {
				t.Errorf("the client read up to %d bytes", n)
			}
		})
		t.Run(Scheme(url)+"/tokens", func(t *testing.T) {
			clouds.Flood("oauth2.", "login.")
			defer clouds.Flood()
			if err := unwrap(t, url, wrapped); (err == nil) != (Scheme(url) == "awskms") { // whose key signs by itself
				t.Error(err)
			}
			if n := clouds.Flooded(); n > most {
				t.Errorf("the client read up to %d bytes", n)
			}
		})
	}
}

// The credentials of a container come from another server.
func TestAnEndlessAnswerWithAWSCredentialsIsCutOff(t *testing.T) {
	url := "awskms:" + clouds.AWS.Make("eu-west-1").ARN("eu-west-1")
	var poured atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		part := []byte(`{"Token":"`)
		for {
			n, err := rw.Write(part)
			if poured.Add(int64(n)); err != nil {
				return
			}
			part = bytes.Repeat([]byte("A"), 16<<10)
		}
	}))
	defer server.Close()
	t.Setenv("HOME", t.TempDir())
	t.Setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", server.URL+"/credentials")
	_, err := Open(t.Context(), url)
	failsWith(t, err, Denied, "longer than 1048576 bytes")
	if n := poured.Load(); n == 0 || n > 4*maxCloudAnswer+16<<20 {
		t.Errorf("the client read up to %d bytes", n)
	}
}

func TestWithoutCredentialsACloudKeyIsDenied(t *testing.T) {
	for _, url := range cloudKeys() {
		t.Run(Scheme(url), func(t *testing.T) {
			t.Setenv("HOME", t.TempDir())
			t.Setenv("PATH", "") // no tools of the clouds that are signed in
			failsWith(t, unwrap(t, url, []byte("version\x00value")), Denied, "credentials", "give this process")
		})
	}
}

func TestURLsOfCloudKeysAreChecked(t *testing.T) {
	const (
		arn   = "awskms:arn:aws:kms:eu-west-1:111122223333:"
		key   = "gcpkms:projects/p/locations/l/keyRings/r/cryptoKeys/k"
		vault = "azurekeyvault:https://bank.vault.azure.net"
	)
	for _, url := range []string{arn + "key/1234abcd-12ab-34cd-56ef-1234567890ab", arn + "key/mrk-1234abcd12ab34cd56ef1234567890ab", arn + "alias/bank/strongroom",
		"awskms:arn:aws-us-gov:kms:us-gov-west-1:111122223333:key/1", arn + "key/1?endpoint=https://vpce-0-1.kms.eu-west-1.vpce.amazonaws.com", arn + "key/1?endpoint=http://127.0.0.1:4566",
		key, key + "/cryptoKeyVersions/7", "gcpkms:projects/example.com:p/locations/global/keyRings/r/cryptoKeys/k", key + "?endpoint=https://cloudkms-bank.p.googleapis.com/",
		vault + "/keys/k", vault + "/keys/k/0123456789abcdef0123456789abcdef", "azurekeyvault:https://bank.managedhsm.azure.net/keys/k"} {
		if err := Check(url); err != nil {
			t.Errorf("refused: %v", err)
		}
	}
	for _, url := range []string{"awskms:", "awskms:alias/strongroom", arn + "secret/1", "awskms:arn:aws:s3:eu-west-1:111122223333:key/1", "awskms:arn:aws:kms::111122223333:key/1",
		arn + "key/1?endpoint=http://kms.example", arn + "key/1?endpoint=", arn + "key/1?profile=x", arn + "key/1?endpoint=https://a&endpoint=https://b", arn + "key/1?endpoint=https://u:p@a",
		"gcpkms:", "gcpkms:projects/p", key + "/cryptoKeyVersions/x", key + "/x", key + "?endpoint=http://10.0.0.1",
		"azurekeyvault:", "azurekeyvault:http://bank.vault.azure.net/keys/k", vault, vault + "/secrets/k", vault + "/keys/k?x=y", "azurekeyvault:https://u:p@bank.vault.azure.net/keys/k", vault + "/keys/k/v/w"} {
		if err := Check(url); err == nil || !strings.Contains(err.Error(), "the form is") {
			t.Errorf("%s: got %v, want a refusal with the form", url, err)
		}
	}
}
