package sqlite

import (
	"math"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

const (
	entryColumns = `chain, seq, time, request_id, actor, event, outcome, operation, failed, count, duration, key_id,
		account, device, record, version, before, digest, reason, prev, hash`

	sqlLastEntry = `
		SELECT ` + entryColumns + ` FROM audit_log WHERE tenant = ?1 AND chain = ?2 ORDER BY seq DESC LIMIT 1`

	sqlInsertEntry = `
		INSERT INTO audit_log (tenant, ` + entryColumns + `)
		VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)
		ON CONFLICT (tenant, chain, seq) DO NOTHING`

	sqlEachEntry = `
		SELECT ` + entryColumns + ` FROM audit_log
		WHERE tenant = ?1 AND chain = ?2 AND seq >= ?3
		ORDER BY seq LIMIT ?4`

	// One step of a walk over the distinct names: DISTINCT would read every
	// entry of every chain.
	sqlNextChain = `
		SELECT chain FROM audit_log WHERE tenant = ?1 AND chain > ?2 ORDER BY chain LIMIT 1`

	sqlFirstChain = `
		SELECT chain FROM audit_log WHERE tenant = ?1 ORDER BY chain LIMIT 1`

	// The newest entry stays whatever is asked for: the next one is hashed over
	// it.
	sqlDeleteEntries = `
		DELETE FROM audit_log WHERE tenant = ?1 AND chain = ?2 AND seq IN (
			SELECT e.seq FROM audit_log e
			WHERE e.tenant = ?1 AND e.chain = ?2 AND e.seq <= ?3
				AND e.seq < (SELECT max(seq) FROM audit_log WHERE tenant = ?1 AND chain = ?2)
			ORDER BY e.seq LIMIT ?4)`
)

func (t *tx) LastEntry(chain string) (domain.Entry, error) {
	return row(t, scanEntry, sqlLastEntry, domain.Tenant, chain)
}

func scanEntry(r *statement) domain.Entry {
	e := domain.Entry{Chain: r.text(), Seq: r.integer(), Time: r.time(), RequestID: r.text(), Actor: r.text(),
		Event: domain.Event(r.text()), Outcome: r.text(), Operation: domain.Operation(r.text())}
	failed := r.integer()
	e.Count, e.Duration, e.KeyID = r.integer(), micros(r), r.text()
	e.Account, e.Device, e.Record, e.Version = r.blob(), r.blob(), r.text(), r.integer()
	e.Before, e.Digest, e.Reason, e.Prev, e.Hash = r.blob(), r.blob(), r.text(), r.blob(), r.blob()
	if e.Failed = failed == 1; !e.Failed && failed != 0 {
		e.Hash = nil // edited to what we never write: not to be taken for "false"
	}
	return e
}

func micros(r *statement) time.Duration { return time.Duration(r.integer()) * time.Microsecond }

func (t *tx) InsertEntry(e domain.Entry) error {
	return t.execOne(sqlInsertEntry, domain.Tenant, e.Chain, e.Seq, domain.Micros(e.Time), e.RequestID, e.Actor,
		string(e.Event), e.Outcome, string(e.Operation), flag(e.Failed), e.Count, e.Duration.Microseconds(), e.KeyID,
		e.Account, e.Device, e.Record, e.Version, e.Before, e.Digest, e.Reason, e.Prev, e.Hash)
}

func (t *tx) EachEntry(chain string, after int64, fn func(domain.Entry) error) error {
	return store.WalkEntries(after, fn, func(from int64) ([]domain.Entry, error) {
		return rows(t, scanEntry, sqlEachEntry, domain.Tenant, chain, from, store.PageSize)
	})
}

func (t *tx) EntriesFrom(from []domain.EntryPosition, limit int) (all []domain.Entry, err error) {
	for _, p := range from {
		found, err := rows(t, scanEntry, sqlEachEntry, domain.Tenant, p.Chain, p.Seq, limit)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func (t *tx) Chains() ([]string, error) {
	first, err := rows(t, (*statement).text, sqlFirstChain, domain.Tenant)
	if err != nil || len(first) == 0 {
		return nil, err
	}
	next, err := store.Steps(first[0], math.MaxInt, func(last string) (string, error) {
		return row(t, (*statement).text, sqlNextChain, domain.Tenant, last)
	})
	return append(first, next...), err
}

func (t *tx) DeleteEntries(chain string, upTo int64, limit int) (deleted int, err error) {
	n, err := t.exec(sqlDeleteEntries, domain.Tenant, chain, upTo, limit)
	return int(n), err
}
