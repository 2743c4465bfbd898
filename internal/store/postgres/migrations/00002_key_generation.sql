-- +goose Up

-- How often each device asked for a key, where the count is kept for all
-- instances together. device is a keyed hash.
CREATE TABLE key_generation (
    tenant   TEXT COLLATE "C" NOT NULL,
    device   BYTEA            NOT NULL,
    count    BIGINT           NOT NULL,
    reset_at BIGINT           NOT NULL, -- the last instant of the window
    PRIMARY KEY (tenant, device)
);

-- To sweep what has ended.
CREATE INDEX key_generation_reset ON key_generation (tenant, reset_at);
