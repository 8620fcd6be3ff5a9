-- Names are found however they are typed: `name_key` and `owner_name_key` hold a folded form (see NameKey.swift), the name
-- without spaces, a space, and the name in words. SQL can't fold, so the keys are written by the program, in the transaction of
-- this migration. A program that doesn't know the form must not write to the file, which is why this is a migration.

DROP INDEX client_name;
CREATE INDEX client_name ON client (name_key);
