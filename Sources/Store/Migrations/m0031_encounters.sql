-- What a vet writes at the patient's side, until it is signed and becomes one note. Moments are UTC seconds since 1970.
CREATE TABLE encounter (
  id INTEGER PRIMARY KEY,
  -- Made of random numbers, here or where it was begun: no two devices make the same.
  external_id TEXT NOT NULL UNIQUE,
  patient_id INTEGER NOT NULL REFERENCES patient (id) ON DELETE CASCADE,
  appointment_id INTEGER REFERENCES appointment (id) ON DELETE SET NULL,
  author TEXT NOT NULL,
  -- Who began it.
  actor TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('draft', 'history complete', 'plan complete', 'final', 'amended')),
  narrative TEXT NOT NULL,
  -- Grows by one with every change; a change names the one that it is based on.
  revision INTEGER NOT NULL CHECK (revision > 0),
  began_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  -- Who signed it when, and BLAKE2b-256 of the note's text as it was signed.
  signed_at INTEGER,
  signed_by TEXT,
  signed_hash BLOB,
  -- One note is signed once.
  note_id INTEGER UNIQUE REFERENCES note (id) ON DELETE SET NULL,
  CHECK ((state IN ('final', 'amended')) = (signed_at IS NOT NULL)),
  CHECK ((signed_at IS NULL) = (signed_by IS NULL) AND (signed_at IS NULL) = (signed_hash IS NULL)),
  CHECK (signed_at IS NOT NULL OR note_id IS NULL)
) STRICT;

CREATE INDEX encounter_patient ON encounter (patient_id, began_at);
CREATE INDEX encounter_appointment ON encounter (appointment_id) WHERE appointment_id IS NOT NULL;
CREATE INDEX encounter_state ON encounter (state, actor);

-- What was made of its sections, in order: the last of a section counts, and those before it stay.
CREATE TABLE encounter_decision (
  id INTEGER PRIMARY KEY,
  encounter_id INTEGER NOT NULL REFERENCES encounter (id) ON DELETE CASCADE,
  section TEXT NOT NULL,
  verdict TEXT NOT NULL CHECK (verdict IN ('accepted', 'edited', 'dropped')),
  -- JSON: the lines as they were proposed, with what each rests on.
  proposed TEXT NOT NULL,
  -- What goes into the note; empty where it was dropped.
  words TEXT NOT NULL,
  -- Of the tables and models that proposed it.
  versions TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL
) STRICT;

CREATE INDEX encounter_decision_encounter ON encounter_decision (encounter_id, id);
