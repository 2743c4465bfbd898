#!/bin/sh
# Patroni calls this once, on the new primary, with a URL of a superuser. The
# user of Strongroom owns its database and has no other rights.
set -eu
psql -q -v ON_ERROR_STOP=1 "$1" <<'SQL'
\set password `cat "$STRONGROOM_PASSWORD_FILE"`
CREATE ROLE strongroom LOGIN PASSWORD :'password';
CREATE DATABASE strongroom OWNER strongroom TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8';
REVOKE CONNECT ON DATABASE strongroom FROM PUBLIC;
SQL
