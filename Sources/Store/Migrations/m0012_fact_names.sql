-- Which patients have a fact of some name ("who is on phenobarbital?") is asked of the whole practice: without this the
-- facts of every note would be read for it.

CREATE INDEX fact_name ON fact (generation_id, kind, name);
