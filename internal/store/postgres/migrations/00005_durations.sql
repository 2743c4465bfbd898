-- How long operations took, for the percentiles of any window.

-- +goose Up

-- A histogram (metrics/durations.go); empty where a version before counted the
-- operations, and nothing is known of them. The default is for that version too,
-- which may still run and inserts buckets without it. No row is written anew.
ALTER TABLE bucket ADD COLUMN durations BYTEA NOT NULL DEFAULT '';
