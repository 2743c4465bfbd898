package sqltx

import (
	"strongroom/internal/domain"
	"strongroom/internal/store"
)

const (
	// AttemptsColumns are the columns that scanAttempts reads.
	AttemptsColumns = `account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac,
		verified_at, verified_by, devices`

	// sqlAttempts reads an attempt counter by tenant, account and type.
	sqlAttempts = `
		SELECT ` + AttemptsColumns + ` FROM attempts WHERE tenant = $1 AND account_id = $2 AND type = $3`

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

	guardedReserveFirst = guard + sqlReserveFirst + guarded
	guardedReserve      = guard + sqlReserve + guarded

	// InsertAttempts adds a counter's first version. It fails if there is a row.
	InsertAttempts = `
		INSERT INTO attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac,
			verified_at, verified_by, devices, locked_to)
		VALUES ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`

	sqlInsertAttempts = InsertAttempts + `
		ON CONFLICT (tenant, account_id, type) DO NOTHING`

	// UpdateAttempts writes a counter's later version. It writes no row if the
	// stored version is not the one before.
	UpdateAttempts = `
		UPDATE attempts SET version = $15 + 1, ` + newAttempts + ` AND version = $15`

	// AdvanceAttempts is UpdateAttempts for a row that exists. It fails with a division by
	// zero if the stored version is not the one before.
	AdvanceAttempts = `
		UPDATE attempts SET version = version + 1 / CASE WHEN version = $15 THEN 1 ELSE 0 END, ` + newAttempts

	newAttempts = `id = $4, failures = $5, locked_until = $6, permanent = $7, recent = $8, pending = $9, mac = $10,
			verified_at = $11, verified_by = $12, devices = $13, locked_to = $14
		WHERE tenant = $1 AND account_id = $2 AND type = $3`

	sqlDeleteAttempts = `
		DELETE FROM attempts WHERE tenant = $1 AND account_id = $2 AND type = $3`

	sqlEachAttempts = `
		SELECT ` + AttemptsColumns + `, locked_to FROM attempts
		WHERE tenant = $1 AND (account_id, type) > ($2, $3)
		ORDER BY account_id, type LIMIT $4`

	sqlFirstAttempts = `
		SELECT ` + AttemptsColumns + `, locked_to FROM attempts WHERE tenant = $1 ORDER BY account_id, type LIMIT $2`
)

func (t secrets) Guarded(accountID string, ct domain.CredentialType) (a *domain.Attempts, c *domain.Credential, err error) {
	args := []any{domain.Tenant, accountID, string(ct)}
	err = together(t.db, Read{first(&a, scanAttempts), sqlAttempts, args}, Read{first(&c, scanCredential), sqlCredential, args})
	return a, c, err
}

func (t secrets) Attempts(accountID string, ct domain.CredentialType) (domain.Attempts, error) {
	return One(t.db, scanAttempts, sqlAttempts, domain.Tenant, accountID, string(ct))
}

// scanAttempts reads an attempt counter. If a column holds a value that
// Strongroom never writes, the row was edited: it comes back without its MAC, so
// that it is refused, reported and unlocked like any other edited counter.
func scanAttempts(r Row) domain.Attempts {
	a := domain.Attempts{AccountID: r.Text(), Type: domain.CredentialType(r.Text()), ID: r.Text(), Version: r.Integer(),
		Failures: int(r.Integer()), LockedUntil: r.Time()}
	permanent, valid := r.Flag()
	recent, badTimes := domain.UnmarshalTimes(r.Text())
	pending, badPending := domain.UnmarshalPending(r.Text())
	a.Permanent, a.Recent, a.Pending, a.MAC = permanent, recent, pending, r.Blob()
	a.VerifiedAt, a.VerifiedBy = r.Time(), r.Text()
	devices, badDevices := domain.UnmarshalDevices(r.Text())
	a.Devices = devices
	if badTimes != nil || badPending != nil || badDevices != nil || !valid {
		a.MAC = nil
	}
	return a
}

func (t secrets) ReserveAttempt(a domain.Attempts, keyID string) error {
	args := append([]any{domain.Tenant, a.AccountID, keyID, domain.Micros(t.db.Now())}, attemptsFields(a)...)
	if a.Version == 1 {
		return write(t.db, Write{Query: sqlReserveFirst, Guarded: guardedReserveFirst, Args: args, Usable: sqlUsableForVerify})
	}
	return write(t.db, Write{Query: sqlReserve, Guarded: guardedReserve, Args: append(args, a.Version-1), Usable: sqlUsableForVerify})
}

func putAttempts(db Engine, a domain.Attempts) error {
	if a.Version == 1 {
		return ExecOne(db, sqlInsertAttempts, AttemptsValues(a)...)
	}
	return ExecOne(db, UpdateAttempts, AttemptsValues(a)...)
}

// AttemptsValues are the arguments of InsertAttempts for version 1, and of
// UpdateAttempts and AdvanceAttempts for every later version.
func AttemptsValues(a domain.Attempts) []any {
	args := append([]any{domain.Tenant, a.AccountID}, attemptsFields(a)...)
	if a.Version == 1 {
		return args
	}
	return append(args, a.Version-1)
}

// attemptsFields are arguments of all writes of a counter, in the order of
// their parameters.
func attemptsFields(a domain.Attempts) []any {
	return []any{string(a.Type), a.ID, a.Failures, domain.Micros(a.LockedUntil), a.Permanent,
		domain.MarshalTimes(a.Recent), domain.MarshalPending(a.Pending), a.MAC,
		domain.Micros(a.VerifiedAt), a.VerifiedBy, domain.MarshalDevices(a.Devices), a.LockStandsUntil()}
}

func (t secrets) DeleteAttempts(accountID string, ct domain.CredentialType) error {
	return run(t.db, sqlDeleteAttempts, domain.Tenant, accountID, string(ct))
}

func (t secrets) EachAttempts(fn func(domain.ListedLock) error) error {
	return walk(fn, func(last *domain.ListedLock) ([]domain.ListedLock, error) {
		var after *domain.Attempts
		if last != nil {
			after = &last.Counter
		}
		return attemptsAfter(t.db, scanLock, after, store.PageSize)
	})
}

func (t secrets) AttemptsAfter(last *domain.Attempts, limit int) ([]domain.Attempts, error) {
	return attemptsAfter(t.db, scanAttempts, last, limit)
}

func attemptsAfter[T any](db Engine, scan func(Row) T, last *domain.Attempts, limit int) ([]T, error) {
	if last == nil { // someone may have put a row with an empty id there
		return All(db, scan, sqlFirstAttempts, domain.Tenant, limit)
	}
	return All(db, scan, sqlEachAttempts, domain.Tenant, last.AccountID, string(last.Type), limit)
}
