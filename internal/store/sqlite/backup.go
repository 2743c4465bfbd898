package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"

	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

const (
	sqlVacuumInto     = `VACUUM INTO $1`
	sqlIntegrityCheck = `PRAGMA integrity_check(1)`
	sqlQuickBegin     = `BEGIN EXCLUSIVE`
)

// SnapshotTo writes a consistent copy of the database into a new or empty file,
// while others read and write. It is one read transaction, so unlike SQLite's
// backup interface it does not start again when another process commits. It does
// not sync the file. When ctx is done it stops, and leaves an incomplete copy.
func (s *Store) SnapshotTo(ctx context.Context, path string) (err error) {
	have, known, err := s.SchemaVersion(ctx)
	if err == nil {
		err = store.CheckNotOutdated(have, known)
	}
	if err != nil {
		return err
	}
	// Not a connection of the pool: those refuse every write, also into another
	// file (query_only).
	c, err := open(ctx, func() (*conn, error) {
		return s.openConn(s.files.path, append([]string{"busy_timeout = 5000"}, sharedPragmas...))
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, explain(c.close())) }()
	defer c.interruptWith(ctx)()
	if _, err := c.exec(sqlVacuumInto, path); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("copying the database into %s: %w", path, explain(err))
	}
	return s.files.check()
}

// interruptWith stops what the connection runs when ctx is done, and what it begins
// later. The returned function ends that, and must be called before the connection is
// closed.
func (c *conn) interruptWith(ctx context.Context) (end func()) {
	ended, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-ended:
			return
		case <-ctx.Done():
		}
		tls := libc.NewTLS()
		defer tls.Close()
		again := time.NewTicker(20 * time.Millisecond) // between two statements, SQLite forgets an interrupt
		defer again.Stop()
		for {
			lib.Xsqlite3_interrupt(tls, c.db) // safe from another thread while the connection is open
			select {
			case <-ended:
				return
			case <-again.C:
			}
		}
	}()
	return func() {
		close(ended)
		<-stopped
	}
}

// CheckFile reads the whole database in the file, which no other process has
// open, and fails if its pages do not fit together (PRAGMA integrity_check). It
// returns the version of the schema, and refuses the file of another program. The
// schema is compared first: integrity_check evaluates the expressions in it.
func CheckFile(ctx context.Context, path string) (schema int64, err error) {
	file, err := prepareFile(path, true)
	if err != nil {
		return 0, err
	}
	c, err := openConn(file, append([]string{"busy_timeout = 0", "query_only = ON"}, sharedPragmas...))
	if err != nil {
		return 0, explain(err)
	}
	defer func() { err = errors.Join(err, explain(c.close())) }()
	defer c.interruptWith(ctx)()
	t := newTx(ctx, c, nil, began)
	known, err := knownSchema()
	if err != nil {
		return 0, err
	}
	if schema, err = schemaVersion(t); err != nil {
		return 0, err
	}
	if err := errors.Join(store.CheckNotNewer(schema, known), checkSchema(t, schema)); err != nil {
		return 0, err
	}
	found, err := sqltx.One(t, sqltx.Row.Text, sqlIntegrityCheck)
	if err == nil && found != "ok" {
		err = fmt.Errorf("SQLite finds the file damaged: %s", found)
	}
	return schema, err
}

// Count returns the number of rows of a table.
func (s *Source) Count(t store.Table) (int64, error) {
	return sqltx.One(s.tx, sqltx.Row.Integer, sqltx.CountTable(t))
}

// Schema is the version of the schema in the file.
func (s *Source) Schema() (int64, error) { return schemaVersion(s.tx) }

// Chains returns the names of the trail's chains.
func (s *Source) Chains() ([]string, error) { return s.tx.Chains() }

// Target is a new database that is filled with the rows of another engine. It is
// not safe for concurrent use.
type Target struct {
	conn    *conn
	inserts map[string]string
}

// CreateTarget makes a database with the newest schema in an empty or new file.
// Nothing in it is durable before the caller syncs the file after Close: an
// interrupted copy begins again from an empty file.
func CreateTarget(ctx context.Context, path string) (*Target, error) {
	s, err := Open(ctx, Config{Path: path})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(s.Migrate(ctx), s.Close()); err != nil {
		return nil, err
	}
	c, err := openConn(s.files.path, slices.Concat([]string{"journal_mode = OFF", "locking_mode = EXCLUSIVE"}, sharedPragmas, []string{"synchronous = OFF"}))
	if err != nil {
		return nil, explain(err)
	}
	if _, err := c.exec(sqlQuickBegin); err != nil {
		return nil, errors.Join(explain(err), c.close())
	}
	return &Target{conn: c, inserts: map[string]string{}}, nil
}

// Add adds a row to a table.
func (t *Target) Add(table store.Table, r store.Row) error {
	query := t.inserts[table.Name]
	if query == "" {
		query = sqltx.InsertRow(table)
		t.inserts[table.Name] = query
	}
	args := make([]any, len(r))
	for i := range r {
		args[i] = table.Value(r, i)
	}
	_, err := t.conn.exec(query, args...)
	return explain(err)
}

// Close ends the copy. The caller syncs the file.
func (t *Target) Close() error {
	return errors.Join(explain(t.conn.end(sqlCommit)), explain(t.conn.close()))
}
