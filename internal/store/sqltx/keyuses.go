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
	return write(t.db, Write{Query: sqlNoteKeyUse, Args: []any{domain.Tenant, accountID, keyID, domain.Micros(at)}, Any: true})
}

func (t facts) KeysUsed(accountID string, keyIDs []string) ([]time.Time, error) {
	all, reads := make([]time.Time, len(keyIDs)), make([]Read, len(keyIDs))
	for i, id := range keyIDs {
		reads[i] = Read{func(r Row) { all[i] = r.Time() }, sqlKeyUsed, []any{domain.Tenant, accountID, id}}
	}
	return all, together(t.db, reads...)
}

func (t facts) DeleteKeyUses(accountID string) error {
	return run(t.db, sqlDeleteKeyUses, domain.Tenant, accountID)
}

func (t facts) KeyGeneration(device []byte) (count int64, reset time.Time, err error) {
	all, err := t.KeyGenerationsOf([][]byte{device})
	if err == nil && all[0] == (store.KeyWindow{}) {
		err = store.ErrNotFound
	}
	if err != nil {
		return 0, time.Time{}, err
	}
	return all[0].Count, all[0].Reset, nil
}

func (t facts) KeyGenerationsOf(devices [][]byte) ([]store.KeyWindow, error) {
	all, reads := make([]store.KeyWindow, len(devices)), make([]Read, len(devices))
	for i, device := range devices {
		reads[i] = Read{func(r Row) { all[i] = store.KeyWindow{Count: r.Integer(), Reset: r.Time()} }, sqlKeyGeneration, []any{domain.Tenant, device}}
	}
	if err := together(t.db, reads...); err != nil {
		return nil, err
	}
	now := t.db.Now()
	for i := range all {
		if all[i].Reset.Before(now) {
			all[i] = store.KeyWindow{}
		}
	}
	return all, nil
}
