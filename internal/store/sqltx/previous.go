package sqltx

import "strongroom/internal/domain"

const (
	sqlPreviousCredentials = `
		SELECT ` + credentialColumns + ` FROM credential_previous
		WHERE tenant = $1 AND account_id = $2 AND type = $3
		ORDER BY version DESC LIMIT $4`

	sqlInsertPrevious = `
		INSERT INTO credential_previous (tenant, account_id, type, version, id, created_at, updated_at, sealed)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (tenant, account_id, type, version) DO NOTHING`

	guardedInsertPrevious = guard + sqlInsertPrevious + guarded

	// It deletes all versions but the newest $4.
	sqlDeletePrevious = `
		DELETE FROM credential_previous
		WHERE tenant = $1 AND account_id = $2 AND type = $3 AND version <= (
			SELECT p.version FROM credential_previous p
			WHERE p.tenant = $1 AND p.account_id = $2 AND p.type = $3
			ORDER BY p.version DESC LIMIT 1 OFFSET $4)`

	sqlResealPrevious = `
		UPDATE credential_previous SET sealed = $5 WHERE tenant = $1 AND account_id = $2 AND type = $3 AND version = $4`

	sqlEachPrevious = `
		SELECT ` + credentialColumns + ` FROM credential_previous
		WHERE tenant = $1 AND (account_id, type, version) > ($2, $3, $4)
		ORDER BY account_id, type, version LIMIT $5`

	sqlFirstPrevious = `
		SELECT ` + credentialColumns + ` FROM credential_previous WHERE tenant = $1 ORDER BY account_id, type, version LIMIT $2`
)

func (t secrets) PreviousCredentials(accountID string, ct domain.CredentialType, limit int) ([]domain.Credential, error) {
	return All(t.db, scanCredential, sqlPreviousCredentials, domain.Tenant, accountID, string(ct), limit)
}

func (t secrets) KeepPrevious(c domain.Credential, keep int) error {
	if keep > 0 {
		err := write(t.db, Write{Query: sqlInsertPrevious, Guarded: guardedInsertPrevious, Args: []any{domain.Tenant, c.AccountID,
			string(c.Type), c.Version, c.ID, domain.Micros(c.CreatedAt), domain.Micros(c.UpdatedAt), c.Sealed}})
		if err != nil {
			return err
		}
	}
	return t.deletePrevious(c.AccountID, c.Type, keep)
}

func (t secrets) ResealPrevious(c domain.Credential) error {
	return ExecOne(t.db, sqlResealPrevious, domain.Tenant, c.AccountID, string(c.Type), c.Version, c.Sealed)
}

func (t secrets) PreviousAfter(last *domain.Credential, limit int) ([]domain.Credential, error) {
	if last == nil {
		return All(t.db, scanCredential, sqlFirstPrevious, domain.Tenant, limit)
	}
	return All(t.db, scanCredential, sqlEachPrevious, domain.Tenant, last.AccountID, string(last.Type), last.Version, limit)
}

func (t secrets) DeletePrevious(accountID string, ct domain.CredentialType) error {
	return t.deletePrevious(accountID, ct, 0)
}

func (t secrets) deletePrevious(accountID string, ct domain.CredentialType, keep int) error {
	return write(t.db, Write{Query: sqlDeletePrevious, Args: []any{domain.Tenant, accountID, string(ct), keep}, Any: true})
}
