package sqltx

import (
	"time"

	"strongroom/internal/domain"
)

const (
	sqlReceipt = `
		SELECT digest, request_id, done_at FROM receipt WHERE tenant = $1 AND key = $2`

	sqlPutReceipt = `
		INSERT INTO receipt (tenant, key, digest, request_id, done_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (tenant, key) DO NOTHING`

	sqlDeleteReceipts = `
		DELETE FROM receipt
		WHERE tenant = $1 AND key IN (
			SELECT r.key FROM receipt r
			WHERE r.tenant = $1 AND r.done_at < $2
			ORDER BY r.done_at LIMIT $3)`
)

func (t facts) Receipt(key []byte) (r domain.Receipt, digest []byte, err error) {
	r, err = One(t.db, func(c Row) domain.Receipt {
		digest = c.Blob()
		return domain.Receipt{RequestID: c.Text(), At: c.Time()}
	}, sqlReceipt, domain.Tenant, key)
	return r, digest, err
}

func (t facts) PutReceipt(key, digest []byte, r domain.Receipt) error {
	return ExecOne(t.db, sqlPutReceipt, domain.Tenant, key, digest, r.RequestID, domain.Micros(r.At))
}

func (t facts) DeleteReceipts(before time.Time, limit int) (deleted int, err error) {
	return written(t.db.Exec(sqlDeleteReceipts, domain.Tenant, domain.Micros(before), limit))
}
