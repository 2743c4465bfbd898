-- +goose Up

-- The key pairs with which the service signs, a few for each year. Their numbers
-- are unique, so that of several instances one makes the next key.
CREATE TABLE signing_key (
    tenant      TEXT    NOT NULL,
    number      INTEGER NOT NULL, -- from 1
    id          TEXT    NOT NULL, -- RFC 7638 thumbprint
    algorithm   TEXT    NOT NULL,
    version     INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    active_from INTEGER NOT NULL,
    erased_at   INTEGER NOT NULL, -- 0: the private key is there
    mac         BLOB    NOT NULL,
    public_key  BLOB    NOT NULL,
    sealed      BLOB    NOT NULL, -- empty once erased
    PRIMARY KEY (tenant, number)
) STRICT, WITHOUT ROWID;
