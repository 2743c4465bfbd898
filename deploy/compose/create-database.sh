#!/bin/sh
# Creates the user and the database of Strongroom at the first start of the
# server. The user is not a superuser and owns only its database.
set -eu
psql -q -v ON_ERROR_STOP=1 -U postgres -d postgres <<'SQL'
\set password `cut -d: -f5 "${PGPASS_OF_STRONGROOM:-/run/secrets/pgpass_of_postgres}"`
CREATE ROLE strongroom LOGIN PASSWORD :'password';
CREATE DATABASE strongroom OWNER strongroom TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8';
REVOKE CONNECT ON DATABASE strongroom FROM PUBLIC;
SQL
