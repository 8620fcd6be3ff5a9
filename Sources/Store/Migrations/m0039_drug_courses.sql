-- What the facts of each patient and drug come to, so that "who is on meloxicam?" reads one row for each patient that ever was instead of
-- every fact of the name. Made from facts, which stay the source; which way of folding them the rows are from, 0 for none, less than 0
-- while they are being made.
ALTER TABLE generation ADD COLUMN course_version INTEGER NOT NULL DEFAULT 0;

CREATE TABLE drug_course (
  generation_id INTEGER NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
  drug TEXT NOT NULL,
  patient_id INTEGER NOT NULL REFERENCES patient (id) ON DELETE CASCADE,
  -- Where the latest word on it stands: UTF-8 bytes of the note's text, end exclusive.
  note_id INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  start_byte INTEGER NOT NULL CHECK (start_byte >= 0),
  end_byte INTEGER NOT NULL CHECK (end_byte >= start_byte),
  is_ended INTEGER NOT NULL CHECK (is_ended IN (0, 1)),
  planned_end INTEGER,
  note_count INTEGER NOT NULL CHECK (note_count >= 0),
  -- When the latest word on any drug of the patient was written: the row says nothing of a moment before it.
  last_word_at INTEGER NOT NULL,
  PRIMARY KEY (generation_id, drug, patient_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX drug_course_patient ON drug_course (patient_id, generation_id);

-- Patients whose facts of drugs came or went since their rows were made. They have no rows; their facts are read instead.
CREATE TABLE unfolded_patient (
  generation_id INTEGER NOT NULL REFERENCES generation (id) ON DELETE CASCADE,
  patient_id INTEGER NOT NULL REFERENCES patient (id) ON DELETE CASCADE,
  PRIMARY KEY (generation_id, patient_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX unfolded_patient_patient ON unfolded_patient (patient_id);

-- A note that goes takes its facts with it. Facts that come, or go while their note stays, are noted by what writes them: a trigger for
-- each of them would take a fifth of a re-index.
CREATE TRIGGER note_of_course BEFORE DELETE ON note
WHEN EXISTS (SELECT 1 FROM fact WHERE note_id = old.id AND kind = 'drug')
BEGIN
  -- Not where the patient itself goes, nor where nothing is left to read.
  INSERT OR IGNORE INTO unfolded_patient (generation_id, patient_id)
  SELECT id, old.patient_id FROM generation
  WHERE course_version <> 0 AND state <> 'retired' AND EXISTS (SELECT 1 FROM patient WHERE id = old.patient_id)
    AND EXISTS (
      SELECT 1 FROM fact
      WHERE generation_id = generation.id AND patient_id = old.patient_id AND kind = 'drug' AND note_id <> old.id);
  DELETE FROM drug_course WHERE patient_id = old.patient_id;
END;
