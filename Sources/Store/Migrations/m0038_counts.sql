-- A generation counts its notes (indexed or failed) and its facts as it does its chunks: in a practice of a million notes, counting the
-- rows takes longer than anybody waits for a status.
ALTER TABLE generation ADD COLUMN note_count INTEGER NOT NULL DEFAULT 0 CHECK (note_count >= 0);
ALTER TABLE generation ADD COLUMN fact_count INTEGER NOT NULL DEFAULT 0 CHECK (fact_count >= 0);
UPDATE generation SET
  note_count = (SELECT count(*) FROM note_state WHERE generation_id = generation.id),
  fact_count = (SELECT count(*) FROM fact WHERE generation_id = generation.id);

-- The few notes that could not be indexed are found without a look at all the others.
CREATE INDEX note_state_failed ON note_state (generation_id, note_id) WHERE state = 'failed';
