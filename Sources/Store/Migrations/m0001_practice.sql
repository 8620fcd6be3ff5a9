-- Who and what a practice consists of.
--
-- Every record from outside has an id of ours (`id`), and the id its source knows it by: text, unique within that
-- source. `external_id` comes first in the unique index, so that one index finds a bare id in any source and an id
-- in a given source. `content_hash` is BLAKE2b-256 of the imported values: importing the same again changes nothing.

CREATE TABLE setting (
  key TEXT PRIMARY KEY NOT NULL,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE source (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE client (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  external_id TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  name TEXT NOT NULL,
  -- Lower case by Unicode's rules, which SQLite's NOCASE (ASCII only) doesn't know.
  name_key TEXT NOT NULL,
  phone TEXT,
  email TEXT,
  address TEXT,
  UNIQUE (external_id, source_id)
) STRICT;

CREATE INDEX client_name ON client (name_key);

CREATE TABLE patient (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  external_id TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  owner_id INTEGER REFERENCES client (id) ON DELETE SET NULL,
  owner_name TEXT,
  owner_name_key TEXT,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  species TEXT NOT NULL,
  breed TEXT,
  sex TEXT NOT NULL,
  -- Days, as ISO 8601 writes them.
  date_of_birth TEXT,
  deceased_at TEXT,
  weight_kg REAL,
  microchip TEXT,
  UNIQUE (external_id, source_id)
) STRICT;

CREATE INDEX patient_name ON patient (name_key);
CREATE INDEX patient_microchip ON patient (microchip) WHERE microchip IS NOT NULL;
CREATE INDEX patient_owner ON patient (owner_id);
CREATE INDEX patient_owner_name ON patient (owner_name_key) WHERE owner_name_key IS NOT NULL;

CREATE TABLE staff (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  external_id TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('veterinarian', 'nurse', 'reception', 'administrator')),
  UNIQUE (external_id, source_id)
) STRICT;

CREATE TABLE staff_skill (
  staff_id INTEGER NOT NULL REFERENCES staff (id) ON DELETE CASCADE,
  specialty TEXT NOT NULL,
  -- 0 to 1
  competence REAL NOT NULL,
  PRIMARY KEY (staff_id, specialty)
) STRICT, WITHOUT ROWID;

-- Weekdays are ISO 8601's (Monday is 1); minutes are counted from local midnight.

CREATE TABLE staff_hours (
  staff_id INTEGER NOT NULL REFERENCES staff (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  weekday INTEGER NOT NULL CHECK (weekday BETWEEN 1 AND 7),
  start_minute INTEGER NOT NULL,
  end_minute INTEGER NOT NULL,
  PRIMARY KEY (staff_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE staff_break (
  staff_id INTEGER NOT NULL REFERENCES staff (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  weekday INTEGER NOT NULL CHECK (weekday BETWEEN 1 AND 7),
  earliest_minute INTEGER NOT NULL,
  latest_minute INTEGER NOT NULL,
  duration_minutes INTEGER NOT NULL,
  PRIMARY KEY (staff_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE staff_leave (
  staff_id INTEGER NOT NULL REFERENCES staff (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  -- Both days belong to the leave.
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL,
  PRIMARY KEY (staff_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE resource (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  external_id TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  capacity INTEGER NOT NULL CHECK (capacity >= 0),
  cleaning_minutes INTEGER NOT NULL CHECK (cleaning_minutes BETWEEN 0 AND 1440),
  UNIQUE (external_id, source_id)
) STRICT;
