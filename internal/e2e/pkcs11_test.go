package e2e

import (
	"strings"
	"testing"

	"strongroom/internal/rootkey/hsmtest"
)

// The root key of a running server moves from a file into an HSM and back. The static
// binary uses the HSM through its helper, and no request waits for it.
func TestARootKeyMovesIntoAnHSMAndBack(t *testing.T) {
	t.Parallel()
	h := hsmtest.New(t)
	env := append(h.Env(), "PATH="+h.Helper)
	i := startWith(t, env)
	k := i.mustIssue(generate, "phone")
	i.expect("set PIN", i.try("setTransactionPin", k, "493817"), "true")
	file, hsm := "file:"+i.dataDir+"/root.key", h.URL("root")
	i.mustRoot(env, "root-key", "create", hsm)
	i.mustRoot(env, "root-key", "rotate", "--data-dir", i.dataDir, "--root-key", file, "--to", hsm)
	h.Fault("error")
	i.expect("while the HSM fails", i.try("verifyTransactionPin", k, "493817"), "true")
	if code := i.stop(); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	h.Fault("")
	i.args = []string{"--root-key", hsm}
	i.run()
	i.expect("after a restart", i.try("verifyTransactionPin", k, "493817"), "true")
	i.mustRoot(env, "audit", "verify", "--data-dir", i.dataDir, "--root-key", hsm)
	if out, code := strongroom(t, env, "root-key", "list", "--data-dir", i.dataDir, "--root-key", file); code == 0 && strings.Contains(out, "opens") {
		t.Errorf("the file still opens the database: %s", out)
	}
	again := "file:" + i.dataDir + "/again.key"
	i.mustRoot(env, "root-key", "create", again)
	i.mustRoot(env, "root-key", "rotate", "--data-dir", i.dataDir, "--root-key", hsm, "--to", again)
	i.stop()
	i.args = []string{"--root-key", again}
	i.run()
	i.expect("with a file again", i.try("verifyTransactionPin", k, "493817"), "true")

	// Beside a key in an HSM, the file is removed only while the HSM opens the database.
	i.mustRoot(env, "root-key", "add", hsm, "--data-dir", i.dataDir, "--root-key", again)
	h.Fault("error")
	out, code := strongroom(t, env, "root-key", "remove", again, "--data-dir", i.dataDir, "--root-key", again)
	if code == 0 || !strings.Contains(out, "no server could start without it") || !strings.Contains(out, "CKR_DEVICE_ERROR") {
		t.Errorf("removing the file while the HSM fails: exit code %d: %s", code, out)
	}
	h.Fault("")
	i.mustRoot(env, "root-key", "remove", again, "--data-dir", i.dataDir, "--root-key", again)
	i.stop()
	i.args = []string{"--root-key", hsm}
	i.run()
	i.expect("with the HSM alone", i.try("verifyTransactionPin", k, "493817"), "true")
	if strings.Contains(i.log.String(), hsmtest.PIN) {
		t.Error("the log holds the PIN of the token")
	}
}

// A start with an HSM key that cannot be used ends with the cause and a remedy.
func TestAFailedStartWithAnHSMExplainsTheCause(t *testing.T) {
	t.Parallel()
	h := hsmtest.New(t)
	env := append(h.Env(), "PATH="+h.Helper)
	i := startWith(t, env)
	file, hsm := "file:"+i.dataDir+"/root.key", h.URL("root")
	i.mustRoot(env, "root-key", "create", hsm)
	i.mustRoot(env, "root-key", "rotate", "--data-dir", i.dataDir, "--root-key", file, "--to", hsm)
	i.stop()
	refused := func(url string, env []string, part string) (code int) {
		t.Helper()
		out, code := strongroom(t, env, "serve", "--data-dir", i.dataDir, "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--root-key", url)
		if code == 0 || !strings.Contains(out, part) || strings.Contains(out, hsmtest.PIN) {
			t.Errorf("exit code %d, want %q without the PIN: %s", code, part, out)
		}
		return code
	}
	refused(hsm+"&pin-value="+hsmtest.PIN, env, "write the PIN to a file")
	refused(hsm, h.Env(), "there is no program strongroom-pkcs11")
	h.WritePIN("123456")
	if code := refused(hsm, env, "write the right PIN to the file of pin-source"); code != 2 { // systemd does not restart it
		t.Errorf("with a wrong PIN: exit code %d", code)
	}
	h.WritePIN("654321")
	h.Fault("login-error") // the HSM does not say that the PIN is wrong
	before := h.Logins()
	if code := refused(hsm, env, "did not say whether this PIN is right"); code != 2 || h.Logins() != before+1 {
		t.Errorf("with a PIN without a clear answer: exit code %d, and %d logins, want 2 and 1", code, h.Logins()-before)
	}
	h.Fault("")
	h.WritePIN(hsmtest.PIN)
	h.Tool("--delete-object", "--type", "secrkey", "--label", "root")
	refused(hsm, env, "restore it from the HSM's backup")
	i.mustRoot(env, "root-key", "create", hsm)
	refused(hsm, env, "wrong root key")
}

// Keys with the same label and the same short CKA_ID have one id, and only one of them
// wraps the database: a key in a second token, or the key that was created again.
func TestAnotherHSMKeyWithTheIDOfTheRootKeyIsExplained(t *testing.T) {
	t.Parallel()
	h := hsmtest.New(t)
	h.InitToken("second")
	env := append(h.Env(), "PATH="+h.Helper)
	i := startWith(t, env)
	hsm := strings.Replace(h.URL("root"), "object=root", "object=root;id=%01", 1)
	second := strings.Replace(hsm, "token=bank", "token=second", 1)
	i.mustRoot(env, "root-key", "create", hsm)
	i.mustRoot(env, "root-key", "create", second)
	i.mustRoot(env, "root-key", "rotate", "--data-dir", i.dataDir, "--root-key", "file:"+i.dataDir+"/root.key", "--to", hsm)
	i.stop()
	says := func(parts []string, args ...string) {
		t.Helper()
		out, code := strongroom(t, env, append(args, "--data-dir", i.dataDir, "--root-key", hsm)...)
		for _, part := range parts {
			if code == 0 || !strings.Contains(out, part) {
				t.Errorf("%v: exit code %d, want %q: %s", args, code, part, out)
			}
		}
	}
	other := []string{"is another key", "(" + hsm + ")", "with another id"}
	says(other, "root-key", "add", second)
	says(other, "root-key", "rotate", "--to", second)
	says([]string{"wraps the database already"}, "root-key", "add", hsm)
	h.Tool("--delete-object", "--type", "secrkey", "--label", "root")
	i.mustRoot(env, "root-key", "create", hsm)
	says([]string{"wrong root key", "deleted and created again"}, "serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0")
}
