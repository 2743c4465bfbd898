#!/bin/sh
# Builds Citus for Debian's PostgreSQL, and installs it with a copy of PostgreSQL's
# programs in TARGET, so that the PostgreSQL of the machine does not change:
#
#   build.sh SOURCE TARGET
#
# SOURCE is a clone of https://github.com/citusdata/citus at a release tag that
# supports the PostgreSQL (13.2.2 supports 15, 16 and 17). Needs Debian's
# postgresql, postgresql-server-dev-N, autoconf, flex, make, gcc, liblz4-dev, libzstd-dev,
# libkrb5-dev, libpam0g-dev, libselinux1-dev, libxslt1-dev, libreadline-dev, libssl-dev and libicu-dev.
set -eu

source=${1:?the clone of Citus}
mkdir -p "${2:?where it goes}"
target=$(cd "$2" && pwd)
bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
version=$(basename "$(dirname "$bin")")

cd "$source"
# PostgreSQL 15.19 made public a function that Citus 13.2 defines for 15 and older.
compat=src/include/pg_version_compat.h
if [ "$version" = 15 ] && ! grep -q citus_have_createdb_privilege $compat; then
	sed -i '/^static inline bool$/{N;s/^\(static inline bool\)\n\(have_createdb_privilege(void)\)$/#define have_createdb_privilege citus_have_createdb_privilege\n\1\n\2/}' $compat
fi
PG_CONFIG=$bin/pg_config ./configure --without-libcurl
make -j"${JOBS:-2}" extension
make install-extension DESTDIR="$target"
cp -a --parents "/usr/lib/postgresql/$version" "/usr/share/postgresql/$version" "$target/"
echo "installed: CITUS_BIN=$target$bin"
