-- +goose NO TRANSACTION
-- +goose Up

-- What the rows of before have in common, so that the next migration need not read them
-- under its lock. The check reads them beside writes. See partitions.go.
ALTER TABLE audit_verdict DROP CONSTRAINT IF EXISTS audit_verdict_before;
ALTER TABLE audit_verdict ADD CONSTRAINT audit_verdict_before CHECK (chain < 314572800) NOT VALID;
ALTER TABLE audit_verdict VALIDATE CONSTRAINT audit_verdict_before;
