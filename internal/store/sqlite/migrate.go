package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// applicationID is what migration 1 writes into the file's header.
const applicationID = 0x53747252 // "StrR"

// Statements about the schema.
const (
	sqlApplicationID = `PRAGMA application_id`
	sqlTables        = `SELECT count(*) FROM sqlite_schema`
	sqlForeign       = `SELECT count(*) FROM sqlite_schema WHERE type IN ('trigger', 'view')`
	sqlSchemaVersion = `SELECT coalesce(max(version_id), 0) FROM schema_version`
	sqlSavepoint     = `SAVEPOINT migration`
	sqlRelease       = `RELEASE migration`
	sqlRollbackTo    = `ROLLBACK TO migration`
)

// SchemaVersion returns the version of the schema in the file, 0 when it has
// none yet, and the version that this binary knows. The schema is current when
// they are equal.
func (s *Store) SchemaVersion(ctx context.Context) (have, known int64, err error) {
	err = s.view(ctx, func(t *tx) error {
		have, err = schemaVersion(t)
		return err
	})
	if err != nil {
		return 0, 0, fmt.Errorf("reading the schema version: %w", err)
	}
	known, err = knownSchema()
	return have, known, err
}

func schemaVersion(t *tx) (int64, error) {
	id, err := row(t, scanValue[int64], sqlApplicationID)
	if err != nil {
		return 0, err
	}
	if id == applicationID {
		// A trigger would run inside our transactions, and could undo a failure
		// and drop the entry that tells of it before anyone sees either.
		if foreign, err := row(t, scanValue[int64], sqlForeign); err != nil || foreign > 0 {
			return 0, cmp.Or(err, ErrForeignSchema)
		}
		return row(t, scanValue[int64], sqlSchemaVersion)
	}
	// An empty file is ours to fill. Anything else belongs to another program,
	// whose tables must not get ours for company.
	tables, err := row(t, scanValue[int64], sqlTables)
	if err != nil {
		return 0, err
	}
	if id != 0 || tables > 0 {
		return 0, errors.New("the file is the SQLite database of another program: check the path")
	}
	return 0, nil
}

// knownSchema is the number of the last migration.
func knownSchema() (int64, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil || len(names) == 0 {
		return 0, fmt.Errorf("listing migrations: %v", err)
	}
	return goose.NumericComponent(names[len(names)-1])
}

func newerSchema(have, known int64) error {
	if have > known {
		return fmt.Errorf("%w (schema %d, this binary knows %d): upgrade the binary", ErrSchemaNewer, have, known)
	}
	return nil
}

// Migrate brings the schema to the version this binary knows; when it is there
// already, nothing is written. All missing migrations are one transaction, so
// a failure or a crash leaves the schema that was there. Of several processes
// that start at once, one migrates and the others wait for it.
func (s *Store) Migrate(ctx context.Context) error {
	have, known, err := s.SchemaVersion(ctx)
	if err != nil || have == known {
		return err
	}
	err = s.update(ctx, func(t *tx) error {
		// Looked up again, now that nobody else can write.
		have, err := schemaVersion(t)
		if err != nil || have == known {
			return err
		}
		if err := newerSchema(have, known); err != nil {
			return err
		}
		return t.ses.conn.Raw(func(conn any) error {
			return explain(applyMigrations(t.ctx, conn.(sqldriver.Conn)))
		})
	})
	if err != nil {
		return fmt.Errorf("migrating the database: %w", err)
	}
	return nil
}

// applyMigrations runs goose on a connection that is in a transaction.
//
// goose has no lock for SQLite and begins a transaction for each migration,
// after it decided what is missing: two processes would both decide the same.
// The lock that SQLite has is the write lock, which the transaction around
// this holds from before the decision; nested turns goose's own transactions
// into savepoints inside it.
func applyMigrations(ctx context.Context, conn sqldriver.Conn) error {
	files, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector{nested{conn}})
	db.SetMaxOpenConns(1)
	defer db.Close()
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files,
		goose.WithTableName("schema_version"), goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

// connector hands the one connection to goose's [sql.DB].
type connector struct{ conn nested }

func (c connector) Connect(context.Context) (sqldriver.Conn, error) { return c.conn, nil }
func (c connector) Driver() sqldriver.Driver                        { return nil }

// nested is a connection inside a transaction of somebody else's, who also
// closes it.
type nested struct{ sqldriver.Conn }

func (n nested) Close() error { return nil }

func (n nested) Begin() (sqldriver.Tx, error) { return n, n.exec(sqlSavepoint) }

func (n nested) Commit() error { return n.exec(sqlRelease) }

func (n nested) Rollback() error { return errors.Join(n.exec(sqlRollbackTo), n.exec(sqlRelease)) }

func (n nested) exec(query string) error {
	_, err := n.Conn.(sqldriver.ExecerContext).ExecContext(context.Background(), query, nil)
	return err
}
