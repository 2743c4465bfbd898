package postgres

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"strongroom/internal/store"
	"strongroom/internal/store/postgres/pgtest"
)

var update = flag.Bool("update", false, "write the files of the schemas of all versions")

func TestEachSchemaVersionMatchesItsFile(t *testing.T) {
	oneGoroutine(t)
	s := opened(t, pgtest.Database(t))
	provider, err := s.provider()
	if err != nil {
		t.Fatal(err)
	}
	defer provider.Close()
	known, err := knownSchema()
	if err != nil {
		t.Fatal(err)
	}
	released := string(must(os.ReadFile("../released.sha256")))
	for version := int64(1); version <= known; version++ {
		if _, err := provider.UpTo(t.Context(), version); err != nil {
			t.Fatal(err)
		}
		if *update {
			writeSchema(t, s, version)
		}
		if err := s.CheckSchema(t.Context()); err != nil {
			t.Error(err)
		}
		want, err := releasedSchema(version)
		if err != nil || len(want) == 0 && strings.Contains(released, fmt.Sprintf("postgres/migrations/%05d_", version)) {
			t.Errorf("schema %d was released and has no file; run this test with -update: %v", version, err)
		}
	}
}

func writeSchema(t *testing.T, s *Store, version int64) {
	t.Helper()
	var parts map[string]string
	err := s.view(t.Context(), func(t *tx) (err error) {
		parts, err = schemaParts(t)
		return err
	})
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		fmt.Fprintf(&text, "%s: %s\n", name, parts[name])
	}
	if err == nil {
		err = os.WriteFile(fmt.Sprintf("schemas/%05d.txt", version), []byte(text.String()), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestASchemaThatDiffersFromItsVersionIsRefused(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	address := pgtest.Database(t)
	s := opened(t, address)
	provider := must(s.provider())
	defer provider.Close()
	if _, err := provider.UpTo(t.Context(), 5); err != nil { // as a released binary made it
		t.Fatal(err)
	}
	run(t, address, "CREATE INDEX of_the_operator ON setting (name)")
	if err := s.CheckSchema(t.Context()); err != nil {
		t.Errorf("with an index of the operator: %v", err)
	}
	run(t, address, "ALTER TABLE device_key DROP COLUMN mac")
	err := s.Migrate(t.Context())
	wantError(t, err, store.ErrSchemaDiffers)
	if err == nil || !strings.Contains(err.Error(), "column device_key.mac is missing") {
		t.Errorf("the difference is not named: %v", err)
	}
}
