-- Calendars that are kept in step, tags, and patients of whom there were two records.

-- A file or folder that another program keeps, known by a name.
CREATE TABLE calendar (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  path TEXT NOT NULL,
  -- Whose calendar it is: events in which nobody of the staff takes part by address are theirs.
  clinician_id INTEGER REFERENCES staff (id) ON DELETE SET NULL
) STRICT;

CREATE INDEX calendar_clinician ON calendar (clinician_id);

-- The address under which somebody is invited.
CREATE TABLE staff_address (
  -- In small letters.
  address TEXT PRIMARY KEY NOT NULL,
  staff_id INTEGER NOT NULL REFERENCES staff (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX staff_address_staff ON staff_address (staff_id);

-- An appointment that is an event of a calendar of another program.
CREATE TABLE calendar_event (
  appointment_id INTEGER PRIMARY KEY REFERENCES appointment (id) ON DELETE CASCADE,
  -- The calendar's name, or the path of the file that it was read from.
  calendar TEXT NOT NULL,
  -- The UID that all events of a series share.
  series TEXT NOT NULL,
  -- 0 for time that is taken by something else than a case.
  is_case INTEGER NOT NULL CHECK (is_case IN (0, 1)),
  -- When it was first missing at its source; NULL while it is there.
  gone_at INTEGER
) STRICT;

CREATE INDEX calendar_event_calendar ON calendar_event (calendar, series);

-- A word that people give to records to find them by.
CREATE TABLE tag (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  -- How tags are compared: in small letters.
  name_key TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE tagged (
  tag_id INTEGER NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('patient', 'note', 'appointment')),
  row_id INTEGER NOT NULL,
  PRIMARY KEY (tag_id, kind, row_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX tagged_record ON tagged (kind, row_id);

CREATE TRIGGER tagged_patient AFTER DELETE ON patient
BEGIN DELETE FROM tagged WHERE kind = 'patient' AND row_id = old.id; END;

CREATE TRIGGER tagged_note AFTER DELETE ON note
BEGIN DELETE FROM tagged WHERE kind = 'note' AND row_id = old.id; END;

CREATE TRIGGER tagged_appointment AFTER DELETE ON appointment
BEGIN DELETE FROM tagged WHERE kind = 'appointment' AND row_id = old.id; END;

-- Two records of one animal that were made one. The id of the one that went finds the one that is left.
CREATE TABLE patient_merge (
  id INTEGER PRIMARY KEY,
  kept_id INTEGER NOT NULL REFERENCES patient (id) ON DELETE CASCADE,
  source_id INTEGER NOT NULL REFERENCES source (id),
  external_id TEXT NOT NULL,
  merged_at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  -- JSON: the rows that went, the rows that moved, and what was changed of the one that is left.
  parts TEXT NOT NULL,
  UNIQUE (external_id, source_id)
) STRICT;

CREATE INDEX patient_merge_kept ON patient_merge (kept_id);
