-- Places where the practice sees animals, with hours, days off and rooms of their own. As long as none is listed, the practice is
-- one place, and all that refers to one here is NULL.
CREATE TABLE location (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  external_id TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  name TEXT NOT NULL,
  address TEXT,
  -- Whose public holidays close it, as the shipped table names regions.
  region TEXT,
  -- What the source said last, as in the other kinds of record.
  said BLOB,
  UNIQUE (external_id, source_id)
) STRICT;

-- When it is open; without rows, whenever somebody works.
CREATE TABLE location_hours (
  location_id INTEGER NOT NULL REFERENCES location (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  weekday INTEGER NOT NULL CHECK (weekday BETWEEN 1 AND 7),
  start_minute INTEGER NOT NULL,
  end_minute INTEGER NOT NULL,
  PRIMARY KEY (location_id, ordinal)
) STRICT, WITHOUT ROWID;

-- Days of its own: closed, or open although its region has a public holiday.
CREATE TABLE location_closure (
  location_id INTEGER NOT NULL REFERENCES location (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL,
  is_open INTEGER NOT NULL CHECK (is_open IN (0, 1)),
  reason TEXT,
  PRIMARY KEY (location_id, ordinal)
) STRICT, WITHOUT ROWID;

ALTER TABLE staff_hours ADD COLUMN location_id INTEGER REFERENCES location (id);
CREATE INDEX staff_hours_location ON staff_hours (location_id) WHERE location_id IS NOT NULL;

ALTER TABLE resource ADD COLUMN location_id INTEGER REFERENCES location (id);
CREATE INDEX resource_location ON resource (location_id) WHERE location_id IS NOT NULL;

ALTER TABLE appointment_option ADD COLUMN location_id INTEGER REFERENCES location (id);
CREATE INDEX appointment_option_location ON appointment_option (location_id) WHERE location_id IS NOT NULL;

ALTER TABLE plan_change_option ADD COLUMN location_id INTEGER REFERENCES location (id) ON DELETE SET NULL;
CREATE INDEX plan_change_option_location ON plan_change_option (location_id) WHERE location_id IS NOT NULL;

-- What a user is at one location, where that differs from what they are elsewhere.
CREATE TABLE user_location_role (
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  location_id INTEGER NOT NULL REFERENCES location (id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  PRIMARY KEY (user_id, location_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX user_location_role_location ON user_location_role (location_id);

-- Imports bring locations too: the same table as in m0013, with one kind more.
DROP TRIGGER import_change_of_client;
DROP TRIGGER import_change_of_patient;
DROP TRIGGER import_change_of_staff;
DROP TRIGGER import_change_of_resource;
DROP TRIGGER import_change_of_appointment;
DROP TRIGGER import_change_of_note;
DROP TRIGGER import_change_of_intake;

CREATE TABLE import_change_new (
  id INTEGER PRIMARY KEY,
  import_id INTEGER NOT NULL REFERENCES import (id) ON DELETE CASCADE,
  kind TEXT NOT NULL
    CHECK (kind IN ('client', 'patient', 'location', 'staff', 'resource', 'appointment', 'note', 'intake')),
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

INSERT INTO import_change_new (id, import_id, kind, row_id, inserted_hash, before, after, version_id, said_before)
SELECT id, import_id, kind, row_id, inserted_hash, before, after, version_id, said_before FROM import_change;
DROP TABLE import_change;
ALTER TABLE import_change_new RENAME TO import_change;

CREATE INDEX import_change_import ON import_change (import_id);
CREATE INDEX import_change_row ON import_change (kind, row_id);
CREATE INDEX import_change_version ON import_change (version_id) WHERE version_id IS NOT NULL;

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

CREATE TRIGGER import_change_of_location AFTER DELETE ON location
BEGIN DELETE FROM import_change WHERE kind = 'location' AND row_id = old.id; END;
