-- The searchable parts of notes: passages, their vectors, and an inverted index of our own. FTS5 would keep deleted
-- words in its segments until they are merged; these rows are gone when they are deleted.

CREATE TABLE chunk (
  id INTEGER PRIMARY KEY,
  generation_id INTEGER NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
  note_id INTEGER NOT NULL REFERENCES note (id) ON DELETE CASCADE,
  -- The note's, so that a filter needs no look at the note.
  patient_id INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  -- UTF-8 bytes of the note's text, end exclusive.
  start_byte INTEGER NOT NULL CHECK (start_byte >= 0),
  end_byte INTEGER NOT NULL CHECK (end_byte >= start_byte),
  section TEXT,
  token_count INTEGER NOT NULL CHECK (token_count >= 0),
  -- The forward index: pairs of varints, the term's id less the one before, and how often it occurs.
  terms BLOB NOT NULL,
  UNIQUE (note_id, generation_id, ordinal)
) STRICT;

-- Both cover what a filter and BM25 ask of a chunk, so that neither opens the table.
CREATE INDEX chunk_of_patient ON chunk (generation_id, patient_id, id, recorded_at, kind, token_count);
CREATE INDEX chunk_of_generation ON chunk (generation_id, id, patient_id, recorded_at, kind, token_count);

-- float32 × 512, little-endian. Apart from the chunk, so that reading one is not reading the other.
CREATE TABLE chunk_vector (
  chunk_id INTEGER PRIMARY KEY REFERENCES chunk (id) ON DELETE CASCADE,
  vector BLOB NOT NULL CHECK (length(vector) = 2048)
) STRICT;

CREATE TABLE term (
  id INTEGER PRIMARY KEY,
  generation_id INTEGER NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
  text TEXT NOT NULL,
  -- In how many chunks of the generation it occurs; a term in none is deleted.
  document_frequency INTEGER NOT NULL CHECK (document_frequency >= 0),
  UNIQUE (generation_id, text)
) STRICT;

-- Blocks of up to 1024 postings in the order of chunk ids; pairs of varints: the chunk's id less the one before (the
-- first less `first_chunk_id`), and how often the term occurs in it.
CREATE TABLE posting (
  term_id INTEGER NOT NULL REFERENCES term (id) ON DELETE CASCADE,
  first_chunk_id INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (term_id, first_chunk_id)
) STRICT, WITHOUT ROWID;
