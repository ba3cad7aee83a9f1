-- What policies cannot say. Triggers that write tables of the owner run as the owner.

-- An author is the role that writes: checked besides the policy. The owner may write for others, to restore or move rows, and
-- its functions may change rows of others.
CREATE FUNCTION refuse_author() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, mementor, pg_temp AS $$
BEGIN
  IF caller() NOT IN (NEW.author, 'mementor_owner')
    AND NOT (TG_OP = 'UPDATE' AND current_user = 'mementor_owner' AND NEW.author = OLD.author) THEN
    RAISE EXCEPTION 'the author of a row must be the role that writes it' USING ERRCODE = '42501',
      DETAIL = format('%s wrote a row of %s', caller(), NEW.author);
  END IF;
  RETURN NEW;
END $$;

-- Adds what rows take to the account of their author, or takes it off. The arguments are the bytes of a row and the number
-- of its words, as expressions. A quota that is used up refuses rows, never their removal, nor rows that take the place of
-- others: a transaction may end with what it began with.
CREATE FUNCTION keep_account() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, mementor, pg_temp AS $$
DECLARE
  parts text[] := '{}';
  change record;
  quota record;
  account usage;
  in_journal CONSTANT boolean := TG_TABLE_NAME IN ('devices', 'changes', 'tombstones');
BEGIN
  IF TG_OP <> 'DELETE' THEN
    parts := parts || format('SELECT project_id, author, 1 AS n, %s AS bytes, %s AS words FROM added', TG_ARGV[0], TG_ARGV[1]);
  END IF;
  IF TG_OP <> 'INSERT' THEN
    parts := parts || format('SELECT project_id, author, -1 AS n, -(%s) AS bytes, -(%s) AS words FROM removed', TG_ARGV[0],
      TG_ARGV[1]);
  END IF;
  FOR change IN EXECUTE 'SELECT project_id, author, sum(n)::bigint AS n, sum(bytes)::bigint AS bytes,
      sum(words)::bigint AS words FROM (' || array_to_string(parts, ' UNION ALL ') || ') x GROUP BY 1, 2 ORDER BY 1, 2'
  LOOP
    CONTINUE WHEN change.n = 0 AND change.bytes = 0 AND change.words = 0;
    IF change.n > 0 THEN
      INSERT INTO usage (project_id, author) VALUES (change.project_id, change.author) ON CONFLICT DO NOTHING;
    END IF;
    UPDATE usage u SET bytes = u.bytes + change.bytes, rows = u.rows + CASE WHEN in_journal THEN 0 ELSE change.n END,
        journal = u.journal + CASE WHEN in_journal THEN change.n ELSE 0 END,
        bytes_before = CASE WHEN u.changed_by = pg_current_xact_id() THEN u.bytes_before ELSE u.bytes END,
        rows_before = CASE WHEN u.changed_by = pg_current_xact_id() THEN u.rows_before ELSE u.rows END,
        changed_by = pg_current_xact_id(),
        turns = u.turns + CASE TG_TABLE_NAME WHEN 'turns' THEN change.n ELSE 0 END,
        turn_words = u.turn_words + CASE TG_TABLE_NAME WHEN 'turns' THEN change.words ELSE 0 END,
        chunks = u.chunks + CASE TG_TABLE_NAME WHEN 'chunks' THEN change.n ELSE 0 END,
        chunk_words = u.chunk_words + CASE TG_TABLE_NAME WHEN 'chunks' THEN change.words ELSE 0 END,
        vectors = u.vectors + CASE TG_TABLE_NAME WHEN 'chunk_vectors' THEN change.n ELSE 0 END
      WHERE u.project_id = change.project_id AND u.author = change.author RETURNING u.* INTO account;
    CONTINUE WHEN change.n <= 0 AND change.bytes <= 0;
    SELECT m.max_bytes, m.max_rows, p.name INTO quota FROM members m JOIN projects p USING (project_id)
      WHERE m.project_id = change.project_id AND m.role = change.author;
    IF account.bytes > quota.max_bytes AND account.bytes > account.bytes_before
      OR account.rows > quota.max_rows AND account.rows > account.rows_before
      OR in_journal AND account.journal > quota.max_rows THEN
      RAISE EXCEPTION 'the quota of % in % is used up', change.author, quota.name USING ERRCODE = 'MM001',
        DETAIL = format('%s of %s bytes, %s of %s rows, %s in the journal', account.bytes, quota.max_bytes, account.rows,
          quota.max_rows, account.journal),
        HINT = 'Remove turns, or ask an admin of the project for a larger quota.';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

-- What a row takes is what it takes beside its columns, in the table and in indexes, and the size of these. Every text counts:
-- members write whatever they like into any of them. The words of a text are bounded by it, so it counts twice. The journal
-- has no bytes.
DO $$
DECLARE
  kept record;
  bytes text;
BEGIN
  FOR kept IN SELECT * FROM (VALUES
    ('turns', '300 + octet_length(full_text)', 'length'), ('chunks', '150 + octet_length(content)', 'length'),
    ('chunk_vectors', '80', '0'), ('sessions', '200', '0'), ('subagent_sessions', '150', '0'),
    ('file_mentions', '100 + octet_length(file_path)', '0'), ('pr_links', '100', '0'), ('commits', '120', '0'),
    ('changes', NULL, '0'), ('tombstones', NULL, '0'), ('devices', NULL, '0')
  ) AS t (name, beside, words) LOOP
    SELECT coalesce(kept.beside || string_agg(format(CASE WHEN t.typname IN ('text', 'bytea')
        THEN ' + coalesce(octet_length(%1$I), 0)' ELSE ' + pg_column_size(%1$I) / 32 * 32' END, a.attname), ''), '0') INTO bytes
      FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
      WHERE a.attrelid = format('mementor.%I', kept.name)::regclass AND a.attnum > 0
        AND t.typname IN ('text', 'bytea', 'halfvec');
    EXECUTE format('CREATE TRIGGER author_is_caller BEFORE INSERT OR UPDATE ON %I FOR EACH ROW
      WHEN (NEW.author IS DISTINCT FROM current_user) EXECUTE FUNCTION refuse_author()', kept.name);
    EXECUTE format('CREATE TRIGGER account_added AFTER INSERT ON %I REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION keep_account(%L, %L)', kept.name, bytes, kept.words);
    EXECUTE format('CREATE TRIGGER account_changed AFTER UPDATE ON %I REFERENCING OLD TABLE AS removed NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION keep_account(%L, %L)', kept.name, bytes, kept.words);
    EXECUTE format('CREATE TRIGGER account_removed AFTER DELETE ON %I REFERENCING OLD TABLE AS removed
      FOR EACH STATEMENT EXECUTE FUNCTION keep_account(%L, %L)', kept.name, bytes, kept.words);
  END LOOP;
END $$;

-- An id belongs to the member that reserved it. Who could use another's would make that member's push fail. The arguments
-- are the kind of id and its column.
CREATE FUNCTION refuse_foreign_ids() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, mementor, pg_temp AS $$
DECLARE
  refused bigint;
BEGIN
  IF caller() = 'mementor_owner' THEN
    RETURN NULL;
  END IF;
  EXECUTE format('SELECT a.%1$I FROM added a WHERE (SELECT r.role = a.author AND r.last >= a.%1$I FROM reserved_ids r
      WHERE r.project_id = a.project_id AND r.kind = $1 AND r.first <= a.%1$I ORDER BY r.first DESC LIMIT 1) IS NOT TRUE
    LIMIT 1', TG_ARGV[1]) INTO refused USING TG_ARGV[0];
  IF refused IS NOT NULL THEN
    RAISE EXCEPTION '% did not reserve the % %', caller(), TG_ARGV[0], refused USING ERRCODE = '42501';
  END IF;
  RETURN NULL;
END $$;

CREATE FUNCTION refuse_other_id() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, mementor, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'an id stays what it is' USING ERRCODE = '42501';
END $$;

DO $$
DECLARE
  kept record;
BEGIN
  FOR kept IN SELECT * FROM (VALUES ('turns', 'turn'), ('chunks', 'chunk')) AS t (name, kind) LOOP
    EXECUTE format('CREATE TRIGGER ids_are_reserved AFTER INSERT ON %I REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_foreign_ids(%L, %L)', kept.name, kept.kind, kept.kind || '_id');
    EXECUTE format('CREATE TRIGGER id_stays BEFORE UPDATE ON %1$I FOR EACH ROW
      WHEN (NEW.project_id <> OLD.project_id OR NEW.%2$I <> OLD.%2$I) EXECUTE FUNCTION refuse_other_id()',
      kept.name, kept.kind || '_id');
  END LOOP;
END $$;

-- A vector is of the author's own chunk: another member's would take the place of the right one.
CREATE FUNCTION refuse_foreign_chunk() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, mementor, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM added a WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.project_id = a.project_id
      AND c.chunk_id = a.chunk_id AND c.turn_id = a.turn_id AND c.author = a.author)) THEN
    RAISE EXCEPTION 'a vector must be of a chunk of its turn and author' USING ERRCODE = '42501';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER chunk_is_own_added AFTER INSERT ON chunk_vectors REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_foreign_chunk();
CREATE TRIGGER chunk_is_own_changed AFTER UPDATE ON chunk_vectors REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_foreign_chunk();

-- The schema of pgvector is in no search path of a function; this one is bound to it when it is made.
CREATE FUNCTION dimensions_of(v halfvec) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN vector_dims(v);

-- Vectors of a model have the model's dimensions: one that has not would end every search with an error.
CREATE FUNCTION refuse_other_dimensions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, mementor, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM added a JOIN models m USING (project_id, model_id)
      WHERE dimensions_of(a.embedding) <> m.dimensions) THEN
    RAISE EXCEPTION 'a vector must have the dimensions of its model' USING ERRCODE = '22023';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER dimensions_fit_added AFTER INSERT ON chunk_vectors REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_other_dimensions();
CREATE TRIGGER dimensions_fit_changed AFTER UPDATE ON chunk_vectors REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_other_dimensions();

-- A device counts upwards: who could count back could put other changes in the place of known ones.
CREATE FUNCTION refuse_lower_number() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, mementor, pg_temp AS $$
BEGIN
  RAISE EXCEPTION 'the last number of a device cannot go back from % to %', OLD.last_number, NEW.last_number
    USING ERRCODE = '42501';
END $$;
CREATE TRIGGER number_grows BEFORE UPDATE ON devices FOR EACH ROW
  WHEN (NEW.last_number < OLD.last_number OR NEW.last_number = OLD.last_number AND NEW.chain <> OLD.chain)
  EXECUTE FUNCTION refuse_lower_number();

-- A turn that was removed is not taken back: the row is left out without an error.
CREATE FUNCTION leave_out_removed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, mementor, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM tombstones b
      WHERE b.project_id = NEW.project_id AND b.target = NEW.author AND b.turn_key = NEW.turn_key) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER removed_stays_removed BEFORE INSERT OR UPDATE OF turn_key ON turns FOR EACH ROW
  WHEN (NEW.turn_key IS NOT NULL) EXECUTE FUNCTION leave_out_removed();

-- The same once more when the row of `usage` is locked: a tombstone may have been committed in the meantime. The name puts it
-- after `account_added`, which takes the lock.
CREATE FUNCTION remove_removed() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, mementor, pg_temp AS $$
BEGIN
  DELETE FROM turns t USING added a, tombstones b
    WHERE t.project_id = a.project_id AND t.turn_id = a.turn_id
      AND b.project_id = a.project_id AND b.target = a.author AND b.turn_key = a.turn_key;
  RETURN NULL;
END $$;
CREATE TRIGGER removed_meanwhile AFTER INSERT ON turns REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION remove_removed();

-- A tombstone takes the turn with it, and all that belongs to the turn. It waits for a push of that author that goes on. A
-- session loses its title and first prompt with its first turn, which they quote, and goes with its last.
CREATE FUNCTION bury() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, mementor, pg_temp AS $$
DECLARE
  gone record;
BEGIN
  INSERT INTO usage (project_id, author) SELECT DISTINCT a.project_id, a.target FROM added a ORDER BY 1, 2
    ON CONFLICT DO NOTHING;
  PERFORM 1 FROM usage u WHERE (u.project_id, u.author) IN (SELECT a.project_id, a.target FROM added a)
    ORDER BY u.project_id, u.author FOR UPDATE;
  FOR gone IN DELETE FROM turns t USING added a
    WHERE t.project_id = a.project_id AND t.author = a.target AND t.turn_key = a.turn_key
    RETURNING t.project_id, t.author, t.session_id, t.agent_id, t.created_at
  LOOP
    UPDATE sessions s SET title = NULL, title_source = NULL, first_prompt = NULL
      WHERE s.project_id = gone.project_id AND s.author = gone.author AND s.session_id = gone.session_id
        AND gone.agent_id IS NULL AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.project_id = gone.project_id
          AND t.author = gone.author AND t.session_id = gone.session_id AND t.agent_id IS NULL
          AND (t.created_at < gone.created_at OR gone.created_at IS NULL));
    DELETE FROM sessions s WHERE s.project_id = gone.project_id AND s.author = gone.author
      AND s.session_id = gone.session_id AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.project_id = gone.project_id
        AND t.author = gone.author AND t.session_id = gone.session_id);
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER turns_buried AFTER INSERT ON tombstones REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION bury();
