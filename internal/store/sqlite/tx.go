package sqlite

import (
	"cmp"
	"context"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// tx is one transaction, a View or an Update. After the first error of the engine
// it is dead: SQLite may have rolled it back, and further statements would each
// commit on their own.
type tx struct {
	sqltx.Tx

	ctx    context.Context
	conn   *conn
	closed <-chan struct{} // of the store
	now    time.Time
	err    error // why it is dead

	failed bool // it died of an error of the engine
}

var _ store.Tx = (*tx)(nil)

func newTx(ctx context.Context, c *conn, closed <-chan struct{}, now time.Time) *tx {
	// Cut to the precision of the columns, so that a time read back equals the
	// time written.
	t := &tx{ctx: ctx, conn: c, closed: closed, now: now.UTC().Truncate(time.Microsecond)}
	t.Tx = sqltx.New(t, &texts, sqltx.Verdicts{Form: shortForm})
	return t
}

// shortForm: no process of another version writes beside this one.
func shortForm() int64 { return store.ShortForm }

// View runs fn on one snapshot, taken at its first read.
func (s *Store) View(ctx context.Context, fn func(store.Tx) error) error {
	return s.faults.note(s.view(ctx, func(t *tx) error { return fn(t) }))
}

func (s *Store) view(ctx context.Context, fn func(*tx) error) error {
	c, err := s.reader.take(ctx)
	if err != nil {
		return s.files.lossOr(err)
	}
	defer s.reader.give(c)
	if err := s.files.checkLately(); err != nil {
		return err
	}
	if err := begin(ctx, c, sqlBegin); err != nil {
		return s.files.lossOr(err)
	}
	defer func() { _ = c.end(sqlRollback) }()
	t := newTx(ctx, c, s.reader.closed, s.now())
	defer t.end()
	return t.outcome(fn(t))
}

// outcome is the result of a transaction whose function returned err. A failure
// of the engine comes first.
func (t *tx) outcome(err error) error {
	if t.failed {
		return t.err
	}
	return cmp.Or(err, t.err)
}

// Update runs fn in one transaction that no other write interleaves with, in this
// process or another one. Within this process, writers take turns in order of
// arrival, and those that wait share a commit (see writer). For another process
// it waits at most 5 s. Update checks ctx until fn has returned. After that the
// transaction ends, and Update returns its outcome. fn may run on the goroutine
// of another Update, and more than once.
//
// One case is not covered: if the commit fails because of the disk, and the
// process then dies, the next start may find the commit done.
func (s *Store) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.faults.note(s.writer.update(ctx, func(t *tx) error { return fn(t) }))
}

// Now is the time at which the transaction began.
func (t *tx) Now() time.Time { return t.now }

// Writer is 0: one Update runs at a time.
func (t *tx) Writer() int { return 0 }

// Final does nothing: the end of a transaction costs nothing here.
func (t *tx) Final() {}

// Interleave runs one function after the other: a statement waits for nothing here.
func (t *tx) Interleave(fns ...func() error) error { return store.InOrder(fns) }

// InsertKey stores an RSA key as its modulus. Then the rows of two 3072-bit keys fit into a
// page, unless a deviceId is longer than 50 bytes or a key is bound.
func (t *tx) InsertKey(k domain.DeviceKey) error {
	k.PublicKey = sqltx.PackPublicKey(k.PublicKey)
	return t.Tx.InsertKey(k)
}

// Writers is 1: one Update runs at a time.
func (s *Store) Writers() int { return 1 }

// end makes the transaction dead: its function has returned.
func (t *tx) end() { t.err = errTxDone }

// alive returns why no further step may be taken, or nil.
func (t *tx) alive() error {
	if t.err != nil {
		return t.err
	}
	select {
	case <-t.closed:
		t.err = errClosed
	default:
		t.err = t.ctx.Err()
	}
	return t.err
}

// fail translates an error of a statement. Every error except a duplicate ends
// the transaction.
func (t *tx) fail(err error) error {
	if isDuplicate(err) {
		return store.ErrConflict
	}
	t.err, t.failed = explain(err), true
	return t.err
}

// Exec runs a statement and returns the number of rows it wrote.
func (t *tx) Exec(query string, args ...any) (int64, error) {
	if err := t.alive(); err != nil {
		return 0, err
	}
	n, err := t.conn.exec(query, args...)
	if err != nil {
		return 0, t.fail(err)
	}
	return n, nil
}

// Query runs a query and calls each with every row. each reads a row completely
// before another statement runs.
func (t *tx) Query(each func(sqltx.Row), query string, args ...any) error {
	if err := t.alive(); err != nil {
		return err
	}
	found, err := t.conn.run(query, args)
	if err != nil {
		return t.fail(err)
	}
	defer found.reset()
	for {
		more, err := found.next()
		if err != nil {
			return t.fail(err)
		}
		if !more {
			return nil
		}
		each(found)
	}
}
