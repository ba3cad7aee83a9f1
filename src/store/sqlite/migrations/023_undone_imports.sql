-- What an undone import brought may be imported again: only what was forgotten stays out.
DELETE FROM tombstones WHERE EXISTS (
  SELECT 1 FROM tombstones u WHERE u.kind = 'undone:' || tombstones.kind AND u.hash = tombstones.hash);
DELETE FROM tombstones WHERE substr(kind, 1, 7) = 'undone:';
