package sqlite

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// Migrations are scripts, numbered from 1 without gaps. A released script never
// changes.
//
//go:embed migrations/*.sql
var migrationFiles embed.FS

// applicationID is what migration 1 writes into the file's header.
const applicationID = 0x53747252 // "StrR"

// Statements about the schema.
const (
	sqlApplicationID = `PRAGMA application_id`
	sqlTables        = `SELECT count(*) FROM sqlite_schema`
	sqlSchemaVersion = `SELECT max(0, coalesce(max(version_id), 0)) FROM schema_version`

	sqlVersionTable = `CREATE TABLE IF NOT EXISTS schema_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	)`
	sqlInsertVersion = `INSERT INTO schema_version (version_id, is_applied) VALUES ($1, 1)`
)

// SchemaVersion returns the version of the schema in the file, 0 if it has none
// yet, and the version that this binary knows. The schema is current if they are
// equal.
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

// schemaVersion is the first read of a file. It refuses a file of another program, and
// a part of the schema that SQLite could run (see checkForeign).
func schemaVersion(t *tx) (int64, error) {
	id, err := sqltx.One(t, sqltx.Row.Integer, sqlApplicationID)
	if err != nil {
		return 0, err
	}
	if id == applicationID {
		return ownVersion(t)
	}
	// An empty file is filled. Any other file belongs to another program, and
	// Strongroom adds no tables to it.
	tables, err := sqltx.One(t, sqltx.Row.Integer, sqlTables)
	if err != nil {
		return 0, err
	}
	if id != 0 || tables > 0 {
		return 0, errors.New("the file is the SQLite database of another program: check the path")
	}
	return 0, nil
}

// migration is one script.
type migration struct {
	version int64
	script  string
}

// migrations are all that this binary knows, in order. They are only read.
var migrations = sync.OnceValues(func() ([]migration, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql") // sorted
	if err != nil {
		return nil, err
	}
	all := make([]migration, len(names))
	for i, name := range names {
		number, _, _ := strings.Cut(strings.TrimPrefix(name, "migrations/"), "_")
		version, err := strconv.ParseInt(number, 10, 64)
		if err != nil || version != int64(i)+1 {
			return nil, fmt.Errorf("migration %d is named %s", i+1, name)
		}
		script, err := migrationFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all[i] = migration{version, string(script)}
	}
	return all, nil
})

// knownSchema is the number of the last migration.
func knownSchema() (int64, error) {
	all, err := migrations()
	return int64(len(all)), err
}

// Migrate brings the schema to the version that this binary knows. If it has that
// version already, Migrate writes nothing. A schema that differs from its version
// is refused: see CheckSchema. All missing migrations are one transaction, so a
// failure or a crash leaves the schema as it was. If several processes start at
// once, one migrates and the others wait for it.
func (s *Store) Migrate(ctx context.Context) error {
	have, known, err := s.SchemaVersion(ctx)
	if err == nil {
		err = s.CheckSchema(ctx)
	}
	if err != nil || have == known {
		return err
	}
	err = s.writer.update(ctx, func(t *tx) error {
		// Read again, now that no other process can write.
		have, err := schemaVersion(t)
		if err != nil || have == known {
			return err
		}
		if err := store.CheckNotNewer(have, known); err != nil {
			return err
		}
		return t.migrate(have, filepath.Dir(s.files.path))
	})
	if err != nil {
		return fmt.Errorf("migrating the database: %w", err)
	}
	return nil
}

// migrate runs the scripts after version have, and notes that. If a script sorts
// more than memory holds, it uses unnamed files in dir, the directory of the
// database: it has room and the right permissions.
func (t *tx) migrate(have int64, dir string) error {
	all, err := migrations()
	if err != nil {
		return err
	}
	sortIn := func(dir string) error {
		return t.conn.script("PRAGMA temp_store_directory = '" + strings.ReplaceAll(dir, "'", "''") + "'")
	}
	if err := sortIn(dir); err != nil {
		return t.fail(err)
	}
	defer func() { _ = sortIn("") }() // only a transaction that failed refuses it
	if _, err := t.Exec(sqlVersionTable); err != nil {
		return err
	}
	for _, m := range all[have:] {
		if err := t.conn.script(m.script); err != nil {
			return fmt.Errorf("migration %d: %w", m.version, t.fail(err))
		}
		if _, err := t.Exec(sqlInsertVersion, m.version); err != nil {
			return err
		}
	}
	return nil
}
