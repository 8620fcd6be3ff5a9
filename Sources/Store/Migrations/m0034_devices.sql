-- Machines that take part: practice files elsewhere that sync with this one, and browsers that keep something for when there is no
-- network. None is ever deleted: the audit log names them.
CREATE TABLE device (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  -- How names are compared: precomposed, in small letters.
  name_key TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('file', 'browser')),
  -- Who acts by it; NULL where the practice had no users yet.
  user_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
  -- Of a practice file: Ed25519. The private half never leaves its machine.
  public_key BLOB UNIQUE CHECK (length(public_key) = 32),
  -- Of a browser: BLAKE2b-256 of the secret that it shows.
  secret_digest BLOB UNIQUE CHECK (length(secret_digest) = 32),
  enrolled_at INTEGER NOT NULL,
  -- When it was here last.
  seen_at INTEGER,
  -- Of a practice file that took the practice along: the number by which its changes are known.
  replica INTEGER UNIQUE,
  -- From then on it is refused.
  revoked_at INTEGER,
  revoked_by TEXT,
  revocation_reason TEXT,
  -- When it said that what it kept is gone.
  wiped_at INTEGER,
  CHECK ((kind = 'file') = (public_key IS NOT NULL)),
  CHECK ((kind = 'browser') = (secret_digest IS NOT NULL)),
  CHECK ((revoked_at IS NULL) = (revoked_by IS NULL))
) STRICT;

CREATE INDEX device_user ON device (user_id);
-- Somebody who says which is meant says it by its name.
CREATE UNIQUE INDEX device_file_name ON device (name_key) WHERE kind = 'file' AND revoked_at IS NULL;

-- Practice files elsewhere that may come to take part, once, by a secret that was shown once.
CREATE TABLE device_invitation (
  id INTEGER PRIMARY KEY,
  -- BLAKE2b-256 of the secret.
  digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  user_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
  invited_by TEXT NOT NULL,
  invited_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- Which came by it: one whose answer was lost on the way is given it again.
  device_id INTEGER REFERENCES device (id) ON DELETE CASCADE
) STRICT;

CREATE INDEX device_invitation_user ON device_invitation (user_id);
CREATE INDEX device_invitation_device ON device_invitation (device_id);

-- In which browser somebody signed in; NULL where that isn't known. Sessions end with it.
ALTER TABLE user_session ADD COLUMN device_id INTEGER REFERENCES device (id) ON DELETE CASCADE;
CREATE INDEX user_session_device ON user_session (device_id);
