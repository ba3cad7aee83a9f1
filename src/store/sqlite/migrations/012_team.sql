-- Turns of a team. `author`: who made a turn, null for the user of this memory. `device_id`: the copy of a memory that
-- pushed it, null for turns that were read here. `turn_key` identifies a pulled turn among those of its author.
ALTER TABLE turns ADD COLUMN author TEXT;
ALTER TABLE turns ADD COLUMN device_id TEXT;
ALTER TABLE turns ADD COLUMN turn_key BLOB;
CREATE UNIQUE INDEX turns_by_key ON turns(coalesce(author, ''), turn_key) WHERE turn_key IS NOT NULL;
CREATE INDEX turns_by_author ON turns(author, created_at) WHERE author IS NOT NULL;

-- The team that this memory belongs to: one row, or none.
CREATE TABLE team (
  id        INTEGER PRIMARY KEY CHECK (id = 1),
  project   TEXT NOT NULL,
  author    TEXT NOT NULL,
  device_id TEXT NOT NULL,
  -- The last number that the server confirmed.
  confirmed INTEGER NOT NULL DEFAULT 0,
  -- What is shared, as JSON; null while nothing is. `last_sharing` stays when sharing ends.
  sharing      TEXT,
  last_sharing TEXT,
  -- The result of the last sync, as JSON.
  last_sync TEXT
);

-- What this device did, numbered from 1 without gaps. `put`: the turn is shared. `remove`: it is taken back. `void`: a later
-- change of the same turn counts. `target`: whose turn it is; null for one's own, a colleague where an admin removed it.
-- `digest` is a hash of what was sent, `chain` one of the previous chain and the digest.
CREATE TABLE team_changes (
  number   INTEGER PRIMARY KEY,
  kind     TEXT NOT NULL,
  target   TEXT,
  turn_key BLOB NOT NULL,
  turn_id  INTEGER,
  digest   BLOB NOT NULL,
  chain    BLOB NOT NULL
);
CREATE UNIQUE INDEX team_changes_by_key ON team_changes(turn_key, coalesce(target, '')) WHERE kind <> 'void';
CREATE INDEX team_changes_by_turn ON team_changes(turn_id) WHERE kind = 'put';

-- Turns that changed since the last look at what to share.
CREATE TABLE team_dirty (turn_id INTEGER PRIMARY KEY);

-- How far each device of the team was pulled.
CREATE TABLE team_cursors (
  author    TEXT NOT NULL,
  device_id TEXT NOT NULL,
  number    INTEGER NOT NULL,
  chain     BLOB NOT NULL,
  PRIMARY KEY (author, device_id)
) WITHOUT ROWID;

-- Turns of one's own that were taken back. They are never shared again.
CREATE TABLE team_unshared (turn_key BLOB PRIMARY KEY) WITHOUT ROWID;

-- Turns that are never pulled again: hidden here, or gone (`is_gone`) because their author or an admin took them back.
CREATE TABLE team_hidden (
  author   TEXT NOT NULL,
  turn_key BLOB NOT NULL,
  is_gone  INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (author, turn_key)
) WITHOUT ROWID;

-- The triggers ask whether the row is there: a conflict clause of theirs would give way to that of the statement.
CREATE TRIGGER team_turn_added AFTER INSERT ON turns
  WHEN new.author IS NULL AND EXISTS (SELECT 1 FROM team WHERE sharing IS NOT NULL) BEGIN
  INSERT INTO team_dirty (turn_id) SELECT new.id WHERE new.id NOT IN (SELECT turn_id FROM team_dirty);
END;
CREATE TRIGGER team_turn_changed
  AFTER UPDATE OF provisional, role, origin, created_at, ended_at, branch, model, foreign_origin, device_id, tool_summary, full_text ON turns
  WHEN new.author IS NULL AND EXISTS (SELECT 1 FROM team WHERE sharing IS NOT NULL) AND (
    new.provisional <> old.provisional OR new.role <> old.role OR new.origin <> old.origin
    OR new.created_at IS NOT old.created_at OR new.ended_at IS NOT old.ended_at OR new.branch IS NOT old.branch
    OR new.model IS NOT old.model OR new.foreign_origin IS NOT old.foreign_origin OR new.device_id IS NOT old.device_id
    OR new.tool_summary <> old.tool_summary OR new.full_text <> old.full_text) BEGIN
  INSERT INTO team_dirty (turn_id) SELECT new.id WHERE new.id NOT IN (SELECT turn_id FROM team_dirty);
END;
CREATE TRIGGER team_parts_changed AFTER UPDATE ON turn_parts
  WHEN (new.parts <> old.parts OR new.failures IS NOT old.failures)
    AND EXISTS (SELECT 1 FROM team WHERE sharing IS NOT NULL) BEGIN
  INSERT INTO team_dirty (turn_id) SELECT id FROM turns
    WHERE id = new.turn_id AND author IS NULL AND id NOT IN (SELECT turn_id FROM team_dirty);
END;
CREATE TRIGGER team_link_added AFTER INSERT ON pr_links
  WHEN EXISTS (SELECT 1 FROM team WHERE sharing IS NOT NULL) BEGIN
  INSERT INTO team_dirty (turn_id)
    SELECT id FROM (SELECT id FROM turns WHERE session_id = new.session_id AND agent_id IS NULL AND author IS NULL
      ORDER BY created_at IS NULL, created_at, line_index, id LIMIT 1) WHERE id NOT IN (SELECT turn_id FROM team_dirty);
END;
CREATE TRIGGER team_mark_added AFTER INSERT ON turn_marks
  WHEN EXISTS (SELECT 1 FROM team WHERE sharing IS NOT NULL) BEGIN
  INSERT INTO team_dirty (turn_id) SELECT id FROM turns
    WHERE id = new.turn_id AND author IS NULL AND id NOT IN (SELECT turn_id FROM team_dirty);
END;
CREATE TRIGGER team_answer_mark_added AFTER INSERT ON answer_marks
  WHEN EXISTS (SELECT 1 FROM team WHERE sharing IS NOT NULL) BEGIN
  INSERT INTO team_dirty (turn_id) SELECT id FROM turns
    WHERE id = new.turn_id AND author IS NULL AND id NOT IN (SELECT turn_id FROM team_dirty);
END;
CREATE TRIGGER team_vector_added AFTER INSERT ON chunk_vectors
  WHEN EXISTS (SELECT 1 FROM team WHERE sharing IS NOT NULL) BEGIN
  INSERT INTO team_dirty (turn_id)
    SELECT t.id FROM chunks c JOIN turns t ON t.id = c.turn_id WHERE c.id = new.chunk_id AND t.author IS NULL
      AND t.id NOT IN (SELECT turn_id FROM team_dirty);
END;
-- The first turn of a session carries its title.
CREATE TRIGGER team_title_changed AFTER UPDATE OF title, first_prompt ON sessions
  WHEN (new.title IS NOT old.title OR new.first_prompt IS NOT old.first_prompt)
    AND EXISTS (SELECT 1 FROM team WHERE sharing IS NOT NULL) BEGIN
  INSERT INTO team_dirty (turn_id)
    SELECT id FROM (SELECT id FROM turns WHERE session_id = new.session_id AND agent_id IS NULL AND author IS NULL
      ORDER BY created_at IS NULL, created_at, line_index, id LIMIT 1) WHERE id NOT IN (SELECT turn_id FROM team_dirty);
END;
