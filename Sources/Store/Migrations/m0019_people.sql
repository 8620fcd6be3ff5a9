-- Who may use the practice. As long as nobody is in here, whoever can read the file may do everything; from the first on, only
-- those who are. Nobody is ever deleted: the audit log names them.
CREATE TABLE user (
  id INTEGER PRIMARY KEY,
  -- As it was given.
  name TEXT NOT NULL,
  -- How names are compared: precomposed, in small letters.
  name_key TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  staff_id INTEGER REFERENCES staff (id) ON DELETE SET NULL,
  -- Argon2id of the passphrase with its parameters and salt, as libsodium's crypto_pwhash_str writes it.
  verifier TEXT NOT NULL,
  -- The account of the operating system that this user may be unlocked by, where the practice allows that.
  account TEXT UNIQUE,
  is_disabled INTEGER NOT NULL DEFAULT 0 CHECK (is_disabled IN (0, 1)),
  added_at INTEGER NOT NULL
) STRICT;

CREATE INDEX user_staff ON user (staff_id);

-- Who is signed in. The token is with whoever signed in; here is only what it can be recognised by.
CREATE TABLE user_session (
  -- BLAKE2b-256 of the token.
  digest BLOB PRIMARY KEY NOT NULL CHECK (length(digest) = 32),
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  began_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX user_session_user ON user_session (user_id);

-- Wrong tries since the last right one, of names that are here and of names that aren't alike: what somebody typed in place of
-- a name may be anything, and is kept as a digest only.
CREATE TABLE sign_in_try (
  -- BLAKE2b-256 of the name's key.
  name_digest BLOB NOT NULL CHECK (length(name_digest) = 32),
  -- Where from: so that a stranger elsewhere doesn't hold up whom he pretends to be.
  origin TEXT NOT NULL,
  wrong_count INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (name_digest, origin)
) STRICT, WITHOUT ROWID;
