package e2e

import (
	"strings"
	"testing"

	"strongroom/internal/witness/place/placetest"
)

// The root key of a running server moves from a file into a TPM and back. A restart
// needs the same TPM.
func TestARootKeyMovesIntoATPMAndBack(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	socket, stop := placetest.TPM(t, state)
	i := start(t)
	k := i.mustIssue(generate, "phone")
	i.expect("set PIN", i.try("setTransactionPin", k, "493817"), "true")
	file, url := "file:"+i.dataDir+"/root.key", "tpm:"+socket+"?pcrs=7"
	i.mustRoot(nil, "root-key", "create", url)
	i.mustRoot(nil, "root-key", "rotate", "--data-dir", i.dataDir, "--root-key", file, "--to", url)
	i.expect("beside the rotation", i.try("verifyTransactionPin", k, "493817"), "true")
	i.stop()
	i.args = []string{"--root-key", url}
	i.run()
	i.expect("after a restart", i.try("verifyTransactionPin", k, "493817"), "true")
	stop()
	i.expect("without the TPM", i.try("verifyTransactionPin", k, "493817"), "true")
	socket, _ = placetest.TPM(t, state)
	again := "tpm:" + socket + "?pcrs=7"
	i.mustRoot(nil, "root-key", "create", file+"2")
	i.mustRoot(nil, "root-key", "rotate", "--data-dir", i.dataDir, "--root-key", again, "--to", file+"2")
	i.stop()
	out, code := strongroom(t, nil, "serve", "--data-dir", i.dataDir, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--root-key", again)
	if code == 0 || !strings.Contains(out, "wrong root key") {
		t.Errorf("a start with the former root key: exit code %d: %s", code, out)
	}
	i.args = []string{"--root-key", file + "2"}
	i.run()
	i.expect("from the file", i.try("verifyTransactionPin", k, "493817"), "true")
}

// systemd does not restart a service that ends with exit code 2. Each restart would cost
// an attempt, until the TPM locks itself.
func TestAWrongAuthorizationValueOfATPMEndsAStartForGood(t *testing.T) {
	t.Parallel()
	socket, _ := placetest.TPM(t, t.TempDir())
	right, dir := writeFile(t, "right"), t.TempDir()
	i := start(t)
	url := "tpm:" + socket + "?auth-file="
	i.mustRoot(nil, "root-key", "create", url+right)
	i.mustRoot(nil, "root-key", "rotate", "--data-dir", i.dataDir, "--root-key", "file:"+i.dataDir+"/root.key", "--to", url+right)
	i.stop()
	for keys, want := range map[string]int{
		url + writeFile(t, "wrong"):                                     2,
		"file:" + dir + "/missing.key," + url + writeFile(t, "another"): 2,
		"file:" + dir + "/missing.key":                                  1, // it may appear
	} {
		out, code := strongroom(t, nil, "serve", "--data-dir", i.dataDir, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--root-key", keys)
		if code != want || (want == 2) != strings.Contains(out, "check auth-file") {
			t.Errorf("with %s: exit code %d, want %d: %s", keys, code, want, out)
		}
	}
	i.args = []string{"--root-key", url + right}
	i.run()
}
