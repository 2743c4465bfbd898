package service

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/witness"
	"strongroom/internal/witness/place"
)

// lockedAfterABackup is a stopped vault with a witness. Its phone was locked after a backup.
func lockedAfterABackup(t *testing.T) (v *instance, path string, key domain.KeyPair, backup before) {
	t.Helper()
	v, path = witnessed(t)
	key = v.issue("phone")
	v.verifyPIN(key, "0000")
	backup = v.insider().keep("attempts")
	for range 4 {
		v.expect("a guess", v.verifyPIN(key, "0000"), "false")
	}
	v.expect("a sixth guess", v.verifyPIN(key, "1357"), "CREDENTIAL_LOCKED")
	v.stop()
	return v, path, key, backup
}

func (v *instance) stop() {
	v.t.Helper()
	if err := v.Stop(v.ctx); err != nil {
		v.t.Fatal(err)
	}
}

func (v *instance) starts(what string) {
	v.t.Helper()
	v.kill()
	if err := v.CheckWitness(v.ctx); err != nil {
		v.t.Fatalf("%s: %v", what, err)
	}
}

// restore puts the backup in the place of the database, as strongroom restore does when it
// finds the witness in this state.
func (v *instance) restore(backup before, found domain.WitnessState) {
	v.t.Helper()
	backup.putBack()
	v.kill()
	what := domain.Restore{Made: v.clock.Now(), Newest: v.clock.Now(), Witness: found.State}
	if _, err := v.DeclareRestore(v.ctx, what, domain.Act{Reason: "drill"}); err != nil {
		v.t.Fatal(err)
	}
}

// hasOneGuess: the lock is not in the backup, and neither are the guesses before it.
func (v *instance) hasOneGuess(key domain.KeyPair) {
	v.t.Helper()
	v.expect("the guess of a restored account", v.verifyPIN(key, "0000"), "false")
	v.expect("one more", v.verifyPIN(key, "1357"), "CREDENTIAL_LOCKED")
}

func file(path string) witness.Settings { return witness.Settings{Place: place.File{Path: path}} }

// Otherwise an attacker who puts the database of each rehearsal in the place of the
// service's would have a guess for each account, locked or not, with each of them.
func TestARestoreForAnotherWitnessIsRefusedUntilItIsAcceptedByName(t *testing.T) {
	for what, at := range map[string]witness.Settings{
		"a rehearsal elsewhere": file(filepath.Join(t.TempDir(), "witness")),
		"without a witness":     {}, // or by an earlier version
		"an unreadable witness": file(t.TempDir()),
		"an unavailable server": {Place: &shelf{fails: errors.New("the shelf is gone")}},
	} {
		v, path, key, backup := lockedAfterABackup(t)
		v.restore(backup, v.WitnessState(v.ctx, at))
		name := toAccept(t, v.isRefused(what, "not for the witness "+path+" as it is now"))
		note, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := v.startAccepting(name); err != nil {
			t.Fatalf("%s: --accept-restored %s: %v", what, name, err)
		}
		entered := false
		v.eachEntry(func(e domain.Entry) {
			entered = entered || e.Event == domain.EventStoreRestored && e.Outcome == "accepted" && e.Reason == name
		})
		if !entered {
			t.Errorf("%s: the trail does not have the acceptance", what)
		}
		if err := os.WriteFile(path, note, 0o600); err != nil { // as if it was killed before it wrote the note
			t.Fatal(err)
		}
		v.starts(what + ", after a kill")
		v.hasOneGuess(key)
		v.startsAfter(what+", later", func() {})
		v.intact()
	}
}

func TestARestoreIsAcceptedByTheWitnessThatItFound(t *testing.T) {
	v, path, key, backup := lockedAfterABackup(t)
	found := v.WitnessState(v.ctx, file(path))
	if !found.Noted || found.Problem != "" || found.Witness != path {
		t.Errorf("the restore found %+v", found)
	}
	v.restore(backup, found)
	v.starts("with the same witness")
	v.hasOneGuess(key)
	v.startsAfter("the witness continues", func() {})
	v.intact()
}

// Entries that the service wrote after the restore was prepared would be lost.
func TestARestoreIsRefusedIfTheServiceRanAfterIt(t *testing.T) {
	v, path, _, backup := lockedAfterABackup(t)
	found := v.WitnessState(v.ctx, file(path))
	v.starts("the old database, once more")
	v.issue("newer")
	v.stop()
	v.restore(backup, found)
	v.isRefused("the service ran", "or the service wrote to the witness after the restore")
}

// A restore may be for a new disk, where no witness is. One that was for another disk
// does not hide that the witness of this one was removed.
func TestARemovedWitnessIsDetectedAfterARestoreElsewhere(t *testing.T) {
	for what, elsewhere := range map[string]bool{"for this place": false, "elsewhere": true} {
		v, path, _, backup := lockedAfterABackup(t)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		at := file(path)
		if elsewhere {
			at = file(filepath.Join(t.TempDir(), "witness"))
		}
		found := v.WitnessState(v.ctx, at)
		if found.Noted || found.State == "" {
			t.Errorf("%s: the restore found %+v", what, found)
		}
		v.restore(backup, found)
		v.kill()
		switch err := v.CheckWitness(v.ctx); {
		case !elsewhere && err != nil:
			t.Errorf("%s: %v", what, err)
		case elsewhere && (err == nil || !strings.Contains(err.Error(), "is missing, and this database was started with a witness there before")):
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Someone who can write to the database knows the digest of the witness, too.
func TestAnEditCannotBindARestoreToTheWitness(t *testing.T) {
	v, path, _, backup := lockedAfterABackup(t)
	found := v.WitnessState(v.ctx, file(path))
	v.restore(backup, v.WitnessState(v.ctx, file(filepath.Join(t.TempDir(), "witness"))))
	i := v.insider()
	row := i.read("SELECT value FROM setting WHERE name = 'epoch'")["value"].([]byte)
	var edited map[string]any
	if err := json.Unmarshal(row, &edited); err != nil {
		t.Fatal(err)
	}
	edited["witness"] = found.State
	for range 2 {
		text, err := json.Marshal(edited)
		if err != nil {
			t.Fatal(err)
		}
		i.write("UPDATE setting SET value = $1 WHERE name = 'epoch'", text)
		if _, err := record.View(v.ctx, v.records, (*record.Tx).Epoch); err == nil || !strings.Contains(err.Error(), "setting epoch was edited") {
			t.Errorf("an edited epoch: %v", err)
		}
		delete(edited, "witnessMAC")
	}
}
