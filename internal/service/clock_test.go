package service

import (
	"strings"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/outbox"
	"strongroom/internal/trail"
)

func TestSettingTheClockForwardDoesNotEndALock(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	for range 5 {
		v.expect("wrong", v.verifyPIN(k, "0000"), "false")
	}
	v.clock.Set(48 * time.Hour)
	v.expect("the right PIN, two days ahead", v.verifyPIN(k, "1357"), "CREDENTIAL_LOCKED")
	v.expect("a set", v.setPIN(k, "2468"), "CREDENTIAL_LOCKED")
	if locks, _, err := v.Locks(v.ctx, domain.Page{Limit: 10}); err != nil || len(locks) != 1 || locks[0].LockedUntil.IsZero() {
		t.Errorf("operators see %+v, %v", locks, err)
	}
	v.clock.Advance(28 * time.Minute)
	v.expect("after 28 minutes", v.verifyPIN(k, "1357"), "CREDENTIAL_LOCKED")
	v.clock.Advance(3 * time.Minute)
	v.expect("after 31 minutes", v.verifyPIN(k, "0000"), "false")
	v.expect("locked for an hour", v.verifyPIN(k, "1357"), "CREDENTIAL_LOCKED")
	v.clock.Advance(58 * time.Minute)
	v.expect("after 58 minutes", v.verifyPIN(k, "1357"), "CREDENTIAL_LOCKED")
	v.clock.Advance(3 * time.Minute)
	v.expect("after 61 minutes", v.verifyPIN(k, "1357"), "true")
	v.intact()

	for range 5 {
		v.expect("wrong", v.verifyPIN(k, "0000"), "false")
	}
	v.clock.Set(time.Hour)
	v.expect("before a restart", v.verifyPIN(k, "1357"), "CREDENTIAL_LOCKED")
	v.kill()
	v.expect("a restart takes the clock as it is", v.verifyPIN(k, "1357"), "true")
	v.clock.Set(-72 * time.Hour)
	v.expect("a clock that was set back locks nobody", v.verifyPIN(k, "1357"), "true")
}

func TestSettingTheClockForwardDoesNotEmptyTheRollingWindow(t *testing.T) {
	v := openVault(t, nil)
	k := v.issue("phone")
	v.setPIN(k, "1357")
	for n := range 19 {
		v.expect("wrong", v.verifyPIN(k, "0000"), "false")
		if n%4 == 3 {
			v.expect("right", v.verifyPIN(k, "1357"), "true")
		}
	}
	v.clock.Set(25 * time.Hour)
	v.expect("the twentieth within 24 hours", v.verifyPIN(k, "0000"), "false")
	v.expect("the right PIN", v.verifyPIN(k, "1357"), "CREDENTIAL_LOCKED")
	v.clock.Advance(24*time.Hour + time.Minute)
	v.expect("a day later", v.verifyPIN(k, "1357"), "true")
}

func TestSettingTheClockForwardDoesNotUnlockADevice(t *testing.T) {
	v := openJWT(t, nil)
	alice := v.as("alice")
	phone, stolen := alice.issue("phone"), alice.issue("stolen")
	v.expect("set", alice.setPIN(phone, "8302"), "true")
	for range 3 {
		v.expect("a guess of the thief", alice.verifyPIN(stolen, "0000"), "false")
	}
	v.clock.Set(time.Hour)
	v.expect("the thief, an hour ahead", alice.verifyPIN(stolen, "0000"), "CREDENTIAL_LOCKED")
	v.expect("the owner", alice.verifyPIN(phone, "8302"), "true")
	v.clock.Advance(31 * time.Minute)
	v.expect("after the lock", alice.verifyPIN(stolen, "0000"), "false")
}

func TestAReceiptOfAClockThatWasAheadIsRefused(t *testing.T) {
	for ahead, want := range map[time.Duration]string{time.Hour: "BAD_USER_INPUT", 30 * time.Second: "true"} {
		v := openReceipts(t, nil)
		k := v.issue("phone")
		v.expect("set", v.setPIN(k, "8302"), "true")
		v.clock.Set(ahead)
		receipt := v.mustAuthorize(k, "8302")
		v.clock.Set(-ahead)
		v.expect("the receipt of a clock that was ahead by "+ahead.String(), v.redeem(receipt), want)
	}
}

func TestSettingTheClockForwardDoesNotPruneTheTrail(t *testing.T) {
	v := openVault(t, nil)
	v.issue("phone")
	v.clock.Set(2 * 365 * 24 * time.Hour)
	done, err := v.PruneTrail(v.ctx, trail.Pruning{OlderThan: 365 * 24 * time.Hour, Reason: "kept for a year"})
	if err != nil || done.Entries != 0 {
		t.Errorf("%d entries were removed, %v", done.Entries, err)
	}
}

func TestNothingIsPrunedIfTheClocksDiffer(t *testing.T) {
	v, _, _ := grown(t, &kept{})
	tweak := v.tweak
	v.tweak = func(c *Config) {
		tweak(c)
		c.Now = func() time.Time { return v.clock.Now().Add(-2 * time.Minute) }
	}
	w := v.beside()
	for _, what := range []trail.Pruning{{OlderThan: year}, {Before: v.clock.Now().Add(-year)}} {
		_, err := w.PruneTrail(w.ctx, what)
		if err == nil || !strings.Contains(err.Error(), "synchronise both with NTP") {
			t.Errorf("pruning while the clocks differ: %v", err)
		}
	}
	if n := v.events()[domain.EventPruned]; n != 0 {
		t.Errorf("%d prunes", n)
	}
	v.pruned("")
}

func TestSettingTheClockForwardDoesNotDeleteDeadLetters(t *testing.T) {
	v := openVault(t, func(c *Config) { c.Webhook = &Webhook{Events: domain.EventsOut} })
	v.issue("phone")
	l, ok, err := v.outbox.NextPartition(v.ctx, "")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if err := v.outbox.SetAside(v.ctx, l, domain.DeadGivenUp, "timeout"); err != nil {
		t.Fatal(err)
	}
	v.clock.Set(2 * outbox.KeepDead)
	if err := v.tendOutbox(v.ctx, v.records.View); err != nil {
		t.Fatal(err)
	}
	v.outboxHolds(0, 1)
}

func TestSettingTheClockForwardDoesNotDeleteMetrics(t *testing.T) {
	v := openVault(t, nil)
	v.setPIN(v.issue("phone"), "1357")
	if err := v.tally.Flush(v.ctx, false); err != nil {
		t.Fatal(err)
	}
	ahead := 365 * 24 * time.Hour
	v.clock.Set(ahead)
	if err := v.pruneMetrics(v.ctx); err != nil {
		t.Fatal(err)
	}
	v.clock.Set(-ahead)
	if sum, err := v.Summary(v.ctx, 1); err != nil || sum.TotalOperations != 2 {
		t.Errorf("%d operations, want 2 (%v)", sum.TotalOperations, err)
	}
}

func TestSettingTheClockForwardDoesNotForgetActs(t *testing.T) {
	v := openVault(t, nil)
	act := domain.Act{Reason: "a test", IdempotencyKey: "once"}
	v.done(v.RevokeKey(v.ctx, v.issue("phone").KeyID, act))
	v.clock.Set(25 * time.Hour)
	if _, err := v.SweepActResults(v.ctx); err != nil {
		t.Fatal(err)
	}
	_, err := v.RevokeKey(v.ctx, v.issue("tablet").KeyID, act)
	v.code("another act under the same idempotency key", err, domain.CodeBadUserInput, "idempotencyKey")
}

func TestAClockStepIsReported(t *testing.T) {
	v := openVault(t, nil)
	look := func(want int) {
		t.Helper()
		if err := v.clocks.Look(v.ctx, v.records); err != nil {
			t.Fatal(err)
		}
		if got := v.events()[domain.EventClockStepped]; got != want {
			t.Errorf("%d entries, want %d", got, want)
		}
	}
	each := 1 // of the machine's clock; with PostgreSQL the test moves that of the database as well
	if v.shared() {
		each = 2
	}
	look(0)
	v.clock.Advance(2 * time.Hour) // time passes
	look(0)
	v.clock.Set(50 * time.Second)
	look(0)
	v.clock.Set(2 * time.Hour)
	look(each)
	look(each)
	v.clock.Advance(time.Hour)
	look(each)
	v.clock.Set(-2*time.Hour - 50*time.Second)
	look(2 * each)
	v.clock.Set(-time.Hour)
	look(3 * each)
	if want := "clock by -1h0m0s"; !strings.Contains(v.lastEntry(domain.EventClockStepped).Reason, want) {
		t.Errorf("the reason is %q, want %q", v.lastEntry(domain.EventClockStepped).Reason, want)
	}
	if got := strings.Count(v.log.String(), "a clock was set"); got != 3*each {
		t.Errorf("%d lines in the log", got)
	}
}

func (v *instance) lastEntry(event domain.Event) (last domain.Entry) {
	v.eachEntry(func(e domain.Entry) {
		if e.Event == event {
			last = e
		}
	})
	return last
}
