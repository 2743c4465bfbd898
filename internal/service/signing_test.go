package service

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
	"strongroom/internal/record"
)

const day = 24 * time.Hour

func openSigning(t *testing.T) *instance {
	t.Helper()
	v := openVault(t, func(c *Config) { c.SigningKeyTTL = 90 * day })
	v.tend()
	return v
}

func (v *instance) tend() {
	v.t.Helper()
	if err := v.TendSigningKeys(v.ctx); err != nil {
		v.t.Fatal(err)
	}
}

// kids are the ids of the published keys, after it was checked that no private
// part is published.
func (v *instance) kids() (ids []string) {
	v.t.Helper()
	text, tag := v.KeySet()
	var set jose.JSONWebKeySet
	if err := json.Unmarshal(text, &set); err != nil || len(tag) < 10 {
		v.t.Fatalf("%s, %q: %v", text, tag, err)
	}
	for _, k := range set.Keys {
		if !k.IsPublic() || !k.Valid() {
			v.t.Errorf("not a public key: %s", text)
		}
		ids = append(ids, k.KeyID)
	}
	return ids
}

// signs is the id of the key that signs. A published key verifies its signature.
func (v *instance) signs() string {
	v.t.Helper()
	text, err := v.issuer.Sign("test+jwt", []byte("payload"))
	if err != nil {
		v.t.Fatal(err)
	}
	jws, err := jose.ParseSignedCompact(text, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil {
		v.t.Fatal(err)
	}
	var set jose.JSONWebKeySet
	published, _ := v.KeySet()
	if err := json.Unmarshal(published, &set); err != nil {
		v.t.Fatal(err)
	}
	if _, err := jws.Verify(set); err != nil {
		v.t.Errorf("no published key verifies: %v", err)
	}
	return jws.Signatures[0].Header.KeyID
}

func (v *instance) states() []domain.SigningKeyState {
	v.t.Helper()
	_, states, err := v.SigningKeys(v.ctx)
	if err != nil {
		v.t.Fatal(err)
	}
	return states
}

func same[T any](v *instance, what string, got, want T) {
	v.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		v.t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestInstancesThatStartTogetherMakeOneSigningKey(t *testing.T) {
	v := openVault(t, nil)
	all := []*instance{v}
	for range 4 {
		all = append(all, v.beside())
	}
	var wg sync.WaitGroup
	for _, w := range all {
		wg.Go(func() {
			if err := w.TendSigningKeys(w.ctx); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	kids := v.kids()
	if len(kids) != 1 {
		t.Fatalf("%d keys are published", len(kids))
	}
	for _, w := range all {
		same(w, "published keys", w.kids(), kids)
		same(w, "key that signs", w.signs(), kids[0])
	}
	same(v, "entries", v.events()[domain.EventSigningCreated], 1)
	v.intact()
}

func TestASigningKeyIsReplacedByAge(t *testing.T) {
	v := openSigning(t)
	first := v.kids()[0]
	old, err := v.issuer.Sign("drill", []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	v.clock.Advance(83*day - time.Second)
	v.tend()
	same(v, "before the successor is due", v.kids(), []string{first})
	v.clock.Advance(time.Second)
	v.tend()
	kids := v.kids()
	if len(kids) != 2 || kids[0] != first {
		t.Fatalf("7 days before the end: %v", kids)
	}
	same(v, "key that signs before the end", v.signs(), first)
	v.clock.Advance(7*day - time.Second)
	v.tend()
	same(v, "key that signs 1 s before the end", v.signs(), first)
	v.clock.Advance(time.Second)
	v.tend()
	same(v, "key that signs at the end", v.signs(), kids[1])
	same(v, "published after the end", v.kids(), kids)
	same(v, "states", v.states(), []domain.SigningKeyState{domain.SigningRetired, domain.SigningActive})
	rows := v.insider().rows("SELECT sealed FROM signing_key ORDER BY number")
	if a, b := rows[0]["sealed"].([]byte), rows[1]["sealed"].([]byte); len(a) > 0 || len(b) == 0 {
		t.Errorf("private keys of %d and %d bytes: want the first erased", len(a), len(b))
	}
	verified := func() bool {
		_, ok, err := v.issuer.Verify(v.ctx, "drill", old)
		return ok && err == nil
	}
	same(v, "verified until 7 days after the end", verified(), true)
	v.clock.Advance(7 * day)
	v.tend()
	same(v, "published 7 days after the end", v.kids(), kids[1:])
	same(v, "verified 7 days after the end", verified(), false)
	same(v, "entries", [2]int{v.events()[domain.EventSigningCreated], v.events()[domain.EventSigningErased]}, [2]int{2, 1})
	v.intact()
}

func TestALateSuccessorIsPublishedBeforeItSigns(t *testing.T) {
	v := openSigning(t)
	first := v.signs()
	v.clock.Advance(200 * day)
	v.tend()
	same(v, "key that signs", v.signs(), first)
	v.clock.Advance(7 * day)
	v.tend()
	if v.signs() == first {
		t.Error("the successor does not sign after 7 days")
	}
}

func TestSettingTheClockForwardErasesNoSigningKey(t *testing.T) {
	v := openSigning(t)
	first := v.signs()
	if _, err := v.RotateSigningKey(v.ctx, false, domain.Act{Reason: "test"}); err != nil {
		t.Fatal(err)
	}
	v.tend()
	v.clock.Set(120 * day)
	v.tend()
	v.clock.Set(-120 * day)
	w := v.beside() // it reads the private key from the store
	w.tend()
	same(v, "key that signs after the clock was set back", w.signs(), first)
	same(v, "states", v.states(), []domain.SigningKeyState{domain.SigningActive, domain.SigningNext})
	v.intact()
}

func TestAFirstSigningKeyOfAClockThatWasAheadSigns(t *testing.T) {
	v := openVault(t, func(c *Config) { c.SigningKeyTTL = 90 * day })
	v.clock.Set(30 * day)
	v.tend()
	first := v.signs()
	v.clock.Set(-30 * day)
	w := v.beside()
	w.tend()
	same(v, "key that signs after the clock was set back", w.signs(), first)
	same(v, "states", w.states(), []domain.SigningKeyState{domain.SigningActive})
	if _, err := w.RotateSigningKey(w.ctx, true, domain.Act{Reason: "test"}); err != nil {
		t.Fatal(err)
	}
	w.tend()
	same(v, "states after a rotation", w.states(), []domain.SigningKeyState{domain.SigningRetired, domain.SigningActive})
	same(v, "key that signs after it", w.signs(), w.kids()[1])
	v.intact()
}

func TestAnOperatorRotatesTheSigningKey(t *testing.T) {
	v := openSigning(t)
	first := v.signs()
	act := domain.Act{Reason: "test"}
	rotate := func(atOnce bool) error {
		_, err := v.RotateSigningKey(v.ctx, atOnce, act)
		v.tend()
		return err
	}
	if err := rotate(false); err != nil {
		t.Fatal(err)
	}
	same(v, "states", v.states(), []domain.SigningKeyState{domain.SigningActive, domain.SigningNext})
	same(v, "key that signs", v.signs(), first)
	if err := rotate(false); domain.CodeOf(err) != domain.CodeConflict || !strings.Contains(err.Error(), "--now") {
		t.Errorf("a second successor: %v", err)
	}
	if err := rotate(true); err != nil {
		t.Fatal(err)
	}
	same(v, "states", v.states(), []domain.SigningKeyState{domain.SigningRetired, domain.SigningActive})
	same(v, "key that signs now", v.signs(), v.kids()[1])
	if err := rotate(true); err != nil {
		t.Fatal(err)
	}
	same(v, "states", v.states(), []domain.SigningKeyState{domain.SigningRetired, domain.SigningRetired, domain.SigningActive})
	viewer := domain.WithOperator(v.ctx, domain.Operator{Name: "viewer", Role: domain.RoleViewer})
	if _, err := v.RotateSigningKey(viewer, true, act); domain.CodeOf(err) != domain.CodeForbidden {
		t.Errorf("a viewer: %v", err)
	}
	reasons := 0
	v.eachEntry(func(e domain.Entry) {
		if strings.HasPrefix(e.Reason, "test; kid ") && strings.HasPrefix(e.Actor, "operator:") {
			reasons++
		}
	})
	same(v, "entries with the reason", reasons, 3)
	v.intact()
}

func TestAnEditedSigningKeyIsRefusedAndWithdrawn(t *testing.T) {
	for name, edit := range map[string]string{
		"the public key":    "UPDATE signing_key SET public_key = (SELECT k.public_key FROM signing_key k WHERE k.number = 1) WHERE number = 2",
		"the time":          "UPDATE signing_key SET active_from = active_from - 1 WHERE number = 2",
		"the private key":   "UPDATE signing_key SET sealed = (SELECT k.sealed FROM signing_key k WHERE k.number = 1) WHERE number = 2",
		"the first removed": "DELETE FROM signing_key WHERE number = 1",
		"all removed":       "DELETE FROM signing_key",
	} {
		t.Run(name, func(t *testing.T) {
			v := openSigning(t)
			if _, err := v.RotateSigningKey(v.ctx, false, domain.Act{Reason: "test"}); err != nil {
				t.Fatal(err)
			}
			v.tend()
			kids := v.kids()
			v.insider().write(edit)
			if err := v.issuer.Tend(v.ctx); !record.IsTampered(err) {
				t.Errorf("reading it: %v", err)
			}
			same(v, "keys that a running process publishes", v.kids(), kids)
			w := v.beside()
			w.tend()
			if set, _ := w.KeySet(); set != nil {
				t.Errorf("a new process publishes %s", set)
			}
			same(v, "entries", v.events()[domain.EventTamperingSeen] > 0, true)
			if _, err := v.WithdrawSigningKeys(v.ctx, domain.Act{Reason: "repair"}); err != nil {
				t.Fatal(err)
			}
			v.tend()
			w.tend()
			for _, i := range []*instance{v, w} {
				if again := i.kids(); len(again) != 1 || slices.Contains(kids, again[0]) || i.signs() != again[0] {
					t.Errorf("after all keys were withdrawn, %v are published, before %v", again, kids)
				}
			}
			withdrawn := map[bool]int{} // by whether the record could be trusted
			v.eachEntry(func(e domain.Entry) {
				if e.Event == domain.EventSigningWithdrawn {
					withdrawn[strings.HasPrefix(e.Reason, "repair; kid ") && !strings.Contains(e.Reason, "unknown")]++
				}
			})
			want := map[bool]int{true: 1, false: 1}
			if strings.Contains(edit, "DELETE") {
				delete(want, false)
			}
			if !strings.Contains(edit, "WHERE") {
				clear(want)
			}
			same(v, "entries of withdrawn keys", withdrawn, want)
			v.intact()
		})
	}
}

// Others may have the private key of a withdrawn signing key.
func TestAWithdrawnSigningKeyCannotBeRestored(t *testing.T) {
	v := openSigning(t)
	insider := v.insider()
	leaked := insider.read("SELECT * FROM signing_key")
	forged, err := v.issuer.Sign("test+jwt", []byte("payload"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.WithdrawSigningKeys(v.ctx, domain.Act{Reason: "memory was read"}); err != nil {
		t.Fatal(err)
	}
	v.tend()
	kids := v.kids()
	insider.write("DELETE FROM signing_key")
	insider.put("signing_key", leaked)
	if err := v.issuer.Tend(v.ctx); !record.IsTampered(err) {
		t.Errorf("reading it: %v", err)
	}
	same(v, "keys that a running process publishes", v.kids(), kids)
	w := v.beside()
	w.tend()
	if set, _ := w.KeySet(); set != nil {
		t.Errorf("a new process publishes %s", set)
	}
	for _, i := range []*instance{v, w} {
		if _, ok, err := i.issuer.Verify(i.ctx, "test+jwt", forged); ok {
			t.Errorf("a signature by the leaked key is accepted, %v", err)
		}
	}
	if _, err := v.WithdrawSigningKeys(v.ctx, domain.Act{Reason: "again"}); err != nil {
		t.Fatal(err)
	}
	v.tend()
	w.tend()
	same(v, "keys that both publish", v.kids(), w.kids())
	v.intact()
}
