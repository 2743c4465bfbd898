package postgres

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strongroom/internal/store"
	"strongroom/internal/store/postgres/pgtest"
	"strongroom/internal/store/sqltx"
	"strongroom/internal/store/storetest"
)

// engine is one that has a schema of its own, made from the migrations.
type engine struct {
	file  string // below deploy
	about string
	table func(*tableDef) []string
	index func(*indexDef) string
	more  func(*schema) []string
}

var engines = map[string]engine{
	"CockroachDB": {"cockroach/schema.sql", `
-- Strongroom's schema for CockroachDB: instead of strongroom migrate, and before
-- serve. Made from the migrations by
--     go test ./internal/store/postgres -run TestSchemaFilesOfOtherEngines -update
--
--     cockroach sql --url postgres://…/strongroom --file deploy/cockroach/schema.sql
--
-- Each statement is a transaction of its own. The file can run again, after an
-- interruption or an upgrade: it makes only what is missing.
--
-- * No COLLATE: texts compare by their bytes without it.
-- * Indexes that begin with a time are hash-sharded. Otherwise all instances would
--   write at the end of one range.
`, cockroachTable, cockroachIndex, func(*schema) []string { return nil }},
	"YugabyteDB": {"yugabyte/schema.sql", `
-- Strongroom's schema for YugabyteDB: instead of strongroom migrate, and before
-- serve. Made from the migrations by
--     go test ./internal/store/postgres -run TestSchemaFilesOfOtherEngines -update
--
--     ysqlsh -v ON_ERROR_STOP=1 -f deploy/yugabyte/schema.sql 'postgres://…/strongroom'
--
-- Each statement is a transaction of its own. The file can run again, after an
-- interruption or an upgrade: it makes only what is missing.
--
-- * Tables are spread by the hash of tenant and account, or of tenant and chain for the
--   trail. By default YugabyteDB hashes the first column, and tenant is always the
--   same.
-- * What is read in order is stored in order (ASC). The indexes _order are for reads
--   in order of tables that are hashed. An UPDATE does not write them.
`, yugabyteTable, yugabyteIndex, yugabyteOrder},
}

// times are the columns that only grow, as far as their rows are added.
var times = []string{"time", "second", "created_at", "expires_at", "grace_until", "reset_at", "done_at", "dead_at", "locked_to", "bits"}

// leading is the first column of a key that is not the constant tenant.
func leading(columns []string) string {
	return slices.DeleteFunc(slices.Clone(columns), func(c string) bool { return c == "tenant" })[0]
}

func columnSQL(c columnDef, collate bool) string {
	text := c.name + " " + c.is
	if collate && c.collated {
		text += ` COLLATE "C"`
	}
	text += " NOT NULL"
	if c.preset != "" {
		text += " DEFAULT " + c.preset
	}
	return text
}

// tableSQL makes a table, and adds the columns that a later migration adds.
func tableSQL(t *tableDef, collate bool, key string) []string {
	create := "CREATE TABLE IF NOT EXISTS " + t.name + " (\n"
	var added []string
	for _, c := range t.columns {
		if c.added {
			added = append(added, "ALTER TABLE "+t.name+" ADD COLUMN IF NOT EXISTS "+columnSQL(c, collate))
			continue
		}
		create += "    " + columnSQL(c, collate) + ",\n"
	}
	return append([]string{create + "    PRIMARY KEY (" + key + ")\n)"}, added...)
}

func indexSQL(i *indexDef, key, storage string) string {
	text := "CREATE "
	if i.unique {
		text += "UNIQUE "
	}
	text += "INDEX IF NOT EXISTS " + i.name + " ON " + i.table + " (" + key + ")" + storage
	if i.where != "" {
		text += "\n    WHERE " + i.where
	}
	return text
}

func cockroachTable(t *tableDef) []string {
	return tableSQL(t, false, strings.Join(t.key.columns, ", "))
}

func cockroachIndex(i *indexDef) string {
	storage := ""
	if slices.Contains(times, leading(i.key.columns)) {
		storage = " USING HASH"
	}
	return indexSQL(i, strings.Join(i.key.columns, ", "), storage)
}

// inOrder are the small tables that are read in order of their keys, or by a
// beginning of it.
var inOrder = []string{"setting", "bucket", "signing_key", "audit_verdict"}

// walked are the tables that are hashed and that the service reads in order.
var walked = []string{"device_key", "credential", "credential_previous", "attempts", "ciphertext", "ciphertext_chunk", "audit_log", "audit_chain", "outbox", "outbox_dead"}

func hashedKey(columns []string) string {
	key := "(" + strings.Join(columns[:2], ", ") + ") HASH"
	for _, c := range columns[2:] {
		key += ", " + c + " ASC"
	}
	return key
}

func rangedKey(columns []string) string { return strings.Join(columns, " ASC, ") + " ASC" }

func yugabyteTable(t *tableDef) []string {
	key := hashedKey(t.key.columns)
	if slices.Contains(inOrder, t.name) {
		key = rangedKey(t.key.columns)
	}
	return tableSQL(t, true, key)
}

func yugabyteIndex(i *indexDef) string {
	if i.table != "audit_verdict" && slices.Contains([]string{"account_id", "account"}, leading(i.key.columns)) {
		return indexSQL(i, hashedKey(i.key.columns), "")
	}
	return indexSQL(i, rangedKey(i.key.columns), "")
}

func yugabyteOrder(s *schema) (all []string) {
	for _, name := range walked {
		all = append(all, indexSQL(&indexDef{name: name + "_order", table: name}, rangedKey(s.table(name).key.columns), ""))
	}
	return all
}

// sql is the schema of an engine. The versions are noted last.
func (e engine) sql(s *schema, versions int64) string {
	var all []string
	for _, t := range s.tables {
		all = append(all, e.table(t)...)
	}
	for _, i := range s.indexes {
		all = append(all, e.index(i))
	}
	all = append(all, e.more(s)...)
	all = append(all, "CREATE TABLE IF NOT EXISTS schema_version (\n    version_id BIGINT NOT NULL,\n    is_applied BOOLEAN NOT NULL,\n    PRIMARY KEY (version_id)\n)")
	var rows []string
	for v := range versions + 1 {
		rows = append(rows, fmt.Sprintf("(%d, true)", v))
	}
	all = append(all, "INSERT INTO schema_version (version_id, is_applied) VALUES "+strings.Join(rows, ", ")+"\n    ON CONFLICT (version_id) DO NOTHING")
	return strings.TrimPrefix(e.about, "\n") + "\n" + strings.Join(all, ";\n\n") + ";\n"
}

// migrationsSchema is what the migrations make.
func migrationsSchema(t *testing.T) *schema {
	t.Helper()
	s := &schema{}
	for version := int64(1); version <= must(knownSchema()); version++ {
		name := must(filepath.Glob(fmt.Sprintf("migrations/%05d_*.sql", version)))[0]
		if err := s.readDDL(string(must(os.ReadFile(name)))); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	return s
}

func deployed(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "deploy", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestSchemaFilesOfOtherEnginesMatchTheMigrations(t *testing.T) {
	t.Parallel()
	s := migrationsSchema(t)
	// The engines get these columns and indexes with new tables, which need no more.
	others := slices.DeleteFunc(slices.Clone(s.others), func(o string) bool { return strings.HasPrefix(o, "DROP INDEX ") })
	if len(others) != 1 || !strings.HasPrefix(others[0], "UPDATE attempts SET locked_to =") {
		t.Errorf("the migrations change rows, which the schemas of other engines do not: %q", others)
	}
	for name, e := range engines {
		want := e.sql(s, must(knownSchema()))
		if *update {
			if err := os.WriteFile(filepath.Join("..", "..", "..", "deploy", e.file), []byte(want), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(want, deployed(t, e.file)); diff != "" {
			t.Errorf("%s: deploy/%s is not the schema of the migrations; regenerate it with -update (-want +got):\n%s", name, e.file, diff)
		}
	}
}

// read reads the file of an engine, and checks what all their files have in common.
func (e engine) read(t *testing.T) *schema {
	t.Helper()
	s := &schema{}
	if err := s.readDDL(deployed(t, e.file)); err != nil {
		t.Fatalf("%s: %v", e.file, err)
	}
	if n := int(must(knownSchema())) + 1; len(s.applied) != n || len(s.others) > 0 {
		t.Errorf("%s notes %d versions, want %d, and does %q", e.file, len(s.applied), n, s.others)
	}
	for _, i := range s.indexes {
		if i.concurrently || !i.perhaps {
			t.Errorf("%s: %s is made concurrently, or cannot be made again", e.file, i.name)
		}
	}
	for _, table := range s.tables {
		if !table.perhaps || !table.atPerhaps {
			t.Errorf("%s: %s cannot be made again", e.file, table.name)
		}
	}
	return s
}

func TestTheSchemaOfCockroachDBKeepsItsRules(t *testing.T) {
	t.Parallel()
	s := engines["CockroachDB"].read(t)
	for _, table := range s.tables {
		for _, c := range table.columns {
			if c.collated {
				t.Errorf("%s.%s has a collation", table.name, c.name)
			}
		}
		if table.key.hash+table.key.ranged > 0 {
			t.Errorf("the key of %s is for another engine", table.name)
		}
	}
	for _, i := range s.indexes {
		if grows := slices.Contains(times, leading(i.key.columns)); grows != i.hashed {
			t.Errorf("index %s (%v) grows at its end: %v; is hash-sharded: %v", i.name, i.key.columns, grows, i.hashed)
		}
		if i.key.hash+i.key.ranged > 0 {
			t.Errorf("the key of %s is for another engine", i.name)
		}
	}
	for _, name := range []string{"attempts", "audit_log", "device_key", "credential", "ciphertext_chunk", "outbox", "key_use"} {
		if second := s.table(name).key.columns[1]; second != "account_id" && second != "chain" {
			t.Errorf("rows of %s, which a verify or a set writes, are in order of %s", name, second)
		}
	}
}

func TestTheSchemaOfYugabyteDBKeepsItsRules(t *testing.T) {
	t.Parallel()
	s := engines["YugabyteDB"].read(t)
	var keys []*indexDef
	for _, table := range s.tables {
		if table.name == versionTable || table.name == "audit_verdict" { // whose keys are the smallest that find its rows
			continue
		}
		keys = append(keys, s.indexesOf(table.name)...)
		second := table.key.columns[1]
		if has := slices.ContainsFunc(table.columns, func(c columnDef) bool { return c.name == "account_id" || c.name == "chain" }); has &&
			(table.key.hash != 2 || second != "account_id" && second != "chain" && table.name != "key_account") {
			t.Errorf("%s is not spread by account: %+v", table.name, table.key)
		}
	}
	for _, i := range keys {
		// A first column without a word is hashed, and tenant is a constant.
		if k := i.key; k.hash+k.ranged != len(k.columns) || k.hash != 0 && k.hash != 2 || i.hashed {
			t.Errorf("%s: %+v", i.name, k)
		}
	}
}

// planStep is an index that a plan uses, and planCondition what it looks for in it.
var (
	planStep      = regexp.MustCompile(`(?:Index Scan|Index Only Scan)(?: Backward)? using (\w+) on (\w+)`)
	planCondition = regexp.MustCompile(`Index Cond: (.*)`)
)

// A hash gives no order: a statement that does not name both columns that are hashed
// needs an index that is stored in order.
func TestOnYugabyteDBEveryStatementFindsItsRowsByHashOrInOrder(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	s, here := engines["YugabyteDB"].read(t), opened(t, migratedDatabase(t))
	hashed := 0
	for name, statement := range storetest.Statements(t) {
		if slices.Contains(notOthers, name) {
			continue
		}
		plan, err := here.plan(statement)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for n, line := range plan {
			step := planStep.FindStringSubmatch(line)
			if step == nil || s.table(step[2]) == nil || step[2] == versionTable {
				continue
			}
			all := s.indexesOf(step[2])
			used := all[slices.IndexFunc(all, func(i *indexDef) bool { return i.name == step[1] })]
			condition := ""
			if n+1 < len(plan) {
				if c := planCondition.FindStringSubmatch(plan[n+1]); c != nil {
					condition = c[1]
				}
			}
			if used.key.hash == 0 {
				continue
			}
			hashed++
			if second := used.key.columns[1]; !strings.Contains(condition, "("+second+" = ") && !slices.ContainsFunc(all, func(i *indexDef) bool {
				return i.key.hash == 0 && slices.Equal(i.key.columns, used.key.columns) && i.where == used.where
			}) {
				t.Errorf("%s reads %s by %q, and no index of %s is in that order", name, step[1], condition, step[2])
			}
		}
	}
	if hashed < 30 {
		t.Errorf("only %d steps of plans use an index that is hashed", hashed)
	}
}

// plain is the schema as PostgreSQL takes it.
func (s *schema) plain() (all []string) {
	for _, t := range s.tables {
		if t.name == versionTable {
			continue
		}
		c := *t
		for i := range c.columns {
			c.columns[i].collated = c.columns[i].is == "TEXT"
		}
		all = append(all, tableSQL(&c, true, strings.Join(t.key.columns, ", "))...)
	}
	for _, i := range s.indexes {
		all = append(all, indexSQL(i, strings.Join(i.key.columns, ", "), ""))
	}
	return all
}

const sqlIndexConditions = `
	SELECT indexname || coalesce(substring(indexdef FROM ' WHERE .*'), '') FROM pg_catalog.pg_indexes WHERE schemaname = current_schema()`

// The test leaves out what an engine adds. PostgreSQL creates the rest: each table, column,
// key, index and condition must match the migrations.
func TestSchemaFilesOfOtherEnginesCreateTheMigratedSchema(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	parts := func(s *Store) (found map[string]string) {
		err := s.view(t.Context(), func(tx *tx) (err error) { found, err = schemaParts(tx); return err })
		if err != nil {
			t.Fatal(err)
		}
		for _, is := range query(t, s, sqlIndexConditions) {
			if !strings.HasPrefix(is, firstPartition) {
				found["condition "+is] = ""
			}
		}
		maps.DeleteFunc(found, func(name, _ string) bool { return strings.Contains(name, "schema_") })
		return found
	}
	want := parts(opened(t, migratedDatabase(t)))
	for name, e := range engines {
		address := pgtest.Database(t)
		s := e.read(t)
		run(t, address, s.plain()...)
		run(t, address, s.plain()...) // again, as after an upgrade
		run(t, address, "CREATE TABLE schema_version (version_id BIGINT PRIMARY KEY, is_applied BOOLEAN NOT NULL)",
			"INSERT INTO schema_version SELECT v, true FROM generate_series(0, "+fmt.Sprint(must(knownSchema()))+") AS v")
		opened := opened(t, address)
		got := parts(opened)
		maps.DeleteFunc(got, func(name, _ string) bool { return strings.Contains(name, "_order") })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-migrations +file):\n%s", name, diff)
		}
		// It is served, and there is nothing to migrate.
		for what, err := range map[string]error{"Ping": opened.Ping(t.Context()), "Migrate": opened.Migrate(t.Context()), "CheckSchema": opened.CheckSchema(t.Context())} {
			if err != nil {
				t.Errorf("%s: %s: %v", name, what, err)
			}
		}
		put(t, opened, "name", "value")
	}
}

func TestMigrateNamesTheSchemaOfAnotherEngine(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	for version, want := range map[string]string{
		"CockroachDB CCL v24.3.1 (x86_64-pc-linux-gnu, built 2024/11/25)":      "deploy/cockroach/schema.sql",
		"PostgreSQL 15.2-YB-2025.1.0.0-b0 on x86_64-pc-linux-gnu, compiled by": "deploy/yugabyte/schema.sql",
	} {
		address := pgtest.Database(t)
		run(t, address, "CREATE SCHEMA other", "CREATE FUNCTION other.version() RETURNS TEXT LANGUAGE sql AS $$SELECT '"+version+"'::text$$")
		s := opened(t, address+"&search_path=public,other,pg_catalog")
		if err := s.Migrate(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want one that names %s", version, err, want)
		}
		if got := query(t, s, sqlTables); len(got) > 0 {
			t.Errorf("%s: it made %v", version, got)
		}
	}
}

// described is how an engine's catalog shows an index, by its documentation.
func (i *indexDef) described(name string) string {
	text := "CREATE INDEX "
	if i.unique {
		text = "CREATE UNIQUE INDEX "
	}
	switch text += i.name + " ON "; name {
	case "CockroachDB":
		text += "strongroom.public." + i.table + " USING btree (" + strings.Join(i.key.columns, " ASC, ") + " ASC)"
		if i.hashed {
			text += " USING HASH WITH (bucket_count=16)"
		}
	default:
		text += "public." + i.table + " USING lsm ("
		if i.key.hash > 0 {
			text += hashedKey(i.key.columns) + ")"
		} else {
			text += rangedKey(i.key.columns) + ")"
		}
	}
	if i.where != "" {
		text += " WHERE (" + i.where + ")"
	}
	return text
}

func TestSchemaComparisonIgnoresIndexDetailsOfOtherEngines(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	want, err := releasedSchema(5)
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range engines {
		s, compared := e.read(t), 0
		for _, table := range s.tables {
			for _, i := range s.indexesOf(table.name) {
				is, released := want["index "+i.table+"."+i.name]
				if !released {
					continue
				}
				compared++
				if got := indexColumns(i.described(name)); got != is {
					t.Errorf("%s: %s is read as %q, want %q", name, i.described(name), got, is)
				}
			}
		}
		if compared < 30 {
			t.Errorf("%s: only %d indexes were compared", name, compared)
		}
	}
	for _, is := range []string{"(a, b DESC)", "(b, a)", "(a, b) INCLUDE (c)", "(lower(a), b)", "(a)", `(a COLLATE "en_US", b)`} {
		for _, asis := range []string{"CREATE INDEX i ON t USING btree " + is, "CREATE INDEX i ON t USING lsm " + is} {
			if got := indexColumns(asis); got == "index (a, b)" {
				t.Errorf("%s counts as (a, b)", asis)
			}
		}
	}
}

// known is what CockroachDB and YugabyteDB have by their documentation, of what a
// statement calls or casts to.
var known = map[string]bool{"count": true, "sum": true, "max": true, "min": true, "coalesce": true, "length": true, "position": true, "floor": true,
	"exists": true, "extract": true, "clock_timestamp": true, "set_config": true, "current_setting": true, "current_schema": true,
	"cast": true, "row_number": true, "substr": true, "pg_backend_pid": true, "has_schema_privilege": true, "version": true, "greatest": true, "least": true, "unnest": true,
	"bigint": true, "text": true, "bytea": true, "boolean": true}

// notCalls are words before a parenthesis that call nothing.
var notCalls = regexp.MustCompile(`(?i)^(select|in|as|and|or|not|values|from|where|on|conflict|by|when|then|else|having|over|set|all|any|union|lateral|key|with|join|using|recursive|into|returning|[a-z_]*_(at|to|id))$`)

// notOthers are statements that only Citus gets, or a table with partitions.
var notOthers = []string{"sqlShards", "sqlListed", "sqlNode", "sqlPrepared", "sqlIsHead", "sqlLockPartitions", "sqlPartitionIsMade", "sqlRunSince", "sqlSchema"}

func TestStatementsCallOnlyFunctionsThatOtherEnginesHave(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	statements := storetest.Statements(t)
	for _, name := range notOthers {
		delete(statements, name)
	}
	for _, table := range store.Tables {
		statements["all of "+table.Name] = sqltx.SelectTable(table, nil)
		statements["a row of "+table.Name] = sqltx.InsertRow(table)
	}
	tables := map[string]bool{}
	for _, table := range store.Tables {
		tables[table.Name] = true
	}
	for name, statement := range statements {
		of := tokens(statement)
		named := map[string]bool{} // by WITH, or AS
		for i, token := range of {
			next := ""
			if i+1 < len(of) {
				next = of[i+1]
			}
			switch {
			case i > 0 && (strings.EqualFold(of[i-1], "AS") || strings.EqualFold(of[i-1], "WITH") || strings.EqualFold(of[i-1], "RECURSIVE")):
				named[token] = true
			case token == "::" && !known[strings.ToLower(next)]:
				t.Errorf("%s casts to %s", name, next)
			case next == "(" && plainWord.MatchString(token) && !known[strings.ToLower(token)] && !notCalls.MatchString(token) && !tables[token] && token != versionTable && !named[token]:
				t.Errorf("%s calls %s", name, token)
			case token == "/":
				// Of integers, it gives a fraction on CockroachDB. Only the error of a
				// division by zero is used, and what is rounded.
				if by := strings.Join(of[i+1:min(i+3, len(of))], ""); of[i-1] != "1" && by != "512." {
					t.Errorf("%s divides %s by %s", name, of[i-1], by)
				}
			case token == "COLLATE" || token == "ANY" || token == "ARRAY" || token == "ILIKE" || token == "ONLY" || token == "MERGE":
				t.Errorf("%s uses %s", name, token)
			}
		}
	}
}

var plainWord = regexp.MustCompile(`^[A-Za-z_]+$`)
