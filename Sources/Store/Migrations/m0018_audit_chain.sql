-- Who did what, when: a chain that only grows. Each entry has the hash of the one before it within its own, so that one that is
-- changed, put in, taken out or moved breaks the chain from there on; the head is authenticated with a key that isn't in this
-- file (see SECURITY.md). What stood in `audit` is the beginning of the chain.

CREATE TABLE audit_entry (
  -- From 1, without gaps.
  sequence INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  -- NULL in an entry whose content was taken out: `digest` and `hash` stay, and the chain can be verified.
  at INTEGER,
  actor TEXT,
  role TEXT,
  -- The operation's name and the version of its encoding; 0 for what was done before there was any.
  operation TEXT,
  version INTEGER,
  -- JSON: ids, counts, coded values and digests; never words of a note or of a reason, names or keys.
  details TEXT,
  -- The entry that says that the content of this one was taken out.
  checkpoint INTEGER,
  -- Of the entry before it; zeros in the first.
  previous BLOB NOT NULL CHECK (length(previous) = 32),
  -- BLAKE2b-256 of kind, at, actor, role, operation, version, details and subjects.
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  -- BLAKE2b-256 of sequence, previous and digest.
  hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;

CREATE INDEX audit_entry_at ON audit_entry (at);

-- The records that an entry is about, with what `record_hash` said of each before and after.
CREATE TABLE audit_about (
  sequence INTEGER NOT NULL REFERENCES audit_entry (sequence) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  before BLOB,
  after BLOB,
  PRIMARY KEY (sequence, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_about_record ON audit_about (kind, id);

-- One row once there is an entry.
CREATE TABLE audit_head (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sequence INTEGER NOT NULL,
  hash BLOB NOT NULL,
  -- BLAKE2b-256 of the key; NULL as long as there is none.
  key_id BLOB,
  -- BLAKE2b-256 of sequence and hash under the key.
  mac BLOB
) STRICT;
