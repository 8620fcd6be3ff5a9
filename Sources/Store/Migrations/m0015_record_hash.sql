-- What every record was when it was last written: BLAKE2b-256 of all its stored columns and of the rows that belong to it. A
-- record that no longer gives its hash was changed by something else than VetNet: a disk, another program. Apart from the
-- record, so that a record that vanished leaves its hash behind. `content_hash` can't serve: it is of what was imported, and
-- a booking that was moved here keeps the hash of what its source said.

CREATE TABLE record_hash (
  -- The table that the record lies in.
  kind TEXT NOT NULL,
  row_id INTEGER NOT NULL,
  -- What the record is known by, for one that is gone.
  source_id INTEGER NOT NULL,
  external_id TEXT NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (kind, row_id)
) STRICT, WITHOUT ROWID;
