package sqltx

import (
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

const (
	sqlNoteKeyUse = `
		INSERT INTO key_use (tenant, account_id, key_id, used_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (tenant, account_id, key_id) DO UPDATE SET used_at = excluded.used_at
		WHERE key_use.used_at < excluded.used_at`

	sqlKeyUsed = `
		SELECT used_at FROM key_use WHERE tenant = $1 AND account_id = $2 AND key_id = $3`

	sqlDeleteKeyUses = `
		DELETE FROM key_use WHERE tenant = $1 AND account_id = $2`

	sqlKeyGeneration = `
		SELECT count, reset_at FROM key_generation WHERE tenant = $1 AND device = $2`
)

func (t facts) NoteKeyUse(accountID, keyID string, at time.Time) error {
	return run(t.db, sqlNoteKeyUse, domain.Tenant, accountID, keyID, domain.Micros(at))
}

func (t facts) KeyUsed(accountID, keyID string) (time.Time, error) {
	return One(t.db, Row.Time, sqlKeyUsed, domain.Tenant, accountID, keyID)
}

func (t facts) DeleteKeyUses(accountID string) error {
	return run(t.db, sqlDeleteKeyUses, domain.Tenant, accountID)
}

func (t facts) KeyGeneration(device []byte) (count int64, reset time.Time, err error) {
	reset, err = One(t.db, func(r Row) time.Time {
		count = r.Integer()
		return r.Time()
	}, sqlKeyGeneration, domain.Tenant, device)
	if err == nil && reset.Before(t.db.Now()) {
		return 0, time.Time{}, store.ErrNotFound
	}
	return count, reset, err
}
