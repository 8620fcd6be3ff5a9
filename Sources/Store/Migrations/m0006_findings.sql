-- What was extracted and concluded.

CREATE TABLE fact (
  id INTEGER PRIMARY KEY,
  generation_id INTEGER NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
  note_id INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  patient_id INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  value REAL,
  unit TEXT,
  start_byte INTEGER NOT NULL CHECK (start_byte >= 0),
  end_byte INTEGER NOT NULL CHECK (end_byte >= start_byte),
  polarity TEXT NOT NULL,
  temporality TEXT NOT NULL,
  experiencer TEXT NOT NULL,
  -- JSON
  attributes TEXT NOT NULL
) STRICT;

CREATE INDEX fact_patient ON fact (generation_id, patient_id, kind, recorded_at);
CREATE INDEX fact_note ON fact (note_id);

CREATE TABLE assessment (
  id INTEGER PRIMARY KEY,
  patient_id INTEGER REFERENCES patient (id),
  appointment_id INTEGER REFERENCES appointment (id) ON DELETE CASCADE,
  intake_id INTEGER REFERENCES intake (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  -- JSON, both
  model_versions TEXT NOT NULL,
  result TEXT NOT NULL
) STRICT;

CREATE INDEX assessment_patient ON assessment (patient_id, created_at);
CREATE INDEX assessment_appointment ON assessment (appointment_id);
CREATE INDEX assessment_intake ON assessment (intake_id);

-- The notes an assessment quotes. Their words stand in its result, so it goes when one of them changes.
CREATE TABLE assessment_note (
  assessment_id INTEGER NOT NULL REFERENCES assessment (id) ON DELETE CASCADE,
  note_id INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  PRIMARY KEY (assessment_id, note_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX assessment_note_note ON assessment_note (note_id);
