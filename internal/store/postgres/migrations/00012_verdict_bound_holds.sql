-- +goose NO TRANSACTION
-- +goose Up

-- This reads all rows, and does not block writes.
ALTER TABLE audit_verdict VALIDATE CONSTRAINT audit_verdict_before;
