-- What got past failed calls of a turn, as JSON: see `Cure` in `domain.ts`. The next ingest reads transcripts again that have
-- failures. Nothing here travels to a team, so no trigger asks for that.
CREATE TABLE cures (
  id      INTEGER PRIMARY KEY,
  turn_id INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  cure    TEXT NOT NULL
);
CREATE INDEX cures_by_turn ON cures(turn_id);

-- Hashes of the errors that a cure is for, each without what differs from one time to the next.
CREATE TABLE cure_errors (
  error   INTEGER NOT NULL,
  cure_id INTEGER NOT NULL REFERENCES cures(id) ON DELETE CASCADE,
  PRIMARY KEY (error, cure_id)
) WITHOUT ROWID;
CREATE INDEX cure_errors_by_cure ON cure_errors(cure_id);
