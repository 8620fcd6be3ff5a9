-- What somebody may do because they have shown that they can.
CREATE TABLE staff_credential (
  staff_id INTEGER NOT NULL REFERENCES staff (id) ON DELETE CASCADE,
  ordinal INTEGER NOT NULL,
  name TEXT NOT NULL,
  -- The last day on which it holds.
  expires_on TEXT,
  PRIMARY KEY (staff_id, ordinal)
) STRICT, WITHOUT ROWID;

-- How somebody would like their days to be: visits of a type at most, '*' for all types together.
CREATE TABLE staff_load (
  staff_id INTEGER NOT NULL REFERENCES staff (id) ON DELETE CASCADE,
  visit_type TEXT NOT NULL,
  most_per_day INTEGER NOT NULL CHECK (most_per_day >= 0),
  PRIMARY KEY (staff_id, visit_type)
) STRICT, WITHOUT ROWID;

-- And from which local minute on no long visit begins.
CREATE TABLE staff_long_visits (
  staff_id INTEGER PRIMARY KEY REFERENCES staff (id) ON DELETE CASCADE,
  latest_minute INTEGER,
  long_minutes INTEGER NOT NULL CHECK (long_minutes > 0)
) STRICT;
