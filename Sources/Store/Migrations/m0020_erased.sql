-- Who was erased: ids and moments, nothing of what was said or written. What a source sends of them again is refused, and no
-- new record gets one of these ids.
CREATE TABLE erased (
  kind TEXT NOT NULL CHECK (kind IN ('client', 'patient', 'appointment', 'note', 'intake')),
  external_id TEXT NOT NULL,
  source_id INTEGER NOT NULL REFERENCES source (id),
  erased_at INTEGER NOT NULL,
  -- Of a patient: the first and the last moment of care on record; NULL where there was none.
  first_at INTEGER,
  last_at INTEGER,
  PRIMARY KEY (kind, external_id, source_id)
) STRICT, WITHOUT ROWID;
