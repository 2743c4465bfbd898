-- The digests of used ciphertexts, 64 to a row. In the table ciphertext, a row for
-- each takes 200 bytes. That table stays, because instances of the previous
-- version use it; no row is added to it any more.

-- +goose Up

CREATE TABLE ciphertext_chunk (
    tenant     TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL,
    key_id     TEXT COLLATE "C" NOT NULL,
    chunk      BIGINT           NOT NULL, -- from 0; all but the last are full
    digests    BYTEA            NOT NULL, -- 8 bytes each, at most 512
    PRIMARY KEY (tenant, account_id, key_id, chunk)
);
