-- What members make grow beyond their own rows counts for them, so that nobody uses up what all need.

-- Who added a model; null for those of before.
ALTER TABLE models ADD COLUMN author text COLLATE "C";

CREATE TRIGGER account_added AFTER INSERT ON models REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION keep_account('100 + octet_length(name)', '0');
CREATE TRIGGER account_removed AFTER DELETE ON models REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION keep_account('100 + octet_length(name)', '0');

-- Who added how many models of a project, such as "eve 4, ada 1".
CREATE FUNCTION added_models(project bigint) RETURNS text LANGUAGE sql STABLE
  SET search_path = pg_catalog, mementor, pg_temp AS $$
  SELECT string_agg(format('%s %s', x.author, x.n), ', ' ORDER BY x.n DESC, x.author)
  FROM (SELECT coalesce(m.author, 'unknown') AS author, count(*) AS n FROM models m WHERE m.project_id = project GROUP BY 1) x $$;

-- Searches use the first model that has vectors: one that was only added takes no place.
CREATE FUNCTION use_model(project bigint, model integer) RETURNS void LANGUAGE sql
  SET search_path = pg_catalog, mementor, pg_temp AS $$
  UPDATE projects p SET active_model = model WHERE p.project_id = project AND p.active_model IS DISTINCT FROM model
    AND NOT EXISTS (SELECT 1 FROM chunk_vectors v WHERE v.project_id = project AND v.model_id = p.active_model) $$;

-- A project has few models. A member adds four, an administrator more, until there are 64: so nobody fills the table for
-- others.
CREATE OR REPLACE FUNCTION add_model(project bigint, model text, size integer) RETURNS integer LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = pg_catalog, mementor, pg_temp AS $$
DECLARE
  known models;
  added integer;
  own integer;
  is_bounded CONSTANT boolean := caller() <> 'mementor_owner'
    AND NOT EXISTS (SELECT 1 FROM members m WHERE m.project_id = project AND m.role = caller() AND m.is_admin);
BEGIN
  PERFORM require_member(project);
  PERFORM 1 FROM projects p WHERE p.project_id = project FOR UPDATE;
  SELECT * INTO known FROM models m WHERE m.project_id = project AND m.name = model;
  IF FOUND THEN
    IF known.dimensions <> size THEN
      RAISE EXCEPTION '% has % dimensions in this database', model, known.dimensions USING ERRCODE = '22023';
    END IF;
    PERFORM use_model(project, known.model_id);
    RETURN known.model_id;
  END IF;
  IF size NOT BETWEEN 1 AND 4000 OR length(model) NOT BETWEEN 1 AND 200 THEN
    RAISE EXCEPTION 'this model cannot be added' USING ERRCODE = '22023';
  END IF;
  SELECT count(*) INTO own FROM models m WHERE m.project_id = project AND m.author = caller();
  IF is_bounded AND own >= 4 OR (SELECT count(*) FROM models m WHERE m.project_id = project) >= 64 THEN
    RAISE EXCEPTION 'no more models fit; they were added by %', added_models(project) USING ERRCODE = 'MM002',
      HINT = 'An administrator removes models: mementor team models NAME --erase, or all that nobody uses without NAME.';
  END IF;
  SELECT coalesce(max(m.model_id), 0) + 1 INTO added FROM models m WHERE m.project_id = project;
  INSERT INTO models (project_id, model_id, name, dimensions, author) VALUES (project, added, model, size, caller());
  PERFORM use_model(project, added);
  RETURN added;
END $$;

-- Ranges of ids that a member reserved: as many as `max_rows`, apart from rows and journal, which removals need. Not in `usage`,
-- whose row a push locks: who reserves ids must not wait for one.
ALTER TABLE members ADD COLUMN ranges bigint NOT NULL DEFAULT 0 CHECK (abs(ranges) <= 9007199254740991);

CREATE OR REPLACE FUNCTION note_reserved(project bigint, kind_of text, first_id bigint, n integer) RETURNS void
  LANGUAGE plpgsql SET search_path = pg_catalog, mementor, pg_temp AS $$
DECLARE
  member members;
BEGIN
  IF n = 0 THEN
    RETURN;
  END IF;
  UPDATE reserved_ids r SET last = r.last + n
    WHERE r.project_id = project AND r.kind = kind_of AND r.role = caller() AND r.last = first_id - 1
      AND r.first = (SELECT max(x.first) FROM reserved_ids x WHERE x.project_id = project AND x.kind = kind_of);
  IF FOUND THEN
    RETURN;
  END IF;
  INSERT INTO reserved_ids (project_id, kind, first, last, role)
    VALUES (project, kind_of, first_id, first_id + n - 1, caller());
  UPDATE members m SET ranges = m.ranges + 1 WHERE m.project_id = project AND m.role = caller() RETURNING m.* INTO member;
  IF member.ranges > member.max_rows THEN
    RAISE EXCEPTION 'the quota of % is used up', caller() USING ERRCODE = 'MM001',
      DETAIL = format('%s of %s ranges of ids', member.ranges, member.max_rows),
      HINT = 'Ask an admin of the project for a larger quota.';
  END IF;
END $$;

-- The models of a project: who added each, how many vectors it has, and whether searches use it.
CREATE FUNCTION project_models(project bigint) RETURNS TABLE (name text, dimensions integer, author text, vectors bigint,
    is_active boolean) LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, mementor, pg_temp AS $$
BEGIN
  PERFORM require_member(project);
  RETURN QUERY SELECT m.name, m.dimensions, m.author,
      (SELECT count(*) FROM chunk_vectors v WHERE v.project_id = project AND v.model_id = m.model_id),
      m.model_id = p.active_model IS TRUE
    FROM models m JOIN projects p USING (project_id) WHERE m.project_id = project ORDER BY m.model_id;
END $$;

-- Removes a model with its vectors or, where `model` is null, all that have none. Then searches use the model with the most
-- vectors. Only the owner may call it. Returns the names of what went.
CREATE FUNCTION erase_models(project bigint, model text) RETURNS text[] LANGUAGE plpgsql
  SET search_path = pg_catalog, mementor, pg_temp AS $$
DECLARE
  gone text[];
BEGIN
  PERFORM 1 FROM projects p WHERE p.project_id = project FOR UPDATE;
  WITH removed AS (DELETE FROM models m WHERE m.project_id = project AND (m.name = model OR model IS NULL AND NOT EXISTS
      (SELECT 1 FROM chunk_vectors v WHERE v.project_id = project AND v.model_id = m.model_id)) RETURNING m.name)
    SELECT coalesce(array_agg(r.name ORDER BY r.name), '{}') INTO gone FROM removed r;
  UPDATE projects p SET active_model = (SELECT m.model_id FROM models m
      LEFT JOIN chunk_vectors v ON v.project_id = m.project_id AND v.model_id = m.model_id
      WHERE m.project_id = project GROUP BY m.model_id ORDER BY count(v.chunk_id) DESC, m.model_id LIMIT 1)
    WHERE p.project_id = project
      AND NOT EXISTS (SELECT 1 FROM models m WHERE m.project_id = project AND m.model_id = p.active_model);
  RETURN gone;
END $$;

GRANT EXECUTE ON FUNCTION project_models TO mementor_member;
