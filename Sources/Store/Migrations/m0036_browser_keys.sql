-- The key under which a browser keeps what waits to be sent, for each person who works in it: it is handed to them again when they sign
-- in there, and is nowhere else. Without it what the browser has is noise: revoking a browser deletes it.
CREATE TABLE browser_key (
  id INTEGER PRIMARY KEY,
  device_id INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
  -- NULL where the practice had no users.
  user_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
  key BLOB NOT NULL CHECK (length(key) = 32),
  made_at INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX browser_key_of ON browser_key (device_id, coalesce(user_id, 0));
CREATE INDEX browser_key_device ON browser_key (device_id);
CREATE INDEX browser_key_user ON browser_key (user_id);

-- What was written in a browser, had not reached the practice, and went when it was wiped: by kind and id, without words.
CREATE TABLE browser_loss (
  id INTEGER PRIMARY KEY,
  device_id INTEGER NOT NULL REFERENCES device (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('note', 'encounter', 'stage', 'booking', 'move', 'triage', 'photo', 'inbox', 'unread')),
  -- What it was about, as the browser named it; NULL where that isn't known.
  record TEXT,
  written_at INTEGER
) STRICT;

CREATE INDEX browser_loss_device ON browser_loss (device_id);
