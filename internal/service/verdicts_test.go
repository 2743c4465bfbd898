package service

import (
	"testing"

	"strongroom/internal/domain"
	"strongroom/internal/store/postgres/pgtest"
)

// An instance of 0.8.0 does not read audit_verdict, and numbers no chains. As long as one
// runs on the database that it began, no verdict goes there.
func TestVerdictsArePackedOnceNoInstanceOf080Runs(t *testing.T) {
	pgtest.Shared(t) // or skip
	old := openVault(t, func(*Config) {})
	old.store.Close()
	old.database = postgresDatabase(pgtest.Database(t))
	old.rootKey += "2"
	old.open()
	old.beginBeats()
	key, i := old.issue("phone"), old.insider()
	old.setPIN(key, "1357")
	i.write("DELETE FROM audit_chain") // so the database and this instance are as those of 0.8.0
	v := old.beside()
	v.beginBeats()
	verify := func(v *instance, packed, numbered int) { // right ones only: others would wait for the other instance
		t.Helper()
		v.expect("verify", v.verifyPIN(key, "1357"), "true")
		v.beat(nil) // so that it has said which chains it has
		if got := len(i.rows("SELECT seq FROM audit_verdict")); got != packed {
			t.Errorf("%d verdicts are packed, want %d", got, packed)
		}
		if err := v.PackVerdicts(v.ctx); err != nil {
			t.Fatal(err)
		}
		if got := len(i.rows("SELECT number FROM audit_chain WHERE name = '" + v.home + "'")); got != numbered {
			t.Errorf("the first chain has %d numbers, want %d", got, numbered)
		}
	}
	old.beat(nil) // so that it has said which chains it has
	verify(v, 0, 0)
	if err := old.Stop(old.ctx); err != nil {
		t.Fatal(err)
	}
	verify(v, 0, 1)
	w := v.beside()
	w.beginBeats()
	verify(w, 1, 1)

	// Nobody can tell the two forms apart.
	w.intact()
	if n := w.events()[domain.EventCredentialVerified]; n != 3 {
		t.Errorf("the trail has %d verdicts, want 3", n)
	}
	i.write("UPDATE audit_verdict SET account = account + 1")
	if len(w.problems()) == 0 {
		t.Error("an edited verdict is not noticed")
	}
}
