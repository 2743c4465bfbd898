package postgres

import (
	"context"
	"errors"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// tx is one transaction, a View or an Update. BEGIN goes out together with the
// first statement. After the first error of the engine the transaction is dead.
type tx struct {
	sqltx.Tx

	s     *Store
	ctx   context.Context
	begin string // the statement that begins it
	turn  *turn  // nil: a View

	conn  *conn // nil: it has not begun
	now   time.Time
	final bool // the next statement is probably the last
	ended bool // that statement was answered

	asynchronous bool // the session's synchronous_commit is off; this transaction's is on

	endsEarly bool // Final has an effect: fn has not yet read on after it
	cutOff    bool // fn read on after its final read

	err   error // why it is dead
	again bool  // a further run may succeed

	passedOn bool // a row left the transaction for good: it must not run again

	keyed []sqltx.Write // those that needed a key

	account string // that it is about, as far as Citus must know
	local   bool   // it probably needs only tables of the account

	found []counter        // the counters that it read, if it is local
	key   domain.DeviceKey // the last key that it read, if it is local

	numbers   bool  // it gives numbers to chains
	month     int64 // its partition is known to exist: see leastNumber
	remembers bool  // it uses a chain number that an earlier transaction read

	headless bool // it appended to a chain in which it saw no entry

	last []*request // writes that go out with the next statement, or with COMMIT

	yield    func([]*request) bool // sends the statements of the step that runs; nil: no step runs
	stopping bool                  // steps are being stopped, because another one failed or panicked
}

var _ store.Tx = (*tx)(nil)

// Now is the server's clock just after the transaction took its snapshot. So it
// is later than the time of every transaction whose writes it sees; the time of
// BEGIN could be earlier. The first call begins the transaction. If that fails,
// Now is the zero time, and the transaction is dead.
func (t *tx) Now() time.Time {
	if t.conn == nil && !t.ended && t.alive() == nil {
		final := t.final
		t.final = false // it concerns the next read
		_ = t.send()    // kept in err
		t.final = final
	}
	return t.now
}

// Final makes the next statement of a View end it. If fn reads on, the View runs fn
// again, and then Final does nothing. A View that has passed on a row fails instead.
func (t *tx) Final() { t.final = t.endsEarly }

// Writer is the number of the transaction's turn, among those on the account's node.
func (t *tx) Writer() int {
	if t.turn == nil || t.alive() != nil {
		return 0
	}
	if err := t.turn.take(t.ctx); err != nil {
		t.err = err
		return 0
	}
	return t.nearby() + t.turn.number
}

// end makes the transaction dead: its function has returned.
func (t *tx) end() { t.err = errTxDone }

// alive returns why no further step may be taken, or nil.
func (t *tx) alive() error {
	switch {
	case t.err != nil:
		return t.err
	case t.stopping:
		return errTxDone
	}
	if t.err = t.ctx.Err(); t.s.isClosed() {
		t.err = errClosed
	}
	return t.err
}

// send runs statements in one round trip, after the writes that wait for one. An
// error is the end of the transaction: PostgreSQL takes no further statement.
func (t *tx) send(requests ...*request) error {
	if err := t.alive(); err != nil {
		return err
	}
	if t.ended {
		t.err, t.cutOff = errTxDone, true
		return t.err
	}
	if t.yield != nil {
		return t.sendWithOthers(requests)
	}
	requests = append(t.last, requests...)
	t.last = nil
	if t.final {
		return t.finish(requests)
	}
	if t.conn == nil {
		return t.start(requests...)
	}
	return t.fail(t.conn.roundTrip(t.ctx, requests...))
}

// finish runs the last statements of a View together with its end.
func (t *tx) finish(requests []*request) (err error) {
	requests = append(requests, &request{sql: sqlRollback})
	if t.conn == nil {
		err = t.start(requests...)
	} else {
		err = t.fail(t.conn.roundTrip(t.ctx, requests...))
	}
	if err == nil {
		t.conn.release()
		t.conn, t.ended = nil, true
	}
	return err
}

// fail notes the error of a statement and explains it.
func (t *tx) fail(err error) error {
	if err == nil {
		return nil
	}
	t.again = retryable(err) || lost(t.conn, err) || t.numberGone(err) || t.notHere(err)
	t.err = explain(t.ctx, err)
	if t.turn != nil && t.now.IsZero() && codeOf(err) == "0A000" { // the answer to BEGIN: a hot standby has no SERIALIZABLE
		t.err = errReadOnly
	}
	t.s.noteDisk(err, t.err)
	if errors.Is(t.err, store.ErrConflict) {
		t.err = t.refusal()
	}
	return t.err
}

// noteDisk remembers an error of the server's disk: it is full, or fails.
func (s *Store) noteDisk(err, explained error) {
	if code := codeOf(err); code == "53100" || strings.HasPrefix(code, "58") {
		s.disk.Store(&diskError{time.Now(), explained})
	}
}

// start begins the transaction, with its first statements if there are any. A
// connection that was idle may be dead, which shows only now. As long as no row
// was seen, start then takes another connection.
func (t *tx) start(requests ...*request) error {
	if t.turn != nil {
		if err := t.turn.wait(t.ctx, requests); err != nil {
			t.err = err
			return err
		}
	}
	for left := mostReplaced; ; left-- {
		c, err := t.connection()
		if err != nil {
			t.err = err
			return err
		}
		t.conn = c
		err = t.open(requests)
		seen := slices.ContainsFunc(requests, func(r *request) bool { return r.seen })
		if err == nil || left == 0 || seen || !lost(c, err) || t.ctx.Err() != nil {
			return t.fail(err)
		}
		t.conn = nil
		c.release()
		c.from.pool.Reset() // the others in the pool are as old
	}
}

// connection returns the session's connection, or a new one.
func (t *tx) connection() (*conn, error) {
	to := t.destination()
	if t.turn != nil && t.turn.conn != nil {
		c := t.turn.conn
		t.turn.conn = nil
		if c.from == to {
			return c, nil
		}
		c.release()
	}
	if to.name != "" {
		if c, err := t.s.acquireDirectly(t.ctx, to); c != nil || err != nil {
			return c, err
		}
	}
	return t.s.acquire(t.ctx, t.s.endpoint)
}

// mostReplaced is how many dead connections a transaction replaces.
const mostReplaced = 2

// open sends BEGIN, asks for the time, and runs the first statements.
func (t *tx) open(requests []*request) error {
	sql, args := sqlSettings, sessionLimits
	switch {
	case t.direct():
		sql, args = sqlClock, []any{int64(time.Second / time.Microsecond)}
	case t.s.citus != nil:
		sql = sqlSettingsOnCitus
	}
	settings := &request{sql: sql, args: args, each: func(r sqltx.Row) {
		t.now = r.Time()
		if !t.direct() {
			t.asynchronous = r.Text() != ""
			t.s.ahead.Store(int64(time.Until(t.now)))
		}
		if t.s.now != nil {
			// Read after the server's clock would be, and cut to the precision of
			// the columns, so that a time read back equals the time written.
			t.now = t.s.now().UTC().Truncate(time.Microsecond)
		}
	}}
	return t.conn.roundTrip(t.ctx, append([]*request{{sql: t.begin}, settings}, requests...)...)
}

// seed is random for each process, so that no client can choose which other
// clients it queues with.
var seed = maphash.MakeSeed()

// sum is a hash of a request.
func (r *request) sum() uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	_, _ = h.WriteString(r.sql)
	for _, arg := range r.args {
		switch arg := arg.(type) {
		case string:
			_, _ = h.WriteString(arg)
		case []byte:
			_, _ = h.Write(arg)
		}
		_ = h.WriteByte(0)
	}
	return h.Sum64()
}

// Exec runs a statement and returns the number of rows it wrote.
func (t *tx) Exec(query string, args ...any) (int64, error) {
	r := &request{sql: query, args: args}
	if err := t.send(r); err != nil {
		return 0, err
	}
	return r.tag.RowsAffected(), nil
}

// Query runs a query and calls each with every row.
func (t *tx) Query(each func(sqltx.Row), query string, args ...any) error {
	return t.send(&request{sql: query, args: args, each: each})
}
