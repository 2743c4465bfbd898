-- No statement reads this index. It made every entry of the trail write, sync
-- and later copy one more page, at a random place, and a quarter more bytes.

-- +goose Up

DROP INDEX audit_log_record;
