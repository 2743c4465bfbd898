package sqlite

import (
	"time"

	"strongroom/internal/domain"
)

const (
	sqlReceipt = `
		SELECT digest, request_id, done_at FROM receipt WHERE tenant = ?1 AND key = ?2`

	sqlPutReceipt = `
		INSERT INTO receipt (tenant, key, digest, request_id, done_at) VALUES (?1, ?2, ?3, ?4, ?5)
		ON CONFLICT (tenant, key) DO NOTHING`

	sqlDeleteReceipts = `
		DELETE FROM receipt
		WHERE tenant = ?1 AND key IN (
			SELECT r.key FROM receipt r
			WHERE r.tenant = ?1 AND r.done_at < ?2
			ORDER BY r.done_at LIMIT ?3)`
)

func (t *tx) Receipt(key []byte) (r domain.Receipt, digest []byte, err error) {
	r, err = row(t, func(c *statement) domain.Receipt {
		digest = c.blob()
		return domain.Receipt{RequestID: c.text(), At: c.time()}
	}, sqlReceipt, domain.Tenant, key)
	return r, digest, err
}

func (t *tx) PutReceipt(key, digest []byte, r domain.Receipt) error {
	return t.execOne(sqlPutReceipt, domain.Tenant, key, digest, r.RequestID, domain.Micros(r.At))
}

func (t *tx) DeleteReceipts(before time.Time, limit int) (deleted int, err error) {
	n, err := t.exec(sqlDeleteReceipts, domain.Tenant, domain.Micros(before), limit)
	return int(n), err
}
