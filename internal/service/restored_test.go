package service

import (
	"testing"
	"time"

	"strongroom/internal/domain"
)

// declareRestored makes the database a backup that was restored as it is.
func (v *instance) declareRestored() {
	v.t.Helper()
	v.kill()
	what := domain.Restore{Made: v.clock.Now(), Newest: v.clock.Now()}
	if _, err := v.DeclareRestore(v.ctx, what, domain.Act{Reason: "drill"}); err != nil {
		v.t.Fatal(err)
	}
	v.kill()
}

// The processes of these attempts never learn that the database was restored. The attempts
// count as failures, but leave each account its one attempt.
func TestAttemptsUnderWayInABackupLeaveEachAccountOneAttempt(t *testing.T) {
	v := openVault(t, nil)
	keys := map[string]domain.KeyPair{}
	for _, device := range []string{"right", "wrong", "dies", "guessed at"} {
		k := v.issue(device)
		v.expect("set", v.setPIN(k, "1357"), "true")
		v.expect("verify", v.verifyPIN(k, "1357"), "true")
		if device == "guessed at" {
			for range 3 {
				v.expect("a guess", v.verifyPIN(k, "0000"), "false")
			}
		}
		v.mustReserve(k)
		v.mustReserve(k)
		keys[device] = k
	}
	for range 2 { // the second backup contains the first restore
		v.declareRestored()
		v.expect("the right PIN", v.verifyPIN(keys["right"], "1357"), "true")
		v.mustReserve(keys["right"])
		v.mustReserve(keys["dies"]) // the one attempt
	}
	v.expect("a wrong PIN", v.verifyPIN(keys["wrong"], "0000"), "false")
	v.expect("after it", v.verifyPIN(keys["wrong"], "1357"), "CREDENTIAL_LOCKED")
	v.expect("3 failures and 2 attempts under way", v.verifyPIN(keys["guessed at"], "1357"), "CREDENTIAL_LOCKED")
	v.kill()
	v.clock.Advance(31 * time.Second)
	v.expect("the one attempt died with its process", v.verifyPIN(keys["dies"], "1357"), "CREDENTIAL_LOCKED")
	if n := v.attemptCounter(keys["right"]).Recent; len(n) != 3 {
		t.Errorf("failures of the account with right answers: %v, want 3", n)
	}
	for _, e := range v.entriesOf(domain.EventAttemptsLapsed) {
		if len(e.Account) == 0 || e.Count < 1 {
			t.Errorf("an entry without account or count: %+v", e)
		}
	}
	v.intact()
}

// The trail says enough of the attempts that a restore ended, for the next restore.
func TestARestoreReplaysAttemptsThatAnEarlierRestoreEnded(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.expect("set", v.setPIN(k, "1357"), "true")
	earlier := v.backedUp() // without the counter, which the first attempt makes
	v.mustReserve(k)
	v.mustReserve(k)
	v.expect("a guess", v.verifyPIN(k, "0000"), "false")
	v.declareRestored()
	is := v.restoredWith(earlier)
	same(v, "failures that were replayed", is.Failures, 3)
	same(v, "failures", earlier.attemptCounter(k).Failures, v.attemptCounter(k).Failures)
	earlier.intact()
}
