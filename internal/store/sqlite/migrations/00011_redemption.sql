-- +goose Up

-- The receipts that were redeemed, until some minutes after they expire. The
-- primary key decides which of several redemptions succeeds.
CREATE TABLE redemption (
    tenant     TEXT    NOT NULL,
    id         TEXT    NOT NULL, -- jti
    expires_at INTEGER NOT NULL, -- of the receipt
    PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX redemption_expiry ON redemption (tenant, expires_at);
