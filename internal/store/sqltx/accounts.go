package sqltx

import "strongroom/internal/domain"

const (
	accountColumns = `id, mode, issuer, subject, created_at`

	// sqlAccount reads an account by tenant, mode, issuer and subject.
	sqlAccount = `
		SELECT ` + accountColumns + ` FROM account
		WHERE tenant = $1 AND mode = $2 AND issuer = $3 AND subject = $4`

	sqlInsertAccount = `
		INSERT INTO account (tenant, id, mode, issuer, subject, created_at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT DO NOTHING`

	guardedInsertAccount = guard + sqlInsertAccount + guarded

	sqlDeleteAccount = `
		DELETE FROM account WHERE tenant = $1 AND id = $2`
)

func (t facts) Account(mode domain.Mode, issuer, subject string) (domain.Account, error) {
	return One(t.db, scanAccount, sqlAccount, domain.Tenant, string(mode), issuer, subject)
}

// scanAccount reads an account.
func scanAccount(r Row) domain.Account {
	return domain.Account{ID: r.Text(), Mode: domain.Mode(r.Text()), Issuer: r.Text(), Subject: r.Text(), CreatedAt: r.Time()}
}

func (t facts) InsertAccount(a domain.Account) error {
	return write(t.db, Write{Query: sqlInsertAccount, Guarded: guardedInsertAccount,
		Args: []any{domain.Tenant, a.ID, string(a.Mode), a.Issuer, a.Subject, domain.Micros(a.CreatedAt)}})
}

func (t facts) DeleteAccount(id string) error {
	return run(t.db, sqlDeleteAccount, domain.Tenant, id)
}
