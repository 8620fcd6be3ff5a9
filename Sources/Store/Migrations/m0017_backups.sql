-- Backups that were proven: each was restored beside and compared before it was called good. Written when it stands in its
-- place; a backup doesn't know of itself.
CREATE TABLE backup (
  id INTEGER PRIMARY KEY,
  proven_at INTEGER NOT NULL,
  -- The whole path.
  file TEXT NOT NULL,
  -- BLAKE2b-256 of the file's bytes, as `b2sum -l 256` prints it.
  digest BLOB NOT NULL CHECK (length(digest) = 32),
  byte_count INTEGER NOT NULL,
  -- Clients, patients, staff, rooms, appointments, notes and intakes.
  record_count INTEGER NOT NULL,
  -- `change_count` as the backup holds it.
  change_number INTEGER NOT NULL,
  -- When rotation deleted the file; NULL while it is kept.
  removed_at INTEGER
) STRICT;

CREATE INDEX backup_file ON backup (file);

-- One row: how many transactions have changed what the practice said or did. Tells which of two files of a practice is the
-- newer one, without a clock. What is derived from notes doesn't count, nor do jobs and backups. A file from before this was
-- counted begins with what it holds, so that of two such files the one with more counts as newer.
CREATE TABLE change_count (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  number INTEGER NOT NULL
) STRICT;

INSERT INTO change_count (id, number)
SELECT 1, (SELECT count(*) FROM client) + (SELECT count(*) FROM patient) + (SELECT count(*) FROM appointment)
  + (SELECT count(*) FROM note) + (SELECT count(*) FROM intake) + (SELECT count(*) FROM assessment)
  + (SELECT count(*) FROM audit);
