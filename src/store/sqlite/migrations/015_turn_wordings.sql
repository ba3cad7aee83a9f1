-- What identifies a turn by its words as they were before secrets were taken out, where its text no longer tells it:
-- keyed hashes, by which a copy of the turn is recognised after it was forgotten.
CREATE TABLE turn_wordings (
  turn_id INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE,
  hash    BLOB NOT NULL,
  PRIMARY KEY (turn_id, hash)
) WITHOUT ROWID;
