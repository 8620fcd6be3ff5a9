-- Whose clone it is, so that it changes through a folder what their role may. NULL where the practice had no users when it was made, and
-- for clones of files that were made before this.
ALTER TABLE sync_replica ADD COLUMN user_id INTEGER REFERENCES user (id) ON DELETE SET NULL;
UPDATE sync_replica SET user_id = (SELECT user_id FROM device WHERE device.replica = sync_replica.number);

CREATE INDEX sync_replica_user ON sync_replica (user_id);
