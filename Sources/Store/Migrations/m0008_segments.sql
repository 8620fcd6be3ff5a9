-- What a search over the whole practice reads instead of vectors and chunks: for some dozen chunks in the order of their
-- ids, one row with what filters and BM25 ask of them and their vectors rounded to bytes. A row fits a page, so that
-- it is read in one piece. Derived from `chunk` and `chunk_vector`, and written in the same transactions.

CREATE TABLE segment (
  -- The generation's id times 2^40, plus the first chunk's: the segments of a generation lie together, and no index is
  -- needed to find the one that holds a chunk.
  id INTEGER PRIMARY KEY,
  generation_id INTEGER NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
  chunk_count INTEGER NOT NULL CHECK (chunk_count > 0),
  -- The first and last of the chunks' `recorded_at`.
  earliest INTEGER NOT NULL,
  latest INTEGER NOT NULL CHECK (latest >= earliest),
  -- Column after column, little-endian: chunk ids, moments and patients (int64), token counts (uint32); scales, error
  -- bounds and norm bounds (float32); codes (int8 × 512). A vector is its codes times its scale, but for an error.
  data BLOB NOT NULL CHECK (length(data) = chunk_count * 552)
) STRICT;

-- For the generation that is deleted to find none.
CREATE INDEX segment_generation ON segment (generation_id);
