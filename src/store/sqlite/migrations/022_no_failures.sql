-- Failed calls, and what got past them, are no longer kept: hooks told of hardly any.
DROP TABLE cure_errors;
DROP TABLE cures;
DROP TRIGGER team_parts_changed;
DROP TRIGGER folder_parts_changed;
ALTER TABLE turn_parts DROP COLUMN failures;
CREATE TRIGGER team_parts_changed AFTER UPDATE ON turn_parts
  WHEN new.parts <> old.parts AND EXISTS (SELECT 1 FROM team WHERE sharing IS NOT NULL) BEGIN
  INSERT INTO team_dirty (turn_id) SELECT id FROM turns
    WHERE id = new.turn_id AND author IS NULL AND id NOT IN (SELECT turn_id FROM team_dirty);
END;
CREATE TRIGGER folder_parts_changed AFTER UPDATE ON turn_parts
  WHEN new.parts <> old.parts AND EXISTS (SELECT 1 FROM folder WHERE is_active) BEGIN
  INSERT INTO folder_dirty (turn_id) SELECT new.turn_id WHERE new.turn_id NOT IN (SELECT turn_id FROM folder_dirty);
END;
