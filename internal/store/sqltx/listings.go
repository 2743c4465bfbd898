package sqltx

import (
	"errors"
	"math"
	"slices"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

const (
	// sqlKeysOfDevice reads the newest keys by tenant, account, device and number.
	sqlKeysOfDevice = `
		SELECT ` + keyColumns + ` FROM device_key k
		WHERE k.tenant = $1 AND k.account_id = $2 AND k.device_id = $3 AND length(k.device_id) > 0
		ORDER BY k.created_at DESC LIMIT $4`

	sqlShownKeys = `
		SELECT ` + keyColumns + `, COALESCE((SELECT u.used_at FROM key_use u
			WHERE u.tenant = k.tenant AND u.account_id = k.account_id AND u.key_id = k.id), 0) FROM device_key k
		WHERE k.tenant = $1 AND k.account_id = $2 AND k.device_id = $3 AND length(k.device_id) > 0 AND ($5 = '' OR k.id = $5)
		ORDER BY k.created_at DESC LIMIT $4`

	sqlCountActiveKeys = `
		SELECT count(*) FROM (SELECT 1 FROM device_key
			WHERE tenant = $1 AND state = 'active' AND bits = $2 AND created_at > 0 AND created_at >= $3 AND created_at < $4
			ORDER BY created_at LIMIT $5) AS k`

	sqlKeyAgeAfter = `
		SELECT created_at FROM device_key
		WHERE tenant = $1 AND state = 'active' AND bits = $2 AND created_at > 0 AND created_at >= $3
		ORDER BY created_at LIMIT 1 OFFSET $4`

	sqlNextKeySize = `
		SELECT bits FROM device_key
		WHERE tenant = $1 AND state = 'active' AND bits > $2 AND created_at > 0
		ORDER BY bits LIMIT 1`

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

	// What the searches of the trail by time have in common.
	inTime = ` FROM audit_log WHERE tenant = $1 AND time >= $2 AND (time, chain, seq) < ($3, $4, $5)`
	newest = ` ORDER BY time DESC, chain DESC, seq DESC LIMIT $6`

	sqlEntries = `
		SELECT ` + EntryColumns + inTime + newest

	sqlOldest = `
		SELECT time FROM audit_log WHERE tenant = $1 ORDER BY time, chain, seq LIMIT 1`

	sqlEntriesOfAccount = `
		SELECT ` + EntryColumns + inTime + ` AND account = $7 AND length(account) > 0` + newest

	// Where a part of the entries ends, by the index alone, and the entries of a
	// request in that part.
	sqlEntryBehind = `
		SELECT time, chain, seq` + inTime + ` ORDER BY time DESC, chain DESC, seq DESC LIMIT 1 OFFSET $6`

	sqlEntriesOfRequest = `
		SELECT ` + EntryColumns + inTime + ` AND request_id = $7 AND (time, chain, seq) >= ($8, $9, $10)` + newest

	// The planner uses the index of rare events only if the statement has the
	// condition of that index.
	sqlEntriesOfEvent = `
		SELECT ` + EntryColumns + inTime + ` AND event = $7 AND event NOT IN (` + frequentEvents + `)` + newest

	frequentEvents = `'credential.verified', 'credential.mismatch', 'operations.counted', 'refusals.counted',
		'key.issued', 'key.app_version', 'credential.set', 'chain.tied', 'audit.checkpoint', 'record.carried'`
)

// ScanDevice reads a device and its account.
func ScanDevice(r Row) domain.DevicePosition {
	return domain.DevicePosition{DeviceID: r.Text(), AccountID: r.Text()}
}

func (t lists) ShowDevices(at []domain.DevicePosition, keyID string, limit int) ([]store.ShownDevice, error) {
	all, reads := make([]store.ShownDevice, len(at)), make([]Read, 0, 2*len(at))
	for i, d := range at {
		key := func(r Row) {
			all[i].Keys = append(all[i].Keys, ScanKey(r))
			all[i].Used = append(all[i].Used, r.Time())
		}
		reads = append(reads, Read{first(&all[i].Account, scanAccount), sqlAccountByID, []any{domain.Tenant, d.AccountID}},
			Read{key, sqlShownKeys, []any{domain.Tenant, d.AccountID, d.DeviceID, limit, keyID}})
	}
	return all, together(t.db, reads...)
}

// CountActiveKeys counts by modulus size, of which there are few, so that it reads no
// key that does not count. It counts each size in parts, so that no statement takes
// long.
func (t lists) CountActiveKeys(createdBefore time.Time, bits int, most int64) (n int64, err error) {
	sizes := []int64{int64(bits)}
	if bits == 0 {
		sizes, err = Steps(math.MinInt64, math.MaxInt, func(last int64) (int64, error) {
			return One(t.db, Row.Integer, sqlNextKeySize, domain.Tenant, last)
		})
		if err != nil {
			return 0, err
		}
	}
	end := domain.Micros(createdBefore)
	for _, size := range sizes {
		for from := int64(1); from < end && n < most; {
			to := end
			if most-n > keysInPart {
				switch next, err := One(t.db, Row.Integer, sqlKeyAgeAfter, domain.Tenant, size, from, int64(keysInPart)); {
				case err == nil:
					to = min(max(next, from+1), end)
				case !errors.Is(err, store.ErrNotFound):
					return 0, err
				}
			}
			some, err := One(t.db, Row.Integer, sqlCountActiveKeys, domain.Tenant, size, from, to, most-n)
			if err != nil {
				return 0, err
			}
			n, from = n+some, to
		}
	}
	return n, nil
}

// keysInPart is how many keys a PostgreSQL without VACUUM counts in well under a
// second.
const keysInPart = 200_000

func (t lists) AccountByID(id string) (domain.Account, error) {
	return One(t.db, scanAccount, sqlAccountByID, domain.Tenant, id)
}

func (t lists) AccountsByID(ids []string) ([]*domain.Account, error) {
	all, reads := make([]*domain.Account, len(ids)), make([]Read, len(ids))
	for i, id := range ids {
		reads[i] = Read{first(&all[i], scanAccount), sqlAccountByID, []any{domain.Tenant, id}}
	}
	return all, together(t.db, reads...)
}

// Accounts goes from issuer to issuer, of which there are few, so that it reads no
// account of another issuer or subject.
func (t lists) Accounts(mode domain.Mode, f domain.AccountFilter, after domain.Account, limit int) (found []domain.Account, err error) {
	if f.Issuer != "" && f.Issuer < after.Issuer {
		return nil, nil
	}
	first := max(f.Prefix, f.Subject)
	at, from := after.Issuer, max(first, TextAfter(after.Subject))
	if f.Issuer > at {
		at, from = f.Issuer, first
	}
	for {
		want := limit - len(found)
		if f.Subject != "" {
			want = 1 // an issuer has at most one account of a name
		}
		some, err := All(t.db, scanAccount, sqlAccountsOf, domain.Tenant, string(mode), at, from, want)
		if err != nil {
			return nil, err
		}
		some = WithPrefix(some, first, func(a domain.Account) string { return a.Subject })
		found = append(found, slices.DeleteFunc(some, func(a domain.Account) bool { return f.Subject != "" && a.Subject != f.Subject })...)
		if f.Issuer != "" || len(found) == limit {
			return found, nil
		}
		at, err = One(t.db, Row.Text, sqlNextIssuer, domain.Tenant, string(mode), at)
		if errors.Is(err, store.ErrNotFound) {
			return found, nil
		}
		if err != nil {
			return nil, err
		}
		from = first
	}
}

// LockedAttempts finds candidates by the column with the time when the last lock of a
// counter ends. The counter itself decides, because the column may name a lock that is
// gone.
func (t lists) LockedAttempts(now time.Time, after domain.LockPosition, limit int) (found []domain.ListedLock, err error) {
	from := domain.Micros(now)
	if after.Until <= from {
		after = domain.LockPosition{Until: from + 1} // the empty account is before all others
	}
	for {
		some, err := All(t.db, scanLock, t.texts.LockedAttempts, domain.Tenant, after.Until, after.AccountID, string(after.Type), limit)
		if err != nil {
			return nil, err
		}
		for _, l := range some {
			if l.Counter.LockStandsUntil() > from && len(found) < limit {
				found = append(found, l)
			}
		}
		if len(some) < limit || len(found) == limit {
			return found, nil
		}
		after = some[len(some)-1].At
	}
}

func scanLock(r Row) (l domain.ListedLock) {
	l.Counter = scanAttempts(r)
	l.At = domain.LockPosition{Until: r.Integer(), AccountID: l.Counter.AccountID, Type: l.Counter.Type}
	return l
}

func (t lists) Entries(from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error) {
	return t.newest(limit, sqlEntries, entryRange(from, below, limit), sqlVerdicts, verdictRange(from, below, limit))
}

var errNotIndexed = errors.New("entries of this event are not indexed")

// newest reads entries from both tables, and returns the newest of them.
func (t lists) newest(limit int, entries string, args []any, verdicts string, verdictArgs []any) (found []domain.Entry, err error) {
	reads := []Read{{func(r Row) { found = append(found, ScanEntry(r)) }, entries, args}}
	if !t.verdicts.Hidden {
		reads = append(reads, Read{func(r Row) { found = append(found, ScanVerdict(r)) }, verdicts, verdictArgs})
	}
	if err := together(t.db, reads...); err != nil {
		return nil, err
	}
	slices.SortFunc(found, func(a, b domain.Entry) int { return b.Position().Compare(a.Position()) })
	return found[:min(len(found), limit)], nil
}

func (t lists) Oldest() (oldest time.Time, err error) {
	none := true
	note := func(at time.Time) {
		if none || at.Before(oldest) {
			oldest, none = at, false
		}
	}
	reads := []Read{{func(r Row) { note(r.Time()) }, sqlOldest, []any{domain.Tenant}}}
	if !t.verdicts.Hidden {
		reads = append(reads, Read{func(r Row) { note(scanVerdictTime(r)) }, sqlOldestVerdict, []any{int64(math.MinInt64)}})
	}
	if err = together(t.db, reads...); err == nil && none {
		err = store.ErrNotFound
	}
	return oldest, err
}

func (t lists) EntriesOfAccount(account []byte, from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error) {
	args, verdicts := append(entryRange(from, below, limit), account), append(verdictRange(from, below, limit), accountPrefix(account))
	if len(account) != accountBytes {
		return All(t.db, ScanEntry, sqlEntriesOfAccount, args...)
	}
	return t.newest(limit, sqlEntriesOfAccount, args, sqlVerdictsOfAccount, append(verdicts, account[prefixBytes:]))
}

func (t lists) EntriesOfEvent(event domain.Event, from time.Time, below domain.EntryPosition, limit int) ([]domain.Entry, error) {
	if !event.Rare() {
		return nil, errNotIndexed
	}
	return All(t.db, ScanEntry, sqlEntriesOfEvent, append(entryRange(from, below, limit), string(event))...)
}

func (t lists) NewestOfEvents(events []domain.Event, limit int) (all []domain.Entry, err error) {
	reads := make([]Read, len(events))
	for i, event := range events {
		if !event.Rare() {
			return nil, errNotIndexed
		}
		args := append(entryRange(time.Time{}, domain.EntryPosition{}, limit), string(event))
		reads[i] = Read{func(r Row) { all = append(all, ScanEntry(r)) }, sqlEntriesOfEvent, args}
	}
	err = together(t.db, reads...)
	return all, err
}

func (t lists) EntriesOfRequest(requestID string, from time.Time, below domain.EntryPosition, examine, limit int) (found []domain.Entry, down domain.EntryPosition, err error) {
	down, err = t.behind(from, below, examine-1)
	lowest := down
	switch {
	case errors.Is(err, store.ErrNotFound):
		lowest = domain.EntryPosition{Time: from, Seq: math.MinInt64}
	case err != nil:
		return nil, down, err
	}
	if found, err = t.ofRequest(requestID, lowest, below, limit); err != nil {
		return nil, down, err
	}
	if len(found) == limit { // there may be more of them before down
		down = found[limit-1].Position()
	}
	return found, down, nil
}

// ofRequest returns the newest entries of a request below one position and down to
// another.
func (t lists) ofRequest(requestID string, down, below domain.EntryPosition, limit int) ([]domain.Entry, error) {
	args := append(entryRange(down.Time, below, limit), requestID, domain.Micros(down.Time), down.Chain, down.Seq)
	id, ok := domain.ParseID(requestID)
	if !ok {
		return All(t.db, ScanEntry, sqlEntriesOfRequest, args...)
	}
	second, micros := verdictTime(domain.Micros(down.Time))
	return t.newest(limit, sqlEntriesOfRequest, args, sqlVerdictsOfRequest,
		append(verdictRange(down.Time, below, limit), id[:], second, micros, down.Chain, down.Seq))
}

// behind returns the position that has offset entries of one of the tables between
// below and itself, and no more of the other. It returns [store.ErrNotFound] if
// neither table has as many.
func (t lists) behind(from time.Time, below domain.EntryPosition, offset int) (at domain.EntryPosition, err error) {
	none := true
	note := func(p domain.EntryPosition) {
		if none || p.Compare(at) > 0 {
			at, none = p, false
		}
	}
	reads := []Read{{func(r Row) { note(scanEntryPosition(r)) }, sqlEntryBehind, entryRange(from, below, offset)}}
	if !t.verdicts.Hidden {
		reads = append(reads, Read{func(r Row) { note(scanVerdictPosition(r)) }, sqlVerdictBehind, verdictRange(from, below, offset)})
	}
	if err = together(t.db, reads...); err == nil && none {
		err = store.ErrNotFound
	}
	return at, err
}

func scanVerdictTime(r Row) time.Time {
	second, micros := r.Integer(), r.Integer()
	return domain.FromMicros((second+verdictEpoch)*1_000_000 + micros)
}

func scanVerdictPosition(r Row) domain.EntryPosition {
	return domain.EntryPosition{Time: scanVerdictTime(r), Chain: r.Text(), Seq: r.Integer()}
}

func scanEntryPosition(r Row) domain.EntryPosition {
	return domain.EntryPosition{Time: r.Time(), Chain: r.Text(), Seq: r.Integer()}
}

// entryRange are the first arguments of all searches of the trail.
func entryRange(from time.Time, below domain.EntryPosition, limit int) []any {
	top := int64(math.MaxInt64)
	if below == (domain.EntryPosition{}) {
		below.Chain, below.Seq = lastText, math.MaxInt64
	} else {
		top = domain.Micros(below.Time)
	}
	return []any{domain.Tenant, domain.Micros(from), top, below.Chain, below.Seq, limit}
}
