package rootkey

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"strongroom/internal/crypto/seal"
	"strongroom/internal/rootkey/hsmtest"
)

// withHSM makes a token, and lets this process find the helper.
func withHSM(t *testing.T) *hsmtest.HSM {
	t.Helper()
	h := hsmtest.New(t)
	with(t, append(h.Env(), "PATH="+h.Helper+":"+os.Getenv("PATH")))
	return h
}

func mustCreate(t *testing.T, url string) {
	t.Helper()
	if err := Create(t.Context(), url); err != nil {
		t.Fatal(err)
	}
}

// newProcess forgets the helpers, as a new process of strongroom has none.
func newProcess() {
	hsms.mu.Lock()
	defer hsms.mu.Unlock()
	hsms.all = nil
}

func TestAKeyIsCreatedInAnHSMAndNeverLeavesIt(t *testing.T) {
	h := withHSM(t)
	url := h.URL("root")
	mustCreate(t, url)
	if err := Create(t.Context(), url); !errors.Is(err, fs.ErrExist) {
		t.Errorf("creating it again: %v", err)
	}
	shown := h.Tool("--list-objects", "--type", "secrkey")
	if !strings.Contains(shown, "AES length 32") || !strings.Contains(shown, "sensitive, always sensitive, never extractable") {
		t.Errorf("the token shows\n%s", shown)
	}
	holdsWrap(t, url)
}

// holdsWrap wraps with a key, and unwraps as later processes do.
func holdsWrap(t *testing.T, url string) {
	t.Helper()
	wrapped := mustWrap(t, url)
	if bytes.Contains(wrapped, []byte("keyset")) {
		t.Error("the wrap holds the plaintext")
	}
	id := mustOpen(t, url).ID()
	newProcess()
	if err := unwrap(t, url, wrapped); err != nil {
		t.Errorf("after a restart: %v", err)
	}
	root := mustOpen(t, url)
	if root.ID() != id || !strings.HasPrefix(id, "pkcs11:") {
		t.Errorf("the id is %s, and was %s", root.ID(), id)
	}
	if _, err := root.Unwrap(t.Context(), wrapped, []byte("another purpose")); !errors.Is(err, seal.ErrSeal) {
		t.Errorf("for another purpose: got %v, want ErrSeal", err)
	}
	for _, at := range []int{0, 1, len(wrapped) / 2, len(wrapped) - 1} {
		changed := bytes.Clone(wrapped)
		changed[at] ^= 1
		if _, err := root.Unwrap(t.Context(), changed, []byte("purpose")); !errors.Is(err, seal.ErrSeal) {
			t.Errorf("with byte %d changed: got %v, want ErrSeal", at, err)
		}
	}
	if _, err := root.Unwrap(t.Context(), nil, []byte("purpose")); !errors.Is(err, seal.ErrSeal) {
		t.Errorf("of nothing: got %v, want ErrSeal", err)
	}
	for _, long := range []byte{200, 253, 254, 255} { // the length of a nonce, for an AES key
		changed := append([]byte{wrapped[0], long}, make([]byte, 400)...)
		if _, err := root.Unwrap(t.Context(), changed, []byte("purpose")); !errors.Is(err, seal.ErrSeal) {
			t.Errorf("with a nonce of %d bytes: got %v, want ErrSeal", long, err)
		}
	}
}

// SoftHSM2 2.6 has OAEP with SHA-1 only, as some HSMs do.
func TestAnRSAKeyOfAnHSMUnwraps(t *testing.T) {
	h := withHSM(t)
	h.Tool("--keypairgen", "--key-type", "rsa:2048", "--label", "root", "--id", "01", "--usage-decrypt", "--sensitive")
	_, err := Open(t.Context(), h.URL("root"))
	failsWith(t, err, Invalid, "RSA-OAEP with SHA-256", "oaep-hash=sha-1")
	holdsWrap(t, h.URL("root")+"&oaep-hash=sha-1")
}

func TestAnotherHSMKeyWithTheSameNameIsDetected(t *testing.T) {
	h := withHSM(t)
	url := h.URL("root")
	mustCreate(t, url)
	wrapped, old := mustWrap(t, url), mustOpen(t, url).ID()
	h.Tool("--delete-object", "--type", "secrkey", "--label", "root")
	newProcess()
	err := unwrap(t, url, wrapped)
	failsWith(t, err, Missing, "no secret or private key", "restore it from the HSM's backup")
	if Passing(err) {
		t.Error("a start would wait for a deleted key")
	}
	mustCreate(t, url)
	if id := mustOpen(t, url).ID(); id == old {
		t.Error("another key has the same id")
	}
	if err := unwrap(t, url, wrapped); !errors.Is(err, seal.ErrSeal) {
		t.Errorf("another key: got %v, want ErrSeal", err)
	}
}

func TestAnHSMKeyDeletedWhileInUseIsReportedMissing(t *testing.T) {
	h := withHSM(t)
	mustCreate(t, h.URL("root"))
	wrapped, root := mustWrap(t, h.URL("root")), mustOpen(t, h.URL("root"))
	h.Tool("--delete-object", "--type", "secrkey", "--label", "root")
	_, err := root.Unwrap(t.Context(), wrapped, []byte("purpose"))
	failsWith(t, err, Missing, "object, id and type")
}

// A request that does not fit into a line would end the helper, and a start would wait.
func TestALongHSMURLReachesTheHelperOrIsRefused(t *testing.T) {
	h := withHSM(t)
	longest := strings.Repeat("%01", 1<<10) // JSON needs 6 bytes for each
	url := "pkcs11:object=" + longest + ";token=" + longest + ";model=" + longest + ";serial=" + longest + ";manufacturer=" + longest + ";id=" + longest +
		"?module-path=" + h.Module + "&pin-source=/" + longest[3:]
	_, err := Open(t.Context(), url)
	if ReasonOf(err) != Unreachable || !strings.Contains(err.Error(), "matches no token") {
		t.Errorf("the longest URL does not reach the token: %s", ReasonOf(err))
	}
	_, err = Open(t.Context(), strings.Replace(url, "object=", "object=x", 1))
	if err == nil || Passing(err) || ReasonOf(err) != Invalid || !strings.Contains(err.Error(), "the attribute object has 1025 bytes, and at most 1024 are allowed") {
		t.Errorf("with a longer value: %v", err)
	}
}

func TestUnsuitableHSMKeysAreRefused(t *testing.T) {
	h := withHSM(t)
	h.Tool("--keygen", "--key-type", "AES:32", "--label", "leaves", "--extractable")
	h.Tool("--keygen", "--key-type", "AES:16", "--label", "short", "--sensitive")
	mustCreate(t, h.URL("twice"))
	h.Tool("--keypairgen", "--key-type", "rsa:2048", "--label", "twice", "--id", "02", "--usage-decrypt", "--sensitive")
	for object, parts := range map[string][]string{
		"leaves": {"may leave the token", "root-key create"},
		"short":  {"256 bits"},
		"twice":  {"2 keys", "by id or type"},
	} {
		_, err := Open(t.Context(), h.URL(object))
		failsWith(t, err, Invalid, parts...)
	}
	mustOpen(t, strings.Replace(h.URL("twice"), ";", ";type=secret-key;", 1))
}

func TestWrongHSMTokensAndModulesAreExplained(t *testing.T) {
	h := withHSM(t)
	_, err := Open(t.Context(), strings.Replace(h.URL("root"), "token=bank", "token=bnak", 1))
	failsWith(t, err, Unreachable, `"bank"`, "correct token")
	h.InitToken("bank")
	newProcess()
	_, err = Open(t.Context(), h.URL("root"))
	failsWith(t, err, Invalid, "serial")
	_, err = Open(t.Context(), "pkcs11:object=root?module-path=/nowhere/libhsm.so")
	failsWith(t, err, Missing, "/nowhere/libhsm.so", "module-path")
	_, err = Open(t.Context(), "pkcs11:object=root?module-path="+h.PINFile)
	failsWith(t, err, Invalid, "cannot be loaded")
}

// A token locks itself after some wrong PINs. The health check of a server must not do
// that.
func TestAWrongPINIsTriedOnce(t *testing.T) {
	h := withHSM(t)
	mustCreate(t, h.URL("root"))
	mustCreate(t, h.URL("other"))
	before := h.Logins()
	newProcess()
	fails := func(url string) {
		_, err := Open(t.Context(), url)
		failsWith(t, err, Denied, "C_Login", "pin-source")
		if strings.Contains(err.Error(), "71829304") {
			t.Error("the message holds the PIN")
		}
		if Passing(err) || !WrongSecret(err) {
			t.Error("a start would try again")
		}
	}
	tried := func(want int) {
		t.Helper()
		if n := h.Logins() - before; n != want {
			t.Errorf("the token got %d wrong PINs, want %d", n, want)
		}
	}
	h.WritePIN("wrong-71829304\n")
	link := filepath.Join(t.TempDir(), "module.so")
	if err := os.Symlink(h.Module, link); err != nil {
		t.Fatal(err)
	}
	linked := strings.Replace(h.URL("root"), h.Module, link, 1)
	var together sync.WaitGroup
	for _, url := range []string{h.URL("root"), h.URL("other"), h.URL("root") + "&oaep-hash=sha-256", linked} {
		together.Go(func() { fails(url) })
	}
	together.Wait()
	for range 3 {
		fails(h.URL("root"))
		fails(linked)
	}
	h.WritePIN("wrong-71829304\n") // the same again
	fails(h.URL("root"))
	copied := filepath.Join(t.TempDir(), "pin")
	if err := os.WriteFile(copied, []byte("wrong-71829304"), 0o600); err != nil {
		t.Fatal(err)
	}
	fails(strings.Replace(h.URL("root"), h.PINFile, copied, 1))
	fails(strings.Replace(h.URL("root"), "token=bank", "model=SoftHSM%20v2", 1))
	tried(1)
	h.WritePIN("wrong again 71829304")
	fails(h.URL("root"))
	fails(h.URL("other"))
	tried(2)
	h.WritePIN("wrong-71829304") // the first one again
	fails(h.URL("other"))
	tried(2)
	h.WritePIN(hsmtest.PIN)
	mustOpen(t, h.URL("root"))
	mustOpen(t, h.URL("other"))
}

// A module that hangs, crashes or gives an unspecific code at the sign-in may have counted
// a wrong PIN. A start that waits for the HSM must not send it again and again.
func TestAPINWithoutAClearAnswerIsTriedOnce(t *testing.T) {
	h := withHSM(t)
	mustCreate(t, h.URL("root"))
	for fault, first := range map[string]Reason{"login-crash": Unavailable, "login-slow": Timeout, "login-error": Unavailable} {
		newProcess()
		h.Fault(fault)
		h.WritePIN("wrong-" + fault)
		before := h.Logins()
		if err := openWithin(t, h.URL("root"), 2*time.Second); ReasonOf(err) != first || !Passing(err) {
			t.Errorf("%s: got %v, want %s", fault, err, first)
		}
		for range 2 {
			err := openWithin(t, h.URL("root"), 2*time.Second)
			failsWith(t, err, Denied, "did not say whether this PIN is right", "after a restart")
			if Passing(err) || !WrongSecret(err) {
				t.Errorf("%s: a start would try again", fault)
			}
		}
		if n := h.Logins() - before; n != 1 {
			t.Errorf("%s: the token got the PIN %d times, want 1", fault, n)
		}
		h.Fault("")
		h.WritePIN(hsmtest.PIN)
		mustOpen(t, h.URL("root"))
	}
}

// The PIN is right, and the HSM was restarted or disconnected.
func TestAPINThatWorkedIsTriedAgainAfterAFailure(t *testing.T) {
	h := withHSM(t)
	mustCreate(t, h.URL("root")) // signs in
	for _, fault := range []string{"login-crash", "login-slow", "login-error"} {
		newProcess()
		h.Fault(fault)
		for range 2 {
			if err := openWithin(t, h.URL("root"), 2*time.Second); !Passing(err) {
				t.Errorf("%s: a start would give up: %v", fault, err)
			}
		}
		h.Fault("")
		mustOpen(t, h.URL("root"))
	}
	newProcess()
	h.WritePIN("another-71829304")
	h.Fault("login-removed") // so the PIN was not checked
	for range 2 {
		failsWith(t, openWithin(t, h.URL("root"), 2*time.Second), Unreachable, "CKR_DEVICE_REMOVED")
	}
}

func openWithin(t *testing.T, url string, limit time.Duration) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	_, err := Open(ctx, url)
	return err
}

// Two tokens may have different PINs.
func TestAPINThatOneTokenRefusedIsTriedAtAnother(t *testing.T) {
	h := withHSM(t)
	mustCreate(t, h.URL("root"))
	h.InitToken("second")
	url := strings.Replace(h.URL("root"), "token=bank", "token=second", 1)
	mustCreate(t, url)
	h.Tool("--change-pin", "--new-pin", "another-1")
	newProcess()
	_, err := Open(t.Context(), h.URL("root"))
	failsWith(t, err, Denied, "C_Login")
	mustOpen(t, url)
}

func TestALockedOrAlmostLockedPINIsReported(t *testing.T) {
	h := withHSM(t)
	mustCreate(t, h.URL("root"))
	before := h.Logins()
	for fault, want := range map[string]struct {
		reason Reason
		part   string
		logins int
	}{
		"locked-pin": {Disabled, "security officer", 0},
		"last-pin":   {Denied, "one more attempt", 0},
		"locks":      {Disabled, "security officer", 1},
	} {
		newProcess()
		h.Fault(fault)
		_, err := Open(t.Context(), h.URL("root"))
		failsWith(t, err, want.reason, want.part)
		if n := h.Logins() - before; n != want.logins {
			t.Errorf("%s: the PIN was tried %d times", fault, n)
		}
		before = h.Logins()
	}
}

func TestAPINFileMustBeSafe(t *testing.T) {
	h := withHSM(t)
	mustCreate(t, h.URL("root"))
	newProcess()
	if err := os.Chmod(h.PINFile, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), h.URL("root"))
	failsWith(t, err, Denied, h.PINFile, "chmod 600")
	_ = os.Remove(h.PINFile)
	_, err = Open(t.Context(), h.URL("root"))
	failsWith(t, err, Denied, h.PINFile, "does not exist")
	without, _, _ := strings.Cut(h.URL("root"), "&pin-source")
	_, err = Open(t.Context(), without)
	failsWith(t, err, Denied, "no pin-source")
}

func TestAnHSMFailureIsReportedAndTheHSMUsedAgain(t *testing.T) {
	h := withHSM(t)
	mustCreate(t, h.URL("root"))
	wrapped, root := mustWrap(t, h.URL("root")), mustOpen(t, h.URL("root"))
	for fault, want := range map[string]struct {
		reason Reason
		part   string
	}{
		"crash":   {Unavailable, "ended without an answer (exit status 2)"},
		"removed": {Unreachable, "CKR_DEVICE_REMOVED"},
		"error":   {Unavailable, "CKR_DEVICE_ERROR"},
		"slow":    {Timeout, "did not answer in time"},
	} {
		h.Fault(fault)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		started := time.Now()
		_, err := root.Unwrap(ctx, wrapped, []byte("purpose"))
		cancel()
		failsWith(t, err, want.reason, want.part)
		if !Passing(err) {
			t.Errorf("%s: a start would give up", fault)
		}
		if took := time.Since(started); took > 5*time.Second {
			t.Errorf("%s: the answer took %v", fault, took)
		}
		h.Fault("")
		if _, err := root.Unwrap(t.Context(), wrapped, []byte("purpose")); err != nil {
			t.Errorf("after %s: %v", fault, err)
		}
	}
}

// For data of another key, a start tells the operator that the key was created again.
func TestAMomentaryHSMFailureIsNotTakenForAnotherKey(t *testing.T) {
	h := withHSM(t)
	mustCreate(t, h.URL("root"))
	wrapped, root := mustWrap(t, h.URL("root")), mustOpen(t, h.URL("root"))
	h.Fault("once")
	if _, err := root.Unwrap(t.Context(), wrapped, []byte("purpose")); err != nil {
		t.Errorf("the HSM failed once, and then: %v", err)
	}
}

// The health check of a server sets no timeout of its own.
func TestAnHSMThatHangsTimesOut(t *testing.T) {
	h := withHSM(t)
	mustCreate(t, h.URL("root"))
	wrapped, root := mustWrap(t, h.URL("root")), mustOpen(t, h.URL("root"))
	before := askHSM
	t.Cleanup(func() { askHSM = before })
	askHSM = time.Second
	h.Fault("slow")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // of the test
	defer cancel()
	_, err := root.Unwrap(ctx, wrapped, []byte("purpose"))
	failsWith(t, err, Timeout, "did not answer in time")
	if ctx.Err() != nil {
		t.Error("only the timeout of the test ended the call, want that of the root key")
	}
}

func TestAMissingOrWrongHelperIsReported(t *testing.T) {
	h := withHSM(t)
	t.Setenv("PATH", t.TempDir())
	_, err := Open(t.Context(), h.URL("root"))
	failsWith(t, err, Missing, "there is no program strongroom-pkcs11", "make build")
	for script, part := range map[string]string{
		"exit 3":            "exit status 3",
		"read x; echo what": "same release",
		`read x; echo '{"failure":{"code":"protocol","detail":"another release"}}'`: "same release",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "strongroom-pkcs11"), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", dir)
		newProcess()
		_, err := Open(t.Context(), h.URL("root"))
		failsWith(t, err, ReasonOf(err), part)
	}
}

// A helper gets the variables that modules read, and no secret of the service.
func TestAHelperGetsNoSettingsOfTheService(t *testing.T) {
	h := withHSM(t)
	dir := t.TempDir()
	seen := filepath.Join(dir, "seen")
	if err := os.WriteFile(filepath.Join(dir, "strongroom-pkcs11"), []byte("#!/bin/sh\nenv > "+seen+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	with(t, []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "STRONGROOM_DATABASE=postgres://secret", "AWS_SECRET_ACCESS_KEY=secret", "VENDOR_HOME=/opt/vendor", "STRONGROOM_PKCS11_ENV=VENDOR_HOME"})
	_, _ = Open(t.Context(), h.URL("root"))
	text, err := os.ReadFile(seen)
	if err != nil || strings.Contains(string(text), "secret") || !strings.Contains(string(text), "VENDOR_HOME") || !strings.Contains(string(text), "SOFTHSM2_CONF") {
		t.Errorf("the helper's environment: %v\n%s", err, text)
	}
}

func TestAPINInAURLIsRefusedAndNotRepeated(t *testing.T) {
	for _, url := range []string{
		"pkcs11:object=root?module-path=/lib/hsm.so&pin-value=71829304",
		"pkcs11:object=root;pin-value=71829304?module-path=/lib/hsm.so",
		"pkcs11:object=root?module-path=/lib/hsm.so&pin=71829304",
		"pkcs11:object=root?module-path=/lib/hsm.so&pin%2Dvalue=71829304",
		"pkcs11:object=root?module-path=/lib/hsm.so&71829304",
		"pkcs11:object=root?module-path=/lib/hsm.so&pin-source=71829304",
		"pkcs11:object=root?module-path=/lib/hsm.so&pin-source=|echo%2071829304",
	} {
		_, err := Open(t.Context(), url)
		if err == nil || strings.Contains(err.Error(), "71829304") || !strings.Contains(err.Error(), "pin-source") {
			t.Errorf("%s: %v", url, err)
		}
	}
	if err := Check("pkcs11:token=a%20b;object=root;id=%01%ff?module-path=/lib/hsm.so&pin-source=file:///etc/pin"); err != nil {
		t.Error(err)
	}
}
