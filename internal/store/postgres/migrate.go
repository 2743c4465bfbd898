package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// Migrations are scripts, numbered from 1 without gaps. A released script never
// changes.
//
//go:embed migrations/*.sql
var migrationFiles embed.FS

// Tables of goose: the migrations that were applied, and the process that applies
// them now.
const (
	versionTable = "schema_version"
	lockTable    = "schema_lock"
)

// Statements about the schema and the server.
const (
	sqlTables = `
		SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = current_schema()`

	// It counts triggers and rules, except the rules that implement views.
	sqlForeign = `
		SELECT (SELECT count(*) FROM pg_catalog.pg_trigger g
				JOIN pg_catalog.pg_class c ON c.oid = g.tgrelid
				JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
				WHERE n.nspname = current_schema() AND NOT g.tgisinternal)
			+ (SELECT count(*) FROM pg_catalog.pg_rules r WHERE r.schemaname = current_schema())`

	// It counts functions and operators, except those of extensions. A cast of built-in
	// types needs a superuser. It reads large catalogs, so only Open asks.
	sqlForeignCode = `
		SELECT (SELECT count(*) FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
				WHERE n.nspname = current_schema() AND NOT EXISTS (
					SELECT 1 FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_class c ON c.oid = d.classid
					WHERE d.objid = p.oid AND d.deptype = 'e' AND c.relname = 'pg_proc'))
			+ (SELECT count(*) FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_namespace n ON n.oid = o.oprnamespace
				WHERE n.nspname = current_schema() AND NOT EXISTS (
					SELECT 1 FROM pg_catalog.pg_depend d JOIN pg_catalog.pg_class c ON c.oid = d.classid
					WHERE d.objid = o.oid AND d.deptype = 'e' AND c.relname = 'pg_operator'))`

	// Whether every role may create objects in the schema, as in the schema public of a
	// database that was made before PostgreSQL 15.
	sqlAnyoneCreates = `
		SELECT has_schema_privilege(CAST('public' AS NAME), CAST(current_schema() AS TEXT), CAST('CREATE' AS TEXT)), CAST(current_schema() AS TEXT)`

	sqlSchemaVersion = `
		SELECT coalesce(max(version_id), 0) FROM schema_version WHERE is_applied`

	// When the lease of a process that migrates ends.
	sqlLockedUntil = `
		SELECT CAST(CAST(extract(epoch FROM lease_expires_at) AS DOUBLE PRECISION) * CAST(1000000 AS DOUBLE PRECISION) AS BIGINT)
		FROM schema_lock WHERE locked AND lease_expires_at > clock_timestamp()`

	sqlServer = `
		SELECT current_schema() IS NOT NULL, current_setting('server_encoding'), current_setting('client_encoding'),
			coalesce(current_setting('synchronous_commit', true), 'on'), coalesce(current_setting('fsync', true), 'on')`

	sqlVersion = `SELECT version()`

	// If no row has this version, it writes nothing, but a standby still refuses it.
	sqlTouch = `
		UPDATE schema_version SET is_applied = is_applied WHERE version_id = $1`
)

// server is what a server reports about itself.
type server struct {
	schema                                    bool
	encoding, ofClient, commit, flushesToDisk string
}

func scanServer(r sqltx.Row) server {
	schema, _ := r.Flag()
	return server{schema, r.Text(), r.Text(), r.Text(), r.Text()}
}

// check refuses a server that would lose or change what was committed.
func (s server) check() error {
	switch {
	case !s.schema:
		return errors.New("the search path of the user of strongroom names no schema that exists: create one, owned by that user")
	case s.encoding != "UTF8":
		return errors.New("the database's encoding must be UTF8")
	case s.ofClient != "UTF8":
		return errors.New("the client_encoding of the connection must be UTF8: strongroom asks for UTF8, and the connection pooler ignores that; correct the settings of the pooler")
	case s.commit == "off" || s.flushesToDisk == "off":
		return errors.New("the server's synchronous_commit and fsync must not be off: a crash would undo changes that were acknowledged")
	}
	return nil
}

// inspect checks before the first use whether the database can be Strongroom's,
// whether this binary knows its schema, and whether it is distributed.
func (s *Store) inspect(ctx context.Context) error {
	have, known, err := s.readVersion(ctx, func(t *tx) (err error) {
		if s.citus, err = learnCitus(t); err != nil {
			return err
		}
		foreign, err := sqltx.One(t, sqltx.Row.Integer, sqlForeignCode)
		if err == nil && foreign > 0 { // a statement can call it instead of the server's
			return ErrForeignSchema
		}
		return err
	})
	if err == nil {
		err = store.CheckNotNewer(have, known)
	}
	if err != nil || s.citus == nil || have < known {
		return err
	}
	return s.wantNoPackedVerdicts(ctx)
}

// AnyoneCreates returns the statement to run if every role may create objects in the
// schema. It returns "" otherwise, and for an engine that cannot answer the question.
func (s *Store) AnyoneCreates(ctx context.Context) (revoke string) {
	var anyone bool
	var schema string
	err := s.view(ctx, func(t *tx) error {
		return t.Query(func(r sqltx.Row) {
			anyone, _ = r.Flag()
			schema = r.Text()
		}, sqlAnyoneCreates)
	})
	if err == nil && anyone {
		revoke = "REVOKE CREATE ON SCHEMA " + pgx.Identifier{schema}.Sanitize() + " FROM PUBLIC"
	}
	return revoke
}

// SchemaVersion returns the version of the schema in the database, 0 when it
// has none yet, and the version that this binary knows. The schema is current
// when they are equal.
func (s *Store) SchemaVersion(ctx context.Context) (have, known int64, err error) {
	return s.readVersion(ctx, func(*tx) error { return nil })
}

// readVersion returns the versions of [Store.SchemaVersion]. It calls the function
// also in the same transaction.
func (s *Store) readVersion(ctx context.Context, also func(*tx) error) (have, known int64, err error) {
	err = s.view(ctx, func(t *tx) error {
		if have, err = schemaVersion(t); err != nil {
			return err
		}
		return also(t)
	})
	if err != nil {
		return 0, 0, fmt.Errorf("reading the schema version: %w", err)
	}
	known, err = knownSchema()
	return have, known, err
}

func schemaVersion(t *tx) (int64, error) {
	var is server
	var names []string
	var foreign int64
	err := t.Interleave(
		store.Into(&is, func() (server, error) { return sqltx.One(t, scanServer, sqlServer) }),
		store.Into(&names, func() ([]string, error) { return sqltx.All(t, sqltx.Row.Text, sqlTables) }),
		store.Into(&foreign, func() (int64, error) { return sqltx.One(t, sqltx.Row.Integer, sqlForeign) }))
	if t.asynchronous { // not what sqlServer reads in this transaction
		is.commit = "off"
	}
	if err == nil {
		err = is.check()
	}
	if err != nil {
		return 0, err
	}
	others := slices.ContainsFunc(names, func(name string) bool { return name != versionTable && name != lockTable })
	switch versioned := slices.Contains(names, versionTable); {
	case !versioned && others:
		return 0, errForeignDatabase
	case foreign > 0:
		// A trigger runs inside Strongroom's transactions. It could undo a failed
		// attempt and remove its entry before the commit.
		return 0, ErrForeignSchema
	case !versioned:
		return 0, nil
	}
	t.Final()
	have, err := sqltx.One(t, sqltx.Row.Integer, sqlSchemaVersion)
	if errors.Is(err, store.ErrSchemaOutdated) || err == nil && have == 0 && others {
		t.err = errForeignDatabase // another program's table of this name
		return 0, t.err
	}
	return have, err
}

// knownSchema is the number of the last migration.
func knownSchema() (int64, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql")
	return int64(len(names)), err
}

// Migrate brings the schema to the version that this binary knows. If it has that
// version already, Migrate writes nothing. A schema that differs from its version
// is refused: see CheckSchema. Each migration is one transaction, except those
// that build indexes or check rows while others write. These can run again after an
// interruption. If several processes start at once, one migrates and the others wait.
// The lock is a row with a lease, because not every engine has other locks. If a long
// transaction uses a table that a migration changes, Migrate returns a
// [store.ErrUnavailable], and can be called again.
func (s *Store) Migrate(ctx context.Context) error {
	have, known, err := s.SchemaVersion(ctx)
	if err == nil {
		err = store.CheckNotNewer(have, known)
	}
	if err == nil {
		err = s.CheckSchema(ctx)
	}
	if err != nil || have == known {
		return err
	}
	if err := s.takesMigrations(ctx); err != nil {
		return fmt.Errorf("migrating the database: %w", err)
	}
	provider, err := s.provider()
	if err != nil {
		return fmt.Errorf("migrating the database: %w", err)
	}
	s.noteLock(ctx)
	_, err = provider.Up(ctx)
	if closing := provider.Close(); err == nil {
		err = closing
	}
	switch {
	case codeOf(err) == "55P03":
		return fmt.Errorf("migrating the database: %w", errTableInUse)
	case err != nil:
		return fmt.Errorf("migrating the database: %w", explain(ctx, err))
	}
	return nil
}

// noteLock logs that another process has the lock of migrations, and when the lock expires
// if that process was killed. A running process extends it.
func (s *Store) noteLock(ctx context.Context) {
	var until []time.Time
	err := s.view(ctx, func(t *tx) (err error) {
		names, err := sqltx.All(t, sqltx.Row.Text, sqlTables)
		if err == nil && slices.Contains(names, lockTable) {
			until, err = sqltx.All(t, sqltx.Row.Time, sqlLockedUntil)
		}
		return err
	})
	if err == nil && len(until) > 0 {
		s.log.WarnContext(ctx, "another process migrates the database, or was killed during a migration: waiting for its lock",
			"expires", until[0].Format(time.RFC3339), "most", (lockPoll * lockPolls).String())
	}
}

// takesMigrations refuses an engine that has a schema of its own: on CockroachDB the
// migrations fail, and on YugabyteDB each of their tables would be one tablet.
func (s *Store) takesMigrations(ctx context.Context) error {
	version := ""
	err := s.view(ctx, func(t *tx) (err error) {
		version, err = sqltx.One(t, sqltx.Row.Text, sqlVersion)
		return err
	})
	switch {
	case err != nil:
		return err
	case strings.HasPrefix(version, "CockroachDB "):
		return ownSchema("CockroachDB", "cockroach")
	case strings.Contains(version, "-YB-"):
		return ownSchema("YugabyteDB", "yugabyte")
	}
	return nil
}

func ownSchema(engine, dir string) error {
	return fmt.Errorf("this is %s, which needs its own schema: run deploy/%s/schema.sql of this version instead (see docs/how-to/citus.md#%s)",
		engine, dir, strings.ToLower(engine))
}

// How long a process waits for another one that migrates.
const (
	lockPoll  = 200 * time.Millisecond
	lockPolls = 1500
)

func (s *Store) provider() (*goose.Provider, error) {
	scripts, err := fs.Sub(migrationFiles, "migrations")
	if err != nil {
		return nil, err
	}
	quiet := slog.New(slog.DiscardHandler)
	locker, err := lock.NewPostgresTableLocker(lock.WithTableName(lockTable),
		lock.WithTableLockTimeout(lockPoll, lockPolls), lock.WithTableLogger(quiet))
	if err != nil {
		return nil, err
	}
	connect := s.connect.Copy()
	connect.RuntimeParams["datestyle"] = "ISO" // goose waits for its lock until it can read the lock's time
	return goose.NewProvider(goose.DialectPostgres, stdlib.OpenDB(*connect), scripts,
		goose.WithTableName(versionTable), goose.WithLocker(locker), goose.WithDisableGlobalRegistry(true), goose.WithSlog(quiet))
}
