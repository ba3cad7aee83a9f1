-- What a hook was asked and what it answered. A turn that goes takes the text with it that quotes it.
ALTER TABLE hook_calls ADD COLUMN prompt TEXT;
ALTER TABLE hook_calls ADD COLUMN answer TEXT;
-- How sure the gate was that the memory answers the prompt, and how sure it had to be; 0 to 1.
ALTER TABLE hook_calls ADD COLUMN probability REAL;
ALTER TABLE hook_calls ADD COLUMN threshold REAL;

CREATE TABLE hook_call_turns (
  call_id INTEGER NOT NULL REFERENCES hook_calls(id) ON DELETE CASCADE,
  turn_id INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  rank    INTEGER NOT NULL,
  passage TEXT,
  PRIMARY KEY (call_id, turn_id)
) WITHOUT ROWID;
CREATE INDEX hook_call_turns_by_turn ON hook_call_turns(turn_id);

CREATE TRIGGER answers_lose_turn BEFORE DELETE ON turns BEGIN
  UPDATE hook_calls SET answer = NULL
  WHERE id IN (SELECT call_id FROM hook_call_turns WHERE turn_id = OLD.id);
END;
