package sqlite

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// sqlSchema lists the parts of the schema. It evaluates nothing that the file defines.
// Other rows are of indexes that SQLite made for a key of a table.
const sqlSchema = `SELECT type || ' ' || name, sql FROM sqlite_schema WHERE sql IS NOT NULL`

// part is a table, an index or another part of a schema.
type part struct {
	name string // with its type
	sql  string // its definition, unchanged
}

func schemaParts(t *tx) ([]part, error) {
	return sqltx.All(t, func(r sqltx.Row) part { return part{r.Text(), r.Text()} }, sqlSchema)
}

// byName are the definitions to compare.
func byName(parts []part) map[string]string {
	all := map[string]string{}
	for _, p := range parts {
		all[p.name] = plain(p.sql)
	}
	return all
}

// CheckSchema compares the schema in the file with the one that the migrations
// of its version make. It returns a [store.ErrSchemaDiffers] that names the
// differences.
func (s *Store) CheckSchema(ctx context.Context) error {
	return s.view(ctx, func(t *tx) error {
		have, err := schemaVersion(t)
		if err != nil {
			return err
		}
		return checkSchema(t, have)
	})
}

func checkSchema(t *tx, have int64) error {
	found, err := schemaParts(t)
	if err != nil {
		return err
	}
	return store.CheckSchema(have, byName(found), func(version int64) (map[string]string, error) { return schemaOf(t.ctx, version) })
}

// ownVersion is the version of the schema in a file of Strongroom. It checks first that
// reading the version evaluates nothing that another program defined.
func ownVersion(t *tx) (int64, error) {
	found, err := schemaParts(t)
	if err != nil {
		return 0, err
	}
	none, err := schemaOf(t.ctx, 0)
	if err != nil {
		return 0, err
	}
	have := byName(found)
	for name, definition := range none {
		if is := have[name]; is != definition {
			return 0, fmt.Errorf("%w: %s is %.200q and should be %q. Restore a backup", store.ErrSchemaDiffers, name, is, definition)
		}
	}
	version, err := sqltx.One(t, sqltx.Row.Integer, sqlSchemaVersion)
	if err != nil {
		return 0, err
	}
	made, err := schemaOf(t.ctx, version)
	if err != nil || made == nil { // a newer schema, which every caller refuses
		return version, err
	}
	return version, checkForeign(found, made)
}

// checkForeign refuses parts that SQLite could run, or that could refuse or change a row,
// and that no migration made. A trigger runs inside Strongroom's transactions: it could
// undo a failed attempt and remove its entry before the commit. An expression of an index
// or of a CHECK runs at each write and in integrity_check, and can take all memory. A
// unique index or a foreign key makes writes fail.
//
// Indexes of columns and tables without such rules stay allowed. An operator may have
// added one, and Litestream adds tables.
func checkForeign(found []part, made map[string]string) error {
	for _, p := range found {
		if made[p.name] != plain(p.sql) && !columnIndex.MatchString(p.sql) && (!strings.HasPrefix(p.sql, "CREATE TABLE ") || tableRule.MatchString(p.sql)) {
			return fmt.Errorf("database holds %.100q, which strongroom did not make: %w", p.name, ErrForeignSchema)
		}
	}
	return nil
}

// SQLite stores a definition with these words at its start, and the rest as it was
// written. It parses only that text, whose type and name must be those of the row.
var (
	columnIndex = func() *regexp.Regexp {
		const name = "(?:[A-Za-z_][A-Za-z0-9_]*|\"[^\"]*\")"
		const column = `\s*` + name + `(?:\s+COLLATE\s+` + name + `)?(?:\s+(?:ASC|DESC))?\s*`
		return regexp.MustCompile(`^(?i:CREATE INDEX\s+` + name + `\s+ON\s+` + name + `\s*\(` + column + `(?:,` + column + `)*\))$`)
	}()
	tableRule = regexp.MustCompile(`(?i)\b(?:CHECK|AS|REFERENCES)\b`) // AS: a generated column
)

// schemas keeps what schemaOf made, by version: it is the same in every store.
var schemas sync.Map

// schemaOf makes the schema of a version in memory, once in a process. It returns
// nil for a version that this binary does not know. Version 0 has only the table of
// versions.
func schemaOf(ctx context.Context, version int64) (parts map[string]string, err error) {
	if made, ok := schemas.Load(version); ok {
		return made.(map[string]string), nil
	}
	defer func() {
		if err == nil {
			schemas.Store(version, parts)
			return
		}
		err = fmt.Errorf("making the schema of version %d to compare with: %w", version, err)
	}()
	all, err := migrations()
	if err != nil || version > int64(len(all)) {
		return nil, err
	}
	c, err := openConn(":memory:", nil)
	if err != nil {
		return nil, explain(err)
	}
	defer func() { err = errors.Join(err, c.close()) }()
	if err := c.script(sqlVersionTable); err != nil {
		return nil, explain(err)
	}
	for _, m := range all[:version] {
		if err := c.script(m.script); err != nil {
			return nil, fmt.Errorf("migration %d: %w", m.version, explain(err))
		}
	}
	t := newTx(ctx, c, nil, began)
	defer t.end()
	found, err := schemaParts(t)
	return byName(found), err
}

// plain is a definition without its comments and its white space.
func plain(sql string) string {
	lines := strings.Split(sql, "\n")
	for i, line := range lines {
		lines[i], _, _ = strings.Cut(line, "--")
	}
	return strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
}
