package postgres

import (
	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// A verification is two transactions of a few statements each. If the server
// is on another machine, most of their time is round trips. So a unit of work
// sends its first reads together, and its last writes together.

// sqlAdvanceAttempts is sqltx.UpdateAttempts. If that writes no row, it fails
// with a division by zero, and the server skips a COMMIT that follows.
const sqlAdvanceAttempts = `
		WITH advanced AS (` + sqltx.UpdateAttempts + ` RETURNING 1) SELECT 1 / count(*) FROM advanced`

// sqlAppendNext is sqltx.AppendEntry for an entry whose chain was not read. It
// fails like sqlAdvanceAttempts if the newest entry of the chain is not the one
// that the entry follows, and depends on that entry like a read of it.
const sqlAppendNext = `
		WITH appended AS (` + sqltx.AppendNext + ` RETURNING 1) SELECT 1 / count(*) FROM appended`

// sqlAppendNextVerdict is sqltx.AppendNextVerdict, likewise.
const sqlAppendNextVerdict = `
		WITH appended AS (` + sqltx.AppendNextVerdict + ` RETURNING 1) SELECT 1 / count(*) FROM appended`

// Together runs the reads in one round trip.
func (t *tx) Together(reads ...sqltx.Read) error {
	requests := make([]*request, len(reads))
	for i, r := range reads {
		requests[i] = &request{sql: r.Query, args: r.Args, each: r.Each}
	}
	return t.send(requests...)
}

// WriteBatch keeps the writes until the next statement, or COMMIT. Each of them
// fails at the server if it writes no row.
func (t *tx) WriteBatch(b store.Batch) error {
	var writes []*request
	for _, a := range b.Attempts {
		r := t.advanced(a)
		if a.Version == 1 {
			r.sql = sqltx.InsertAttempts
		}
		writes = append(writes, r)
	}
	for i, e := range b.Entries {
		if i == 0 && b.HeadUnread && t.s.citus != nil {
			writes = append(writes, t.onCitus(e)...)
			continue
		}
		writes = append(writes, t.appended(e, i == 0 && b.HeadUnread))
	}
	for _, e := range b.Events {
		writes = append(writes, &request{sql: sqltx.AppendEvent, args: sqltx.EventValues(e)})
	}
	return t.later(writes...)
}

// Write keeps a write until the next statement, or COMMIT.
func (t *tx) Write(w sqltx.Write) error {
	r := &request{sql: w.Guarded, args: w.Args}
	if w.Any {
		r.sql = w.Query
	}
	if w.Usable != "" {
		t.keyed = append(t.keyed, w)
	}
	return t.later(r)
}

func (t *tx) later(writes ...*request) error {
	if t.turn == nil { // a View, which has no COMMIT: the server refuses the writes
		return t.send(writes...)
	}
	if err := t.alive(); err != nil {
		return err
	}
	t.last = append(t.last, writes...)
	return nil
}

// refusal is the error of a transaction in which some write wrote no row. If a
// key that a write needed may not be used, that is why; otherwise a row was not
// as expected. The transaction has failed, so the keys are read after it.
func (t *tx) refusal() error {
	for _, w := range t.keyed {
		usable := false
		err := t.conn.roundTrip(t.ctx, &request{sql: sqlRollback},
			&request{sql: w.Usable, args: w.Args[:4], each: func(r sqltx.Row) { usable = sqltx.IsTrue(r) }})
		if err != nil {
			return explain(t.ctx, err)
		}
		if !usable {
			return store.ErrKeyNotUsable
		}
	}
	return store.ErrConflict
}
