package service

import (
	"errors"
	"strings"
	"testing"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/rollback"
	"strongroom/internal/store"
)

// followers are two instances on one store that have read each other's entries.
func followers(t *testing.T) (v, w *instance) {
	t.Helper()
	v, w = openTwo(t)
	key := v.issue("phone")
	v.setPIN(key, "1357")
	v.expect("verify", v.verifyPIN(key, "1357"), "true")
	v.look("at the start", nil)
	w.look("at the start", nil)
	return v, w
}

// look is the look that a running instance takes by itself.
func (v *instance) look(when string, want error) {
	v.t.Helper()
	err := v.guard.Look(v.ctx)
	for range 3 {
		if errors.Is(err, store.ErrUnavailable) && !errors.Is(want, store.ErrUnavailable) { // on a busy machine, as the job does
			err = v.guard.Look(v.ctx)
		}
	}
	if !errors.Is(err, want) {
		v.t.Errorf("a look %s: %v, want %v", when, err, want)
	}
}

// A prune repeats the last entry of a counter. The process that prunes did not write the
// counter, so this is not a version that two processes wrote.
func TestAPruneByAnotherProcessDoesNotCountAsARollback(t *testing.T) {
	v, w := openTwo(t)
	phone, tablet := v.issue("phone"), v.issue("tablet")
	for _, k := range []domain.KeyPair{phone, tablet} {
		v.setPIN(k, "1357")
		v.expect("a guess", v.verifyPIN(k, "0000"), "false")
	}
	v.look("at first", nil)
	w.look("at first", nil)
	v.clock.Advance(year + time.Hour)
	v.expect("verify", v.verifyPIN(tablet, "1357"), "true") // or the counter's entry is the newest, and stays
	if err := v.tally.Flush(v.ctx, true); err != nil {
		t.Fatal(err)
	}
	v.look("before the prune", nil)
	w.pruned("")
	if n := v.events()[domain.EventRecordCarried]; n == 0 {
		t.Fatal("the prune carried no entry")
	}
	for range 2 {
		w.look("after the prune", nil)
		v.look("after the prune", nil)
	}
	v.expect("verify", v.verifyPIN(phone, "1357"), "true")
	v.intact()
}

// A row restored behind one instance is detected by another instance that never
// touched it.
func TestARowRestoredBehindAnotherInstanceIsDetected(t *testing.T) {
	for name, tt := range map[string]struct {
		putBack func(v *instance, b before)
		looks   bool // detected without a request
	}{
		"the attempt counter": {func(_ *instance, b before) { b.put("attempts", b.rows["attempts"]) }, false},
		"the tail of a chain": {func(_ *instance, b before) {
			b.rows = nil
			b.putBack()
		}, true},
		"the attempt counter and the tail": {func(_ *instance, b before) { b.putBack() }, true},
		"an entry of a chain": {func(v *instance, _ before) {
			v.insider().write("DELETE FROM audit_verdict")
			v.tally.Flush(v.ctx, true)
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			v, w := followers(t)
			key := v.issue("phone")
			kept := v.insider().keep("attempts")
			v.expect("a guess", v.verifyPIN(key, "0000"), "false")
			w.look("after a guess at the other", nil)
			tt.putBack(v, kept)
			if tt.looks {
				w.look("after it was put back", rollback.ErrSeen)
			}
			w.refusesEverything(key)
		})
	}
}

// The chains of an instance that starts later are followed from their first
// entry on.
func TestAnInstanceThatStartsLaterIsFollowed(t *testing.T) {
	v, _ := followers(t)
	third := v.beside()
	key := third.issue("phone")
	kept := v.insider().read("SELECT * FROM attempts WHERE @pin")
	third.expect("a guess", third.verifyPIN(key, "0000"), "false")
	v.look("after a guess at the third", nil)
	v.insider().put("attempts", kept)
	v.refusesEverything(key)
}

// A row that one instance erased cannot be restored behind another one that never
// touched it.
func TestARestoredRowThatAnotherInstanceErasedIsDetected(t *testing.T) {
	v, w := followers(t)
	kept := v.insider().keep("attempts", "credential")
	if err := v.erase("phone", "reason"); err != nil {
		t.Fatal(err)
	}
	w.look("after an erasure at the other", nil)
	key := w.issue("phone")
	for table, row := range kept.rows {
		kept.put(table, row)
	}
	w.expect("a guess", w.verifyPIN(key, "0000"), "INTERNAL")
	w.refusesEverything(key)
}

// If two instances wrote the same version of a row, the row was restored in
// between, even if neither had read the other's entry.
func TestAVersionThatTwoInstancesWroteIsDetected(t *testing.T) {
	v, w := followers(t)
	key := v.issue("phone")
	kept := v.insider().read("SELECT * FROM attempts WHERE @pin")
	v.expect("a guess", v.verifyPIN(key, "0000"), "false")
	v.insider().put("attempts", kept)
	v.clock.Advance(time.Second)
	w.expect("a guess at the other", w.verifyPIN(key, "0000"), "false")
	w.look("after both", rollback.ErrSeen)
}

// A tie to an entry that is missing shows that a chain was cut off.
func TestATieToAMissingEntryIsDetected(t *testing.T) {
	v, w := followers(t)
	tie := audit.Tie(domain.Entry{Chain: v.chains.Of(0), Seq: 1000, Hash: make([]byte, 32)})
	if err := v.records.Enter(v.ctx, tie); err != nil {
		t.Fatal(err)
	}
	w.look("after the tie", rollback.ErrSeen)
}

// An edited entry is not trusted, and is reported once.
func TestAnEditedEntryIsReportedOnceAndNotFollowed(t *testing.T) {
	v, w := followers(t)
	v.expect("a guess", v.verifyPIN(v.issue("phone"), "0000"), "false")
	v.insider().write("UPDATE audit_verdict SET account = account - 1")
	if err := w.guard.Look(w.ctx); err == nil || !strings.Contains(err.Error(), "strongroom audit verify") {
		t.Errorf("a look: %v", err)
	}
	w.look("once more", nil)
	w.expect("the right PIN", w.verifyPIN(w.issue("phone"), "1357"), "true")
}

// Followers do not take legitimate work of instances and commands for a rollback.
func TestFollowersSeeNoRollbackInLegitimateWork(t *testing.T) {
	v, w := followers(t)
	looks := func(when string) {
		t.Helper()
		v.look(when, nil)
		w.look(when, nil)
	}
	for range 3 {
		key := v.issue("phone")
		for n, at := range []*instance{v, w, w, v} {
			at.expect("a guess", at.verifyPIN(key, "0000"), "false")
			if n%2 == 0 {
				looks("after a guess")
			}
		}
		command := v.beside()
		if err := command.unlock(command.ctx, "phone", domain.TransactionPIN, "reason"); err != nil {
			t.Fatal(err)
		}
		command.store.Close()
		w.expect("the right PIN", w.verifyPIN(key, "1357"), "true")
		w.rotate("phone")
		looks("after a rotation")
		v.expect("with a key that was rotated beside", v.verifyPIN(key, "1357"), "KEY_NOT_USABLE")
		if err := w.erase("phone", "reason"); err != nil {
			t.Fatal(err)
		}
		looks("after an erasure")
		key = v.issue("phone")
		v.setPIN(key, "1357")
		w.expect("as it was set beside", w.verifyPIN(key, "1357"), "true")
		v.clock.Advance(5 * time.Minute)
		if err := errors.Join(v.Tie(v.ctx), v.tally.Flush(v.ctx, true)); err != nil {
			t.Fatal(err)
		}
	}
	third := v.beside() // and ends
	third.expect("verify", third.verifyPIN(third.issue("phone"), "1357"), "true")
	third.store.Close()
	v.clock.Advance(2 * year)
	looks("after two years")
	w.expect("verify", w.verifyPIN(w.issue("phone"), "1357"), "true")
	v.pruned("")
	looks("after a prune")
	v.expect("verify", v.verifyPIN(v.issue("phone"), "1357"), "true")
	looks("at the end")
	if err := errors.Join(v.Ready(v.ctx), w.Ready(w.ctx)); err != nil {
		t.Error(err)
	}
	v.intact()
}

// An instance that is alone and idle looks at every fourth glance.
func TestAnIdleInstanceLooksRarelyAndStillDetectsRollbacks(t *testing.T) {
	for name, putBack := range map[string]func(i insider, kept before){
		"the tail of the trail":   func(i insider, _ before) { i.write("DELETE FROM audit_verdict") },
		"only an attempt counter": func(i insider, kept before) { kept.put("attempts", kept.rows["attempts"]) },
	} {
		t.Run(name, func(t *testing.T) {
			v := tamperable(t)
			kept := v.insider().keep("attempts")
			v.verifyPIN(v.issue("phone"), "0000")
			v.beginBeats()
			for range 2 { // the first one learns which chains there are
				v.beat(nil)
				v.glance(nil)
			}
			putBack(v.insider(), kept)
			v.beat(nil)
			if v.shared() {
				v.glance(nil)
			}
			v.glance(rollback.ErrSeen)
		})
	}
}

// While another instance runs, each glance is a look, even if the trail stays the same.
func TestAnInstanceThatIsNotAloneLooksAtEachGlance(t *testing.T) {
	v, _ := beating(t)
	kept := v.insider().keep("attempts")
	v.expect("verify", v.verifyPIN(v.issue("phone"), "1357"), "true")
	for range 4 {
		v.beat(nil)
		v.glance(nil)
	}
	kept.put("attempts", kept.rows["attempts"])
	v.beat(nil)
	v.glance(rollback.ErrSeen)
}

// Someone puts an entry with a time in the future into the trail, so that its newest
// entry stays the same.
func TestAForgedNewestEntryDoesNotHideThatAnInstanceIsAtWork(t *testing.T) {
	v := tamperable(t)
	kept := v.insider().keep("attempts")
	v.verifyPIN(v.issue("phone"), "0000")
	key := v.issue("tablet")
	forged := kept.read("SELECT * FROM audit_log ORDER BY time DESC LIMIT 1")
	forged["chain"], forged["time"] = "forged", domain.Micros(v.clock.Now().Add(year))
	kept.put("audit_log", forged)
	v.beginBeats()
	for range 4 {
		v.beat(nil)
		v.glance(nil)
	}
	v.expect("verify", v.verifyPIN(key, "1357"), "true")
	kept.put("attempts", kept.rows["attempts"])
	v.beat(nil)
	v.glance(rollback.ErrSeen)
}

func nobody(store.Tx) {}

func (v *instance) glance(want error) {
	v.t.Helper()
	if err := v.guard.Glance(v.ctx, nobody); !errors.Is(err, want) {
		v.t.Errorf("a glance: %v, want %v", err, want)
	}
}
