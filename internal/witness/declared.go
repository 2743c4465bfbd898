package witness

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"strongroom/internal/domain"
)

// A restore is declared for one state of the witness. Otherwise each restored database,
// such as that of a rehearsal, could replace the database of any service whose witness
// is from before the declaration: a guess for each of its accounts.
//
// The declaration names a digest of what the restore found at the place. A note that has
// changed since names entries that the restore did not know to be lost. After the first
// start the note names the new epoch, so each declaration is accepted once.

// state is a digest of what is at the place: the note, or a text that cannot be used, or
// nothing. It is empty if there is no place. A note identifies itself. The digest of
// anything else has the place in it, because nothing is the same everywhere.
func (w *Witness) state(is found) string {
	if w.cfg.Place == nil {
		return ""
	}
	fields := [][]byte{[]byte("none"), []byte(w.cfg.Home), []byte(w.place()), is.text}
	if is.genuine() {
		fields = [][]byte{[]byte("note"), is.authenticated()}
	}
	return fmt.Sprintf("%x", sha256.Sum256(domain.Encode(fields...)))
}

// genuine reports whether a note of this store was read.
func (f found) genuine() bool { return f.wrong == "" && f.Home != "" }

// State returns the state of the witness for a restore. It changes nothing.
func (w *Witness) State(ctx context.Context) (is domain.WitnessState) {
	if w.cfg.Place == nil {
		return is
	}
	is.Witness = w.cfg.Place.String()
	var found found
	if w.cfg.Unkept != nil {
		is.Problem = w.cfg.Unkept.Error()
	} else if err := w.once(ctx, func(ctx context.Context) (err error) { found, err = w.read(ctx); return err }); err != nil {
		is.Problem = err.Error()
		return is
	}
	if found.edited {
		is.Problem = "it " + found.wrong
	}
	is.Noted, is.State = found.genuine(), w.state(found)
	return is
}

// boundTo reports whether the restore was declared for this state.
func (a age) boundTo(state string) bool { return a.epoch.Witness != "" && a.epoch.Witness == state }

// unbound reports whether the store was restored after a note was written, and not for
// this note.
func (w *Witness) unbound(found found, is age) bool {
	return found.genuine() && is.restoredAfter(found.content) && !is.boundTo(w.state(found))
}

// declared is the restore before which checkpoints say nothing about the store: the last
// one, if the witness does not contradict it.
func (w *Witness) declared(found found, is age) domain.Entry {
	if w.unbound(found, is) {
		return domain.Entry{}
	}
	return is.declared
}

// declaredHere is the restore before which notes about new witnesses say nothing about
// this place: one that was declared for what is at this place now.
func (w *Witness) declaredHere(found found, is age) domain.Entry {
	if is.boundTo(w.state(found)) {
		return is.declared
	}
	return domain.Entry{}
}

func (w *Witness) restoredElsewhere(lost loss) string {
	is := lost.restored
	return fmt.Sprintf("the database was restored from a backup at %s (%q), and not for the witness %s as it is now. It was restored for a test, for another witness "+
		"or by an earlier version, or the service wrote to the witness after the restore. Someone may have put it here to get more guesses",
		is.epoch.At.Format(time.RFC3339), is.declared.Reason, w.cfg.Place)
}
