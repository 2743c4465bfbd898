#!/bin/sh
# A PostgreSQL that survives the loss of a node, all on 127.0.0.1: etcd, three
# nodes under Patroni, and HAProxy, which forwards connections to the primary.
#
#   run.sh start DIR     makes DIR and starts everything in it, or starts it again
#   run.sh status DIR    shows which node is the primary
#   run.sh kill DIR      kills the primary and its Patroni, as if their machine had died
#   run.sh again DIR     starts what was killed
#   run.sh stop DIR      stops everything; the data stays
#
# Needs Debian's etcd-server, patroni, haproxy and postgresql. As root, the
# servers run as the user postgres. BASE is the first of 9 ports in use.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
command=${1:?start, status, kill, again or stop}
mkdir -p "${2:?a directory}"
dir=$(cd "$2" && pwd)
BASE=${BASE:-56000}
bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)

port() { echo $((BASE + $1)); } # 0 HAProxy, 1-3 PostgreSQL, 4-6 Patroni, 7-8 etcd

as() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --init-groups "$@"; else "$@"; fi; }

# sed reads its script from standard input, because every user can read a command line.
fill() { # FILE [NAME N]
	sed -f - "$1" <<-EOF
		s|@NAME@|${2:-}|g
		s|@HERE@|$here|g
		s|@DIR@|$dir|g
		s|@BIN@|$bin|g
		s|@HOST@|127.0.0.1|g
		s|@ETCD@|127.0.0.1:$(port 7)|g
		s|@PASSWORD@|$(cat "$dir/superuser-password")|g
		s|@PORT1@|$(port 1)|g
		s|@PORT2@|$(port 2)|g
		s|@PORT3@|$(port 3)|g
		s|@REST1@|$(port 4)|g
		s|@REST2@|$(port 5)|g
		s|@REST3@|$(port 6)|g
		s|@PORT@|$(port "${3:-0}")|g
		s|@REST@|$(port $((${3:-0} + 3)))|g
	EOF
}

prepare() {
	[ -e "$dir/superuser-password" ] && return
	if [ "$(id -u)" = 0 ]; then chown postgres "$dir"; fi
	chmod 711 "$dir"
	(umask 077 # these files contain the passwords
	for name in superuser strongroom; do head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n' >"$dir/$name-password"; done
	echo "127.0.0.1:$(port 0):strongroom:strongroom:$(cat "$dir/strongroom-password")" >"$dir/pgpass"
	for n in 1 2 3; do mkdir "$dir/node$n"; fill "$here/patroni.yml" "node$n" "$n" >"$dir/node$n/patroni.yml"; done
	fill "$here/haproxy.cfg" >"$dir/haproxy.cfg"
	mkdir "$dir/etcd")
	if [ "$(id -u)" = 0 ]; then chown -R postgres "$dir/etcd" "$dir"/node? "$dir/strongroom-password" "$dir/haproxy.cfg"; fi
}

alive() { [ -e "$dir/$1.pid" ] && kill -0 "$(cat "$dir/$1.pid")" 2>/dev/null; }

launch() { # NAME COMMAND...: starts it unless it runs
	name=$1
	shift
	alive "$name" && return
	if [ "$(id -u)" = 0 ]; then set -- setpriv --reuid=postgres --regid=postgres --init-groups "$@"; fi
	nohup "$@" >>"$dir/$name.log" 2>&1 </dev/null & # the pid is the program's: setpriv and nohup replace themselves by it
	echo $! >"$dir/$name.pid"
}

start() {
	prepare
	launch etcd etcd --name one --data-dir "$dir/etcd" --logger zap --log-level error \
		--listen-client-urls "http://127.0.0.1:$(port 7)" --advertise-client-urls "http://127.0.0.1:$(port 7)" \
		--listen-peer-urls "http://127.0.0.1:$(port 8)" --initial-advertise-peer-urls "http://127.0.0.1:$(port 8)" \
		--initial-cluster "one=http://127.0.0.1:$(port 8)"
	for n in 1 2 3; do launch "node$n" env STRONGROOM_PASSWORD_FILE="$dir/strongroom-password" patroni "$dir/node$n/patroni.yml"; done
	launch haproxy haproxy -db -f "$dir/haproxy.cfg"
	i=0
	until ready; do
		i=$((i + 1))
		[ $i -lt 120 ] || { echo "not ready after two minutes: see $dir/*.log" >&2; exit 1; }
		sleep 1
	done
	echo "ready: --database 'postgres://strongroom@127.0.0.1:$(port 0)/strongroom?sslmode=disable&passfile=$dir/pgpass'"
}

# Without a synchronous standby nothing is committed.
ready() { status 2>/dev/null | grep -q 'Sync Standby' && PGPASSFILE=$dir/pgpass psql -h 127.0.0.1 -p "$(port 0)" -U strongroom -Atc 'SELECT 1' strongroom >/dev/null 2>&1; }

status() { as patronictl -c "$dir/node1/patroni.yml" list; }

primary() { for n in 1 2 3; do if curl -fs -m 2 -o /dev/null "http://127.0.0.1:$(port $((n + 3)))/primary"; then echo "$n"; fi; done; }

kill_primary() {
	n=$(primary)
	[ -n "$n" ] || { echo "there is no primary" >&2; exit 1; }
	kill -9 "$(cat "$dir/node$n.pid")"
	postmaster=$(head -1 "$dir/node$n/data/postmaster.pid")
	kill -9 "$postmaster" # its children detect that and exit
	echo "node$n is dead"
}

stop() {
	for name in node1 node2 node3 haproxy etcd; do
		if alive "$name"; then
			kill -TERM "$(cat "$dir/$name.pid")"
			while alive "$name"; do sleep 0.2; done
		fi
		rm -f "$dir/$name.pid"
	done
}

case $command in
start | again) start ;;
status) status ;;
kill) kill_primary ;;
stop) stop ;;
*) echo "start, status, kill, again or stop" >&2; exit 2 ;;
esac
