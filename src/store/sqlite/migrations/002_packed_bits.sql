-- Signs once more, those of 1,024 chunk ids in one row: read as a whole, they cost a tenth of what single rows cost. A row
-- is there when it says what `chunk_bits` says of all its ids; where there is none, `chunk_bits` answers.
CREATE TABLE packed_bits (
  model_id  INTEGER NOT NULL REFERENCES models(id) ON DELETE CASCADE,
  block     INTEGER NOT NULL,
  -- In order, 32 bits each, little-endian; the signs stand in the same order.
  chunk_ids BLOB NOT NULL,
  bits      BLOB NOT NULL,
  UNIQUE (model_id, block)
);

CREATE TRIGGER chunk_bits_inserted AFTER INSERT ON chunk_bits BEGIN
  DELETE FROM packed_bits WHERE model_id = new.model_id AND block = new.chunk_id >> 10;
END;
CREATE TRIGGER chunk_bits_updated AFTER UPDATE ON chunk_bits BEGIN
  DELETE FROM packed_bits WHERE model_id = new.model_id AND block = new.chunk_id >> 10;
END;
CREATE TRIGGER chunk_bits_deleted AFTER DELETE ON chunk_bits BEGIN
  DELETE FROM packed_bits WHERE model_id = old.model_id AND block = old.chunk_id >> 10;
END;
