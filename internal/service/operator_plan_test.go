package service

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"strongroom/internal/domain"
)

// startPlan begins a plan, with the clock a little past what was issued.
func (v *vault) startPlan(p domain.RotationPlan) domain.RotationPlan {
	v.t.Helper()
	must[domain.Receipt](v.t)(v.StartRotationPlan(v.ctx, p, domain.Act{Reason: "yearly"}))
	return must[[]domain.RotationPlan](v.t)(v.RotationPlans(v.ctx))[0]
}

// hears has a process read what another decided.
func (v *vault) hears() {
	v.t.Helper()
	if err := v.readPlan(v.ctx); err != nil {
		v.t.Fatal(err)
	}
}

func TestARotationPlanReplacesWhatItSelectsAtNextUse(t *testing.T) {
	v := openVault(t, func(c *Config) { c.RotationGrace = time.Hour })
	phone, tablet := v.issue("phone"), v.issue("tablet")
	v.expect("set", v.setPIN(phone, "1357"), "true")
	w := v.beside()
	v.clock.Advance(time.Minute)
	plan := v.startPlan(domain.RotationPlan{CreatedBefore: v.clock.Now().Add(-time.Second)})
	if plan.Selected != 2 || plan.Remaining != 2 || plan.StartedBy != "command:test" || plan.Reason != "yearly" || !plan.StoppedAt.IsZero() {
		t.Errorf("the plan is %+v", plan)
	}
	_, err := w.StartRotationPlan(w.ctx, domain.RotationPlan{Bits: 2048}, domain.Act{Reason: "r"})
	v.code("a second plan", err, domain.CodeConflict, "runs already")
	watch := w.issue("watch") // after the plan began

	w.hears()
	v.expect("set under an old key", w.setPIN(phone, "2468"), "true")
	fresh := w.issue("phone")
	if fresh.KeyID == phone.KeyID {
		t.Fatal("the other process answers the old key")
	}
	if again := v.issue("phone"); again.KeyID != fresh.KeyID {
		t.Error("it is replaced twice")
	}
	if kept := v.issue("watch"); kept.KeyID != watch.KeyID {
		t.Error("a key from after the plan is replaced")
	}
	v.expect("verify in grace", v.verifyPIN(phone, "2468"), "true")
	v.expect("set in grace", v.setPIN(phone, "2468"), "KEY_NOT_USABLE")
	told := v.told(domain.EventKeyRotated)
	if len(told) != 1 || told[0].KeyID != phone.KeyID || told[0].Outcome != "plan" || told[0].Actor != "caller" {
		t.Errorf("the trail says %+v", told)
	}
	d := must[domain.Device](t)(v.Key(v.ctx, phone.KeyID))
	if d.KeyGeneration.Count+must[domain.Device](t)(w.Key(w.ctx, phone.KeyID)).KeyGeneration.Count != 3 {
		t.Error("the requests are not counted as usual")
	}

	v.issue("tablet")
	v.clock.Advance(2 * time.Minute)
	for _, s := range []*vault{v, w, v} {
		if err := s.followPlan(s.ctx); err != nil {
			t.Fatal(err)
		}
	}
	all := must[[]domain.RotationPlan](t)(v.RotationPlans(v.ctx))
	if len(all) != 1 || all[0].StoppedAt.IsZero() || all[0].StoppedBy != "system" || all[0].Remaining != 0 || all[0].Selected != 2 {
		t.Errorf("when nothing is left: %+v", all)
	}
	if n := len(v.told(domain.EventRotationFinished)); n != 1 {
		t.Errorf("%d entries tell of its end", n)
	}
	_, err = v.StopRotationPlan(v.ctx, all[0].ID, domain.Act{Reason: "r"})
	v.code("stopping it then", err, domain.CodeConflict, "has ended already")
	_ = tablet
	v.intact()
}

func TestAPlanThatRefusesUseRefusesBeforeAnyWork(t *testing.T) {
	v := openVault(t, func(c *Config) { c.RotationGrace = time.Hour })
	phone, tablet := v.issue("phone"), v.issue("tablet")
	v.expect("set", v.setPIN(phone, "1357"), "true")
	inGrace := tablet
	tablet = v.rotate("tablet")
	v.expect("set", v.setPIN(tablet, "1357"), "true")
	w := v.beside()
	plan := v.startPlan(domain.RotationPlan{Bits: 2048, RefuseUse: true})
	for range 7 {
		v.expect("verify", v.verifyPIN(phone, "0000"), "KEY_NOT_USABLE")
	}
	v.expect("set", v.setPIN(phone, "2468"), "KEY_NOT_USABLE")
	v.expect("verify in grace", v.verifyPIN(inGrace, "1357"), "KEY_NOT_USABLE")
	v.expect("where it was not heard of yet", w.verifyPIN(phone, "1357"), "true")
	w.hears()
	v.expect("where it was", w.verifyPIN(phone, "1357"), "KEY_NOT_USABLE")
	fresh := w.issue("phone")
	v.expect("with the new key", v.verifyPIN(fresh, "1357"), "true")
	if k := v.stored(phone); len(k.Sealed) != 0 {
		t.Error("a refused key was left its grace")
	}

	_, err := v.StopRotationPlan(v.ctx, "another", domain.Act{Reason: "r"})
	v.code("stopping another", err, domain.CodeNotFound, "plan")
	must[domain.Receipt](t)(v.StopRotationPlan(v.ctx, plan.ID, domain.Act{Reason: "enough"}))
	v.expect("once it is stopped", v.verifyPIN(tablet, "1357"), "true")
	if again := v.issue("tablet"); again.KeyID != tablet.KeyID {
		t.Error("a key is replaced though the plan was stopped")
	}
	if started, stopped := v.told(domain.EventRotationStarted), v.told(domain.EventRotationStopped); len(started) != 1 || len(stopped) != 1 ||
		!strings.Contains(started[0].Reason, "yearly (plan "+plan.ID) || !strings.HasPrefix(stopped[0].Reason, "enough (plan ") || stopped[0].Actor != "operator:command:test" {
		t.Errorf("the trail says %+v, %+v", started, stopped)
	}
	v.intact()
}

func TestAPlanIsRefusedThatSelectsNothingOrTooMuch(t *testing.T) {
	v := openVault(t, nil)
	for _, c := range []struct {
		plan  domain.RotationPlan
		field string
	}{
		{domain.RotationPlan{}, "createdBefore"},
		{domain.RotationPlan{CreatedBefore: v.clock.Now().Add(time.Hour)}, "createdBefore"},
		{domain.RotationPlan{Bits: 1024}, "bits"},
		{domain.RotationPlan{Bits: -1}, "bits"},
	} {
		_, err := v.StartRotationPlan(v.ctx, c.plan, domain.Act{Reason: "r"})
		v.code(fmt.Sprint(c.plan), err, domain.CodeBadUserInput, c.field)
	}
	viewer := v.by("oidc:eve", domain.RoleViewer, "r")
	_, err := viewer.StartRotationPlan(viewer.ctx, domain.RotationPlan{Bits: 2048}, domain.Act{Reason: "r"})
	v.code("a viewer", err, domain.CodeForbidden, "")
	for n := range maxPlans + 2 {
		op := v.by("command:test", domain.RoleOperator, fmt.Sprint("req", n))
		act := domain.Act{Reason: "r", IdempotencyKey: fmt.Sprint(n)}
		first := must[domain.Receipt](t)(op.StartRotationPlan(op.ctx, domain.RotationPlan{Bits: 2048}, act))
		if again := must[domain.Receipt](t)(op.StartRotationPlan(op.ctx, domain.RotationPlan{Bits: 2048}, act)); !again.Repeated || again.RequestID != first.RequestID {
			t.Errorf("the repeat: %+v", again)
		}
		must[domain.Receipt](t)(op.StopRotationPlan(op.ctx, fmt.Sprint("req", n), domain.Act{Reason: "r"}))
	}
	if all := must[[]domain.RotationPlan](t)(v.RotationPlans(v.ctx)); len(all) != maxPlans || all[0].ID != fmt.Sprint("req", maxPlans+1) {
		t.Errorf("%d plans are kept, the newest %+v", len(all), all[0])
	}
}

func TestAnEditedPlanIsRefusedAndNoPlanRuns(t *testing.T) {
	v := openVault(t, nil)
	phone := v.issue("phone")
	v.startPlan(domain.RotationPlan{Bits: 2048, RefuseUse: true})
	i := v.insider()
	value := i.read("SELECT value AS b FROM setting WHERE name = 'rotation_plans'")["b"].([]byte)
	i.write("UPDATE setting SET value = $1 WHERE name = 'rotation_plans'", []byte(strings.Replace(string(value), `"bits":2048`, `"bits":3072`, 1)))
	if err := v.readPlan(v.ctx); err == nil {
		t.Error("the edited plan was taken")
	}
	if again := v.issue("phone"); again.KeyID != phone.KeyID {
		t.Error("a key was replaced by an edited plan")
	}
	_, err := v.RotationPlans(v.ctx)
	v.code("to be shown", err, domain.CodeInternal, "setting/rotation_plans")
	_, err = v.StartRotationPlan(v.ctx, domain.RotationPlan{Bits: 2048}, domain.Act{Reason: "r"})
	v.code("to be followed by another", err, domain.CodeInternal, "setting/rotation_plans")
	v.tamperingWasSeen()
	v.expect("verify", v.setPIN(phone, "1357"), "true")
	w := v.beside()
	v.expect("in a process that starts then", w.verifyPIN(phone, "1357"), "true")
}
