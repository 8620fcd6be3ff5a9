-- The queue in which everything that came in waits: messages assessed, put off until a time, or asked about.

-- A message that is on file as an intake without a patient, and waits for one.
ALTER TABLE inbox_item ADD COLUMN intake_id INTEGER REFERENCES intake (id) ON DELETE CASCADE;
-- JSON: what the level rests on, and what to do now.
ALTER TABLE inbox_item ADD COLUMN assessed TEXT;
-- When one that was put off, or asked about, comes back.
ALTER TABLE inbox_item ADD COLUMN waits_until INTEGER;
-- What whoever sent it is asked back; one that is put off with it waits for their answer.
ALTER TABLE inbox_item ADD COLUMN asked TEXT;

CREATE INDEX inbox_item_intake ON inbox_item (intake_id) WHERE intake_id IS NOT NULL;

-- Decisions that were made as one have the first one's id.
ALTER TABLE inbox_decision ADD COLUMN batch INTEGER;
-- What the item was put off with before.
ALTER TABLE inbox_decision ADD COLUMN until_before INTEGER;
ALTER TABLE inbox_decision ADD COLUMN asked_before TEXT;
-- The visit that was booked with it.
ALTER TABLE inbox_decision ADD COLUMN appointment_id INTEGER REFERENCES appointment (id) ON DELETE SET NULL;
-- And its version then: one that was changed since is not cancelled unasked.
ALTER TABLE inbox_decision ADD COLUMN appointment_version INTEGER;

CREATE INDEX inbox_decision_batch ON inbox_decision (batch) WHERE batch IS NOT NULL;
CREATE INDEX inbox_decision_appointment ON inbox_decision (appointment_id) WHERE appointment_id IS NOT NULL;

-- Where each person is in the queue: the item that they have open, and those that they have chosen.
CREATE TABLE inbox_place (
  actor TEXT PRIMARY KEY,
  item_id INTEGER REFERENCES inbox_item (id) ON DELETE CASCADE,
  -- Rows with spaces between them.
  chosen TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX inbox_place_item ON inbox_place (item_id);
