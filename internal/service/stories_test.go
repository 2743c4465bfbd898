package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/crypto/verifier"
	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

func TestFiftyParallelFirstRequestsGetOneKey(t *testing.T) {
	v := openVault(t, nil)
	keys := parallel(50, func() string { return v.issue("phone").KeyID })
	for _, k := range keys {
		if k != keys[0] {
			t.Fatalf("the answers hold two keys: %s and %s", keys[0], k)
		}
	}
	if n := v.events()[domain.EventKeyIssued]; n != 1 {
		t.Errorf("%d keys were issued", n)
	}
	v.intact()
}

func TestParallelRotationsEachAnswerAKeyAndLeaveOneValid(t *testing.T) {
	v := openVault(t, nil)
	first := v.issue("phone")
	keys := parallel(12, func() domain.KeyPair { return v.rotate("phone") })
	current := v.issue("phone")
	v.expect("set under the current key", v.setPIN(current, "1357"), "true")
	valid := 0
	for _, k := range append(keys, first) {
		if word := v.verifyPIN(k, "1357"); word == "true" {
			valid++
		} else if word != string(domain.CodeKeyNotUsable) {
			t.Errorf("an ended key got the answer %s", word)
		}
	}
	if valid != 1 {
		t.Errorf("%d keys of the device are valid", valid)
	}
	v.intact()
}

func TestARotatedKeyIsRefusedAndErased(t *testing.T) {
	v := openVault(t, nil)
	old := v.issue("phone")
	v.expect("set", v.setPIN(old, "1357"), "true")
	current := v.rotate("phone")
	v.expect("set under the old key", v.setPIN(old, "2468"), "KEY_NOT_USABLE")
	v.expect("verify under the old key", v.verifyPIN(old, "1357"), "KEY_NOT_USABLE")
	v.expect("verify under the new key", v.verifyPIN(current, "1357"), "true")
	if k := v.stored(old); len(k.Sealed) != 0 || k.State != domain.KeyInvalidated {
		t.Errorf("the old key is %s with %d sealed bytes", k.State, len(k.Sealed))
	}
	v.intact()
}

func TestTheGracePeriodAllowsOnlyVerifyAndEnds(t *testing.T) {
	v := openVault(t, func(c *Config) { c.RotationGrace = time.Minute })
	old := v.issue("phone")
	v.setPIN(old, "1357")
	v.rotate("phone")
	v.expect("set in grace", v.setPIN(old, "2468"), "KEY_NOT_USABLE")
	v.expect("verify in grace", v.verifyPIN(old, "1357"), "true")
	v.clock.Advance(time.Minute)
	v.expect("verify after grace", v.verifyPIN(old, "1357"), "KEY_NOT_USABLE")
	if err := v.endKeys(); err != nil {
		t.Fatal(err)
	}
	if k := v.stored(old); len(k.Sealed) != 0 {
		t.Error("the private key outlived its grace")
	}
	v.intact()
}

// endKeys runs the job that ends keys once.
func (v *instance) endKeys() error {
	_, err := v.EndKeys(v.ctx, v.records.View)
	return err
}

// Very many keys may end at the same time, for example after a campaign. They are erased
// in portions, without the long pause between two runs of the job.
func TestABacklogOfEndedKeysIsErasedInPortions(t *testing.T) {
	v := openVault(t, func(c *Config) { c.KeyTTL = time.Hour })
	var last domain.KeyPair
	for n := range 101 {
		last = v.issue(fmt.Sprint("device", n))
		v.clock.Advance(time.Second)
	}
	v.clock.Advance(time.Hour)
	for n, want := range []bool{true, false} {
		if more, err := v.EndKeys(v.ctx, v.records.View); more != want || err != nil {
			t.Errorf("portion %d: more is %v, want %v; %v", n, more, want, err)
		}
	}
	if k := v.stored(last); len(k.Sealed) != 0 {
		t.Error("the private key outlived its validity")
	}
}

// While a clock is ahead, keys are refused, but none is erased: they are valid again once
// the clock is right.
func TestSettingTheClockForwardErasesNoDeviceKey(t *testing.T) {
	v := openVault(t, func(c *Config) { c.KeyTTL, c.RotationGrace = 24*time.Hour, time.Hour })
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "8302"), "true")
	old := v.issue("tablet")
	v.expect("set at the tablet", v.setPIN(old, "8302"), "true")
	v.rotate("tablet")
	v.clock.Set(48 * time.Hour)
	v.expect("verify while the clock is ahead", v.verifyPIN(k, "8302"), "KEY_NOT_USABLE")
	if err := v.endKeys(); err != nil {
		t.Fatal(err)
	}
	v.clock.Set(-48 * time.Hour)
	v.expect("verify once it is right", v.verifyPIN(k, "8302"), "true")
	v.expect("verify in grace", v.verifyPIN(old, "8302"), "true")
	v.clock.Advance(48 * time.Hour)
	if err := v.endKeys(); err != nil {
		t.Fatal(err)
	}
	if k := v.stored(k); k.State != domain.KeyExpired || len(k.Sealed) != 0 {
		t.Errorf("after its time the key is %s with %d sealed bytes", k.State, len(k.Sealed))
	}
	if k := v.stored(old); len(k.Sealed) != 0 {
		t.Error("the private key outlived its grace")
	}
	v.intact()
}

func TestAnExpiredKeyIsReplaced(t *testing.T) {
	v := openVault(t, func(c *Config) { c.KeyTTL = time.Hour })
	old := v.issue("phone")
	v.setPIN(old, "1357")
	v.clock.Advance(time.Hour)
	v.expect("verify", v.verifyPIN(old, "1357"), "KEY_NOT_USABLE")
	current := v.issue("phone")
	if current.KeyID == old.KeyID {
		t.Fatal("the expired key was returned again")
	}
	v.expect("verify under the new key", v.verifyPIN(current, "1357"), "true")
	if k := v.stored(old); k.State != domain.KeyExpired || len(k.Sealed) != 0 {
		t.Errorf("the old key is %s with %d sealed bytes", k.State, len(k.Sealed))
	}
	v.clock.Advance(time.Hour)
	if err := v.endKeys(); err != nil {
		t.Fatal(err)
	}
	if k := v.stored(current); k.State != domain.KeyExpired || len(k.Sealed) != 0 {
		t.Errorf("unused, the key is %s with %d sealed bytes", k.State, len(k.Sealed))
	}
	v.intact()
}

func TestFiveOf200ParallelWrongGuessesAreEvaluated(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	words := count(parallel(200, func() string { return v.verifyPIN(k, "0000") }))
	if words["false"] != 5 || words["true"] != 0 {
		t.Errorf("answers: %v, want 5 false", words)
	}
	if n := v.events()[domain.EventCredentialMismatch]; n != 5 {
		t.Errorf("%d guesses were evaluated", n)
	}
	v.expect("the right PIN while locked", v.verifyPIN(k, "1357"), "CREDENTIAL_LOCKED")
	v.clock.Advance(30*time.Minute + time.Second)
	v.expect("the right PIN after the lock", v.verifyPIN(k, "1357"), "true")
	v.intact()
}

func TestFiftyParallelMatchesDoNotLock(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	words := count(parallel(50, func() string { return v.verifyPIN(k, "1357") }))
	if words["true"]+words["TOO_MANY_REQUESTS"] != 50 || words["true"] < 5 {
		t.Errorf("answers: %v", words)
	}
	v.expect("afterwards", v.verifyPIN(k, "1357"), "true")
	v.intact()
}

func TestALockedPINDoesNotLockThePasscode(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	for range 5 {
		v.expect("wrong PIN", v.verifyPIN(k, "0000"), "false")
	}
	v.expect("sixth", v.verifyPIN(k, "0000"), "CREDENTIAL_LOCKED")
	rule, err := v.Set(v.ctx, submission(t, k, domain.Passcode, "open sesame"))
	v.expect("setting the passcode", word(rule == "", err), "true")
	ok, err := v.matches(v.ctx, submission(t, k, domain.Passcode, "open sesame"))
	v.expect("verifying the passcode", word(ok, err), "true")
}

func TestSetNeverClearsALock(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	for range 5 {
		v.verifyPIN(k, "0000")
	}
	v.expect("set while locked", v.setPIN(k, "2468"), "CREDENTIAL_LOCKED")
	v.expect("verify", v.verifyPIN(k, "1357"), "CREDENTIAL_LOCKED")
	v.clock.Advance(31 * time.Minute)
	v.expect("set after the lock", v.setPIN(k, "2468"), "true")
	v.expect("wrong after the lock", v.verifyPIN(k, "0000"), "false")
	v.expect("one wrong was one too many", v.verifyPIN(k, "2468"), "CREDENTIAL_LOCKED")
	v.intact()
}

func TestGuessesCountAndLockIfNothingIsSet(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	for range 5 {
		v.expect("nothing set", v.verifyPIN(k, "0000"), "false")
	}
	v.expect("sixth", v.verifyPIN(k, "0000"), "CREDENTIAL_LOCKED")
	v.expect("the first set starts a fresh attempt counter", v.setPIN(k, "1357"), "true")
	v.expect("verify", v.verifyPIN(k, "1357"), "true")
	v.intact()
}

func TestAnAttemptWhoseProcessDiedCounts(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	for range 5 {
		v.mustReserve(k)
	}
	v.kill()
	v.expect("while the dead attempts are pending", v.verifyPIN(k, "1357"), "TOO_MANY_REQUESTS")
	v.clock.Advance(31 * time.Second)
	v.expect("when their lease is over", v.verifyPIN(k, "1357"), "CREDENTIAL_LOCKED")
	if n := v.events()[domain.EventAttemptsLapsed]; n != 1 {
		t.Errorf("%d entries are about the lapsed attempts", n)
	}
	v.intact()
	v.clock.Advance(31 * time.Minute)
	v.expect("after the lock", v.verifyPIN(k, "1357"), "true")
	v.intact()
}

func TestAVerdictThatComesTooLateIsWithheld(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	var late error
	sub := submission(t, k, domain.TransactionPIN, "1357")
	resume := v.midway(settling, func(ctx context.Context) string {
		_, late = v.matches(ctx, sub)
		return ""
	})
	v.clock.Advance(31 * time.Second)
	if resume(); !errors.Is(late, record.ErrLate) {
		t.Fatalf("the late verdict: %v", late)
	}
	v.intact()
}

func TestTheNextRightAnswerRehashesAtARaisedCost(t *testing.T) {
	dear := verifier.Params{Memory: 16, Time: 2, Parallelism: 1}
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	v.tweak = func(c *Config) { c.Verifier = dear }
	v.kill()
	before := v.credential(k)
	v.expect("wrong", v.verifyPIN(k, "0000"), "false")
	if diff := cmp.Diff(before, v.credential(k)); diff != "" {
		t.Errorf("a wrong answer changed the verifier:\n%s", diff)
	}
	v.expect("right", v.verifyPIN(k, "1357"), "true")
	after := v.credential(k)
	if after.Version != before.Version+1 {
		t.Fatalf("version %d after %d", after.Version, before.Version)
	}
	v.expect("right again", v.verifyPIN(k, "1357"), "true")
	if diff := cmp.Diff(after, v.credential(k)); diff != "" {
		t.Errorf("it was hashed again:\n%s", diff)
	}
	v.intact()
}

// A set replaces the credential, so it does not hash the current secret again.
func TestASetHashesTheCurrentSecretOnlyToCompareIt(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	v.tweak = func(c *Config) { c.Verifier.Memory = 16 }
	v.kill()
	hashes := v.hashes()
	v.expect("set", v.replacePIN(k, "1357", "2468"), "true")
	if n := hashes()[verifier.Argon2id]; n != 2 {
		t.Errorf("%d hashes, want one to compare and one to store", n)
	}
	v.expect("verify", v.verifyPIN(k, "2468"), "true")
	v.intact()
}

// Strangers can ask for the summary between two requests of others.
func TestTheSummaryDoesNotTellAMatchWithAnOutdatedPIN(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	v.tweak = func(c *Config) { c.Verifier = verifier.Params{Iterations: 300_000} } // takes about 100 ms
	v.kill()
	recorded := func() float64 {
		t.Helper()
		sum, err := v.Summary(v.ctx, 1)
		if err != nil {
			t.Fatal(err)
		}
		return sum.AverageDuration * float64(sum.TotalOperations) / 1000
	}
	before, began := recorded(), time.Now()
	v.expect("right", v.verifyPIN(k, "1357"), "true")
	request := time.Since(began).Seconds()
	var rehash float64
	for line := range strings.Lines(v.scrape()) {
		if rest, ok := strings.CutPrefix(line, `strongroom_lane_work_seconds_sum{work="pbkdf2"} `); ok {
			_, _ = fmt.Sscan(rest, &rehash)
		}
	}
	// With the rehash in it, the duration would be almost that of the request.
	if took := recorded() - before; rehash == 0 || took <= 0 || took > request-rehash+0.001 {
		t.Errorf("the summary counts %.3f s for a request of %.3f s that hashes again for %.3f s", took, request, rehash)
	}
	v.intact()
}

func TestAConcurrentSetWinsOverARehash(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	v.tweak = func(c *Config) { c.Verifier.Memory = 16 }
	v.kill()
	resume := v.midwayVerify(k, "1357")
	v.expect("the set between", v.setPIN(k, "2468"), "true")
	v.expect("the verdict of the earlier PIN", resume(), "true")
	v.expect("the new PIN", v.verifyPIN(k, "2468"), "true")
	v.expect("the old PIN", v.verifyPIN(k, "1357"), "false")
	v.intact()
}

func TestARightAnswerToAReplacedPINResetsNoFailures(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	resume := v.midwayVerify(k, "1357")
	v.setPIN(k, "2468")
	for range 4 {
		v.expect("wrong", v.verifyPIN(k, "0000"), "false")
	}
	v.expect("the verdict of the earlier PIN", resume(), "true")
	v.expect("the fifth wrong one", v.verifyPIN(k, "0000"), "false")
	v.expect("locks", v.verifyPIN(k, "2468"), "CREDENTIAL_LOCKED")
	v.intact()
}

func TestUndecryptableCiphertextsUseTheBudgetAndCostNoAttempt(t *testing.T) {
	v := openVault(t, func(c *Config) { c.DecryptionFailures = 10 })
	k, other := v.issue("phone"), v.issue("tablet")
	v.setPIN(k, "1357")
	foreign := submission(t, other, domain.TransactionPIN, "1357")
	foreign.KeyID = k.KeyID
	for range 10 {
		_, err := v.matches(v.ctx, foreign)
		v.expect("a ciphertext of another key", word(false, err), "DECRYPTION_FAILED")
	}
	v.expect("past the budget", v.verifyPIN(k, "1357"), "TOO_MANY_REQUESTS")
	v.expect("past the budget", v.setPIN(k, "1357"), "TOO_MANY_REQUESTS")
	v.clock.Advance(15*time.Minute + time.Second)
	v.expect("a window later", v.verifyPIN(k, "1357"), "true")
	v.intact()
}

func TestAPasscodeIsComparedInNFC(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	rule, err := v.Set(v.ctx, submission(t, k, domain.Passcode, "cafe\u0301 "))
	v.expect("set", word(rule == "", err), "true")
	for secret, want := range map[string]string{"caf\u00e9 ": "true", "caf\u00e9": "false", "caf\xe9 ": "false"} {
		ok, err := v.matches(v.ctx, submission(t, k, domain.Passcode, secret))
		v.expect(secret, word(ok, err), want)
	}
}

func TestAForbiddenPINIsRefusedOnSetAndWrongOnVerify(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	rule, err := v.Set(v.ctx, submission(t, k, domain.TransactionPIN, "12a4"))
	if rule != domain.RuleDigitsOnly || err != nil {
		t.Errorf("set: %q, %v", rule, err)
	}
	v.expect("verify", v.verifyPIN(k, "12a4"), "false")
	s := submission(t, k, domain.TransactionPIN, "1357")
	s.Declared = domain.Passcode
	_, err = v.Set(v.ctx, s)
	v.expect("wrong passwordAuthType", word(true, err), "BAD_USER_INPUT")
}

func TestOperatorsUnlockRevokeAndErase(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	for range 5 {
		v.verifyPIN(k, "0000")
	}
	if err := v.unlock(v.ctx, "phone", domain.TransactionPIN, "caller identified at the branch"); err != nil {
		t.Fatal(err)
	}
	v.expect("after the unlock", v.verifyPIN(k, "1357"), "true")

	if err := v.revoke(k.KeyID, "phone lost"); err != nil {
		t.Fatal(err)
	}
	v.expect("after the revocation", v.verifyPIN(k, "1357"), "KEY_NOT_USABLE")
	k = v.issue("phone")
	v.expect("with a new key", v.verifyPIN(k, "1357"), "true")

	if err := v.erase("phone", "the customer asked for it"); err != nil {
		t.Fatal(err)
	}
	v.expect("after the erasure", v.verifyPIN(k, "1357"), "KEY_NOT_USABLE")
	k = v.issue("phone")
	v.expect("as a new customer", v.verifyPIN(k, "1357"), "false")
	for _, err := range []error{
		v.unlock(v.ctx, "nobody", domain.Passcode, "r"), v.revoke("nothing", "r"), v.erase("nobody", "r"),
	} {
		if domain.CodeOf(err) != domain.CodeNotFound {
			t.Errorf("an act on nothing: %v", err)
		}
	}
	v.intact()
}

func TestTheSummaryCountsEveryOperationOnceEvenAfterAKill(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")                                                   // ok
	v.issue("phone")                                                        // ok, nothing changes
	v.setPIN(k, "1357")                                                     // ok
	v.setPIN(k, "12")                                                       // refused by policy: failed
	v.verifyPIN(k, "1357")                                                  // ok
	v.verifyPIN(k, "0000")                                                  // ok: a mismatch is no failure
	v.verifyPIN(domain.KeyPair{KeyID: "x", PublicKey: k.PublicKey}, "1357") // failed
	v.issue("tablet")                                                       // ok
	want := domain.Summary{TotalOperations: 8, SuccessfulOperations: 6, FailedOperations: 2, SuccessRate: 75, UniqueDevices: 2, TimeframeHours: 1}
	check := func(when string) {
		t.Helper()
		got, err := v.Summary(v.ctx, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got.AverageDuration <= 0 {
			t.Errorf("%s: average duration %v", when, got.AverageDuration)
		}
		if p := got.Percentiles; p.Of != got.TotalOperations || p.P50 <= 0 || p.P95 < p.P50 || p.P99 < p.P95 {
			t.Errorf("%s: %+v", when, p)
		}
		got.AverageDuration, got.Percentiles = 0, domain.Percentiles{}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", when, diff)
		}
	}
	check("at once")
	v.verifyPIN(k, "1357")
	v.kill() // before any flush: the verdict is folded from the trail
	v.clock.Advance(10 * time.Second)
	want.TotalOperations, want.SuccessfulOperations, want.SuccessRate = 9, 7, 100*7.0/9
	check("after the kill")
	v.kill()
	check("after another")
	v.intact()
}

func TestASummaryWaitsForAFlushOnlyAsLongAsItsClient(t *testing.T) {
	v := openVault(t, nil)
	v.issue("phone")
	resume := v.midway(1, func(ctx context.Context) string { return word(true, v.tally.Flush(ctx, false)) })
	ctx, hangUp := context.WithCancel(v.ctx)
	ended := make(chan error, 1)
	go func() {
		_, err := v.Summary(ctx, 1)
		ended <- err
	}()
	hangUp()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the summary ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the request still waits for the flush, although its client has hung up")
	}
	v.expect("the flush", resume(), "true")
}

// The trail has the duration of each of these operations: the percentiles are
// compared with those, even after every process that counted them has ended.
func TestPercentilesCoverAllInstancesAndSurviveARestart(t *testing.T) {
	v, w := openTwo(t)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	for i := range 20 {
		w.verifyPIN(k, "1357")
		v.verifyPIN(k, []string{"1357", "0000"}[i%2])
	}
	var took []time.Duration
	v.eachEntry(func(e domain.Entry) {
		if e.Operation != "" {
			took = append(took, e.Duration)
		}
	})
	slices.Sort(took)
	var first domain.Summary
	check := func(when string, v *instance) {
		t.Helper()
		sum := must[domain.Summary](t)(v.Summary(v.ctx, 1))
		_, series, err := v.Operations(v.ctx, 1, 24*time.Hour)
		p := sum.Percentiles
		if err != nil || p.Of != int64(len(took)) || len(series) == 0 || len(series) == 1 && series[0].Percentiles != p { // two at midnight
			t.Fatalf("%s: %+v, a series of %+v (%v), want of %d", when, sum, series, err, len(took))
		}
		for rank, got := range map[int]time.Duration{50: p.P50, 95: p.P95, 99: p.P99} {
			if exact := took[(len(took)*rank+99)/100-1]; got < exact || got > exact*11/10+time.Microsecond {
				t.Errorf("%s: p%d is %v, want %v or less than a tenth above", when, rank, got, exact)
			}
		}
		if first == (domain.Summary{}) {
			first = sum
		} else if diff := cmp.Diff(first, sum); diff != "" {
			t.Errorf("%s (-before +after):\n%s", when, diff)
		}
	}
	must[domain.Summary](t)(w.Summary(w.ctx, 1)) // it folds what is its own
	check("of both", v)
	w.store.Close()
	v.kill()
	check("after a restart", v)
	check("by a new instance", v.beside())
	v.intact()
}

func TestTheKeyGenerationLimitCountsEveryKeyRequestAndRefusesOnlyWhenEnforced(t *testing.T) {
	v := openVault(t, nil)
	for range 7 {
		v.issue("phone")
	}
	v = openVault(t, func(c *Config) { c.EnforceKeyGenerationLimit = true })
	for range 3 {
		v.issue("phone")
		v.rotate("tablet")
	}
	v.issue("phone")
	v.rotate("phone")
	_, err := v.GenerateKey(v.ctx, domain.Identity{DeviceID: "phone"})
	var limit *domain.KeyGenerationLimitError
	if !errors.As(err, &limit) || limit.Minutes() != 1440 {
		t.Fatalf("the sixth: %v", err)
	}
	v.clock.Advance(24*time.Hour + time.Second)
	v.issue("phone")
}

func (v *instance) stored(k domain.KeyPair) (key domain.DeviceKey) {
	v.t.Helper()
	v.view(func(tx store.Tx) (err error) { key, err = tx.Key(k.KeyID); return err })
	return key
}

func (v *instance) credential(k domain.KeyPair) (c domain.Credential) {
	v.t.Helper()
	account := v.stored(k).AccountID
	v.view(func(tx store.Tx) (err error) { c, err = tx.Credential(account, domain.TransactionPIN); return err })
	return c
}

func (v *instance) view(fn func(store.Tx) error) {
	v.t.Helper()
	if err := v.store.View(v.ctx, fn); err != nil {
		v.t.Fatal(err)
	}
}

// parallel runs fn n times at once.
func parallel[T any](n int, fn func() T) []T {
	out := make([]T, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { out[i] = fn() })
	}
	wg.Wait()
	return out
}

func count(words []string) map[string]int {
	n := map[string]int{}
	for _, w := range words {
		n[w]++
	}
	return n
}
