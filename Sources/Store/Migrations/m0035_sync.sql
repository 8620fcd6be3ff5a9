-- What the several files of one practice change, and how far each has heard of the others. Empty in a file that takes no part.
CREATE TABLE sync_self (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- The same in the hub's file and in every clone of it.
  practice TEXT NOT NULL,
  -- 0 for the hub.
  replica INTEGER NOT NULL CHECK (replica >= 0),
  -- The last number that was given to an operation made here.
  sequence INTEGER NOT NULL,
  -- The latest reading of the clock that was made or heard of here.
  clock INTEGER NOT NULL,
  -- At the hub the last number that it gave; elsewhere the one up to which this file has heard.
  hub_sequence INTEGER NOT NULL,
  -- Elsewhere: what the device is called, and the key that it shares with the hub.
  name TEXT,
  key BLOB CHECK (length(key) = 32),
  -- The last migration that the program knew by which records followed the log.
  folded_by TEXT
) STRICT;

-- At the hub: whom it knows.
CREATE TABLE sync_replica (
  number INTEGER PRIMARY KEY CHECK (number > 0),
  name TEXT NOT NULL UNIQUE,
  key BLOB NOT NULL CHECK (length(key) = 32),
  added_at INTEGER NOT NULL,
  -- The highest of its numbers that was taken, and the clock of that.
  acknowledged INTEGER NOT NULL,
  clock INTEGER NOT NULL,
  -- The number of the hub up to which it said to have heard, and when it was heard of.
  pulled INTEGER NOT NULL,
  seen_at INTEGER,
  revoked_at INTEGER
) STRICT;

-- What one transaction changed of one record. Kinds and fields that aren't known here are kept as they came.
CREATE TABLE sync_operation (
  id INTEGER PRIMARY KEY,
  replica INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  clock INTEGER NOT NULL,
  -- The hub's number up to which whoever made it had heard.
  seen INTEGER NOT NULL,
  -- Which the hub gave it; NULL as long as it hasn't, and what it made of it.
  hub_sequence INTEGER,
  outcome TEXT,
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  external_id TEXT NOT NULL,
  actor TEXT NOT NULL,
  turn TEXT,
  -- JSON; NULL where nothing is said of fields, or the record was erased since.
  fields TEXT,
  UNIQUE (replica, sequence)
) STRICT;

CREATE UNIQUE INDEX sync_operation_hub ON sync_operation (hub_sequence) WHERE hub_sequence IS NOT NULL;
CREATE INDEX sync_operation_record ON sync_operation (kind, external_id, source);

-- What the log last said of each record: what differs from it when a transaction ends was changed. JSON, with hashes for long texts.
CREATE TABLE sync_record (
  kind TEXT NOT NULL,
  external_id TEXT NOT NULL,
  source TEXT NOT NULL,
  -- NULL for one that is gone.
  row_id INTEGER,
  fields TEXT NOT NULL,
  PRIMARY KEY (kind, external_id, source)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX sync_record_row ON sync_record (kind, row_id) WHERE row_id IS NOT NULL;
