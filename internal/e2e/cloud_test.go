package e2e

import (
	"slices"
	"strings"
	"testing"

	"strongroom/internal/rootkey/cloudtest"
)

// The root key of a running server moves from a file through three clouds. Each opens
// the database again, and none is asked by a request. No cloud is reached: servers of
// the test answer as the clouds do.
func TestARootKeyMovesThroughTheClouds(t *testing.T) {
	t.Parallel()
	clouds, err := cloudtest.Start(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(clouds.Close)
	env := slices.Concat(clouds.Env(), cloudtest.AWSEnv(), clouds.Google.Env(), cloudtest.AzureEnv())
	i := startWith(t, env)
	k := i.mustIssue(generate, "phone")
	i.expect("set PIN", i.try("setTransactionPin", k, "493817"), "true")
	azure := clouds.Azure.Make("root")
	root := "file:" + i.dataDir + "/root.key"
	for _, url := range []string{
		"awskms:arn:aws:kms:eu-west-1:" + cloudtest.AWSAccount + ":alias/strongroom",
		"gcpkms:" + cloudtest.GoogleRing + "/cryptoKeys/strongroom",
		"azurekeyvault:" + azure.ID,
	} {
		if !strings.HasPrefix(url, "azure") {
			i.mustRoot(env, "root-key", "create", url)
		}
		i.mustRoot(env, "root-key", "rotate", "--data-dir", i.dataDir, "--root-key", root, "--to", url)
		root = url
		clouds.Cut("") // a provider that is away is no matter for a running server
		i.expect("with the cloud away", i.try("verifyTransactionPin", k, "493817"), "true")
		if code := i.stop(); code != 0 {
			t.Fatalf("exit code %d", code)
		}
		clouds.CutFor(2, "") // as often as a client tries
		i.args = []string{"--root-key", url}
		i.run()
		if !strings.Contains(i.log.String(), "waiting for a root key") {
			t.Error("a start did not say that it waits for the cloud")
		}
		i.expect("after a restart", i.try("verifyTransactionPin", k, "493817"), "true")
	}
	i.mustRoot(env, "audit", "verify", "--data-dir", i.dataDir, "--root-key", root)
	i.stop()
	clouds.Azure.Disable(azure, azure.Versions[0], true)
	out, code := strongroom(t, env, "serve", "--data-dir", i.dataDir, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--root-key", root)
	if code == 0 || !strings.Contains(out, "az keyvault key set-attributes --enabled true --id "+azure.ID) {
		t.Errorf("a start with a disabled key: exit code %d: %s", code, out)
	}
}

// mustRoot runs a command in an environment.
func (i *instance) mustRoot(env []string, args ...string) {
	i.t.Helper()
	if out, code := strongroom(i.t, env, args...); code != 0 {
		i.t.Fatalf("%s: exit code %d: %s", args, code, out)
	}
}
