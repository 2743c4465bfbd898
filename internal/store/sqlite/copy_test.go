package sqlite

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
)

// A migration that adds a table or a column must add it to the list too, or a
// copy would leave it behind.
func TestTheTableListMatchesTheSchema(t *testing.T) {
	s := migrated(t, newPath(t))
	kinds := map[store.Kind]string{store.Text: "TEXT", store.Bytes: "BLOB", store.Integer: "INTEGER", store.Flag: "INTEGER", store.Small: "INTEGER"}
	want, got := map[string][]string{}, map[string][]string{}
	for _, table := range store.Tables {
		for i, c := range table.Columns {
			key := "0"
			if i < table.Keys {
				key = string(rune('1' + i))
			}
			want[table.Name] = append(want[table.Name], c.Name+" "+kinds[c.Kind]+" "+key)
		}
		slices.Sort(want[table.Name])
	}
	for _, name := range tables(t, s) {
		if name != "schema_version" && !strings.HasPrefix(name, "sqlite_") {
			got[name] = queryAll(t, s, "SELECT name || ' ' || type || ' ' || pk FROM pragma_table_info(?1) ORDER BY 1", name)
		}
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("store.Tables (-in the schema +in the list):\n%s", diff)
	}
}

func TestACopyReadsInPrimaryKeyOrder(t *testing.T) {
	s := migrated(t, newPath(t))
	for _, table := range store.Tables {
		after, args := make(store.Row, table.Keys), make([]any, table.Keys)
		for i := range args {
			args[i] = 0
		}
		for query, step := range map[string]string{sqltx.SelectTable(table, nil): "SCAN", sqltx.SelectTable(table, after): "SEARCH"} {
			plan := explained(t, s, query, args[:strings.Count(query, "$")])
			if len(plan) != 1 || !strings.HasPrefix(plan[0], step) {
				t.Errorf("%s: %q, want one %s", query, plan, step)
			}
		}
	}
}

func explained(t *testing.T, s *Store, query string, args []any) (plan []string) {
	t.Helper()
	err := s.view(context.Background(), func(tx *tx) (err error) {
		plan, err = sqltx.All(tx, scanPlan, "EXPLAIN QUERY PLAN "+query, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func TestASourceHasExclusiveAccessToTheFile(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	s := migrated(t, path)
	_, err := OpenSource(ctx, path)
	wantError(t, err, "another process has "+path+" open")
	put(t, s, "name", nil) // it was not disturbed
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	from, err := OpenSource(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if _, err := Open(short, Config{Path: path}); err == nil {
		t.Error("a store was opened on a source")
	}
	if _, err := OpenSource(ctx, path); err == nil {
		t.Error("a source was opened twice")
	}
	if err := from.Close(); err != nil {
		t.Fatal(err)
	}
	put(t, migrated(t, path), "name", nil)
}

func TestASourceOfAnotherSchemaIsRefused(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	s := opened(t, path)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenSource(ctx, path); !errors.Is(err, store.ErrSchemaOutdated) {
		t.Errorf("not migrated: %v", err)
	}
	s = migrated(t, path)
	run(t, s, "INSERT INTO schema_version (version_id, is_applied) VALUES (9999, 1)")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenSource(ctx, path); !errors.Is(err, store.ErrSchemaNewer) {
		t.Errorf("newer: %v", err)
	}
	if _, err := OpenSource(ctx, newPath(t)); err == nil || !strings.Contains(err.Error(), "there is no database") {
		t.Errorf("missing: %v", err)
	}
}
