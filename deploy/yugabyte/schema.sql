-- Strongroom's schema for YugabyteDB: instead of strongroom migrate, and before
-- serve. Made from the migrations by
--     go test ./internal/store/postgres -run TestSchemaFilesOfOtherEngines -update
--
--     ysqlsh -v ON_ERROR_STOP=1 -f deploy/yugabyte/schema.sql 'postgres://…/strongroom'
--
-- Each statement is a transaction of its own. The file can run again, after an
-- interruption or an upgrade: it makes only what is missing.
--
-- * Tables are spread by the hash of tenant and account, or of tenant and chain for the
--   trail. By default YugabyteDB hashes the first column, and tenant is always the
--   same.
-- * What is read in order is stored in order (ASC). The indexes _order are for reads
--   in order of tables that are hashed. An UPDATE does not write them.

CREATE TABLE IF NOT EXISTS setting (
    tenant TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    value BYTEA NOT NULL,
    PRIMARY KEY (tenant ASC, name ASC)
);

CREATE TABLE IF NOT EXISTS account (
    tenant TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    mode TEXT COLLATE "C" NOT NULL,
    issuer TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY ((tenant, id) HASH)
);

CREATE TABLE IF NOT EXISTS device_key (
    tenant TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    device_id TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    algorithm TEXT COLLATE "C" NOT NULL,
    bits BIGINT NOT NULL,
    app_version TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    grace_until BIGINT NOT NULL,
    mac BYTEA NOT NULL,
    public_key BYTEA NOT NULL,
    sealed BYTEA NOT NULL,
    PRIMARY KEY ((tenant, account_id) HASH, id ASC)
);

ALTER TABLE device_key ADD COLUMN IF NOT EXISTS jkt TEXT COLLATE "C" NOT NULL DEFAULT '';

CREATE TABLE IF NOT EXISTS key_account (
    tenant TEXT COLLATE "C" NOT NULL,
    key_id TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY ((tenant, key_id) HASH)
);

CREATE TABLE IF NOT EXISTS ciphertext (
    tenant TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    key_id TEXT COLLATE "C" NOT NULL,
    digest BYTEA NOT NULL,
    PRIMARY KEY ((tenant, account_id) HASH, key_id ASC, digest ASC)
);

CREATE TABLE IF NOT EXISTS credential (
    tenant TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    sealed BYTEA NOT NULL,
    PRIMARY KEY ((tenant, account_id) HASH, type ASC)
);

CREATE TABLE IF NOT EXISTS credential_previous (
    tenant TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    sealed BYTEA NOT NULL,
    PRIMARY KEY ((tenant, account_id) HASH, type ASC, version ASC)
);

CREATE TABLE IF NOT EXISTS attempts (
    tenant TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    locked_until BIGINT NOT NULL,
    permanent BOOLEAN NOT NULL,
    recent TEXT COLLATE "C" NOT NULL,
    pending TEXT COLLATE "C" NOT NULL,
    mac BYTEA NOT NULL,
    verified_at BIGINT NOT NULL,
    verified_by TEXT COLLATE "C" NOT NULL,
    devices TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY ((tenant, account_id) HASH, type ASC)
);

ALTER TABLE attempts ADD COLUMN IF NOT EXISTS locked_to BIGINT NOT NULL DEFAULT 0;

CREATE TABLE IF NOT EXISTS audit_log (
    tenant TEXT COLLATE "C" NOT NULL,
    chain TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    time BIGINT NOT NULL,
    request_id TEXT COLLATE "C" NOT NULL,
    actor TEXT COLLATE "C" NOT NULL,
    event TEXT COLLATE "C" NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL,
    operation TEXT COLLATE "C" NOT NULL,
    failed BOOLEAN NOT NULL,
    count BIGINT NOT NULL,
    duration BIGINT NOT NULL,
    key_id TEXT COLLATE "C" NOT NULL,
    account BYTEA NOT NULL,
    device BYTEA NOT NULL,
    record TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    before BYTEA NOT NULL,
    digest BYTEA NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    prev BYTEA NOT NULL,
    hash BYTEA NOT NULL,
    PRIMARY KEY ((tenant, chain) HASH, seq ASC)
);

CREATE TABLE IF NOT EXISTS bucket (
    tenant TEXT COLLATE "C" NOT NULL,
    width BIGINT NOT NULL,
    start BIGINT NOT NULL,
    instance TEXT COLLATE "C" NOT NULL,
    operations BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    duration BIGINT NOT NULL,
    devices BYTEA NOT NULL,
    PRIMARY KEY (tenant ASC, width ASC, start ASC, instance ASC)
);

ALTER TABLE bucket ADD COLUMN IF NOT EXISTS durations BYTEA NOT NULL DEFAULT '';

CREATE TABLE IF NOT EXISTS key_generation (
    tenant TEXT COLLATE "C" NOT NULL,
    device BYTEA NOT NULL,
    count BIGINT NOT NULL,
    reset_at BIGINT NOT NULL,
    PRIMARY KEY ((tenant, device) HASH)
);

CREATE TABLE IF NOT EXISTS key_use (
    tenant TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    key_id TEXT COLLATE "C" NOT NULL,
    used_at BIGINT NOT NULL,
    PRIMARY KEY ((tenant, account_id) HASH, key_id ASC)
);

CREATE TABLE IF NOT EXISTS receipt (
    tenant TEXT COLLATE "C" NOT NULL,
    key BYTEA NOT NULL,
    digest BYTEA NOT NULL,
    request_id TEXT COLLATE "C" NOT NULL,
    done_at BIGINT NOT NULL,
    PRIMARY KEY ((tenant, key) HASH)
);

CREATE TABLE IF NOT EXISTS outbox (
    tenant TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    event TEXT COLLATE "C" NOT NULL,
    time BIGINT NOT NULL,
    data BYTEA NOT NULL,
    mac BYTEA NOT NULL,
    PRIMARY KEY ((tenant, account_id) HASH, seq ASC)
);

CREATE TABLE IF NOT EXISTS outbox_lane (
    tenant TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    last_seq BIGINT NOT NULL,
    PRIMARY KEY ((tenant, account_id) HASH)
);

CREATE TABLE IF NOT EXISTS outbox_dead (
    tenant TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    seq BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    event TEXT COLLATE "C" NOT NULL,
    time BIGINT NOT NULL,
    data BYTEA NOT NULL,
    mac BYTEA NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    dead_at BIGINT NOT NULL,
    PRIMARY KEY ((tenant, account_id) HASH, seq ASC)
);

CREATE TABLE IF NOT EXISTS ciphertext_chunk (
    tenant TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    key_id TEXT COLLATE "C" NOT NULL,
    chunk BIGINT NOT NULL,
    digests BYTEA NOT NULL,
    PRIMARY KEY ((tenant, account_id) HASH, key_id ASC, chunk ASC)
);

CREATE TABLE IF NOT EXISTS signing_key (
    tenant TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    algorithm TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    active_from BIGINT NOT NULL,
    erased_at BIGINT NOT NULL,
    mac BYTEA NOT NULL,
    public_key BYTEA NOT NULL,
    sealed BYTEA NOT NULL,
    PRIMARY KEY (tenant ASC, number ASC)
);

CREATE TABLE IF NOT EXISTS redemption (
    tenant TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY ((tenant, id) HASH)
);

CREATE TABLE IF NOT EXISTS audit_chain (
    tenant TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY ((tenant, name) HASH)
);

ALTER TABLE audit_chain ADD COLUMN IF NOT EXISTS form INTEGER NOT NULL DEFAULT 1;

CREATE TABLE IF NOT EXISTS audit_verdict (
    chain INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    second INTEGER NOT NULL,
    micros INTEGER NOT NULL,
    account INTEGER NOT NULL,
    data BYTEA NOT NULL,
    hash BYTEA NOT NULL,
    PRIMARY KEY (chain ASC, seq ASC)
);

CREATE UNIQUE INDEX IF NOT EXISTS account_name ON account (tenant ASC, mode ASC, issuer ASC, subject ASC);

CREATE UNIQUE INDEX IF NOT EXISTS device_key_active ON device_key ((tenant, account_id) HASH, device_id ASC)
    WHERE state = 'active';

CREATE INDEX IF NOT EXISTS device_key_expiring ON device_key (tenant ASC, expires_at ASC)
    WHERE state = 'active' AND expires_at > 0;

CREATE INDEX IF NOT EXISTS device_key_erasable ON device_key (tenant ASC, grace_until ASC)
    WHERE state <> 'active' AND length(sealed) > 0;

CREATE INDEX IF NOT EXISTS device_key_grace ON device_key ((tenant, account_id) HASH, device_id ASC)
    WHERE state <> 'active' AND length(sealed) > 0;

CREATE INDEX IF NOT EXISTS key_generation_reset ON key_generation (tenant ASC, reset_at ASC);

CREATE INDEX IF NOT EXISTS receipt_done ON receipt (tenant ASC, done_at ASC);

CREATE INDEX IF NOT EXISTS attempts_locked ON attempts (tenant ASC, locked_to ASC, account_id ASC, type ASC)
    WHERE locked_to > 0;

CREATE INDEX IF NOT EXISTS device_key_device ON device_key (tenant ASC, device_id ASC, account_id ASC)
    WHERE length(device_id) > 0;

CREATE INDEX IF NOT EXISTS device_key_of_account ON device_key ((tenant, account_id) HASH, device_id ASC, created_at ASC)
    WHERE length(device_id) > 0;

CREATE INDEX IF NOT EXISTS device_key_age ON device_key (tenant ASC, bits ASC, created_at ASC)
    WHERE state = 'active' AND created_at > 0;

CREATE INDEX IF NOT EXISTS audit_log_time ON audit_log (tenant ASC, time ASC, chain ASC, seq ASC);

CREATE INDEX IF NOT EXISTS audit_log_account ON audit_log ((tenant, account) HASH, time ASC, chain ASC, seq ASC)
    WHERE length(account) > 0;

CREATE INDEX IF NOT EXISTS audit_log_event ON audit_log (tenant ASC, event ASC, time ASC, chain ASC, seq ASC)
    WHERE event NOT IN ('credential.verified', 'credential.mismatch', 'operations.counted', 'refusals.counted', 'key.issued', 'key.app_version', 'credential.set', 'chain.tied', 'audit.checkpoint', 'record.carried');

CREATE INDEX IF NOT EXISTS outbox_time ON outbox (tenant ASC, time ASC);

CREATE INDEX IF NOT EXISTS outbox_dead_id ON outbox_dead (tenant ASC, id ASC)
    WHERE length(id) > 0;

CREATE INDEX IF NOT EXISTS outbox_dead_at ON outbox_dead (tenant ASC, dead_at ASC, id ASC)
    WHERE dead_at > 0;

CREATE INDEX IF NOT EXISTS redemption_expiry ON redemption (tenant ASC, expires_at ASC);

CREATE UNIQUE INDEX IF NOT EXISTS audit_chain_number ON audit_chain (tenant ASC, number ASC);

CREATE INDEX IF NOT EXISTS audit_verdict_time ON audit_verdict (second ASC);

CREATE INDEX IF NOT EXISTS audit_verdict_account ON audit_verdict (account ASC, second ASC);

CREATE INDEX IF NOT EXISTS device_key_order ON device_key (tenant ASC, account_id ASC, id ASC);

CREATE INDEX IF NOT EXISTS credential_order ON credential (tenant ASC, account_id ASC, type ASC);

CREATE INDEX IF NOT EXISTS credential_previous_order ON credential_previous (tenant ASC, account_id ASC, type ASC, version ASC);

CREATE INDEX IF NOT EXISTS attempts_order ON attempts (tenant ASC, account_id ASC, type ASC);

CREATE INDEX IF NOT EXISTS ciphertext_order ON ciphertext (tenant ASC, account_id ASC, key_id ASC, digest ASC);

CREATE INDEX IF NOT EXISTS ciphertext_chunk_order ON ciphertext_chunk (tenant ASC, account_id ASC, key_id ASC, chunk ASC);

CREATE INDEX IF NOT EXISTS audit_log_order ON audit_log (tenant ASC, chain ASC, seq ASC);

CREATE INDEX IF NOT EXISTS audit_chain_order ON audit_chain (tenant ASC, name ASC);

CREATE INDEX IF NOT EXISTS outbox_order ON outbox (tenant ASC, account_id ASC, seq ASC);

CREATE INDEX IF NOT EXISTS outbox_dead_order ON outbox_dead (tenant ASC, account_id ASC, seq ASC);

CREATE TABLE IF NOT EXISTS schema_version (
    version_id BIGINT NOT NULL,
    is_applied BOOLEAN NOT NULL,
    PRIMARY KEY (version_id)
);

INSERT INTO schema_version (version_id, is_applied) VALUES (0, true), (1, true), (2, true), (3, true), (4, true), (5, true), (6, true), (7, true), (8, true), (9, true), (10, true), (11, true), (12, true), (13, true), (14, true)
    ON CONFLICT (version_id) DO NOTHING;
