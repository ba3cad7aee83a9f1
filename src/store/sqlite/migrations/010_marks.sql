-- What a person wants of a turn: `mute` keeps it out of hooks, `pin` keeps it from pruning.
CREATE TABLE turn_marks (
  turn_id INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  kind    TEXT NOT NULL,
  time    TEXT NOT NULL,
  PRIMARY KEY (turn_id, kind)
) WITHOUT ROWID;
CREATE INDEX turn_marks_by_kind ON turn_marks(kind, turn_id);

-- What a person thought of a turn in an answer: `good`, or `bad`, which keeps it from prompts like the one answered.
CREATE TABLE answer_marks (
  call_id INTEGER NOT NULL REFERENCES hook_calls(id) ON DELETE CASCADE,
  turn_id INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  kind    TEXT NOT NULL,
  time    TEXT NOT NULL,
  PRIMARY KEY (call_id, turn_id)
) WITHOUT ROWID;
CREATE INDEX answer_marks_by_turn ON answer_marks(turn_id);

-- The prompts of marked answers, to compare others with. They go with the prompt.
CREATE TABLE prompt_vectors (
  call_id   INTEGER NOT NULL REFERENCES hook_calls(id) ON DELETE CASCADE,
  model_id  INTEGER NOT NULL REFERENCES models(id) ON DELETE CASCADE,
  embedding BLOB NOT NULL,
  PRIMARY KEY (call_id, model_id)
) WITHOUT ROWID;
CREATE TRIGGER prompt_cleared AFTER UPDATE OF prompt ON hook_calls WHEN NEW.prompt IS NULL BEGIN
  DELETE FROM prompt_vectors WHERE call_id = NEW.id;
END;

-- The file that an answer was about.
ALTER TABLE hook_calls ADD COLUMN subject TEXT;
