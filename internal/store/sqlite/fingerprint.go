package sqlite

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// sqlSchema lists what the migrations made.
const sqlSchema = `SELECT type || ' ' || name, sql FROM sqlite_schema
	WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND tbl_name <> 'schema_version'`

// CheckSchema compares the schema in the file with the one that the migrations
// of its version make. It returns a [store.ErrSchemaDiffers] that names the
// differences.
func (s *Store) CheckSchema(ctx context.Context) error {
	var have int64
	var found map[string]string
	err := s.view(ctx, func(t *tx) (err error) {
		if have, err = schemaVersion(t); err == nil && have > 0 {
			found, err = schemaParts(t)
		}
		return err
	})
	if err != nil {
		return err
	}
	return store.CheckSchema(have, found, func(version int64) (map[string]string, error) {
		made, err := s.schemaOf(ctx, version)
		if err != nil {
			return nil, fmt.Errorf("making the schema of version %d to compare with: %w", version, err)
		}
		return made, nil
	})
}

// schemas keeps what schemaOf made, by version: it is the same in every store.
var schemas sync.Map

// schemaOf makes the schema of a version in memory, once in a process. It returns
// nil for a version that this binary does not know.
func (s *Store) schemaOf(ctx context.Context, version int64) (parts map[string]string, err error) {
	if made, ok := schemas.Load(version); ok {
		return made.(map[string]string), nil
	}
	defer func() {
		if err == nil {
			schemas.Store(version, parts)
		}
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
	for _, m := range all[:version] {
		if err := c.script(m.script); err != nil {
			return nil, fmt.Errorf("migration %d: %w", m.version, explain(err))
		}
	}
	t := newTx(ctx, c, nil, s.now())
	defer t.end()
	return schemaParts(t)
}

func schemaParts(t *tx) (map[string]string, error) {
	parts := map[string]string{}
	err := t.Query(func(r sqltx.Row) { name := r.Text(); parts[name] = plain(r.Text()) }, sqlSchema)
	return parts, err
}

// plain is a definition without its comments and its white space.
func plain(sql string) string {
	lines := strings.Split(sql, "\n")
	for i, line := range lines {
		lines[i], _, _ = strings.Cut(line, "--")
	}
	return strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
}
