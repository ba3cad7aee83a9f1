-- What an administrator does to members. These functions run as the owner, and only the owner may call them.

-- Removes all turns of an author for good, from the server and, at their next sync, from every member's files. The removals
-- are changes of a device of the caller, so that members learn of them. Returns their number.
CREATE FUNCTION erase_author(project bigint, erased text) RETURNS bigint LANGUAGE plpgsql
  SET search_path = pg_catalog, mementor, pg_temp AS $$
<<removal>>
DECLARE
  device CONSTANT uuid := gen_random_uuid();
  caller_name CONSTANT text := session_user::text;
  key bytea;
  digest bytea;
  chain bytea := '\x';
  number bigint := 0;
BEGIN
  INSERT INTO devices (project_id, author, device_id) VALUES (project, caller_name, device);
  FOR key IN SELECT t.turn_key FROM turns t WHERE t.project_id = project AND t.author = erased AND t.turn_key IS NOT NULL
    ORDER BY t.turn_id
  LOOP
    number := number + 1;
    digest := sha256('remove'::bytea || key);
    chain := sha256(chain || digest);
    INSERT INTO changes (project_id, author, device_id, number, kind, target, turn_key, digest, chain)
      VALUES (project, caller_name, device, number, 'remove', erased, key, digest, chain);
  END LOOP;
  INSERT INTO tombstones (project_id, target, turn_key, author, device_id)
    SELECT c.project_id, c.target, c.turn_key, c.author, c.device_id FROM changes c
    WHERE c.project_id = project AND c.author = caller_name AND c.device_id = device
    ON CONFLICT DO NOTHING;
  DELETE FROM turns t WHERE t.project_id = project AND t.author = erased;
  DELETE FROM sessions s WHERE s.project_id = project AND s.author = erased;
  UPDATE devices d SET last_number = removal.number, chain = removal.chain
    WHERE d.project_id = project AND d.author = caller_name AND d.device_id = device;
  RETURN number;
END $$;
