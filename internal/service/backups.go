package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/record"
	"strongroom/internal/store"
)

// settingBackupVerified says when a backup of this store was last verified. It has no
// MAC: it is shown in a metric, and nothing else depends on it.
const settingBackupVerified = "backup_verified"

// verifiedBackup is the value of that setting, with times in microseconds.
type verifiedBackup struct {
	Verified int64 `json:"verified"`
	Made     int64 `json:"made"`
}

// NoteVerified records that a backup was verified, and when it was made. home is the
// store in the backup; it fails if that is another one.
func (s *Service) NoteVerified(ctx context.Context, home string, made, now time.Time) error {
	if home != s.home {
		return fmt.Errorf("the backup is of store %s, and this database is store %s", home, s.home)
	}
	value, err := json.Marshal(verifiedBackup{domain.Micros(now), domain.Micros(made)})
	if err != nil {
		return err
	}
	return s.records.Update(ctx, record.System, func(tx *record.Tx) error { return tx.PutSetting(settingBackupVerified, value) })
}

// lookAtBackups reads when a backup was last verified, for the metric.
func (s *Service) lookAtBackups(ctx context.Context, view record.Viewer) error {
	var value []byte
	err := view(ctx, func(tx *record.Tx) (err error) {
		if value, err = tx.Setting(settingBackupVerified); errors.Is(err, store.ErrNotFound) {
			return nil
		}
		return err
	})
	var v verifiedBackup
	if err == nil && json.Unmarshal(value, &v) == nil {
		s.backupVerified.Store(v.Verified)
	}
	return err
}

// backupAge is how long ago a backup was verified, if one ever was.
func (s *Service) backupAge() (age time.Duration, known bool) {
	at := s.backupVerified.Load()
	return s.cfg.Now().Sub(domain.FromMicros(at)), at > 0
}
