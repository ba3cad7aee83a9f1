CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- An embedding space. `meta.active_model` names the one that serves; others may be on their way.
CREATE TABLE models (
  id         INTEGER PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE,
  dimensions INTEGER NOT NULL,
  created_at TEXT NOT NULL
);

CREATE TABLE sources (
  id            INTEGER PRIMARY KEY,
  path          TEXT NOT NULL UNIQUE,
  session_id    TEXT,
  agent_id      TEXT,
  byte_offset   INTEGER NOT NULL,
  line_index    INTEGER NOT NULL,
  resume_offset INTEGER NOT NULL,
  resume_line   INTEGER NOT NULL,
  fingerprint   TEXT NOT NULL,
  size          INTEGER NOT NULL,
  mtime_ms      REAL NOT NULL,
  skipped       TEXT NOT NULL,
  reader_state  TEXT,
  updated_at    TEXT NOT NULL
);

CREATE TABLE sessions (
  session_id              TEXT PRIMARY KEY,
  transcript_path         TEXT,
  project_dir             TEXT,
  last_line_index         INTEGER NOT NULL DEFAULT 0,
  provisional_turn_start  INTEGER,
  last_compact_line_index INTEGER,
  title                   TEXT,
  title_source            TEXT,
  first_prompt            TEXT,
  automated               INTEGER NOT NULL DEFAULT 0,
  branch                  TEXT,
  started_at              TEXT,
  ended_at                TEXT,
  created_at              TEXT NOT NULL,
  updated_at              TEXT NOT NULL
);
CREATE INDEX sessions_by_end ON sessions(ended_at);

CREATE TABLE subagent_sessions (
  session_id TEXT NOT NULL REFERENCES sessions(session_id) ON DELETE CASCADE,
  agent_id   TEXT NOT NULL,
  progress   INTEGER NOT NULL DEFAULT 0,
  agent_type TEXT,
  task       TEXT,
  PRIMARY KEY (session_id, agent_id)
) WITHOUT ROWID;

-- Two files may tell of one session: each gets line numbers of its own, `line_base` apart.
CREATE TABLE source_lines (
  session_id TEXT NOT NULL REFERENCES sessions(session_id) ON DELETE CASCADE,
  agent_id   TEXT NOT NULL,
  source_id  INTEGER NOT NULL REFERENCES sources(id) ON DELETE CASCADE,
  line_base  INTEGER NOT NULL,
  PRIMARY KEY (session_id, agent_id, source_id),
  UNIQUE (session_id, agent_id, line_base)
) WITHOUT ROWID;

-- A negative line_index: no longer in its transcript, but remembered.
CREATE TABLE turns (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id     TEXT NOT NULL REFERENCES sessions(session_id) ON DELETE CASCADE,
  line_index     INTEGER NOT NULL,
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
  source_id      INTEGER REFERENCES sources(id) ON DELETE SET NULL,
  foreign_origin TEXT,
  -- Long texts come last: what precedes them is read without them.
  tool_summary   TEXT NOT NULL,
  full_text      TEXT NOT NULL
);
CREATE UNIQUE INDEX turns_by_place ON turns(session_id, line_index, coalesce(agent_id, ''));
CREATE INDEX turns_by_prompt ON turns(prompt_uuid) WHERE prompt_uuid IS NOT NULL;
CREATE INDEX turns_by_source ON turns(source_id, line_index);
CREATE INDEX turns_by_time ON turns(created_at);
CREATE INDEX turns_by_branch ON turns(branch, session_id);

-- uuid: 16 bytes where it is a UUID, else the text as it came.
CREATE TABLE entries (
  uuid    NOT NULL PRIMARY KEY,
  turn_id INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX entries_by_turn ON entries(turn_id);

CREATE TABLE turn_copies (
  session_id TEXT NOT NULL,
  line_index INTEGER NOT NULL,
  turn_id    INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  PRIMARY KEY (session_id, line_index, turn_id)
) WITHOUT ROWID;
CREATE INDEX turn_copies_by_turn ON turn_copies(turn_id);

CREATE TABLE chunks (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  turn_id      INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  chunk_index  INTEGER NOT NULL,
  content_hash BLOB NOT NULL,
  start        INTEGER NOT NULL,
  "end"        INTEGER NOT NULL,
  content      TEXT NOT NULL
);
CREATE UNIQUE INDEX chunks_by_turn ON chunks(turn_id, chunk_index);
CREATE INDEX chunks_by_content ON chunks(content_hash);

-- float32, little-endian: readable where no extension can be loaded.
CREATE TABLE chunk_vectors (
  chunk_id  INTEGER NOT NULL,
  model_id  INTEGER NOT NULL REFERENCES models(id) ON DELETE CASCADE,
  embedding BLOB NOT NULL
);
CREATE UNIQUE INDEX chunk_vectors_by_chunk ON chunk_vectors(chunk_id, model_id);

-- The signs of a vector's components, for a first pass that reads a thirtieth of the bytes.
CREATE TABLE chunk_bits (
  model_id INTEGER NOT NULL REFERENCES models(id) ON DELETE CASCADE,
  chunk_id INTEGER NOT NULL,
  turn_id  INTEGER NOT NULL,
  bits     BLOB NOT NULL,
  PRIMARY KEY (model_id, chunk_id)
) WITHOUT ROWID;

-- Chunks that wait for a vector, per model.
CREATE TABLE pending_vectors (
  model_id   INTEGER NOT NULL REFERENCES models(id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  chunk_id   INTEGER NOT NULL,
  PRIMARY KEY (model_id, created_at, chunk_id)
) WITHOUT ROWID;
CREATE INDEX pending_vectors_by_chunk ON pending_vectors(chunk_id);

CREATE VIRTUAL TABLE chunk_keywords USING fts5(
  text, content = '', contentless_delete = 1, tokenize = 'porter unicode61'
);
CREATE VIRTUAL TABLE turn_keywords USING fts5(
  text, content = '', contentless_delete = 1, tokenize = 'porter unicode61'
);

CREATE TRIGGER chunks_inserted AFTER INSERT ON chunks BEGIN
  INSERT INTO pending_vectors (model_id, created_at, chunk_id)
    SELECT m.id, coalesce((SELECT created_at FROM turns WHERE id = new.turn_id), ''), new.id FROM models m;
END;
CREATE TRIGGER chunk_vectors_inserted AFTER INSERT ON chunk_vectors BEGIN
  DELETE FROM pending_vectors WHERE chunk_id = new.chunk_id AND model_id = new.model_id;
END;
CREATE TRIGGER chunks_deleted AFTER DELETE ON chunks BEGIN
  DELETE FROM chunk_vectors WHERE chunk_id = old.id;
  DELETE FROM chunk_bits WHERE chunk_id = old.id AND model_id IN (SELECT id FROM models);
  DELETE FROM pending_vectors WHERE chunk_id = old.id;
  DELETE FROM chunk_keywords WHERE rowid = old.id;
END;
CREATE TRIGGER turns_deleted AFTER DELETE ON turns BEGIN
  DELETE FROM turn_keywords WHERE rowid = old.id;
END;

-- file_name: the last segment of file_path, for bare names and suffixes; null for URLs.
CREATE TABLE file_mentions (
  turn_id   INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  file_path TEXT NOT NULL,
  file_name TEXT,
  tool_name TEXT NOT NULL,
  UNIQUE (turn_id, file_path, tool_name)
);
CREATE INDEX file_mentions_by_path ON file_mentions(file_path, tool_name, turn_id);
CREATE INDEX file_mentions_by_name ON file_mentions(file_name) WHERE file_name IS NOT NULL;

-- How often each path was touched and changed: kept by triggers, since counting all mentions takes too long to ask for.
CREATE TABLE file_totals (
  file_path TEXT PRIMARY KEY,
  touches   INTEGER NOT NULL,
  changes   INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TRIGGER file_mentions_counted AFTER INSERT ON file_mentions BEGIN
  INSERT INTO file_totals (file_path, touches, changes)
    VALUES (new.file_path, 1, new.tool_name IN ('Edit', 'MultiEdit', 'NotebookEdit', 'Write'))
    ON CONFLICT (file_path) DO UPDATE SET touches = touches + 1, changes = changes + excluded.changes;
END;
CREATE TRIGGER file_mentions_uncounted AFTER DELETE ON file_mentions BEGIN
  UPDATE file_totals SET touches = touches - 1,
      changes = changes - (old.tool_name IN ('Edit', 'MultiEdit', 'NotebookEdit', 'Write'))
    WHERE file_path = old.file_path;
  DELETE FROM file_totals WHERE file_path = old.file_path AND touches <= 0;
END;

CREATE TABLE pr_links (
  session_id    TEXT NOT NULL REFERENCES sessions(session_id) ON DELETE CASCADE,
  pr_number     INTEGER NOT NULL,
  pr_url        TEXT NOT NULL,
  pr_repository TEXT NOT NULL,
  timestamp     TEXT,
  UNIQUE (session_id, pr_url)
);
CREATE INDEX pr_links_by_number ON pr_links(pr_number);

CREATE TABLE commits (
  turn_id INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  hash    TEXT NOT NULL,
  message TEXT NOT NULL,
  UNIQUE (turn_id, hash)
);
CREATE INDEX commits_by_hash ON commits(substr(hash, 1, 7));

-- provisional: announced by the client, not yet seen in the transcript; a compaction can be cancelled.
CREATE TABLE compactions (
  session_id  TEXT NOT NULL,
  line_index  INTEGER NOT NULL,
  trigger     TEXT,
  pre_tokens  INTEGER,
  timestamp   TEXT,
  provisional INTEGER NOT NULL DEFAULT 0,
  recorded_at TEXT NOT NULL,
  PRIMARY KEY (session_id, line_index)
) WITHOUT ROWID;

CREATE TABLE resource_embeddings (
  model_id   INTEGER NOT NULL REFERENCES models(id) ON DELETE CASCADE,
  resource   TEXT NOT NULL,
  embedding  BLOB NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (model_id, resource)
);

-- Resources that wait for an embedding, per model.
CREATE TABLE pending_resources (
  model_id INTEGER NOT NULL REFERENCES models(id) ON DELETE CASCADE,
  resource TEXT NOT NULL,
  PRIMARY KEY (model_id, resource)
) WITHOUT ROWID;
CREATE TRIGGER file_mentions_inserted AFTER INSERT ON file_mentions BEGIN
  INSERT OR IGNORE INTO pending_resources (model_id, resource)
    SELECT m.id, new.file_path FROM models m WHERE NOT EXISTS
      (SELECT 1 FROM resource_embeddings r WHERE r.model_id = m.id AND r.resource = new.file_path);
END;
CREATE TRIGGER resource_embeddings_inserted AFTER INSERT ON resource_embeddings BEGIN
  DELETE FROM pending_resources WHERE model_id = new.model_id AND resource = new.resource;
END;

CREATE TABLE session_access_patterns (
  session_id     TEXT NOT NULL REFERENCES sessions(session_id) ON DELETE CASCADE,
  model_id       INTEGER NOT NULL REFERENCES models(id) ON DELETE CASCADE,
  window_type    TEXT NOT NULL,
  centroid       BLOB NOT NULL,
  resource_count INTEGER NOT NULL,
  updated_at     TEXT NOT NULL,
  UNIQUE (session_id, model_id, window_type)
);
CREATE TABLE stale_access_patterns (session_id TEXT PRIMARY KEY) WITHOUT ROWID;

-- subject: what the injection was about where it is not a prompt, e.g. a file.
CREATE TABLE injections (
  id         INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL,
  turn_id    INTEGER REFERENCES turns(id) ON DELETE CASCADE,
  event      TEXT NOT NULL,
  subject    TEXT,
  time       TEXT NOT NULL
);
CREATE INDEX injections_by_session ON injections(session_id, time);
CREATE INDEX injections_by_turn ON injections(turn_id);

CREATE TABLE hook_calls (
  id          INTEGER PRIMARY KEY,
  session_id  TEXT,
  event       TEXT NOT NULL,
  decision    TEXT NOT NULL,
  duration_ms REAL NOT NULL,
  time        TEXT NOT NULL
);

-- What was forgotten on purpose, as hashes: it does not come back.
CREATE TABLE tombstones (
  kind       TEXT NOT NULL,
  hash       BLOB NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (kind, hash)
) WITHOUT ROWID;
