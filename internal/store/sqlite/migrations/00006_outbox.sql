-- Events that wait to be sent to a receiver, and those that were set aside.

-- +goose Up

-- account_id is the lane: an account, or '-' for events that are of none.
CREATE TABLE outbox (
    tenant     TEXT    NOT NULL,
    account_id TEXT    NOT NULL,
    seq        INTEGER NOT NULL,
    id         TEXT    NOT NULL,
    event      TEXT    NOT NULL,
    time       INTEGER NOT NULL,
    data       BLOB    NOT NULL, -- JSON
    mac        BLOB    NOT NULL,
    PRIMARY KEY (tenant, account_id, seq)
) STRICT, WITHOUT ROWID;

-- How old the oldest is.
CREATE INDEX outbox_time ON outbox (tenant, time);

-- The number of the last event of each lane: it outlives its events, and the
-- account.
CREATE TABLE outbox_lane (
    tenant     TEXT    NOT NULL,
    account_id TEXT    NOT NULL,
    last_seq   INTEGER NOT NULL,
    PRIMARY KEY (tenant, account_id)
) STRICT, WITHOUT ROWID;

-- Dead letters.
CREATE TABLE outbox_dead (
    tenant     TEXT    NOT NULL,
    account_id TEXT    NOT NULL,
    seq        INTEGER NOT NULL,
    id         TEXT    NOT NULL,
    event      TEXT    NOT NULL,
    time       INTEGER NOT NULL,
    data       BLOB    NOT NULL,
    mac        BLOB    NOT NULL,
    reason     TEXT    NOT NULL,
    dead_at    INTEGER NOT NULL,
    PRIMARY KEY (tenant, account_id, seq)
) STRICT, WITHOUT ROWID;

CREATE INDEX outbox_dead_id ON outbox_dead (tenant, id);
CREATE INDEX outbox_dead_at ON outbox_dead (tenant, dead_at, id);
