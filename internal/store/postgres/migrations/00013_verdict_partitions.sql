-- +goose Up

-- A partition contains the verdicts of the chains that began in one month, so that a prune
-- can drop it whole. The existing table becomes the first partition, and its rows stay
-- where they are. See partitions.go.
SET LOCAL lock_timeout = '300ms'; -- as in migration 11

ALTER TABLE audit_verdict RENAME TO audit_verdict_before;
ALTER INDEX audit_verdict_pkey RENAME TO audit_verdict_before_pkey;
ALTER INDEX audit_verdict_time RENAME TO audit_verdict_before_time;
ALTER INDEX audit_verdict_account RENAME TO audit_verdict_before_account;

CREATE TABLE audit_verdict (
    chain   INTEGER NOT NULL, -- audit_chain.number
    seq     INTEGER NOT NULL,
    second  INTEGER NOT NULL, -- of the time, since 2000-01-01 UTC
    micros  INTEGER NOT NULL, -- of that second
    account INTEGER NOT NULL, -- the first 4 bytes of the keyed hash
    data    BYTEA   NOT NULL, -- what else the entry says
    hash    BYTEA   NOT NULL,
    PRIMARY KEY (chain, seq)
) PARTITION BY RANGE (chain);
CREATE INDEX audit_verdict_time ON audit_verdict (second);
CREATE INDEX audit_verdict_account ON audit_verdict (account, second);

ALTER TABLE audit_verdict ATTACH PARTITION audit_verdict_before FOR VALUES FROM (MINVALUE) TO (314572800);
ALTER TABLE audit_verdict_before DROP CONSTRAINT audit_verdict_before;
