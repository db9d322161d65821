-- The first schema. docs/storage.md explains every table; a released migration is never edited.
--
-- Wide rows are in rowid tables whose row_key packs (space_id, counter) into one integer, space first
-- (row_key.h): appends stay cheap and interior pages stay narrow. Narrow rows are WITHOUT ROWID.

CREATE TABLE store_state (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  last_position INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  last_job INTEGER NOT NULL
) STRICT;
INSERT INTO store_state VALUES (1, 0, 0, 0);

CREATE TABLE meta (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID, STRICT;

-- number_floor: raised when the newest object goes, so that its number is not given again.
CREATE TABLE spaces (
  space_id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  number_floor INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- facets and links repeat, as JSON, what the tables of that name index, so that a replaced object's rows can be
-- found without a second index.
CREATE TABLE objects (
  row_key INTEGER PRIMARY KEY,
  space_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  state TEXT NOT NULL,
  visibility INTEGER NOT NULL,
  sensitivity INTEGER NOT NULL,
  container TEXT NOT NULL,
  owner TEXT NOT NULL,
  compartments TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  position INTEGER NOT NULL,
  facets TEXT NOT NULL,
  links TEXT NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX objects_by_id ON objects (space_id, kind, id);
CREATE INDEX objects_by_kind ON objects (space_id, kind);

-- States that were replaced, and deletions. row_key is that of the journal entry that made the state.
CREATE TABLE revisions (
  row_key INTEGER PRIMARY KEY,
  space_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  number INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  deleted INTEGER NOT NULL,
  state TEXT NOT NULL,
  visibility INTEGER NOT NULL,
  sensitivity INTEGER NOT NULL,
  container TEXT NOT NULL,
  owner TEXT NOT NULL,
  compartments TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX revisions_by_key ON revisions (space_id, kind, id, revision);

-- value is an integer for number facets and a text for the others.
CREATE TABLE facets (
  space_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  value ANY NOT NULL,
  object_number INTEGER NOT NULL,
  PRIMARY KEY (space_id, kind, name, value, object_number)
) WITHOUT ROWID, STRICT;

-- Ordered by target: incoming edges. Outgoing ones are read from objects.links.
CREATE TABLE links (
  space_id INTEGER NOT NULL,
  to_kind TEXT NOT NULL,
  to_id TEXT NOT NULL,
  relation TEXT NOT NULL,
  from_kind TEXT NOT NULL,
  from_id TEXT NOT NULL,
  provenance TEXT NOT NULL,
  PRIMARY KEY (space_id, to_kind, to_id, relation, from_kind, from_id, provenance)
) WITHOUT ROWID, STRICT;

CREATE TABLE journal (
  row_key INTEGER PRIMARY KEY,
  change INTEGER NOT NULL,
  at INTEGER NOT NULL,
  principal TEXT NOT NULL,
  surface TEXT NOT NULL,
  action TEXT NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  message TEXT NOT NULL,
  request_id TEXT NOT NULL,
  visibility INTEGER NOT NULL,
  sensitivity INTEGER NOT NULL,
  container TEXT NOT NULL,
  owner TEXT NOT NULL,
  compartments TEXT NOT NULL
) STRICT;

-- due_at: run_at of a pending job, the end of the lease of a running one.
CREATE TABLE jobs (
  space_id INTEGER NOT NULL,
  id INTEGER NOT NULL,
  queue TEXT NOT NULL,
  dedupe_key TEXT NOT NULL,
  state INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  max_attempts INTEGER NOT NULL,
  run_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  worker TEXT NOT NULL,
  lease_until INTEGER,
  error TEXT NOT NULL,
  failure_category TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  completed_at INTEGER,
  payload TEXT NOT NULL,
  PRIMARY KEY (space_id, id)
) WITHOUT ROWID, STRICT;
CREATE INDEX jobs_live ON jobs (space_id, queue, state, due_at) WHERE state IN (0, 1);
CREATE INDEX jobs_by_dedupe_key ON jobs (space_id, queue, dedupe_key) WHERE state = 0 AND dedupe_key <> '';
CREATE INDEX jobs_completed ON jobs (space_id, completed_at) WHERE completed_at IS NOT NULL;

CREATE TABLE idempotency (
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
  body TEXT NOT NULL,
  PRIMARY KEY (space_id, caller, operation, key)
) WITHOUT ROWID, STRICT;
CREATE INDEX idempotency_by_expiry ON idempotency (space_id, expires_at) WHERE expires_at IS NOT NULL;

-- Which stored answers tell about an object: erasing it empties them.
CREATE TABLE idempotency_about (
  space_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  caller TEXT NOT NULL,
  operation TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (space_id, kind, id, caller, operation, key)
) WITHOUT ROWID, STRICT;

CREATE TABLE blobs (
  space_id INTEGER NOT NULL,
  id TEXT NOT NULL,
  owner_kind TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  size INTEGER NOT NULL,
  sha256 BLOB NOT NULL,
  finished INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (space_id, id)
) WITHOUT ROWID, STRICT;
CREATE INDEX blobs_by_owner ON blobs (space_id, owner_kind, owner_id);

CREATE TABLE blob_chunks (
  space_id INTEGER NOT NULL,
  blob_id TEXT NOT NULL,
  chunk INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (space_id, blob_id, chunk)
) STRICT;

CREATE TABLE principals (
  id TEXT NOT NULL PRIMARY KEY,
  handle TEXT NOT NULL UNIQUE,
  display_name TEXT NOT NULL,
  kind INTEGER NOT NULL,
  status INTEGER NOT NULL,
  trust_tier INTEGER NOT NULL,
  clearance INTEGER NOT NULL,
  owner TEXT NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID, STRICT;

CREATE TABLE tokens (
  id TEXT NOT NULL PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  name TEXT NOT NULL,
  principal TEXT NOT NULL,
  space TEXT NOT NULL,
  scopes TEXT NOT NULL,
  trust_tier INTEGER NOT NULL,
  clearance INTEGER NOT NULL,
  compartments TEXT,
  user_id TEXT NOT NULL,
  peer_id TEXT NOT NULL,
  read_namespaces TEXT NOT NULL,
  write_namespaces TEXT NOT NULL,
  purpose TEXT NOT NULL,
  parent TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) WITHOUT ROWID, STRICT;
CREATE INDEX tokens_by_parent ON tokens (parent);

PRAGMA application_id = 0x486F6C64;
PRAGMA user_version = 1;
