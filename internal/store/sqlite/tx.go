package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
)

// tx is one transaction, of either kind. After the first error of the engine
// it is dead: SQLite may have rolled it back by itself, and statements that
// followed would each commit on their own.
type tx struct {
	ctx context.Context
	ses *session
	now time.Time
	err error // why it is dead

	failed bool // it died of an error of the engine
}

var _ store.Tx = (*tx)(nil)

// View runs fn on one snapshot, taken at its first read.
func (s *Store) View(ctx context.Context, fn func(store.Tx) error) error {
	return s.view(ctx, func(t *tx) error { return fn(t) })
}

func (s *Store) view(ctx context.Context, fn func(*tx) error) error {
	t, err := s.begin(ctx, s.reader, sqlBegin)
	if err != nil {
		return err
	}
	defer s.reader.give(t.ses)
	defer func() { _ = t.end(sqlRollback) }()
	if err := fn(t); err != nil {
		return err
	}
	return t.err
}

// Update runs fn in one transaction, which no other write interleaves with,
// here or in another process. Within this process writers take turns in the
// order of arrival; another process is waited for, for at most five seconds.
// ctx is heeded until the commit starts: from there on the transaction ends
// one way or the other, and Update says which. fn runs at most once.
//
// One case remains open by nature: when the commit itself fails because the
// disk does, and the process then dies, the next start may find it done.
func (s *Store) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.update(ctx, func(t *tx) error { return fn(t) })
}

func (s *Store) update(ctx context.Context, fn func(*tx) error) error {
	t, err := s.begin(ctx, s.writer, sqlBeginImmediate)
	if err != nil {
		return err
	}
	defer s.writer.give(t.ses)
	defer func() { _ = t.end(sqlRollback) }() // also when fn panics
	if err = fn(t); err == nil {
		err = t.alive() // fn may have passed over an error
	}
	if t.failed {
		s.failing.Store(true)
	}
	if err != nil {
		return err
	}
	err = t.end(sqlCommit)
	s.failing.Store(err != nil)
	if err != nil {
		return fmt.Errorf("committing: %w", explain(err))
	}
	return nil
}

func (s *Store) begin(ctx context.Context, p *pool, query string) (*tx, error) {
	ses, err := p.take(ctx)
	if err != nil {
		return nil, s.lossOr(err)
	}
	if err = begin(ctx, ses, query); err == nil {
		if err = s.files.check(); err != nil {
			_ = ses.end(sqlRollback) // the loss is what to report
		}
	}
	if err != nil {
		p.give(ses)
		return nil, s.lossOr(err)
	}
	// Cut to what the columns hold, so that a time read back equals the time
	// that was written.
	return &tx{ctx: ctx, ses: ses, now: s.now().UTC().Truncate(time.Microsecond)}, nil
}

// lossOr returns the loss of the file where that is what stands behind err.
func (s *Store) lossOr(err error) error {
	if isContext(err) || errors.Is(err, errClosed) {
		return err
	}
	return cmp.Or(s.files.check(), err)
}

// Now is the time at which the transaction began.
func (t *tx) Now() time.Time { return t.now }

// end ends the transaction; only the first call does anything.
func (t *tx) end(query string) error {
	if errors.Is(t.err, errTxDone) {
		return nil
	}
	t.err = errTxDone
	return t.ses.end(query)
}

// alive reports why no further step may be taken, or nil.
func (t *tx) alive() error {
	if t.err != nil {
		return t.err
	}
	select {
	case <-t.ses.closed:
		t.err = errClosed
	default:
		t.err = t.ctx.Err()
	}
	return t.err
}

// fail translates an error of a statement. All but a duplicate end the
// transaction.
func (t *tx) fail(err error) error {
	if isDuplicate(err) {
		return store.ErrConflict
	}
	t.err, t.failed = explain(err), true
	return t.err
}

// exec runs a statement and returns the number of rows it wrote.
func (t *tx) exec(query string, args ...any) (int64, error) {
	if err := t.alive(); err != nil {
		return 0, err
	}
	n, err := t.ses.exec(query, args...)
	if err != nil {
		return 0, t.fail(err)
	}
	return n, nil
}

// execOne runs a statement that writes one row, or none when the row is not
// what the caller took it for: that is ErrConflict.
func (t *tx) execOne(query string, args ...any) error {
	n, err := t.exec(query, args...)
	if err == nil && n == 0 {
		return store.ErrConflict
	}
	return err
}

// rows runs a query and reads all its rows before it returns: what the caller
// then does with them may run statements of its own.
func rows[T any](t *tx, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	if err := t.alive(); err != nil {
		return nil, err
	}
	stmt, err := t.ses.prepare(query)
	if err != nil {
		return nil, t.fail(err)
	}
	found, err := stmt.QueryContext(context.Background(), args...)
	if err != nil {
		return nil, t.fail(err)
	}
	defer found.Close()
	var all []T
	for found.Next() {
		one, err := scan(found)
		if err != nil {
			return nil, t.fail(err)
		}
		all = append(all, one)
	}
	if err := found.Err(); err != nil {
		return nil, t.fail(err)
	}
	return all, nil
}

// row runs a query for at most one row; none is ErrNotFound.
func row[T any](t *tx, scan func(scanner) (T, error), query string, args ...any) (T, error) {
	all, err := rows(t, scan, query, args...)
	if err == nil && len(all) == 0 {
		err = store.ErrNotFound
	}
	if err != nil {
		var none T
		return none, err
	}
	return all[0], nil
}

// pageSize is how many rows a walk over a table holds at once.
const pageSize = 100

// walk calls fn for every row of a query that returns pages in order: page is
// given the last row of the page before, or nil. No statement is open while fn
// runs, so fn may use the transaction.
func walk[T any](fn func(T) error, page func(last *T) ([]T, error)) error {
	var last *T
	for {
		found, err := page(last)
		if err != nil {
			return err
		}
		for _, one := range found {
			if err := fn(one); err != nil {
				return err
			}
		}
		if len(found) < pageSize {
			return nil
		}
		last = &found[len(found)-1]
	}
}

// scanner is a row to be read: *sql.Rows.
type scanner interface{ Scan(dest ...any) error }

// scanValue reads a row of one column.
func scanValue[T any](r scanner) (v T, err error) {
	err = r.Scan(&v)
	return v, err
}

// column reads a time from its column.
type column struct{ to *time.Time }

func (c column) Scan(v any) error {
	us, ok := v.(int64)
	if !ok {
		return fmt.Errorf("time column holds %T", v)
	}
	*c.to = domain.FromMicros(us)
	return nil
}

var _ sql.Scanner = column{}

// blob is b as a column: an absent value is empty, never NULL.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
