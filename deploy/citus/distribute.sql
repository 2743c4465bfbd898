-- Distributes Strongroom's tables over the nodes of Citus: as their owner or a
-- superuser, on the coordinator, after strongroom migrate and before serve. Run it
-- again after each later migration: it skips tables that are distributed.
--
-- * Tables with account_id are distributed by it, and those with chain by that. All
--   are co-located: equal values lie on the same node.
-- * key_account, which finds the account of a key, is distributed by key_id.
-- * account is looked up by its name, so each node has all of it.
-- * The other tables are small. They stay on the coordinator. Of these, audit_verdict
--   must stay empty: verdicts are in audit_log here.
\set ON_ERROR_STOP on

DO $$ BEGIN
	IF to_regclass('pg_dist_partition') IS NULL THEN
		RAISE EXCEPTION 'this database has no extension citus: run CREATE EXTENSION citus as a superuser first';
	ELSIF to_regclass('audit_verdict') IS NULL THEN
		RAISE EXCEPTION 'this database has no tables of Strongroom: run strongroom migrate first';
	ELSIF EXISTS (SELECT 1 FROM audit_verdict) THEN
		RAISE EXCEPTION 'this database has verdicts in audit_verdict, which are not read on Citus: distribute a new database instead';
	END IF;
END $$;

-- Shards are copied as whole tables: no instance may write meanwhile.
SET citus.multi_shard_modify_mode = 'sequential';

SELECT format('SELECT create_reference_table(%L)', 'account')
WHERE NOT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'account'::regclass)
\gexec

SELECT format('SELECT create_distributed_table(%L, %L, colocate_with => %L)', c.table_name, c.column_name,
	CASE WHEN c.table_name = 'device_key' THEN 'none' ELSE 'device_key' END)
FROM (
	SELECT DISTINCT ON (table_name) table_name, column_name
	FROM information_schema.columns
	WHERE table_schema = current_schema() AND table_name <> 'audit_verdict'
		AND (column_name IN ('account_id', 'chain') OR table_name = 'key_account' AND column_name = 'key_id')
	ORDER BY table_name, column_name DESC
) AS c
JOIN pg_class t ON t.oid = c.table_name::regclass
WHERE t.relkind IN ('r', 'p') AND NOT t.relispartition
	AND NOT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = t.oid)
ORDER BY c.table_name <> 'device_key', c.table_name
\gexec
