package sqltx

import (
	"time"

	"strongroom/internal/domain"
)

// The table has the older name of act results. It keeps that name, because
// instances of the previous version use it during a rolling upgrade.
const (
	sqlActResult = `
		SELECT digest, request_id, done_at FROM receipt WHERE tenant = $1 AND key = $2`

	sqlPutActResult = `
		INSERT INTO receipt (tenant, key, digest, request_id, done_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (tenant, key) DO NOTHING`

	sqlDeleteActResults = `
		DELETE FROM receipt
		WHERE tenant = $1 AND key IN (
			SELECT r.key FROM receipt r
			WHERE r.tenant = $1 AND r.done_at < $2
			ORDER BY r.done_at LIMIT $3)`
)

func (t facts) ActResult(key []byte) (r domain.ActResult, digest []byte, err error) {
	r, err = One(t.db, func(c Row) domain.ActResult {
		digest = c.Blob()
		return domain.ActResult{RequestID: c.Text(), At: c.Time()}
	}, sqlActResult, domain.Tenant, key)
	return r, digest, err
}

func (t facts) PutActResult(key, digest []byte, r domain.ActResult) error {
	return ExecOne(t.db, sqlPutActResult, domain.Tenant, key, digest, r.RequestID, domain.Micros(r.At))
}

func (t facts) DeleteActResults(before time.Time, limit int) (deleted int, err error) {
	return written(t.db.Exec(sqlDeleteActResults, domain.Tenant, domain.Micros(before), limit))
}
