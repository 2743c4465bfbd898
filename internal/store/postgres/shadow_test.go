package postgres

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"strongroom/internal/store"
	"strongroom/internal/store/sqltx"
	"strongroom/internal/store/storetest"
)

// shadowed are the types that the operators and functions of an attacker take.
var shadowed = []string{"smallint", "integer", "bigint", "numeric", "real", "double precision", "text", "varchar", "name", `"char"`, "bytea", "boolean", "oid",
	"regclass", "timestamptz", "timestamp", "interval", "text[]", "bigint[]"}

// shadow makes each operator and each function that statements use, for all types of
// arguments that the server's own do not have. If one is a better match than the server's
// own, PostgreSQL uses it. Anyone who may create objects in a schema of the search path can
// do the same (CVE-2018-1058).
const shadow = `DO $do$
DECLARE o text; l text; r text; types text[] := string_to_array('%s', ';');
BEGIN
	FOREACH l IN ARRAY types LOOP
		FOREACH r IN ARRAY types LOOP
			EXECUTE format('CREATE FUNCTION shadow.op(%%s, %%s) RETURNS boolean LANGUAGE plpgsql AS $$BEGIN RAISE ''shadow''; END$$', l, r);
			EXECUTE format('CREATE FUNCTION shadow.sum(%%s, %%s) RETURNS %%1$s LANGUAGE plpgsql AS $$BEGIN RAISE ''shadow''; END$$', l, r);
			FOREACH o IN ARRAY '{=,<>,<,<=,>,>=,~~,!~~}'::text[] LOOP
				EXECUTE format('CREATE OPERATOR shadow.%%s (LEFTARG = %%s, RIGHTARG = %%s, FUNCTION = shadow.op)', o, l, r);
			END LOOP;
			FOREACH o IN ARRAY '{+,-,*,/,||}'::text[] LOOP
				EXECUTE format('CREATE OPERATOR shadow.%%s (LEFTARG = %%s, RIGHTARG = %%s, FUNCTION = shadow.sum)', o, l, r);
			END LOOP;
			FOREACH o IN ARRAY '{current_setting,has_schema_privilege}'::text[] LOOP
				EXECUTE format('CREATE FUNCTION shadow.%%s(%%s, %%s) RETURNS text LANGUAGE plpgsql AS $$BEGIN RAISE ''shadow''; END$$', o, l, r);
			END LOOP;
			CONTINUE WHEN l NOT IN ('text', 'varchar', 'name', 'bytea', 'oid');
			FOREACH o IN ARRAY '{set_config,has_schema_privilege,substr}'::text[] LOOP
				EXECUTE format('CREATE FUNCTION shadow.%%s(%%s, %%s, boolean) RETURNS text LANGUAGE plpgsql AS $$BEGIN RAISE ''shadow''; END$$', o, l, r);
				EXECUTE format('CREATE FUNCTION shadow.%%s(%%s, %%s, integer) RETURNS bytea LANGUAGE plpgsql AS $$BEGIN RAISE ''shadow''; END$$', o, l, r);
				EXECUTE format('CREATE FUNCTION shadow.%%s(%%s, %%s, text) RETURNS boolean LANGUAGE plpgsql AS $$BEGIN RAISE ''shadow''; END$$', o, l, r);
			END LOOP;
		END LOOP;
		FOREACH o IN ARRAY '{length,floor,quote_ident,to_regclass,unnest,sum,max,min,count,pg_advisory_xact_lock,current_schemas}'::text[] LOOP
			EXECUTE format('CREATE FUNCTION shadow.%%s(%%s) RETURNS %%s LANGUAGE plpgsql AS $$BEGIN RAISE ''shadow''; END$$', o, l,
				CASE o WHEN 'length' THEN 'integer' WHEN 'quote_ident' THEN 'text' WHEN 'to_regclass' THEN 'regclass' ELSE l END);
		END LOOP;
	END LOOP;
END $do$`

// Statements name operators and functions without a schema, so that other engines accept
// them. So each must match one of the server's own exactly: the search for an exact match
// begins in pg_catalog. EXPLAIN refuses a function that its role may not execute.
func TestStatementsUseNoOperatorOrFunctionOfAnotherRole(t *testing.T) {
	oneGoroutine(t)
	t.Parallel()
	address := migratedDatabase(t)
	role := "plain_" + database(t, address)
	run(t, address, "CREATE SCHEMA shadow", fmt.Sprintf(shadow, strings.Join(shadowed, ";")), "REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA shadow FROM PUBLIC",
		"CREATE ROLE "+role, "GRANT USAGE ON SCHEMA public, shadow TO "+role, "GRANT ALL ON ALL TABLES IN SCHEMA public TO "+role)
	t.Cleanup(func() { run(t, address, "DROP OWNED BY "+role, "DROP ROLE "+role) })
	address += "&search_path=public,shadow&role=" + role
	s := opened(t, address)
	statements := storetest.Statements(t)
	for _, table := range store.Tables {
		statements["rows of "+table.Name] = sqltx.SelectTable(table, make(store.Row, table.Keys))
		statements["count of "+table.Name] = sqltx.CountTable(table)
		statements["a row of "+table.Name] = sqltx.InsertRow(table)
	}
	statements["of a shadow"] = "SELECT 1 + 1.5"
	for name, statement := range statements {
		if slices.Contains([]string{"sqlShards", "sqlListed", "sqlNode", "sqlPrepared"}, name) {
			continue // of tables that only Citus has
		}
		_, err := s.plan(statement)
		if (err != nil) != (name == "of a shadow") {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil { // its session still has the prepared statement
			s = opened(t, address)
		}
	}
}
