-- +goose NO TRANSACTION

-- What operators look through. Writes go on meanwhile: each index is built
-- beside them, which no transaction may hold together, so each statement stands
-- alone and may meet what an interrupted run left behind.

-- +goose Up

-- When each key was last used, to be shown.
CREATE TABLE IF NOT EXISTS key_use (
    tenant     TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    key_id     TEXT COLLATE "C" NOT NULL,
    used_at    BIGINT           NOT NULL,
    PRIMARY KEY (tenant, account_id, key_id)
);

-- What writes of operators were answered with. key is a keyed hash of who asked
-- and of the idempotency key; digest is of the request.
CREATE TABLE IF NOT EXISTS receipt (
    tenant     TEXT COLLATE "C" NOT NULL,
    key        BYTEA            NOT NULL,
    digest     BYTEA            NOT NULL,
    request_id TEXT COLLATE "C" NOT NULL,
    done_at    BIGINT           NOT NULL,
    PRIMARY KEY (tenant, key)
);

-- To sweep what is old.
CREATE INDEX IF NOT EXISTS receipt_done ON receipt (tenant, done_at);

-- Until when a lock of the account or of one of its devices may stand: 0 for
-- none, the greatest integer for one that only an operator ends. It only helps
-- to find the ledger, which says for itself what stands: no MAC covers it. The
-- default is for the version before, which inserts ledgers without it.
ALTER TABLE attempts ADD COLUMN IF NOT EXISTS locked_to BIGINT NOT NULL DEFAULT 0;

-- The form in which devices are kept is not read here; where one has or had a
-- lock, it is taken for one without end until the ledger is next written.
UPDATE attempts
SET locked_to = CASE WHEN NOT permanent AND devices NOT LIKE '%"lockedUntil":1%' AND devices NOT LIKE '%"permanent":true%'
    THEN locked_until ELSE 9223372036854775807 END
WHERE locked_to = 0
    AND (permanent OR locked_until > 0 OR devices LIKE '%"lockedUntil":1%' OR devices LIKE '%"permanent":true%');

DROP INDEX CONCURRENTLY IF EXISTS attempts_locked;
CREATE INDEX CONCURRENTLY attempts_locked ON attempts (tenant, locked_to, account_id, type) WHERE locked_to > 0;

-- Devices in order of their names, and the devices and keys of an account. A
-- condition that every key fulfils keeps the indexes of keys to the statements
-- that repeat it: a planner without statistics would take one of them for the
-- look at one key.
DROP INDEX CONCURRENTLY IF EXISTS device_key_device;
CREATE INDEX CONCURRENTLY device_key_device ON device_key (tenant, device_id, account_id)
    WHERE length(device_id) > 0;
DROP INDEX CONCURRENTLY IF EXISTS device_key_of_account;
CREATE INDEX CONCURRENTLY device_key_of_account ON device_key (tenant, account_id, device_id, created_at)
    WHERE length(device_id) > 0;

-- How many active keys of a size are older than a time.
DROP INDEX CONCURRENTLY IF EXISTS device_key_age;
CREATE INDEX CONCURRENTLY device_key_age ON device_key (tenant, bits, created_at)
    WHERE state = 'active' AND created_at > 0;

-- The trail by time: all of it, by account, and by event for those that are
-- rare (domain.Event.Rare; what comes later is rare too).
DROP INDEX CONCURRENTLY IF EXISTS audit_log_time;
CREATE INDEX CONCURRENTLY audit_log_time ON audit_log (tenant, time, chain, seq);
DROP INDEX CONCURRENTLY IF EXISTS audit_log_account;
CREATE INDEX CONCURRENTLY audit_log_account ON audit_log (tenant, account, time, chain, seq) WHERE length(account) > 0;
DROP INDEX CONCURRENTLY IF EXISTS audit_log_event;
CREATE INDEX CONCURRENTLY audit_log_event ON audit_log (tenant, event, time, chain, seq)
    WHERE event NOT IN ('credential.verified', 'credential.mismatch', 'operations.counted', 'refusals.counted',
        'key.issued', 'key.app_version', 'credential.set', 'chain.tied', 'audit.checkpoint', 'record.carried');
