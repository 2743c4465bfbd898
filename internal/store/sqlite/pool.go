package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	driver "modernc.org/sqlite"
)

// busyWait is how long a transaction waits for the write lock while another
// process holds it. Within this process writers queue without a bound of
// their own: their contexts bound them.
const busyWait = 5 * time.Second

var errClosed = errors.New("store is closed")

// pool lends at most a fixed number of connections, in the order of arrival:
// the runtime serves those who wait on a channel in turn, while database/sql
// picks any of them, so that under load one could wait for ever.
type pool struct {
	db     *sql.DB
	turns  chan struct{} // holds an element for each connection that is lent
	closed chan struct{}

	mu   sync.Mutex
	idle []*session // guarded by mu; the last one back is the first to go
}

func newPool(dsn string, size int) (*pool, error) {
	connector, err := driver.NewConnector(dsn)
	if err != nil {
		return nil, fmt.Errorf("naming the database: %v", err)
	}
	db := sql.OpenDB(connector)
	db.SetMaxIdleConns(-1) // this pool keeps the connections: one that it closes is to be closed
	return &pool{db: db, turns: make(chan struct{}, size), closed: make(chan struct{})}, nil
}

// take lends a connection until give, and opens one when none is idle.
func (p *pool) take(ctx context.Context) (*session, error) {
	if ctx.Err() != nil { // else select might pick the turn all the same
		return nil, ctx.Err()
	}
	select {
	case p.turns <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for a database connection: %w", ctx.Err())
	case <-p.closed:
		return nil, errClosed
	}
	if ses := p.pop(); ses != nil {
		return ses, nil
	}
	var ses *session
	err := retryBusy(ctx, func() (err error) {
		ses, err = p.open(ctx)
		return err
	})
	if err != nil {
		<-p.turns
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

func (p *pool) pop() *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.idle)
	if n == 0 {
		return nil
	}
	ses := p.idle[n-1]
	p.idle = p.idle[:n-1]
	return ses
}

// give takes a connection back. One that is not known to be outside a
// transaction is closed, which rolls back whatever it was in.
func (p *pool) give(ses *session) {
	if ses.broken {
		_ = ses.close() // it is being abandoned: there is nobody to tell
	} else {
		p.mu.Lock()
		p.idle = append(p.idle, ses)
		p.mu.Unlock()
	}
	<-p.turns
}

// close waits for every connection to come back and closes it.
func (p *pool) close() error {
	close(p.closed)
	for range cap(p.turns) {
		p.turns <- struct{}{}
	}
	var errs []error
	for ses := p.pop(); ses != nil; ses = p.pop() {
		errs = append(errs, ses.close())
	}
	return errors.Join(append(errs, p.db.Close())...)
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

// close ends the connection. Its statements go first: SQLite keeps a
// connection, and the transaction that it is in, until the last one is gone.
func (s *session) close() error {
	var errs []error
	for _, stmt := range s.prepared {
		errs = append(errs, stmt.Close())
	}
	return errors.Join(append(errs, s.conn.Close())...)
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
