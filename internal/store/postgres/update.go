package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"strongroom/internal/store"
)

// Bounds of an Update that meets others. Each run that has to begin anew means
// that another transaction made progress.
const (
	maxRuns   = 32
	runsUntil = 10 * time.Second // after which no further run begins
	queueWait = 5 * time.Second  // for its turn, in each run

	firstPause, lastPause = 2 * time.Millisecond, 100 * time.Millisecond
	lastPauseRun          = 10 // the run from which on a pause is the longest
)

// View runs fn on one snapshot, taken at its first read. Its transaction ends
// after View has returned: there is nothing in its end that fn's outcome could
// depend on, and to wait for it would cost a round trip.
func (s *Store) View(ctx context.Context, fn func(store.Tx) error) error {
	return s.view(ctx, func(t *tx) error { return fn(t) })
}

func (s *Store) view(ctx context.Context, fn func(*tx) error) error {
	t := s.newTx(ctx, sqlBeginView)
	if err := t.alive(); err != nil {
		return err
	}
	defer func() {
		t.end()
		if c := t.conn; c != nil {
			go func() {
				_ = c.roundTrip(context.Background(), &request{sql: sqlRollback}) // a connection that fails here is thrown away
				c.release()
			}()
		}
	}()
	return t.outcome(fn(t))
}

// outcome is what became of a transaction whose function returned err. A
// failure of the engine comes first, whatever the function made of it: what it
// decided, it decided on what it was not told.
func (t *tx) outcome(err error) error {
	if failed := t.err; failed != nil && !errors.Is(err, failed) {
		return failed
	}
	if err != nil {
		return err
	}
	return t.alive()
}

// Update runs fn in one SERIALIZABLE transaction: what it read and wrote is as
// if no other transaction had run beside it, or it is not committed. When the
// server refuses it for the sake of another one (SQLSTATE 40001 and 40P01), or
// the connection is lost before COMMIT was sent, fn runs again, within bounds.
//
// ctx is heeded until fn has returned. From there on the transaction ends one
// way or the other, and Update says which; but if the connection is lost
// between COMMIT and its answer nobody here can know, and the error says so.
// It is never run again then: done twice would be worse than not known.
func (s *Store) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.update(ctx, func(t *tx) error { return fn(t) })
}

func (s *Store) update(ctx context.Context, fn func(*tx) error) error {
	turn := s.turnOf(ctx)
	defer turn.rest()
	start := time.Now()
	for run := 1; ; run++ {
		turn.end = time.Now().Add(queueWait)
		again, err := s.run(ctx, turn, fn)
		if !again {
			return err
		}
		s.stats.repeats.Add(1)
		if run == maxRuns || time.Since(start) > runsUntil {
			return err
		}
		turn.pause()
		if err := pause(ctx, run); err != nil {
			return err
		}
	}
}

// run is one run of an Update. Where another may follow, err is why.
func (s *Store) run(ctx context.Context, turn *turn, fn func(*tx) error) (again bool, err error) {
	t := s.newTx(ctx, sqlBeginUpdate)
	t.turn = turn
	if err := t.alive(); err != nil {
		return false, err
	}
	committing := false
	defer func() {
		t.end() // also when fn panics
		switch {
		case t.conn == nil:
		case committing && t.conn.pg.TxStatus() == outside:
			t.handBack()
		default:
			t.rollback()
		}
	}()
	err = t.outcome(fn(t))
	if err == nil && t.conn == nil && len(t.last) > 0 {
		err = t.start()
	}
	if err != nil || t.conn == nil {
		return t.again, err
	}
	committing = true
	return t.commit()
}

// rollback waits for its answer: until then the number of the turn is not
// free.
func (t *tx) rollback() {
	_ = t.conn.roundTrip(context.Background(), &request{sql: sqlRollback}) // a connection that fails here is thrown away
	t.handBack()
}

// handBack gives the connection back, or to the session that goes on with it.
func (t *tx) handBack() {
	if t.turn.kept && t.conn.pg.TxStatus() == outside && !t.conn.pg.IsClosed() {
		t.turn.conn = t.conn
		return
	}
	t.conn.release()
}

// outside is the status of a connection that is in no transaction.
const outside = 'I'

// commit commits, after the writes that wait. The server says COMMIT when it is
// done, ROLLBACK when the transaction had failed, and a warning beside COMMIT
// when it is done here but not on the standbys that should have it: then it may
// be lost yet, and is not acknowledged.
func (t *tx) commit() (again bool, err error) {
	warnings := t.conn.pg.CustomData() // see onNotice
	delete(warnings, warned)
	r := &request{sql: sqlCommit}
	start := time.Now()
	err = t.conn.roundTrip(t.ctx, append(t.last, r)...)
	explained := explain(t.ctx, err)
	t.s.failing.Store(err != nil && !retryable(err) && !errors.Is(explained, store.ErrConflict) || warnings[warned] != nil)
	t.s.noteDisk(err, explained)
	switch {
	case retryable(err):
		return true, errContended
	case err != nil && (!isRefusal(err) || endsSession(err)):
		return false, errUnknown
	case err != nil:
		return false, explained
	case r.tag.String() != "COMMIT":
		return false, errRolledBack
	case warnings[warned] != nil:
		return false, errUnknown
	}
	t.s.stats.commits.Add(1)
	if t.s.watch != nil {
		t.s.watch(time.Since(start))
	}
	return false, nil
}

// pause waits before another run, longer each time, and by chance so long that
// those who met do not meet again.
func pause(ctx context.Context, run int) error {
	most := min(firstPause<<min(run, lastPauseRun), lastPause)
	var b [1]byte
	_, _ = rand.Read(b[:]) // never fails
	timer := time.NewTimer(most * time.Duration(b[0]) / 256)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Statements about a transaction.
const (
	sqlBeginView   = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`
	sqlBeginUpdate = `BEGIN ISOLATION LEVEL SERIALIZABLE`
	sqlCommit      = `COMMIT`
	sqlRollback    = `ROLLBACK`

	// The clock, and the limits of this transaction. They are local to it: a
	// PgBouncer in transaction mode refuses some as parameters of a session, and
	// keeps the others for nobody. Sequential scans are off, where there is such
	// a switch, because a scan of a table of a few rows, which the planner
	// prefers, makes a serializable transaction depend on every row. So is the
	// compiler: what can only be scanned then counts as costly beyond measure,
	// and compiling a plan for a table of three rows takes a quarter of a second.
	sqlSettings = `SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT),
		set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true),
		set_config('idle_in_transaction_session_timeout', $3, true),
		CASE WHEN current_setting('enable_seqscan', true) IS NULL THEN '' ELSE set_config('enable_seqscan', 'off', true) END,
		CASE WHEN current_setting('jit', true) IS NULL THEN '' ELSE set_config('jit', 'off', true) END`
)

// How long the server works on a statement, waits for a lock of another
// transaction, and waits for the next statement of a transaction.
const (
	statementTimeout = 5 * time.Second
	lockTimeout      = 3 * time.Second
	idleTimeout      = 5 * time.Second
)

var sessionLimits = []any{statementTimeout.String(), lockTimeout.String(), idleTimeout.String()}
