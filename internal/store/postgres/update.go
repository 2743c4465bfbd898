package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"strongroom/internal/store"
)

// Bounds of a transaction that conflicts with others. Each conflict means that
// another transaction made progress.
const (
	maxRuns   = 32
	runsUntil = 10 * time.Second // no further run begins after it
	queueWait = 5 * time.Second  // for the turn, in each run

	firstPause, lastPause = 2 * time.Millisecond, 100 * time.Millisecond
	lastPauseRun          = 10 // from this run on, pauses are the longest
)

// View runs fn on one snapshot, taken at its first read. If the server refuses the
// transaction because of another one, or the connection is lost, fn runs again,
// within the bounds of an Update. If fn reads on after its final read, fn runs again
// too (see [tx.Final]). PostgreSQL refuses no such transaction on a primary.
// CockroachDB and YugabyteDB may.
//
// Unless its last read ended it, the transaction ends after View has returned: fn's
// result does not depend on its end, and waiting for it would cost a round trip.
func (s *Store) View(ctx context.Context, fn func(store.Tx) error) error {
	return s.view(ctx, func(t *tx) error { return fn(t) })
}

func (s *Store) view(ctx context.Context, fn func(*tx) error) error {
	var t *tx
	look := func(endsEarly bool) error {
		return s.repeat(ctx, func() (again bool, err error) {
			t = s.newTx(ctx, sqlBeginView)
			t.endsEarly = endsEarly
			return t.look(fn)
		})
	}
	err := look(true)
	if t.cutOff && !t.passedOn {
		err = look(false)
	}
	return err
}

// look is one run of a View. If another one may follow, err is the reason.
func (t *tx) look(fn func(*tx) error) (again bool, err error) {
	if err := t.alive(); err != nil {
		return false, err
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
	err = t.outcome(fn(t))
	return t.again && !t.passedOn, err
}

// repeat runs a transaction until it need not run again, within bounds.
func (s *Store) repeat(ctx context.Context, run func() (again bool, err error)) error {
	start := time.Now()
	for n := 1; ; n++ {
		again, err := run()
		if !again {
			return err
		}
		s.stats.repeats.Add(1)
		if n == maxRuns || time.Since(start) > runsUntil {
			return err
		}
		if err := pause(ctx, n); err != nil {
			return err
		}
	}
}

// outcome is the result of a transaction whose function returned err. A failure
// of the engine comes first, because the function decided without the data that
// it asked for.
func (t *tx) outcome(err error) error {
	if failed := t.err; failed != nil && !errors.Is(err, failed) {
		return failed
	}
	if err != nil {
		return err
	}
	return t.alive()
}

// Update runs fn in one SERIALIZABLE transaction: it has the effect of running
// alone, or it is not committed. If the server refuses it because of another
// transaction (SQLSTATE 40001 and 40P01), or the connection is lost before COMMIT
// was sent, fn runs again, within bounds.
//
// Update checks ctx until fn has returned. After that the transaction ends, and
// Update returns its outcome. If the connection is lost between COMMIT and its
// answer, the outcome is unknown, and the error says so. Update does not run fn
// again then, because the change could be made twice.
func (s *Store) Update(ctx context.Context, fn func(store.Tx) error) error {
	return s.update(ctx, func(t *tx) error { return fn(t) })
}

func (s *Store) update(ctx context.Context, fn func(*tx) error) error {
	turn := s.turnOf(ctx)
	defer turn.rest()
	return s.repeat(ctx, func() (again bool, err error) {
		turn.end = time.Now().Add(queueWait)
		if again, err = s.run(ctx, turn, fn); again {
			turn.pause()
		}
		return again, err
	})
}

// run is one run of an Update. If another one may follow, err is the reason.
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

// rollback waits for the answer, because the number of the turn is in use until
// then.
func (t *tx) rollback() {
	_ = t.conn.roundTrip(context.Background(), &request{sql: sqlRollback}) // a connection that fails here is thrown away
	t.handBack()
}

// handBack gives the connection to the session that continues with it, or back to
// the pool.
func (t *tx) handBack() {
	if t.turn.kept && t.conn.pg.TxStatus() == outside && !t.conn.pg.IsClosed() {
		t.turn.conn = t.conn
		return
	}
	t.conn.release()
}

// outside is the status of a connection that is in no transaction.
const outside = 'I'

// commit sends the writes that wait, and COMMIT. The server answers COMMIT if it
// committed, ROLLBACK if the transaction had failed, and COMMIT with a warning if
// it committed here but not on the standbys that must have it. Such a commit may
// still be lost, so it is not acknowledged. That warning has no SQLSTATE of its own.
func (t *tx) commit() (again bool, err error) {
	warnings := t.conn.pg.CustomData() // see onNotice
	forget := func() { delete(warnings, warned); delete(warnings, undone) }
	forget()                                     // COMMIT is not answered if a write before it fails
	r := &request{sql: sqlCommit, first: forget} // a warning about a write says nothing about the commit
	start := time.Now()
	err = t.conn.roundTrip(t.ctx, append(t.last, r)...)
	explained, again := explain(t.ctx, err), retryable(err) || t.numberGone(err) || t.notHere(err)
	t.s.failing.Store(err != nil && !again && !errors.Is(explained, store.ErrConflict) || warnings[warned] != nil)
	t.s.noteDisk(err, explained)
	switch {
	case again, nodeFailed(err) && warnings[undone] != nil:
		return true, errContended
	case nodeFailed(err) && warnings[warned] != nil, err != nil && (!isRefusal(err) || leavesOpen(err)):
		return false, errUnknown
	case errors.Is(explained, store.ErrConflict):
		return false, t.refusal()
	case err != nil:
		return false, explained
	case r.tag.String() != "COMMIT":
		return false, errRolledBack
	case warnings[warned] != nil:
		return false, errUnknown
	case t.headless:
		return false, errHeadless
	}
	t.s.stats.commits.Add(1)
	if t.s.watch != nil {
		t.s.watch(time.Since(start))
	}
	return false, nil
}

// pause waits before another run, longer each time. The random part keeps
// transactions that conflicted from conflicting again.
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

	// The server's clock in microseconds. It is multiplied as DOUBLE PRECISION, which every
	// engine has an operator for and which is exact to the microsecond.
	sqlNow = `CAST(CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION) * CAST(1000000 AS DOUBLE PRECISION) AS BIGINT)`

	// The clock, and the limits of this transaction. They are local to it: a
	// PgBouncer in transaction mode refuses some of them as parameters of a
	// session, and does not keep the others. Sequential scans are off, because
	// they make a serializable transaction depend on every row of a table, and
	// the planner prefers them for small tables. CockroachDB has no such switch.
	// The JIT compiler is off too: a plan that must scan then counts as very
	// costly, and compiling it takes a quarter of a second even for three rows.
	//
	// ALTER ROLE can change two settings while this process runs, and new connections
	// take them over. Without synchronous_commit, a crash would lose a commit that was
	// acknowledged. Without warnings, commit would acknowledge one that no standby has.
	// The second column is not empty if synchronous_commit was off.
	sqlSettings = `SELECT ` + sqlNow + `,
		CASE WHEN current_setting('synchronous_commit', true) = 'off' THEN set_config('synchronous_commit', 'on', true) ELSE '' END,
		CASE WHEN current_setting('client_min_messages', true) IS NULL THEN '' ELSE set_config('client_min_messages', 'warning', true) END,
		set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true),
		set_config('idle_in_transaction_session_timeout', $3, true),
		CASE WHEN current_setting('enable_seqscan', true) IS NULL THEN '' ELSE set_config('enable_seqscan', 'off', true) END,
		CASE WHEN current_setting('jit', true) IS NULL THEN '' ELSE set_config('jit', 'off', true) END`

	// On Citus, a transaction has a snapshot for each connection from the coordinator to
	// a node. With one connection to each node, it sees one moment of each account.
	sqlSettingsOnCitus = sqlSettings + `, set_config('citus.max_adaptive_executor_pool_size', '1', true)`

	// The clock, on a direct connection to a node of Citus: see openNode.
	sqlClock = `SELECT CAST(CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION) * CAST($1 AS DOUBLE PRECISION) AS BIGINT)`
)

// How long the server works on a statement, waits for a lock of another
// transaction, and waits for the next statement of a transaction.
const (
	statementTimeout = 5 * time.Second
	lockTimeout      = 3 * time.Second
	idleTimeout      = 5 * time.Second
)

var (
	limits        = [3]time.Duration{statementTimeout, lockTimeout, idleTimeout}
	sessionLimits = []any{limits[0].String(), limits[1].String(), limits[2].String()}
)
