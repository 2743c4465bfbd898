package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"strongroom/internal/backup"
	"strongroom/internal/domain"
)

// restored is the result of a restore.
type restored struct {
	domain.Restore
	replayed domain.Replayed
	ended    domain.EndedKeys
	rootKeys []domain.RootKey // that open the database
	witness  domain.WitnessState
}

// tell prints what has changed since the backup and is not in the restored database.
func (r restored) tell(w io.Writer, m backup.Manifest) {
	newest := m.Newest().UTC()
	fmt.Fprintf(w, "Restored: the database is as it was on %s, in epoch %d (before: %d).\n", newest.Format(time.RFC3339), r.To, r.From)
	keys, accounts, moved := "valid again", "exist again. Erase them again", "are answered here again. Before you start the service, move those again that have not come back"
	signing := "sign again. Withdraw them again"
	if r.replayed.Entries > 0 {
		const told = ", as far as the replayed files tell"
		keys, accounts, moved = "ended again"+told, "are erased again"+told, "are refused again"+told
		signing = "are withdrawn again" + told
	}
	tellReplayed(w, r.replayed)
	fmt.Fprintf(w, `Later changes are not in it:
- Attempt counters and locks are older. Until its next right answer each account has one attempt before a lock (--restored-attempts).
- Keys that were rotated or revoked since are %s. %s
- Keys that were issued since are unknown. Their clients get KEY_NOT_USABLE and ask for new ones.
- Passcodes and PINs that were set since have their old values, or none.
- Accounts that were erased since %s.
- Accounts that moved to another database since %s.
- Signing keys that were withdrawn since %s.
- Ciphertexts and receipts that were used since can be used once more, receipts until they expire.
- %s
Now start the service. %s
`, keys, tellEnded(r.ended, m.Newest()), accounts, moved, signing, tellRootKeys(r.rootKeys, r.replayed.RootKeys), tellStart(r.witness, r.To))
}

// tellStart says what the next start does with the witness.
func tellStart(is domain.WitnessState, epoch int64) string {
	const refused = "the start is refused until you give it the --accept-restored that it prints."
	switch {
	case is.Witness == "":
		return "The settings have no witness. If the service has one of this database, " + refused
	case is.Problem != "":
		return fmt.Sprintf("The witness %s cannot be used now: %s\n  If it is one of this database, %s", is.Witness, is.Problem, refused)
	case !is.Noted:
		return fmt.Sprintf("It begins a new witness %s.\n  If you start it with another witness of this database, %s", is.Witness, refused)
	}
	return fmt.Sprintf("It accepts this restore once, and the witness\n  %s then continues with epoch %d.\n"+
		"  If you start it with another witness, or if an instance changes this one before, %s", is.Witness, epoch, refused)
}

// tellEnded says which of the keys that ended after a time the witness knows, and what
// to do about the others.
func tellEnded(is domain.EndedKeys, after time.Time) string {
	const revoke = "Revoke those that must not be used."
	switch {
	case is.Witness == "":
		return "There is no witness that knows them. " + revoke
	case is.Problem != "":
		return fmt.Sprintf("The witness %s cannot be read now: %s\n  If it can be when the service starts, the service ends those that it knows.", is.Witness, is.Problem)
	case is.Since.IsZero():
		return fmt.Sprintf("The witness %s has no list of them. %s", is.Witness, revoke)
	}
	unknown := ""
	if is.Since.After(after) {
		unknown = fmt.Sprintf("between %s and %s, or ", after.UTC().Format(time.RFC3339), is.Since.Format(time.RFC3339))
	}
	return fmt.Sprintf("The service ends them when it starts, as far as the witness\n  %s knows them (its list has %d revoked and %d rotated keys, old ones too).\n"+
		"  It does not know keys that ended %safter %s. Revoke those that must not be used.",
		is.Witness, is.Revoked, is.Rotated, unknown, is.Until.Format(time.RFC3339))
}

// doAgain says what to do about newer events that made the service safer and that a
// restore cannot apply.
var doAgain = map[domain.Event]string{
	domain.EventKeyBound:         "these keys accept requests without a proof until a correct answer binds them again. Revoke those of stolen devices.",
	domain.EventDeviceLocked:     "these devices may try again. Revoke the keys of stolen devices.",
	domain.EventRotationStarted:  "start the rotation plan again.",
	domain.EventRootKeyRemoved:   "the root key opens the database again. Remove it again, then rotate the data key and destroy the old one.",
	domain.EventRootKeyRotated:   "the old root key opens the database again. Rotate it again, then rotate the data key and destroy the old one.",
	domain.EventDataKeyDestroyed: "the data keys are in the database again. Rotate the data key and destroy the old ones.",
}

// tellReplayed says what the replay of a newer trail did, and what it could not do.
func tellReplayed(w io.Writer, is domain.Replayed) {
	if is.Entries > 0 {
		fmt.Fprintf(w, "Replayed %s of the audit trail: %s revoked, %s ended by a rotation or a move, %s erased, %s moved away, %s counted, %s locked, %s withdrawn, %s erased, %s marked to be changed.\n",
			counted(is.Entries, "newer entry", "newer entries"), counted(is.Revoked, "key", "keys"), counted(is.Rotated, "key", "keys"), counted(is.Erased, "account", "accounts"),
			counted(is.Moved, "account", "accounts"), counted(is.Failures, "failed attempt", "failed attempts"), counted(is.Locked, "attempt counter", "attempt counters"),
			counted(is.Withdrawn, "signing key", "signing keys"), counted(is.SigningErased, "private signing key", "private signing keys"), counted(is.Marked, "credential", "credentials"))
	}
	if is.Uncounted > 0 {
		fmt.Fprintf(w, "Not replayed: %s of accounts that are not in the backup or whose records were edited.\n", counted(is.Uncounted, "failed attempt", "failed attempts"))
	}
	if is.Bare > 0 {
		fmt.Fprintf(w, "Warning: %s came back from another database, and version 0.16.0 or earlier received them. Their entries do not say how many attempts had failed there, so their counters may lack these failures and locks. "+
			"Find the accounts by account.received, compare the audit trail of the other database, and revoke the keys of accounts that were locked.\n", counted(is.Bare, "account", "accounts"))
	}
	if is.Unknown > 0 {
		fmt.Fprintf(w, "Not replayed: %s made under a data key that is newer than the backup.\n", counted(is.Unknown, "entry that was", "entries that were"))
	}
	if is.Strange > 0 {
		fmt.Fprintf(w, "Not replayed: %s of %s that the backup does not know, under a data key that it does not know. These chains began after the backup, or are of another database: the restore cannot know which.\n",
			counted(is.Strange, "entry", "entries"), counted(int64(is.StrangeChains), "chain", "chains"))
	}
	tellSkipped(w, is.Skipped)
}

// tellSkipped lists the newer events that a replay does not apply.
func tellSkipped(w io.Writer, skipped map[domain.Event]int64) {
	if len(skipped) == 0 {
		return
	}
	var all, warnings []string
	for _, event := range slices.Sorted(maps.Keys(skipped)) {
		all = append(all, fmt.Sprintf("%d %s", skipped[event], event))
		if do := doAgain[event]; do != "" {
			warnings = append(warnings, fmt.Sprintf("Warning: %d %s not replayed: %s\n", skipped[event], event, do))
		}
	}
	fmt.Fprintf(w, "Not replayed, by event: %s.\n%s", strings.Join(all, ", "), strings.Join(warnings, ""))
}

// tellRootKeys lists the root keys that wrap the restored database, and says which of
// them were removed, by id, after the backup.
func tellRootKeys(all []domain.RootKey, removed map[string]bool) string {
	var names []string
	for _, k := range all {
		if k.AddedAt.IsZero() && k.Problem != "" { // configured, but not in the database
			continue
		}
		name := fmt.Sprintf("%s (%s)", k.ID, orNone(k.URL))
		if removed[k.ID] {
			name += ", which was removed since"
		}
		names = append(names, name)
	}
	return "These root keys open the database: " + strings.Join(names, "; ") + ".\n  If one of them was removed since, remove it again. " +
		"Data keys that were destroyed since are in it again.\n  In both cases rotate the data key, and destroy the old one."
}

func orNone(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
