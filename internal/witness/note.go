package witness

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// The database records where a witness was created: the name of the machine and
// the path, or the URL of a place that instances share. So a start detects that
// the witness of this place is missing, and an instance on a new machine creates
// its own.
//
// This note is a setting and an entry of the trail. Each alone is enough: a
// prune removes the entry, and someone who can write to the database can delete
// the setting. An attacker gains nothing by adding a note, because it only makes
// starts stricter.

// mostNotes is how many of the newest entries about new witnesses a start
// reads.
const mostNotes = 500

// notes is what the database records about witnesses.
type notes struct {
	here      bool // a witness was created at this place
	elsewhere bool // a witness was created at another place
}

func (w *Witness) place() string {
	if w.cfg.Place.Shared() {
		return w.cfg.Place.String()
	}
	return host() + ":" + w.cfg.Place.String()
}

func setting(place string) string {
	digest := sha256.Sum256([]byte(place))
	return fmt.Sprintf("witness/%x", digest[:16])
}

// noted reads the notes since the declared restore: a restored database may be on a
// new disk, where no witness is.
func (w *Witness) noted(ctx context.Context, declared domain.Entry) (n notes, err error) {
	place := ""
	if w.cfg.Place != nil {
		place = w.place()
	}
	err = w.cfg.Records.View(ctx, func(tx *record.Tx) error {
		n = notes{}
		at, err := tx.MaybeSetting(setting(place))
		if n.here = bytes.Compare(at, domain.EncodeTime(declared.Time)) > 0; err != nil || n.here {
			return err
		}
		begun, err := tx.EntriesOfEvent(domain.EventWitnessBegun, time.Time{}, domain.EntryPosition{}, mostNotes)
		for _, e := range begun {
			switch {
			case !audit.Genuine(w.cfg.Keys, e), e.Time.Before(declared.Time):
			case e.Reason == place:
				n.here = true
			default:
				n.elsewhere = true
			}
		}
		return err
	})
	if err != nil {
		return n, fmt.Errorf("looking for the note of a witness: %w", err)
	}
	return n, nil
}

// begin writes the witness, and notes it if it is the first one at this
// place. It writes the file first: a crash between the two must not leave a note
// about a file that never existed.
func (w *Witness) begin(ctx context.Context, found found, noted notes) error {
	log := w.cfg.Log
	switch unkept := w.cfg.Unkept; {
	case w.cfg.Place == nil && noted.elsewhere:
		log.Warn("this database had a witness, and --witness none turns it off: a start on an older copy of the database is not detected")
		return nil
	case w.cfg.Place == nil:
		return nil
	case unkept != nil && noted.here:
		return fmt.Errorf("witness: this database has a witness %s, and the file cannot be written now: %w; "+
			"make its directory writable, or give --witness FILE for another place, or --witness none", w.cfg.Place, unkept)
	case unkept != nil:
		log.Warn("no witness is kept, so a start on an older copy of the database is not detected; set --witness to a writable place", "witness", w.cfg.Place.String(), "error", unkept)
		return nil
	}
	kept, err := w.setAside(found, noted)
	if err != nil {
		return err
	}
	w.mu.Lock()
	err = w.await(ctx, func(ctx context.Context) error { return w.keep(ctx, true) })
	w.mu.Unlock()
	if err != nil {
		return err
	}
	w.kept.good()
	at := w.cfg.Place.String()
	switch {
	case noted.here:
		return nil
	case kept != "":
		log.Warn("the witness belongs to another database: it was renamed, and a new witness was created", "witness", at, "renamed", kept)
	case found.wrong != "" && found.text == nil && noted.elsewhere:
		log.Warn("a new witness was created, because there was none at this place; the database had one elsewhere", "witness", at)
	case found.wrong != "":
		log.Info("a new witness was created", "witness", at)
	}
	return w.writeNote(ctx)
}

// setAside renames the witness of another database, which needs it again, for example
// after its volume is mounted again.
func (w *Witness) setAside(found found, noted notes) (kept string, err error) {
	if !found.foreign || noted.here || w.cfg.SetAside == nil {
		return "", nil
	}
	if kept, err = w.cfg.SetAside(); err != nil {
		return "", fmt.Errorf("renaming the witness of another database: %w", err)
	}
	return kept, nil
}

func (w *Witness) writeNote(ctx context.Context) error {
	place := w.place()
	begun := domain.Entry{Actor: "system", Event: domain.EventWitnessBegun, Outcome: "ok", Reason: place}
	err := w.cfg.Records.Update(ctx, record.System, func(tx *record.Tx) error {
		tx.Enter(begun)
		return tx.PutSetting(setting(place), domain.EncodeTime(tx.Now()))
	})
	if err != nil {
		return fmt.Errorf("noting that a witness is kept: %w", err)
	}
	return nil
}
