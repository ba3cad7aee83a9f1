-- One person's memory on several machines, through a folder: the own directory in the folder. One row, or none.
CREATE TABLE folder (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  -- Names the directory.
  writer    TEXT NOT NULL,
  -- The last manifest: its number and hash.
  counter   INTEGER NOT NULL DEFAULT 0,
  hash      TEXT NOT NULL DEFAULT '',
  -- The key with which the directory was written.
  key_id    TEXT NOT NULL DEFAULT '',
  last_seq  INTEGER NOT NULL DEFAULT 0,
  -- How many turns were gone then.
  told_gone INTEGER NOT NULL DEFAULT 0,
  is_active INTEGER NOT NULL DEFAULT 1,
  -- The result of the last sync, as JSON.
  last_sync TEXT
);

-- What this memory puts into the folder, each a record with a number. `turn_id` is null when the turn was pruned here;
-- `segment` is null while the record waits.
CREATE TABLE folder_items (
  seq      INTEGER PRIMARY KEY,
  turn_key TEXT NOT NULL,
  -- Empty for the turn itself, else the name of a mark.
  mark     TEXT NOT NULL DEFAULT '',
  digest   TEXT NOT NULL,
  turn_id  INTEGER,
  segment  TEXT
);
CREATE UNIQUE INDEX folder_items_by_key ON folder_items(turn_key, mark);
CREATE INDEX folder_items_by_turn ON folder_items(turn_id) WHERE turn_id IS NOT NULL;
CREATE INDEX folder_items_by_segment ON folder_items(segment);
CREATE TABLE folder_segments (
  name    TEXT PRIMARY KEY,
  first   INTEGER NOT NULL,
  last    INTEGER NOT NULL,
  records INTEGER NOT NULL,
  bytes   INTEGER NOT NULL,
  hash    TEXT NOT NULL
) WITHOUT ROWID;

-- The other devices, as `FolderWriter` says.
CREATE TABLE folder_writers (
  writer     TEXT PRIMARY KEY,
  device_id  TEXT NOT NULL,
  name       TEXT NOT NULL,
  counter    INTEGER NOT NULL DEFAULT 0,
  hash       TEXT NOT NULL DEFAULT '',
  ranges     TEXT NOT NULL DEFAULT '[]',
  written_at TEXT,
  seen_at    TEXT,
  records    INTEGER NOT NULL DEFAULT 0,
  bytes      INTEGER NOT NULL DEFAULT 0,
  unaware    INTEGER NOT NULL DEFAULT 0,
  problem    TEXT,
  is_over    INTEGER NOT NULL DEFAULT 0,
  -- A former writer of this memory, which was restored from a backup since.
  is_former  INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

-- Turns that the folder brought. `home`: the writer where it was said. `holder`: the writer that puts it; null when this memory
-- took it over. `text_hash`: of its text as it came. `cleans`: JSON, the record of another writer that this one replaces.
CREATE TABLE folder_turns (
  turn_id  INTEGER PRIMARY KEY REFERENCES turns(id) ON DELETE CASCADE,
  turn_key TEXT NOT NULL UNIQUE,
  home     TEXT NOT NULL,
  holder   TEXT,
  seq      INTEGER NOT NULL,
  text_hash TEXT NOT NULL,
  cleans    TEXT
);
CREATE INDEX folder_turns_by_holder ON folder_turns(holder);

-- Turns of one's own that are gone for good, on every device.
CREATE TABLE folder_gone (turn_key TEXT PRIMARY KEY) WITHOUT ROWID;

-- The latest of each mark, of whichever device. `writer` is empty for a mark that was made here.
CREATE TABLE folder_marks (
  turn_key TEXT NOT NULL,
  mark     TEXT NOT NULL,
  is_on    INTEGER NOT NULL,
  time     TEXT NOT NULL,
  writer   TEXT NOT NULL,
  -- JSON: what an answer was marked for.
  answer   TEXT,
  PRIMARY KEY (turn_key, mark)
) WITHOUT ROWID;

-- Marks of answers that hooks gave on other devices.
CREATE TABLE folder_answer_marks (
  turn_id INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  mark    TEXT NOT NULL,
  kind    TEXT NOT NULL,
  time    TEXT NOT NULL,
  prompt  TEXT,
  subject TEXT,
  PRIMARY KEY (turn_id, mark)
) WITHOUT ROWID;

-- Turns of one's own that changed since the last look at what to put.
CREATE TABLE folder_dirty (turn_id INTEGER PRIMARY KEY);
CREATE TRIGGER folder_turn_added AFTER INSERT ON turns
  WHEN new.author IS NULL AND EXISTS (SELECT 1 FROM folder WHERE is_active) BEGIN
  INSERT INTO folder_dirty (turn_id) SELECT new.id WHERE new.id NOT IN (SELECT turn_id FROM folder_dirty);
END;
-- What is pruned or forgotten is no longer among the items then: this is a turn that its transcript merged into another one.
CREATE TRIGGER folder_turn_removed AFTER DELETE ON turns BEGIN
  DELETE FROM folder_items WHERE turn_id = old.id AND mark = '';
END;
CREATE TRIGGER folder_turn_changed
  AFTER UPDATE OF provisional, role, origin, created_at, ended_at, branch, model, foreign_origin, device_id, tool_summary, full_text ON turns
  WHEN new.author IS NULL AND EXISTS (SELECT 1 FROM folder WHERE is_active) AND (
    new.provisional <> old.provisional OR new.role <> old.role OR new.origin <> old.origin
    OR new.created_at IS NOT old.created_at OR new.ended_at IS NOT old.ended_at OR new.branch IS NOT old.branch
    OR new.model IS NOT old.model OR new.foreign_origin IS NOT old.foreign_origin OR new.device_id IS NOT old.device_id
    OR new.tool_summary <> old.tool_summary OR new.full_text <> old.full_text) BEGIN
  INSERT INTO folder_dirty (turn_id) SELECT new.id WHERE new.id NOT IN (SELECT turn_id FROM folder_dirty);
END;
CREATE TRIGGER folder_parts_changed AFTER UPDATE ON turn_parts
  WHEN (new.parts <> old.parts OR new.failures IS NOT old.failures) AND EXISTS (SELECT 1 FROM folder WHERE is_active) BEGIN
  INSERT INTO folder_dirty (turn_id) SELECT new.turn_id WHERE new.turn_id NOT IN (SELECT turn_id FROM folder_dirty);
END;
CREATE TRIGGER folder_link_added AFTER INSERT ON pr_links WHEN EXISTS (SELECT 1 FROM folder WHERE is_active) BEGIN
  INSERT INTO folder_dirty (turn_id)
    SELECT id FROM (SELECT id FROM turns WHERE session_id = new.session_id AND agent_id IS NULL AND author IS NULL
      ORDER BY created_at IS NULL, created_at, line_index, id LIMIT 1) WHERE id NOT IN (SELECT turn_id FROM folder_dirty);
END;
-- The first turn of a session carries its title.
CREATE TRIGGER folder_title_changed AFTER UPDATE OF title, first_prompt ON sessions
  WHEN (new.title IS NOT old.title OR new.first_prompt IS NOT old.first_prompt)
    AND EXISTS (SELECT 1 FROM folder WHERE is_active) BEGIN
  INSERT INTO folder_dirty (turn_id)
    SELECT id FROM (SELECT id FROM turns WHERE session_id = new.session_id AND agent_id IS NULL AND author IS NULL
      ORDER BY created_at IS NULL, created_at, line_index, id LIMIT 1) WHERE id NOT IN (SELECT turn_id FROM folder_dirty);
END;
CREATE TRIGGER folder_vector_added AFTER INSERT ON chunk_vectors WHEN EXISTS (SELECT 1 FROM folder WHERE is_active) BEGIN
  INSERT INTO folder_dirty (turn_id) SELECT turn_id FROM chunks
    WHERE id = new.chunk_id AND turn_id NOT IN (SELECT turn_id FROM folder_dirty);
END;
-- A turn that its own transcript brings is no longer another device's.
CREATE TRIGGER folder_turn_released AFTER DELETE ON folder_turns
  WHEN EXISTS (SELECT 1 FROM turns WHERE id = old.turn_id) AND EXISTS (SELECT 1 FROM folder WHERE is_active) BEGIN
  INSERT INTO folder_dirty (turn_id) SELECT old.turn_id WHERE old.turn_id NOT IN (SELECT turn_id FROM folder_dirty);
END;
CREATE TRIGGER folder_mark_added AFTER INSERT ON turn_marks WHEN EXISTS (SELECT 1 FROM folder WHERE is_active) BEGIN
  INSERT INTO folder_dirty (turn_id) SELECT new.turn_id WHERE new.turn_id NOT IN (SELECT turn_id FROM folder_dirty);
END;
-- Marks that go with their turn say nothing.
CREATE TRIGGER folder_mark_removed AFTER DELETE ON turn_marks
  WHEN EXISTS (SELECT 1 FROM turns WHERE id = old.turn_id) AND EXISTS (SELECT 1 FROM folder WHERE is_active) BEGIN
  INSERT INTO folder_dirty (turn_id) SELECT old.turn_id WHERE old.turn_id NOT IN (SELECT turn_id FROM folder_dirty);
END;
CREATE TRIGGER folder_answer_mark_added AFTER INSERT ON answer_marks WHEN EXISTS (SELECT 1 FROM folder WHERE is_active) BEGIN
  INSERT INTO folder_dirty (turn_id) SELECT new.turn_id WHERE new.turn_id NOT IN (SELECT turn_id FROM folder_dirty);
END;
CREATE TRIGGER folder_answer_mark_changed AFTER UPDATE ON answer_marks WHEN EXISTS (SELECT 1 FROM folder WHERE is_active) BEGIN
  INSERT INTO folder_dirty (turn_id) SELECT new.turn_id WHERE new.turn_id NOT IN (SELECT turn_id FROM folder_dirty);
END;
CREATE TRIGGER folder_answer_mark_removed AFTER DELETE ON answer_marks
  WHEN EXISTS (SELECT 1 FROM turns WHERE id = old.turn_id) AND EXISTS (SELECT 1 FROM folder WHERE is_active) BEGIN
  INSERT INTO folder_dirty (turn_id) SELECT old.turn_id WHERE old.turn_id NOT IN (SELECT turn_id FROM folder_dirty);
END;
-- A prompt that was forgotten goes from its marks, too.
CREATE TRIGGER folder_prompt_cleared AFTER UPDATE OF prompt ON hook_calls
  WHEN NEW.prompt IS NULL AND OLD.prompt IS NOT NULL AND EXISTS (SELECT 1 FROM folder WHERE is_active) BEGIN
  INSERT INTO folder_dirty (turn_id) SELECT DISTINCT turn_id FROM answer_marks
    WHERE call_id = NEW.id AND turn_id NOT IN (SELECT turn_id FROM folder_dirty);
END;
