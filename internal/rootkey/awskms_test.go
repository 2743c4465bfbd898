package rootkey

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"strongroom/internal/rootkey/cloudtest"
)

func TestRequestsForAnAWSKeyGoToItsRegionWithThePurpose(t *testing.T) {
	signedIn(t)
	url := "awskms:" + clouds.AWS.Make("ap-southeast-2").ARN("ap-southeast-2")
	clouds.AWS.Calls()
	if err := unwrap(t, url, mustWrap(t, url)); err != nil {
		t.Fatal(err)
	}
	want := []string{"DescribeKey ap-southeast-2 map[]", "Encrypt ap-southeast-2 map[strongroom:purpose]", "DescribeKey ap-southeast-2 map[]", "Decrypt ap-southeast-2 map[strongroom:purpose]"}
	if got := clouds.AWS.Calls(); !slices.Equal(got, want) {
		t.Errorf("AWS was asked %q, want %q", got, want)
	}
}

func TestAnAWSAliasResolvesToItsKeyWhenOpened(t *testing.T) {
	signedIn(t)
	first, second := clouds.AWS.Make("eu-west-1"), clouds.AWS.Make("eu-west-1")
	clouds.AWS.Alias("eu-west-1", "alias/bank/strongroom", first)
	alias := "awskms:arn:aws:kms:eu-west-1:111122223333:alias/bank/strongroom"
	wrapped := mustWrap(t, alias)
	if a, b := mustOpen(t, alias).ID(), mustOpen(t, "awskms:"+first.ARN("eu-west-1")).ID(); a != b || a != "awskms:"+first.ID {
		t.Errorf("ids of alias and key: %s and %s", a, b)
	}
	if err := unwrap(t, "awskms:"+first.ARN("eu-west-1"), wrapped); err != nil {
		t.Errorf("with the key: %v", err)
	}
	root := mustOpen(t, alias)
	clouds.AWS.Alias("eu-west-1", "alias/bank/strongroom", second)
	if _, err := root.Unwrap(t.Context(), wrapped, []byte("purpose")); err != nil {
		t.Errorf("an open root key followed its alias: %v", err)
	}
	if mustOpen(t, alias).ID() != "awskms:"+second.ID {
		t.Error("the alias still means the old key after it was pointed to another key")
	}
}

func TestAMultiRegionReplicaUnwrapsWrapsOfAnotherRegion(t *testing.T) {
	signedIn(t)
	key := clouds.AWS.Make("eu-west-1", "eu-central-1")
	ireland, frankfurt := "awskms:"+key.ARN("eu-west-1"), "awskms:"+key.ARN("eu-central-1")
	wrapped := mustWrap(t, ireland)
	clouds.Cut("kms.eu-west-1.")
	defer clouds.Cut()
	if err := unwrap(t, frankfurt, wrapped); err != nil {
		t.Error(err)
	}
	if id := mustOpen(t, frankfurt).ID(); id != "awskms:"+key.ID {
		t.Errorf("the replica's id is %s", id)
	}
}

func TestAWSErrorsAreExplained(t *testing.T) {
	signedIn(t)
	key := clouds.AWS.Make("eu-west-1")
	url := "awskms:" + key.ARN("eu-west-1")
	wrapped := mustWrap(t, url)
	for name, c := range map[string]struct {
		action, code string
		reason       Reason
		parts        []string
	}{
		"revoked":               {"DescribeKey", "AccessDeniedException", Denied, []string{"allow kms:DescribeKey, kms:Encrypt and kms:Decrypt on " + key.ARN("eu-west-1")}},
		"revoked decrypt":       {"Decrypt", "AccessDeniedException", Denied, []string{"kms:Decrypt", "user/strongroom"}},
		"expired session":       {"Decrypt", "ExpiredTokenException", Denied, []string{"renew them", "clock"}},
		"throttled":             {"Decrypt", "ThrottlingException", Unavailable, []string{"throttles requests of this account in eu-west-1"}},
		"down":                  {"Decrypt", "KMSInternalException", Unavailable, []string{"AWS KMS in eu-west-1 does not serve now"}},
		"disabled meanwhile":    {"Decrypt", "DisabledException", Disabled, []string{"aws kms describe-key --region eu-west-1"}},
		"an unknown code":       {"Decrypt", "NewException", Invalid, []string{"NewException", "reference"}},
		"key store unreachable": {"Decrypt", "KeyUnavailableException", Unavailable, []string{"eu-west-1"}},
	} {
		t.Run(name, func(t *testing.T) {
			clouds.AWS.Fail(c.action, c.code)
			defer clouds.AWS.Fail(c.action, "")
			err := unwrap(t, url, wrapped)
			failsWith(t, err, c.reason, c.parts...)
			if Passing(err) != (c.reason == Unavailable) {
				t.Errorf("passing: %t", Passing(err))
			}
		})
	}
}

func TestUnusableAWSKeysAreExplained(t *testing.T) {
	signedIn(t)
	key := clouds.AWS.Make("eu-west-1")
	url := "awskms:" + key.ARN("eu-west-1")
	wrapped := mustWrap(t, url)
	deletion := time.Date(2027, 1, 2, 3, 4, 0, 0, time.UTC)
	for state, c := range map[string]struct {
		reason Reason
		part   string
	}{
		"Disabled":        {Disabled, "aws kms enable-key --region eu-west-1 --key-id " + key.ID},
		"PendingDeletion": {Disabled, "on 2027-01-02 03:04 UTC; keep it: aws kms cancel-key-deletion --region eu-west-1 --key-id " + key.ID},
		"PendingImport":   {Disabled, "import the same key material again"},
		"Unavailable":     {Unavailable, "custom key store"},
	} {
		clouds.AWS.Change(key, func(k *cloudtest.AWSKey) { k.State, k.Deletion = state, deletion })
		failsWith(t, unwrap(t, url, wrapped), c.reason, c.part)
	}
	clouds.AWS.Change(key, func(k *cloudtest.AWSKey) { k.State, k.Spec = "Enabled", "RSA_3072" })
	failsWith(t, unwrap(t, url, wrapped), Invalid, "RSA_3072", "symmetric")
	clouds.AWS.Delete(key)
	failsWith(t, unwrap(t, url, wrapped), Missing, "check region, account and id", "cannot be brought back")
	elsewhere := strings.Replace(url, "eu-west-1", "eu-west-2", 1)
	failsWith(t, unwrap(t, elsewhere, wrapped), Missing, "--region eu-west-2")
}

// A proxy can answer with 200 and no body. A server asks for the state of its keys at an
// interval, and such an answer must not end it.
func TestAnAWSAnswerWithoutAKeyIsAnError(t *testing.T) {
	signedIn(t)
	url := "awskms:" + clouds.AWS.Make("eu-west-1").ARN("eu-west-1")
	wrapped := mustWrap(t, url)
	clouds.Mute(true)
	defer clouds.Mute(false)
	err := unwrap(t, url, wrapped)
	failsWith(t, err, Unavailable, "the answer has no metadata of the key", "proxy")
	if !Passing(err) {
		t.Error("a start would give up")
	}
	failsWith(t, Create(t.Context(), "awskms:arn:aws:kms:eu-west-1:111122223333:alias/muted"), Unavailable, "the answer has no metadata of the key")
}

func TestAWSChecksSignatures(t *testing.T) {
	signedIn(t)
	key := clouds.AWS.Make("eu-west-1")
	url := "awskms:" + key.ARN("eu-west-1")
	wrapped := mustWrap(t, url)
	t.Run("wrong secret", func(t *testing.T) {
		t.Setenv("AWS_SECRET_ACCESS_KEY", "another")
		failsWith(t, unwrap(t, url, wrapped), Denied, "does not accept the signature", "does not match")
	})
	t.Run("endpoint of another region", func(t *testing.T) {
		failsWith(t, unwrap(t, url+"?endpoint=https://kms.us-east-1.amazonaws.com", wrapped), Denied, "an endpoint= must be of eu-west-1")
	})
	t.Run("endpoint of the region", func(t *testing.T) {
		if err := unwrap(t, url+"?endpoint=https://kms.eu-west-1.amazonaws.com", wrapped); err != nil {
			t.Error(err)
		}
	})
	t.Run("endpoint of the environment without TLS", func(t *testing.T) {
		t.Setenv("AWS_ENDPOINT_URL_KMS", "http://kms.example")
		failsWith(t, unwrap(t, url, wrapped), Invalid, "https://", "AWS_ENDPOINT_URL_KMS")
	})
	t.Run("unreadable configuration", func(t *testing.T) {
		t.Setenv("AWS_PROFILE", "nobody")
		failsWith(t, unwrap(t, url, wrapped), Denied, "nobody", "AWS_")
	})
}

func TestAnAWSKeyIsCreatedWithItsAlias(t *testing.T) {
	signedIn(t)
	url := "awskms:arn:aws:kms:eu-north-1:111122223333:alias/strongroom-new"
	if err := Create(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	if err := unwrap(t, url, mustWrap(t, url)); err != nil {
		t.Errorf("the new key: %v", err)
	}
	id := mustOpen(t, url).ID()
	if err := Create(t.Context(), url); !errors.Is(err, fs.ErrExist) || mustOpen(t, url).ID() != id {
		t.Errorf("again: got %v, want fs.ErrExist and the same key", err)
	}
	failsWith(t, Create(t.Context(), "awskms:arn:aws:kms:eu-north-1:111122223333:key/1"), Invalid, "name an alias")

	clouds.AWS.Calls()
	failsWith(t, Create(t.Context(), "awskms:arn:aws:kms:eu-north-1:999999999999:alias/strongroom-new"), Denied, "use credentials of account 999999999999")
	clouds.AWS.Fail("CreateAlias", "AccessDeniedException")
	defer clouds.AWS.Fail("CreateAlias", "")
	failsWith(t, Create(t.Context(), "awskms:arn:aws:kms:eu-north-1:111122223333:alias/strongroom-other"), Denied, "CreateAlias", "creating a key needs")
	unmade := slices.DeleteFunc(clouds.AWS.Calls(), func(call string) bool { return !strings.HasPrefix(call, "ScheduleKeyDeletion") })
	if len(unmade) != 2 {
		t.Errorf("%d of 2 keys without an alias are deleted", len(unmade))
	}
}
