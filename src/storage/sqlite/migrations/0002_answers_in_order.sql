-- Stored answers are wide rows, and their keys come in no order: in a table ordered by key every new answer landed on
-- another page, a few to a page. They are appended now, and only an index has the keys.
ALTER TABLE idempotency RENAME TO idempotency_by_name;
CREATE TABLE idempotency (
  answer INTEGER PRIMARY KEY,
  space_id INTEGER NOT NULL,
  caller TEXT NOT NULL,
  operation TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  state TEXT NOT NULL,
  status INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  about TEXT NOT NULL,
  extra TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
INSERT INTO idempotency
  (space_id, caller, operation, key, fingerprint, state, status, created_at, expires_at, about, extra, body)
  SELECT space_id, caller, operation, key, fingerprint, state, status, created_at, expires_at, about, extra, body
  FROM idempotency_by_name ORDER BY created_at;
DROP TABLE idempotency_by_name;
CREATE UNIQUE INDEX idempotency_by_key ON idempotency (space_id, caller, operation, key);
CREATE INDEX idempotency_by_expiry ON idempotency (space_id, expires_at) WHERE expires_at IS NOT NULL;

ALTER TABLE idempotency_about RENAME TO idempotency_about_by_name;
CREATE TABLE idempotency_about (
  space_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  answer INTEGER NOT NULL,
  PRIMARY KEY (space_id, kind, id, answer)
) WITHOUT ROWID, STRICT;
INSERT INTO idempotency_about (space_id, kind, id, answer)
  SELECT old.space_id, old.kind, old.id, idempotency.answer FROM idempotency_about_by_name AS old
  JOIN idempotency USING (space_id, caller, operation, key);
DROP TABLE idempotency_about_by_name;

PRAGMA user_version = 2;
