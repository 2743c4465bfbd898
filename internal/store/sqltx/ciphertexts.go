package sqltx

import (
	"slices"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// The digests of a key, 8 bytes each, are in chunks of 512 bytes, or 384 on SQLite,
// numbered from 0. The bytes of all chunks, divided by the size of one, are the number of
// the chunk that takes the next digest. So only the last chunk has room. Rows of one digest
// each would take ten times as much space for names and indexes. A longer chunk would cost
// more to write, and on SQLite an overflow page: a row may take 488 bytes of a page.
// Versions 0.7.0 to 0.19.0 wrote chunks of 512 bytes on SQLite too. After them some numbers
// are skipped. After a copy from SQLite to PostgreSQL, or a return to 0.19.0, some chunks
// are longer.
//
// A search may also match across the border of two digests, which makes it eight
// times as probable that an unused ciphertext is refused: with n digests, n/2^61.
//
// The table ciphertext has the digests that version 0.6.0 and older wrote, a row
// of 16 bytes for each. They are found too, until their key ends.
const (
	sqlNextCiphertextKey = `
		SELECT account_id, key_id FROM ciphertext_chunk
		WHERE tenant = $1 AND (account_id, key_id) > ($2, $3)
		ORDER BY account_id, key_id LIMIT 1`

	sqlNextOldCiphertextKey = `
		SELECT account_id, key_id FROM ciphertext
		WHERE tenant = $1 AND (account_id, key_id) > ($2, $3)
		ORDER BY account_id, key_id LIMIT 1`

	// The last chunks first: the number of the chunk for the next digest is right
	// only if all chunks before it are there.
	sqlDeleteCiphertexts = `
		DELETE FROM ciphertext_chunk
		WHERE tenant = $1 AND account_id = $2 AND key_id = $3 AND chunk IN (
			SELECT c.chunk FROM ciphertext_chunk c
			WHERE c.tenant = $1 AND c.account_id = $2 AND c.key_id = $3
			ORDER BY c.chunk DESC LIMIT $4)`

	sqlDeleteOldCiphertexts = `
		DELETE FROM ciphertext
		WHERE tenant = $1 AND account_id = $2 AND key_id = $3 AND digest IN (
			SELECT c.digest FROM ciphertext c
			WHERE c.tenant = $1 AND c.account_id = $2 AND c.key_id = $3
			ORDER BY c.digest LIMIT $4)`
)

// NoteCiphertext checks and appends in one statement. Two transactions that find
// the same chunks write the same chunk, so an engine lets only one of them commit.
func (t secrets) NoteCiphertext(accountID, keyID string, digest domain.CiphertextDigest) error {
	n, err := t.db.Exec(t.texts.NoteCiphertext, domain.Tenant, accountID, keyID, digest[:8], digest[:])
	if err == nil && n == 0 {
		return store.ErrCiphertextReused
	}
	return err
}

func (t secrets) CiphertextNoted(accountID, keyID string, digest domain.CiphertextDigest) (bool, error) {
	return One(t.db, IsTrue, t.texts.CiphertextNoted, domain.Tenant, accountID, keyID, digest[:8], digest[:])
}

func (t secrets) NextCiphertextKey(afterAccount, afterKey string) (accountID, keyID string, err error) {
	next, err := All(t.db, scanPair, sqlNextCiphertextKey, domain.Tenant, afterAccount, afterKey)
	if err != nil {
		return "", "", err
	}
	old, err := All(t.db, scanPair, sqlNextOldCiphertextKey, domain.Tenant, afterAccount, afterKey)
	if err != nil {
		return "", "", err
	}
	next = append(next, old...)
	if len(next) == 0 {
		return "", "", store.ErrNotFound
	}
	first := slices.MinFunc(next, func(x, y [2]string) int { return slices.Compare(x[:], y[:]) })
	return first[0], first[1], nil
}

func scanPair(r Row) [2]string { return [2]string{r.Text(), r.Text()} }

func (t secrets) DeleteCiphertexts(accountID, keyID string, limit int) (deleted int, err error) {
	deleted, err = written(t.db.Exec(sqlDeleteCiphertexts, domain.Tenant, accountID, keyID, limit))
	if err != nil || deleted == limit {
		return deleted, err
	}
	old, err := written(t.db.Exec(sqlDeleteOldCiphertexts, domain.Tenant, accountID, keyID, limit-deleted))
	return deleted + old, err
}
