-- The first schema. Rules that every table keeps:
--
-- * tenant is the first part of every primary key, and account comes next
--   where there is one, so that a distributed engine can partition by them.
-- * Columns are NOT NULL: 0 or empty means none. Times and durations are
--   microseconds, times since 1970 UTC.
-- * Large values stand last in their table, so that a look at the others does
--   not walk their overflow pages.

-- +goose Up

-- "StrR": tells a Strongroom database from any other SQLite file.
PRAGMA application_id = 1400140370;

-- Facts about the database itself: wrapped keyset, canary, account mode, …
CREATE TABLE setting (
    tenant TEXT NOT NULL,
    name   TEXT NOT NULL,
    value  BLOB NOT NULL,
    PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE account (
    tenant     TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    mode       TEXT    NOT NULL,
    issuer     TEXT    NOT NULL,
    subject    TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX account_name ON account (tenant, mode, issuer, subject);

CREATE TABLE device_key (
    tenant      TEXT    NOT NULL,
    account_id  TEXT    NOT NULL,
    id          TEXT    NOT NULL,
    device_id   TEXT    NOT NULL,
    state       TEXT    NOT NULL,
    version     INTEGER NOT NULL,
    algorithm   TEXT    NOT NULL,
    bits        INTEGER NOT NULL,
    app_version TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL,
    ended_at    INTEGER NOT NULL,
    grace_until INTEGER NOT NULL,
    public_key  BLOB    NOT NULL,
    sealed      BLOB    NOT NULL, -- the sealed private key, empty once erased
    PRIMARY KEY (tenant, account_id, id)
) STRICT;

-- At most one active key per device.
CREATE UNIQUE INDEX device_key_active ON device_key (tenant, account_id, device_id)
    WHERE state = 'active';

-- The two ways in which a key's time is up. Both indexes hold few rows.
CREATE INDEX device_key_expiring ON device_key (tenant, expires_at)
    WHERE state = 'active' AND expires_at > 0;
CREATE INDEX device_key_erasable ON device_key (tenant, grace_until)
    WHERE state <> 'active' AND length(sealed) > 0;

-- Which account a key belongs to: a request names the key only.
CREATE TABLE key_account (
    tenant     TEXT NOT NULL,
    key_id     TEXT NOT NULL,
    account_id TEXT NOT NULL,
    PRIMARY KEY (tenant, key_id),
    FOREIGN KEY (tenant, account_id, key_id) REFERENCES device_key (tenant, account_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE credential (
    tenant     TEXT    NOT NULL,
    account_id TEXT    NOT NULL,
    type       TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    version    INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    sealed     BLOB    NOT NULL, -- the sealed verifier
    PRIMARY KEY (tenant, account_id, type)
) STRICT, WITHOUT ROWID;

-- The guess ledgers.
CREATE TABLE attempts (
    tenant       TEXT    NOT NULL,
    account_id   TEXT    NOT NULL,
    type         TEXT    NOT NULL,
    id           TEXT    NOT NULL,
    version      INTEGER NOT NULL,
    failures     INTEGER NOT NULL,
    locked_until INTEGER NOT NULL,
    permanent    INTEGER NOT NULL,
    recent       TEXT    NOT NULL, -- JSON: times of failures
    pending      TEXT    NOT NULL, -- JSON: reserved tries
    mac          BLOB    NOT NULL,
    PRIMARY KEY (tenant, account_id, type)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit_log (
    tenant     TEXT    NOT NULL,
    chain      TEXT    NOT NULL,
    seq        INTEGER NOT NULL,
    time       INTEGER NOT NULL,
    request_id TEXT    NOT NULL,
    actor      TEXT    NOT NULL,
    event      TEXT    NOT NULL,
    outcome    TEXT    NOT NULL,
    operation  TEXT    NOT NULL,
    failed     INTEGER NOT NULL,
    count      INTEGER NOT NULL,
    duration   INTEGER NOT NULL,
    key_id     TEXT    NOT NULL,
    account    BLOB    NOT NULL,
    device     BLOB    NOT NULL,
    record     TEXT    NOT NULL,
    version    INTEGER NOT NULL,
    digest     BLOB    NOT NULL,
    reason     TEXT    NOT NULL,
    prev       BLOB    NOT NULL,
    hash       BLOB    NOT NULL,
    PRIMARY KEY (tenant, chain, seq)
) STRICT, WITHOUT ROWID;

-- The history of one record.
CREATE INDEX audit_log_record ON audit_log (tenant, record, time) WHERE record <> '';

-- The metrics roll-ups.
CREATE TABLE bucket (
    tenant     TEXT    NOT NULL,
    width      INTEGER NOT NULL,
    start      INTEGER NOT NULL,
    instance   TEXT    NOT NULL,
    operations INTEGER NOT NULL,
    failures   INTEGER NOT NULL,
    duration   INTEGER NOT NULL,
    devices    BLOB    NOT NULL, -- sketch of the devices seen
    PRIMARY KEY (tenant, width, start, instance)
) STRICT;
