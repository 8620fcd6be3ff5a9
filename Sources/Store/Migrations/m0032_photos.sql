-- Pictures, each once, whoever shows it: the same bytes sent twice are one row. Its pixels lie in tiers that were made when it came.
CREATE TABLE picture (
  id INTEGER PRIMARY KEY,
  -- BLAKE2b-256 of the bytes as they were sent.
  content_hash BLOB NOT NULL UNIQUE CHECK (length(content_hash) = 32),
  -- As it was sent, upright.
  width INTEGER NOT NULL CHECK (width > 0),
  height INTEGER NOT NULL CHECK (height > 0),
  byte_count INTEGER NOT NULL,
  media_type TEXT NOT NULL,
  -- 64 bits that are nearly the same for nearly the same picture.
  perceptual_hash INTEGER NOT NULL
) STRICT;

-- What a picture is looked for when others are compared with it, without reading the rest.
CREATE INDEX picture_perceptual ON picture (perceptual_hash);

CREATE TABLE picture_tier (
  picture_id INTEGER NOT NULL REFERENCES picture (id) ON DELETE CASCADE,
  tier TEXT NOT NULL CHECK (tier IN ('thumbnail', 'screen', 'original')),
  media_type TEXT NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  -- BLAKE2b-256 of the bytes.
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  bytes BLOB NOT NULL,
  PRIMARY KEY (picture_id, tier)
) STRICT;

-- What a check said of a picture.
CREATE TABLE picture_check (
  picture_id INTEGER NOT NULL REFERENCES picture (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  -- 1 where somebody should look.
  is_remark INTEGER NOT NULL CHECK (is_remark IN (0, 1)),
  -- What was measured, in the check's own unit.
  value REAL,
  -- In words.
  message TEXT,
  -- The picture that it is like; what was said goes with that.
  other_id INTEGER REFERENCES picture (id) ON DELETE CASCADE,
  PRIMARY KEY (picture_id, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX picture_check_other ON picture_check (other_id) WHERE other_id IS NOT NULL;
CREATE INDEX picture_check_remark ON picture_check (name, picture_id) WHERE is_remark = 1;

-- A picture as somebody put it on file: whose it is, of what, when.
CREATE TABLE photo (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  picture_id INTEGER NOT NULL REFERENCES picture (id),
  -- NULL while it waits for its patient.
  patient_id INTEGER REFERENCES patient (id) ON DELETE CASCADE,
  -- By the camera, or by who added it; NULL where nobody said.
  taken_at INTEGER,
  added_at INTEGER NOT NULL,
  -- taken_at, else added_at: the order in which photos are shown.
  shown_at INTEGER NOT NULL,
  added_by TEXT NOT NULL,
  note TEXT,
  -- Of the body: photos of one region are shown side by side.
  region TEXT,
  region_key TEXT,
  -- Of the picture as it was sent.
  millimetres_per_pixel REAL CHECK (millimetres_per_pixel > 0)
) STRICT;

CREATE INDEX photo_shown ON photo (shown_at, id);
CREATE INDEX photo_patient ON photo (patient_id, shown_at, id);
CREATE INDEX photo_picture ON photo (picture_id);

CREATE TABLE photo_tag (
  photo_id INTEGER NOT NULL REFERENCES photo (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  PRIMARY KEY (photo_id, name_key)
) STRICT, WITHOUT ROWID;

CREATE INDEX photo_tag_name ON photo_tag (name_key, photo_id);

-- A picture that nobody has any more is nobody's: an erased patient's goes, unless another patient has it too.
CREATE TRIGGER photo_gone AFTER DELETE ON photo
WHEN NOT EXISTS (SELECT 1 FROM photo WHERE picture_id = old.picture_id)
BEGIN DELETE FROM picture WHERE id = old.picture_id; END;
