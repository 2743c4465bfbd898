package cli

import (
	"fmt"
	"io"
	"time"

	"strongroom/internal/backup"
	"strongroom/internal/domain"
)

// restored is the result of a restore.
type restored struct {
	domain.Restore
	replayed domain.Replayed
	ended    domain.EndedKeys
}

// tell prints what has changed since the backup and is not in the restored database.
func (r restored) tell(w io.Writer, m backup.Manifest) {
	newest := m.Newest().UTC()
	fmt.Fprintf(w, "Restored: the database is as it was on %s, in epoch %d (before: %d).\n", newest.Format(time.RFC3339), r.To, r.From)
	keys, accounts, moved := "valid again", "exist again. Erase them again", "are answered here again. Move them again before you start the service"
	if is := r.replayed; is.Entries > 0 {
		fmt.Fprintf(w, "Replayed %s of the audit trail: %s revoked, %s ended by a rotation or a move, %s erased, %s moved away, %s counted, %s locked.\n",
			counted(is.Entries, "newer entry", "newer entries"), counted(is.Revoked, "key", "keys"), counted(is.Rotated, "key", "keys"), counted(is.Erased, "account", "accounts"),
			counted(is.Moved, "account", "accounts"), counted(is.Failures, "failed attempt", "failed attempts"), counted(is.Locked, "attempt counter", "attempt counters"))
		const told = ", as far as the replayed files tell"
		keys, accounts, moved = "ended again"+told, "are erased again"+told, "are refused again"+told
	}
	if n := r.replayed.Uncounted; n > 0 {
		fmt.Fprintf(w, "Not replayed: %s of accounts that are not in the backup or whose records were edited.\n", counted(n, "failed attempt", "failed attempts"))
	}
	if r.replayed.Unknown > 0 {
		fmt.Fprintf(w, "Not replayed: %s made under a data key that is newer than the backup.\n", counted(r.replayed.Unknown, "entry that was", "entries that were"))
	}
	fmt.Fprintf(w, `Later changes are not in it:
- Attempt counters and locks are older. Until its next right answer each account has one attempt before a lock (--restored-attempts).
- Keys that were rotated or revoked since are %s. %s
- Keys that were issued since are unknown. Their clients get KEY_NOT_USABLE and ask for new ones.
- Passcodes and PINs that were set since have their old values, or none.
- Accounts that were erased since %s.
- Accounts that moved to another database since %s.
- Ciphertexts and receipts that were used since can be used once more, receipts until they expire.
Now start the service. It accepts this restore once, and its witness then continues with epoch %d.
`, keys, tellEnded(r.ended, m.Newest()), accounts, moved, r.To)
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
