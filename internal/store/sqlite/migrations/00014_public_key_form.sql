-- +goose Up

-- From this version on, device_key.public_key of an RSA key can hold the modulus
-- alone. Earlier versions cannot read it, and refuse a schema that they do not know.
SELECT 1;
