-- What the program does and did.

CREATE TABLE job (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'done', 'failed', 'abandoned')),
  -- Host, boot, process and its start: enough to tell whether it still lives.
  holder TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  heartbeat_at INTEGER NOT NULL,
  done_count INTEGER NOT NULL DEFAULT 0,
  total_count INTEGER,
  message TEXT
) STRICT;

CREATE UNIQUE INDEX job_one_running ON job (kind) WHERE state = 'running';

CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT,
  -- JSON, never words of a note
  details TEXT
) STRICT;

CREATE INDEX audit_at ON audit (at);
CREATE INDEX audit_subject ON audit (subject);
