-- How much of an import stayed when it was taken back: 0 for one that went whole, NULL for one that stands, or that was taken
-- back before this was kept.
ALTER TABLE import ADD COLUMN undo_kept_count INTEGER;
