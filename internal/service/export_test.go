package service

import (
	"errors"
	"slices"
	"testing"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

func TestAnAccountExportIsCompleteAndRecordedInTheTrail(t *testing.T) {
	v := openJWT(t, func(c *Config) { c.History, c.Webhook = 3, &Webhook{Events: domain.EventsOut} })
	alice, bob := v.as("alice"), v.as("bob")
	old := alice.issue("phone")
	current, err := v.RotateKey(alice.ctx, domain.Identity{DeviceID: "phone", AppVersion: "1.2.3"})
	if err != nil {
		t.Fatal(err)
	}
	tablet := alice.issue("tablet")
	for _, pin := range []string{"8302", "8303"} {
		v.expect("set", alice.setPIN(current, pin), "true")
	}
	v.expect("a wrong verdict", alice.verifyPIN(current, "0000"), "false")
	bob.issue("bob's phone")
	id := v.accountID(domain.ModeJWT, testIssuer, "alice")
	if err := v.store.Update(v.ctx, func(tx store.Tx) error { // as the sender sets an event aside
		e, err := tx.FirstEvent(id)
		return errors.Join(err, tx.PutDeadLetter(domain.DeadLetter{OutboxEvent: e, Reason: domain.DeadRefused}), tx.DeleteEvent(id, e.Seq))
	}); err != nil {
		t.Fatal(err)
	}

	act := domain.Act{Reason: "she asked", IdempotencyKey: "ticket 1"}
	_, err = v.by("eve", domain.RoleViewer, "req0").ExportAccount(v.by("eve", domain.RoleViewer, "req0").ctx, id, act)
	v.code("by a viewer", err, domain.CodeForbidden, "operator")
	op := v.by("olga", domain.RoleOperator, "req1")
	_, err = op.ExportAccount(op.ctx, domain.NewID(), act)
	v.code("of no account", err, domain.CodeNotFound, "account")
	if n := v.events()[domain.EventAccountExported]; n != 0 {
		t.Errorf("%d exports are in the trail before the first", n)
	}

	for _, repeated := range []bool{false, true} {
		e, err := op.ExportAccount(op.ctx, id, act)
		if err != nil || e.Repeated != repeated || e.RequestID != "req1" || e.Account.Subject != "alice" || e.MoreKeys {
			t.Fatalf("%+v, %v", e, err)
		}
		var keys []string
		for _, d := range e.Devices {
			for _, k := range d.Keys {
				keys = append(keys, d.DeviceID+" "+k.ID+" "+string(k.State)+" "+k.AppVersion)
				if len(k.PublicKey) == 0 {
					t.Error("a key has no public key")
				}
			}
		}
		want := []string{"phone " + old.KeyID + " invalidated ", "phone " + current.KeyID + " active 1.2.3", "tablet " + tablet.KeyID + " active "}
		slices.Sort(keys)
		slices.Sort(want)
		if !slices.Equal(keys, want) {
			t.Errorf("keys are %q, want %q", keys, want)
		}
		for _, c := range e.Credentials {
			if is := c.Type == domain.TransactionPIN; c.Set != is || is && c.Failures != 2 { // the second set is one
				t.Errorf("credential %+v", c)
			}
		}
		if p := e.Previous; len(p) != 1 || p[0].Type != domain.TransactionPIN || p[0].Version != 1 {
			t.Errorf("replaced credentials %+v", p)
		}
		var sent []domain.Event
		for _, event := range append(e.DeadLetters, e.Events...) {
			if sent = append(sent, event.Event); event.Partition != id {
				t.Errorf("an event of another account: %+v", event)
			}
		}
		wantSent := []domain.Event{domain.EventKeyIssued, domain.EventKeyRotated, domain.EventKeyIssued, domain.EventKeyIssued,
			domain.EventCredentialSet, domain.EventCredentialSet}
		if !slices.Equal(sent, wantSent) || len(e.DeadLetters) != 1 || e.MoreEvents {
			t.Errorf("%d dead letters, and all events %v, want %v", len(e.DeadLetters), sent, wantSent)
		}
	}
	if entries := v.entriesOf(domain.EventAccountExported); len(entries) != 1 || entries[0].Record != "account/"+id || entries[0].Reason != "she asked" || entries[0].Actor != "operator:olga" {
		t.Errorf("the trail says %+v", entries)
	}
	v.intact()
}
