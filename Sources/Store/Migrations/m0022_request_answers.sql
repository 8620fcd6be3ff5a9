-- What was answered to requests that came with a key of their own, so that one that is sent again, also after the server died, is
-- answered as before and not done again. Written in the transaction that did what was asked.
CREATE TABLE request_answer (
  -- BLAKE2b-256 of who asked, for what, and the key.
  key_digest BLOB PRIMARY KEY NOT NULL CHECK (length(key_digest) = 32),
  -- BLAKE2b-256 of what was asked: another request under the same key is a mistake.
  request_digest BLOB NOT NULL CHECK (length(request_digest) = 32),
  answered_at INTEGER NOT NULL,
  status INTEGER NOT NULL,
  -- A JSON object of names and values.
  headers TEXT NOT NULL,
  body BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX request_answer_at ON request_answer (answered_at);
