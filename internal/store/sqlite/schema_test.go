package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/modfile"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
	"strongroom/internal/store/storetest"
)

func TestANewFileMustBeMigratedFirst(t *testing.T) {
	ctx := context.Background()
	s := opened(t, newPath(t))
	have, known, err := s.SchemaVersion(ctx)
	if err != nil || have != 0 || known < 1 {
		t.Fatalf("schema %d of %d (%v), want 0 of at least 1", have, known, err)
	}
	if err := s.Ping(ctx); !errors.Is(err, store.ErrSchemaOutdated) {
		t.Errorf("Ping: %v, want %v", err, store.ErrSchemaOutdated)
	}
	if err := s.Update(ctx, func(tx store.Tx) error { return tx.PutSetting("name", nil) }); err == nil {
		t.Error("a write before the migration succeeded")
	}
	for range 2 {
		if err := s.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		if have, _, err := s.SchemaVersion(ctx); err != nil || have != known {
			t.Fatalf("after Migrate: schema %d (%v), want %d", have, err, known)
		}
	}
	if err := s.Ping(ctx); err != nil {
		t.Error(err)
	}
}

func TestANewerSchemaIsRefused(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	s := migrated(t, path)
	run(t, s, "INSERT INTO schema_version (version_id, is_applied) VALUES (9999, 1)")

	want := fmt.Sprintf("database was written by a newer strongroom (schema 9999, this binary knows %d): upgrade the binary", must(knownSchema()))
	_, err := Open(ctx, Config{Path: path})
	for name, err := range map[string]error{"Open": err, "Migrate": s.Migrate(ctx), "Ping": s.Ping(ctx)} {
		if !errors.Is(err, store.ErrSchemaNewer) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

func TestAFailedMigrationChangesNothing(t *testing.T) {
	ctx := context.Background()
	s := opened(t, newPath(t))
	// A schema of version 0 with a table that makes the last statements of migration 1
	// fail.
	run(t, s, sqlTouch, sqlVersionTable,
		"INSERT INTO schema_version (version_id, is_applied) VALUES (0, 1)", "CREATE TABLE bucket (x)")
	for range 2 {
		wantError(t, s.Migrate(ctx), "migrating the database: ")
		if diff := cmp.Diff([]string{"bucket", "schema_version", "sqlite_sequence"}, tables(t, s)); diff != "" {
			t.Errorf("tables after the failure (-want +got):\n%s", diff)
		}
	}
	run(t, s, "DROP TABLE bucket")
	setWriter(t, s, "PRAGMA max_page_count = 4")
	wantError(t, s.Migrate(ctx), "the disk is full")
	setWriter(t, s, "PRAGMA max_page_count = 1000")
	if err := s.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	put(t, s, "name", nil)
}

func tables(t *testing.T, s *Store) []string {
	t.Helper()
	return queryAll(t, s, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
}

func queryAll(t *testing.T, s *Store, query string, args ...any) (found []string) {
	t.Helper()
	err := s.view(context.Background(), func(tx *tx) (err error) {
		found, err = sqltx.All(tx, sqltx.Row.Text, query, args...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestEveryTableKeepsTheRulesOfTheSchema(t *testing.T) {
	s := migrated(t, newPath(t))
	want := []string{"account", "attempts", "audit_chain", "audit_log", "audit_verdict", "bucket", "ciphertext", "ciphertext_chunk", "credential", "credential_previous", "device_key", "key_account", "key_generation", "key_use", "outbox", "outbox_dead", "outbox_lane", "receipt", "redemption", "setting", "signing_key"}
	ours := slices.DeleteFunc(tables(t, s), func(name string) bool {
		return name == "schema_version" || strings.HasPrefix(name, "sqlite_")
	})
	if diff := cmp.Diff(want, ours); diff != "" {
		t.Errorf("tables (-want +got):\n%s", diff)
	}
	for _, table := range ours {
		if got := queryAll(t, s, "SELECT strict FROM pragma_table_list WHERE name = ?1", table); got[0] != "1" {
			t.Errorf("table %s is not strict", table)
		}
		if got := queryAll(t, s, `SELECT name FROM pragma_table_info(?1) WHERE "notnull" = 0`, table); got != nil {
			t.Errorf("columns of %s may be NULL: %v", table, got)
		}
		key := queryAll(t, s, "SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk", table)
		if (len(key) == 0 || key[0] != "tenant") && table != "audit_verdict" { // whose chains are of a tenant
			t.Errorf("primary key of %s is %v, want tenant first", table, key)
		}
		columns := queryAll(t, s, "SELECT name FROM pragma_table_info(?1)", table)
		if slices.Contains(columns, "account_id") && table != "key_account" && key[1] != "account_id" {
			t.Errorf("primary key of %s is %v, want the account second", table, key)
		}
	}
	if got := must(strconv.ParseInt(queryAll(t, s, sqlApplicationID)[0], 10, 64)); got != applicationID {
		t.Errorf("application id is %#x, want %#x", got, applicationID)
	}
	run(t, s, sqlTouch)
	if got := must(strconv.ParseInt(queryAll(t, s, sqlApplicationID)[0], 10, 64)); got != applicationID {
		t.Errorf("application id after a touch is %#x, want %#x", got, applicationID)
	}
}

// The tests here do not see a statement that is not a constant.
func TestEveryStatementIsAConstant(t *testing.T) { storetest.WantConstants(t) }

// scanned are the statements that may read a table from end to end.
var scanned = map[string]string{
	"sqlCountActiveKeys": "the keys that it found by index, up to a limit",
	"sqlCountSealedRows": "the rows of its parts, which have a limit and are found by index",
	"sqlTables":          "the schema itself, when a store is opened",
	"sqlSchema":          "the schema itself, at a start and in a probe",
	"sqlSchemaVersion":   "a row for each migration",
}

// sorted are the searches of verdicts: their index has the second, and the verdicts of
// one second are sorted.
var sorted = []string{"sqlVerdicts", "sqlOldestVerdict", "sqlVerdictsOfAccount", "sqlVerdictsOfRequest", "sqlVerdictBehind"}

// listed are the statements of the listings, which hold nothing but their limit
// together, and the index by which each finds its rows, in the order it gives.
var listed = map[string]string{
	"sqlNextDevice":       "device_key_device",
	"sqlNextDeviceOf":     "device_key_of_account",
	"sqlKeysOfDevice":     "device_key_of_account",
	"sqlShownKeys":        "device_key_of_account",
	"sqlCountActiveKeys":  "device_key_age",
	"sqlKeyAgeAfter":      "device_key_age",
	"sqlNextKeySize":      "device_key_age",
	"sqlAccountsOf":       "account_name",
	"sqlNextIssuer":       "account_name",
	"sqlLockedAttempts":   `attempts_locked \(tenant=\? AND \(locked_to,account_id,type`,
	"sqlEntries":          "audit_log_time",
	"sqlOldest":           "audit_log_time",
	"sqlEntriesOfRequest": "audit_log_time",
	"sqlEntryBehind":      "audit_log_time",
	"sqlEntriesOfAccount": "audit_log_account",
	"sqlEntriesOfEvent":   "audit_log_event",
	"sqlDeleteActResults": "receipt_done",

	"verdicts":             "audit_verdict_time",
	"sqlVerdicts":          "audit_verdict_time",
	"sqlOldestVerdict":     "audit_verdict_time",
	"sqlVerdictsOfRequest": "audit_verdict_time",
	"sqlVerdictBehind":     "audit_verdict_time",
	"sqlVerdictsOfAccount": "audit_verdict_account",
}

// ownIndexes are only for listings. No other statement may use one. A planner
// without statistics of the table could choose that.
var ownIndexes = regexp.MustCompile(`\b(device_key_device|device_key_of_account|device_key_age|attempts_locked|audit_log_(time|account|event)|audit_verdict_(time|account))\b`)

func TestEveryStatementFindsItsRowsByIndex(t *testing.T) {
	s := migrated(t, newPath(t))
	statements := storetest.Statements(t)
	if len(statements) < 30 {
		t.Fatalf("found only %d statements: this test looks in the wrong place", len(statements))
	}
	parameter := regexp.MustCompile(`\$(\d+)`)
	for name, statement := range statements {
		if strings.HasPrefix(name, "guarded") || strings.HasPrefix(name, "AppendNext") {
			continue // PostgreSQL's form of a statement that is here too
		}
		if strings.Count(statement, "$") != len(parameter.FindAllString(statement, -1)) {
			t.Errorf("%s has a $ that is no parameter: SQLite would be given a ? instead", name)
		}
		args := []any{}
		for _, m := range parameter.FindAllStringSubmatch(statement, -1) {
			for len(args) < must(strconv.Atoi(m[1])) {
				args = append(args, 0)
			}
		}
		var plan []string
		err := s.view(context.Background(), func(tx *tx) (err error) {
			plan, err = sqltx.All(tx, scanPlan, "EXPLAIN QUERY PLAN "+statement, args...)
			return err
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, step := range plan {
			_, may := scanned[name]
			if strings.Contains(step, "SCAN") && !strings.Contains(step, "CONSTANT ROW") && !may || strings.Contains(step, "TEMP B-TREE") &&
				(!slices.Contains(sorted, name) || step == "USE TEMP B-TREE FOR ORDER BY") {
				t.Errorf("%s: %s", name, step)
			}
		}
		whole := strings.Join(plan, "; ")
		if index, is := listed[name]; is && !regexp.MustCompile(`\b`+index+`\b`).MatchString(whole) || !is && ownIndexes.MatchString(whole) {
			t.Errorf("%s: %s, want %q of the listings' indexes", name, whole, index)
		}
		t.Logf("%s: %s", name, whole)
	}
}

func scanPlan(r sqltx.Row) string {
	for range 3 {
		r.Integer()
	}
	return r.Text()
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// The driver and its C library are C translated to Go. The driver is only
// tested with the version of the library that its go.mod names.
func TestLibcIsTheVersionThatTheDriverNames(t *testing.T) {
	const driverModule, libcModule = "modernc.org/sqlite", "modernc.org/libc"
	list := func(format, module string) string {
		t.Helper()
		out, err := exec.Command("go", "list", "-m", "-f", format, module).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	gomod := list("{{.GoMod}}", driverModule)
	file := must(modfile.ParseLax(gomod, must(os.ReadFile(gomod)), nil))
	want := ""
	for _, r := range file.Require {
		if r.Mod.Path == libcModule {
			want = r.Mod.Version
		}
	}
	if got := list("{{.Version}}", libcModule); got != want || want == "" {
		t.Errorf("%s is %s, but %s names %s", libcModule, got, driverModule, want)
	}
}

// editPlainly writes to the file as any other program would, and closes it.
func editPlainly(t *testing.T, path, statements string) {
	t.Helper()
	db := plainly(t, path)
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// foreignParts run inside Strongroom's statements or inside integrity_check, or refuse or
// change its rows. Each has the statements that add it.
var foreignParts = map[string]struct{ named, added string }{
	"a trigger": {"trigger quiet", "CREATE TRIGGER quiet BEFORE INSERT ON audit_log BEGIN SELECT RAISE(IGNORE); END"},
	"a trigger whose type is in capitals": {"TRIGGER quiet", `CREATE TRIGGER quiet BEFORE INSERT ON audit_log BEGIN SELECT RAISE(IGNORE); END;
		PRAGMA writable_schema = ON; UPDATE sqlite_schema SET type = 'TRIGGER' WHERE type = 'trigger'`},
	"a view":                            {"view seen", "CREATE VIEW seen AS SELECT 1"},
	"a partial index":                   {"index evil", "CREATE INDEX evil ON setting (name) WHERE length(hex(zeroblob(480000000))) = 7"},
	"an index on an expression":         {"index evil", "CREATE INDEX evil ON setting (length(value))"},
	"a unique index":                    {"index evil", "CREATE UNIQUE INDEX evil ON attempts (tenant)"},
	"a table with CHECK":                {"table evil", "CREATE TABLE evil (a CHECK (length(hex(zeroblob(480000000))) > a))"},
	"a table whose comment hides CHECK": {"table evil", `CREATE TABLE evil ("--" CHECK (length(hex(zeroblob(480000000))) > 1)` + "\n)"},
	"a generated column":                {"table evil", "CREATE TABLE evil (a, b AS (length(a)))"},
	"a foreign key":                     {"table evil", "CREATE TABLE evil (a, b REFERENCES device_key ON DELETE CASCADE)"},
	"a virtual table":                   {"table evil", "CREATE VIRTUAL TABLE evil USING fts5 (a)"},
	"another index of ours": {"index device_key_grace", `DROP INDEX device_key_grace;
		CREATE INDEX device_key_grace ON device_key (tenant, account_id, device_id) WHERE length(hex(zeroblob(480000000))) = 7`},
}

func TestADatabaseWithAnAddedPartThatRunsIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel")
	}
	ctx := context.Background()
	for what, of := range foreignParts {
		t.Run(what, func(t *testing.T) {
			path := newPath(t)
			s := migrated(t, path)
			editPlainly(t, path, of.added)
			if err := s.Ping(ctx); !errors.Is(err, ErrForeignSchema) {
				t.Errorf("readiness of a running server: %v", err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			_, openErr := Open(ctx, Config{Path: path})
			_, sourceErr := OpenSource(ctx, path)
			_, checkErr := CheckFile(ctx, path)
			for what, err := range map[string]error{"Open": openErr, "OpenSource": sourceErr, "CheckFile": checkErr} {
				if !errors.Is(err, ErrForeignSchema) || !strings.Contains(err.Error(), `database holds "`+of.named+`"`) {
					t.Errorf("%s: %v", what, err)
				}
			}
		})
	}
}

// integrity_check evaluates the expressions of a schema, so it comes after the refusals.
// Here it would report damage.
func TestTheSchemaIsCheckedBeforeThePages(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel")
	}
	ctx := context.Background()
	edit := func(statement string) error {
		t.Helper()
		path := newPath(t)
		s := migrated(t, path)
		put(t, s, "name", bytes.Repeat([]byte("x"), 64<<10))
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		editPlainly(t, path, statement)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		at := bytes.LastIndex(content, bytes.Repeat([]byte("x"), pageSize-4)) - 4 // an overflow page, which begins with the next one
		copy(content[at:], "\xff\xff\xff\xff")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err = CheckFile(ctx, path)
		return err
	}
	wantError(t, edit("PRAGMA user_version = 0"), "SQLite finds the file damaged")
	if err := edit(foreignParts["a partial index"].added); !errors.Is(err, ErrForeignSchema) {
		t.Errorf("with a partial index: %v", err)
	}
	const edited = "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'value  BLOB', 'value TEXT') WHERE name = 'setting'"
	if err := edit(edited); !errors.Is(err, store.ErrSchemaDiffers) {
		t.Errorf("with an edited table: %v", err)
	}
	if err := edit("INSERT INTO schema_version (version_id, is_applied) VALUES (9999, 1)"); !errors.Is(err, store.ErrSchemaNewer) {
		t.Errorf("of a newer binary: %v", err)
	}
}

// The version itself may be computed.
func TestAnEditedVersionTableIsNotRead(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel")
	}
	path := newPath(t)
	if err := migrated(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	const edited = `DROP TABLE schema_version; CREATE TABLE schema_version (id, is_applied, version_id AS (length(hex(zeroblob(480000000)))));
		INSERT INTO schema_version VALUES (1, 1)`
	editPlainly(t, path, edited)
	_, err := Open(t.Context(), Config{Path: path})
	if !errors.Is(err, store.ErrSchemaDiffers) || !strings.Contains(err.Error(), "table schema_version is ") {
		t.Errorf("Open: %v", err)
	}
}

// An operator may have added an index, and Litestream adds tables. A backup has them too.
func TestPartsThatDoNotRunAreAllowed(t *testing.T) {
	ctx := context.Background()
	path, backup := newPath(t), newPath(t)
	s := migrated(t, path)
	editPlainly(t, path, `CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
		CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER);
		CREATE INDEX by_name ON setting(name);
		CREATE INDEX IF NOT EXISTS main."by device" ON "device_key" ( "app_version" COLLATE NOCASE DESC , created_at );
		ANALYZE`)
	if err := errors.Join(s.Ping(ctx), s.CheckSchema(ctx), s.SnapshotTo(ctx, backup), s.Close()); err != nil {
		t.Fatal(err)
	}
	migrated(t, path)
	if _, err := CheckFile(ctx, backup); err != nil {
		t.Error(err)
	}
}

// Such a value would fill the memory of a process that reads it.
func TestALongValueIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing in it is parallel")
	}
	path := newPath(t)
	s := migrated(t, path)
	put(t, s, "name", make([]byte, maxValue-1000))
	editPlainly(t, path, "UPDATE setting SET value = zeroblob(100000000)")
	err := s.View(t.Context(), func(tx store.Tx) error { _, err := tx.Setting("name"); return err })
	wantError(t, err, "a value of more than 64 MiB, which strongroom never writes")
}

func TestTheRareEventIndexMatchesTheRareEventRule(t *testing.T) {
	storetest.WantRareEvents(t, string(must(migrationFiles.ReadFile("migrations/00005_listings.sql"))))
}

// migratedTo brings the schema to an earlier version, as a binary of that time
// did.
func migratedTo(t *testing.T, s *Store, version int) {
	t.Helper()
	run(t, s, sqlVersionTable)
	for _, m := range must(migrations())[:version] {
		err := s.writer.alone(context.Background(), func(c *conn) error { return c.script(m.script) })
		if err != nil {
			t.Fatal(err)
		}
		run(t, s, fmt.Sprintf("INSERT INTO schema_version (version_id, is_applied) VALUES (%d, 1)", m.version))
	}
}

func TestActiveLocksAreListedAfterAnUpgrade(t *testing.T) {
	s := opened(t, newPath(t))
	migratedTo(t, s, 4)
	locked := domain.Micros(time.Now().Add(time.Hour))
	counter := func(account string, until int64, permanent int, devices ...domain.DeviceAttempts) {
		t.Helper()
		run(t, s, fmt.Sprintf(`INSERT INTO attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices)
			VALUES ('default', '%s', 'PASSCODE', 'id', 1, 5, %d, %d, '[]', '[]', x'00', 0, '', '%s')`, account, until, permanent, domain.MarshalDevices(devices)))
	}
	counter("a locked", locked, 0)
	counter("b free", 0, 0)
	counter("c was locked", 1, 0)
	counter("d permanent", 0, 1)
	counter("e device", 0, 0, domain.DeviceAttempts{Failures: 1}, domain.DeviceAttempts{LockedUntil: domain.FromMicros(locked)})
	counter("f device was locked", 0, 0, domain.DeviceAttempts{LockedUntil: time.Now().Add(-time.Hour)})
	counter("g device permanent", 0, 0, domain.DeviceAttempts{Permanent: true})
	counter("h failures", 0, 0, domain.DeviceAttempts{Failures: 1})
	if err := s.Migrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	var got []string
	err := s.View(context.Background(), func(tx store.Tx) error {
		if err := tx.EachAttempts(func(l domain.ListedLock) error {
			if !l.Fits(tx.Now()) {
				t.Errorf("the place of %q in the list is not that of its locks", l.Counter.AccountID)
			}
			return nil
		}); err != nil {
			return err
		}
		// One at a time, so that the counter without a lock is a page of its own.
		for after := (domain.LockPosition{}); ; {
			page, err := tx.LockedAttempts(tx.Now(), after, 1)
			if err != nil || len(page) == 0 {
				return err
			}
			after = page[0].At
			got = append(got, page[0].Counter.AccountID)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a locked", "d permanent", "e device", "g device permanent"}, got); diff != "" {
		t.Errorf("locked (-want +got):\n%s", diff)
	}
	if got := queryAll(t, s, "SELECT account_id FROM attempts WHERE locked_to = 0"); !slices.Equal(got, []string{"b free", "h failures"}) {
		t.Errorf("without a lock: %q", got)
	}
}

func TestUsedCiphertextsStayUsedAtAnUpgrade(t *testing.T) {
	s := opened(t, newPath(t))
	migratedTo(t, s, 7)
	storetest.WantUsedAfterUpgrade(t, s, func(accountID, keyID string, digest []byte) {
		run(t, s, fmt.Sprintf("INSERT INTO ciphertext VALUES ('default', '%s', '%s', x'%x')", accountID, keyID, digest))
	})
}
