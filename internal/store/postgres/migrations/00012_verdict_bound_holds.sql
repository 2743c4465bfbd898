-- +goose NO TRANSACTION
-- +goose Up

-- This reads the rows beside writes.
ALTER TABLE audit_verdict VALIDATE CONSTRAINT audit_verdict_before;
