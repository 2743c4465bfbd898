#!/bin/sh
# Citus on 127.0.0.1: a coordinator and two workers.
#
#   run.sh start DIR              makes DIR and starts everything in it, or starts it again
#   run.sh stop DIR               stops everything; the data stays
#   run.sh kill DIR NODE          stops a node as a crash does; NODE is 0 for the coordinator, or 1 to 3
#   run.sh add DIR                adds the third worker
#   run.sh distribute DIR         distributes the tables (after strongroom migrate, before serve)
#   run.sh sql DIR [ARGUMENT...]  psql on the coordinator, as the superuser
#
# CITUS_BIN is the directory of PostgreSQL's programs with Citus (see build.sh).
# As root, the servers run as the user postgres. BASE is the first of 4 ports in use.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
command=${1:?start, stop, kill, add, distribute or sql}
mkdir -p "${2:?a directory}"
dir=$(cd "$2" && pwd)
case $dir in *[!A-Za-z0-9/._-]*)
	echo "$dir: choose a directory whose path has only letters, digits and / . _ -" >&2
	exit 2 ;;
esac
BASE=${BASE:-27000} # below 32768: Linux gives higher ports to outgoing connections
bin=${CITUS_BIN:-$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)}
database=${DATABASE:-strongroom}
export PGPASSFILE=$dir/pgpass

port() { echo $((BASE + $1)); }

as() { # HOME: libpq looks for certificates there, and postgres may not read root's
	if [ "$(id -u)" = 0 ]; then HOME=$dir setpriv --reuid=postgres --regid=postgres --init-groups "$@"; else "$@"; fi
}

sql() { # NODE DATABASE [ARGUMENT...]
	node=$1 name=$2
	shift 2
	psql -XAtq -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$(port "$node")" -U postgres -d "$name" "$@"
}

prepare() {
	[ -e "$dir/prepared" ] && return
	if [ "$(id -u)" = 0 ]; then chown postgres "$dir"; fi
	chmod 711 "$dir"
	(umask 077
	[ -e "$dir/password" ] || head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$dir/password"
	echo "127.0.0.1:*:*:*:$(cat "$dir/password")" >"$dir/pgpass"
	cp "$dir/pgpass" "$dir/pgpass-nodes" # for connections between the nodes
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365 -subj /CN=127.0.0.1 \
		-addext subjectAltName=IP:127.0.0.1 -keyout "$dir/tls.key" -out "$dir/tls.crt")
	chmod 644 "$dir/tls.crt"
	if [ "$(id -u)" = 0 ]; then chown postgres "$dir/password" "$dir/pgpass-nodes" "$dir/tls.key"; fi
	: >"$dir/prepared"
}

launch() { # NODE: starts it unless it runs
	data=$dir/node$1
	if [ ! -e "$data" ]; then
		as "$bin/initdb" -D "$data" -U postgres -A scram-sha-256 --pwfile="$dir/password" -E UTF8 --locale=C.UTF-8 >/dev/null
		cat "$here/postgresql.conf" >>"$data/postgresql.conf"
	fi
	as "$bin/pg_ctl" status -D "$data" >/dev/null && return
	PGPASSFILE=$dir/pgpass-nodes as "$bin/pg_ctl" start -D "$data" -w -l "$data/log" -o "-p $(port "$1")" >/dev/null || {
		echo "node $1 did not start: see $data/log" >&2
		exit 1
	}
}

fill() { # NODE: creates the role and the database
	[ "$(sql "$1" postgres -c "SELECT count(*) FROM pg_database WHERE datname = '$database'")" = 0 ] || return 0
	# Through standard input: other users can see command lines.
	printf '%s' "DO \$\$ BEGIN IF to_regrole('strongroom') IS NULL THEN CREATE ROLE strongroom LOGIN PASSWORD '$(cat "$dir/password")'; END IF; END \$\$" |
		sql "$1" postgres
	sql "$1" postgres -c "SET citus.enable_create_database_propagation = off" -c "CREATE DATABASE $database OWNER strongroom" 2>/dev/null ||
		sql "$1" postgres -c "CREATE DATABASE $database OWNER strongroom"
	sql "$1" "$database" -c "CREATE EXTENSION citus" -c "ALTER DATABASE $database SET enable_seqscan = off" -c "ALTER DATABASE $database SET jit = off"
}

add() { # NODE
	launch "$1"
	fill "$1"
	sql 0 "$database" -c "SELECT citus_add_node('127.0.0.1', $(port "$1"))" >/dev/null
}

start() {
	prepare
	for node in 0 1 2; do launch $node; done
	if [ -e "$dir/node3" ]; then launch 3; fi
	fill 0
	if [ "$(sql 0 "$database" -c "SELECT count(*) FROM pg_dist_node")" = 0 ]; then
		sql 0 "$database" -c "SELECT citus_set_coordinator_host('127.0.0.1', $(port 0))" >/dev/null
		add 1
		add 2
	fi
	echo "ready: --database 'postgres://strongroom@127.0.0.1:$(port 0)/$database?sslmode=verify-full&sslrootcert=$dir/tls.crt&passfile=$dir/pgpass'"
}

stop() {
	for data in "$dir"/node*; do
		as "$bin/pg_ctl" stop -D "$data" -m fast -w >/dev/null || true
	done
}

kill_node() {
	as "$bin/pg_ctl" stop -D "$dir/node${1:?0, 1, 2 or 3}" -m immediate -w >/dev/null
	echo "node $1 is dead"
}

case $command in
start) start ;;
stop) stop ;;
kill) kill_node "${3:-}" ;;
add) add 3 ;;
distribute) sql 0 "$database" -f "$here/distribute.sql" ;;
sql) shift 2; sql 0 "$database" "$@" ;;
*) echo "start, stop, kill, add, distribute or sql" >&2; exit 2 ;;
esac
