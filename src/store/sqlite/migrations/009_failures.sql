-- The failed calls of a turn, as JSON: [[start, end, call, mended], ...]. UTF-16 offsets of the error in the turn's text, the
-- index of the call in `tool_summary` or null, and 1 if the same call succeeded later in the turn. Null where nothing is
-- known. The next ingest reads transcripts again that have it.
ALTER TABLE turn_parts ADD COLUMN failures TEXT;
