-- Keys that somebody signs in by instead of a passphrase: the private half never leaves their machine.
CREATE TABLE user_passkey (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  credential BLOB NOT NULL UNIQUE CHECK (length(credential) BETWEEN 1 AND 1023),
  -- COSE: -7 for ES256, -257 for RS256.
  algorithm INTEGER NOT NULL CHECK (algorithm IN (-7, -257)),
  public_key BLOB NOT NULL,
  -- The name under which the server was opened: a key works there only.
  relying_party TEXT NOT NULL,
  label TEXT NOT NULL,
  -- Grows with each use, where the machine counts; 0 where it doesn't.
  counter INTEGER NOT NULL,
  added_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;

CREATE INDEX user_passkey_user ON user_passkey (user_id);
