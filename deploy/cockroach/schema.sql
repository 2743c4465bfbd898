-- Strongroom's schema for CockroachDB: instead of strongroom migrate, and before
-- serve. Made from the migrations by
--     go test ./internal/store/postgres -run TestSchemaFilesOfOtherEngines -update
--
--     cockroach sql --url postgres://…/strongroom --file deploy/cockroach/schema.sql
--
-- Each statement is a transaction of its own. The file can run again, after an
-- interruption or an upgrade: it makes only what is missing.
--
-- * No COLLATE: texts compare by their bytes without it.
-- * Indexes that begin with a time are hash-sharded. Otherwise all instances would
--   write at the end of one range.

CREATE TABLE IF NOT EXISTS setting (
    tenant TEXT NOT NULL,
    name TEXT NOT NULL,
    value BYTEA NOT NULL,
    PRIMARY KEY (tenant, name)
);

CREATE TABLE IF NOT EXISTS account (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    mode TEXT NOT NULL,
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, id)
);

CREATE TABLE IF NOT EXISTS device_key (
    tenant TEXT NOT NULL,
    account_id TEXT NOT NULL,
    id TEXT NOT NULL,
    device_id TEXT NOT NULL,
    state TEXT NOT NULL,
    version BIGINT NOT NULL,
    algorithm TEXT NOT NULL,
    bits BIGINT NOT NULL,
    app_version TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    grace_until BIGINT NOT NULL,
    mac BYTEA NOT NULL,
    public_key BYTEA NOT NULL,
    sealed BYTEA NOT NULL,
    PRIMARY KEY (tenant, account_id, id)
);

ALTER TABLE device_key ADD COLUMN IF NOT EXISTS jkt TEXT NOT NULL DEFAULT '';

CREATE TABLE IF NOT EXISTS key_account (
    tenant TEXT NOT NULL,
    key_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    PRIMARY KEY (tenant, key_id)
);

CREATE TABLE IF NOT EXISTS ciphertext (
    tenant TEXT NOT NULL,
    account_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    digest BYTEA NOT NULL,
    PRIMARY KEY (tenant, account_id, key_id, digest)
);

CREATE TABLE IF NOT EXISTS credential (
    tenant TEXT NOT NULL,
    account_id TEXT NOT NULL,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    sealed BYTEA NOT NULL,
    PRIMARY KEY (tenant, account_id, type)
);

CREATE TABLE IF NOT EXISTS credential_previous (
    tenant TEXT NOT NULL,
    account_id TEXT NOT NULL,
    type TEXT NOT NULL,
    version BIGINT NOT NULL,
    id TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    sealed BYTEA NOT NULL,
    PRIMARY KEY (tenant, account_id, type, version)
);

CREATE TABLE IF NOT EXISTS attempts (
    tenant TEXT NOT NULL,
    account_id TEXT NOT NULL,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    version BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    locked_until BIGINT NOT NULL,
    permanent BOOLEAN NOT NULL,
    recent TEXT NOT NULL,
    pending TEXT NOT NULL,
    mac BYTEA NOT NULL,
    verified_at BIGINT NOT NULL,
    verified_by TEXT NOT NULL,
    devices TEXT NOT NULL,
    PRIMARY KEY (tenant, account_id, type)
);

ALTER TABLE attempts ADD COLUMN IF NOT EXISTS locked_to BIGINT NOT NULL DEFAULT 0;

CREATE TABLE IF NOT EXISTS audit_log (
    tenant TEXT NOT NULL,
    chain TEXT NOT NULL,
    seq BIGINT NOT NULL,
    time BIGINT NOT NULL,
    request_id TEXT NOT NULL,
    actor TEXT NOT NULL,
    event TEXT NOT NULL,
    outcome TEXT NOT NULL,
    operation TEXT NOT NULL,
    failed BOOLEAN NOT NULL,
    count BIGINT NOT NULL,
    duration BIGINT NOT NULL,
    key_id TEXT NOT NULL,
    account BYTEA NOT NULL,
    device BYTEA NOT NULL,
    record TEXT NOT NULL,
    version BIGINT NOT NULL,
    before BYTEA NOT NULL,
    digest BYTEA NOT NULL,
    reason TEXT NOT NULL,
    prev BYTEA NOT NULL,
    hash BYTEA NOT NULL,
    PRIMARY KEY (tenant, chain, seq)
);

CREATE TABLE IF NOT EXISTS bucket (
    tenant TEXT NOT NULL,
    width BIGINT NOT NULL,
    start BIGINT NOT NULL,
    instance TEXT NOT NULL,
    operations BIGINT NOT NULL,
    failures BIGINT NOT NULL,
    duration BIGINT NOT NULL,
    devices BYTEA NOT NULL,
    PRIMARY KEY (tenant, width, start, instance)
);

ALTER TABLE bucket ADD COLUMN IF NOT EXISTS durations BYTEA NOT NULL DEFAULT '';

CREATE TABLE IF NOT EXISTS key_generation (
    tenant TEXT NOT NULL,
    device BYTEA NOT NULL,
    count BIGINT NOT NULL,
    reset_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, device)
);

CREATE TABLE IF NOT EXISTS key_use (
    tenant TEXT NOT NULL,
    account_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    used_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, account_id, key_id)
);

CREATE TABLE IF NOT EXISTS receipt (
    tenant TEXT NOT NULL,
    key BYTEA NOT NULL,
    digest BYTEA NOT NULL,
    request_id TEXT NOT NULL,
    done_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, key)
);

CREATE TABLE IF NOT EXISTS outbox (
    tenant TEXT NOT NULL,
    account_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    id TEXT NOT NULL,
    event TEXT NOT NULL,
    time BIGINT NOT NULL,
    data BYTEA NOT NULL,
    mac BYTEA NOT NULL,
    PRIMARY KEY (tenant, account_id, seq)
);

CREATE TABLE IF NOT EXISTS outbox_lane (
    tenant TEXT NOT NULL,
    account_id TEXT NOT NULL,
    last_seq BIGINT NOT NULL,
    PRIMARY KEY (tenant, account_id)
);

CREATE TABLE IF NOT EXISTS outbox_dead (
    tenant TEXT NOT NULL,
    account_id TEXT NOT NULL,
    seq BIGINT NOT NULL,
    id TEXT NOT NULL,
    event TEXT NOT NULL,
    time BIGINT NOT NULL,
    data BYTEA NOT NULL,
    mac BYTEA NOT NULL,
    reason TEXT NOT NULL,
    dead_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, account_id, seq)
);

CREATE TABLE IF NOT EXISTS ciphertext_chunk (
    tenant TEXT NOT NULL,
    account_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    chunk BIGINT NOT NULL,
    digests BYTEA NOT NULL,
    PRIMARY KEY (tenant, account_id, key_id, chunk)
);

CREATE TABLE IF NOT EXISTS signing_key (
    tenant TEXT NOT NULL,
    number BIGINT NOT NULL,
    id TEXT NOT NULL,
    algorithm TEXT NOT NULL,
    version BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    active_from BIGINT NOT NULL,
    erased_at BIGINT NOT NULL,
    mac BYTEA NOT NULL,
    public_key BYTEA NOT NULL,
    sealed BYTEA NOT NULL,
    PRIMARY KEY (tenant, number)
);

CREATE TABLE IF NOT EXISTS redemption (
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    expires_at BIGINT NOT NULL,
    PRIMARY KEY (tenant, id)
);

CREATE TABLE IF NOT EXISTS audit_chain (
    tenant TEXT NOT NULL,
    name TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (tenant, name)
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
    PRIMARY KEY (chain, seq)
);

CREATE UNIQUE INDEX IF NOT EXISTS account_name ON account (tenant, mode, issuer, subject);

CREATE UNIQUE INDEX IF NOT EXISTS device_key_active ON device_key (tenant, account_id, device_id)
    WHERE state = 'active';

CREATE INDEX IF NOT EXISTS device_key_expiring ON device_key (tenant, expires_at) USING HASH
    WHERE state = 'active' AND expires_at > 0;

CREATE INDEX IF NOT EXISTS device_key_erasable ON device_key (tenant, grace_until) USING HASH
    WHERE state <> 'active' AND length(sealed) > 0;

CREATE INDEX IF NOT EXISTS device_key_grace ON device_key (tenant, account_id, device_id)
    WHERE state <> 'active' AND length(sealed) > 0;

CREATE INDEX IF NOT EXISTS key_generation_reset ON key_generation (tenant, reset_at) USING HASH;

CREATE INDEX IF NOT EXISTS receipt_done ON receipt (tenant, done_at) USING HASH;

CREATE INDEX IF NOT EXISTS attempts_locked ON attempts (tenant, locked_to, account_id, type) USING HASH
    WHERE locked_to > 0;

CREATE INDEX IF NOT EXISTS device_key_device ON device_key (tenant, device_id, account_id)
    WHERE length(device_id) > 0;

CREATE INDEX IF NOT EXISTS device_key_of_account ON device_key (tenant, account_id, device_id, created_at)
    WHERE length(device_id) > 0;

CREATE INDEX IF NOT EXISTS device_key_age ON device_key (tenant, bits, created_at) USING HASH
    WHERE state = 'active' AND created_at > 0;

CREATE INDEX IF NOT EXISTS audit_log_time ON audit_log (tenant, time, chain, seq) USING HASH;

CREATE INDEX IF NOT EXISTS audit_log_account ON audit_log (tenant, account, time, chain, seq)
    WHERE length(account) > 0;

CREATE INDEX IF NOT EXISTS audit_log_event ON audit_log (tenant, event, time, chain, seq)
    WHERE event NOT IN ('credential.verified', 'credential.mismatch', 'operations.counted', 'refusals.counted', 'key.issued', 'key.app_version', 'credential.set', 'chain.tied', 'audit.checkpoint', 'record.carried');

CREATE INDEX IF NOT EXISTS outbox_time ON outbox (tenant, time) USING HASH;

CREATE INDEX IF NOT EXISTS outbox_dead_id ON outbox_dead (tenant, id)
    WHERE length(id) > 0;

CREATE INDEX IF NOT EXISTS outbox_dead_at ON outbox_dead (tenant, dead_at, id) USING HASH
    WHERE dead_at > 0;

CREATE INDEX IF NOT EXISTS redemption_expiry ON redemption (tenant, expires_at) USING HASH;

CREATE UNIQUE INDEX IF NOT EXISTS audit_chain_number ON audit_chain (tenant, number);

CREATE INDEX IF NOT EXISTS audit_verdict_time ON audit_verdict (second) USING HASH;

CREATE INDEX IF NOT EXISTS audit_verdict_account ON audit_verdict (account, second);

CREATE TABLE IF NOT EXISTS schema_version (
    version_id BIGINT NOT NULL,
    is_applied BOOLEAN NOT NULL,
    PRIMARY KEY (version_id)
);

INSERT INTO schema_version (version_id, is_applied) VALUES (0, true), (1, true), (2, true), (3, true), (4, true), (5, true), (6, true), (7, true), (8, true), (9, true), (10, true), (11, true), (12, true), (13, true), (14, true)
    ON CONFLICT (version_id) DO NOTHING;
