package sqltx

import "strongroom/internal/domain"

const (
	sqlSigningKeys = `
		SELECT number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed
		FROM signing_key WHERE tenant = $1 ORDER BY number`

	sqlInsertSigningKey = `
		INSERT INTO signing_key (tenant, number, id, algorithm, version, created_at, active_from, erased_at, mac, public_key, sealed)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
		ON CONFLICT (tenant, number) DO NOTHING`

	sqlUpdateSigningKey = `
		UPDATE signing_key SET version = $3 + 1, active_from = $4, erased_at = $5, mac = $6, sealed = $7
		WHERE tenant = $1 AND number = $2 AND version = $3`

	sqlDeleteSigningKeys = "DELETE FROM signing_key WHERE tenant = $1"
)

func (t secrets) SigningKeys() ([]domain.SigningKey, error) {
	return All(t.db, scanSigningKey, sqlSigningKeys, domain.Tenant)
}

func scanSigningKey(r Row) domain.SigningKey {
	return domain.SigningKey{Number: r.Integer(), ID: r.Text(), Algorithm: r.Text(), Version: r.Integer(),
		CreatedAt: r.Time(), ActiveFrom: r.Time(), ErasedAt: r.Time(), MAC: r.Blob(), PublicKey: r.Blob(), Sealed: r.Blob()}
}

func (t secrets) InsertSigningKey(k domain.SigningKey) error {
	return ExecOne(t.db, sqlInsertSigningKey, domain.Tenant, k.Number, k.ID, k.Algorithm, k.Version,
		domain.Micros(k.CreatedAt), domain.Micros(k.ActiveFrom), domain.Micros(k.ErasedAt), k.MAC, k.PublicKey, k.Sealed)
}

func (t secrets) UpdateSigningKey(k domain.SigningKey) error {
	return ExecOne(t.db, sqlUpdateSigningKey, domain.Tenant, k.Number, k.Version-1,
		domain.Micros(k.ActiveFrom), domain.Micros(k.ErasedAt), k.MAC, k.Sealed)
}

func (t secrets) DeleteSigningKeys() error {
	_, err := t.db.Exec(sqlDeleteSigningKeys, domain.Tenant)
	return err
}
