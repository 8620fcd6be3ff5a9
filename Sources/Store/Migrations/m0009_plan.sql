-- What may and may not happen to an appointment, and what has happened to the plan.

-- Wishes and limits of one appointment; an appointment without a row has none.
CREATE TABLE appointment_option (
  appointment_id INTEGER PRIMARY KEY REFERENCES appointment (id) ON DELETE CASCADE,
  -- What a new plan leaves alone.
  keeps_time INTEGER NOT NULL DEFAULT 0 CHECK (keeps_time IN (0, 1)),
  keeps_clinician INTEGER NOT NULL DEFAULT 0 CHECK (keeps_clinician IN (0, 1)),
  keeps_rooms INTEGER NOT NULL DEFAULT 0 CHECK (keeps_rooms IN (0, 1)),
  -- When the owner can come: the first and last moment of a start.
  window_from INTEGER,
  window_to INTEGER,
  -- Starts no sooner than this long after the end of another, such as the scan after the consultation.
  after_id INTEGER REFERENCES appointment (id) ON DELETE SET NULL,
  lag_minutes INTEGER NOT NULL DEFAULT 0 CHECK (lag_minutes BETWEEN 0 AND 10080),
  -- On the road, for a call at a farm or a house: the clinician's time as well.
  travel_before_minutes INTEGER NOT NULL DEFAULT 0 CHECK (travel_before_minutes BETWEEN 0 AND 1440),
  travel_after_minutes INTEGER NOT NULL DEFAULT 0 CHECK (travel_after_minutes BETWEEN 0 AND 1440),
  -- From triage, where it was triaged.
  urgency TEXT CHECK (urgency IN ('red', 'orange', 'yellow', 'green', 'blue')),
  received_at INTEGER,
  CHECK (window_from IS NULL OR window_to IS NULL OR window_from < window_to)
) STRICT;

CREATE INDEX appointment_option_after ON appointment_option (after_id) WHERE after_id IS NOT NULL;

-- One row: a number that grows with whatever a plan depends on, by whichever hand it was written. A plan that was
-- computed at one number and finds another when it is to be written is out of date.
CREATE TABLE plan_revision (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  number INTEGER NOT NULL,
  -- Names this file's calendar in the UIDs of iCalendar.
  calendar_id TEXT NOT NULL
) STRICT;

INSERT INTO plan_revision (id, number, calendar_id) VALUES (1, 1, lower(hex(randomblob(8))));

CREATE TRIGGER plan_depends_on_new_appointment AFTER INSERT ON appointment
BEGIN UPDATE plan_revision SET number = number + 1; END;

CREATE TRIGGER plan_depends_on_appointment AFTER UPDATE ON appointment
BEGIN UPDATE plan_revision SET number = number + 1; END;

CREATE TRIGGER plan_depends_on_deleted_appointment AFTER DELETE ON appointment
BEGIN UPDATE plan_revision SET number = number + 1; END;

CREATE TRIGGER plan_depends_on_new_option AFTER INSERT ON appointment_option
BEGIN UPDATE plan_revision SET number = number + 1; END;

CREATE TRIGGER plan_depends_on_option AFTER UPDATE ON appointment_option
BEGIN UPDATE plan_revision SET number = number + 1; END;

CREATE TRIGGER plan_depends_on_new_staff AFTER INSERT ON staff
BEGIN UPDATE plan_revision SET number = number + 1; END;

-- Hours, breaks, leave and skills are written with the row of their member of staff.
CREATE TRIGGER plan_depends_on_staff AFTER UPDATE ON staff
BEGIN UPDATE plan_revision SET number = number + 1; END;

CREATE TRIGGER plan_depends_on_new_resource AFTER INSERT ON resource
BEGIN UPDATE plan_revision SET number = number + 1; END;

CREATE TRIGGER plan_depends_on_resource AFTER UPDATE ON resource
BEGIN UPDATE plan_revision SET number = number + 1; END;

-- Every change that VetNet made to the plan. The id is the plan's version after it; it only grows.
CREATE TABLE plan_change (
  id INTEGER PRIMARY KEY,
  changed_at INTEGER NOT NULL,
  kind TEXT NOT NULL
    CHECK (kind IN ('book', 'move', 'cancel', 'optimize', 'emergency', 'undo', 'redo')),
  -- The change that an undo takes back, or a redo makes again.
  reverts_id INTEGER REFERENCES plan_change (id)
) STRICT;

CREATE INDEX plan_change_reverts ON plan_change (reverts_id) WHERE reverts_id IS NOT NULL;

-- What an appointment was before a change and after it. Words of the owner are not among it: they live, and are
-- deleted, with the appointment. Without a row for 'before' the change made the appointment.
CREATE TABLE plan_change_side (
  id INTEGER PRIMARY KEY,
  change_id INTEGER NOT NULL REFERENCES plan_change (id) ON DELETE CASCADE,
  appointment_id INTEGER NOT NULL REFERENCES appointment (id) ON DELETE CASCADE,
  side TEXT NOT NULL CHECK (side IN ('before', 'after')),
  status TEXT NOT NULL,
  start_at INTEGER NOT NULL,
  duration_minutes INTEGER NOT NULL,
  clinician_id INTEGER REFERENCES staff (id),
  visit_type TEXT,
  UNIQUE (change_id, appointment_id, side)
) STRICT;

CREATE INDEX plan_change_side_appointment ON plan_change_side (appointment_id);
CREATE INDEX plan_change_side_clinician ON plan_change_side (clinician_id);

CREATE TABLE plan_change_resource (
  side_id INTEGER NOT NULL REFERENCES plan_change_side (id) ON DELETE CASCADE,
  resource_id INTEGER NOT NULL REFERENCES resource (id),
  PRIMARY KEY (side_id, resource_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX plan_change_resource_resource ON plan_change_resource (resource_id);
