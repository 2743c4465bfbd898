package postgres

import "strongroom/internal/domain"

const (
	sqlSetting = `
		SELECT value FROM setting WHERE tenant = $1 AND name = $2`

	sqlPutSetting = `
		INSERT INTO setting (tenant, name, value) VALUES ($1, $2, $3)
		ON CONFLICT (tenant, name) DO UPDATE SET value = excluded.value`

	// Names are compared byte by byte, so names with the same prefix are adjacent.
	// The upper bound is the prefix followed by the last Unicode character.
	sqlSettingsOf = `
		SELECT name, value FROM setting WHERE tenant = $1 AND name >= $2 AND name < $3`

	sqlRemoveSetting = `
		DELETE FROM setting WHERE tenant = $1 AND name = $2`

	sqlAccount = `
		SELECT ` + accountColumns + ` FROM account
		WHERE tenant = $1 AND mode = $2 AND issuer = $3 AND subject = $4`

	sqlInsertAccount = `
		INSERT INTO account (tenant, id, mode, issuer, subject, created_at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT DO NOTHING`

	sqlDeleteAccount = `
		DELETE FROM account WHERE tenant = $1 AND id = $2`
)

func (t *tx) Setting(name string) ([]byte, error) {
	return row(t, (*cells).blob, sqlSetting, domain.Tenant, name)
}

func (t *tx) PutSetting(name string, value []byte) error {
	_, err := t.exec(sqlPutSetting, domain.Tenant, name, value)
	return err
}

func (t *tx) Settings(prefix string) (map[string][]byte, error) {
	all := map[string][]byte{}
	_, err := rows(t, func(r *cells) struct{} {
		name := r.text()
		all[name] = r.blob()
		return struct{}{}
	}, sqlSettingsOf, domain.Tenant, prefix, prefix+"\U0010FFFF")
	return all, err
}

func (t *tx) DeleteSetting(name string) error {
	_, err := t.exec(sqlRemoveSetting, domain.Tenant, name)
	return err
}

func (t *tx) Account(mode domain.Mode, issuer, subject string) (domain.Account, error) {
	return row(t, scanAccount, sqlAccount, domain.Tenant, string(mode), issuer, subject)
}

func scanAccount(r *cells) domain.Account {
	return domain.Account{ID: r.text(), Mode: domain.Mode(r.text()), Issuer: r.text(), Subject: r.text(), CreatedAt: r.time()}
}

func (t *tx) InsertAccount(a domain.Account) error {
	return t.execOne(sqlInsertAccount, domain.Tenant, a.ID, string(a.Mode), a.Issuer, a.Subject, domain.Micros(a.CreatedAt))
}

func (t *tx) DeleteAccount(id string) error {
	_, err := t.exec(sqlDeleteAccount, domain.Tenant, id)
	return err
}
