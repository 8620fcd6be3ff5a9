-- From where on finished visits are other than they were when lengths were last learned from them. What was learned is kept
-- as a setting, with the place it reaches to; whether it still holds is then known without reading all visits again.

CREATE TABLE visit_learning (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- The start of the earliest visit that was finished, changed or taken away since; NULL for none.
  changed_from INTEGER
) STRICT;

INSERT INTO visit_learning (id, changed_from) VALUES (1, NULL);

CREATE TRIGGER visit_finished AFTER INSERT ON appointment
WHEN new.status = 'done' AND new.actual_minutes > 0
BEGIN
  UPDATE visit_learning SET changed_from = min(ifnull(changed_from, new.start_at), new.start_at);
END;

CREATE TRIGGER finished_visit_changed
AFTER UPDATE OF status, start_at, actual_minutes, clinician_id, patient_id, visit_type, reason ON appointment
WHEN (old.status = 'done' AND old.actual_minutes > 0) OR (new.status = 'done' AND new.actual_minutes > 0)
BEGIN
  UPDATE visit_learning
  SET changed_from = min(ifnull(changed_from, new.start_at), old.start_at, new.start_at);
END;

CREATE TRIGGER finished_visit_deleted AFTER DELETE ON appointment
WHEN old.status = 'done' AND old.actual_minutes > 0
BEGIN
  UPDATE visit_learning SET changed_from = min(ifnull(changed_from, old.start_at), old.start_at);
END;
