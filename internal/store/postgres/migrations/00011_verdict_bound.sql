-- +goose Up

-- What the rows of before have in common, so that they need not be read under the lock of
-- the migration after next. The lock here waits for every transaction that uses the table,
-- and all others wait behind it: so it is given up soon, and the migration runs again.
SET LOCAL lock_timeout = '300ms';
ALTER TABLE audit_verdict ADD CONSTRAINT audit_verdict_before CHECK (chain < 314572800) NOT VALID;
