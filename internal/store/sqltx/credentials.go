package sqltx

import (
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// The condition under which key $3 of account $2 may be used at time $4: the
// same as [domain.DeviceKey.Usable].
const (
	keyUsable = `EXISTS (
			SELECT 1 FROM device_key k
			WHERE k.tenant = $1 AND k.account_id = $2 AND k.id = $3 AND length(k.sealed) > 0 AND `

	usableForSet = keyUsable + `k.state = 'active' AND (k.expires_at = 0 OR k.expires_at > $4))`

	usableForVerify = keyUsable + `(k.state = 'active' AND (k.expires_at = 0 OR k.expires_at > $4)
				OR k.state = 'invalidated' AND k.grace_until > $4))`

	sqlUsableForSet    = `SELECT ` + usableForSet
	sqlUsableForVerify = `SELECT ` + usableForVerify
)

const (
	credentialColumns = `account_id, type, id, version, created_at, updated_at, sealed`

	// sqlCredential reads a credential by tenant, account and type.
	sqlCredential = `
		SELECT ` + credentialColumns + ` FROM credential WHERE tenant = $1 AND account_id = $2 AND type = $3`

	sqlInsertCredential = `
		INSERT INTO credential (tenant, account_id, type, id, version, created_at, updated_at, sealed)
		SELECT $1, $2, $5, $6, 1, $7, $8, $9
		WHERE ` + usableForSet + `
		ON CONFLICT (tenant, account_id, type) DO NOTHING`

	sqlUpdateCredential = `
		UPDATE credential SET id = $6, version = $10 + 1, created_at = $7, updated_at = $8, sealed = $9
		WHERE tenant = $1 AND account_id = $2 AND type = $5 AND version = $10
		AND ` + usableForSet

	guardedInsertCredential = guard + sqlInsertCredential + guarded
	guardedUpdateCredential = guard + sqlUpdateCredential + guarded

	sqlAddCredential = `
		INSERT INTO credential (tenant, account_id, type, id, version, created_at, updated_at, sealed)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (tenant, account_id, type) DO NOTHING`

	sqlRehashCredential = `
		UPDATE credential SET version = $4 + 1, updated_at = $5, sealed = $6
		WHERE tenant = $1 AND account_id = $2 AND type = $3 AND version = $4`

	sqlDeleteCredential = `
		DELETE FROM credential WHERE tenant = $1 AND account_id = $2 AND type = $3`

	sqlEachCredential = `
		SELECT ` + credentialColumns + ` FROM credential
		WHERE tenant = $1 AND (account_id, type) > ($2, $3)
		ORDER BY account_id, type LIMIT $4`

	sqlFirstCredentials = `
		SELECT ` + credentialColumns + ` FROM credential WHERE tenant = $1 ORDER BY account_id, type LIMIT $2`
)

func (t secrets) Credential(accountID string, ct domain.CredentialType) (domain.Credential, error) {
	return One(t.db, scanCredential, sqlCredential, domain.Tenant, accountID, string(ct))
}

// scanCredential reads the row that sqlCredential finds.
func scanCredential(r Row) domain.Credential {
	return domain.Credential{AccountID: r.Text(), Type: domain.CredentialType(r.Text()), ID: r.Text(), Version: r.Integer(),
		CreatedAt: r.Time(), UpdatedAt: r.Time(), Sealed: r.Blob()}
}

func (t secrets) PutCredential(c domain.Credential, keyID string) error {
	args := []any{domain.Tenant, c.AccountID, keyID, domain.Micros(t.db.Now()),
		string(c.Type), c.ID, domain.Micros(c.CreatedAt), domain.Micros(c.UpdatedAt), c.Sealed}
	if c.Version == 1 {
		return write(t.db, Write{Query: sqlInsertCredential, Guarded: guardedInsertCredential, Args: args, Usable: sqlUsableForSet})
	}
	return write(t.db, Write{Query: sqlUpdateCredential, Guarded: guardedUpdateCredential, Args: append(args, c.Version-1), Usable: sqlUsableForSet})
}

func (t secrets) AddCredential(c domain.Credential) error {
	return ExecOne(t.db, sqlAddCredential, domain.Tenant, c.AccountID, string(c.Type), c.ID, c.Version,
		domain.Micros(c.CreatedAt), domain.Micros(c.UpdatedAt), c.Sealed)
}

func (t secrets) RehashCredential(c domain.Credential) error {
	return ExecOne(t.db, sqlRehashCredential, domain.Tenant, c.AccountID, string(c.Type), c.Version-1,
		domain.Micros(c.UpdatedAt), c.Sealed)
}

func (t secrets) DeleteCredential(accountID string, ct domain.CredentialType) error {
	return run(t.db, sqlDeleteCredential, domain.Tenant, accountID, string(ct))
}

func (t secrets) EachCredential(fn func(domain.Credential) error) error {
	return walk(fn, func(last *domain.Credential) ([]domain.Credential, error) {
		return t.CredentialsAfter(last, store.PageSize)
	})
}

func (t secrets) CredentialsAfter(last *domain.Credential, limit int) ([]domain.Credential, error) {
	if last == nil { // someone may have put a row with an empty id there
		return All(t.db, scanCredential, sqlFirstCredentials, domain.Tenant, limit)
	}
	return All(t.db, scanCredential, sqlEachCredential, domain.Tenant, last.AccountID, string(last.Type), limit)
}

// It counts at most $2 rows of each table, so that it does not take longer on
// a large database.
const sqlCountSealedRows = `
	SELECT (SELECT count(*) FROM (SELECT 1 FROM device_key WHERE tenant = $1 LIMIT $2) AS k)
		+ (SELECT count(*) FROM (SELECT 1 FROM credential WHERE tenant = $1 LIMIT $2) AS c)
		+ (SELECT count(*) FROM (SELECT 1 FROM credential_previous WHERE tenant = $1 LIMIT $2) AS p)
		+ (SELECT count(*) FROM (SELECT 1 FROM attempts WHERE tenant = $1 LIMIT $2) AS a)`

func (t secrets) CountSealedRows(most int) (int64, error) {
	return One(t.db, Row.Integer, sqlCountSealedRows, domain.Tenant, most)
}
