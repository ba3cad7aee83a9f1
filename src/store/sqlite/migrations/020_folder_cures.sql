-- What got past failed calls goes to the user's other devices, with its turn.
CREATE TRIGGER folder_cure_added AFTER INSERT ON cures WHEN EXISTS (SELECT 1 FROM folder WHERE is_active) BEGIN
  INSERT INTO folder_dirty (turn_id) SELECT id FROM turns WHERE id = new.turn_id AND author IS NULL
    AND id NOT IN (SELECT turn_id FROM folder_dirty);
END;
-- What was put before is looked at again.
INSERT OR IGNORE INTO folder_dirty (turn_id)
  SELECT c.turn_id FROM cures c JOIN turns t ON t.id = c.turn_id WHERE t.author IS NULL AND EXISTS (SELECT 1 FROM folder WHERE is_active);
