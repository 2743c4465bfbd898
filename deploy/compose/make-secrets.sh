#!/bin/sh
# Creates secrets/ once. Run it as root: in the containers these files have the
# same owner and mode as here. 65532 is the user of Strongroom's image, 999 that
# of PostgreSQL's.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir secrets # fails if it exists: the database needs the root key that is in it
password=$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
head -c 32 /dev/urandom > secrets/root.key # as `strongroom root-key create` does
echo "postgres:5432:strongroom:strongroom:$password" > secrets/pgpass
cp secrets/pgpass secrets/pgpass-of-postgres
head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n' > secrets/postgres-password
chown 65532:65532 secrets/root.key secrets/pgpass
chown 999:999 secrets/pgpass-of-postgres secrets/postgres-password
