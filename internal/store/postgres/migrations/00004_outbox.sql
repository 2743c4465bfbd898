-- Events that wait to be sent to a receiver, and those that were set aside.

-- +goose Up

-- account_id is the lane: an account, or '-' for events that are of none.
CREATE TABLE outbox (
    tenant     TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    seq        BIGINT           NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    event      TEXT COLLATE "C" NOT NULL,
    time       BIGINT           NOT NULL,
    data       BYTEA            NOT NULL, -- JSON
    mac        BYTEA            NOT NULL,
    PRIMARY KEY (tenant, account_id, seq)
);

-- How old the oldest is.
CREATE INDEX outbox_time ON outbox (tenant, time);

-- The number of the last event of each lane: it outlives its events, and the
-- account.
CREATE TABLE outbox_lane (
    tenant     TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    last_seq   BIGINT           NOT NULL,
    PRIMARY KEY (tenant, account_id)
);

-- Dead letters.
CREATE TABLE outbox_dead (
    tenant     TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    seq        BIGINT           NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    event      TEXT COLLATE "C" NOT NULL,
    time       BIGINT           NOT NULL,
    data       BYTEA            NOT NULL,
    mac        BYTEA            NOT NULL,
    reason     TEXT COLLATE "C" NOT NULL,
    dead_at    BIGINT           NOT NULL,
    PRIMARY KEY (tenant, account_id, seq)
);

-- By id, and the oldest first. Conditions that every dead letter fulfils keep
-- both to the statements that repeat it, as with the indexes of keys in 00003.
CREATE INDEX outbox_dead_id ON outbox_dead (tenant, id) WHERE length(id) > 0;
CREATE INDEX outbox_dead_at ON outbox_dead (tenant, dead_at, id) WHERE dead_at > 0;
