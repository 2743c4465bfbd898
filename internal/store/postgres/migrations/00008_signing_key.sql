-- +goose Up

-- The key pairs with which the service signs, a few for each year. Their numbers
-- are unique, so that of several instances one makes the next key.
CREATE TABLE signing_key (
    tenant      TEXT COLLATE "C" NOT NULL,
    number      BIGINT           NOT NULL, -- from 1
    id          TEXT COLLATE "C" NOT NULL, -- RFC 7638 thumbprint
    algorithm   TEXT COLLATE "C" NOT NULL,
    version     BIGINT           NOT NULL,
    created_at  BIGINT           NOT NULL,
    active_from BIGINT           NOT NULL,
    erased_at   BIGINT           NOT NULL, -- 0: the private key is there
    mac         BYTEA            NOT NULL,
    public_key  BYTEA            NOT NULL,
    sealed      BYTEA            NOT NULL, -- empty once erased
    PRIMARY KEY (tenant, number)
);
