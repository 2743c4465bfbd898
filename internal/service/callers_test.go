package service

import (
	"encoding/base64"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/store"
)

// testRequest has the form of a request id, so that verdicts are packed.
const testRequest = "testtesttesttesttesttestte"

const testIssuer = "https://login.example.com"

// openJWT is a vault whose callers have tokens. Its policy knows devices.
func openJWT(t *testing.T, tweak func(*Config)) *instance {
	t.Helper()
	return openVault(t, func(cfg *Config) {
		cfg.Mode = domain.ModeJWT
		cfg.Attempts.DeviceMax = 3
		if tweak != nil {
			tweak(cfg)
		}
	})
}

// as is the same vault, asked by a user.
func (v *instance) as(subject string, more ...func(*domain.Caller)) *instance {
	c := domain.Caller{Mode: v.cfg.Mode, Issuer: testIssuer, Subject: subject, RequestID: testRequest, Permissions: domain.OrdinaryPermissions}
	for _, change := range more {
		change(&c)
	}
	w := *v
	w.ctx = domain.WithOperator(domain.WithCaller(v.ctx, c), domain.Operator{})
	return &w
}

func may(p domain.Permission) func(*domain.Caller) {
	return func(c *domain.Caller) { c.Permissions |= p }
}

func only(p domain.Permission) func(*domain.Caller) {
	return func(c *domain.Caller) { c.Permissions = p }
}

func TestAccountsWithTheSameDeviceShareNothing(t *testing.T) {
	v := openJWT(t, nil)
	alice, bob := v.as("alice"), v.as("bob")
	a, b := alice.issue("phone"), bob.issue("phone")
	if a.KeyID == b.KeyID || cmp.Equal(a.PublicKey, b.PublicKey) {
		t.Fatal("two accounts were given one key pair for the same deviceId")
	}
	v.expect("alice sets", alice.setPIN(a, "8302"), "true")
	v.expect("bob sets", bob.setPIN(b, "6174"), "true")
	v.expect("alice verifies", alice.verifyPIN(a, "8302"), "true")
	v.expect("bob verifies her PIN with bob's key", bob.verifyPIN(b, "8302"), "false")

	second := alice.issue("tablet")
	v.expect("alice's other device", alice.verifyPIN(second, "8302"), "true")
	v.intact()
}

func TestAKeyOfAnotherAccountGetsTheAnswerOfAnUnknownKey(t *testing.T) {
	v := openJWT(t, func(cfg *Config) { cfg.DecryptionFailures = 2 })
	alice, bob := v.as("alice"), v.as("bob")
	a := alice.issue("phone")
	v.expect("alice sets", alice.setPIN(a, "8302"), "true")
	unknown := a
	unknown.KeyID = domain.NewID()

	asked := func(k domain.KeyPair) []string {
		garbage := submission(t, k, domain.TransactionPIN, "8302")
		garbage.Ciphertext = base64.StdEncoding.EncodeToString(make([]byte, 256))
		short := garbage
		short.Ciphertext = "AAAA"
		var answers []string
		for range 3 { // more often than the key's budget allows its owner
			for _, sub := range []domain.Submission{submission(t, k, domain.TransactionPIN, "8302"), garbage, short} {
				_, verify := bob.Verify(bob.ctx, sub)
				_, set := bob.Set(bob.ctx, sub)
				answers = append(answers, verify.Error(), set.Error())
			}
		}
		return answers
	}
	foreign := asked(a)
	if diff := cmp.Diff(asked(unknown), foreign); diff != "" {
		t.Errorf("a key of another account gets another answer than an unknown key (-unknown +foreign):\n%s", diff)
	}
	for _, answer := range foreign {
		if !strings.HasPrefix(answer, string(domain.CodeKeyNotUsable)) {
			t.Fatalf("answered %s", answer)
		}
	}
	v.expect("alice, after all that", alice.verifyPIN(a, "8302"), "true")
}

func TestAnInvalidKeyIDGetsTheAnswerOfAnUnknownKey(t *testing.T) {
	v := openJWT(t, nil)
	alice := v.as("alice")
	k := alice.issue("phone")
	for _, text := range []string{"\x00", k.KeyID + "\x00", "\x00" + k.KeyID[1:], k.KeyID + " ", strings.ToUpper(k.KeyID), "\ufffd", strings.Repeat("a", 60_000)} {
		sub := submission(t, k, domain.TransactionPIN, "8302")
		sub.KeyID = text
		_, err := alice.Verify(alice.ctx, sub)
		v.expect("verify", word(true, err), "KEY_NOT_USABLE")
		_, err = alice.Set(alice.ctx, sub)
		v.expect("set", word(true, err), "KEY_NOT_USABLE")
		_, err = alice.Status(alice.ctx, domain.StatusInput{KeyID: text, Type: domain.TransactionPIN})
		v.expect("the status", word(true, err), "KEY_NOT_USABLE")
		if t.Failed() {
			t.Fatalf("keyId %.40q", text)
		}
	}
	v.expect("a set under the key itself", alice.setPIN(k, "8302"), "true")
}

func TestAStolenDeviceLocksItselfBeforeItsOwner(t *testing.T) {
	v := openJWT(t, nil)
	alice := v.as("alice")
	phone, stolen := alice.issue("phone"), alice.issue("stolen")
	v.expect("set", alice.setPIN(phone, "8302"), "true")
	for range 3 {
		v.expect("a guess of the thief", alice.verifyPIN(stolen, "0000"), "false")
	}
	v.expect("the fourth", alice.verifyPIN(stolen, "8302"), "CREDENTIAL_LOCKED")
	v.expect("a set of the thief", alice.setPIN(stolen, "0000"), "CREDENTIAL_LOCKED")
	v.expect("the owner", alice.verifyPIN(phone, "8302"), "true")
	v.expect("the thief, for all that", alice.verifyPIN(stolen, "8302"), "CREDENTIAL_LOCKED")
	v.expect("the owner sets", alice.setPIN(phone, "6174"), "true")
	if n := v.events()[domain.EventDeviceLocked]; n != 1 {
		t.Errorf("the trail has %d entries of a locked device, want 1", n)
	}

	// After its lock the device has one attempt at a time, and the account's five
	// failures count from any device.
	v.clock.Advance(31 * time.Minute)
	v.expect("after the lock", alice.verifyPIN(stolen, "0000"), "false")
	v.expect("and one more", alice.verifyPIN(stolen, "6174"), "CREDENTIAL_LOCKED")
	v.expect("set", alice.setPIN(phone, "8302"), "true")
	for range 2 {
		v.expect("the owner errs", alice.verifyPIN(phone, "1111"), "false")
	}
	third := alice.issue("third")
	v.expect("another device errs", alice.verifyPIN(third, "1111"), "false")
	v.expect("and again", alice.verifyPIN(third, "1111"), "false")
	v.expect("now the account is locked", alice.verifyPIN(phone, "8302"), "CREDENTIAL_LOCKED")
	v.intact()
}

func TestAStrangerCannotLockAnAccount(t *testing.T) {
	v := openJWT(t, nil)
	alice, bob := v.as("alice"), v.as("bob")
	a, b := alice.issue("phone"), bob.issue("phone")
	v.expect("set", alice.setPIN(a, "8302"), "true")
	for range 10 {
		bob.verifyPIN(a, "0000") // her key
		bob.verifyPIN(b, "0000") // her deviceId
	}
	v.expect("alice", alice.verifyPIN(a, "8302"), "true")
	for range 6 {
		bob.RotateKey(bob.ctx, domain.Identity{DeviceID: "phone"})
	}
	v.expect("alice's key after bob's rotations", alice.verifyPIN(a, "8302"), "true")
}

func TestKeyGenerationsAreCountedPerAccountAndDevice(t *testing.T) {
	v := openJWT(t, func(cfg *Config) { cfg.EnforceKeyGenerationLimit = true })
	alice, bob := v.as("alice"), v.as("bob")
	for range 6 {
		bob.GenerateKey(bob.ctx, domain.Identity{DeviceID: "phone"})
	}
	if _, err := bob.GenerateKey(bob.ctx, domain.Identity{DeviceID: "phone"}); domain.CodeOf(err) != domain.CodeTooManyRequests {
		t.Fatalf("bob's own limit: %v", err)
	}
	alice.issue("phone")
}

func TestSetNeedsTheResetScopeWhileLocked(t *testing.T) {
	v := openJWT(t, nil)
	alice := v.as("alice")
	k := alice.issue("phone")
	v.expect("set", alice.setPIN(k, "8302"), "true")
	for range 3 {
		alice.verifyPIN(k, "0000")
	}
	v.expect("set while locked", alice.setPIN(k, "6174"), "CREDENTIAL_LOCKED")
	helpdesk := v.as("alice", may(domain.MayResetCredential))
	v.expect("verify is locked for all", helpdesk.verifyPIN(k, "8302"), "CREDENTIAL_LOCKED")
	v.expect("reset", helpdesk.setPIN(k, "6174"), "true")
	v.expect("the new one", alice.verifyPIN(k, "6174"), "true")
	if n := v.events()[domain.EventCredentialReset]; n != 1 {
		t.Errorf("the trail has %d resets, want 1", n)
	}
	v.expect("a set of the same caller without a lock", helpdesk.setPIN(k, "8302"), "true")
	if n := v.events()[domain.EventCredentialReset]; n != 1 {
		t.Errorf("a set without a lock was entered as a reset")
	}
	v.intact()
}

func TestEachOperationNeedsItsPermission(t *testing.T) {
	v := openJWT(t, nil)
	k := v.as("alice").issue("phone")
	ask := map[string]func(*instance) error{
		"issue": func(w *instance) error {
			_, err := w.GenerateKey(w.ctx, domain.Identity{DeviceID: "phone"})
			return err
		},
		"rotate": func(w *instance) error { _, err := w.RotateKey(w.ctx, domain.Identity{DeviceID: "spare"}); return err },
		"set": func(w *instance) error {
			_, err := w.Set(w.ctx, submission(t, k, domain.TransactionPIN, "8302"))
			return err
		},
		"verify": func(w *instance) error {
			_, err := w.Verify(w.ctx, submission(t, k, domain.TransactionPIN, "8302"))
			return err
		},
		"summary": func(w *instance) error { _, err := w.Summary(w.ctx, 1); return err },
	}
	allowed := map[domain.Permission][]string{
		domain.MayIssueKeys: {"issue", "rotate"}, domain.MayWriteCredential: {"set"}, domain.MayResetCredential: {"set"},
		domain.MayVerifyCredential: {"verify"}, domain.MayReadMetrics: {"summary"}, 0: nil,
	}
	for permission, may := range allowed {
		want := map[string]domain.Code{}
		got := map[string]domain.Code{}
		for name, request := range ask {
			want[name], got[name] = domain.CodeForbidden, domain.CodeOf(request(v.as("alice", only(permission))))
		}
		for _, name := range may {
			want[name] = ""
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("with %s only (-want +got):\n%s", permission, diff)
		}
	}
}

func TestACiphertextWorksOnceAcrossAllOperations(t *testing.T) {
	v := openVault(t, func(cfg *Config) { cfg.ReplayProtection = true })
	k := v.issue("phone")
	set := submission(t, k, domain.TransactionPIN, "8302")
	if _, err := v.Set(v.ctx, set); err != nil {
		t.Fatal(err)
	}
	raw, _ := base64.StdEncoding.DecodeString(set.Ciphertext)
	asPasscode := set
	asPasscode.Type, asPasscode.Declared = domain.Passcode, domain.Passcode
	respelled := set
	respelled.Ciphertext = " " + base64.RawURLEncoding.EncodeToString(raw) + "\n"
	for name, sub := range map[string]domain.Submission{"the same": set, "another type": asPasscode, "another spelling": respelled} {
		_, err := v.matches(v.ctx, sub)
		v.expect("verify with "+name, string(domain.CodeOf(err)), "CIPHERTEXT_REUSED")
		_, err = v.Set(v.ctx, sub)
		v.expect("set with "+name, string(domain.CodeOf(err)), "CIPHERTEXT_REUSED")
	}
	longer := set
	longer.Ciphertext = base64.StdEncoding.EncodeToString(append([]byte{0}, raw...))
	_, err := v.matches(v.ctx, longer)
	v.expect("a leading zero", string(domain.CodeOf(err)), "DECRYPTION_FAILED")

	// No attempt was used, and a kill forgets nothing.
	for range 4 {
		v.expect("a guess", v.verifyPIN(k, "0000"), "false")
	}
	right := submission(t, k, domain.TransactionPIN, "8302")
	ok, err := v.matches(v.ctx, right)
	v.expect("the fifth, right", word(ok, err), "true")
	v.kill()
	ok, err = v.matches(v.ctx, right)
	v.expect("again after a kill", word(ok, err), "CIPHERTEXT_REUSED")

	// A ciphertext that was sent during a lock is used too: anyone who captured it must not
	// be able to use it afterwards.
	for range 5 {
		v.verifyPIN(k, "0000")
	}
	locked := submission(t, k, domain.TransactionPIN, "8302")
	ok, err = v.matches(v.ctx, locked)
	v.expect("while locked", word(ok, err), "CREDENTIAL_LOCKED")
	v.clock.Advance(31 * time.Minute)
	ok, err = v.matches(v.ctx, locked)
	v.expect("after the lock", word(ok, err), "CIPHERTEXT_REUSED")
	v.intact()
}

func TestWithoutReplayProtectionACiphertextMayBeSentAgain(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	sub := submission(t, k, domain.TransactionPIN, "8302")
	if _, err := v.Set(v.ctx, sub); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		ok, err := v.matches(v.ctx, sub)
		v.expect("the same bytes", word(ok, err), "true")
	}
}

func TestTheCiphertextsOfAnEndedKeyAreSwept(t *testing.T) {
	v := openVault(t, func(cfg *Config) { cfg.ReplayProtection = true })
	ended, kept := v.issue("ended"), v.issue("kept")
	v.expect("set", v.setPIN(ended, "8302"), "true")
	v.expect("set", v.setPIN(kept, "8302"), "true")
	v.rotate("ended")
	for range 4 {
		if _, err := v.SweepCiphertexts(v.ctx); err != nil {
			t.Fatal(err)
		}
	}
	var left []string
	err := v.store.View(v.ctx, func(tx store.Tx) error {
		account, key, err := tx.NextCiphertextKey("", "")
		for ; err == nil; account, key, err = tx.NextCiphertextKey(account, key) {
			left = append(left, key)
		}
		return nil
	})
	if diff := cmp.Diff([]string{kept.KeyID}, left); err != nil || diff != "" {
		t.Errorf("keys with ciphertexts (-want +got):\n%s %v", diff, err)
	}
}

func TestACommonPINIsRefusedOnSetAndWrongOnVerify(t *testing.T) {
	list, err := domain.NewBlocklist(strings.NewReader("correct horse\n"))
	if err != nil {
		t.Fatal(err)
	}
	v := openVault(t, func(cfg *Config) { cfg.Blocklist = list })
	k := v.issue("phone")
	for typ, secret := range map[domain.CredentialType]string{domain.TransactionPIN: "1234", domain.Passcode: "correct horse"} {
		rule, err := v.Set(v.ctx, submission(t, k, typ, secret))
		if rule != domain.RuleTooCommon || err != nil {
			t.Errorf("setting %s: %q, %v", secret, rule, err)
		}
	}
	v.expect("verify", v.verifyPIN(k, "1234"), "false")
	v.expect("another", v.setPIN(k, "8302"), "true")
}

func TestACallerOverItsRateIsRefusedOrReported(t *testing.T) {
	rates := []domain.Rate{{Limit: 3, Window: time.Minute}, {Limit: 5, Window: time.Hour}}
	for mode, open := range map[string]func() *instance{
		"jwt":    func() *instance { return openJWT(t, func(cfg *Config) { cfg.CallerRates = rates }).as("alice") },
		"device": func() *instance { return openVault(t, func(cfg *Config) { cfg.CallerRates = rates }) },
	} {
		v := open()
		k := v.issue("phone")
		v.expect(mode+" set", v.setPIN(k, "8302"), "true")
		v.expect(mode+" verify", v.verifyPIN(k, "8302"), "true")
		v.expect(mode+" the fourth in a minute", v.verifyPIN(k, "8302"), "TOO_MANY_REQUESTS")
		v.clock.Advance(time.Minute)
		v.expect(mode+" a minute later", v.verifyPIN(k, "8302"), "true")
		v.expect(mode+" and again", v.verifyPIN(k, "8302"), "true")
		v.expect(mode+" the sixth in an hour", v.verifyPIN(k, "8302"), "TOO_MANY_REQUESTS")
	}

	m := metrics.New(prometheus.NewRegistry())
	v := openJWT(t, func(cfg *Config) { cfg.CallerRates, cfg.RatesReportOnly, cfg.Metrics = rates, true, m }).as("alice")
	for range 5 {
		v.issue("phone")
	}
	if !strings.Contains(v.log.String(), "a rate limit would refuse this request") {
		t.Error("report-only did not log that it would refuse the request")
	}
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if !strings.Contains(w.Body.String(), "\nstrongroom_limited_report_only_total{by=\"caller\"} 2\n") {
		t.Error("the requests that it let pass are not counted")
	}
}
