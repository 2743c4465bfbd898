-- What operators look through.

-- +goose Up

-- Devices in order of their names, and the devices and keys of an account. A
-- condition that every key fulfils keeps the indexes of keys to the statements
-- that repeat it: no planner takes one of them for the look at one key.
CREATE INDEX device_key_device ON device_key (tenant, device_id, account_id) WHERE length(device_id) > 0;
CREATE INDEX device_key_of_account ON device_key (tenant, account_id, device_id, created_at) WHERE length(device_id) > 0;

-- How many active keys of a size are older than a time.
CREATE INDEX device_key_age ON device_key (tenant, bits, created_at) WHERE state = 'active' AND created_at > 0;

-- Until when a lock of the account or of one of its devices may stand: 0 for
-- none, the greatest integer for one that only an operator ends. It only helps
-- to find the ledger, which says for itself what stands: no MAC covers it. The
-- form in which devices are kept is not read here; where one has or had a lock,
-- it is taken for one without end until the ledger is next written.
ALTER TABLE attempts ADD COLUMN locked_to INTEGER NOT NULL DEFAULT 0;

UPDATE attempts
SET locked_to = CASE WHEN permanent = 0 AND devices NOT LIKE '%"lockedUntil":1%' AND devices NOT LIKE '%"permanent":true%'
    THEN locked_until ELSE 9223372036854775807 END
WHERE permanent <> 0 OR locked_until > 0 OR devices LIKE '%"lockedUntil":1%' OR devices LIKE '%"permanent":true%';

CREATE INDEX attempts_locked ON attempts (tenant, locked_to, account_id, type) WHERE locked_to > 0;

-- The trail by time: all of it, by account, and by event for those that are
-- rare (domain.Event.Rare; what comes later is rare too). A long trail is sorted
-- in a file: it holds no names and no secrets, and may not fit in memory.
PRAGMA temp_store = FILE;
CREATE INDEX audit_log_time ON audit_log (tenant, time, chain, seq);
CREATE INDEX audit_log_account ON audit_log (tenant, account, time, chain, seq) WHERE length(account) > 0;
CREATE INDEX audit_log_event ON audit_log (tenant, event, time, chain, seq)
    WHERE event NOT IN ('credential.verified', 'credential.mismatch', 'operations.counted', 'refusals.counted',
        'key.issued', 'key.app_version', 'credential.set', 'chain.tied', 'audit.checkpoint', 'record.carried');

PRAGMA temp_store = MEMORY;

-- When each key was last used, to be shown.
CREATE TABLE key_use (
    tenant     TEXT    NOT NULL,
    account_id TEXT    NOT NULL,
    key_id     TEXT    NOT NULL,
    used_at    INTEGER NOT NULL,
    PRIMARY KEY (tenant, account_id, key_id)
) STRICT, WITHOUT ROWID;

-- What writes of operators were answered with. key is a keyed hash of who asked
-- and of the idempotency key; digest is of the request.
CREATE TABLE receipt (
    tenant     TEXT    NOT NULL,
    key        BLOB    NOT NULL,
    digest     BLOB    NOT NULL,
    request_id TEXT    NOT NULL,
    done_at    INTEGER NOT NULL,
    PRIMARY KEY (tenant, key)
) STRICT, WITHOUT ROWID;

-- To sweep what is old.
CREATE INDEX receipt_done ON receipt (tenant, done_at);
