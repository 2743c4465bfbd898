package sqltx

import (
	"errors"
	"fmt"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

const (
	keyColumns = `k.id, k.account_id, k.device_id, k.state, k.version, k.algorithm, k.bits, k.app_version,
		k.created_at, k.expires_at, k.ended_at, k.grace_until, k.mac, k.public_key, k.sealed, k.jkt`

	sqlKey = `
		SELECT ` + keyColumns + ` FROM device_key k WHERE k.tenant = $1 AND k.id = $2
		AND k.account_id = (SELECT a.account_id FROM key_account a WHERE a.tenant = $1 AND a.key_id = $2)`

	// sqlKeyOf reads a key by tenant, account and id.
	sqlKeyOf = `
		SELECT ` + keyColumns + ` FROM device_key k WHERE k.tenant = $1 AND k.account_id = $2 AND k.id = $3`

	// SelectActiveKey reads the active key by tenant, account and device.
	SelectActiveKey = `
		SELECT ` + keyColumns + ` FROM device_key k
		WHERE k.tenant = $1 AND k.account_id = $2 AND k.device_id = $3 AND k.state = 'active'`

	sqlInsertKey = `
		INSERT INTO device_key (tenant, account_id, id, device_id, state, version, algorithm, bits, app_version,
			created_at, expires_at, ended_at, grace_until, mac, public_key, sealed, jkt)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
		ON CONFLICT DO NOTHING`

	// It conflicts when another account has a key of this id.
	sqlInsertKeyAccount = `
		INSERT INTO key_account (tenant, key_id, account_id) VALUES ($1, $2, $3)
		ON CONFLICT (tenant, key_id) DO NOTHING`

	sqlUpdateKey = `
		UPDATE device_key
		SET sealed = $5, app_version = $6, state = $7, version = $4 + 1, ended_at = $8, grace_until = $9, mac = $10, jkt = $11
		WHERE tenant = $1 AND account_id = $2 AND id = $3 AND version = $4`

	guardedInsertKey        = guard + sqlInsertKey + guarded
	guardedInsertKeyAccount = guard + sqlInsertKeyAccount + guarded
	guardedUpdateKey        = guard + sqlUpdateKey + guarded

	// sqlKeysInGrace reads keys by tenant, account and device.
	sqlKeysInGrace = `
		SELECT ` + keyColumns + ` FROM device_key k
		WHERE k.tenant = $1 AND k.account_id = $2 AND k.device_id = $3 AND k.state <> 'active' AND length(k.sealed) > 0`

	sqlKeysExpired = `
		SELECT ` + keyColumns + ` FROM device_key k
		WHERE k.tenant = $1 AND k.state = 'active' AND k.expires_at > 0 AND k.expires_at <= $2
		ORDER BY k.expires_at LIMIT $3`

	sqlKeysToErase = `
		SELECT ` + keyColumns + ` FROM device_key k
		WHERE k.tenant = $1 AND k.state <> 'active' AND length(k.sealed) > 0 AND k.grace_until <= $2
		ORDER BY k.grace_until LIMIT $3`

	sqlLiveKeysOf = `
		SELECT ` + keyColumns + ` FROM device_key k
		WHERE k.tenant = $1 AND k.account_id = $2 AND (k.state = 'active' OR length(k.sealed) > 0)
		ORDER BY k.id LIMIT $3`

	sqlKeysOf = `
		SELECT ` + keyColumns + ` FROM device_key k WHERE k.tenant = $1 AND k.account_id = $2
		ORDER BY k.id LIMIT $3`

	sqlKeysWithAccount = `
		SELECT k.account_id, k.id, EXISTS (SELECT 1 FROM account a WHERE a.tenant = k.tenant AND a.id = k.account_id)
		FROM device_key k WHERE k.tenant = $1 AND (k.account_id, k.id) > ($2, $3)
		ORDER BY k.account_id, k.id LIMIT $4`

	// This row is deleted first: on SQLite it has a foreign key to the row of the
	// key.
	sqlDeleteKeyAccount = `
		DELETE FROM key_account WHERE tenant = $1 AND key_id = $3 AND account_id = $2`

	sqlDeleteKey = `
		DELETE FROM device_key WHERE tenant = $1 AND account_id = $2 AND id = $3`

	sqlNthActiveKey = `
		SELECT k.device_id FROM device_key k WHERE k.tenant = $1 AND k.account_id = $2 AND k.state = 'active'
		ORDER BY k.device_id LIMIT 1 OFFSET $3`

	sqlEachKey = `
		SELECT ` + keyColumns + ` FROM device_key k
		WHERE k.tenant = $1 AND (k.account_id, k.id) > ($2, $3)
		ORDER BY k.account_id, k.id LIMIT $4`

	sqlFirstKeys = `
		SELECT ` + keyColumns + ` FROM device_key k WHERE k.tenant = $1 ORDER BY k.account_id, k.id LIMIT $2`
)

func (t secrets) Key(id string) (domain.DeviceKey, error) {
	return One(t.db, ScanKey, sqlKey, domain.Tenant, id)
}

func (t secrets) KeyOf(accountID, id string) (domain.DeviceKey, error) {
	return One(t.db, ScanKey, sqlKeyOf, domain.Tenant, accountID, id)
}

func (t secrets) ActiveKey(accountID, deviceID string) (domain.DeviceKey, error) {
	return One(t.db, ScanKey, SelectActiveKey, domain.Tenant, accountID, deviceID)
}

func (t secrets) NewestKey(accountID, deviceID string) (domain.DeviceKey, error) {
	return One(t.db, ScanKey, sqlKeysOfDevice, domain.Tenant, accountID, deviceID, 1)
}

// ScanKey reads a key.
func ScanKey(r Row) domain.DeviceKey {
	return domain.DeviceKey{
		ID: r.Text(), AccountID: r.Text(), DeviceID: r.Text(), State: domain.KeyState(r.Text()), Version: r.Integer(),
		Algorithm: r.Text(), Bits: int(r.Integer()), AppVersion: r.Text(),
		CreatedAt: r.Time(), ExpiresAt: r.Time(), EndedAt: r.Time(), GraceUntil: r.Time(),
		MAC: r.Blob(), PublicKey: UnpackPublicKey(r.Blob()), Sealed: r.Blob(), Thumbprint: r.Text(),
	}
}

func (t secrets) InsertKey(k domain.DeviceKey) error {
	err := write(t.db, Write{Query: sqlInsertKey, Guarded: guardedInsertKey, Args: []any{domain.Tenant, k.AccountID, k.ID, k.DeviceID, string(k.State), k.Version,
		k.Algorithm, k.Bits, k.AppVersion, domain.Micros(k.CreatedAt), domain.Micros(k.ExpiresAt),
		domain.Micros(k.EndedAt), domain.Micros(k.GraceUntil), k.MAC, k.PublicKey, k.Sealed, k.Thumbprint}})
	if err != nil {
		return err
	}
	return write(t.db, Write{Query: sqlInsertKeyAccount, Guarded: guardedInsertKeyAccount, Args: []any{domain.Tenant, k.ID, k.AccountID}})
}

func (t secrets) UpdateKey(k domain.DeviceKey) error {
	return write(t.db, Write{Query: sqlUpdateKey, Guarded: guardedUpdateKey, Args: []any{domain.Tenant, k.AccountID, k.ID, k.Version - 1,
		k.Sealed, k.AppVersion, string(k.State), domain.Micros(k.EndedAt), domain.Micros(k.GraceUntil), k.MAC, k.Thumbprint}})
}

func (t secrets) KeysToEnd(now time.Time, limit int) ([]domain.DeviceKey, error) {
	var all []domain.DeviceKey
	each, args := func(r Row) { all = append(all, ScanKey(r)) }, []any{domain.Tenant, domain.Micros(now), limit}
	if err := together(t.db, Read{each, sqlKeysExpired, args}, Read{each, sqlKeysToErase, args}); err != nil {
		return nil, fmt.Errorf("finding keys to end: %w", err)
	}
	return all[:min(len(all), limit)], nil
}

func (t secrets) KeysInGrace(accountID, deviceID string) ([]domain.DeviceKey, error) {
	return All(t.db, ScanKey, sqlKeysInGrace, domain.Tenant, accountID, deviceID)
}

func (t secrets) LiveKeysOf(accountID string, limit int) ([]domain.DeviceKey, error) {
	return All(t.db, ScanKey, sqlLiveKeysOf, domain.Tenant, accountID, limit)
}

func (t secrets) KeysOf(accountID string, limit int) ([]domain.DeviceKey, error) {
	return All(t.db, ScanKey, sqlKeysOf, domain.Tenant, accountID, limit)
}

func (t secrets) KeysWithoutAccount(after [2]string, limit int) (without [][2]string, last [2]string, err error) {
	looked := 0
	err = t.db.Query(func(r Row) {
		looked, last = looked+1, scanPair(r)
		if has, valid := r.Flag(); valid && !has {
			without = append(without, last)
		}
	}, sqlKeysWithAccount, domain.Tenant, after[0], after[1], limit)
	if looked < limit {
		last = [2]string{}
	}
	return without, last, err
}

func (t secrets) DeleteKey(accountID, id string) error {
	if err := run(t.db, sqlDeleteKeyAccount, domain.Tenant, accountID, id); err != nil {
		return err
	}
	return run(t.db, sqlDeleteKey, domain.Tenant, accountID, id)
}

func (t secrets) HasActiveKeys(accountID string, n int) (bool, error) {
	_, err := One(t.db, Row.Text, sqlNthActiveKey, domain.Tenant, accountID, n-1)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

func (t secrets) EachKey(fn func(domain.DeviceKey) error) error {
	return walk(fn, func(last *domain.DeviceKey) ([]domain.DeviceKey, error) { return t.KeysAfter(last, store.PageSize) })
}

func (t secrets) KeysAfter(last *domain.DeviceKey, limit int) ([]domain.DeviceKey, error) {
	if last == nil { // someone may have put a row with an empty id there
		return All(t.db, ScanKey, sqlFirstKeys, domain.Tenant, limit)
	}
	return All(t.db, ScanKey, sqlEachKey, domain.Tenant, last.AccountID, last.ID, limit)
}
