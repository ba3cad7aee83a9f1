-- Which version of the reader made the turns of a transcript: what an older one read is read again, whole, by the next
-- ingest. This takes the place of a flag for the parts of turns alone.
ALTER TABLE sources ADD COLUMN reader_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sources DROP COLUMN parts_pending;
