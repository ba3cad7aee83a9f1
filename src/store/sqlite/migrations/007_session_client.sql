-- Which coding agent a session was held with. Before, there was one.
ALTER TABLE sessions ADD COLUMN client TEXT NOT NULL DEFAULT 'claude-code';
