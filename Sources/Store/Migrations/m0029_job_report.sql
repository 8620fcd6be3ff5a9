-- What came of a job in full, where that is more than a line: counts and coded values as JSON, without words of a record.

CREATE TABLE job_report (
  job_id INTEGER PRIMARY KEY REFERENCES job (id) ON DELETE CASCADE,
  report TEXT NOT NULL
) STRICT;
