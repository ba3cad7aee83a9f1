-- Who may do what. Forced, so that the owner of the tables needs a policy of its own.

-- The role that the session acts as, also inside functions that run as their owner.
CREATE FUNCTION caller() RETURNS text LANGUAGE sql STABLE
  AS $$ SELECT CASE current_setting('role') WHEN 'none' THEN session_user::text ELSE current_setting('role') END $$;

DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY['meta', 'projects', 'members', 'devices', 'changes', 'tombstones', 'models', 'sources', 'sessions',
    'subagent_sessions', 'turns', 'entries', 'turn_copies', 'chunks', 'chunk_vectors', 'file_mentions', 'pr_links', 'commits',
    'compactions', 'resource_embeddings', 'session_access_patterns', 'stale_access_patterns'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY owner_all ON %I TO mementor_owner USING (true) WITH CHECK (true)', t);
  END LOOP;

  -- Members see their own row; it names their projects.
  CREATE POLICY own_membership ON members FOR SELECT TO mementor_member USING (role = current_user);
  CREATE POLICY read_meta ON meta FOR SELECT TO mementor_member USING (true);
  CREATE POLICY read_projects ON projects FOR SELECT TO mementor_member
    USING (project_id IN (SELECT m.project_id FROM members m WHERE m.role = current_user));

  -- Content: read the project's, write one's own.
  FOREACH t IN ARRAY ARRAY['devices', 'changes', 'tombstones', 'models', 'sources', 'sessions', 'subagent_sessions', 'turns',
    'entries', 'turn_copies', 'chunks', 'chunk_vectors', 'file_mentions', 'pr_links', 'commits', 'compactions',
    'resource_embeddings', 'session_access_patterns', 'stale_access_patterns'] LOOP
    EXECUTE format('CREATE POLICY read_project ON %I FOR SELECT TO mementor_member
      USING (project_id IN (SELECT m.project_id FROM members m WHERE m.role = current_user))', t);
    CONTINUE WHEN t IN ('models');
    EXECUTE format('CREATE POLICY insert_own ON %I FOR INSERT TO mementor_member
      WITH CHECK (author = current_user AND project_id IN (SELECT m.project_id FROM members m WHERE m.role = current_user))', t);
    CONTINUE WHEN t IN ('changes', 'tombstones');
    EXECUTE format('CREATE POLICY update_own ON %I FOR UPDATE TO mementor_member
      USING (author = current_user) WITH CHECK (author = current_user)', t);
    EXECUTE format('CREATE POLICY delete_own ON %I FOR DELETE TO mementor_member USING (author = current_user)', t);
  END LOOP;
END $$;
