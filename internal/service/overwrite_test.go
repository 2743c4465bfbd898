package service

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"

	"strongroom/internal/crypto/verifier"
	"strongroom/internal/domain"
	"strongroom/internal/metrics"
	"strongroom/internal/store"
)

// replacement is a set that carries the current PIN.
func replacement(t testing.TB, k domain.KeyPair, current, pin string) domain.Submission {
	t.Helper()
	sub := submission(t, k, domain.TransactionPIN, pin)
	sub.Current = new(submission(t, k, domain.TransactionPIN, current).Ciphertext)
	return sub
}

// replacePIN answers "true", the rule by which nothing was set, or a code.
func (v *instance) replacePIN(k domain.KeyPair, current, pin string) string {
	v.t.Helper()
	rule, err := v.Set(v.ctx, replacement(v.t, k, current, pin))
	if err == nil && rule != "" {
		return string(rule)
	}
	return word(true, err)
}

// attemptCounter returns an account's attempt counter for its PIN.
func (v *instance) attemptCounter(k domain.KeyPair) (a domain.Attempts) {
	v.t.Helper()
	v.view(func(tx store.Tx) error {
		key, err := tx.Key(k.KeyID)
		if err == nil {
			a, err = tx.Attempts(key.AccountID, domain.TransactionPIN)
		}
		if errors.Is(err, store.ErrNotFound) {
			return nil
		}
		return errors.Join(err, v.records.CheckAttempts(a))
	})
	return a
}

func TestTheCurrentPINOfASetCountsLikeAVerify(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	v.expect("replace", v.replacePIN(k, "8302", "6174"), "true")
	v.expect("which is set", v.verifyPIN(k, "6174"), "true")

	v.expect("a wrong one", v.replacePIN(k, "0000", "9041"), "CURRENT_MISMATCH")
	v.expect("set nothing", v.verifyPIN(k, "9041"), "false")
	v.expect("a third guess", v.replacePIN(k, "1111", "9041"), "CURRENT_MISMATCH")
	if n := v.attemptCounter(k).Failures; n != 3 {
		t.Errorf("%d failures were counted, want 3", n)
	}
	v.expect("the right one", v.replacePIN(k, "6174", "9041"), "true")
	a := v.attemptCounter(k)
	if a.Failures != 0 || len(a.Pending) != 0 || a.VerifiedAt.IsZero() {
		t.Errorf("after a right one: %d failures, %d pending, last right answer %v", a.Failures, len(a.Pending), a.VerifiedAt)
	}

	v.expect("a new one that policy forbids costs nothing", v.replacePIN(k, "0000", "12"), "TOO_SHORT")
	for range 5 {
		v.expect("a guess", v.replacePIN(k, "0000", "5063"), "CURRENT_MISMATCH")
	}
	v.expect("locked for set", v.replacePIN(k, "9041", "5063"), "CREDENTIAL_LOCKED")
	v.expect("and for verify", v.verifyPIN(k, "9041"), "CREDENTIAL_LOCKED")
	n := v.events()
	if n[domain.EventCredentialMismatch] != 8 || n[domain.EventCredentialLocked] != 1 || n[domain.EventOverwriteRefused] != 7 {
		t.Errorf("the trail has %v", n)
	}
	v.intact()
}

// "Nothing set" and "wrong" must look the same.
func TestACurrentPINIsWrongIfNoneIsSet(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	hashes := hashCounter(v)
	v.expect("with a current one", v.replacePIN(k, "8302", "6174"), "CURRENT_MISMATCH")
	v.expect("set nothing", v.verifyPIN(k, "6174"), "false")
	if a, n := v.attemptCounter(k), hashes(); a.Failures != 2 || n != 2 {
		t.Errorf("%d failures and %v hashes, want 2 each", a.Failures, n)
	}
	v.expect("the first", v.setPIN(k, "6174"), "true")
	v.intact()
}

// hashCounter reads how many Argon2id hashes the vault did since the call.
func hashCounter(v *instance) func() int {
	did := v.hashes()
	return func() int { return did()[verifier.Argon2id] }
}

func TestASettingMakesReplacementsRequireTheCurrentPIN(t *testing.T) {
	v := openJWT(t, func(cfg *Config) { cfg.OverwriteRequiresCurrent = true })
	alice := v.as("alice")
	k := alice.issue("phone")
	v.expect("the first needs none", alice.setPIN(k, "8302"), "true")
	v.expect("a right answer proves nothing", alice.verifyPIN(k, "8302"), "true")
	_, err := alice.Set(alice.ctx, submission(t, k, domain.TransactionPIN, "6174"))
	if refusal := (*domain.Error)(nil); !errors.As(err, &refusal) || refusal.Code != domain.CodeForbidden || refusal.Reason != domain.ReasonCurrentRequired {
		t.Errorf("without it: %v, want that the current one is required", err)
	}
	if n := alice.attemptCounter(k).Failures; n != 0 {
		t.Errorf("that cost %d attempts", n)
	}
	v.expect("a wrong one", alice.replacePIN(k, "0000", "6174"), "CURRENT_MISMATCH")
	v.expect("the right one", alice.replacePIN(k, "8302", "6174"), "true")
	v.expect("a caller with credential:reset", v.as("alice", may(domain.MayResetCredential)).setPIN(k, "9041"), "true")
	v.intact()
}

func TestAnOverwriteNeedsARecentSignInAndTheCurrentPIN(t *testing.T) {
	v := openJWT(t, func(cfg *Config) {
		cfg.OverwriteMaxAuthAge, cfg.OverwriteRequiresCurrent = 5*time.Minute, true
	})
	signedIn := func(ago time.Duration) *instance {
		return v.as("alice", func(c *domain.Caller) { c.AuthenticatedAt = v.clock.Now().Add(-ago) })
	}
	alice := v.as("alice")
	k := alice.issue("phone")
	v.expect("no sign-in, where nothing is set", alice.replacePIN(k, "8302", "6174"), "FORBIDDEN")
	v.expect("the first needs neither", alice.setPIN(k, "8302"), "true")
	v.expect("no sign-in", alice.replacePIN(k, "8302", "6174"), "FORBIDDEN")
	v.expect("an old one", signedIn(time.Hour).replacePIN(k, "8302", "6174"), "FORBIDDEN")
	v.expect("a fresh one alone", signedIn(time.Minute).setPIN(k, "6174"), "FORBIDDEN")
	v.expect("both", signedIn(time.Minute).replacePIN(k, "8302", "6174"), "true")
	if n := alice.attemptCounter(k).Failures; n != 0 {
		t.Errorf("refusals cost %d attempts", n)
	}
	for name, c := range map[string]struct {
		who     *instance
		remedy  string
		another string
	}{
		"no sign-in": {alice, "auth_time", "Sign in again"},
		"an old one": {signedIn(time.Hour), "Sign in again", "auth_time"},
	} {
		_, err := c.who.Set(c.who.ctx, replacement(t, k, "6174", "9041"))
		if domain.ReasonOf(err) != domain.ReasonSignInRequired || !strings.Contains(err.Error(), c.remedy) || strings.Contains(err.Error(), c.another) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if log := v.log.String(); !strings.Contains(log, "reason=SIGN_IN_REQUIRED") || !strings.Contains(log, "reason=CURRENT_REQUIRED") {
		t.Errorf("the log lacks the reasons of refusals:\n%s", log)
	}
	reasons := map[string]int{}
	v.eachEntry(func(e domain.Entry) {
		if e.Event == domain.EventOverwriteRefused {
			reasons[e.Outcome]++
		}
	})
	if diff := cmp.Diff(map[string]int{"SIGN_IN_REQUIRED": 5, "CURRENT_REQUIRED": 1}, reasons); diff != "" {
		t.Errorf("refusals in the trail (-want +got):\n%s", diff)
	}
	v.intact()
}

func TestRefusedOverwritesAreRateLimited(t *testing.T) {
	m := metrics.New(prometheus.NewRegistry())
	v := openJWT(t, func(cfg *Config) { cfg.OverwriteRequiresCurrent, cfg.Metrics = true, m })
	alice := v.as("alice")
	k := alice.issue("phone")
	v.expect("set", alice.setPIN(k, "8302"), "true")
	for range 10 {
		v.expect("without the current PIN", alice.setPIN(k, "6174"), "FORBIDDEN")
	}
	v.expect("once more", alice.setPIN(k, "6174"), "TOO_MANY_REQUESTS")
	v.expect("once more", alice.setPIN(k, "6174"), "TOO_MANY_REQUESTS")
	v.expect("the owner, who knows it", alice.replacePIN(k, "8302", "5927"), "true")
	v.expect("a verify goes on", alice.verifyPIN(k, "5927"), "true")
	passcode, err := alice.Set(alice.ctx, submission(t, k, domain.Passcode, "correct horse"))
	v.expect("so does the passcode", word(passcode == "", err), "true")
	b := v.as("bob").issue("phone")
	v.expect("so does bob", v.as("bob").setPIN(b, "8302"), "true")
	v.expect("so does a caller with credential:reset", v.as("alice", may(domain.MayResetCredential)).setPIN(k, "9041"), "true")
	v.clock.Advance(15 * time.Minute)
	v.expect("after a while", alice.replacePIN(k, "9041", "6174"), "true")
	if n := v.events()[domain.EventOverwriteRefused]; n != 10 {
		t.Errorf("%d refusals are in the trail, want %d", n, 10)
	}
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for _, want := range []string{`strongroom_overwrites_refused_total{reason="CURRENT_REQUIRED"} 10`,
		`strongroom_overwrites_refused_total{reason="CURRENT_MISMATCH"} 0`, `strongroom_limited_total{by="refused_overwrites"} 2`} {
		if !strings.Contains(w.Body.String(), "\n"+want+"\n") {
			t.Errorf("the metrics lack %s", want)
		}
	}
}

func TestBothCiphertextsOfAReplacementAreSpent(t *testing.T) {
	v := openVault(t, func(cfg *Config) { cfg.ReplayProtection = true })
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	again := func(what string, sub domain.Submission, want string) {
		t.Helper()
		sub.Current = nil
		ok, err := v.matches(v.ctx, sub)
		v.expect(what, word(ok, err), want)
	}
	sub := replacement(t, k, "8302", "6174")
	rule, err := v.Set(v.ctx, sub)
	v.expect("replace", word(rule == "", err), "true")
	again("the new one", sub, "CIPHERTEXT_REUSED")
	again("the current one", domain.Submission{Type: sub.Type, Declared: sub.Type, KeyID: k.KeyID, Ciphertext: *sub.Current}, "CIPHERTEXT_REUSED")

	// A new ciphertext sent together with a repeat is used too.
	mixed := replacement(t, k, "6174", "9041")
	mixed.Current = sub.Current
	_, err = v.Set(v.ctx, mixed)
	v.expect("with an old current one", word(true, err), "CIPHERTEXT_REUSED")
	again("the new one beside it", mixed, "CIPHERTEXT_REUSED")

	same := submission(t, k, domain.TransactionPIN, "6174")
	same.Current = &same.Ciphertext
	_, err = v.Set(v.ctx, same)
	v.expect("one ciphertext for both", word(true, err), "CIPHERTEXT_REUSED")

	verified := submission(t, k, domain.TransactionPIN, "6174")
	ok, err := v.matches(v.ctx, verified)
	v.expect("verify", word(ok, err), "true")
	_, err = v.Set(v.ctx, verified)
	v.expect("the same ciphertext for set", word(true, err), "CIPHERTEXT_REUSED")
}

// A ciphertext that was made for verify and intercepted before it arrived must
// not set a PIN.
func TestALabelledCiphertextServesItsPurposeOnly(t *testing.T) {
	for _, required := range []bool{false, true} {
		v := openVault(t, func(cfg *Config) { cfg.PurposeRequired = required })
		k := v.issue("phone")
		public, err := x509.ParsePKIXPublicKey(k.PublicKey)
		if err != nil {
			t.Fatal(err)
		}
		seal := func(pin, label string) string {
			ct, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, public.(*rsa.PublicKey), []byte(pin), []byte(label))
			if err != nil {
				t.Fatal(err)
			}
			return base64.StdEncoding.EncodeToString(ct)
		}
		sub := func(ciphertext string) domain.Submission {
			return domain.Submission{Type: domain.TransactionPIN, Declared: domain.TransactionPIN, KeyID: k.KeyID, Ciphertext: ciphertext}
		}
		set := func(label, current, currentLabel string) string {
			s := sub(seal("8302", label))
			if current != "" {
				s.Current = new(seal(current, currentLabel))
			}
			rule, err := v.Set(v.ctx, s)
			return word(rule == "", err)
		}
		verify := func(label string) string {
			ok, err := v.matches(v.ctx, sub(seal("8302", label)))
			return word(ok, err)
		}
		unlabelled := map[bool]string{false: "true", true: "DECRYPTION_FAILED"}[required]
		v.expect("set by a verify", set("strongroom/verify", "", ""), "DECRYPTION_FAILED")
		v.expect("set by a current", set("strongroom/current", "", ""), "DECRYPTION_FAILED")
		v.expect("set", set("strongroom/set", "", ""), "true")
		v.expect("set without a label", set("", "", ""), unlabelled)
		v.expect("verify by a set", verify("strongroom/set"), "DECRYPTION_FAILED")
		v.expect("verify", verify("strongroom/verify"), "true")
		v.expect("verify without a label", verify(""), unlabelled)
		v.expect("replace with a verify", set("strongroom/set", "8302", "strongroom/verify"), "DECRYPTION_FAILED")
		v.expect("replace", set("strongroom/set", "8302", "strongroom/current"), "true")
		v.expect("replace without labels", set("", "8302", ""), unlabelled)
		if n := v.attemptCounter(k).Failures; n != 0 {
			t.Errorf("required %v: %d failures were counted", required, n)
		}
	}
}

// If another set is stored in between, the first set is decided again on the same
// attempt. The answer of the first comparison is not returned.
func TestASetThatAnotherSetOvertakesIsDecidedAgain(t *testing.T) {
	for name, c := range map[string]struct {
		between  string // is set between judging and storing
		current  string
		want     string
		failures int
	}{
		"the current PIN has changed":       {"6174", "8302", "CURRENT_MISMATCH", 1},
		"the current PIN was set again":     {"8302", "8302", "true", 0},
		"a wrong current PIN becomes right": {"6174", "6174", "CURRENT_MISMATCH", 1}, // it was wrong when it was compared
	} {
		t.Run(name, func(t *testing.T) {
			v := openVault(t, nil)
			k := v.issue("phone")
			v.expect("set", v.setPIN(k, "8302"), "true")
			sub := replacement(t, k, c.current, "9041")
			resume := v.midway(reserving, func(ctx context.Context) string {
				rule, err := v.Set(ctx, sub)
				if rule != "" {
					return string(rule)
				}
				return word(true, err)
			})
			v.expect("between", v.setPIN(k, c.between), "true")
			v.expect("replacing", resume(), c.want)
			if a := v.attemptCounter(k); a.Failures != c.failures || len(a.Pending) != 0 {
				t.Errorf("%d failures and %d pending attempts, want %d and none", a.Failures, len(a.Pending), c.failures)
			}
			v.intact()
		})
	}
}

func TestAPreviousPINIsRefusedAndCountsAsAGuess(t *testing.T) {
	v := openVault(t, func(cfg *Config) { cfg.History = 3 })
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "1001"), "true")
	for i, pin := range []string{"2002", "3003", "4004"} {
		v.expect("replace by "+pin, v.replacePIN(k, []string{"1001", "2002", "3003"}[i], pin), "true")
	}
	v.expect("with the current one known, a previous one", v.replacePIN(k, "4004", "3003"), "REUSED")
	if n := v.attemptCounter(k).Failures; n != 0 {
		t.Errorf("that cost %d attempts", n)
	}
	v.expect("the present one", v.setPIN(k, "4004"), "false")
	v.expect("the one before", v.setPIN(k, "3003"), "false")
	v.expect("the third last", v.setPIN(k, "2002"), "false")
	v.expect("a fourth guess by verify", v.verifyPIN(k, "0000"), "false")
	v.expect("a fifth by set", v.setPIN(k, "4004"), "false")
	v.expect("that was the last", v.verifyPIN(k, "4004"), "CREDENTIAL_LOCKED")
	v.expect("also for set", v.setPIN(k, "9009"), "CREDENTIAL_LOCKED")
	v.clock.Advance(31 * time.Minute)
	v.expect("one that was long ago", v.replacePIN(k, "4004", "1001"), "true")
	v.expect("which is set", v.verifyPIN(k, "1001"), "true")
	if n := v.events()[domain.EventCredentialReused]; n != 5 {
		t.Errorf("the trail has %d refused repeats, want 5", n)
	}
	v.kill()
	v.expect("after a restart", v.setPIN(k, "4004"), "false")
	v.intact()
}

// Someone with a token guesses the owner's PIN by sets: each set that is stored reveals
// that its PIN is not in the history.
func TestASetComparedWithTheHistoryCountsAsAGuess(t *testing.T) {
	for _, history := range []int{3, 24} {
		v := openJWT(t, func(cfg *Config) { cfg.History, cfg.Attempts.DeviceMax = history, 0 }).as("alice")
		k := v.issue("phone")
		v.expect("set", v.setPIN(k, "8302"), "true")
		compared := 0
		for _, guess := range []string{"0000", "1111", "2222", "3333", "4444", "5555", "6666", "8302"} {
			answer := v.setPIN(k, guess)
			if answer != "true" && answer != "false" {
				v.expect("the end", answer, "CREDENTIAL_LOCKED")
				break
			}
			compared++
		}
		if most := v.cfg.Attempts.MaxFailures; compared != most {
			t.Errorf("history of %d: %d guesses were compared, want %d", history, compared, most)
		}
		v.expect("the fifth was stored", v.verifyPIN(k, "4444"), "CREDENTIAL_LOCKED")
		v.clock.Advance(31 * time.Minute)
		v.expect("as its verify shows", v.verifyPIN(k, "4444"), "true")
		if n := v.attemptCounter(k).Failures; n != 0 {
			t.Errorf("a right answer left %d failures", n)
		}
		for i, pin := range []string{"6174", "9041", "3856", "2719", "5063", "7748"} {
			v.expect("replace by "+pin, v.replacePIN(k, []string{"4444", "6174", "9041", "3856", "2719", "5063"}[i], pin), "true")
		}
		reset := v.as("alice", may(domain.MayResetCredential))
		for _, pin := range []string{"1470", "2581", "3692", "1593", "3571", "4862"} {
			v.expect("a caller with credential:reset sets "+pin, reset.setPIN(k, pin), "true")
		}
		v.expect("and neither cost an attempt", v.verifyPIN(k, "4862"), "true")
		v.intact()
	}
}

// A set with credential:reset costs no attempt. Each one that is not REUSED replaces
// the credential, so the history ends what its caller can learn.
func TestAResetTestsNoMoreGuessesThanTheHistoryHolds(t *testing.T) {
	const history = 3
	for guesses := 1; guesses <= history; guesses++ {
		v := openJWT(t, func(cfg *Config) { cfg.History = history }).as("alice")
		k := v.issue("phone")
		v.expect("set", v.setPIN(k, "8302"), "true")
		reset := v.as("alice", may(domain.MayResetCredential))
		for _, pin := range []string{"6174", "9041", "3856"}[:guesses] {
			v.expect("a guess", reset.setPIN(k, pin), "true")
		}
		want := "false"
		if guesses == history {
			want = "true"
		}
		v.expect(fmt.Sprintf("the owner's PIN after %d guesses", guesses), reset.setPIN(k, "8302"), want)
		if n := v.attemptCounter(k).Failures; n != 0 {
			t.Errorf("%d failures were counted, want none", n)
		}
	}
}

// A set that was compared but not stored counts as a guess too.
func TestASetThatIsNotStoredCountsAsAGuess(t *testing.T) {
	hung := &hangUp{}
	open := func() (*instance, domain.KeyPair) {
		v := openJWT(t, func(cfg *Config) { cfg.History, hung.Store, cfg.Store = 2, cfg.Store, hung }).as("alice")
		k := v.issue("phone")
		v.expect("set", v.setPIN(k, "8302"), "true")
		return v, k
	}
	t.Run("a key that ends in between", func(t *testing.T) {
		v, k := open()
		for _, guess := range []string{"0000", "1111", "2222"} {
			sub := submission(t, k, domain.TransactionPIN, guess)
			resume := v.midway(settling, func(ctx context.Context) string {
				_, err := v.Set(ctx, sub)
				return word(true, err)
			})
			k = v.rotate("phone")
			v.expect("storing", resume(), "KEY_NOT_USABLE")
		}
		v.expect("the device is locked now", v.verifyPIN(k, "8302"), "CREDENTIAL_LOCKED")
		v.intact()
	})
	t.Run("a client that hangs up", func(t *testing.T) {
		v, k := open()
		ctx, cancel := context.WithCancel(v.ctx)
		hung.cancel = cancel
		if _, err := v.Set(ctx, submission(t, k, domain.TransactionPIN, "6174")); err != nil {
			t.Fatal(err)
		}
		if ctx.Err() == nil {
			t.Error("the client did not hang up")
		}
		v.expect("the PIN was set nevertheless", v.verifyPIN(k, "6174"), "true")
		v.intact()
	})
}

// OVERLOADED would say that no attempt was counted.
func TestASetThatWasComparedIsNotAnsweredAsOverloaded(t *testing.T) {
	blind := &away{}
	v := openJWT(t, func(cfg *Config) { cfg.History, blind.Store, cfg.Store = 2, cfg.Store, blind }).as("alice")
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	guess := submission(t, k, domain.TransactionPIN, "0000")
	resume := v.midway(settling, func(ctx context.Context) string {
		_, err := v.Set(ctx, guess)
		return word(true, err)
	})
	v.expect("a set between", v.as("alice", may(domain.MayResetCredential)).setPIN(k, "6174"), "true")
	blind.reads.Store(true)
	v.expect("a set that is overtaken during an outage", resume(), "INTERNAL")
	blind.reads.Store(false)
	if n := v.attemptCounter(k).Failures; n != 1 {
		t.Errorf("%d failures were counted, want 1", n)
	}
	v.intact()
}

// The answer true would mean that the PIN is set.
func TestASetThatIsOvertakenInEveryRoundIsNotAcknowledged(t *testing.T) {
	between := &overtaking{}
	v := openJWT(t, func(cfg *Config) { between.Store, cfg.Store = cfg.Store, between })
	alice, other := v.as("alice"), v.as("alice", may(domain.MayResetCredential))
	k := alice.issue("phone")
	v.expect("set", alice.setPIN(k, "8302"), "true")
	between.write = func() { v.expect("a set between", other.setPIN(k, "8302"), "true") }
	rule, err := alice.Set(context.WithValue(alice.ctx, overtaken{}, true), replacement(t, k, "8302", "6174"))
	if between.rounds == 0 || err == nil {
		t.Errorf("after %d rounds: rule %q, error %v", between.rounds, rule, err)
	}
	v.expect("the PIN that is not set", alice.verifyPIN(k, "6174"), "false")
	v.expect("the PIN that is set", alice.verifyPIN(k, "8302"), "true")
	v.intact()
}

// overtaking is a store that writes something before each write of a context with the
// value overtaken. It leaves out the first write, which takes the attempt, and those after
// the last round.
type overtaking struct {
	store.Store
	write   func()
	updates int
	rounds  int
}

type overtaken struct{}

func (o *overtaking) Update(ctx context.Context, fn func(store.Tx) error) error {
	if ctx.Value(overtaken{}) != nil {
		if o.updates++; o.updates > 1 && o.rounds < 8 {
			o.rounds++
			o.write()
		}
	}
	return o.Store.Update(ctx, fn)
}

// hangUp is a store whose client is gone once something was written: the attempt.
type hangUp struct {
	store.Store
	cancel func() // nil: it stays
}

func (h *hangUp) Update(ctx context.Context, fn func(store.Tx) error) error {
	if h.cancel != nil {
		defer h.cancel()
	}
	return h.Store.Update(ctx, fn)
}

func TestALongHistoryCostsOneHash(t *testing.T) {
	v := openVault(t, func(cfg *Config) { cfg.History = 24 })
	k := v.issue("phone")
	pin := func(n int) string { return "40" + string(rune('0'+n/10)) + string(rune('0'+n%10)) }
	v.expect("set", v.setPIN(k, pin(0)), "true")
	for n := 1; n < 30; n++ {
		v.expect("replace", v.replacePIN(k, pin(n-1), pin(n)), "true")
	}
	hashes := hashCounter(v)
	v.expect("with a full history", v.replacePIN(k, pin(29), pin(30)), "true")
	if n := hashes(); n != 2 {
		t.Errorf("it took %d hashes, want 2: one for each secret", n)
	}
	for n := 7; n <= 30; n++ {
		v.expect("one of the last 24", v.replacePIN(k, pin(30), pin(n)), "REUSED")
	}
	v.expect("the 25th last", v.replacePIN(k, pin(30), pin(6)), "true")

	// Earlier verifiers keep their own salts until they leave the history.
	tweak := v.tweak
	v.tweak = func(cfg *Config) { tweak(cfg); cfg.Verifier.Time = 2 }
	if err := v.Stop(v.ctx); err != nil {
		t.Fatal(err)
	}
	v.kill()
	hashes = hashCounter(v)
	v.expect("the cost is raised", v.replacePIN(k, pin(6), "5000"), "true")
	v.expect("the next", v.replacePIN(k, "5000", "5001"), "true")
	if n := hashes(); n != 3+3 {
		t.Errorf("they took %d hashes, want 6", n)
	}
	v.expect("one of before", v.replacePIN(k, "5001", pin(20)), "REUSED")
	v.intact()
}
