-- What imports did, so that it can be shown and taken back.

-- All telephone numbers of a client who has more than one, or one with a label; other clients have no row here. The first is
-- in client.phone as well.
CREATE TABLE client_phone (
  client_id INTEGER NOT NULL REFERENCES client (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  label TEXT,
  number TEXT NOT NULL,
  PRIMARY KEY (client_id, ordinal)
) STRICT, WITHOUT ROWID;

-- What the source said last, field by field, as hashes: saying the same again is no news, whatever was changed here since.
ALTER TABLE client ADD COLUMN said BLOB;
ALTER TABLE patient ADD COLUMN said BLOB;
ALTER TABLE staff ADD COLUMN said BLOB;
ALTER TABLE resource ADD COLUMN said BLOB;
ALTER TABLE note ADD COLUMN said BLOB;
ALTER TABLE intake ADD COLUMN said BLOB;
ALTER TABLE appointment ADD COLUMN said BLOB;

-- Finds the same note under another patient.
CREATE INDEX note_recorded ON note (recorded_at);

-- One run of import that changed something.
CREATE TABLE import (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  started_at INTEGER NOT NULL,
  -- NULL for one that runs, or was ended by force; its whole batches stand and can be taken back.
  finished_at INTEGER,
  actor TEXT NOT NULL,
  -- JSON: the paths as they were given, and counts by kind of record.
  paths TEXT NOT NULL,
  counts TEXT NOT NULL,
  rejected_count INTEGER NOT NULL DEFAULT 0,
  undone_at INTEGER,
  undone_by TEXT
) STRICT;

-- One record that an import made or changed, in the order in which it did.
CREATE TABLE import_change (
  id INTEGER PRIMARY KEY,
  import_id INTEGER NOT NULL REFERENCES import (id) ON DELETE CASCADE,
  kind TEXT NOT NULL
    CHECK (kind IN ('client', 'patient', 'staff', 'resource', 'appointment', 'note', 'intake')),
  row_id INTEGER NOT NULL,
  -- The record's content hash when the import had made it; NULL for a record that was there.
  inserted_hash BLOB,
  -- JSON of the fields that were changed; NULL for a record that the import made. The text of a note is not among them
  -- but in the version it refers to, and a new text is its hash.
  before TEXT,
  after TEXT,
  version_id INTEGER REFERENCES note_version (id) ON DELETE SET NULL,
  said_before BLOB
) STRICT;

CREATE INDEX import_change_import ON import_change (import_id);
CREATE INDEX import_change_row ON import_change (kind, row_id);
CREATE INDEX import_change_version ON import_change (version_id) WHERE version_id IS NOT NULL;

-- What a note was before it was changed. It goes with the note.
CREATE TABLE note_version (
  id INTEGER PRIMARY KEY,
  note_id INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  replaced_at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  cause TEXT NOT NULL CHECK (cause IN ('import', 'import undone', 'amended', 'moved')),
  reason TEXT,
  patient_id INTEGER REFERENCES patient (id) ON DELETE SET NULL,
  recorded_at INTEGER NOT NULL,
  author TEXT,
  kind TEXT NOT NULL,
  text TEXT NOT NULL
) STRICT;

CREATE INDEX note_version_note ON note_version (note_id);
CREATE INDEX note_version_patient ON note_version (patient_id);

-- A note that is not to be relied on. It is kept as it was written, and neither indexed nor answered from.
CREATE TABLE note_retraction (
  note_id INTEGER PRIMARY KEY REFERENCES note (id) ON DELETE CASCADE,
  retracted_at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;

-- What is erased leaves no trace of its values here.
CREATE TRIGGER import_change_of_client AFTER DELETE ON client
BEGIN DELETE FROM import_change WHERE kind = 'client' AND row_id = old.id; END;

CREATE TRIGGER import_change_of_patient AFTER DELETE ON patient
BEGIN DELETE FROM import_change WHERE kind = 'patient' AND row_id = old.id; END;

CREATE TRIGGER import_change_of_staff AFTER DELETE ON staff
BEGIN DELETE FROM import_change WHERE kind = 'staff' AND row_id = old.id; END;

CREATE TRIGGER import_change_of_resource AFTER DELETE ON resource
BEGIN DELETE FROM import_change WHERE kind = 'resource' AND row_id = old.id; END;

CREATE TRIGGER import_change_of_appointment AFTER DELETE ON appointment
BEGIN DELETE FROM import_change WHERE kind = 'appointment' AND row_id = old.id; END;

CREATE TRIGGER import_change_of_note AFTER DELETE ON note
BEGIN DELETE FROM import_change WHERE kind = 'note' AND row_id = old.id; END;

CREATE TRIGGER import_change_of_intake AFTER DELETE ON intake
BEGIN DELETE FROM import_change WHERE kind = 'intake' AND row_id = old.id; END;
