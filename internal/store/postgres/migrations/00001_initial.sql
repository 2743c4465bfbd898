-- The first schema: what SQLite's migrations 1 to 3 come to. Rules that every
-- table keeps, so that a distributed engine can carry it (see "Portable SQL" in
-- the package's comment):
--
-- * tenant is the first part of every primary key, and account comes next
--   where there is one.
-- * Columns are NOT NULL: 0 or empty means none. Times and durations are
--   microseconds, times since 1970 UTC.
-- * Texts compare byte by byte, whatever the database's collation is.
-- * No foreign keys: each check would be a statement and a lock more, and Citus
--   has none between tables that are partitioned differently.

-- +goose Up

-- Facts about the database itself: wrapped keyset, canary, account mode, …
CREATE TABLE setting (
    tenant TEXT COLLATE "C" NOT NULL,
    name   TEXT COLLATE "C" NOT NULL,
    value  BYTEA            NOT NULL,
    PRIMARY KEY (tenant, name)
);

CREATE TABLE account (
    tenant     TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    mode       TEXT COLLATE "C" NOT NULL,
    issuer     TEXT COLLATE "C" NOT NULL,
    subject    TEXT COLLATE "C" NOT NULL,
    created_at BIGINT           NOT NULL,
    PRIMARY KEY (tenant, id)
);

CREATE UNIQUE INDEX account_name ON account (tenant, mode, issuer, subject);

CREATE TABLE device_key (
    tenant      TEXT COLLATE "C" NOT NULL,
    account_id  TEXT COLLATE "C" NOT NULL,
    id          TEXT COLLATE "C" NOT NULL,
    device_id   TEXT COLLATE "C" NOT NULL,
    state       TEXT COLLATE "C" NOT NULL,
    version     BIGINT           NOT NULL,
    algorithm   TEXT COLLATE "C" NOT NULL,
    bits        BIGINT           NOT NULL,
    app_version TEXT COLLATE "C" NOT NULL,
    created_at  BIGINT           NOT NULL,
    expires_at  BIGINT           NOT NULL,
    ended_at    BIGINT           NOT NULL,
    grace_until BIGINT           NOT NULL,
    mac         BYTEA            NOT NULL,
    public_key  BYTEA            NOT NULL,
    sealed      BYTEA            NOT NULL, -- the sealed private key, empty once erased
    PRIMARY KEY (tenant, account_id, id)
);

-- At most one active key per device.
CREATE UNIQUE INDEX device_key_active ON device_key (tenant, account_id, device_id)
    WHERE state = 'active';

-- The two ways in which a key's time is up, and the keys of a device that are
-- in grace. All three indexes hold few rows.
CREATE INDEX device_key_expiring ON device_key (tenant, expires_at)
    WHERE state = 'active' AND expires_at > 0;
CREATE INDEX device_key_erasable ON device_key (tenant, grace_until)
    WHERE state <> 'active' AND length(sealed) > 0;
CREATE INDEX device_key_grace ON device_key (tenant, account_id, device_id)
    WHERE state <> 'active' AND length(sealed) > 0;

-- Which account a key belongs to: a request names the key only.
CREATE TABLE key_account (
    tenant     TEXT COLLATE "C" NOT NULL,
    key_id     TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant, key_id)
);

-- The ciphertexts that a key has opened, as keyed digests.
CREATE TABLE ciphertext (
    tenant     TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    key_id     TEXT COLLATE "C" NOT NULL,
    digest     BYTEA            NOT NULL,
    PRIMARY KEY (tenant, account_id, key_id, digest)
);

CREATE TABLE credential (
    tenant     TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    type       TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    version    BIGINT           NOT NULL,
    created_at BIGINT           NOT NULL,
    updated_at BIGINT           NOT NULL,
    sealed     BYTEA            NOT NULL, -- the sealed verifier
    PRIMARY KEY (tenant, account_id, type)
);

-- The credentials that the present one replaced.
CREATE TABLE credential_previous (
    tenant     TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    type       TEXT COLLATE "C" NOT NULL,
    version    BIGINT           NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    created_at BIGINT           NOT NULL,
    updated_at BIGINT           NOT NULL,
    sealed     BYTEA            NOT NULL, -- the sealed verifier
    PRIMARY KEY (tenant, account_id, type, version)
);

-- The guess ledgers.
CREATE TABLE attempts (
    tenant       TEXT COLLATE "C" NOT NULL,
    account_id   TEXT COLLATE "C" NOT NULL,
    type         TEXT COLLATE "C" NOT NULL,
    id           TEXT COLLATE "C" NOT NULL,
    version      BIGINT           NOT NULL,
    failures     BIGINT           NOT NULL,
    locked_until BIGINT           NOT NULL,
    permanent    BOOLEAN          NOT NULL,
    recent       TEXT COLLATE "C" NOT NULL, -- JSON: times of failures
    pending      TEXT COLLATE "C" NOT NULL, -- JSON: reserved tries
    mac          BYTEA            NOT NULL,
    verified_at  BIGINT           NOT NULL,
    verified_by  TEXT COLLATE "C" NOT NULL,
    devices      TEXT COLLATE "C" NOT NULL, -- JSON: failures of devices
    PRIMARY KEY (tenant, account_id, type)
);

CREATE TABLE audit_log (
    tenant     TEXT COLLATE "C" NOT NULL,
    chain      TEXT COLLATE "C" NOT NULL,
    seq        BIGINT           NOT NULL,
    time       BIGINT           NOT NULL,
    request_id TEXT COLLATE "C" NOT NULL,
    actor      TEXT COLLATE "C" NOT NULL,
    event      TEXT COLLATE "C" NOT NULL,
    outcome    TEXT COLLATE "C" NOT NULL,
    operation  TEXT COLLATE "C" NOT NULL,
    failed     BOOLEAN          NOT NULL,
    count      BIGINT           NOT NULL,
    duration   BIGINT           NOT NULL,
    key_id     TEXT COLLATE "C" NOT NULL,
    account    BYTEA            NOT NULL,
    device     BYTEA            NOT NULL,
    record     TEXT COLLATE "C" NOT NULL,
    version    BIGINT           NOT NULL,
    before     BYTEA            NOT NULL,
    digest     BYTEA            NOT NULL,
    reason     TEXT COLLATE "C" NOT NULL,
    prev       BYTEA            NOT NULL,
    hash       BYTEA            NOT NULL,
    PRIMARY KEY (tenant, chain, seq)
);

-- The metrics roll-ups.
CREATE TABLE bucket (
    tenant     TEXT COLLATE "C" NOT NULL,
    width      BIGINT           NOT NULL,
    start      BIGINT           NOT NULL,
    instance   TEXT COLLATE "C" NOT NULL,
    operations BIGINT           NOT NULL,
    failures   BIGINT           NOT NULL,
    duration   BIGINT           NOT NULL,
    devices    BYTEA            NOT NULL, -- sketch of the devices seen
    PRIMARY KEY (tenant, width, start, instance)
);
