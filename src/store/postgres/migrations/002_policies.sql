-- Who may do what. Row-level security is forced, so that the owner of the tables needs a policy of its own.

ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

-- The role that the session acts as, also inside functions that run as their owner.
CREATE FUNCTION caller() RETURNS text LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
  AS $$ SELECT CASE current_setting('role') WHEN 'none' THEN session_user::text ELSE current_setting('role') END $$;

DO $$
DECLARE
  t text;
  project_is_mine CONSTANT text := 'project_id IN (SELECT m.project_id FROM members m WHERE m.role = current_user)';
  admin_of_it CONSTANT text :=
    'EXISTS (SELECT 1 FROM members m WHERE m.role = current_user AND m.is_admin AND m.project_id = %I.project_id)';
BEGIN
  FOREACH t IN ARRAY ARRAY['meta', 'projects', 'members', 'usage', 'reserved_ids', 'devices', 'changes', 'tombstones', 'models',
    'sessions', 'subagent_sessions', 'turns', 'chunks', 'chunk_vectors', 'file_mentions', 'pr_links', 'commits'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY owner_all ON %I TO mementor_owner USING (true) WITH CHECK (true)', t);
    EXECUTE format('GRANT SELECT ON %I TO mementor_member', t);
  END LOOP;

  -- Members see their own row; it names their projects.
  CREATE POLICY own_membership ON members FOR SELECT TO mementor_member USING (role = current_user);
  CREATE POLICY read_meta ON meta FOR SELECT TO mementor_member USING (true);
  EXECUTE 'CREATE POLICY read_projects ON projects FOR SELECT TO mementor_member USING (' || project_is_mine || ')';

  -- Everyone reads the whole project.
  FOREACH t IN ARRAY ARRAY['usage', 'devices', 'changes', 'tombstones', 'models', 'sessions', 'subagent_sessions', 'turns',
    'chunks', 'chunk_vectors', 'file_mentions', 'pr_links', 'commits'] LOOP
    EXECUTE format('CREATE POLICY read_project ON %I FOR SELECT TO mementor_member USING (%s)', t, project_is_mine);
  END LOOP;

  -- Everyone writes what is their own.
  FOREACH t IN ARRAY ARRAY['sessions', 'subagent_sessions', 'turns', 'chunks', 'chunk_vectors', 'file_mentions', 'pr_links',
    'commits', 'devices'] LOOP
    EXECUTE format('CREATE POLICY insert_own ON %I FOR INSERT TO mementor_member
      WITH CHECK (author = current_user AND %s)', t, project_is_mine);
    EXECUTE format('CREATE POLICY update_own ON %I FOR UPDATE TO mementor_member
      USING (author = current_user AND %2$s) WITH CHECK (author = current_user AND %2$s)', t, project_is_mine);
    EXECUTE format('GRANT INSERT, UPDATE ON %I TO mementor_member', t);
    -- What a device did is never taken back.
    CONTINUE WHEN t = 'devices';
    EXECUTE format('CREATE POLICY delete_own ON %I FOR DELETE TO mementor_member
      USING (author = current_user AND %s)', t, project_is_mine);
    EXECUTE format('GRANT DELETE ON %I TO mementor_member', t);
  END LOOP;

  -- Turns of others are removed by an admin only. Neither changes nor tombstones are changed or taken back.
  FOREACH t IN ARRAY ARRAY['changes', 'tombstones'] LOOP
    EXECUTE format('CREATE POLICY insert_own ON %I FOR INSERT TO mementor_member
      WITH CHECK (author = current_user AND %s AND (target = current_user OR ' || admin_of_it || '))',
      t, project_is_mine, t);
    EXECUTE format('GRANT INSERT ON %I TO mementor_member', t);
  END LOOP;
END $$;
