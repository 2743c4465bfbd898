package service

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
)

// backedUp is the service on a copy of its database, which is restored later.
func (v *instance) backedUp() *instance {
	v.t.Helper()
	path := filepath.Join(v.t.TempDir(), "backup.db")
	v.insider().rows("VACUUM INTO '" + path + "'")
	content, err := os.ReadFile(path)
	if err != nil {
		v.t.Fatal(err)
	}
	w := *v
	w.log, w.database = &bytes.Buffer{}, sqliteDatabase(v.t, content)
	return &w
}

// trailFile is an export of the trail.
func (v *instance) trailFile() io.Reader {
	v.t.Helper()
	var out bytes.Buffer
	to, err := audit.OpenExport(filepath.Join(v.t.TempDir(), "state"), "", &out)
	if err == nil {
		err = v.ExportTrail(v.ctx, to, false)
	}
	if err != nil {
		v.t.Fatal(err)
	}
	return &out
}

// restoredWith opens a backup and replays the trail of v over it.
func (v *instance) restoredWith(backup *instance) domain.Replayed {
	v.t.Helper()
	backup.open()
	v.t.Cleanup(func() { backup.store.Close() })
	is, err := backup.Replay(backup.ctx, []io.Reader{v.trailFile()}, domain.Act{Reason: "drill"})
	if err != nil {
		v.t.Fatal(err)
	}
	return is
}

// The entries about guesses in another database are in its trail. The account came back with
// its counter, and the entry about that says the failures and locks.
func TestARestoreCountsFailuresOfTheTimeInAnotherDatabase(t *testing.T) {
	here, there := twoStores(t, func(cfg *Config) {
		cfg.Attempts.DeviceMax, cfg.Attempts.MaxFailures, cfg.Attempts.Lockouts = 0, 3, []time.Duration{time.Minute}
	})
	keys := map[string]domain.KeyPair{}
	failed := []string{"failed", "failed 2", "failed 3", "failed 4"} // counters have random ids, and are replayed in their order
	for _, who := range append([]string{"locked", "answered", "away", "reset"}, failed...) {
		keys[who] = here.as(who).issue("phone")
		here.expect("set", here.as(who).setPIN(keys[who], "8302"), "true")
		here.expect("verify", here.as(who).verifyPIN(keys[who], "8302"), "true")
	}
	guess := func(v *instance, who string, times int) {
		t.Helper()
		for range times {
			v.expect("a guess", v.as(who).verifyPIN(keys[who], "0001"), "false")
		}
	}
	here.clock.Advance(time.Hour)
	here.moveKey()
	backup, second := here.backedUp(), here.backedUp()
	guess(here, "away", 2)
	for _, who := range failed {
		guess(here, who, 1)
	}
	for who := range keys {
		there.arrive(here.leave(who, there).Parcel, here)
	}
	for _, who := range []string{"locked", "reset"} {
		guess(there, who, 3)
		there.clock.Advance(2 * time.Minute)
		guess(there, who, 1)
	}
	for _, who := range failed {
		guess(there, who, 1)
	}
	guess(there, "answered", 2)
	away := there.leave("away", here).Parcel
	for who := range keys {
		if who != "away" {
			here.arrive(there.leave(who, here).Parcel, there)
		}
	}
	here.expect("the right PIN", here.as("answered").verifyPIN(keys["answered"], "8302"), "true")
	for _, who := range failed {
		guess(here, who, 1)
	}
	if _, err := here.Unlock(here.ctx, here.accountID(domain.ModeJWT, testIssuer, "reset"), domain.TransactionPIN, becauseOf); err != nil {
		t.Fatal(err)
	}
	want := map[string]domain.Attempts{}
	for who := range keys {
		want[who] = here.attemptsOf(who)
	}

	counts := func(what string, v *instance, near time.Duration) {
		t.Helper()
		equal := func(x, y time.Time) bool { return x.Sub(y).Abs() <= near }
		for who, w := range want {
			got := v.attemptsOf(who)
			if got.Failures != w.Failures || got.Permanent != w.Permanent || !equal(got.LockedUntil, w.LockedUntil) || !slices.EqualFunc(got.Recent, w.Recent, equal) {
				t.Errorf("%s, %s: the counter is %+v, want %+v", what, who, got, w)
			}
		}
	}
	if w := want["locked"]; !w.Permanent || want["failed"].Failures != 3 || want["answered"].Failures != 0 || len(want["answered"].Recent) != 2 {
		t.Errorf("the test is wrong: %+v", want)
	}
	is := here.restoredWith(backup)
	same(backup, "lost", is.Uncounted, 0)
	same(backup, "counters without failures", is.Bare, 0)
	counts("restored", backup, 0)
	backup.intact()

	// The trail of the restored database says the same, with the time of the restore for the
	// failures after the last move.
	backup.restoredWith(second)
	counts("restored again", second, time.Minute)
	second.intact()

	// The failures of an account that is away moved with it, and it can come back.
	backup.arrive(away, there)
	same(backup, "failures that came back", backup.attemptsOf("away").Failures, 2)
}

// The backup has the private key of a signing key that was replaced and erased since, and
// not its successor. After a restore the old one is erased, and a new one signs.
func TestARestoreErasesTheSigningKeysThatWereErased(t *testing.T) {
	v := openSigning(t)
	backup, first := v.backedUp(), v.signs()
	v.clock.Advance(83 * day)
	v.tend()
	v.clock.Advance(7 * day)
	v.tend()
	same(v, "erased", v.events()[domain.EventSigningErased], 1)

	backup.open()
	t.Cleanup(func() { backup.store.Close() })
	is, err := backup.Replay(backup.ctx, []io.Reader{v.trailFile()}, domain.Act{Reason: "drill"})
	if err != nil {
		t.Fatal(err)
	}
	same(backup, "erased again", is.SigningErased, 1)
	backup.tend()
	if backup.signs() == first {
		t.Error("the signing key that was erased signs again")
	}
	rows := backup.insider().rows("SELECT sealed FROM signing_key ORDER BY number")
	if old, next := rows[0]["sealed"].([]byte), rows[1]["sealed"].([]byte); len(old) > 0 || len(next) == 0 {
		t.Errorf("private keys of %d and %d bytes: want the first erased", len(old), len(next))
	}
	backup.intact()
}

// The data key was rotated after the backup. A restore says how many entries it cannot check,
// and refuses files that anyone could have written.
func TestARestoreReplaysOnlyFilesThatContinueItsTrail(t *testing.T) {
	v, other := openJWT(t, nil), openJWT(t, nil)
	key := v.as("known").issue("phone")
	backup, again := v.backedUp(), v.backedUp()
	if err := v.revoke(key.KeyID, "stolen"); err != nil {
		t.Fatal(err)
	}
	if _, err := v.RotateDataKey(v.ctx, becauseOf, nil); err != nil {
		t.Fatal(err)
	}
	v.as("known").issue("tablet")
	other.as("stranger").issue("phone")

	for _, w := range []*instance{backup, again} {
		w.open()
		t.Cleanup(func() { w.store.Close() })
	}
	before := backup.events()
	_, err := backup.Replay(backup.ctx, []io.Reader{other.trailFile()}, domain.Act{Reason: "drill"})
	if err == nil || !strings.Contains(err.Error(), "they are of another database, or begin later") {
		t.Errorf("the trail of another database: %v", err)
	}
	if diff := cmp.Diff(before, backup.events()); diff != "" {
		t.Errorf("it changed the database (-before +after):\n%s", diff)
	}
	is, err := backup.Replay(backup.ctx, []io.Reader{v.trailFile()}, domain.Act{Reason: "drill"})
	if err != nil || is.Revoked != 1 || is.Unknown == 0 || is.Strange != 0 {
		t.Errorf("its own trail: %+v, %v", is, err)
	}
	is2, err := again.Replay(again.ctx, []io.Reader{v.trailFile(), other.trailFile()}, domain.Act{Reason: "drill"})
	if err != nil || is2.Revoked != 1 || is2.Unknown != is.Unknown || is2.Strange == 0 || is2.StrangeChains != 1 {
		t.Errorf("both: %+v, %v", is2, err)
	}
	backup.intact()
}
