package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"strongroom/internal/cli"
)

func TestMigrateStatusCountsPendingMigrations(t *testing.T) {
	kept, err := os.ReadFile(filepath.Join(repository, "internal/e2e/testdata/kept/0.5.0/strongroom.db")) // its schema is 7
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "strongroom.db"), kept, 0o600); err != nil {
		t.Fatal(err)
	}
	var out, problems strings.Builder
	code := run(t.Context(), []string{"migrate", "--status", "--data-dir", dir}, &out, &problems)
	if code != cli.ExitFailed || !strings.Contains(out.String(), "Pending migrations:     8") || !strings.Contains(problems.String(), "migrations are pending") {
		t.Errorf("exit %d, %s%s", code, out.String(), problems.String())
	}
}

func TestMigrateStatusReportsNewerSchemasAndUnfinishedCopies(t *testing.T) {
	for edit, want := range map[string]struct{ stdout, stderr string }{
		"INSERT INTO schema_version (version_id, is_applied) VALUES (9999, 1)":        {"", "newer strongroom (schema 9999, this binary knows "},
		"INSERT INTO setting (tenant, name, value) VALUES ('default', 'copy', x'7b')": {"Pending migrations:     none\n", "a copy that is not finished"},
	} {
		dir := filepath.Join(t.TempDir(), "data")
		var out, problems strings.Builder
		if code := run(t.Context(), []string{"migrate", "--data-dir", dir}, &out, &problems); code != cli.ExitOK {
			t.Fatalf("migrate: %d %s", code, problems.String())
		}
		db, err := sql.Open("sqlite", filepath.Join(dir, "strongroom.db"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(edit); err != nil {
			t.Fatal(err)
		}
		db.Close()
		out.Reset()
		code := run(t.Context(), []string{"migrate", "--status", "--data-dir", dir}, &out, &problems)
		if code != cli.ExitFailed || !strings.Contains(out.String(), want.stdout) || !strings.Contains(problems.String(), want.stderr) {
			t.Errorf("%s: exit %d, %s%s", edit, code, out.String(), problems.String())
		}
	}
}
