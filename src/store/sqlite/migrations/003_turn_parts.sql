-- Where the parts of a turn's text are, as JSON: [[kind, start, end], ...], UTF-16 offsets. Apart from the text, so that
-- changing the parts does not rewrite it.
CREATE TABLE turn_parts (
  turn_id INTEGER PRIMARY KEY REFERENCES turns(id) ON DELETE CASCADE,
  parts   TEXT NOT NULL
);

-- 1: the parts of this transcript's turns were parsed from their texts; the next ingest reads them from the transcript.
ALTER TABLE sources ADD COLUMN parts_pending INTEGER NOT NULL DEFAULT 0;
UPDATE sources SET parts_pending = 1;
