#!/bin/sh
# Makes secrets/, once, as root: Docker hands these files to the containers with
# the owner and mode that they have here, and 65532 is the user of Strongroom's
# image, 999 that of PostgreSQL's.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir secrets # fails when it is there: a second root key would be of no use
password=$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
head -c 32 /dev/urandom > secrets/root.key # what `strongroom root-key create` does
echo "postgres:5432:strongroom:strongroom:$password" > secrets/pgpass
cp secrets/pgpass secrets/pgpass-of-postgres
head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n' > secrets/postgres-password
chown 65532:65532 secrets/root.key secrets/pgpass
chown 999:999 secrets/pgpass-of-postgres secrets/postgres-password
