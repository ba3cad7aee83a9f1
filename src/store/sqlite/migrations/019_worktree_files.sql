-- A file in a worktree below the project has the path that it has there: `src/a.ts`, not `.worktrees/fix/src/a.ts`. What was read
-- before that, gets such paths here. A worktree itself, and a pattern such as `src/...`, is no file.
CREATE TEMP TABLE worktree_files AS
  SELECT rowid AS id, turn_id, tool_name, file_name, substr(below, instr(below, '/') + 1) AS file_path, instr(below, '/') > 0 AS is_file
  FROM (
    SELECT rowid, turn_id, tool_name, file_name,
      substr(file_path, CASE WHEN file_path LIKE '.worktrees/%' THEN 12 ELSE 19 END) AS below
    FROM file_mentions WHERE file_path LIKE '.worktrees/%' OR file_path LIKE '.claude/worktrees/%'
  );
INSERT OR IGNORE INTO stale_access_patterns (session_id)
  SELECT t.session_id FROM worktree_files w JOIN turns t ON t.id = w.turn_id;
DELETE FROM file_mentions WHERE rowid IN (SELECT id FROM worktree_files);
INSERT OR IGNORE INTO file_mentions (turn_id, file_path, file_name, tool_name)
  SELECT turn_id, file_path, file_name, tool_name FROM worktree_files WHERE is_file AND file_path <> '';
DROP TABLE worktree_files;
DELETE FROM file_mentions
  WHERE file_path LIKE '%*%' OR file_path LIKE '%/.../%' OR file_path LIKE '%/...' OR file_path LIKE '.../%' OR file_path = '...';
