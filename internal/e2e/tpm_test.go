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
