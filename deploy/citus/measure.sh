#!/bin/sh
# Measures the CPU of each verify on the nodes of run.sh, during SECONDS of the
# present load:
#
#   measure.sh DIR SECONDS
#
# It reads the CPU time from /proc: nothing else may use these nodes.
set -eu
dir=$1 seconds=$2
here=$(dirname "$0")
ask() { "$here/run.sh" sql "$dir" -c "$1"; }

cpu() { # of a node and its sessions, in ticks; those that have ended count as their parent's
	for data in "$dir"/node${1:-?}; do
		[ -e "$data/postmaster.pid" ] || continue
		postmaster=$(head -1 "$data/postmaster.pid")
		for pid in $postmaster $(pgrep -P "$postmaster"); do cat "/proc/$pid/stat" 2>/dev/null || true; done
	done | sed 's/^.*) //' | awk '{ sum += $12 + $13 + $14 + $15 } END { print sum + 0 }'
}
count() {
	ask "SELECT count(*) FROM audit_log WHERE event IN ('credential.verified', 'credential.mismatch')"
	ask "SELECT n_tup_ins FROM pg_stat_all_tables WHERE relname = 'pg_dist_transaction'"
}

before=$(count | xargs) cpu0=$(cpu) coordinator0=$(cpu 0)
sleep "$seconds"
cpu1=$(cpu) coordinator1=$(cpu 0)
after=$(count | xargs)
echo "$before $after" | awk -v s="$seconds" -v hz="$(getconf CLK_TCK)" -v all=$((cpu1 - cpu0)) -v coordinator=$((coordinator1 - coordinator0)) '{
	n = $3 - $1
	if (n == 0) { print "no verifies"; exit 1 }
	printf "%.1f verifies/s, each %.2f ms of CPU (coordinator %.2f), %.2f prepared transactions\n", n / s, 1000 * all / hz / n, 1000 * coordinator / hz / n, ($4 - $2) / n }'
