-- Verdicts in a third of the bytes. Those of before stay where they are.

-- +goose Up

-- The numbers by which audit_verdict names chains.
CREATE TABLE audit_chain (
    tenant TEXT    NOT NULL,
    name   TEXT    NOT NULL,
    number INTEGER NOT NULL, -- from 1
    PRIMARY KEY (tenant, name)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX audit_chain_number ON audit_chain (tenant, number);

-- The entries of the trail about right and wrong answers.
CREATE TABLE audit_verdict (
    chain   INTEGER NOT NULL, -- audit_chain.number
    seq     INTEGER NOT NULL,
    second  INTEGER NOT NULL, -- of the time, since 2000-01-01 UTC
    micros  INTEGER NOT NULL, -- of that second
    account INTEGER NOT NULL, -- the first 4 bytes of the keyed hash
    data    BLOB    NOT NULL, -- what else the entry says
    hash    BLOB    NOT NULL,
    PRIMARY KEY (chain, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_verdict_time ON audit_verdict (second);
CREATE INDEX audit_verdict_account ON audit_verdict (account, second);
