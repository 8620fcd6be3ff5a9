-- Appointments, and the time they take.
--
-- A slot is five minutes of UTC: seconds since 1970, divided by 300. An appointment keeps its minutes as they are and
-- takes every slot it touches. Two rows can't hold the same slot of a clinician or of a unit of a resource: that, and
-- not the care of some code, is why nobody is booked twice.

CREATE TABLE appointment (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  external_id TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  patient_id INTEGER REFERENCES patient (id),
  clinician_id INTEGER REFERENCES staff (id),
  start_at INTEGER NOT NULL,
  duration_minutes INTEGER NOT NULL CHECK (duration_minutes BETWEEN 0 AND 10080),
  actual_minutes REAL,
  visit_type TEXT,
  reason TEXT,
  status TEXT NOT NULL
    CHECK (status IN ('requested', 'booked', 'arrived', 'in_progress', 'done', 'cancelled', 'no_show')),
  -- Grows by one with every change, so that a change based on an old reading can be refused.
  version INTEGER NOT NULL DEFAULT 1,
  UNIQUE (external_id, source_id)
) STRICT;

CREATE INDEX appointment_start ON appointment (start_at);
CREATE INDEX appointment_patient ON appointment (patient_id, start_at);
CREATE INDEX appointment_clinician ON appointment (clinician_id, start_at);

CREATE TABLE appointment_resource (
  appointment_id INTEGER NOT NULL REFERENCES appointment (id) ON DELETE CASCADE,
  resource_id INTEGER NOT NULL REFERENCES resource (id),
  -- From 1 to the resource's capacity; NULL while the appointment holds no unit.
  unit INTEGER CHECK (unit >= 1),
  PRIMARY KEY (appointment_id, resource_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX appointment_resource_resource ON appointment_resource (resource_id);

CREATE TABLE clinician_slot (
  clinician_id INTEGER NOT NULL REFERENCES staff (id),
  slot INTEGER NOT NULL,
  appointment_id INTEGER NOT NULL REFERENCES appointment (id) ON DELETE CASCADE,
  PRIMARY KEY (clinician_id, slot)
) STRICT, WITHOUT ROWID;

CREATE INDEX clinician_slot_appointment ON clinician_slot (appointment_id);

-- Cleaning after the appointment is part of what it takes of a resource.
CREATE TABLE resource_slot (
  resource_id INTEGER NOT NULL REFERENCES resource (id),
  unit INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  appointment_id INTEGER NOT NULL REFERENCES appointment (id) ON DELETE CASCADE,
  PRIMARY KEY (resource_id, unit, slot)
) STRICT, WITHOUT ROWID;

CREATE INDEX resource_slot_appointment ON resource_slot (appointment_id);

-- Imported appointments that overlap others: kept and listed, without slots.
CREATE TABLE appointment_conflict (
  appointment_id INTEGER PRIMARY KEY REFERENCES appointment (id) ON DELETE CASCADE,
  reason TEXT NOT NULL
) STRICT;

-- An appointment that ends, is called off or changes its time gives its slots back; whoever moved it takes new ones.
CREATE TRIGGER appointment_gives_slots_back
AFTER UPDATE OF status, start_at, duration_minutes, clinician_id ON appointment
WHEN new.status NOT IN ('booked', 'arrived', 'in_progress')
  OR new.start_at <> old.start_at
  OR new.duration_minutes <> old.duration_minutes
  OR new.clinician_id IS NOT old.clinician_id
BEGIN
  DELETE FROM clinician_slot WHERE appointment_id = new.id;
  DELETE FROM resource_slot WHERE appointment_id = new.id;
  UPDATE appointment_resource SET unit = NULL WHERE appointment_id = new.id;
END;

CREATE TRIGGER appointment_resource_gives_slots_back
AFTER DELETE ON appointment_resource
BEGIN
  DELETE FROM resource_slot WHERE appointment_id = old.appointment_id AND resource_id = old.resource_id;
END;

CREATE TRIGGER clinician_slot_needs_booking
BEFORE INSERT ON clinician_slot
WHEN NOT EXISTS (
  SELECT 1 FROM appointment
  WHERE id = new.appointment_id AND clinician_id = new.clinician_id
    AND status IN ('booked', 'arrived', 'in_progress'))
BEGIN
  SELECT RAISE(ABORT, 'only a booked appointment takes slots, and only of its clinician');
END;

CREATE TRIGGER resource_slot_needs_booking
BEFORE INSERT ON resource_slot
WHEN NOT EXISTS (
  SELECT 1
  FROM appointment
  JOIN appointment_resource AS held ON held.appointment_id = appointment.id
  JOIN resource ON resource.id = held.resource_id
  WHERE appointment.id = new.appointment_id AND held.resource_id = new.resource_id AND held.unit = new.unit
    AND new.unit BETWEEN 1 AND resource.capacity
    AND appointment.status IN ('booked', 'arrived', 'in_progress'))
BEGIN
  SELECT RAISE(ABORT, 'only a booked appointment takes slots, and only of the unit it was given');
END;
