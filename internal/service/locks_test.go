package service

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
)

func TestAnUnlockForgivesAttemptsWhoseProcessDied(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	for range 5 {
		v.mustReserve(k)
	}
	v.kill()
	v.clock.Advance(time.Minute)
	if err := v.unlock(v.ctx, "phone", domain.TransactionPIN, "caller identified at the branch"); err != nil {
		t.Fatal(err)
	}
	v.expect("after the unlock", v.verifyPIN(k, "1357"), "true")
	v.intact()
}

// A lock has one entry of its own, whether the current verdict caused it
// or attempts whose processes died before.
func TestALockHasOneTrailEntry(t *testing.T) {
	for name, tt := range map[string]struct {
		died, wrong int // attempts before the one that is under way
		want        map[domain.Event]int
	}{
		"by a verdict": {0, 4, map[domain.Event]int{domain.EventCredentialMismatch: 5, domain.EventCredentialLocked: 1}},
		"by a verdict after the process of another attempt died": {1, 3, map[domain.Event]int{
			domain.EventCredentialMismatch: 4, domain.EventAttemptsLapsed: 1, domain.EventCredentialLocked: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			v := openVault(t, nil)
			k := v.issue("phone")
			v.setPIN(k, "1357")
			for range tt.died {
				v.mustReserve(k)
			}
			for range tt.wrong {
				v.expect("wrong", v.verifyPIN(k, "0000"), "false")
			}
			v.clock.Advance(20 * time.Second)
			resume := v.midwayVerify(k, "0000")
			v.clock.Advance(20 * time.Second) // the leases of those that died end while it is compared
			v.expect("the last", resume(), "false")
			v.expect("afterwards", v.verifyPIN(k, "1357"), "CREDENTIAL_LOCKED")
			got := v.events()
			for event := range got {
				if _, ok := tt.want[event]; !ok {
					delete(got, event)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("entries (-want +got):\n%s", diff)
			}
			v.intact()
		})
	}
}

// A reserved attempt whose secret was never compared costs nothing.
func TestAnAttemptThatWasNeverComparedCostsNothing(t *testing.T) {
	v := tamperable(t)
	k := v.issue("phone")
	v.expect("verify", v.verifyPIN(k, "1357"), "true")
	i := v.insider()
	right := i.read("SELECT * FROM credential WHERE @pin")
	blank("credential", "sealed", "@pin")(v, i)
	for range 6 {
		v.expect("verify", v.verifyPIN(k, "0000"), "INTERNAL")
	}
	i.put("credential", right)
	v.kill()
	v.clock.Advance(time.Minute) // past every lease
	for range 4 {
		v.expect("a wrong guess", v.verifyPIN(k, "0000"), "false")
	}
	v.expect("verify", v.verifyPIN(k, "1357"), "true")
	v.intact()
}
