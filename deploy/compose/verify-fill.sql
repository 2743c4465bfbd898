-- Rows for verify.pgbench: 10,000 made-up accounts, keys and ledgers, and a
-- chain for each of 64 clients.
INSERT INTO key_account SELECT 'default', 'key-' || n, 'account-' || n FROM generate_series(1, 10000) n;
INSERT INTO device_key SELECT 'default', 'account-' || n, 'key-' || n, 'device-' || n, 'active', 1, 'RSA-OAEP-256', 3072, '', 0, 0, 0, 0,
    decode(repeat('ab', 37), 'hex'), decode(repeat('ab', 422), 'hex'), decode(repeat('ab', 480), 'hex') FROM generate_series(1, 10000) n;
INSERT INTO credential SELECT 'default', 'account-' || n, 'TRANSACTION_PIN', 'credential-' || n, 1, 0, 0, decode(repeat('ab', 120), 'hex') FROM generate_series(1, 10000) n;
INSERT INTO attempts SELECT 'default', 'account-' || n, 'TRANSACTION_PIN', 'attempts-' || n, 1, 0, 0, false, '[]', '[]',
    decode(repeat('ab', 37), 'hex'), 0, '', '[]' FROM generate_series(1, 10000) n;
INSERT INTO audit_chain SELECT 'default', 'chain/' || n, n + 1 FROM generate_series(0, 63) n;
INSERT INTO audit_verdict SELECT n + 1, 1, 0, 0, 0, '', '' FROM generate_series(0, 63) n;
ANALYZE;
