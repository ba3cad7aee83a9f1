-- When a chunk gets its vector: those of rank 0 come before the others of rank 1. Null: it gets none; its words are found.
ALTER TABLE chunks ADD COLUMN vector_rank INTEGER DEFAULT 1;
CREATE INDEX chunks_by_rank ON chunks(vector_rank);

DROP TRIGGER chunks_inserted;
DROP TRIGGER chunks_deleted;
DROP TRIGGER chunk_vectors_inserted;
CREATE TABLE new_pending_vectors (
  model_id    INTEGER NOT NULL REFERENCES models(id) ON DELETE CASCADE,
  vector_rank INTEGER NOT NULL,
  created_at  TEXT NOT NULL,
  chunk_id    INTEGER NOT NULL,
  PRIMARY KEY (model_id, vector_rank, created_at DESC, chunk_id DESC)
) WITHOUT ROWID;
INSERT INTO new_pending_vectors (model_id, vector_rank, created_at, chunk_id)
  SELECT model_id, 1, created_at, chunk_id FROM pending_vectors;
DROP TABLE pending_vectors;
ALTER TABLE new_pending_vectors RENAME TO pending_vectors;
CREATE INDEX pending_vectors_by_chunk ON pending_vectors(chunk_id);

CREATE TRIGGER chunks_inserted AFTER INSERT ON chunks WHEN new.vector_rank IS NOT NULL BEGIN
  INSERT INTO pending_vectors (model_id, vector_rank, created_at, chunk_id)
    SELECT m.id, new.vector_rank, coalesce((SELECT created_at FROM turns WHERE id = new.turn_id), ''), new.id FROM models m;
END;
CREATE TRIGGER chunks_ranked AFTER UPDATE OF vector_rank ON chunks WHEN new.vector_rank IS NOT old.vector_rank BEGIN
  DELETE FROM pending_vectors WHERE chunk_id = new.id;
  INSERT INTO pending_vectors (model_id, vector_rank, created_at, chunk_id)
    SELECT m.id, new.vector_rank, coalesce((SELECT created_at FROM turns WHERE id = new.turn_id), ''), new.id FROM models m
    WHERE new.vector_rank IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.chunk_id = new.id AND v.model_id = m.id);
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
