package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"strongroom/internal/audit"
	"strongroom/internal/domain"
	"strongroom/internal/record"
)

// settingBackupVerified says which backup of this store was last verified. It has no
// MAC: it is shown in a metric, and nothing else depends on it.
const settingBackupVerified = "backup_verified"

// verifiedBackup is the value of that setting, with times in microseconds.
type verifiedBackup struct {
	Verified int64 `json:"verified"`
	// Made is the time up to which the backup has every entry of the trail. The time in
	// its manifest is not authenticated.
	Made int64 `json:"made"`
}

// NoteVerified records that a backup was verified now, and how old it is. home is the
// store in the backup, and heads are the ends of the trail in it. It fails if the backup
// is not of an earlier state of this store.
func (s *Service) NoteVerified(ctx context.Context, home string, heads []audit.Head, now time.Time) error {
	if home != s.home {
		return fmt.Errorf("the backup is of store %s, and this database is store %s", home, s.home)
	}
	return s.records.Update(ctx, record.System, func(tx *record.Tx) error {
		made, err := completeUpTo(tx, heads, now)
		if err != nil {
			return err
		}
		value, err := json.Marshal(verifiedBackup{domain.Micros(now), domain.Micros(made)})
		if err != nil {
			return err
		}
		return tx.PutSetting(settingBackupVerified, value)
	})
}

// completeUpTo returns the time of the oldest entry of the trail that a backup with these
// heads lacks. If it lacks none, that is now.
func completeUpTo(tx *record.Tx, heads []audit.Head, now time.Time) (time.Time, error) {
	chains, err := tx.Chains()
	if err != nil {
		return now, err
	}
	last := map[string]audit.Head{} // zero: the chain began after the backup
	for _, h := range heads {
		last[h.Chain] = h
	}
	var from []domain.EntryPosition
	for _, chain := range chains {
		from = append(from, domain.EntryPosition{Chain: chain, Seq: last[chain].Seq})
	}
	next, err := tx.EntriesFrom(from, 2) // the last entry of the backup, unless it was pruned, and the one after it
	if err != nil {
		return now, err
	}
	goesOn := map[string]bool{}
	for _, e := range next {
		h := last[e.Chain]
		if goesOn[e.Chain] = true; e.Seq == h.Seq && !bytes.Equal(e.Hash, h.Hash) {
			return now, errOtherState
		}
		if e.Seq > h.Seq && e.Time.Before(now) {
			now = e.Time
		}
	}
	for _, h := range heads {
		if !goesOn[h.Chain] { // it ends before the backup does, or is missing: a prune leaves the last entry
			return now, errOtherState
		}
	}
	return now, nil
}

var errOtherState = errors.New("the backup has entries of the audit trail that this database does not have: it was restored from another backup")

// lookAtBackups reads how old the last verified backup is, for the metric.
func (s *Service) lookAtBackups(ctx context.Context, view record.Viewer) error {
	var value []byte
	err := view(ctx, func(tx *record.Tx) (err error) {
		value, err = tx.MaybeSetting(settingBackupVerified)
		return err
	})
	var v verifiedBackup
	if err == nil && json.Unmarshal(value, &v) == nil {
		s.backupMade.Store(v.Made)
	}
	return err
}

// backupAge is how old the last verified backup is, if one was verified.
func (s *Service) backupAge() (age time.Duration, known bool) {
	at := s.backupMade.Load()
	return s.cfg.Now().Sub(domain.FromMicros(at)), at > 0
}
