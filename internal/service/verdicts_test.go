package service

import (
	"fmt"
	"strconv"
	"testing"

	"strongroom/internal/domain"
	"strongroom/internal/store/postgres/pgtest"
)

// An instance of 0.11.0 does not read short verdicts, and one of 0.8.0 does not read
// audit_verdict. While such an instance runs on a database that it created, no instance
// writes them.
func TestVerdictsUseAFormThatAllRunningInstancesCanRead(t *testing.T) {
	pgtest.Shared(t) // or skip
	const long, short = 37, 21
	for version, before := range map[string]struct {
		made string // the statement that makes the database look as that version left it
		form []int  // the size of each hash in audit_verdict while that version runs
	}{
		"0.8.0":  {"DELETE FROM audit_chain", nil},
		"0.11.0": {"UPDATE audit_chain SET form = 1", []int{long}},
	} {
		t.Run(version, func(t *testing.T) {
			old := openVault(t, func(*Config) {})
			old.toPostgreSQL()
			old.beginBeats()
			key, i := old.issue("phone"), old.insider()
			old.setPIN(key, "1357")
			i.write(before.made)
			v := old.beside()
			v.beginBeats()
			verify := func(v *instance, want []int) { // right ones only: others would wait for the other instance
				t.Helper()
				v.expect("verify", v.verifyPIN(key, "1357"), "true")
				v.beat(nil) // so that it has said which chains it has
				var sizes []int
				for _, row := range i.rows("SELECT octet_length(hash) AS size FROM audit_verdict ORDER BY second, micros") {
					size, err := strconv.Atoi(fmt.Sprint(row["size"]))
					if err != nil {
						t.Fatal(err)
					}
					sizes = append(sizes, size)
				}
				if fmt.Sprint(sizes) != fmt.Sprint(want) {
					t.Errorf("the hashes of verdicts have %v bytes, want %v", sizes, want)
				}
				if err := v.UseShortVerdicts(v.ctx); err != nil {
					t.Fatal(err)
				}
			}
			old.beat(nil) // so that it has said which chains it has
			verify(v, before.form)
			if gone := i.rows("SELECT name FROM audit_chain WHERE form = 2 AND name = '" + v.home + "'"); len(gone) > 0 {
				t.Error("verdicts become short while an old instance runs")
			}
			if err := old.Stop(old.ctx); err != nil {
				t.Fatal(err)
			}
			verify(v, append(before.form, before.form...))
			w := v.beside()
			w.beginBeats()
			verify(w, append(append(before.form, before.form...), short))

			// Readers get the same entries from both.
			w.intact()
			if n := w.events()[domain.EventCredentialVerified]; n != 3 {
				t.Errorf("the trail has %d verdicts, want 3", n)
			}
			i.write("UPDATE audit_verdict SET account = account + 1")
			if len(w.problems()) == 0 {
				t.Error("an edited verdict is not noticed")
			}
		})
	}
}
