package postgres

import (
	"errors"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// The condition under which key $3 of account $2 may be used at time $4, as
// [domain.DeviceKey.Usable] has it.
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

func (t *tx) Credential(accountID string, ct domain.CredentialType) (c domain.Credential, err error) {
	if read := t.credential[secretOf{accountID, ct}]; read != nil {
		if err := t.alive(); err != nil || len(read.found) > 0 {
			return first(read.found), err
		}
		return c, store.ErrNotFound
	}
	return row(t, scanCredential, sqlCredential, domain.Tenant, accountID, string(ct))
}

func scanCredential(r *cells) domain.Credential {
	return domain.Credential{AccountID: r.text(), Type: domain.CredentialType(r.text()), ID: r.text(), Version: r.integer(),
		CreatedAt: r.time(), UpdatedAt: r.time(), Sealed: r.blob()}
}

func (t *tx) PutCredential(c domain.Credential, keyID string) error {
	delete(t.credential, secretOf{c.AccountID, c.Type})
	args := []any{domain.Tenant, c.AccountID, keyID, domain.Micros(t.Now()),
		string(c.Type), c.ID, domain.Micros(c.CreatedAt), domain.Micros(c.UpdatedAt), c.Sealed}
	query := sqlInsertCredential
	if c.Version != 1 {
		query, args = sqlUpdateCredential, append(args, c.Version-1)
	}
	return t.execWithKey(sqlUsableForSet, query, args)
}

// execWithKey runs a statement that depends on a key, named by its first four
// arguments, and on a version. Only when it wrote nothing does it find out
// which of them forbade it.
func (t *tx) execWithKey(usable, query string, args []any) error {
	err := t.execOne(query, args...)
	if !errors.Is(err, store.ErrConflict) {
		return err
	}
	ok, usableErr := row(t, (*cells).boolean, usable, args[:4]...)
	switch {
	case usableErr != nil:
		return usableErr
	case !ok:
		return store.ErrKeyNotUsable
	}
	return err
}

func (t *tx) RehashCredential(c domain.Credential) error {
	delete(t.credential, secretOf{c.AccountID, c.Type})
	return t.execOne(sqlRehashCredential, domain.Tenant, c.AccountID, string(c.Type), c.Version-1,
		domain.Micros(c.UpdatedAt), c.Sealed)
}

func (t *tx) DeleteCredential(accountID string, ct domain.CredentialType) error {
	delete(t.credential, secretOf{accountID, ct})
	_, err := t.exec(sqlDeleteCredential, domain.Tenant, accountID, string(ct))
	return err
}

func (t *tx) EachCredential(fn func(domain.Credential) error) error {
	return store.Walk(fn, func(last *domain.Credential) ([]domain.Credential, error) {
		if last == nil { // an empty id may be there too, if it was put there
			return rows(t, scanCredential, sqlFirstCredentials, domain.Tenant, store.PageSize)
		}
		return rows(t, scanCredential, sqlEachCredential, domain.Tenant, last.AccountID, string(last.Type), store.PageSize)
	})
}

const (
	attemptsColumns = `account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac,
		verified_at, verified_by, devices`

	sqlAttempts = `
		SELECT ` + attemptsColumns + ` FROM attempts WHERE tenant = $1 AND account_id = $2 AND type = $3`

	sqlReserveFirst = `
		INSERT INTO attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac,
			verified_at, verified_by, devices, locked_to)
		SELECT $1, $2, $5, $6, 1, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16
		WHERE ` + usableForVerify + `
		ON CONFLICT (tenant, account_id, type) DO NOTHING`

	sqlReserve = `
		UPDATE attempts
		SET id = $6, version = $17 + 1, failures = $7, locked_until = $8, permanent = $9, recent = $10, pending = $11, mac = $12,
			verified_at = $13, verified_by = $14, devices = $15, locked_to = $16
		WHERE tenant = $1 AND account_id = $2 AND type = $5 AND version = $17
		AND ` + usableForVerify

	sqlInsertAttempts = `
		INSERT INTO attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac,
			verified_at, verified_by, devices, locked_to)
		VALUES ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
		ON CONFLICT (tenant, account_id, type) DO NOTHING`

	sqlUpdateAttempts = `
		UPDATE attempts
		SET id = $4, version = $15 + 1, failures = $5, locked_until = $6, permanent = $7, recent = $8, pending = $9, mac = $10,
			verified_at = $11, verified_by = $12, devices = $13, locked_to = $14
		WHERE tenant = $1 AND account_id = $2 AND type = $3 AND version = $15`

	sqlDeleteAttempts = `
		DELETE FROM attempts WHERE tenant = $1 AND account_id = $2 AND type = $3`

	sqlEachAttempts = `
		SELECT ` + attemptsColumns + ` FROM attempts
		WHERE tenant = $1 AND (account_id, type) > ($2, $3)
		ORDER BY account_id, type LIMIT $4`

	sqlFirstAttempts = `
		SELECT ` + attemptsColumns + ` FROM attempts WHERE tenant = $1 ORDER BY account_id, type LIMIT $2`
)

func (t *tx) Attempts(accountID string, ct domain.CredentialType) (domain.Attempts, error) {
	return t.readLedger(secretOf{accountID, ct})
}

// scanAttempts reads a ledger. One whose columns hold what we never write was
// edited: it comes back without its MAC, so that it is refused, reported and
// unlocked like any other edited ledger.
func scanAttempts(r *cells) domain.Attempts {
	a := domain.Attempts{AccountID: r.text(), Type: domain.CredentialType(r.text()), ID: r.text(), Version: r.integer(),
		Failures: int(r.integer()), LockedUntil: r.time(), Permanent: r.boolean()}
	recent, badTimes := domain.UnmarshalTimes(r.text())
	pending, badTries := domain.UnmarshalPending(r.text())
	a.Recent, a.Pending, a.MAC = recent, pending, r.blob()
	a.VerifiedAt, a.VerifiedBy = r.time(), r.text()
	devices, badDevices := domain.UnmarshalDevices(r.text())
	a.Devices = devices
	if badTimes != nil || badTries != nil || badDevices != nil {
		a.MAC = nil
	}
	return a
}

func (t *tx) ReserveTry(a domain.Attempts, keyID string) error {
	delete(t.ledgers, secretOf{a.AccountID, a.Type})
	args := append([]any{domain.Tenant, a.AccountID, keyID, domain.Micros(t.Now())}, attemptsFields(a)...)
	query := sqlReserveFirst
	if a.Version != 1 {
		query, args = sqlReserve, append(args, a.Version-1)
	}
	return t.execWithKey(sqlUsableForVerify, query, args)
}

func (t *tx) PutAttempts(a domain.Attempts) error {
	args := append([]any{domain.Tenant, a.AccountID}, attemptsFields(a)...)
	query := sqlInsertAttempts
	if a.Version != 1 {
		query, args = sqlUpdateAttempts, append(args, a.Version-1)
	}
	if t.nextLedger(secretOf{a.AccountID, a.Type}, a.Version) {
		return t.postpone(&request{sql: query, args: args})
	}
	return t.execOne(query, args...)
}

// attemptsFields are the arguments of all four writes, in the order in which
// each of them numbers its parameters.
func attemptsFields(a domain.Attempts) []any {
	return []any{string(a.Type), a.ID, a.Failures, domain.Micros(a.LockedUntil), a.Permanent,
		domain.MarshalTimes(a.Recent), domain.MarshalPending(a.Pending), a.MAC,
		domain.Micros(a.VerifiedAt), a.VerifiedBy, domain.MarshalDevices(a.Devices), a.LockStandsUntil()}
}

func (t *tx) DeleteAttempts(accountID string, ct domain.CredentialType) error {
	delete(t.ledgers, secretOf{accountID, ct})
	_, err := t.exec(sqlDeleteAttempts, domain.Tenant, accountID, string(ct))
	return err
}

func (t *tx) EachAttempts(fn func(domain.Attempts) error) error {
	return store.Walk(fn, func(last *domain.Attempts) ([]domain.Attempts, error) {
		if last == nil { // an empty id may be there too, if it was put there
			return rows(t, scanAttempts, sqlFirstAttempts, domain.Tenant, store.PageSize)
		}
		return rows(t, scanAttempts, sqlEachAttempts, domain.Tenant, last.AccountID, string(last.Type), store.PageSize)
	})
}
