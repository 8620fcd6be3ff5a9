-- The highest number that an item of the inbox ever had: one that went is not followed by another of its number, which somebody
-- may have read of the one that went.
CREATE TABLE inbox_number (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  last INTEGER NOT NULL
) STRICT;

INSERT INTO inbox_number (id, last) SELECT 1, ifnull(max(id), 0) FROM inbox_item;

-- The import that brought the tag; NULL where somebody here gave it.
ALTER TABLE tagged ADD COLUMN import_id INTEGER REFERENCES import (id) ON DELETE SET NULL;

CREATE INDEX tagged_import ON tagged (import_id) WHERE import_id IS NOT NULL;

-- Who waits is asked for with every day that is shown: without it, each appointment of twenty years is read for that.
CREATE INDEX appointment_requested ON appointment (start_at) WHERE status = 'requested';

-- How many transactions have changed the passages of the index: between two equal numbers each has stayed what it is.
ALTER TABLE change_count ADD COLUMN passages INTEGER NOT NULL DEFAULT 0;
