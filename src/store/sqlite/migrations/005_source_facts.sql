-- What is known of a source's sessions, and which of them are left out, were inside the reader's own state.
ALTER TABLE sources ADD COLUMN sessions TEXT NOT NULL DEFAULT '[]';
ALTER TABLE sources ADD COLUMN left_out TEXT NOT NULL DEFAULT '[]';
UPDATE sources SET
  sessions = iif(json_type(reader_state, '$.sessions') = 'array', json_extract(reader_state, '$.sessions'), '[]'),
  left_out = iif(json_type(reader_state, '$.leftOut') = 'array', json_extract(reader_state, '$.leftOut'), '[]'),
  reader_state = json_remove(reader_state, '$.sessions', '$.leftOut')
  WHERE json_valid(reader_state);

-- Written and never read.
ALTER TABLE session_access_patterns DROP COLUMN resource_count;
ALTER TABLE session_access_patterns DROP COLUMN updated_at;
ALTER TABLE resource_embeddings DROP COLUMN created_at;
ALTER TABLE models DROP COLUMN created_at;
ALTER TABLE sessions DROP COLUMN created_at;
ALTER TABLE sessions DROP COLUMN updated_at;
