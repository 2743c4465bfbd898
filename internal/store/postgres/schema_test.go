package postgres

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/domain"
	"strongroom/internal/store"
	"strongroom/internal/store/postgres/pgtest"
	"strongroom/internal/store/sqltx"
	"strongroom/internal/store/storetest"
)

func TestANewDatabaseMustBeMigratedFirst(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	ctx := context.Background()
	s := opened(t, pgtest.Database(t))
	have, known, err := s.SchemaVersion(ctx)
	if err != nil || have != 0 || known < 1 {
		t.Fatalf("schema %d of %d (%v), want 0 of at least 1", have, known, err)
	}
	wantError(t, s.Ping(ctx), store.ErrSchemaOutdated)
	wantError(t, s.Update(ctx, write("name", "")), store.ErrSchemaOutdated)
	for range 2 {
		if err := s.Migrate(ctx); err != nil {
			t.Fatal(err)
		}
		if have, _, err := s.SchemaVersion(ctx); err != nil || have != known {
			t.Fatalf("after Migrate: schema %d (%v), want %d", have, err, known)
		}
	}
	wantError(t, s.Ping(ctx), nil)
}

func TestADatabaseWithAnotherDateStyleIsMigrated(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	url := pgtest.Database(t)
	run(t, url, `ALTER DATABASE "`+database(t, url)+`" SET DateStyle = 'SQL, DMY'`)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := opened(t, url).Migrate(ctx); err != nil {
		t.Error(err)
	}
}

func TestTenConcurrentMigrationsApplyEachVersionOnce(t *testing.T) {
	t.Parallel()
	url := pgtest.Database(t)
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			s := openedWith(t, Config{URL: url, MaxConnections: 4})
			if err := s.Migrate(context.Background()); err != nil {
				t.Error(err)
			}
			wantError(t, s.Ping(context.Background()), nil)
		})
	}
	wg.Wait()
	s := opened(t, url)
	got := query(t, s, "SELECT CAST(version_id AS TEXT) FROM schema_version ORDER BY id")
	want := []string{}
	for v := range must(knownSchema()) + 1 {
		want = append(want, fmt.Sprint(v))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("versions noted (-want +got):\n%s", diff)
	}
}

// A migration that was killed leaves its lock, and the next one waits for the end of the lease.
func TestTheWaitForAKilledMigrationIsLogged(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	address := pgtest.Database(t)
	var log bytes.Buffer
	s := openedWith(t, Config{URL: address, Log: slog.New(slog.NewTextHandler(&log, nil))})
	provider := must(s.provider())
	if _, err := provider.UpTo(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if err := provider.Close(); err != nil {
		t.Fatal(err)
	}
	run(t, address, "UPDATE schema_lock SET locked = true, locked_by = 'killed', lease_expires_at = now() + INTERVAL '3 seconds'")
	until := query(t, s, `SELECT to_char(lease_expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') FROM schema_lock`)[0]
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if text := log.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, "waiting for its lock") || !strings.Contains(text, "expires="+until) {
		t.Errorf("logged %q, want the wait until %s", text, until)
	}
}

func TestANewerSchemaIsRefused(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	ctx, url := context.Background(), pgtest.Database(t)
	s := migrated(t, url)
	run(t, url, "INSERT INTO schema_version (version_id, is_applied) VALUES (9999, true)")
	want := fmt.Sprintf("database was written by a newer strongroom (schema 9999, this binary knows %d): upgrade the binary", must(knownSchema()))
	_, err := Open(ctx, Config{URL: url})
	for name, err := range map[string]error{"Open": err, "Migrate": s.Migrate(ctx)} {
		if !errors.Is(err, store.ErrSchemaNewer) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	// Processes that have it open go on: a migration only adds, and a rolling
	// upgrade must not stop all instances of the previous version at once.
	wantError(t, s.Ping(ctx), nil)
}

func TestAFailedMigrationChangesNothing(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	url := pgtest.Database(t)
	s := opened(t, url)
	run(t, url, "CREATE VIEW bucket AS SELECT 1") // in the way of the last table
	if err := s.Migrate(context.Background()); err == nil || strings.Contains(err.Error(), "bucket") {
		t.Errorf("migrating: %v, want an error without SQL", err)
	}
	if got := query(t, s, sqlTables+" ORDER BY tablename"); !slices.Equal(got, []string{lockTable, versionTable}) {
		t.Errorf("tables after the failure: %v", got)
	}
	run(t, url, "DROP VIEW bucket")
	if err := s.Migrate(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// Our tables must not be added to the database of another program, and a
// server that would break our promises is refused.
func TestForeignOrUnsafeDatabasesAreRefused(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	ctx := context.Background()
	for name, c := range map[string]struct {
		ours bool
		do   string
		want error
		text string
	}{
		"another program's table":             {false, "CREATE TABLE customers (id INT)", errForeignDatabase, ""},
		"another program's table of versions": {false, "CREATE TABLE schema_version (installed_rank INT)", errForeignDatabase, ""},
		"a trigger": {true, "CREATE FUNCTION quiet() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; " +
			"CREATE TRIGGER quiet BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION quiet()", ErrForeignSchema, ""},
		"a rule":                                 {true, "CREATE RULE quiet AS ON INSERT TO audit_log DO INSTEAD NOTHING", ErrForeignSchema, ""},
		"a function":                             {true, "CREATE FUNCTION quiet() RETURNS TEXT LANGUAGE sql AS $$ SELECT 'quiet' $$", ErrForeignSchema, ""},
		"a procedure before the first migration": {false, "CREATE PROCEDURE quiet() LANGUAGE sql AS $$ SELECT 'quiet' $$", ErrForeignSchema, ""},
		"an operator": {true, "CREATE SCHEMA other; CREATE FUNCTION other.times(numeric, integer) RETURNS numeric LANGUAGE sql AS $$ SELECT $1 $$; " +
			"CREATE OPERATOR public.* (LEFTARG = numeric, RIGHTARG = integer, FUNCTION = other.times)", ErrForeignSchema, ""},
		"commits that are not kept": {true, "ALTER DATABASE %s SET synchronous_commit = off", nil, "synchronous_commit"},
		"a database without writes": {true, "ALTER DATABASE %s SET default_transaction_read_only = on", errReadOnly, ""},
		"no schema":                 {true, "ALTER DATABASE %s SET search_path = nowhere", nil, "search path"},
	} {
		url := pgtest.Database(t)
		if c.ours {
			migrated(t, url)
		}
		run(t, url, strings.ReplaceAll(c.do, "%s", database(t, url)))
		_, err := Open(ctx, Config{URL: url})
		if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v, want %v %s", name, err, c.want, c.text)
		}
	}
	latin := "latin" + database(t, pgtest.Database(t))
	pgtest.Shared(t).Exec(t, "postgres", "CREATE DATABASE "+latin+" ENCODING LATIN1 LOCALE 'C' TEMPLATE template0")
	if _, err := Open(ctx, Config{URL: pgtest.Shared(t).URL(latin)}); err == nil || !strings.Contains(err.Error(), "UTF8") {
		t.Errorf("a database of another encoding: %v", err)
	}
}

// Functions and operators of an extension belong to it. Those of another schema are not
// Strongroom's to judge.
func TestExtensionsAndOtherSchemasAreAccepted(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	address := migratedDatabase(t)
	run(t, address, "CREATE EXTENSION citext", "CREATE SCHEMA other", "CREATE FUNCTION other.loud() RETURNS TEXT LANGUAGE sql AS $$ SELECT 'loud' $$")
	s := opened(t, address)
	if n := query(t, s, "SELECT oprname::text FROM pg_operator WHERE oprnamespace = 'public'::regnamespace"); len(n) == 0 {
		t.Fatal("the extension has no operators in the schema")
	}
	run(t, address, "CREATE FUNCTION loud() RETURNS TEXT LANGUAGE sql AS $$ SELECT 'loud' $$")
	_, err := Open(t.Context(), Config{URL: address})
	wantError(t, err, ErrForeignSchema)
}

// A role that may create objects in the schema makes an operator for the product in the
// first statement of each transaction. It is not called, even before it is refused.
func TestAnOperatorOfAnotherRoleIsNotCalled(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	address := migratedDatabase(t)
	s := opened(t, address)
	run(t, address, "CREATE FUNCTION times(numeric, integer) RETURNS numeric LANGUAGE plpgsql AS $$ BEGIN RAISE 'it was called'; END $$",
		"CREATE OPERATOR public.* (LEFTARG = numeric, RIGHTARG = integer, FUNCTION = times)")
	put(t, s, "name", "value")
	_, err := Open(t.Context(), Config{URL: address})
	wantError(t, err, ErrForeignSchema)
}

func TestASchemaInWhichEveryRoleMayCreateObjectsIsReported(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	address := migratedDatabase(t)
	var log bytes.Buffer
	cfg := Config{URL: address, Log: slog.New(slog.NewTextHandler(&log, nil))}
	if s := openedWith(t, cfg); log.Len() > 0 || s.AnyoneCreates(t.Context()) != "" {
		t.Errorf("without the right: %s", &log)
	}
	run(t, address, "GRANT CREATE ON SCHEMA public TO PUBLIC")
	if got := openedWith(t, cfg).AnyoneCreates(t.Context()); got != `REVOKE CREATE ON SCHEMA "public" FROM PUBLIC` {
		t.Errorf("the statement to run is %q", got)
	}
	if text := log.String(); strings.Count(text, "level=WARN") != 1 || !strings.Contains(text, `REVOKE CREATE ON SCHEMA \"public\" FROM PUBLIC`) {
		t.Errorf("with the right: %s", text)
	}
}

// Defaults of the role or the database change neither what is stored nor how the schema
// compares.
func TestTextsAndTheSchemaDoNotDependOnDefaultsOfTheRole(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	address := pgtest.Database(t)
	for _, setting := range []string{"client_encoding = 'LATIN1'", "quote_all_identifiers = on"} {
		run(t, address, `ALTER DATABASE "`+database(t, address)+`" SET `+setting)
	}
	bounced := must(url.Parse(address))
	bounced.Host = inFront(t, pgtest.Shared(t))
	for _, through := range []string{address, bounced.String(), address + "&client_encoding=LATIN1"} {
		s := migrated(t, through)
		for what, err := range map[string]error{"Ping": s.Ping(t.Context()), "CheckSchema": s.CheckSchema(t.Context())} {
			if err != nil {
				t.Errorf("%s: %s: %v", through, what, err)
			}
		}
		put(t, s, "gerät-é€", "value")
		if got := query(t, s, "SELECT encode(convert_to(name, 'UTF8'), 'hex') FROM setting"); !slices.Equal(got, []string{hex.EncodeToString([]byte("gerät-é€"))}) {
			t.Errorf("%s: it stored %q", through, got)
		}
	}
}

// A pooler could ignore what the connection asks for.
func TestAnotherClientEncodingIsRefused(t *testing.T) {
	t.Parallel()
	is := server{schema: true, encoding: "UTF8", ofClient: "LATIN1", commit: "on", flushesToDisk: "on"}
	if err := is.check(); err == nil || !strings.Contains(err.Error(), "client_encoding") {
		t.Errorf("LATIN1: %v", err)
	}
}

func TestEveryTableKeepsTheRulesOfTheSchema(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	s := opened(t, migratedDatabase(t))
	want := []string{"account", "attempts", "audit_chain", "audit_log", "audit_verdict", "bucket", "ciphertext", "ciphertext_chunk", "credential", "credential_previous", "device_key", "key_account", "key_generation", "key_use", "outbox", "outbox_dead", "outbox_lane", "receipt", "redemption", "setting", "signing_key"}
	ours := slices.DeleteFunc(query(t, s, sqlTables+" ORDER BY tablename"), func(name string) bool {
		return name == versionTable || name == lockTable || name == firstPartition
	})
	if diff := cmp.Diff(want, ours); diff != "" {
		t.Errorf("tables (-want +got):\n%s", diff)
	}
	const columns = " FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = $1"
	for _, table := range ours {
		if got := query(t, s, "SELECT column_name::text"+columns+" AND is_nullable = 'YES'", table); got != nil {
			t.Errorf("columns of %s may be NULL: %v", table, got)
		}
		if got := query(t, s, "SELECT column_name::text"+columns+" AND data_type NOT IN ('text', 'bigint', 'integer', 'bytea', 'boolean')", table); got != nil {
			t.Errorf("columns of %s have types that are not plain: %v", table, got)
		}
		if got := query(t, s, "SELECT column_name::text"+columns+" AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'", table); got != nil {
			t.Errorf("texts of %s do not compare byte by byte: %v", table, got)
		}
		got := query(t, s, "SELECT column_name::text"+columns+" AND column_default IS NOT NULL", table)
		// Until no version that does not write it can run: docs/scaling.md.
		got = slices.DeleteFunc(got, func(column string) bool {
			return table == "attempts" && column == "locked_to" || table == "audit_chain" && column == "form" || table == "device_key" && column == "jkt" || table == "bucket" && column == "durations"
		})
		if len(got) > 0 {
			t.Errorf("columns of %s have defaults: %v", table, got)
		}
		key := query(t, s, `SELECT k.column_name::text FROM information_schema.table_constraints c
			JOIN information_schema.key_column_usage k USING (constraint_schema, constraint_name)
			WHERE c.table_schema = current_schema() AND c.table_name = $1 AND c.constraint_type = 'PRIMARY KEY' ORDER BY k.ordinal_position`, table)
		if (len(key) == 0 || key[0] != "tenant") && table != "audit_verdict" { // whose chains are of a tenant
			t.Errorf("primary key of %s is %v, want tenant first", table, key)
		}
		account := query(t, s, "SELECT column_name::text"+columns+" AND column_name = 'account_id'", table)
		if account != nil && table != "key_account" && key[1] != "account_id" {
			t.Errorf("primary key of %s is %v, want the account second", table, key)
		}
	}
}

// The tests here do not see a statement that is not a constant.
func TestEveryStatementIsAConstant(t *testing.T) { storetest.WantConstants(t) }

// What the other engines lack, or what a session would have to keep.
var notPortable = regexp.MustCompile(`(?i)advisory|\bLISTEN\b|\bNOTIFY\b|\bTEMP|\bDO \$|TRIGGER|SEQUENCE|\bSERIAL\b|IDENTITY|JSONB?\b|\[\]|\bctid\b|\bLOCK TABLE|FOR (UPDATE|SHARE)|^SET\b|PREPARE|CURSOR|LATERAL|REFERENCES|FOREIGN`)

func TestStatementsUseOnlySyntaxThatOtherEnginesAccept(t *testing.T) {
	oneGoroutine(t)
	statements := storetest.Statements(t)
	delete(statements, "sqlForeign") // looks into PostgreSQL's catalog for what the others do not have
	for _, name := range must(fs.Glob(migrationFiles, "migrations/*.sql")) {
		lines := strings.Split(string(must(migrationFiles.ReadFile(name))), "\n")
		for i, line := range lines {
			lines[i], _, _ = strings.Cut(line, "--")
		}
		statements[name] = strings.Join(lines, "\n")
	}
	for _, name := range []string{"sqlHeads", "sqlHeadsSince", "sqlEntryHeadsSince", "sqlVerdictHeads", "sqlVerdictHeadsSince", "newestVerdict", "sqlNewestOfPartition", "sqlHashesAt"} { // LATERAL, which CockroachDB and YugabyteDB take too
		statements[name] = strings.ReplaceAll(statements[name], "CROSS JOIN LATERAL", "")
	}
	statements["sqlHashesAt"] = strings.ReplaceAll(statements["sqlHashesAt"], "[]", "") // they take arrays too
	for _, name := range notOthers {
		delete(statements, name)
	}
	for name, statement := range statements {
		if found := notPortable.FindString(statement); found != "" {
			t.Errorf("%s uses %q", name, found)
		}
	}
}

// scanned are the statements that may read a table from end to end.
var scanned = map[string]string{
	"sqlForeign":       "the catalog, when a store is opened or pinged",
	"sqlTables":        "the catalog",
	"sqlColumns":       "the catalog, at a start",
	"sqlIndexes":       "the catalog, at a start",
	"sqlIsCitus":       "the catalog, at a start",
	"sqlLockedUntil":   "a row",
	"sqlSchemaVersion": "a row for each migration",
	"sqlTouch":         "a row for each migration",
	"sqlSigningKeys":   "a few rows for each year",
	"sqlChains":        "sorts what it found: one name for each chain",
	"sqlHeads":         "sorts what it found: one entry for each chain",
	"sqlHeadsSince":    "sorts what it found: one entry for each chain that moved lately",

	"movedChains": "likewise", "movedEntries": "likewise", "sqlEntryHeadsSince": "likewise", "sqlVerdictHeadsSince": "likewise",
	"sqlAppendNext": "sorts two heads", "AppendNext": "sorts two heads", "sqlAppendNextVerdict": "sorts two heads", "AppendNextVerdict": "sorts two heads",

	// The index of verdicts by time has the second. Those of one second are sorted.
	"sqlVerdicts": "", "sqlOldestVerdict": "", "sqlVerdictsOfAccount": "", "sqlVerdictsOfRequest": "", "sqlVerdictBehind": "",
}

// listed are the statements of the listings and of the outbox's, which hold nothing but their limit
// together, and the index by which each finds its rows, in the order it gives.
var listed = map[string]string{
	"sqlNextDevices":      "device_key_device",
	"sqlNextDevicesOf":    "device_key_of_account",
	"sqlKeysOfDevice":     "device_key_of_account",
	"sqlShownKeys":        "device_key_of_account",
	"sqlCountActiveKeys":  "device_key_age",
	"sqlKeyAgeAfter":      "device_key_age",
	"sqlNextKeySize":      "device_key_age",
	"sqlAccountsOf":       "account_name",
	"sqlNextIssuer":       "account_name",
	"sqlLockedAttempts":   `(?s:attempts_locked.*ROW\(locked_to, account_id, type)`,
	"sqlEntries":          "audit_log_time",
	"sqlOldest":           "audit_log_time",
	"sqlHeadsSince":       "audit_log_time",
	"sqlEntriesOfRequest": "audit_log_time",
	"sqlEntryBehind":      "audit_log_time",
	"sqlEntriesOfAccount": "audit_log_account",
	"sqlEntriesOfEvent":   "audit_log_event",
	"sqlDeleteActResults": "receipt_done",

	"sqlEntryHeadsSince": "audit_log_time", "movedEntries": "audit_log_time", "movedChains": "audit_log_time",
	"verdicts": "audit_verdict_time", "sqlVerdicts": "audit_verdict_time", "sqlOldestVerdict": "audit_verdict_time",
	"sqlVerdictsOfRequest": "audit_verdict_time", "sqlVerdictBehind": "audit_verdict_time", "sqlVerdictHeadsSince": "audit_verdict_time",
	"sqlVerdictsOfAccount": "audit_verdict_account",

	"sqlDeleteEvents": "outbox_time", "sqlOldestEvent": "outbox_time",
	"sqlCountEvents":       "outbox_time",
	"sqlDeadLetter":        "outbox_dead_id",
	"sqlDeadLetters":       "outbox_dead_at",
	"sqlCountDeadLetters":  "outbox_dead_at",
	"sqlDeleteDeadLetters": "outbox_dead_at",
}

// ownIndexes are only for listings. No other statement may use one. A planner
// without statistics of the table could choose that.
var ownIndexes = regexp.MustCompile(`\b(device_key_device|device_key_of_account|device_key_age|attempts_locked|audit_log_(time|account|event)|audit_verdict_(time|account)|outbox_time|outbox_dead_(id|at))\b`)

func TestEveryStatementFindsItsRowsByIndex(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	s := opened(t, migratedDatabase(t))
	statements := storetest.Statements(t)
	if len(statements) < 30 {
		t.Fatalf("found only %d statements: this test looks in the wrong place", len(statements))
	}
	for name, statement := range statements {
		if name == "sqlShards" || name == "sqlListed" || name == "sqlNode" || name == "sqlPrepared" {
			continue // of tables that only Citus has
		}
		plan, err := s.plan(statement)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, step := range plan {
			if _, may := scanned[name]; !may && (strings.Contains(step, "Seq Scan") || strings.Contains(step, "Sort") || strings.Contains(step, "Filter: ((tenant")) {
				t.Errorf("%s: %s", name, step)
			}
		}
		whole := strings.ReplaceAll(strings.Join(plan, "\n"), firstPartition, "audit_verdict") // its indexes have the same names after the prefix
		if index, is := listed[name]; is && !regexp.MustCompile(`\b`+index+`\b`).MatchString(whole) || !is && ownIndexes.MatchString(whole) {
			t.Errorf("%s: want %q of the listings' indexes:\n%s", name, index, whole)
		}
		t.Logf("%s:\n%s", name, whole)
	}
}

var parameter = regexp.MustCompile(`\$(\d+)`)

// plan is the plan of a statement whatever its arguments are, by a
// transaction's own settings.
func (s *Store) plan(statement string) (plan []string, err error) {
	most := 0
	for _, m := range parameter.FindAllStringSubmatch(statement, -1) {
		most = max(most, must(strconv.Atoi(m[1])))
	}
	err = s.update(context.Background(), func(tx *tx) error {
		if _, err := tx.Exec("PREPARE p AS " + statement); err != nil {
			return err
		}
		defer func() { _, _ = tx.Exec("DEALLOCATE p") }()
		if _, err := tx.Exec("SET LOCAL plan_cache_mode = force_generic_plan"); err != nil {
			return err
		}
		execute := "EXPLAIN EXECUTE p"
		if most > 0 {
			execute += "(" + strings.TrimSuffix(strings.Repeat("NULL,", most), ",") + ")"
		}
		plan, err = sqltx.All(tx, sqltx.Row.Text, execute)
		return errors.Join(err, errRehearsal)
	})
	if errors.Is(err, errRehearsal) && len(plan) > 0 {
		err = nil
	}
	return plan, err
}

var errRehearsal = errors.New("only a rehearsal")

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestTheRareEventIndexMatchesTheRareEventRule(t *testing.T) {
	storetest.WantRareEvents(t, string(must(migrationFiles.ReadFile("migrations/00003_listings.sql"))))
}

// Indexes are built while others write, which is not possible in one
// transaction. If a migration is interrupted, an incomplete index must not stop
// the next run, or count as complete.
func TestAMigrationInterruptedWhileBuildingIndexesRunsAgain(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	ctx, url := context.Background(), pgtest.Database(t)
	s := opened(t, url)
	provider := must(s.provider())
	defer func() { _ = provider.Close() }()
	if _, err := provider.UpTo(ctx, 2); err != nil {
		t.Fatal(err)
	}
	const counter = `INSERT INTO attempts (tenant, account_id, type, id, version, failures, locked_until, permanent, recent, pending, mac, verified_at, verified_by, devices)
		VALUES ('default', '%s', 'PASSCODE', 'id', 1, 5, 0, %v, '[]', '[]', '', 0, '', '%s')`
	locked := domain.MarshalDevices([]domain.DeviceAttempts{{Device: "one"}, {Device: "two", LockedUntil: time.Now().Add(time.Hour)}})
	past := domain.MarshalDevices([]domain.DeviceAttempts{{Device: "one", LockedUntil: time.Now().Add(-time.Hour)}})
	run(t, url, fmt.Sprintf(counter, "permanent", true, "[]"), fmt.Sprintf(counter, "device", false, locked), fmt.Sprintf(counter, "free", false, "[]"),
		fmt.Sprintf(counter, "not locked any more", false, past),
		"CREATE TABLE audit_log_event (x BIGINT)") // in the way of the last index
	if err := s.Migrate(ctx); err == nil {
		t.Fatal("the migration succeeded although a table was in its way")
	}
	run(t, url, "DROP TABLE audit_log_event", "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'audit_log_time'::regclass")
	if err := s.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	if got := query(t, s, "SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid"); got != nil {
		t.Errorf("not valid: %v", got)
	}
	// The previous version, which may still run, inserts one like this.
	run(t, url, fmt.Sprintf(counter, "of the version before", false, "[]"))
	var got []string
	err := s.View(ctx, func(tx store.Tx) error {
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
	if diff := cmp.Diff([]string{"device", "permanent"}, got); diff != "" {
		t.Errorf("locked (-want +got):\n%s", diff)
	}
	if got := query(t, s, "SELECT account_id FROM attempts WHERE locked_to = 0 ORDER BY account_id"); !slices.Equal(got, []string{"free", "of the version before"}) {
		t.Errorf("without a lock: %q", got)
	}
}

// The previous version writes its buckets with a statement without durations,
// at the same time as this version, and over buckets that this version wrote
// for it.
func TestThePreviousVersionCanStillWriteBuckets(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	ctx := context.Background()
	url := pgtest.Database(t)
	s := opened(t, url)
	if err := s.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	b := domain.Bucket{Instance: "ours", Width: domain.Minute, Start: at, Operations: 2, Duration: time.Second, Durations: []byte{1, 2, 3}}
	if err := s.Update(ctx, func(tx store.Tx) error { return tx.PutBucket(b) }); err != nil {
		t.Fatal(err)
	}
	for _, instance := range []string{"ours", "of the version before"} {
		run(t, url, fmt.Sprintf(`INSERT INTO bucket (tenant, width, start, instance, operations, failures, duration, devices)
			VALUES ('default', %d, %d, '%s', 7, 0, 1000000, '')
			ON CONFLICT (tenant, width, start, instance) DO UPDATE SET operations = excluded.operations,
				failures = excluded.failures, duration = excluded.duration, devices = excluded.devices`,
			time.Minute.Microseconds(), at.UnixMicro(), instance))
	}
	var got []domain.Bucket
	err := s.View(ctx, func(tx store.Tx) error {
		return tx.EachCount(domain.BucketSpan{Width: domain.Minute, From: at, To: at.Add(time.Minute)}, func(b domain.Bucket) error { got = append(got, b); return nil })
	})
	if err != nil {
		t.Fatal(err)
	}
	b.Operations = 7
	before := domain.Bucket{Instance: "of the version before", Width: domain.Minute, Start: at, Operations: 7, Duration: time.Second}
	if diff := cmp.Diff([]domain.Bucket{before, b}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUsedCiphertextsStayUsedAtAnUpgrade(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	url := pgtest.Database(t)
	s := opened(t, url)
	provider := must(s.provider())
	defer provider.Close()
	if _, err := provider.UpTo(t.Context(), 5); err != nil {
		t.Fatal(err)
	}
	storetest.WantUsedAfterUpgrade(t, s, func(accountID, keyID string, digest []byte) {
		run(t, url, fmt.Sprintf(`INSERT INTO ciphertext VALUES ('default', '%s', '%s', '\x%x')`, accountID, keyID, digest))
	})
}
