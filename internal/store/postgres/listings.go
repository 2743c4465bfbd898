package postgres

import (
	"errors"
	"math"
	"slices"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

const (
	// A page of a walk over devices, which may stand in it as often as they have
	// keys: DISTINCT would read every key of each.
	sqlNextDevices = `
		SELECT device_id, account_id FROM device_key
		WHERE tenant = $1 AND (device_id, account_id) > ($2, $3) AND length(device_id) > 0
		ORDER BY device_id, account_id LIMIT $4`

	sqlNextDevicesOf = `
		SELECT device_id FROM device_key
		WHERE tenant = $1 AND account_id = $2 AND device_id > $3 AND length(device_id) > 0
		ORDER BY device_id LIMIT $4`

	sqlKeysOfDevice = `
		SELECT ` + keyColumns + ` FROM device_key k
		WHERE k.tenant = $1 AND k.account_id = $2 AND k.device_id = $3 AND length(k.device_id) > 0
		ORDER BY k.created_at DESC LIMIT $4`

	sqlCountActiveKeys = `
		SELECT count(*) FROM device_key
		WHERE tenant = $1 AND state = 'active' AND bits = $2 AND created_at > 0 AND created_at >= $3 AND created_at < $4`

	sqlKeyAgeAfter = `
		SELECT created_at FROM device_key
		WHERE tenant = $1 AND state = 'active' AND bits = $2 AND created_at > 0 AND created_at >= $3
		ORDER BY created_at LIMIT 1 OFFSET $4`

	sqlNextKeySize = `
		SELECT bits FROM device_key
		WHERE tenant = $1 AND state = 'active' AND bits > $2 AND created_at > 0
		ORDER BY bits LIMIT 1`

	accountColumns = `id, mode, issuer, subject, created_at`

	sqlAccountByID = `
		SELECT ` + accountColumns + ` FROM account WHERE tenant = $1 AND id = $2`

	sqlAccountsOf = `
		SELECT ` + accountColumns + ` FROM account
		WHERE tenant = $1 AND mode = $2 AND issuer = $3 AND subject >= $4
		ORDER BY subject LIMIT $5`

	sqlNextIssuer = `
		SELECT issuer FROM account
		WHERE tenant = $1 AND mode = $2 AND issuer > $3
		ORDER BY issuer LIMIT 1`

	// The column only leads to the ledgers: see store.ListLocks.
	sqlLockedAttempts = `
		SELECT ` + attemptsColumns + `, locked_to FROM attempts
		WHERE tenant = $1 AND (locked_to, account_id, type) > ($2, $3, $4) AND locked_to > 0
		ORDER BY locked_to, account_id, type LIMIT $5`

	// What the three ways into the trail by time have in common.
	inTime = ` FROM audit_log WHERE tenant = $1 AND time >= $2 AND (time, chain, seq) < ($3, $4, $5)`
	newest = ` ORDER BY time DESC, chain DESC, seq DESC LIMIT $6`

	sqlEntries = `
		SELECT ` + entryColumns + inTime + newest

	sqlEntriesOfAccount = `
		SELECT ` + entryColumns + inTime + ` AND account = $7 AND length(account) > 0` + newest

	// How far some of them reach, which the index alone tells, and those of a
	// request among them.
	sqlEntryBehind = `
		SELECT time, chain, seq` + inTime + ` ORDER BY time DESC, chain DESC, seq DESC LIMIT 1 OFFSET $6`

	sqlEntriesOfRequest = `
		SELECT ` + entryColumns + inTime + ` AND request_id = $7 AND (time, chain, seq) >= ($8, $9, $10)` + newest

	// The planner takes the index of rare events only where it reads the
	// condition that the index is made with.
	sqlEntriesOfEvent = `
		SELECT ` + entryColumns + inTime + ` AND event = $7 AND event NOT IN (` + frequentEvents + `)` + newest

	frequentEvents = `'credential.verified', 'credential.mismatch', 'operations.counted', 'refusals.counted',
		'key.issued', 'key.app_version', 'credential.set', 'chain.tied', 'audit.checkpoint', 'record.carried'`
)

func (t *tx) Devices(prefix string, after domain.DevicePosition, limit int) ([]domain.DevicePosition, error) {
	if after.DeviceID < prefix {
		after = domain.DevicePosition{DeviceID: prefix} // and no account, which none is before
	}
	found, err := distinct(after, limit, func(last domain.DevicePosition) ([]domain.DevicePosition, error) {
		return rows(t, scanDevice, sqlNextDevices, domain.Tenant, last.DeviceID, last.AccountID, limit)
	})
	return store.WithPrefix(found, prefix, func(d domain.DevicePosition) string { return d.DeviceID }), err
}

func scanDevice(r *cells) domain.DevicePosition {
	return domain.DevicePosition{DeviceID: r.text(), AccountID: r.text()}
}

func (t *tx) DevicesOf(accountID, after string, limit int) ([]string, error) {
	return distinct(after, limit, func(last string) ([]string, error) {
		return rows(t, (*cells).text, sqlNextDevicesOf, domain.Tenant, accountID, last, limit)
	})
}

// distinct reads pages of limit values, in order, each from past the last
// value of the one before, until it has limit different ones. So a value that
// stands there ten thousand times costs one page.
func distinct[T comparable](last T, limit int, page func(last T) ([]T, error)) (found []T, err error) {
	for {
		some, err := page(last)
		if err != nil {
			return nil, err
		}
		found = append(found, slices.Compact(some)...)
		if n := len(found); len(some) < limit || n >= limit {
			return found[:min(n, limit)], nil
		}
		last = found[len(found)-1]
	}
}

func (t *tx) KeysOfDevice(accountID, deviceID string, limit int) ([]domain.DeviceKey, error) {
	return rows(t, scanKey, sqlKeysOfDevice, domain.Tenant, accountID, deviceID, limit)
}

func (t *tx) CountActiveKeys(createdBefore time.Time, bits int) (int64, error) {
	nextSize := func(last int64) (int64, error) {
		return row(t, (*cells).integer, sqlNextKeySize, domain.Tenant, last)
	}
	partEnd := func(bits, from, keys int64) (int64, error) {
		return row(t, (*cells).integer, sqlKeyAgeAfter, domain.Tenant, bits, from, keys)
	}
	count := func(bits, from, to int64) (int64, error) {
		return row(t, (*cells).integer, sqlCountActiveKeys, domain.Tenant, bits, from, to)
	}
	return store.CountKeys(bits, createdBefore, nextSize, partEnd, count)
}

func (t *tx) AccountByID(id string) (domain.Account, error) {
	return row(t, scanAccount, sqlAccountByID, domain.Tenant, id)
}

func (t *tx) Accounts(mode domain.Mode, f domain.AccountFilter, after domain.Account, limit int) ([]domain.Account, error) {
	page := func(issuer, from string, limit int) ([]domain.Account, error) {
		return rows(t, scanAccount, sqlAccountsOf, domain.Tenant, string(mode), issuer, from, limit)
	}
	nextIssuer := func(last string) (string, error) {
		return row(t, (*cells).text, sqlNextIssuer, domain.Tenant, string(mode), last)
	}
	return store.ListAccounts(f, after, limit, page, nextIssuer)
}

func (t *tx) LockedAttempts(now time.Time, after domain.LockPosition, limit int) ([]domain.ListedLock, error) {
	return store.ListLocks(now, after, limit, func(after domain.LockPosition) ([]domain.ListedLock, error) {
		return rows(t, scanLock, sqlLockedAttempts, domain.Tenant, after.Until, after.AccountID, string(after.Type), limit)
	})
}

func scanLock(r *cells) (l domain.ListedLock) {
	l.Ledger = scanAttempts(r)
	l.At = domain.LockPosition{Until: r.integer(), AccountID: l.Ledger.AccountID, Type: l.Ledger.Type}
	return l
}

func (t *tx) Entries(from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error) {
	return rows(t, scanEntry, sqlEntries, entryRange(from, below, limit)...)
}

func (t *tx) EntriesOfAccount(account []byte, from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error) {
	return rows(t, scanEntry, sqlEntriesOfAccount, append(entryRange(from, below, limit), account)...)
}

func (t *tx) EntriesOfEvent(event domain.Event, from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error) {
	if !event.Rare() {
		return nil, errors.New("entries of this event are not indexed")
	}
	return rows(t, scanEntry, sqlEntriesOfEvent, append(entryRange(from, below, limit), string(event))...)
}

func (t *tx) EntriesOfRequest(requestID string, from time.Time, below domain.EntryPosition, examine, limit int) ([]domain.Entry, domain.EntryPosition, error) {
	return store.ListRequest(from, examine, limit, func(offset int) (domain.EntryPosition, error) {
		return row(t, scanEntryPosition, sqlEntryBehind, entryRange(from, below, offset)...)
	}, func(down domain.EntryPosition) ([]domain.Entry, error) {
		args := append(entryRange(down.Time, below, limit), requestID, domain.Micros(down.Time), down.Chain, down.Seq)
		return rows(t, scanEntry, sqlEntriesOfRequest, args...)
	})
}

func scanEntryPosition(r *cells) domain.EntryPosition {
	return domain.EntryPosition{Time: r.time(), Chain: r.text(), Seq: r.integer()}
}

// entryRange are the arguments that all ways into the trail begin with.
func entryRange(from time.Time, below domain.EntryPosition, limit int) []any {
	top := int64(math.MaxInt64)
	if below == (domain.EntryPosition{}) {
		below.Chain, below.Seq = store.LastText, math.MaxInt64
	} else {
		top = domain.Micros(below.Time)
	}
	return []any{domain.Tenant, domain.Micros(from), top, below.Chain, below.Seq, limit}
}
