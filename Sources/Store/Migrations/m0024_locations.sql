-- Places where the practice sees animals, with hours, days off and rooms of their own. As long as none is listed, the practice is
-- one place, and all that refers to one here is NULL.
CREATE TABLE location (
  id INTEGER PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES source (id),
  external_id TEXT NOT NULL,
  content_hash BLOB NOT NULL,
  name TEXT NOT NULL,
  address TEXT,
  -- Whose public holidays close it, as the shipped table names regions.
  region TEXT,
  UNIQUE (external_id, source_id)
) STRICT;

-- When it is open; without rows, whenever somebody works.
CREATE TABLE location_hours (
  location_id INTEGER NOT NULL REFERENCES location (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  weekday INTEGER NOT NULL CHECK (weekday BETWEEN 1 AND 7),
  start_minute INTEGER NOT NULL,
  end_minute INTEGER NOT NULL,
  PRIMARY KEY (location_id, ordinal)
) STRICT, WITHOUT ROWID;

-- Days of its own: closed, or open although its region has a public holiday.
CREATE TABLE location_closure (
  location_id INTEGER NOT NULL REFERENCES location (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL,
  is_open INTEGER NOT NULL CHECK (is_open IN (0, 1)),
  reason TEXT,
  PRIMARY KEY (location_id, ordinal)
) STRICT, WITHOUT ROWID;

ALTER TABLE staff_hours ADD COLUMN location_id INTEGER REFERENCES location (id);
CREATE INDEX staff_hours_location ON staff_hours (location_id) WHERE location_id IS NOT NULL;

ALTER TABLE resource ADD COLUMN location_id INTEGER REFERENCES location (id);
CREATE INDEX resource_location ON resource (location_id) WHERE location_id IS NOT NULL;

ALTER TABLE appointment_option ADD COLUMN location_id INTEGER REFERENCES location (id);
CREATE INDEX appointment_option_location ON appointment_option (location_id) WHERE location_id IS NOT NULL;

ALTER TABLE plan_change_option ADD COLUMN location_id INTEGER REFERENCES location (id) ON DELETE SET NULL;
CREATE INDEX plan_change_option_location ON plan_change_option (location_id) WHERE location_id IS NOT NULL;

-- What a user is at one location, where that differs from what they are elsewhere.
CREATE TABLE user_location_role (
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  location_id INTEGER NOT NULL REFERENCES location (id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  PRIMARY KEY (user_id, location_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX user_location_role_location ON user_location_role (location_id);
