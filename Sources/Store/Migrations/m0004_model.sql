-- Models, and the generations of the index they made. A search reads one generation: models never mix.

CREATE TABLE model (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  checksum BLOB NOT NULL UNIQUE,
  name TEXT NOT NULL,
  -- JSON
  parameters TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- One row of a projection per bucket of the feature hasher; float32 × 512, little-endian. With a rowid on purpose:
-- in an index b-tree these 2 KB rows would sit in the inner pages too, and make it six levels deep instead of two.
CREATE TABLE projection_row (
  model_id INTEGER NOT NULL REFERENCES model (id) ON DELETE CASCADE,
  bucket INTEGER NOT NULL,
  weight REAL NOT NULL,
  vector BLOB NOT NULL CHECK (length(vector) = 2048),
  PRIMARY KEY (model_id, bucket)
) STRICT;

CREATE TABLE generation (
  id INTEGER PRIMARY KEY,
  model_id INTEGER NOT NULL REFERENCES model (id),
  -- The versions of analyser, lexicons and extraction rules that took part.
  rules_version TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('building', 'live', 'retired')),
  created_at INTEGER NOT NULL,
  chunk_count INTEGER NOT NULL DEFAULT 0 CHECK (chunk_count >= 0),
  token_total INTEGER NOT NULL DEFAULT 0 CHECK (token_total >= 0)
) STRICT;

CREATE UNIQUE INDEX generation_one_live ON generation (state) WHERE state = 'live';
CREATE INDEX generation_model ON generation (model_id);

-- A note without a row here is still to be indexed in that generation.
CREATE TABLE note_state (
  generation_id INTEGER NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
  note_id INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  state TEXT NOT NULL CHECK (state IN ('indexed', 'failed')),
  reason TEXT,
  PRIMARY KEY (generation_id, note_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX note_state_note ON note_state (note_id);
