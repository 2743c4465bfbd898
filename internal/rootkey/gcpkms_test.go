package rootkey

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strongroom/internal/rootkey/cloudtest"
)

func TestAGoogleKeyUnwrapsWrapsOfItsOlderVersions(t *testing.T) {
	signedIn(t)
	key := clouds.Google.Make("rotated")
	url := "gcpkms:" + key.Name
	first := mustWrap(t, url)
	clouds.Google.Rotate(key)
	second := mustWrap(t, url)
	for _, wrapped := range [][]byte{first, second} {
		if err := unwrap(t, url, wrapped); err != nil {
			t.Error(err)
		}
	}
	pinned := url + "/cryptoKeyVersions/2"
	one, two := mustOpen(t, url), mustOpen(t, pinned)
	if one.ID() == two.ID() {
		t.Error("a version has the id of its key, so the key cannot be wrapped again under it")
	}
	for _, opens := range []interface{ Opens(string) bool }{one.(*googleKey), two.(*googleKey)} {
		if !opens.Opens(one.ID()) || !opens.Opens(two.ID()) || opens.Opens(one.ID()+"-other") {
			t.Error("a key must open the wraps of its versions and no others")
		}
	}
	clouds.Google.State(key, 1, "DISABLED")
	for _, by := range []string{url, pinned} {
		if err := unwrap(t, by, mustWrap(t, pinned)); err != nil {
			t.Errorf("%s: of version 2 with version 1 disabled: %v", by, err)
		}
	}
}

func TestGoogleErrorsAreExplained(t *testing.T) {
	signedIn(t)
	key := clouds.Google.Make("refused")
	url := "gcpkms:" + key.Name
	wrapped := mustWrap(t, url)
	for name, c := range map[string]struct {
		code            int
		status, message string
		reason          Reason
		part            string
	}{
		"revoked":      {403, "PERMISSION_DENIED", "Permission 'cloudkms.cryptoKeyVersions.useToDecrypt' denied on resource '" + key.Name + "' (or it may not exist).", Denied, "gcloud kms keys add-iam-policy-binding " + key.Name},
		"API disabled": {403, "PERMISSION_DENIED", "Cloud KMS API has not been used in project 1 before or it is disabled. reason:SERVICE_DISABLED", Disabled, "gcloud services enable cloudkms.googleapis.com"},
		"no billing":   {403, "PERMISSION_DENIED", "This API method requires billing to be enabled. reason:BILLING_DISABLED", Disabled, "enable billing"},
		"no token":     {401, "UNAUTHENTICATED", "Request had invalid authentication credentials.", Denied, "application default credentials"},
		"throttled":    {429, "RESOURCE_EXHAUSTED", "Quota exceeded for quota metric 'Cryptographic requests'", Unavailable, "quota"},
		"down":         {503, "UNAVAILABLE", "The service is currently unavailable.", Unavailable, "does not serve now"},
		"asymmetric":   {400, "INVALID_ARGUMENT", "The request contains an invalid purpose.", Invalid, "ENCRYPT_DECRYPT"},
	} {
		t.Run(name, func(t *testing.T) {
			clouds.Google.Fail(func() (int, string, string) { return c.code, c.status, c.message })
			defer clouds.Google.Fail(nil)
			err := unwrap(t, url, wrapped)
			failsWith(t, err, c.reason, c.part, strings.Split(c.message, " reason:")[0])
			if Passing(err) != (c.reason == Unavailable) {
				t.Errorf("passing: %t", Passing(err))
			}
		})
	}
	for _, c := range []struct {
		state  string
		reason Reason
		part   string
	}{
		{"DISABLED", Disabled, "gcloud kms keys versions enable"},
		{"DESTROY_SCHEDULED", Disabled, "gcloud kms keys versions restore"},
		{"DESTROYED", Missing, "permanently destroyed"},
	} {
		clouds.Google.State(key, 1, c.state)
		failsWith(t, unwrap(t, url, wrapped), c.reason, c.part)
	}
	failsWith(t, unwrap(t, "gcpkms:"+cloudtest.GoogleRing+"/cryptoKeys/nothing", wrapped), Missing, "check project, location, key ring and key")
}

func TestABitFlippedOnTheWayToGoogleIsDetected(t *testing.T) {
	signedIn(t)
	url := "gcpkms:" + clouds.Google.Make("flipped").Name
	wrapped := mustWrap(t, url)
	clouds.Google.Flip(true)
	defer clouds.Google.Flip(false)
	failsWith(t, unwrap(t, url, wrapped), Unavailable, "CRC32C")
	_, err := mustOpen(t, url).Wrap(t.Context(), []byte("secret"), []byte("purpose"))
	failsWith(t, err, Unavailable, "CRC32C")
}

func TestInvalidGoogleCredentialsAreExplained(t *testing.T) {
	signedIn(t)
	url := "gcpkms:" + clouds.Google.Make("asked").Name
	wrapped := mustWrap(t, url)
	account, err := os.ReadFile(os.Getenv("GOOGLE_APPLICATION_CREDENTIALS"))
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.json")
	if err := os.WriteFile(other, []byte(strings.Replace(string(account), "strongroom@bank", "other@bank", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", other)
	failsWith(t, unwrap(t, url, wrapped), Denied, "gives no token", "Invalid JWT")
	t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", other+"-missing")
	failsWith(t, unwrap(t, url, wrapped), Denied, "GOOGLE_APPLICATION_CREDENTIALS")
}

func TestAGoogleKeyIsCreatedInItsKeyRing(t *testing.T) {
	signedIn(t)
	url := "gcpkms:" + cloudtest.GoogleRing + "/cryptoKeys/created"
	if err := Create(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	wrapped := mustWrap(t, url)
	if err := Create(t.Context(), url); !errors.Is(err, fs.ErrExist) {
		t.Errorf("again: got %v, want fs.ErrExist", err)
	}
	if err := unwrap(t, url, wrapped); err != nil {
		t.Errorf("the key changed: %v", err)
	}
	failsWith(t, Create(t.Context(), "gcpkms:projects/bank/locations/europe-west1/keyRings/none/cryptoKeys/created"), Missing, "gcloud kms keyrings create")
	clouds.Google.Fail(func() (int, string, string) {
		return 403, "PERMISSION_DENIED", "Permission 'cloudkms.cryptoKeys.create' denied"
	})
	defer clouds.Google.Fail(nil)
	failsWith(t, Create(t.Context(), url+"-2"), Denied, "roles/cloudkms.admin")
}
