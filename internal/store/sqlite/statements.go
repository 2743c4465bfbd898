package sqlite

import (
	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// texts are the statements that differ on SQLite.
var texts = sqltx.Texts{NoteCiphertext: sqlNoteCiphertext, CiphertextNoted: sqlCiphertextNoted, LockedAttempts: sqlLockedAttempts, CountEvents: sqlCountEvents, CountDeadLetters: sqlCountDeadLetters}

const (
	sqlNoteCiphertext = `
		INSERT INTO ciphertext_chunk (tenant, account_id, key_id, chunk, digests)
		SELECT $1, $2, $3, COALESCE(sum(length(c.digests)), 0) / 384, $4 FROM ciphertext_chunk c
		WHERE c.tenant = $1 AND c.account_id = $2 AND c.key_id = $3
		HAVING COALESCE(max(instr(c.digests, $4)), 0) = 0 AND NOT EXISTS (
			SELECT 1 FROM ciphertext o WHERE o.tenant = $1 AND o.account_id = $2 AND o.key_id = $3 AND o.digest = $5)
		ON CONFLICT (tenant, account_id, key_id, chunk) DO UPDATE
		SET digests = CAST(ciphertext_chunk.digests || excluded.digests AS BLOB)`

	sqlCiphertextNoted = `
		SELECT EXISTS (SELECT 1 FROM ciphertext_chunk
			WHERE tenant = $1 AND account_id = $2 AND key_id = $3 AND instr(digests, $4) > 0)
		OR EXISTS (SELECT 1 FROM ciphertext
			WHERE tenant = $1 AND account_id = $2 AND key_id = $3 AND digest = $5)`

	// The column finds candidates only: see LockedAttempts of sqltx. Without INDEXED BY
	// the planner takes the primary key, and reads every attempt counter.
	sqlLockedAttempts = `
		SELECT ` + sqltx.AttemptsColumns + `, locked_to FROM attempts INDEXED BY attempts_locked
		WHERE tenant = $1 AND (locked_to, account_id, type) > ($2, $3, $4) AND locked_to > 0
		ORDER BY locked_to, account_id, type LIMIT $5`

	// Up to the time of the n-th event, which limits how many are read.
	sqlCountEvents = `
		SELECT count(*) FROM outbox WHERE tenant = $1 AND time <= COALESCE((
			SELECT o.time FROM outbox o WHERE o.tenant = $1 ORDER BY o.time LIMIT 1 OFFSET $2), 9223372036854775807)`

	sqlCountDeadLetters = `
		SELECT count(*) FROM outbox_dead WHERE tenant = $1 AND dead_at <= COALESCE((
			SELECT o.dead_at FROM outbox_dead o WHERE o.tenant = $1 ORDER BY o.dead_at LIMIT 1 OFFSET $2), 9223372036854775807)`

	// One step of a walk over devices. DISTINCT would read every key of each. So
	// would ">": SQLite seeks a pair that is at least as great.
	sqlNextDevice = `
		SELECT device_id, account_id FROM device_key
		WHERE tenant = $1 AND (device_id, account_id) >= ($2, $3) AND length(device_id) > 0
		ORDER BY device_id, account_id LIMIT 1`

	sqlNextDeviceOf = `
		SELECT device_id FROM device_key
		WHERE tenant = $1 AND account_id = $2 AND device_id > $3 AND length(device_id) > 0
		ORDER BY device_id LIMIT 1`
)

// Devices is that of [store.Listings].
func (t *tx) Devices(prefix string, after domain.DevicePosition, limit int) ([]domain.DevicePosition, error) {
	if after.DeviceID < prefix {
		after = domain.DevicePosition{DeviceID: prefix} // the empty account is before all others
	}
	found, err := sqltx.Steps(after, limit, func(last domain.DevicePosition) (domain.DevicePosition, error) {
		return sqltx.One(t, sqltx.ScanDevice, sqlNextDevice, domain.Tenant, last.DeviceID, sqltx.TextAfter(last.AccountID))
	})
	return sqltx.WithPrefix(found, prefix, func(d domain.DevicePosition) string { return d.DeviceID }), err
}

// DevicesOf is that of [store.Listings].
func (t *tx) DevicesOf(accountID, after string, limit int) ([]string, error) {
	return sqltx.Steps(after, limit, func(last string) (string, error) {
		return sqltx.One(t, sqltx.Row.Text, sqlNextDeviceOf, domain.Tenant, accountID, last)
	})
}

// ActiveKey is the only read of a request for an existing key. It does not use
// [sqltx.One], which would cost three allocations.
func (t *tx) ActiveKey(accountID, deviceID string) (k domain.DeviceKey, err error) {
	found := false
	err = t.Query(func(r sqltx.Row) { k, found = sqltx.ScanKey(r), true }, sqltx.SelectActiveKey, domain.Tenant, accountID, deviceID)
	if err == nil && !found {
		err = store.ErrNotFound
	}
	return k, err
}
