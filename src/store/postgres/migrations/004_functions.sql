-- What members may do beyond their own rows. Each function runs as the owner and checks the membership itself.

CREATE FUNCTION require_member(project bigint, as_admin boolean DEFAULT false) RETURNS void LANGUAGE plpgsql STABLE
  SECURITY DEFINER SET search_path = pg_catalog, mementor, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM members m WHERE m.project_id = project AND m.role = caller() AND (m.is_admin OR NOT as_admin))
    AND caller() <> 'mementor_owner' THEN
    RAISE EXCEPTION '% is not % of this project', caller(), CASE WHEN as_admin THEN 'an admin' ELSE 'a member' END
      USING ERRCODE = '42501';
  END IF;
END $$;

-- Notes who reserved ids. The project's row is locked. Ranges of one member that follow each other are one.
CREATE FUNCTION note_reserved(project bigint, kind_of text, first_id bigint, n integer) RETURNS void LANGUAGE plpgsql
  SET search_path = pg_catalog, mementor, pg_temp AS $$
BEGIN
  IF n = 0 THEN
    RETURN;
  END IF;
  UPDATE reserved_ids r SET last = r.last + n
    WHERE r.project_id = project AND r.kind = kind_of AND r.role = caller() AND r.last = first_id - 1
      AND r.first = (SELECT max(x.first) FROM reserved_ids x WHERE x.project_id = project AND x.kind = kind_of);
  IF NOT FOUND THEN
    INSERT INTO reserved_ids (project_id, kind, first, last, role)
      VALUES (project, kind_of, first_id, first_id + n - 1, caller());
  END IF;
END $$;

-- Reserves ids, and returns the first of each kind. Called before the transaction that writes, so that writers do not wait
-- for each other. An id that is not used stays unused.
CREATE FUNCTION reserve_ids(project bigint, turns integer, chunks integer, OUT first_turn bigint, OUT first_chunk bigint)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, mementor, pg_temp AS $$
BEGIN
  PERFORM require_member(project);
  IF least(turns, chunks) < 0 OR greatest(turns, chunks) > 10000000 THEN
    RAISE EXCEPTION 'that many ids cannot be reserved at once' USING ERRCODE = '22023';
  END IF;
  UPDATE projects p SET last_turn = p.last_turn + turns, last_chunk = p.last_chunk + chunks WHERE p.project_id = project
    RETURNING p.last_turn - turns + 1, p.last_chunk - chunks + 1 INTO first_turn, first_chunk;
  PERFORM note_reserved(project, 'turn', first_turn, turns);
  PERFORM note_reserved(project, 'chunk', first_chunk, chunks);
END $$;

-- The members of a project and what each stores.
CREATE FUNCTION project_members(project bigint) RETURNS TABLE (role text, is_admin boolean, added_at timestamptz,
    max_bytes bigint, max_rows bigint, used_bytes bigint, used_rows bigint, turns bigint) LANGUAGE plpgsql STABLE
  SECURITY DEFINER SET search_path = pg_catalog, mementor, pg_temp AS $$
BEGIN
  PERFORM require_member(project);
  RETURN QUERY SELECT m.role, m.is_admin, m.added_at, m.max_bytes, m.max_rows, coalesce(u.bytes, 0), coalesce(u.rows, 0),
      coalesce(u.turns, 0)
    FROM members m LEFT JOIN usage u ON u.project_id = m.project_id AND u.author = m.role
    WHERE m.project_id = project ORDER BY m.role;
END $$;

-- A project has few models; a member that adds more is mistaken.
CREATE FUNCTION add_model(project bigint, model text, size integer) RETURNS integer LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, mementor, pg_temp AS $$
DECLARE
  known models;
  added integer;
BEGIN
  PERFORM require_member(project);
  PERFORM 1 FROM projects p WHERE p.project_id = project FOR UPDATE;
  SELECT * INTO known FROM models m WHERE m.project_id = project AND m.name = model;
  IF FOUND THEN
    IF known.dimensions <> size THEN
      RAISE EXCEPTION '% has % dimensions in this database', model, known.dimensions USING ERRCODE = '22023';
    END IF;
    RETURN known.model_id;
  END IF;
  SELECT coalesce(max(m.model_id), 0) + 1 INTO added FROM models m WHERE m.project_id = project;
  IF size NOT BETWEEN 1 AND 4000 OR length(model) NOT BETWEEN 1 AND 200
    OR (SELECT count(*) FROM models m WHERE m.project_id = project) >= 16 THEN
    RAISE EXCEPTION 'this model cannot be added' USING ERRCODE = '22023';
  END IF;
  INSERT INTO models (project_id, model_id, name, dimensions) VALUES (project, added, model, size);
  UPDATE projects p SET active_model = added WHERE p.project_id = project AND p.active_model IS NULL;
  RETURN added;
END $$;

-- Has a table counted that was never counted: without statistics the checks of foreign keys may take a wrong index. A table
-- that is being counted is left out.
CREATE FUNCTION count_new(kind text) RETURNS void LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, mementor, pg_temp AS $$
BEGIN
  IF kind IN ('turns', 'chunks')
    AND (SELECT c.reltuples FROM pg_class c WHERE c.oid = format('mementor.%I', kind)::regclass) <= 0 THEN
    EXECUTE format('ANALYZE (SKIP_LOCKED) mementor.%I (project_id, turn_id, author)', kind);
  END IF;
END $$;

GRANT EXECUTE ON FUNCTION count_new, caller, reserve_ids, project_members, add_model TO mementor_member;
