-- The key that a device must prove to have when it uses its key pair.

-- +goose Up

-- jkt of DPoP (RFC 9449, 6.1): a JWK thumbprint by SHA-256; empty where the key is
-- not bound. The default is for the version before too, which may still run and
-- inserts keys without it. No row is written anew.
ALTER TABLE device_key ADD COLUMN jkt TEXT COLLATE "C" NOT NULL DEFAULT '';
