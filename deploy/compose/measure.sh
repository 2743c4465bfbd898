#!/bin/sh
# Measures what operations cost, during SECONDS of the present load:
#
#   measure.sh SECONDS POSTMASTER-PID INSTANCE-PID...
#
# It queries the database with psql (PGHOST, PGUSER, PGPASSFILE, …, as its owner or
# a superuser) and reads the CPU time from /proc: all processes must be on this machine.
set -eu
seconds=$1 postmaster=$2
shift 2
ticks=$(getconf CLK_TCK)

ask() { psql -XAtq -c "$1"; }

# The server starts and ends processes: ended ones count as their parent's.
cpu() { # PID...: ticks
  for pid; do cat "/proc/$pid/stat" 2>/dev/null || true; done | sed 's/^.*) //' | awk '{ sum += $12 + $13 + $14 + $15 } END { print sum }'
}
server() { cpu "$postmaster" $(pgrep -P "$postmaster"); }
counters() {
  ask "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0'), xact_commit, xact_rollback,
       (SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace),
       (SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
         AND (relname = 'audit_log' OR relname LIKE 'audit\_verdict%'))
       FROM pg_stat_database WHERE datname = current_database()" | tr '|' ' '
}

before=$(counters)
from=$(ask 'SELECT CAST(extract(epoch FROM now()) * 1000000 AS BIGINT)')
server0=$(server) instances0=$(cpu "$@")
sleep "$seconds"
server1=$(server) instances1=$(cpu "$@")
to=$(ask 'SELECT CAST(extract(epoch FROM now()) * 1000000 AS BIGINT)')
after=$(counters)
sleep 1 # operations that change nothing are written up to a second later
# Verdicts are in their own table, with their time in seconds since 2000.
counted="FROM (SELECT coalesce(nullif(operation, ''), event) AS operation, count FROM audit_log
    WHERE (operation <> '' OR event = 'operations.counted') AND time BETWEEN $from AND $to
  UNION ALL SELECT 'verdicts', 1 FROM audit_verdict
    WHERE (CAST(second AS BIGINT) + 946684800) * 1000000 + micros BETWEEN $from AND $to) AS counted"
ask "SELECT operation, sum(count) $counted GROUP BY 1" | sed 's/^/operations: /'
operations=$(ask "SELECT coalesce(sum(count), 0) $counted")

[ "$operations" -gt 0 ] || { echo "no operations" >&2; exit 1; }
echo "$before $after" | awk -v n="$operations" -v s="$seconds" -v t="$ticks" -v p=$((server1 - server0)) -v i=$((instances1 - instances0)) '{
  printf "%.1f operations/s; each: %.2f ms CPU of instances, %.3f ms of PostgreSQL (1 : %.1f), ", n/s, 1000*i/t/n, 1000*p/t/n, i/p
  printf "%.2f commits, %.3f rollbacks, %d bytes of WAL, %d bytes of growth (%d of the trail)\n", ($7-$2)/n, ($8-$3)/n, ($6-$1)/n, ($9-$4)/n, ($10-$5)/n }'
