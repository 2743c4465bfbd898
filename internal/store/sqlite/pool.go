package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// busyWait is how long a transaction waits for the write lock while another
// process holds it. Within this process writers queue without a bound of
// their own: their contexts bound them.
const busyWait = 5 * time.Second

var errClosed = errors.New("store is closed")

// pool lends a fixed number of connections, opened when first needed, in the
// order of arrival: the runtime serves the receivers of a channel in turn,
// while database/sql picks any waiter, so that under load one could wait for
// ever.
type pool struct {
	db     *sql.DB
	slots  chan *session // nil: a connection not opened yet
	closed chan struct{}
}

func newPool(dsn string, size int) (*pool, error) {
	db, err := open(dsn)
	if err != nil {
		return nil, err
	}
	p := &pool{db: db, slots: make(chan *session, size), closed: make(chan struct{})}
	for range size {
		p.slots <- nil
	}
	return p, nil
}

// take lends a connection until give.
func (p *pool) take(ctx context.Context) (*session, error) {
	var ses *session
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for a database connection: %w", ctx.Err())
	case <-p.closed:
		return nil, errClosed
	case ses = <-p.slots:
	}
	if ses != nil {
		return ses, nil
	}
	err := retryBusy(ctx, func() (err error) {
		ses, err = p.open(ctx)
		return err
	})
	if err != nil {
		p.slots <- nil
		return nil, explain(err)
	}
	return ses, nil
}

func (p *pool) open(ctx context.Context) (*session, error) {
	conn, err := p.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &session{conn: conn, closed: p.closed, prepared: make(map[string]*sql.Stmt)}, nil
}

// give takes a connection back. One that is not known to be outside a
// transaction is closed, which rolls back whatever it was in.
func (p *pool) give(ses *session) {
	if ses.broken {
		_ = ses.conn.Close() // it is being abandoned: there is nobody to tell
		ses = nil
	}
	p.slots <- ses
}

// close waits for every connection to come back and closes it.
func (p *pool) close() error {
	select {
	case <-p.closed:
		return nil
	default:
	}
	close(p.closed)
	var first error
	for range cap(p.slots) {
		if ses := <-p.slots; ses != nil {
			if err := ses.conn.Close(); err != nil && first == nil {
				first = err
			}
		}
	}
	if err := p.db.Close(); err != nil && first == nil {
		first = err
	}
	return first
}

// session is one connection with the statements prepared on it. It belongs to
// whoever took it from its pool.
//
// Statements run without the caller's context: the driver would start a
// goroutine for each to watch it, and each finds its rows by index, in
// microseconds. A transaction looks at its context between them.
type session struct {
	conn     *sql.Conn
	closed   <-chan struct{} // of its pool
	prepared map[string]*sql.Stmt
	broken   bool // its state is unknown: not to be used again
}

func (s *session) prepare(query string) (*sql.Stmt, error) {
	if stmt, ok := s.prepared[query]; ok {
		return stmt, nil
	}
	stmt, err := s.conn.PrepareContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	s.prepared[query] = stmt
	return stmt, nil
}

func (s *session) exec(query string, args ...any) (int64, error) {
	stmt, err := s.prepare(query)
	if err != nil {
		return 0, err
	}
	result, err := stmt.ExecContext(context.Background(), args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// end ends the transaction that the session is in, by COMMIT or ROLLBACK.
func (s *session) end(query string) error {
	_, err := s.exec(query)
	if err != nil {
		s.broken = true
	}
	return err
}

// begin starts a transaction. Between attempts it looks at ctx.
func begin(ctx context.Context, s *session, query string) error {
	err := retryBusy(ctx, func() error {
		_, err := s.exec(query)
		return err
	})
	if err != nil && !isBusy(err) && ctx.Err() == nil {
		s.broken = true
	}
	return explain(err)
}

// retryBusy calls fn until another process no longer stands in its way, or
// busyWait has passed. The waiting itself is done inside fn, by SQLite.
func retryBusy(ctx context.Context, fn func() error) error {
	start := time.Now()
	for {
		err := fn()
		if err == nil || !isBusy(err) || time.Since(start) > busyWait {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}
