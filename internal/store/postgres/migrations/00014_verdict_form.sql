-- +goose Up

-- The newest form of verdicts that the process of a chain reads: see verdicts.go.
SET LOCAL lock_timeout = '300ms'; -- as in migration 11
ALTER TABLE audit_chain ADD COLUMN form INTEGER NOT NULL DEFAULT 1;
