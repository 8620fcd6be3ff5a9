-- What was written about patients. Moments are UTC seconds since 1970.
--
-- A patient can't be deleted while notes of it are left: notes take their postings with them, and only the code that
-- deletes a note can do that.

CREATE TABLE note (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  external_id TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  patient_id INTEGER NOT NULL REFERENCES patient (id),
  recorded_at INTEGER NOT NULL,
  author TEXT,
  kind TEXT NOT NULL
    CHECK (kind IN ('consult', 'phone', 'lab', 'nurse', 'surgery', 'referral', 'prescription', 'intake')),
  text TEXT NOT NULL,
  UNIQUE (external_id, source_id)
) STRICT;

CREATE INDEX note_patient ON note (patient_id, recorded_at);

CREATE TABLE intake (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  external_id TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  patient_id INTEGER REFERENCES patient (id),
  received_at INTEGER,
  channel TEXT,
  species TEXT,
  breed TEXT,
  -- As given: "4y", "12 weeks".
  age TEXT,
  sex TEXT NOT NULL,
  weight_kg REAL,
  text TEXT NOT NULL,
  UNIQUE (external_id, source_id)
) STRICT;

CREATE INDEX intake_patient ON intake (patient_id, received_at);
CREATE INDEX intake_received ON intake (received_at);
