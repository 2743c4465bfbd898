-- What several devices and callers of one account need.

-- +goose Up

-- The ledgers of devices, and the last right answer. Those that version 0.1.0
-- wrote have neither, and their MACs are over forms without them.
ALTER TABLE attempts ADD COLUMN verified_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN verified_by TEXT    NOT NULL DEFAULT '';
ALTER TABLE attempts ADD COLUMN devices     TEXT    NOT NULL DEFAULT '[]'; -- JSON: failures of devices

-- The ciphertexts that a key has opened, as keyed digests.
CREATE TABLE ciphertext (
    tenant     TEXT NOT NULL,
    account_id TEXT NOT NULL,
    key_id     TEXT NOT NULL,
    digest     BLOB NOT NULL,
    PRIMARY KEY (tenant, account_id, key_id, digest)
) STRICT, WITHOUT ROWID;

-- The credentials that the present one replaced.
CREATE TABLE credential_previous (
    tenant     TEXT    NOT NULL,
    account_id TEXT    NOT NULL,
    type       TEXT    NOT NULL,
    version    INTEGER NOT NULL,
    id         TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    sealed     BLOB    NOT NULL, -- the sealed verifier
    PRIMARY KEY (tenant, account_id, type, version)
) STRICT, WITHOUT ROWID;
