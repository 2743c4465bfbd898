#!/bin/sh
# Callers behind a backend of yours: it proves itself by a service token or by
# a client certificate, and names the account in a header. Rotates the token,
# then changes to TLS. Starts services of its own on a new data directory.
# Needs curl, openssl, sed and the program; docs/callers.md shows and explains it.
# Nothing may answer at its two addresses: stop `make run`, or name others.
# Usage: examples/gateway.sh [program [listen [admin-listen]]], for example
#        examples/gateway.sh bin/strongroom 127.0.0.1:9080 127.0.0.1:9081
(
set -eu
program=${1:-bin/strongroom} listen=${2:-127.0.0.1:8080} admin=${3:-127.0.0.1:8081}
dir=$(mktemp -d) server=
trap 'test -z "$server" || kill $server 2> "$dir/log" || :; wait; rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM

for address in "$listen" "$admin"; do
  found=0
  curl -s -m 2 -o "$dir/other" "http://$address/" || found=$?
  if [ $found != 7 ]; then
    echo "Something answers at $address already: stop it, or name other addresses" >&2
    exit 1
  fi
done

start() {
  "$program" serve --data-dir "$dir/data" --listen "$listen" --admin-listen "$admin" --log-level error --accounts gateway "$@" &
  server=$!
}

key() {
  curl -sS -o "$dir/answer" -w '%{http_code} ' "$api/api/encryption/keys" -H 'Content-Type: application/json' -d '{"deviceId":"phone-1"}' "$@"
  printf '%s\n' "$(sed 's/.*"keyId":"\([^"]*\)".*/key \1/; s/.*"message":"\([^"]*\)".*/\1/' "$dir/answer")"
}

bearer() { printf 'Authorization: Bearer %s\n' "$1"; } # for curl -H @-: its arguments can be seen by other users

echo '1. Two tokens for the backend, the second for the help desk, and a service that knows them'
umask 077
backend=$(openssl rand -base64 32) helpdesk=$(openssl rand -base64 32)
printf '%s\n' "$backend" "$helpdesk credential:reset key:issue" > "$dir/tokens"
start --gateway-token-file "$dir/tokens"
api=http://$listen
until curl -fs -o "$dir/ready" "$api/readyz"; do kill -0 $server 2> "$dir/log"; sleep 1; done

echo '2. The header alone, and with a wrong token'
key -H 'Strongroom-Account: alice'
key -H 'Strongroom-Account: alice' -H 'Authorization: Bearer made-up'

echo '3. With the token: one deviceId, two accounts, two keys'
bearer "$backend" | key -H 'Strongroom-Account: alice' -H @-
bearer "$backend" | key -H 'Strongroom-Account: bob' -H @-

echo '4. A new token for the backend: add it, let the backend use it, take the old one away'
new=$(openssl rand -base64 32)
printf '%s\n' "$backend" "$new" "$helpdesk credential:reset key:issue" > "$dir/tokens"
sleep 3
bearer "$new" | key -H 'Strongroom-Account: alice' -H @-
printf '%s\n' "$new" "$helpdesk credential:reset key:issue" > "$dir/tokens"
sleep 3
bearer "$backend" | key -H 'Strongroom-Account: alice' -H @-
kill $server
wait $server
server=

certificate() {
  openssl req -newkey rsa:2048 -nodes -subj "/CN=$1" -keyout "$dir/$1.key" -out "$dir/$1.csr" 2> "$dir/log"
  printf 'subjectAltName=%s\nextendedKeyUsage=%s\n' "$2" "$3" > "$dir/$1.ext"
  openssl x509 -req -in "$dir/$1.csr" -CA "$dir/ca.pem" -CAkey "$dir/ca.key" -CAcreateserial -days 1 \
    -extfile "$dir/$1.ext" -out "$dir/$1.pem" 2> "$dir/log"
}

echo '5. Certificates: of an authority, the service, the backend, and someone else'
openssl req -x509 -newkey rsa:2048 -nodes -subj '/CN=Example CA' -days 1 -keyout "$dir/ca.key" -out "$dir/ca.pem" 2> "$dir/log"
certificate service IP:127.0.0.1 serverAuth
certificate backend DNS:backend clientAuth
certificate laptop DNS:laptop clientAuth

echo '6. The same service with TLS, for the certificate of the backend'
start --tls-cert "$dir/service.pem" --tls-key "$dir/service.key" --gateway-client-ca "$dir/ca.pem" --gateway-client-names backend
api=https://$listen
until curl -fs -o "$dir/ready" --cacert "$dir/ca.pem" "$api/readyz"; do kill -0 $server 2> "$dir/log"; sleep 1; done
key --cacert "$dir/ca.pem" -H 'Strongroom-Account: alice'
key --cacert "$dir/ca.pem" -H 'Strongroom-Account: alice' --cert "$dir/laptop.pem" --key "$dir/laptop.key"
key --cacert "$dir/ca.pem" -H 'Strongroom-Account: alice' --cert "$dir/backend.pem" --key "$dir/backend.key"
)
