package service

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/rotation"
)

// startPlan begins a plan, with the clock a little past what was issued.
func (v *instance) startPlan(p domain.RotationPlan) domain.RotationPlan {
	v.t.Helper()
	must[domain.ActResult](v.t)(v.StartRotationPlan(v.ctx, p, domain.Act{Reason: "yearly"}))
	return must[[]domain.RotationPlan](v.t)(v.RotationPlans(v.ctx))[0]
}

// hears makes a process read the plan that another one set.
func (v *instance) hears() {
	v.t.Helper()
	if err := v.plans.Read(v.ctx); err != nil {
		v.t.Fatal(err)
	}
}

func TestARotationPlanReplacesSelectedKeysAtNextUse(t *testing.T) {
	v := openVault(t, func(c *Config) { c.RotationGrace = time.Hour })
	phone, tablet := v.issue("phone"), v.issue("tablet")
	v.expect("set", v.setPIN(phone, "1357"), "true")
	w := v.beside()
	v.clock.Advance(time.Minute)
	viewer := v.by("viewer", domain.RoleViewer, "")
	for given, want := range map[domain.RotationPlan]int64{{}: 2, {CreatedBefore: v.clock.Now().Add(-time.Second)}: 2, {Bits: 2048, RefuseUse: true}: 2,
		{Bits: 4096}: 0, {CreatedBefore: v.clock.Now().Add(-time.Hour)}: 0} {
		got := must[domain.RotationPlan](t)(v.PreviewRotationPlan(viewer.ctx, given))
		if got.Selected != want || got.CreatedBefore.IsZero() || got.CountedAt.IsZero() {
			t.Errorf("the preview of %+v is %+v", given, got)
		}
	}
	if all := must[[]domain.RotationPlan](t)(v.RotationPlans(v.ctx)); len(all) > 0 {
		t.Errorf("a preview began %+v", all)
	}
	_, err := v.PreviewRotationPlan(v.ctx, domain.RotationPlan{CreatedBefore: v.clock.Now().Add(time.Hour)})
	v.code("a preview of the future", err, domain.CodeBadUserInput, "future")
	plan := v.startPlan(domain.RotationPlan{CreatedBefore: v.clock.Now().Add(-time.Second)})
	if plan.Selected != 2 || plan.Remaining != 2 || plan.StartedBy != "command:test" || plan.Reason != "yearly" || !plan.StoppedAt.IsZero() {
		t.Errorf("the plan is %+v", plan)
	}
	_, err = w.StartRotationPlan(w.ctx, domain.RotationPlan{Bits: 2048}, domain.Act{Reason: "r"})
	v.code("a second plan", err, domain.CodeConflict, "already running")
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
	entries := v.entriesOf(domain.EventKeyRotated)
	if len(entries) != 1 || entries[0].KeyID != phone.KeyID || entries[0].Outcome != "plan" || entries[0].Actor != "caller" {
		t.Errorf("the trail says %+v", entries)
	}
	d := must[domain.Device](t)(v.Key(v.ctx, phone.KeyID))
	if d.KeyGeneration.Count+must[domain.Device](t)(w.Key(w.ctx, phone.KeyID)).KeyGeneration.Count != 3 {
		t.Error("the requests are not counted as usual")
	}

	v.issue("tablet")
	v.clock.Advance(2 * time.Minute)
	for _, s := range []*instance{v, w, v} {
		if err := s.plans.Follow(s.ctx, s.records.View); err != nil {
			t.Fatal(err)
		}
	}
	all := must[[]domain.RotationPlan](t)(v.RotationPlans(v.ctx))
	if len(all) != 1 || all[0].StoppedAt.IsZero() || all[0].StoppedBy != "system" || all[0].Remaining != 0 || all[0].Selected != 2 {
		t.Errorf("when nothing is left: %+v", all)
	}
	if n := len(v.entriesOf(domain.EventRotationFinished)); n != 1 {
		t.Errorf("%d entries record its end", n)
	}
	_, err = v.StopRotationPlan(v.ctx, all[0].ID, domain.Act{Reason: "r"})
	v.code("stopping it then", err, domain.CodeConflict, "has ended already")
	_ = tablet
	v.intact()
}

// With 100 million keys, an operator does not wait until all are counted. A background
// job counts them, and the plan shows when.
func TestAnOperatorNeverWaitsForACountOfAllKeys(t *testing.T) {
	v := openVault(t, nil)
	for i := range 5 {
		v.issue(fmt.Sprint("phone", i))
	}
	v.clock.Advance(time.Minute)
	v.plans.MostCounted = 3
	shown := func(what string, got domain.RotationPlan, selected, remaining int64, selectedMore, remainingMore bool) {
		t.Helper()
		if got.Selected != selected || got.Remaining != remaining || got.SelectedMore != selectedMore || got.RemainingMore != remainingMore {
			t.Errorf("%s: %+v", what, got)
		}
	}
	all := func() domain.RotationPlan { return must[[]domain.RotationPlan](t)(v.RotationPlans(v.ctx))[0] }
	shown("the preview", must[domain.RotationPlan](t)(v.PreviewRotationPlan(v.ctx, domain.RotationPlan{})), 3, 3, true, true)
	shown("the plan", v.startPlan(domain.RotationPlan{Bits: 2048}), 3, 3, true, true)
	if reason := v.lastEntry(domain.EventRotationStarted).Reason; !strings.Contains(reason, "3 or more active") {
		t.Errorf("the trail says %q", reason)
	}
	follow := func() {
		t.Helper()
		if err := v.plans.Follow(v.ctx, v.records.View); err != nil {
			t.Fatal(err)
		}
	}
	follow()
	shown("when the background has counted", all(), 3, 5, true, false)
	counted := all().CountedAt
	v.issue("phone0")
	follow()
	shown("at once", all(), 3, 5, true, false)
	v.clock.Advance(time.Hour)
	follow()
	if shown("later", all(), 3, 4, true, false); !all().CountedAt.After(counted) {
		t.Errorf("it was counted at %v", all().CountedAt)
	}
	for i := range 5 {
		v.issue(fmt.Sprint("phone", i))
	}
	v.clock.Advance(time.Hour)
	follow()
	if shown("when nothing is left", all(), 3, 0, true, false); all().StoppedAt.IsZero() {
		t.Error("it did not end")
	}
	v.intact()
}

// The background counts every 30 s at most. The plan shows forever what was left at its end.
func TestAStoppedPlanKeepsTheCountOfItsEnd(t *testing.T) {
	v := openVault(t, nil)
	w := v.beside()
	stop := func(by *instance) domain.RotationPlan {
		t.Helper()
		must[domain.ActResult](t)(by.StopRotationPlan(by.ctx, domain.CurrentPlan, domain.Act{Reason: "r"}))
		return must[[]domain.RotationPlan](t)(v.RotationPlans(v.ctx))[0]
	}
	for n, tc := range []struct {
		by        *instance
		most      int64
		remaining int64
	}{{v, 3, 2}, {w, 3, 2}, {v, 2, 3}} { // at the bound, the count of the background stays
		for i := range 3 {
			v.issue(fmt.Sprint("phone", n, i))
		}
		v.clock.Advance(time.Minute)
		v.plans.MostCounted, w.plans.MostCounted = 100, 100
		plan := v.startPlan(domain.RotationPlan{Bits: 2048})
		before := plan.Selected - 3
		if err := v.plans.Follow(v.ctx, v.records.View); err != nil {
			t.Fatal(err)
		}
		v.issue(fmt.Sprint("phone", n, 0))
		v.clock.Advance(time.Hour)
		v.plans.MostCounted, w.plans.MostCounted = before+tc.most, before+tc.most
		if got := stop(tc.by); got.Remaining != before+tc.remaining || got.RemainingMore || (got.StoppedAt.Sub(got.CountedAt) < time.Minute) != (tc.remaining == 2) {
			t.Errorf("plan %d: %+v", n, got)
		}
	}
	v.intact()
}

func TestAPlanRefusesUseOfItsKeysWithoutCountingAttempts(t *testing.T) {
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
	v.expect("at an instance that does not know the plan yet", w.verifyPIN(phone, "1357"), "true")
	w.hears()
	v.expect("at an instance that knows it", w.verifyPIN(phone, "1357"), "KEY_NOT_USABLE")
	fresh := w.issue("phone")
	v.expect("with the new key", v.verifyPIN(fresh, "1357"), "true")
	if k := v.stored(phone); len(k.Sealed) != 0 {
		t.Error("a refused key kept its grace period")
	}

	_, err := v.StopRotationPlan(v.ctx, "another", domain.Act{Reason: "r"})
	v.code("stopping another", err, domain.CodeNotFound, "plan")
	must[domain.ActResult](t)(v.StopRotationPlan(v.ctx, plan.ID, domain.Act{Reason: "enough"}))
	v.expect("once it is stopped", v.verifyPIN(tablet, "1357"), "true")
	if again := v.issue("tablet"); again.KeyID != tablet.KeyID {
		t.Error("a key is replaced though the plan was stopped")
	}
	if started, stopped := v.entriesOf(domain.EventRotationStarted), v.entriesOf(domain.EventRotationStopped); len(started) != 1 || len(stopped) != 1 ||
		!strings.Contains(started[0].Reason, "yearly (plan "+plan.ID) || !strings.HasPrefix(stopped[0].Reason, "enough (plan ") || stopped[0].Actor != "operator:command:test" {
		t.Errorf("the trail says %+v, %+v", started, stopped)
	}
	v.intact()
}

// No active key is left to replace, so the plan finishes at once.
func TestAKeyInGraceStaysRefusedAfterItsPlanHasFinished(t *testing.T) {
	v := openVault(t, func(c *Config) { c.RotationGrace = 24 * time.Hour })
	old := v.issue("phone")
	v.expect("set", v.setPIN(old, "1357"), "true")
	v.clock.Advance(time.Minute)
	before := v.clock.Now()
	fresh := v.rotate("phone")
	v.expect("verify in grace", v.verifyPIN(old, "1357"), "true")
	w := v.beside()
	v.startPlan(domain.RotationPlan{CreatedBefore: before, RefuseUse: true})
	v.expect("while the plan runs", v.verifyPIN(old, "1357"), "KEY_NOT_USABLE")
	if err := v.plans.Follow(v.ctx, v.records.View); err != nil || v.plans.Running() != nil {
		t.Fatalf("the plan has no active key and still runs, or %v", err)
	}
	v.expect("after it has finished", v.verifyPIN(old, "1357"), "KEY_NOT_USABLE")
	v.expect("with the new key", v.verifyPIN(fresh, "1357"), "true")
	w.hears()
	w.expect("at another instance", w.verifyPIN(old, "1357"), "KEY_NOT_USABLE")
	v.kill()
	if err := v.TakeUpPlan(v.ctx); err != nil {
		t.Fatal(err)
	}
	v.expect("after a restart", v.verifyPIN(old, "1357"), "KEY_NOT_USABLE")
	v.expect("with the new key", v.verifyPIN(fresh, "1357"), "true")
	v.intact()
}

func TestInvalidPlansAreRefusedAndOldPlansAreDropped(t *testing.T) {
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
	for n := range rotation.Most + 2 {
		op := v.by("command:test", domain.RoleOperator, fmt.Sprint("req", n))
		act := domain.Act{Reason: "r", IdempotencyKey: fmt.Sprint(n)}
		first := must[domain.ActResult](t)(op.StartRotationPlan(op.ctx, domain.RotationPlan{Bits: 2048}, act))
		if again := must[domain.ActResult](t)(op.StartRotationPlan(op.ctx, domain.RotationPlan{Bits: 2048}, act)); !again.Repeated || again.RequestID != first.RequestID {
			t.Errorf("the repeat: %+v", again)
		}
		must[domain.ActResult](t)(op.StopRotationPlan(op.ctx, fmt.Sprint("req", n), domain.Act{Reason: "r"}))
	}
	if all := must[[]domain.RotationPlan](t)(v.RotationPlans(v.ctx)); len(all) != rotation.Most || all[0].ID != fmt.Sprint("req", rotation.Most+1) {
		t.Errorf("%d plans are kept, the newest %+v", len(all), all[0])
	}
}

// planEdits are the edits by which someone who can write to the database could end a
// plan that refuses use.
var planEdits = []struct {
	name  string
	do    func(i insider, before []byte)
	finds []string
}{
	{"edited", func(i insider, _ []byte) {
		value := i.read("SELECT value AS b FROM setting WHERE name = 'rotation_plans'")["b"].([]byte)
		i.write("UPDATE setting SET value = $1 WHERE name = 'rotation_plans'", []byte(strings.Replace(string(value), `"bits":2048`, `"bits":3072`, 1)))
	}, []string{"plan/two: the record is gone", "setting/rotation_plans: the setting was edited"}},
	{"spoiled", func(i insider, _ []byte) {
		i.write("UPDATE setting SET value = $1 WHERE name = 'rotation_plans'", []byte{0})
	}, []string{"plan/two: the record is gone", "setting/rotation_plans: the setting was edited"}},
	{"deleted", func(i insider, _ []byte) {
		i.write("DELETE FROM setting WHERE name = 'rotation_plans'")
	}, []string{"plan/two: the record is gone"}},
	{"restored to its value after the previous plan had ended", func(i insider, before []byte) {
		i.write("UPDATE setting SET value = $1 WHERE name = 'rotation_plans'", before)
	}, []string{"plan/two: the record is gone"}},
}

func TestDatabaseEditsDoNotEndAPlan(t *testing.T) {
	for _, c := range planEdits {
		t.Run(c.name, func(t *testing.T) {
			v := openVault(t, nil)
			key := v.issue("phone")
			v.expect("set", v.setPIN(key, "1357"), "true")
			v.asRequest("one").startPlan(domain.RotationPlan{Bits: 2048})
			must[domain.ActResult](t)(v.StopRotationPlan(v.ctx, "one", domain.Act{Reason: "r"}))
			before := v.plansSetting()
			v.asRequest("two").startPlan(domain.RotationPlan{Bits: 2048, RefuseUse: true})
			c.do(v.insider(), before)
			v.refusedPlans(key, "KEY_NOT_USABLE", c.finds...)
		})
	}
}

func TestARestoredSettingDoesNotRestartAnEndedPlan(t *testing.T) {
	v := openVault(t, nil)
	key := v.issue("phone")
	v.expect("set", v.setPIN(key, "1357"), "true")
	v.asRequest("one").startPlan(domain.RotationPlan{Bits: 2048, RefuseUse: true})
	before := v.plansSetting()
	must[domain.ActResult](t)(v.StopRotationPlan(v.ctx, domain.CurrentPlan, domain.Act{Reason: "r"}))
	v.insider().write("UPDATE setting SET value = $1 WHERE name = 'rotation_plans'", before)
	v.refusedPlans(key, "true", "plan/one: the record was edited or rolled back")
}

// A process has not seen that the plan was stopped, and someone restores the old setting.
// The process knows that setting, but still compares it with the trail.
func TestAnUnchangedPlanIsComparedWithTheTrailEvery10Seconds(t *testing.T) {
	v := openVault(t, nil)
	v.issue("phone")
	v.asRequest("one").startPlan(domain.RotationPlan{Bits: 2048})
	before := v.plansSetting()
	w := v.beside()
	follow := func() error { return w.plans.Follow(w.ctx, w.records.View) }
	if err := errors.Join(w.TakeUpPlan(w.ctx), follow()); err != nil {
		t.Fatal(err)
	}
	must[domain.ActResult](t)(v.StopRotationPlan(v.ctx, domain.CurrentPlan, domain.Act{Reason: "r"}))
	v.insider().write("UPDATE setting SET value = $1 WHERE name = 'rotation_plans'", before)
	v.clock.Advance(9 * time.Second)
	if err := follow(); err != nil {
		t.Errorf("the trail was read within 10 s: %v", err)
	}
	v.clock.Advance(time.Second)
	if err := follow(); !record.IsTampered(err) {
		t.Errorf("after 10 s the restored setting was accepted: %v", err)
	}
	if err := follow(); !record.IsTampered(err) {
		t.Errorf("the refused setting was accepted at the next reading: %v", err)
	}
}

func TestAPlanContinuesAfterItsRecordsAreDeleted(t *testing.T) {
	v := openVault(t, nil)
	v.issue("phone")
	v.asRequest("one").startPlan(domain.RotationPlan{Bits: 2048, RefuseUse: true})
	if err := v.erase("phone", "so that its entry is not the last"); err != nil {
		t.Fatal(err)
	}
	v.insider().write("DELETE FROM setting WHERE name = 'rotation_plans'")
	v.insider().write("DELETE FROM audit_log WHERE event = 'rotation.started'")
	if err := v.plans.Read(v.ctx); err == nil {
		t.Error("the missing plan was accepted as ended")
	}
	if v.plans.Running() == nil {
		t.Error("the plan no longer runs")
	}
	if len(v.problems()) == 0 {
		t.Error("audit verify finds nothing")
	}
}

func TestForgedEntriesDoNotEndAPlan(t *testing.T) {
	v := openVault(t, nil)
	key := v.issue("phone")
	v.asRequest("one").startPlan(domain.RotationPlan{Bits: 2048, RefuseUse: true})
	i := v.insider()
	forged := i.read("SELECT * FROM audit_log WHERE event = 'rotation.started'")
	put := func(n int64) {
		forged["seq"], forged["time"] = forged["seq"].(int64)+1000, forged["time"].(int64)+n
		i.put("audit_log", forged)
	}
	for n := range int64(120) { // more than are looked at
		put(n)
	}
	forged["event"], forged["digest"] = string(domain.EventRotationFinished), []byte{}
	put(1)
	w := v.beside()
	if err := errors.Join(v.plans.Read(v.ctx), w.TakeUpPlan(w.ctx)); err != nil {
		t.Error(err)
	}
	w.expect("set", w.setPIN(key, "1357"), "KEY_NOT_USABLE")
}

func TestAPruneKeepsTheHistoryOfAPlan(t *testing.T) {
	v := openVault(t, nil)
	key := v.issue("phone")
	v.expect("set", v.setPIN(key, "1357"), "true")
	v.asRequest("one").startPlan(domain.RotationPlan{Bits: 2048, RefuseUse: true})
	for range 2 { // the second one carries what the first one did
		v.clock.Advance(year + time.Hour)
		v.issue("tablet")
		v.pruned("")
		v.intact()
		if started, carried := len(v.entriesOf(domain.EventRotationStarted)), len(v.entriesOf(domain.EventRotationCarried)); started != 0 || carried != 1 {
			t.Errorf("%d entries record the start and %d carry it", started, carried)
		}
		w := v.beside()
		if err := w.TakeUpPlan(w.ctx); err != nil {
			t.Fatal(err)
		}
		w.expect("verify", w.verifyPIN(key, "1357"), "KEY_NOT_USABLE")
	}
	v.insider().write("DELETE FROM setting WHERE name = 'rotation_plans'")
	v.refusedPlans(key, "KEY_NOT_USABLE", "plan/one: the record is gone")
}

// The entry that a prune carried stays long after the plan has ended.
func TestAPlanThatAPruneCarriedStaysEndedAfterManyOthers(t *testing.T) {
	v := openVault(t, nil)
	v.expect("set", v.setPIN(v.issue("phone"), "1357"), "true")
	stop := func() {
		t.Helper()
		must[domain.ActResult](t)(v.StopRotationPlan(v.ctx, domain.CurrentPlan, domain.Act{Reason: "enough"}))
	}
	v.startPlan(domain.RotationPlan{Bits: 2048})
	v.clock.Advance(year + time.Hour)
	v.issue("tablet")
	v.pruned("")
	for i := range 60 {
		v.clock.Advance(time.Hour)
		stop()
		v.asRequest(fmt.Sprint("request ", i)).startPlan(domain.RotationPlan{Bits: 2048})
	}
	if err := v.plans.Read(v.ctx); err != nil {
		t.Error(err)
	}
	v.clock.Advance(time.Hour)
	stop()
	if err := v.TakeUpPlan(v.ctx); err != nil {
		t.Error(err)
	}
	v.intact()
}

func (v *instance) asRequest(id string) *instance {
	return v.by("command:test", domain.RoleOperator, id)
}

// plansSetting is the setting as it is now.
func (v *instance) plansSetting() []byte {
	v.t.Helper()
	return v.insider().read("SELECT value AS b FROM setting WHERE name = 'rotation_plans'")["b"].([]byte)
}

// refusedPlans expects that the setting is refused, that the process goes on as
// it did, and that none starts until an operator has stopped the plan that
// the trail has.
func (v *instance) refusedPlans(key domain.KeyPair, verify string, finds ...string) {
	v.t.Helper()
	seen := v.events()[domain.EventTamperingSeen]
	var found []string
	for _, p := range v.problems() {
		text, _, _ := strings.Cut(p.String(), " (see")
		found = append(found, text)
	}
	if !slices.Equal(found, finds) {
		v.t.Errorf("audit verify finds %q, want %q", found, finds)
	}
	w := v.beside()
	if v.events()[domain.EventTamperingSeen] != seen {
		v.t.Error("reading wrote into the trail")
	}
	if err := v.plans.Read(v.ctx); err == nil {
		v.t.Error("the setting was taken")
	}
	v.expect("verify where the plan was known", v.verifyPIN(key, "1357"), verify)
	_, err := v.RotationPlans(v.ctx)
	v.code("to be shown", err, domain.CodeInternal, "setting/rotation_plans")
	_, err = v.StartRotationPlan(v.ctx, domain.RotationPlan{Bits: 2048}, domain.Act{Reason: "r"})
	v.code("to be followed by another", err, domain.CodeInternal, "setting/rotation_plans")
	if err := w.TakeUpPlan(w.ctx); err == nil || !strings.Contains(err.Error(), "strongroom admin rotation stop") {
		v.t.Errorf("a process that starts: %v", err)
	}
	v.tamperingWasSeen()

	must[domain.ActResult](v.t)(w.asRequest("stop").StopRotationPlan(w.ctx, domain.CurrentPlan, domain.Act{Reason: "tampering"}))
	v.intact()
	v.hears()
	v.expect("verify once it was stopped", v.verifyPIN(key, "1357"), "true")
	_, err = v.StopRotationPlan(v.ctx, domain.CurrentPlan, domain.Act{Reason: "r"})
	v.code("once more", err, domain.CodeConflict, "No rotation plan is running")
	v.asRequest("again").startPlan(domain.RotationPlan{Bits: 2048, RefuseUse: true})
	if err := w.TakeUpPlan(w.ctx); err != nil {
		v.t.Error(err)
	}
	v.expect("verify once it runs again", w.verifyPIN(key, "1357"), "KEY_NOT_USABLE")
	v.intact()
}
