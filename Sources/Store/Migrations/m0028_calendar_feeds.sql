-- Calendars that a telephone subscribes to. The address is with whoever subscribed; here is only what it can be recognised by.
CREATE TABLE calendar_feed (
  id INTEGER PRIMARY KEY,
  -- BLAKE2b-256 of the secret in the address.
  digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
  -- Whose it is, and so who reads by it; NULL where the practice had no users yet.
  user_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
  -- What it shows: one clinician's appointments, one room's, or, where both are NULL, the practice's.
  staff_id INTEGER REFERENCES staff (id) ON DELETE CASCADE,
  resource_id INTEGER REFERENCES resource (id) ON DELETE CASCADE,
  -- Whether patients are named in it.
  has_names INTEGER NOT NULL CHECK (has_names IN (0, 1)),
  added_at INTEGER NOT NULL,
  CHECK (staff_id IS NULL OR resource_id IS NULL)
) STRICT;

CREATE INDEX calendar_feed_user ON calendar_feed (user_id);
CREATE INDEX calendar_feed_staff ON calendar_feed (staff_id);
CREATE INDEX calendar_feed_resource ON calendar_feed (resource_id);
