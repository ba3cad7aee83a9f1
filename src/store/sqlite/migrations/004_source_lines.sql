-- A place in a transcript is a source and a line of it. A turn without a line is no longer in its transcript. Before, one
-- number said both: lines of a session's second file started at 10^9, and a negative line stood for none.

DROP TRIGGER chunks_inserted;
CREATE TABLE new_turns (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id     TEXT NOT NULL REFERENCES sessions(session_id) ON DELETE CASCADE,
  source_id      INTEGER REFERENCES sources(id) ON DELETE SET NULL,
  line_index     INTEGER,
  provisional    INTEGER NOT NULL DEFAULT 0,
  role           TEXT NOT NULL,
  origin         TEXT NOT NULL,
  agent_id       TEXT,
  is_sidechain   INTEGER NOT NULL DEFAULT 0,
  created_at     TEXT,
  ended_at       TEXT,
  branch         TEXT,
  cwd            TEXT,
  model          TEXT,
  client_version TEXT,
  prompt_uuid    TEXT,
  foreign_origin TEXT,
  -- Long texts come last: what precedes them is read without them.
  tool_summary   TEXT NOT NULL,
  full_text      TEXT NOT NULL
);
INSERT INTO new_turns
  SELECT id, session_id, source_id,
    CASE WHEN line_index < 0 OR (source_id IS NULL AND line_index >= 1000000000) THEN NULL
      ELSE line_index % 1000000000 END,
    provisional, role, origin, agent_id, is_sidechain, created_at, ended_at, branch, cwd, model, client_version,
    prompt_uuid, foreign_origin, tool_summary, full_text
  FROM turns ORDER BY id;
-- Of two turns at one place, which should not be, the later keeps it.
UPDATE new_turns SET line_index = NULL WHERE line_index IS NOT NULL AND id NOT IN
  (SELECT max(id) FROM new_turns GROUP BY session_id, line_index, coalesce(agent_id, ''), coalesce(source_id, 0));
-- An id that was given once is not given again.
DELETE FROM sqlite_sequence WHERE name = 'new_turns';
INSERT INTO sqlite_sequence (name, seq) SELECT 'new_turns', seq FROM sqlite_sequence WHERE name = 'turns';
DROP TABLE turns;
ALTER TABLE new_turns RENAME TO turns;
CREATE UNIQUE INDEX turns_by_place ON turns(session_id, line_index, coalesce(agent_id, ''), coalesce(source_id, 0));
CREATE INDEX turns_by_prompt ON turns(prompt_uuid) WHERE prompt_uuid IS NOT NULL;
CREATE INDEX turns_by_source ON turns(source_id, line_index);
CREATE INDEX turns_by_time ON turns(created_at);
CREATE INDEX turns_by_branch ON turns(branch, session_id);
CREATE TRIGGER turns_deleted AFTER DELETE ON turns BEGIN
  DELETE FROM turn_keywords WHERE rowid = old.id;
END;
CREATE TRIGGER chunks_inserted AFTER INSERT ON chunks BEGIN
  INSERT INTO pending_vectors (model_id, created_at, chunk_id)
    SELECT m.id, coalesce((SELECT created_at FROM turns WHERE id = new.turn_id), ''), new.id FROM models m;
END;

-- Turns of other sessions that resume or fork copied into this one, and where they stand in its transcript.
ALTER TABLE turn_copies RENAME TO old_turn_copies;
CREATE TABLE turn_copies (
  session_id TEXT NOT NULL,
  source_id  INTEGER REFERENCES sources(id) ON DELETE CASCADE,
  line_index INTEGER NOT NULL,
  turn_id    INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX turn_copies_by_place ON turn_copies(session_id, line_index, turn_id, coalesce(source_id, 0));
INSERT OR IGNORE INTO turn_copies
  SELECT y.session_id, l.source_id, y.line_index % 1000000000, y.turn_id
  FROM old_turn_copies y LEFT JOIN source_lines l ON l.session_id = y.session_id AND l.agent_id = ''
    AND l.line_base = y.line_index - y.line_index % 1000000000;
DROP TABLE old_turn_copies;
CREATE INDEX turn_copies_by_turn ON turn_copies(turn_id);
CREATE INDEX turn_copies_by_source ON turn_copies(source_id);

-- provisional: announced by the client, not yet seen in the transcript; a compaction can be cancelled.
ALTER TABLE compactions RENAME TO old_compactions;
CREATE TABLE compactions (
  session_id  TEXT NOT NULL,
  source_id   INTEGER REFERENCES sources(id) ON DELETE CASCADE,
  line_index  INTEGER NOT NULL,
  trigger     TEXT,
  pre_tokens  INTEGER,
  timestamp   TEXT,
  provisional INTEGER NOT NULL DEFAULT 0,
  recorded_at TEXT NOT NULL
);
CREATE UNIQUE INDEX compactions_by_place ON compactions(session_id, line_index, coalesce(source_id, 0));
INSERT OR IGNORE INTO compactions
  SELECT k.session_id, l.source_id, k.line_index % 1000000000, k.trigger, k.pre_tokens, k.timestamp, k.provisional,
    k.recorded_at
  FROM old_compactions k LEFT JOIN source_lines l ON l.session_id = k.session_id AND l.agent_id = ''
    AND l.line_base = k.line_index - k.line_index % 1000000000;
DROP TABLE old_compactions;
CREATE INDEX compactions_by_source ON compactions(source_id);

DROP TABLE source_lines;

-- Written and never read.
ALTER TABLE sessions DROP COLUMN last_line_index;
ALTER TABLE sessions DROP COLUMN provisional_turn_start;
ALTER TABLE sessions DROP COLUMN last_compact_line_index;
ALTER TABLE subagent_sessions DROP COLUMN progress;
