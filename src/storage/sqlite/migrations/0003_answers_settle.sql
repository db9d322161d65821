-- The rows of idempotency_about for an answer about several objects each land on a page of their own, so they are
-- written for many answers at once, in order. Those of answers up to this number are there.
INSERT INTO meta SELECT 'settled_answer', CAST(coalesce(max(answer), 0) AS TEXT) FROM idempotency;

PRAGMA user_version = 3;
