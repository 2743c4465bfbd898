package sqltx

import (
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

const (
	sqlRedeem = `
		INSERT INTO redemption (tenant, id, expires_at) VALUES ($1, $2, $3)
		ON CONFLICT (tenant, id) DO NOTHING`

	sqlDeleteRedemptions = `
		DELETE FROM redemption
		WHERE tenant = $1 AND id IN (
			SELECT r.id FROM redemption r
			WHERE r.tenant = $1 AND r.expires_at < $2
			ORDER BY r.expires_at LIMIT $3)`
)

func (t facts) Redeem(r domain.Redemption) error {
	n, err := t.db.Exec(sqlRedeem, domain.Tenant, r.ID, domain.Micros(r.ExpiresAt))
	if err == nil && n == 0 {
		return store.ErrRedeemed
	}
	return err
}

func (t facts) DeleteRedemptions(before time.Time, limit int) (deleted int, err error) {
	return written(t.db.Exec(sqlDeleteRedemptions, domain.Tenant, domain.Micros(before), limit))
}
