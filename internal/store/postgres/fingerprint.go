package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// The schema of each released version is a file. A database for comparison cannot
// be created, because the user may lack the right.
//
//go:embed schemas/*.txt
var schemaFiles embed.FS

// Statements that list what the migrations made. They omit partitions, which are created
// and dropped later, and have the columns and indexes of their table.
const (
	sqlColumns = `
		SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
		WHERE table_schema = current_schema() AND table_name NOT IN ('schema_version', 'schema_lock')
			AND CAST(table_name AS TEXT) NOT LIKE 'audit\_verdict\_%'`

	sqlIndexes = `
		SELECT tablename, indexname, indexdef FROM pg_catalog.pg_indexes
		WHERE schemaname = current_schema() AND tablename NOT IN ('schema_version', 'schema_lock')
			AND CAST(tablename AS TEXT) NOT LIKE 'audit\_verdict\_%'`
)

// CheckSchema compares the schema in the database with the one that the
// migrations of its version make. It returns a [store.ErrSchemaDiffers] that
// names the differences. A version that was not released is not compared.
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
	return store.CheckSchema(have, found, releasedSchema)
}

// releasedSchema is what the migrations up to a version make, nil for a version
// that was not released.
func releasedSchema(version int64) (map[string]string, error) {
	text, err := schemaFiles.ReadFile(fmt.Sprintf("schemas/%05d.txt", version))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	parts := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, is, _ := strings.Cut(strings.TrimSpace(line), ": ")
		parts[name] = strings.ReplaceAll(is, `"`, "")
	}
	return parts, err
}

// schemaParts returns the columns and the indexes. Of an index it returns only the
// columns, because server versions format the condition differently.
func schemaParts(t *tx) (map[string]string, error) {
	parts := map[string]string{}
	type part struct{ name, is string }
	columns, err := sqltx.All(t, func(r sqltx.Row) part {
		return part{"column " + r.Text() + "." + r.Text(), strings.ReplaceAll(r.Text(), `"`, "") + ", nullable " + r.Text()} // quote_all_identifiers quotes types too
	}, sqlColumns)
	if err != nil {
		return nil, err
	}
	indexes, err := sqltx.All(t, func(r sqltx.Row) part {
		return part{"index " + r.Text() + "." + r.Text(), indexColumns(r.Text())}
	}, sqlIndexes)
	for _, p := range append(columns, indexes...) {
		parts[p.name] = p.is
	}
	return parts, err
}

// How other engines show an index, for what PostgreSQL shows as (a, b, c):
// YugabyteDB as ((a, b) HASH, c ASC), CockroachDB as (a ASC, b ASC, c ASC), perhaps
// followed by USING HASH WITH (bucket_count=16). Each quotes different names.
var (
	hashedTogether = regexp.MustCompile(`^\(([a-z_, ]+)\) HASH`)
	storedInOrder  = regexp.MustCompile(`\b([a-z_]+) (?:ASC|HASH)([,)])`)
)

// indexColumns is a definition of an index without its schema, its method, its
// condition, and what other engines say about where its rows are stored.
func indexColumns(definition string) string {
	definition, _, _ = strings.Cut(definition, " WHERE ")
	kind := "index"
	if strings.HasPrefix(definition, "CREATE UNIQUE ") {
		kind = "unique index"
	}
	_, columns, _ := strings.Cut(strings.ReplaceAll(definition, `"`, ""), "(")
	columns, _, _ = strings.Cut(columns, " USING HASH")
	columns = hashedTogether.ReplaceAllString(columns, "$1")
	return kind + " (" + storedInOrder.ReplaceAllString(columns, "$1$2")
}
