package sqltx

import (
	"errors"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

const (
	// A window is open if it ends between $4, which is now, and $5, which is two
	// lengths of a window later.
	sqlCountKeyGeneration = `
		INSERT INTO key_generation (tenant, device, count, reset_at) VALUES ($1, $2, 1, $3)
		ON CONFLICT (tenant, device) DO UPDATE SET
			count = CASE WHEN key_generation.reset_at BETWEEN $4 AND $5 THEN key_generation.count + 1 ELSE 1 END,
			reset_at = CASE WHEN key_generation.reset_at BETWEEN $4 AND $5 THEN key_generation.reset_at ELSE excluded.reset_at END
		WHERE key_generation.count < $6 OR key_generation.reset_at NOT BETWEEN $4 AND $5
		RETURNING reset_at`

	sqlKeyGenerationReset = `
		SELECT reset_at FROM key_generation WHERE tenant = $1 AND device = $2`

	sqlOldKeyGeneration = `
		SELECT g.reset_at FROM key_generation g WHERE g.tenant = $1
		ORDER BY g.reset_at DESC LIMIT 1 OFFSET $2`

	sqlDeleteKeyGenerations = `
		DELETE FROM key_generation
		WHERE tenant = $1 AND device IN (
			SELECT g.device FROM key_generation g
			WHERE g.tenant = $1 AND g.reset_at <= $2
			ORDER BY g.reset_at LIMIT $3)`
)

func (t secrets) CountKeyGeneration(device []byte, window time.Duration, limit int64) (reset time.Time, counted bool, err error) {
	now := t.db.Now()
	reset, err = One(t.db, Row.Time, sqlCountKeyGeneration, domain.Tenant, device, domain.Micros(now.Add(window)),
		domain.Micros(now), domain.Micros(now.Add(2*window)), limit)
	if errors.Is(err, store.ErrNotFound) { // it wrote no row
		reset, err = One(t.db, Row.Time, sqlKeyGenerationReset, domain.Tenant, device)
		return reset, false, err
	}
	return reset, err == nil, err
}

func (t secrets) OldKeyGeneration(keep int) (reset time.Time, err error) {
	return One(t.db, Row.Time, sqlOldKeyGeneration, domain.Tenant, keep)
}

func (t secrets) DeleteKeyGenerations(upTo time.Time, limit int) (deleted int, err error) {
	if over := t.db.Now().Add(-time.Microsecond); upTo.Before(over) {
		upTo = over
	}
	return written(t.db.Exec(sqlDeleteKeyGenerations, domain.Tenant, domain.Micros(upTo), limit))
}
