package sqlite

import (
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

const (
	sqlNoteKeyUse = `
		INSERT INTO key_use (tenant, account_id, key_id, used_at) VALUES (?1, ?2, ?3, ?4)
		ON CONFLICT (tenant, account_id, key_id) DO UPDATE SET used_at = excluded.used_at
		WHERE key_use.used_at < excluded.used_at`

	sqlKeyUsed = `
		SELECT used_at FROM key_use WHERE tenant = ?1 AND account_id = ?2 AND key_id = ?3`

	sqlDeleteKeyUses = `
		DELETE FROM key_use WHERE tenant = ?1 AND account_id = ?2`

	sqlKeyGeneration = `
		SELECT count, reset_at FROM key_generation WHERE tenant = ?1 AND device = ?2`
)

func (t *tx) NoteKeyUse(accountID, keyID string, at time.Time) error {
	_, err := t.exec(sqlNoteKeyUse, domain.Tenant, accountID, keyID, domain.Micros(at))
	return err
}

func (t *tx) KeyUsed(accountID, keyID string) (time.Time, error) {
	return row(t, (*statement).time, sqlKeyUsed, domain.Tenant, accountID, keyID)
}

func (t *tx) DeleteKeyUses(accountID string) error {
	_, err := t.exec(sqlDeleteKeyUses, domain.Tenant, accountID)
	return err
}

func (t *tx) KeyGeneration(device []byte) (count int64, reset time.Time, err error) {
	reset, err = row(t, func(r *statement) time.Time {
		count = r.integer()
		return r.time()
	}, sqlKeyGeneration, domain.Tenant, device)
	if err == nil && reset.Before(t.Now()) {
		return 0, time.Time{}, store.ErrNotFound
	}
	return count, reset, err
}
