-- +goose Up

-- The receipts that were redeemed, until some minutes after they expire. The
-- primary key decides which of several redemptions succeeds.
CREATE TABLE redemption (
    tenant     TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL, -- jti
    expires_at BIGINT           NOT NULL, -- of the receipt
    PRIMARY KEY (tenant, id)
);
CREATE INDEX redemption_expiry ON redemption (tenant, expires_at);
