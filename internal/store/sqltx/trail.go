package sqltx

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"slices"
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

	// AppendNext adds an entry if the newest entry of its chain is the one that it
	// follows, by its hash. The chain has the number $23.
	AppendNext = `
		INSERT INTO audit_log (tenant, ` + EntryColumns + `)
		SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22
		WHERE ` + headHash + `$23` + ofNumber + ` = $21`

	sqlInsertEntry = `
		INSERT INTO audit_log (tenant, ` + EntryColumns + `)
		SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22
		WHERE NOT EXISTS (SELECT 1 FROM audit_verdict v WHERE v.chain = ` + chainNumber + ` AND v.seq = CAST($3 AS BIGINT))
		ON CONFLICT (tenant, chain, seq) DO NOTHING`

	sqlInsertAlone = AppendEntry + `
		ON CONFLICT (tenant, chain, seq) DO NOTHING`

	sqlEachEntry = `
		SELECT ` + EntryColumns + ` FROM audit_log
		WHERE tenant = $1 AND chain = $2 AND seq >= $3
		ORDER BY seq LIMIT $4`

	// The hash of the entry with a number, and the next entry. A planner without statistics
	// would not find an equal seq by the index of chains.
	sqlHashOfEntry = `
		SELECT l.seq, l.hash FROM audit_log l WHERE l.tenant = $1 AND l.chain = $2 AND l.seq >= $3 ORDER BY l.seq LIMIT 2`

	// One step of a walk over the distinct names. DISTINCT would read every entry
	// of every chain.
	sqlNextChain = `
		SELECT chain FROM audit_log WHERE tenant = $1 AND chain > $2 ORDER BY chain LIMIT 1`

	sqlFirstChain = `
		SELECT chain FROM audit_log WHERE tenant = $1 ORDER BY chain LIMIT 1`

	sqlDeleteEntries = `
		DELETE FROM audit_log WHERE tenant = $1 AND chain = $2 AND seq IN (
			SELECT e.seq FROM audit_log e WHERE e.tenant = $1 AND e.chain = $2 AND e.seq <= $3 ORDER BY e.seq LIMIT $4)`
)

func (t facts) LastEntry(chain string) (domain.Entry, error) {
	found, err := t.ofChain(sqlLastEntry, sqlLastVerdict, domain.Tenant, chain)
	if err != nil || len(found) == 0 {
		return domain.Entry{}, cmp.Or(err, store.ErrNotFound)
	}
	return found[len(found)-1], nil
}

// ofChain reads entries of one chain from both tables, and returns them in order of
// their numbers.
func (t facts) ofChain(entries, verdicts string, args ...any) (found []domain.Entry, err error) {
	err = together(t.db, t.readChain(&found, entries, verdicts, args)...)
	slices.SortFunc(found, func(a, b domain.Entry) int { return cmp.Compare(a.Seq, b.Seq) })
	return found, err
}

// readChain is the reads of ofChain. The second argument is the chain.
func (t facts) readChain(into *[]domain.Entry, entries, verdicts string, args []any) []Read {
	reads := []Read{{func(r Row) { *into = append(*into, ScanEntry(r)) }, entries, args}}
	if t.verdicts.Hidden {
		return reads
	}
	chain, _ := args[1].(string)
	return append(reads, Read{func(r Row) { *into = append(*into, scanVerdict(chain, r)) }, verdicts, args})
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
	if args := t.packed(e); args != nil {
		return t.insertVerdict(e.Chain, args)
	}
	query := sqlInsertEntry
	if t.verdicts.Hidden {
		query = sqlInsertAlone
	} else if e.Seq == 1 { // a writer that does not read the chain needs its number
		if err := t.NumberChain(e.Chain); err != nil {
			return err
		}
	}
	return ExecOne(t.db, query, EntryValues(e)...)
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
	return walk(fn, func(last *domain.Entry) ([]domain.Entry, error) {
		if last != nil {
			after = last.Seq
		}
		from := after + 1
		switch {
		case last == nil && after == math.MinInt64:
			from = after
		case after == math.MaxInt64:
			return nil, nil
		}
		found, err := t.ofChain(sqlEachEntry, sqlEachVerdict, domain.Tenant, chain, from, store.PageSize)
		n := min(len(found), store.PageSize)
		for n > 0 && n < len(found) && found[n].Seq == found[n-1].Seq {
			n++ // forged: both tables have this number
		}
		return found[:n], err
	})
}

func (t facts) EntriesFrom(from []domain.EntryPosition, limit int) (all []domain.Entry, err error) {
	found, reads := make([][]domain.Entry, len(from)), make([]Read, 0, 2*len(from))
	for i, p := range from {
		reads = append(reads, t.readChain(&found[i], sqlEachEntry, sqlEachVerdict, []any{domain.Tenant, p.Chain, p.Seq, limit})...)
	}
	if err := together(t.db, reads...); err != nil {
		return nil, err
	}
	for _, some := range found {
		slices.SortFunc(some, func(a, b domain.Entry) int { return cmp.Compare(a.Seq, b.Seq) })
		all = append(all, some[:min(len(some), limit)]...)
	}
	return all, nil
}

func (t facts) HashesAt(positions []domain.EntryPosition) (hashes [][]byte, newer []bool, err error) {
	f := NewFoundAt(positions)
	var reads []Read
	for i, p := range positions {
		args := []any{domain.Tenant, p.Chain, p.Seq}
		each := func(r Row) { f.Add(i, r) }
		reads = append(reads, Read{each, sqlHashOfEntry, args})
		if !t.verdicts.Hidden {
			reads = append(reads, Read{each, sqlHashOfVerdict, args})
		}
	}
	err = together(t.db, reads...)
	return f.Hashes, f.Newer, err
}

// FoundAt is the result of HashesAt.
type FoundAt struct {
	Hashes [][]byte
	Newer  []bool
	at     []domain.EntryPosition
}

// NewFoundAt returns a FoundAt without any entries.
func NewFoundAt(positions []domain.EntryPosition) FoundAt {
	return FoundAt{make([][]byte, len(positions)), make([]bool, len(positions)), positions}
}

// Add adds an entry of the chain of the i-th position, from a row of number and hash. The
// first of two entries with that number counts.
func (f FoundAt) Add(i int, r Row) {
	switch seq := r.Integer(); {
	case seq > f.at[i].Seq:
		f.Newer[i] = true
	case seq == f.at[i].Seq && f.Hashes[i] == nil:
		f.Hashes[i] = r.Blob()
	}
}

func (t facts) Chains() ([]string, error) {
	first, err := All(t.db, Row.Text, sqlFirstChain, domain.Tenant)
	if err != nil || len(first) == 0 {
		return nil, err
	}
	next, err := Steps(first[0], math.MaxInt, func(last string) (string, error) {
		return One(t.db, Row.Text, sqlNextChain, domain.Tenant, last)
	})
	if err != nil || t.verdicts.Hidden {
		return append(first, next...), err
	}
	forged, err := All(t.db, Row.Text, ChainsOfVerdicts, domain.Tenant)
	return slices.Sorted(slices.Values(slices.Concat(first, next, forged))), err
}

// Partitions returns none: only PostgreSQL has partitions.
func (t facts) Partitions() ([]store.Partition, error) { return nil, nil }

// MoveNext moves none.
func (t facts) MoveNext(store.Partition, map[string]int64) (bool, error) { return false, nil }

// DropPartition drops none.
func (t facts) DropPartition(store.Partition, map[string]int64, time.Duration) (bool, error) {
	return false, nil
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

// If the first entry that stays is a verdict, DeleteEntries moves it to audit_log,
// with the hash of the entry before it. So the entry before a verdict in
// audit_verdict is always in the store.
func (t facts) DeleteEntries(chain string, upTo int64, limit int) (deleted int, err error) {
	oldest, err := t.ofChain(sqlEachEntry, sqlEachVerdict, domain.Tenant, chain, math.MinInt64, limit+1)
	for deleted < min(limit, len(oldest)-1) && oldest[deleted].Seq <= upTo {
		if deleted++; oldest[deleted].Seq == oldest[deleted-1].Seq {
			return 0, ErrEditedVerdict
		}
	}
	if err != nil || deleted == 0 {
		return 0, err
	}
	last, first := oldest[deleted-1], oldest[deleted]
	if err := run(t.db, sqlDeleteEntries, domain.Tenant, chain, last.Seq, limit); err != nil || t.verdicts.Hidden {
		return deleted, err
	}
	if err := run(t.db, sqlDeleteVerdicts, domain.Tenant, chain, int64(math.MinInt64), last.Seq); err != nil {
		return 0, err
	}
	return deleted, MoveVerdict(t.db, first)
}

// MoveVerdict moves a verdict to audit_log. If the entry is there already, it does
// nothing.
func MoveVerdict(db Engine, e domain.Entry) error {
	moved, err := db.Exec(sqlDeleteVerdicts, domain.Tenant, e.Chain, e.Seq, e.Seq)
	if err != nil || moved == 0 {
		return err
	}
	if len(e.Hash) == 0 {
		return ErrEditedVerdict
	}
	return ExecOne(db, sqlInsertEntry, EntryValues(e)...)
}
