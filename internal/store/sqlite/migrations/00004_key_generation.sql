-- +goose Up

-- How often each device asked for a key, where the count is kept for all
-- processes together. device is a keyed hash.
CREATE TABLE key_generation (
    tenant   TEXT    NOT NULL,
    device   BLOB    NOT NULL,
    count    INTEGER NOT NULL,
    reset_at INTEGER NOT NULL, -- the last instant of the window
    PRIMARY KEY (tenant, device)
) STRICT, WITHOUT ROWID;

-- To sweep what has ended.
CREATE INDEX key_generation_reset ON key_generation (tenant, reset_at);
