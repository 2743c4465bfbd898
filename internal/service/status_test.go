package service

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
)

// statusOf is the status of a caller's PIN.
func (v *instance) statusOf(k domain.KeyPair) domain.CredentialStatus {
	v.t.Helper()
	s, err := v.Status(v.ctx, domain.StatusInput{KeyID: k.KeyID, Type: domain.TransactionPIN})
	if err != nil {
		v.t.Fatal(err)
	}
	return s
}

// wrong is a wrong verdict about a PIN: how many attempts it says are left.
func (v *instance) wrong(k domain.KeyPair) int {
	v.t.Helper()
	is, err := v.Verify(v.ctx, submission(v.t, k, domain.TransactionPIN, "0000"))
	if err != nil || is.Match || is.AttemptsLeft == nil {
		v.t.Fatalf("a wrong PIN: %+v, %v", is, err)
	}
	return *is.AttemptsLeft
}

func TestTheStatusCountsDownToEachLock(t *testing.T) {
	v := openJWT(t, func(c *Config) { c.Attempts.DeviceMax = 0 })
	alice := v.as("alice")
	k := alice.issue("phone")
	if s := alice.statusOf(k); s.IsSet || s.AttemptsLeft != 5 || !s.UpdatedAt.IsZero() {
		t.Errorf("before the first set: %+v", s)
	}
	alice.expect("set", alice.setPIN(k, "8302"), "true")
	set := alice.credential(k).UpdatedAt
	for left := 4; left >= 0; left-- {
		if got := alice.wrong(k); got != left {
			t.Errorf("a wrong verdict says %d left, want %d", got, left)
		}
		s := alice.statusOf(k)
		if s.AttemptsLeft != left || !s.IsSet || s.PermanentlyLocked || !s.UpdatedAt.Equal(set) || s.LockedUntil.IsZero() != (left > 0) {
			t.Errorf("with %d left: %+v", left, s)
		}
	}
	for _, lock := range append(v.cfg.Attempts.Lockouts, 0) {
		s := alice.statusOf(k)
		if lock == 0 {
			break
		}
		if end := alice.attemptCounter(k).LockedUntil; !s.LockedUntil.Equal(end) {
			t.Errorf("locked until %v, want %v", s.LockedUntil, end)
		}
		alice.expect("a right PIN during the lock", alice.verifyPIN(k, "8302"), "CREDENTIAL_LOCKED")
		v.clock.Advance(lock)
		if s := alice.statusOf(k); s.AttemptsLeft != 1 || !s.LockedUntil.IsZero() {
			t.Errorf("after a lock of %v: %+v", lock, s)
		}
		if got := alice.wrong(k); got != 0 {
			t.Errorf("after a lock of %v a wrong verdict says %d left", lock, got)
		}
	}
	if s := alice.statusOf(k); !s.PermanentlyLocked || !s.LockedUntil.IsZero() || s.AttemptsLeft != 0 {
		t.Errorf("after the last lock: %+v", s)
	}
	v.intact()
}

func TestAStatusWhoseClientHangsUpIsNotARefusal(t *testing.T) {
	v := openJWT(t, nil)
	alice := v.as("alice")
	k := alice.issue("phone")
	gone, hangUp := context.WithCancel(alice.ctx)
	hangUp()
	if _, err := v.Status(gone, domain.StatusInput{KeyID: k.KeyID, Type: domain.TransactionPIN}); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v, want context.Canceled", err)
	}
	if strings.Contains(v.log.String(), "operation refused") {
		t.Errorf("logged as a refusal:\n%s", v.log)
	}
}

// A lower limit counts from the next failure on. It must not refuse an account without
// a lock that its owner and operators can see.
func TestALowerRollingLimitLocksAtTheNextFailure(t *testing.T) {
	limit := 20
	v := openJWT(t, func(c *Config) { c.Attempts.DeviceMax, c.Attempts.RollingMax = 0, limit })
	alice := v.as("alice")
	k := alice.issue("phone")
	alice.expect("set", alice.setPIN(k, "8302"), "true")
	for range 6 {
		alice.wrong(k)
		alice.expect("a right PIN", alice.verifyPIN(k, "8302"), "true")
	}
	limit = 3
	v.kill()
	alice = v.as("alice")
	alice.expect("a right PIN", alice.verifyPIN(k, "8302"), "true")
	if left := alice.statusOf(k).AttemptsLeft; left != 1 {
		t.Errorf("%d attempts left, want 1", left)
	}
	if left := alice.wrong(k); left != 0 {
		t.Errorf("a wrong verdict says %d left, want 0", left)
	}
	alice.expect("a right PIN after it", alice.verifyPIN(k, "8302"), "CREDENTIAL_LOCKED")
	if s := alice.statusOf(k); s.LockedUntil.IsZero() {
		t.Errorf("the status has no lock: %+v", s)
	}
	v.intact()
}

// A device has a smaller limit, and only its own caller is told of it.
func TestTheStatusCountsTheDevicesOwnAttempts(t *testing.T) {
	v := openJWT(t, nil) // three for each device
	alice := v.as("alice")
	phone, tablet := alice.issue("phone"), alice.issue("tablet")
	alice.expect("set", alice.setPIN(phone, "8302"), "true")
	for _, left := range []int{2, 1, 0} {
		if got := alice.wrong(phone); got != left {
			t.Errorf("a wrong verdict says %d left, want %d", got, left)
		}
	}
	if s := alice.statusOf(phone); s.AttemptsLeft != 0 || s.LockedUntil.IsZero() {
		t.Errorf("of the locked device: %+v", s)
	}
	if s := alice.statusOf(tablet); s.AttemptsLeft != 2 || !s.LockedUntil.IsZero() { // of the account's five
		t.Errorf("of the other device: %+v", s)
	}
	alice.mustReserve(tablet)
	if s := alice.statusOf(tablet); s.AttemptsLeft != 1 {
		t.Errorf("beside a pending attempt: %+v", s)
	}
	v.clock.Advance(time.Minute) // its process died
	if s := alice.statusOf(tablet); s.AttemptsLeft != 1 {
		t.Errorf("after the lease of the pending attempt: %+v", s)
	}
	if got := alice.wrong(tablet); got != 0 {
		t.Errorf("the fifth wrong verdict says %d left", got)
	}
	v.intact()
}

func TestAStatusCostsNoAttemptAndCountsAsNoOperation(t *testing.T) {
	v := openJWT(t, func(c *Config) { c.CallerRates = []domain.Rate{{Limit: 3, Window: time.Minute}} })
	alice := v.as("alice")
	k := alice.issue("phone")
	alice.wrong(k)
	before, entries := alice.attemptCounter(k), v.events()
	alice.statusOf(k)
	if diff := cmp.Diff(before, alice.attemptCounter(k)); diff != "" {
		t.Errorf("the counter (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(entries, v.events()); diff != "" {
		t.Errorf("the trail (-before +after):\n%s", diff)
	}
	_, err := v.Status(alice.ctx, domain.StatusInput{KeyID: k.KeyID, Type: domain.TransactionPIN})
	v.code("above the rate", err, domain.CodeTooManyRequests, "Retry-After")
	v.clock.Advance(time.Minute)
	sum, err := v.Summary(alice.ctx, 1)
	if err != nil || sum.TotalOperations != 2 {
		t.Errorf("%v operations, want a generate and a verify (%v)", sum.TotalOperations, err)
	}
}

func TestTheStatusIsOnlyForTheAccountsOwnCaller(t *testing.T) {
	v := openJWT(t, nil)
	alice, bob := v.as("alice"), v.as("bob")
	old := alice.issue("phone")
	k := alice.rotate("phone")
	bob.issue("bob's phone")
	alice.expect("set", alice.setPIN(k, "8302"), "true")
	only := func(p domain.Permission) *instance {
		return v.as("alice", func(c *domain.Caller) { c.Permissions = p })
	}
	for name, tt := range map[string]struct {
		caller *instance
		keyID  string
		want   domain.Code
		says   string
	}{
		"of another account":     {bob, k.KeyID, domain.CodeKeyNotUsable, ""},
		"with an unknown key":    {alice, domain.NewID(), domain.CodeKeyNotUsable, ""},
		"with a key of a cell":   {alice, domain.NewKeyID("eu1"), domain.CodeKeyNotUsable, ""},
		"with a rotated key":     {alice, old.KeyID, domain.CodeKeyNotUsable, ""},
		"without a key":          {alice, "", domain.CodeBadUserInput, "keyId"},
		"with metrics:read only": {only(domain.MayReadMetrics), k.KeyID, domain.CodeForbidden, "credential:"},
		"with verify only":       {only(domain.MayVerifyCredential), k.KeyID, "", ""},
		"with write only":        {only(domain.MayWriteCredential), k.KeyID, "", ""},
	} {
		_, err := tt.caller.Status(tt.caller.ctx, domain.StatusInput{KeyID: tt.keyID, Type: domain.TransactionPIN})
		v.code(name, err, tt.want, tt.says)
	}

	bound := alice.with(proving("A")).issue("tablet")
	_, err := v.Status(alice.ctx, domain.StatusInput{KeyID: bound.KeyID, Type: domain.TransactionPIN})
	v.expect("with a bound key and no proof", reason(err), domain.ReasonDPoPProofRequired)
}

// In device mode anyone can name any key, so only the key that the device is bound
// to proves the caller.
func TestInDeviceModeTheStatusNeedsAProof(t *testing.T) {
	v := openVault(t, nil)
	owner, thief := v.with(proving("A")), v.with(proving("B"))
	free, bound := v.issue("tablet"), owner.issue("phone")
	for name, tt := range map[string]struct {
		caller *instance
		keyID  string
		want   string
	}{
		"a stranger":                      {v, bound.KeyID, domain.ReasonCallerUnproven},
		"a stranger with an unknown key":  {v, domain.NewID(), domain.ReasonCallerUnproven},
		"a stranger with an unbound key":  {v, free.KeyID, domain.ReasonCallerUnproven},
		"a proof, and an unbound key":     {owner, free.KeyID, domain.ReasonCallerUnproven},
		"a proof by another key":          {thief, bound.KeyID, domain.ReasonDPoPProofInvalid},
		"a proof by the device's own key": {owner, bound.KeyID, ""},
	} {
		_, err := tt.caller.Status(tt.caller.ctx, domain.StatusInput{KeyID: tt.keyID, Type: domain.TransactionPIN})
		v.expect(name, reason(err), tt.want)
	}
	if left := owner.wrong(bound); left != 4 {
		t.Errorf("a wrong verdict to the owner says %d left", left)
	}
	for _, caller := range []*instance{v, owner} {
		is, err := caller.Verify(caller.ctx, submission(t, free, domain.TransactionPIN, "0000"))
		if err != nil || is.AttemptsLeft != nil {
			t.Errorf("a wrong verdict about an unbound key: %+v, %v", is, err)
		}
	}
}

func TestAStatusOfEditedRowsIsRefused(t *testing.T) {
	for _, edit := range []string{"UPDATE attempts SET failures = 0", "UPDATE credential SET sealed = (SELECT sealed FROM device_key)"} {
		v := openJWT(t, nil)
		alice := v.as("alice")
		k := alice.issue("phone")
		alice.expect("set", alice.setPIN(k, "8302"), "true")
		alice.wrong(k)
		v.insider().write(edit)
		s, err := v.Status(alice.ctx, domain.StatusInput{KeyID: k.KeyID, Type: domain.TransactionPIN})
		if err == nil || s != (domain.CredentialStatus{}) {
			t.Errorf("%s: %+v, %v", edit, s, err)
		}
		v.tamperingWasSeen()
	}
}

func TestASecretMarkedForChangeWorksUntilItIsReplaced(t *testing.T) {
	v := openJWT(t, func(c *Config) { c.History = 2 })
	alice := v.as("alice")
	k := alice.issue("phone")
	id := v.accountID(domain.ModeJWT, testIssuer, "alice")
	op := v.by("olga", domain.RoleOperator, "req1")
	mark := func(as *instance, accountID string) error {
		_, err := v.RequireChange(as.ctx, accountID, domain.TransactionPIN, domain.Act{Reason: "leaked"})
		return err
	}
	v.code("where nothing is set", mark(op, id), domain.CodeNotFound, "credential")
	alice.expect("set", alice.setPIN(k, "8302"), "true")
	v.code("by a viewer", mark(v.by("eve", domain.RoleViewer, "req0"), id), domain.CodeForbidden, "operator")
	v.code("of no account", mark(op, domain.NewID()), domain.CodeNotFound, "account")

	verify := func(pin string, match, must bool) {
		t.Helper()
		is, err := v.Verify(alice.ctx, submission(t, k, domain.TransactionPIN, pin))
		if err != nil || is.Match != match || is.MustChange != must {
			t.Errorf("verify %s: %+v, %v", pin, is, err)
		}
		if s := alice.statusOf(k); s.MustChange != (must || !match) {
			t.Errorf("status after %s: %+v", pin, s)
		}
	}
	verify("8302", true, false)
	before := alice.credential(k)
	v.code("by an operator", mark(op, id), "", "")
	v.code("again", mark(op, id), domain.CodeConflict, "already")
	if after := alice.credential(k); after.Version != before.Version+1 || !after.UpdatedAt.Equal(before.UpdatedAt) {
		t.Errorf("the credential is %+v, was %+v", after, before)
	}
	verify("8302", true, true)
	verify("0000", false, false)
	tweak := v.tweak
	v.tweak = func(c *Config) { // the next successful verify stores the verifier anew
		tweak(c)
		c.Verifier.Time++
	}
	v.kill()
	alice = v.as("alice")
	verify("8302", true, true)
	verify("8302", true, true)
	if n := v.events()[domain.EventCredentialRehashed]; n != 1 {
		t.Errorf("the verifier was stored anew %d times", n)
	}
	info, err := v.Account(op.ctx, id)
	if err != nil || !info.Credentials[1].MustChange || info.Credentials[0].MustChange || info.Credentials[1].AttemptsLeft != 5 {
		t.Errorf("operators see %+v, %v", info, err)
	}

	alice.expect("set the same PIN", alice.setPIN(k, "8302"), "false") // it is in the history
	verify("8302", true, true)
	alice.expect("set", alice.setPIN(k, "7415"), "true")
	verify("7415", true, false)
	alice.expect("set a previous PIN", alice.setPIN(k, "8302"), "false") // the mark does not hide it there
	if entries := v.entriesOf(domain.EventCredentialMarked); len(entries) != 1 || entries[0].Reason != "leaked" || entries[0].Actor != "operator:olga" {
		t.Errorf("the trail says %+v", entries)
	}
	v.intact()
}

func TestOnlyAResetCanSetASecretMarkedForChange(t *testing.T) {
	v := openJWT(t, nil)
	alice, helpdesk := v.as("alice"), v.as("alice", may(domain.MayResetCredential))
	k := alice.issue("phone")
	set := func(ctx context.Context, must bool) error {
		sub := submission(t, k, domain.TransactionPIN, "8302")
		sub.MustChange = &must
		_, err := v.Set(ctx, sub)
		return err
	}
	v.code("by the user", set(alice.ctx, true), domain.CodeForbidden, "credential:reset")
	if s := alice.statusOf(k); s.IsSet {
		t.Errorf("it was set: %+v", s)
	}
	for _, must := range []bool{true, false, true} {
		v.code("by the help desk", set(helpdesk.ctx, must), "", "")
		if s := alice.statusOf(k); s.MustChange != must {
			t.Errorf("set with %v: %+v", must, s)
		}
	}
	v.code("by the user", set(alice.ctx, false), "", "")
	if s := alice.statusOf(k); s.MustChange {
		t.Errorf("set by the user: %+v", s)
	}
	var outcomes []string
	for _, e := range v.entriesOf(domain.EventCredentialSet) {
		outcomes = append(outcomes, e.Outcome)
	}
	if diff := cmp.Diff([]string{"must_change", "ok", "must_change", "ok"}, outcomes); diff != "" {
		t.Errorf("the trail (-want +got):\n%s", diff)
	}
	v.intact()
}
