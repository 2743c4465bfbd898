package sqlite

import (
	"context"
	"os"
	"strings"
	"testing"

	"strongroom/internal/store"
)

// Migration 1 was edited once, when databases that it had made were in use:
// they lack the columns mac and before. One of them is refused by name, and
// left as it is.
func TestADatabaseOfAnEditedMigrationIsRefused(t *testing.T) {
	first, err := os.ReadFile("testdata/00001_before_it_was_edited.sql")
	if err != nil {
		t.Fatal(err)
	}
	s := opened(t, newPath(t))
	err = s.writer.update(t.Context(), func(tx *tx) error {
		if _, err := tx.Exec(sqlVersionTable); err != nil {
			return err
		}
		if err := tx.conn.script(string(first)); err != nil {
			return err
		}
		_, err := tx.Exec(sqlInsertVersion, int64(1))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for what, check := range map[string]func(context.Context) error{"CheckSchema": s.CheckSchema, "Migrate": s.Migrate} {
		err := check(t.Context())
		wantError(t, err, store.ErrSchemaDiffers.Error())
		for _, words := range []string{"table device_key is", "mac BLOB NOT NULL", "index device_key_grace is missing", "Restore a backup"} {
			if !strings.Contains(err.Error(), words) {
				t.Errorf("%s does not say %q: %v", what, words, err)
			}
		}
	}
	if have, _, err := s.SchemaVersion(t.Context()); have != 1 || err != nil {
		t.Errorf("the schema is at version %d, %v, want 1 as before", have, err)
	}
}

func TestTheSchemaCheckReportsOnlyMissingIndexes(t *testing.T) {
	s := migrated(t, newPath(t))
	if err := s.CheckSchema(t.Context()); err != nil {
		t.Error(err)
	}
	setWriter(t, s, "CREATE INDEX of_the_operator ON setting (name)")
	if err := s.CheckSchema(t.Context()); err != nil {
		t.Errorf("with an index of the operator: %v", err)
	}
	setWriter(t, s, "DROP INDEX device_key_age")
	wantError(t, s.CheckSchema(t.Context()), "index device_key_age is missing")
}
