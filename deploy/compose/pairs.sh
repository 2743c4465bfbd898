#!/bin/sh
# Measures the database's CPU for a verify by Strongroom and for the bare statements
# of verify.pgbench, in turns, and prints their ratio:
#
#   pairs.sh ROUNDS SECONDS POSTMASTER-PID BARE-DATABASE INSTANCE-DATABASE URL
#
# BARE-DATABASE was filled by verify-fill.sql. URL is the GraphQL endpoint of an
# instance on INSTANCE-DATABASE. It queries both with psql (PGHOST, PGUSER, …), and
# reads the CPU time from /proc: the server must be on this machine and do nothing else.
set -eu
rounds=$1 seconds=$2 postmaster=$3 bare=$4 database=$5 url=$6
here=$(dirname "$0")
strongroom=${STRONGROOM:-strongroom}

ticks() { # of the server's processes, ended ones included
  for pid in "$postmaster" $(pgrep -P "$postmaster"); do cat "/proc/$pid/stat" 2>/dev/null || true; done |
    sed 's/^.*) //' | awk '{ sum += $12 + $13 + $14 + $15 } END { print sum }'
}
ask() { psql -XAtq -d "$database" -c "$1"; }
verifies() { ask "SELECT count(*) FROM audit_verdict"; }
wal() { ask "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')"; }

log=$(mktemp)
trap 'rm -f "$log"' EXIT
round=0
while [ $((round += 1)) -le "$rounds" ]; do
  c0=$(ticks)
  n=$(pgbench -n -M extended -c 6 -j 1 -T "$seconds" --max-tries=20 -f "$here/verify.pgbench" "$bare" 2>/dev/null |
    sed -n 's/^number of transactions actually processed: \([0-9]*\).*/\1/p')
  c1=$(ticks)
  "$strongroom" bench run --url "$url" --load verify:6 --duration "$((seconds + 4))s" --floors 0 >"$log" 2>&1 &
  while ! grep -q '^ *1 s' "$log"; do sleep 0.2; kill -0 $! || exit 1; done # wait until bench has enrolled its devices
  v0=$(verifies) w0=$(wal) c2=$(ticks)
  sleep "$seconds"
  c3=$(ticks) v1=$(verifies) w1=$(wal)
  wait $!
  echo $((c1 - c0)) "$n" $((c3 - c2)) $((v1 - v0)) $((w1 - w0))
done | awk -v hz="$(getconf CLK_TCK)" '
  function median(a, n,   i, j, v) {
    for (i = 2; i <= n; i++) { v = a[i]; for (j = i; j > 1 && a[j - 1] > v; j--) a[j] = a[j - 1]; a[j] = v }
    return n % 2 ? a[(n + 1) / 2] : (a[n / 2] + a[n / 2 + 1]) / 2
  }
  { bare[NR] = 1000 * $1 / hz / $2; ours[NR] = 1000 * $3 / hz / $4; ratio[NR] = ours[NR] / bare[NR]; wal[NR] = $5 / $4
    printf "bare %.2f ms, verify %.2f ms, ratio %.2f, %d bytes of log, %d verifies\n", bare[NR], ours[NR], ratio[NR], wal[NR], $4 }
  END { printf "medians: bare %.2f ms, verify %.2f ms, ratio %.2f, %d bytes of log\n", median(bare, NR), median(ours, NR), median(ratio, NR), median(wal, NR) }'
