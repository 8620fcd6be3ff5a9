-- Wishes and limits of an appointment are part of the plan: setting them is a change, and undoing any change gives
-- them back.

-- Another kind of change. The table is made anew, because SQLite can't alter a check.
CREATE TABLE plan_change_new (
  id INTEGER PRIMARY KEY,
  changed_at INTEGER NOT NULL,
  kind TEXT NOT NULL
    CHECK (kind IN ('book', 'move', 'cancel', 'optimize', 'emergency', 'set', 'undo', 'redo')),
  -- The change that an undo takes back, or a redo makes again.
  reverts_id INTEGER REFERENCES plan_change (id)
) STRICT;

INSERT INTO plan_change_new (id, changed_at, kind, reverts_id)
  SELECT id, changed_at, kind, reverts_id FROM plan_change;

DROP TABLE plan_change;

ALTER TABLE plan_change_new RENAME TO plan_change;

CREATE INDEX plan_change_reverts ON plan_change (reverts_id) WHERE reverts_id IS NOT NULL;

-- The wishes and limits that belong to one side of a change, as in appointment_option. Sides that were written before
-- this table existed have no row: theirs were not recorded, and reverting such a change leaves them as they are.
CREATE TABLE plan_change_option (
  side_id INTEGER PRIMARY KEY REFERENCES plan_change_side (id) ON DELETE CASCADE,
  keeps_time INTEGER NOT NULL CHECK (keeps_time IN (0, 1)),
  keeps_clinician INTEGER NOT NULL CHECK (keeps_clinician IN (0, 1)),
  keeps_rooms INTEGER NOT NULL CHECK (keeps_rooms IN (0, 1)),
  window_from INTEGER,
  window_to INTEGER,
  after_id INTEGER REFERENCES appointment (id) ON DELETE SET NULL,
  lag_minutes INTEGER NOT NULL,
  travel_before_minutes INTEGER NOT NULL,
  travel_after_minutes INTEGER NOT NULL,
  urgency TEXT,
  received_at INTEGER
) STRICT;

CREATE INDEX plan_change_option_after ON plan_change_option (after_id) WHERE after_id IS NOT NULL;
