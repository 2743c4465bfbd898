package sqltx

import (
	"bytes"
	"errors"
	"math"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

const (
	// EntryColumns are the columns that ScanEntry reads.
	EntryColumns = `chain, seq, time, request_id, actor, event, outcome, operation, failed, count, duration, key_id,
		account, device, record, version, before, digest, reason, prev, hash`

	sqlLastEntry = `
		SELECT ` + EntryColumns + ` FROM audit_log WHERE tenant = $1 AND chain = $2 ORDER BY seq DESC LIMIT 1`

	// AppendEntry adds an entry. It fails if the chain has one of this number.
	AppendEntry = `
		INSERT INTO audit_log (tenant, ` + EntryColumns + `)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22)`

	// AppendNext adds an entry if the newest one of its chain is the one that it
	// follows, by its hash.
	AppendNext = `
		INSERT INTO audit_log (tenant, ` + EntryColumns + `)
		SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22
		WHERE (SELECT h.hash FROM audit_log h WHERE h.tenant = $1 AND h.chain = $2 ORDER BY h.seq DESC LIMIT 1) = $21`

	sqlInsertEntry = AppendEntry + `
		ON CONFLICT (tenant, chain, seq) DO NOTHING`

	sqlEachEntry = `
		SELECT ` + EntryColumns + ` FROM audit_log
		WHERE tenant = $1 AND chain = $2 AND seq >= $3
		ORDER BY seq LIMIT $4`

	// One step of a walk over the distinct names. DISTINCT would read every entry
	// of every chain.
	sqlNextChain = `
		SELECT chain FROM audit_log WHERE tenant = $1 AND chain > $2 ORDER BY chain LIMIT 1`

	sqlFirstChain = `
		SELECT chain FROM audit_log WHERE tenant = $1 ORDER BY chain LIMIT 1`

	// The newest entry always stays, because the next one is hashed over it.
	sqlDeleteEntries = `
		DELETE FROM audit_log WHERE tenant = $1 AND chain = $2 AND seq IN (
			SELECT e.seq FROM audit_log e
			WHERE e.tenant = $1 AND e.chain = $2 AND e.seq <= $3
				AND e.seq < (SELECT max(seq) FROM audit_log WHERE tenant = $1 AND chain = $2)
			ORDER BY e.seq LIMIT $4)`
)

func (t facts) LastEntry(chain string) (domain.Entry, error) {
	return One(t.db, ScanEntry, sqlLastEntry, domain.Tenant, chain)
}

// ScanEntry reads an entry. If a column holds a value that Strongroom never
// writes, the row was edited: it comes back without its hash, so that every check
// refuses it.
func ScanEntry(r Row) domain.Entry {
	e := domain.Entry{Chain: r.Text(), Seq: r.Integer(), Time: r.Time(), RequestID: r.Text(), Actor: r.Text(),
		Event: domain.Event(r.Text()), Outcome: r.Text(), Operation: domain.Operation(r.Text())}
	failed, valid := r.Flag()
	e.Count, e.Duration, e.KeyID = r.Integer(), micros(r), r.Text()
	e.Account, e.Device, e.Record, e.Version = r.Blob(), r.Blob(), r.Text(), r.Integer()
	e.Before, e.Digest, e.Reason, e.Prev, e.Hash = r.Blob(), r.Blob(), r.Text(), r.Blob(), r.Blob()
	if e.Failed = failed && valid; !valid {
		e.Hash = nil
	}
	return e
}

func (t facts) InsertEntry(e domain.Entry) error {
	return ExecOne(t.db, sqlInsertEntry, EntryValues(e)...)
}

func (t facts) WriteBatch(b store.Batch) error {
	for _, a := range b.Attempts {
		if err := putAttempts(t.db, a); err != nil {
			return err
		}
	}
	for i, e := range b.Entries {
		if i == 0 && b.HeadUnread {
			if err := t.follows(e); err != nil {
				return err
			}
		}
		if err := t.InsertEntry(e); err != nil {
			return err
		}
	}
	for _, e := range b.Events {
		if err := ExecOne(t.db, sqlPutEvent, EventValues(e)...); err != nil {
			return err
		}
	}
	return nil
}

// follows fails with [store.ErrConflict] if e does not follow the newest entry of
// its chain.
func (t facts) follows(e domain.Entry) error {
	head, err := t.LastEntry(e.Chain)
	if errors.Is(err, store.ErrNotFound) || err == nil && !bytes.Equal(head.Hash, e.Prev) {
		return store.ErrConflict
	}
	return err
}

// EntryValues are the arguments of AppendEntry.
func EntryValues(e domain.Entry) []any {
	return []any{domain.Tenant, e.Chain, e.Seq, domain.Micros(e.Time), e.RequestID, e.Actor,
		string(e.Event), e.Outcome, string(e.Operation), e.Failed, e.Count, e.Duration.Microseconds(), e.KeyID,
		e.Account, e.Device, e.Record, e.Version, e.Before, e.Digest, e.Reason, e.Prev, e.Hash}
}

func (t facts) EachEntry(chain string, after int64, fn func(domain.Entry) error) error {
	return store.WalkEntries(after, fn, func(from int64) ([]domain.Entry, error) {
		return All(t.db, ScanEntry, sqlEachEntry, domain.Tenant, chain, from, store.PageSize)
	})
}

func (t facts) EntriesFrom(from []domain.EntryPosition, limit int) (all []domain.Entry, err error) {
	reads := make([]Read, len(from))
	for i, p := range from {
		reads[i] = Read{func(r Row) { all = append(all, ScanEntry(r)) }, sqlEachEntry, []any{domain.Tenant, p.Chain, p.Seq, limit}}
	}
	err = together(t.db, reads...)
	return all, err
}

func (t facts) Chains() ([]string, error) {
	first, err := All(t.db, Row.Text, sqlFirstChain, domain.Tenant)
	if err != nil || len(first) == 0 {
		return nil, err
	}
	next, err := store.Steps(first[0], math.MaxInt, func(last string) (string, error) {
		return One(t.db, Row.Text, sqlNextChain, domain.Tenant, last)
	})
	return append(first, next...), err
}

func (t facts) Heads(since time.Time) (heads []domain.Entry, err error) {
	chains, err := t.Chains()
	for _, chain := range chains {
		head, err := t.LastEntry(chain)
		if err != nil {
			return nil, err
		}
		if since.IsZero() || !head.Time.Before(since) {
			heads = append(heads, head)
		}
	}
	return heads, err
}

func (t facts) DeleteEntries(chain string, upTo int64, limit int) (deleted int, err error) {
	return written(t.db.Exec(sqlDeleteEntries, domain.Tenant, chain, upTo, limit))
}
