package service

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// The database notes where a witness of it was begun: the name of the machine
// and the path. So a start notices that the witness of this place is gone, and
// an instance on a new machine begins its own.
//
// The note is a setting, and an entry of the trail. Each alone is enough: a
// prune removes the entry, and someone who writes to the database can delete
// the setting. Nobody gains from adding either: it makes starts stricter.

// notedWitnesses is how many entries about begun witnesses a start looks at,
// the newest ones.
const notedWitnesses = 500

// notes is what the database notes of witnesses.
type notes struct {
	here      bool // one was begun at this place
	elsewhere bool // one was begun at another place
}

func (s *Service) witnessPlace() string {
	host, _ := os.Hostname() // without one, the path has to do
	return host + ":" + s.cfg.Witness.Path
}

func settingWitness(place string) string {
	digest := sha256.Sum256([]byte(place))
	return fmt.Sprintf("witness/%x", digest[:16])
}

func (s *Service) notedWitness(ctx context.Context) (n notes, err error) {
	place := s.witnessPlace()
	err = s.cfg.Store.View(ctx, func(tx store.Tx) error {
		n = notes{}
		_, err := tx.Setting(settingWitness(place))
		if err == nil {
			n.here = true
			return nil
		}
		if !errors.Is(err, store.ErrNotFound) {
			return err
		}
		begun, err := tx.EntriesOfEvent(domain.EventWitnessBegun, time.Time{}, domain.EntryPosition{}, notedWitnesses)
		for _, e := range begun {
			switch {
			case !audit.Genuine(s.keys, e):
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

// beginWitness writes the witness, and notes it if it is the first one at this
// place. The file comes first: a crash between the two must not leave a note of
// a file that was never there.
func (s *Service) beginWitness(ctx context.Context, found foundWitness, noted notes) error {
	path, log := s.cfg.Witness.Path, s.cfg.Log
	switch unkept := s.cfg.Witness.Unkept; {
	case path == "" && noted.elsewhere:
		log.Warn("this database had a witness, and --witness none turns it off: a start on an older copy of the database is not detected")
		return nil
	case path == "":
		return nil
	case unkept != nil && noted.here:
		return fmt.Errorf("witness: this database has a witness %s, and it cannot be kept there now: %w; "+
			"correct that, or give --witness FILE for another place, or --witness none", path, unkept)
	case unkept != nil:
		log.Warn("no witness of the database is kept, so a start on an older copy of it is not detected; see --witness", "witness", path, "error", unkept)
		return nil
	}
	if err := s.writeWitness(); err != nil {
		return err
	}
	switch {
	case noted.here:
		return nil
	case found.text != nil && found.wrong != "":
		log.Warn("the witness is of another database: a new witness is begun", "witness", path)
	case found.wrong != "" && noted.elsewhere:
		log.Warn("a new witness of the database is begun, because there is none at this place; it had one elsewhere", "witness", path)
	case found.wrong != "":
		log.Info("a new witness of the database is begun", "witness", path)
	}
	return s.noteWitness(ctx)
}

func (s *Service) noteWitness(ctx context.Context) error {
	place := s.witnessPlace()
	begun := domain.Entry{Actor: "system", Event: domain.EventWitnessBegun, Outcome: "ok", Reason: place}
	err := s.write(ctx, func(tx store.Tx) error {
		if err := tx.PutSetting(settingWitness(place), domain.EncodeTime(tx.Now())); err != nil {
			return err
		}
		return s.enter(tx, begun)
	})
	if err != nil {
		return fmt.Errorf("noting that a witness is kept: %w", err)
	}
	return nil
}
