-- +goose Up

-- The newest form of verdicts that the process of a chain reads. Only on PostgreSQL do
-- several processes write.
ALTER TABLE audit_chain ADD COLUMN form INTEGER NOT NULL DEFAULT 1;
