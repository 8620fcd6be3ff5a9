-- What came in and could not be filed for certain: it waits here for a person. One row is one letter, message, intake or event,
-- whatever it becomes.
CREATE TABLE inbox_item (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  -- What its source knows it by: a file's path, a message's id, an event's UID.
  external_id TEXT NOT NULL,
  -- BLAKE2b-256 of details, content and original: the same again is no news.
  content_hash BLOB NOT NULL,
  -- What it is; kinds are added without a migration.
  kind TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  -- JSON: title, author, date and what else was read of it beside its text.
  details TEXT NOT NULL,
  content TEXT NOT NULL,
  -- As it came, where that isn't the text.
  original BLOB,
  media_type TEXT,
  -- Why it could not be filed, as a code.
  reason TEXT NOT NULL,
  urgency TEXT CHECK (urgency IN ('red', 'orange', 'yellow', 'green', 'blue')),
  state TEXT NOT NULL CHECK (state IN ('waiting', 'later', 'filed', 'rejected')),
  -- The appointment that stands in the book already, and waits for its patient.
  appointment_id INTEGER REFERENCES appointment (id) ON DELETE CASCADE,
  -- To whom it was filed, and what it became; it goes with that patient.
  patient_id INTEGER REFERENCES patient (id) ON DELETE CASCADE,
  filed_kind TEXT CHECK (filed_kind IN ('note', 'intake', 'appointment')),
  filed_row INTEGER,
  UNIQUE (external_id, source_id),
  CHECK ((state = 'filed') = (patient_id IS NOT NULL)),
  CHECK ((patient_id IS NULL) = (filed_kind IS NULL) AND (patient_id IS NULL) = (filed_row IS NULL))
) STRICT;

CREATE INDEX inbox_item_state ON inbox_item (state, received_at);
CREATE INDEX inbox_item_appointment ON inbox_item (appointment_id) WHERE appointment_id IS NOT NULL;
CREATE INDEX inbox_item_patient ON inbox_item (patient_id) WHERE patient_id IS NOT NULL;

-- Who it may be about, the likeliest first.
CREATE TABLE inbox_candidate (
  item_id INTEGER NOT NULL REFERENCES inbox_item (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  patient_id INTEGER NOT NULL REFERENCES patient (id) ON DELETE CASCADE,
  -- 0 to 1
  certainty REAL NOT NULL CHECK (certainty BETWEEN 0 AND 1),
  -- Codes with spaces between them: what speaks for it.
  evidence TEXT NOT NULL,
  PRIMARY KEY (item_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX inbox_candidate_patient ON inbox_candidate (patient_id);

-- What was decided, in order. A decision that was taken back stays, with who took it back.
CREATE TABLE inbox_decision (
  id INTEGER PRIMARY KEY,
  item_id INTEGER NOT NULL REFERENCES inbox_item (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  -- The states before and after it.
  before TEXT NOT NULL,
  after TEXT NOT NULL,
  reason TEXT,
  undone_at INTEGER,
  undone_by TEXT
) STRICT;

CREATE INDEX inbox_decision_item ON inbox_decision (item_id);
