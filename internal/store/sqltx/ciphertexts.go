package sqltx

import (
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

const (
	sqlNoteCiphertext = `
		INSERT INTO ciphertext (tenant, account_id, key_id, digest) VALUES ($1, $2, $3, $4)
		ON CONFLICT (tenant, account_id, key_id, digest) DO NOTHING`

	sqlCiphertextNoted = `
		SELECT EXISTS (SELECT 1 FROM ciphertext WHERE tenant = $1 AND account_id = $2 AND key_id = $3 AND digest = $4)`

	sqlNextCiphertextKey = `
		SELECT account_id, key_id FROM ciphertext
		WHERE tenant = $1 AND (account_id, key_id) > ($2, $3)
		ORDER BY account_id, key_id LIMIT 1`

	sqlDeleteCiphertexts = `
		DELETE FROM ciphertext
		WHERE tenant = $1 AND account_id = $2 AND key_id = $3 AND digest IN (
			SELECT c.digest FROM ciphertext c
			WHERE c.tenant = $1 AND c.account_id = $2 AND c.key_id = $3
			ORDER BY c.digest LIMIT $4)`
)

func (t secrets) NoteCiphertext(accountID, keyID string, digest []byte) error {
	n, err := t.db.Exec(sqlNoteCiphertext, domain.Tenant, accountID, keyID, digest)
	if err == nil && n == 0 {
		return store.ErrCiphertextReused
	}
	return err
}

func (t secrets) CiphertextNoted(accountID, keyID string, digest []byte) (bool, error) {
	return One(t.db, isTrue, sqlCiphertextNoted, domain.Tenant, accountID, keyID, digest)
}

func (t secrets) NextCiphertextKey(afterAccount, afterKey string) (accountID, keyID string, err error) {
	next, err := One(t.db, scanPair, sqlNextCiphertextKey, domain.Tenant, afterAccount, afterKey)
	return next[0], next[1], err
}

func scanPair(r Row) [2]string { return [2]string{r.Text(), r.Text()} }

func (t secrets) DeleteCiphertexts(accountID, keyID string, limit int) (deleted int, err error) {
	return written(t.db.Exec(sqlDeleteCiphertexts, domain.Tenant, accountID, keyID, limit))
}
