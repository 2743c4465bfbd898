package postgres

import (
	"maps"
	"slices"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store/sqltx"
)

// texts are the statements that differ on PostgreSQL.
var texts = sqltx.Texts{NoteCiphertext: sqlNoteCiphertext, CiphertextNoted: sqlCiphertextNoted, LockedAttempts: sqlLockedAttempts, CountEvents: sqlCountEvents, CountDeadLetters: sqlCountDeadLetters}

const (
	sqlNoteCiphertext = `
		INSERT INTO ciphertext_chunk (tenant, account_id, key_id, chunk, digests)
		SELECT $1, $2, $3, CAST(floor(CAST(COALESCE(sum(length(c.digests)), 0) AS NUMERIC) / 512.0) AS BIGINT), $4::bytea FROM ciphertext_chunk c
		WHERE c.tenant = $1 AND c.account_id = $2 AND c.key_id = $3
		HAVING COALESCE(max(position($4::bytea IN c.digests)), 0) = 0 AND NOT EXISTS (
			SELECT 1 FROM ciphertext o WHERE o.tenant = $1 AND o.account_id = $2 AND o.key_id = $3 AND o.digest = $5)
		ON CONFLICT (tenant, account_id, key_id, chunk) DO UPDATE
		SET digests = ciphertext_chunk.digests || excluded.digests`

	sqlCiphertextNoted = `
		SELECT EXISTS (SELECT 1 FROM ciphertext_chunk
			WHERE tenant = $1 AND account_id = $2 AND key_id = $3 AND position($4::bytea IN digests) > 0)
		OR EXISTS (SELECT 1 FROM ciphertext
			WHERE tenant = $1 AND account_id = $2 AND key_id = $3 AND digest = $5)`

	// The column finds candidates only: see LockedAttempts of sqltx.
	sqlLockedAttempts = `
		SELECT ` + sqltx.AttemptsColumns + `, locked_to FROM attempts
		WHERE tenant = $1 AND (locked_to, account_id, type) > ($2, $3, $4) AND locked_to > 0
		ORDER BY locked_to, account_id, type LIMIT $5`

	sqlCountEvents = `
		SELECT count(*) FROM (SELECT 1 FROM outbox WHERE tenant = $1 ORDER BY time LIMIT $2) AS counted`

	sqlCountDeadLetters = `
		SELECT count(*) FROM (SELECT 1 FROM outbox_dead WHERE tenant = $1 AND dead_at > 0 ORDER BY dead_at LIMIT $2) AS counted`

	// A page of a walk over devices, in which a device can occur once for each of
	// its keys. DISTINCT would read every key of each.
	sqlNextDevices = `
		SELECT device_id, account_id FROM device_key
		WHERE tenant = $1 AND (device_id, account_id) > ($2, $3) AND length(device_id) > 0
		ORDER BY device_id, account_id LIMIT $4`

	sqlNextDevicesOf = `
		SELECT device_id FROM device_key
		WHERE tenant = $1 AND account_id = $2 AND device_id > $3 AND length(device_id) > 0
		ORDER BY device_id LIMIT $4`

	// The names of at most $3 chains from $2 on. Each step is one descent into the
	// primary key. DISTINCT would read every entry of every chain.
	sqlChains = `
		WITH RECURSIVE c (name, number) AS (
			(SELECT chain, 1 FROM audit_log WHERE tenant = $1 AND chain >= $2 ORDER BY chain LIMIT 1)
			UNION ALL
			SELECT (SELECT chain FROM audit_log WHERE tenant = $1 AND chain > c.name ORDER BY chain LIMIT 1), c.number + 1
			FROM c WHERE c.name IS NOT NULL AND c.number < $3)
		SELECT name FROM c WHERE name IS NOT NULL ORDER BY name`

	// The newest entry of each chain of a table c (name).
	sqlHeadOfEach = `
		CROSS JOIN LATERAL (SELECT * FROM audit_log WHERE tenant = $1 AND chain = c.name ORDER BY seq DESC LIMIT 1) AS e`

	// The newest verdict of each chain c.
	newestVerdict = `
		CROSS JOIN LATERAL (SELECT * FROM audit_verdict WHERE chain = c.number ORDER BY seq DESC LIMIT 1) AS v`

	// The hashes of the entries at several positions, and their next entries. One statement
	// reads them all: each reference to audit_verdict opens every partition. Why seq >=: see
	// sqlHashOfEntry.
	sqlHashesAt = `
		SELECT CAST(p.place AS BIGINT), f.seq, f.hash
		FROM unnest(CAST($2 AS TEXT[]), CAST($3 AS BIGINT[])) WITH ORDINALITY AS p (chain, seq, place)
		CROSS JOIN LATERAL (
			(SELECT CAST(v.seq AS BIGINT) AS seq, v.hash FROM audit_verdict v
				WHERE v.chain = (SELECT n.number FROM audit_chain n WHERE n.tenant = $1 AND n.name = p.chain) AND v.seq >= p.seq
				ORDER BY v.seq LIMIT 2)
			UNION ALL
			(SELECT l.seq, l.hash FROM audit_log l
				WHERE l.tenant = $1 AND l.chain = p.chain AND l.seq >= p.seq ORDER BY l.seq LIMIT 2)) AS f`

	sqlHeads = `
		SELECT ` + sqltx.EntryColumns + ` FROM (` + sqlChains + `) AS c (name)` + sqlHeadOfEach + ` ORDER BY chain`

	sqlVerdictHeads = `
		SELECT ` + sqltx.VerdictColumns + ` FROM (
			SELECT tenant, name, number FROM audit_chain WHERE tenant = $1 AND name >= $2 AND name <= $3) AS c` + newestVerdict

	// Without the inner ORDER BY, a planner that knows nothing of the table yet takes
	// the primary key, and reads the whole trail.
	movedEntries = `
			SELECT DISTINCT chain FROM (
				SELECT chain FROM audit_log WHERE tenant = $1 AND time >= $2 ORDER BY time, chain, seq) AS lately`

	// The chains with entries or verdicts since the time $2, which is in the second $3.
	movedChains = movedEntries + `
			UNION SELECT n.name FROM (
				SELECT DISTINCT chain FROM (
					SELECT chain FROM audit_verdict WHERE second >= $3 ORDER BY second) AS lately) AS d
				JOIN audit_chain n ON n.tenant = $1 AND n.number = d.chain`

	sqlHeadsSince = `
		SELECT ` + sqltx.EntryColumns + ` FROM (` + movedChains + `) AS c (name)` + sqlHeadOfEach

	sqlVerdictHeadsSince = `
		SELECT ` + sqltx.VerdictColumns + ` FROM (` + movedChains + `) AS m (name) JOIN audit_chain c ON c.tenant = $1 AND c.name = m.name` + newestVerdict

	sqlEntryHeadsSince = `
		SELECT ` + sqltx.EntryColumns + ` FROM (` + movedEntries + `) AS c (name)` + sqlHeadOfEach + ` WHERE time >= $2 ORDER BY chain`
)

// chainsAtOnce bounds how many chains a statement reads, so that it ends long
// before the limit of a statement.
const chainsAtOnce = 10_000

// HashesAt is that of [store.Trail], by one statement.
func (t *tx) HashesAt(positions []domain.EntryPosition) (hashes [][]byte, newer []bool, err error) {
	if t.s.citus != nil || len(positions) == 0 {
		return t.Tx.HashesAt(positions)
	}
	chains, seqs := make([]string, len(positions)), make([]int64, len(positions))
	for i, p := range positions {
		chains[i], seqs[i] = p.Chain, p.Seq
	}
	f := sqltx.NewFoundAt(positions)
	err = t.Query(func(r sqltx.Row) {
		if i := r.Integer() - 1; i >= 0 && i < int64(len(positions)) {
			f.Add(int(i), r)
		}
	}, sqlHashesAt, domain.Tenant, chains, seqs)
	return f.Hashes, f.Newer, err
}

// chains is Chains of [store.Trail], in one round trip.
func (t *tx) chains() (chains []string, err error) {
	err = eachPage(func(from string) (last string, n int, err error) {
		var page []string
		reads := []sqltx.Read{{Each: func(r sqltx.Row) { page = append(page, r.Text()) }, Query: sqlChains, Args: []any{domain.Tenant, from, chainsAtOnce}}}
		if from == "" {
			reads = append(reads, sqltx.Read{Each: func(r sqltx.Row) { chains = append(chains, r.Text()) }, Query: sqltx.ChainsOfVerdicts, Args: []any{domain.Tenant}})
		}
		if err := t.Together(reads...); err != nil {
			return "", 0, err
		}
		if chains = append(chains, page...); len(page) > 0 {
			last = page[len(page)-1]
		}
		return last, len(page), nil
	})
	slices.Sort(chains)
	return chains, err
}

// heads is Heads of [store.Trail], of all chains, in two round trips.
func (t *tx) heads() ([]domain.Entry, error) {
	newest := map[string]domain.Entry{}
	err := eachPage(func(first string) (last string, n int, err error) {
		page, err := sqltx.All(t, sqltx.ScanEntry, sqlHeads, domain.Tenant, first, chainsAtOnce)
		if err != nil || len(page) == 0 {
			return "", 0, err
		}
		last = page[len(page)-1].Chain
		verdicts, err := sqltx.All(t, sqltx.ScanVerdict, sqlVerdictHeads, domain.Tenant, first, last)
		for _, e := range page {
			keepNewest(newest, e)
		}
		for _, e := range verdicts {
			keepNewestOfKnown(newest, e)
		}
		return last, len(page), err
	})
	return byChain(newest), err
}

// headsSince is Heads of [store.Trail], of the chains that moved, in one round trip.
func (t *tx) headsSince(since time.Time) ([]domain.Entry, error) {
	newest := map[string]domain.Entry{}
	args := []any{domain.Tenant, domain.Micros(since), sqltx.VerdictSecond(since)}
	err := t.Together(
		sqltx.Read{Each: func(r sqltx.Row) { keepNewest(newest, sqltx.ScanEntry(r)) }, Query: sqlHeadsSince, Args: args},
		sqltx.Read{Each: func(r sqltx.Row) { keepNewestOfKnown(newest, sqltx.ScanVerdict(r)) }, Query: sqlVerdictHeadsSince, Args: args})
	return slices.DeleteFunc(byChain(newest), func(e domain.Entry) bool { return e.Time.Before(since) }), err
}

func keepNewest(newest map[string]domain.Entry, e domain.Entry) {
	if is, there := newest[e.Chain]; !there || is.Seq < e.Seq {
		newest[e.Chain] = e
	}
}

// keepNewestOfKnown leaves out chains that have no entry in audit_log: they were forged.
func keepNewestOfKnown(newest map[string]domain.Entry, e domain.Entry) {
	if _, there := newest[e.Chain]; there {
		keepNewest(newest, e)
	}
}

func byChain(newest map[string]domain.Entry) (heads []domain.Entry) {
	for _, chain := range slices.Sorted(maps.Keys(newest)) {
		heads = append(heads, newest[chain])
	}
	return heads
}

// eachPage reads pages of chains until one is not full.
func eachPage(read func(from string) (last string, n int, err error)) error {
	for from := ""; ; {
		last, n, err := read(from)
		if err != nil || n < chainsAtOnce {
			return err
		}
		from = sqltx.TextAfter(last)
	}
}

// Devices is that of [store.Listings].
func (t *tx) Devices(prefix string, after domain.DevicePosition, limit int) ([]domain.DevicePosition, error) {
	if after.DeviceID < prefix {
		after = domain.DevicePosition{DeviceID: prefix} // the empty account is before all others
	}
	found, err := distinct(after, limit, func(last domain.DevicePosition) ([]domain.DevicePosition, error) {
		return sqltx.All(t, sqltx.ScanDevice, sqlNextDevices, domain.Tenant, last.DeviceID, last.AccountID, limit)
	})
	return sqltx.WithPrefix(found, prefix, func(d domain.DevicePosition) string { return d.DeviceID }), err
}

// DevicesOf is that of [store.Listings].
func (t *tx) DevicesOf(accountID, after string, limit int) ([]string, error) {
	return distinct(after, limit, func(last string) ([]string, error) {
		return sqltx.All(t, sqltx.Row.Text, sqlNextDevicesOf, domain.Tenant, accountID, last, limit)
	})
}

// distinct reads pages of limit values, in order, each page from past the last
// value of the one before, until it has limit different values. So a value that
// occurs ten thousand times costs one page.
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
