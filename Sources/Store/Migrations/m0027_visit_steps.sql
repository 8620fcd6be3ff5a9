-- How far visits got and when, as people said: who came, who is with a vet, who pays, who has left. Each word is kept, mistakes and
-- their correction too; the appointment's status says where it stands.
CREATE TABLE visit_step (
  id INTEGER PRIMARY KEY,
  appointment_id INTEGER NOT NULL REFERENCES appointment (id) ON DELETE CASCADE,
  stage TEXT NOT NULL CHECK (stage IN ('expected', 'arrived', 'in_consult', 'to_pay', 'left', 'no_show')),
  told_at INTEGER NOT NULL,
  actor TEXT NOT NULL
) STRICT;

CREATE INDEX visit_step_appointment ON visit_step (appointment_id, id);
