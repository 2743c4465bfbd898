-- How long operations took, for the percentiles of any window.

-- +goose Up

-- A histogram (metrics/durations.go); empty where a version before counted the
-- operations, and nothing is known of them.
ALTER TABLE bucket ADD COLUMN durations BLOB NOT NULL DEFAULT x'';
