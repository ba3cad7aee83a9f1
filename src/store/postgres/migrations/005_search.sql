-- Search by words. The index of words cannot be used under row-level security, since `@@` might show rows to a function of
-- the caller; so these functions run as the owner, check the membership themselves and read one project. `queries` are
-- texts of `tsquery`. The project is compared after the index was asked, which knows it from the words themselves. The
-- planner cannot know how rare a word is that comes as a parameter: without sequential scans it asks the index.

-- How many turns contain each of the words.
CREATE FUNCTION count_words(project bigint, queries text[]) RETURNS TABLE (term bigint, turns bigint) LANGUAGE plpgsql STABLE
  SECURITY DEFINER SET search_path = pg_catalog, mementor, pg_temp SET enable_seqscan = off AS $$
BEGIN
  PERFORM require_member(project);
  RETURN QUERY SELECT q.i, (SELECT count(*) FROM turns t WHERE t.words @@ q.query::tsquery AND t.project_id + 0 = project)
    FROM unnest(queries) WITH ORDINALITY AS q (query, i);
END $$;

-- At most `most` turns for each of the words.
CREATE FUNCTION turns_with(project bigint, queries text[], most integer) RETURNS TABLE (term bigint, turn_id bigint)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, mementor, pg_temp SET enable_seqscan = off AS $$
BEGIN
  PERFORM require_member(project);
  RETURN QUERY SELECT q.i, found.turn_id FROM unnest(queries) WITH ORDINALITY AS q (query, i)
    CROSS JOIN LATERAL (SELECT t.turn_id FROM turns t WHERE t.words @@ q.query::tsquery AND t.project_id + 0 = project
      LIMIT most) found;
END $$;

-- The formula of SQLite's `bm25` for one word: k1 = 1.2, b = 0.75, and no word counts against a text.
CREATE FUNCTION bm25(n double precision, length double precision, average double precision, texts double precision,
    hits double precision) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT greatest(ln((texts - hits + 0.5) / (hits + 0.5)), 1e-6)
    * n * 2.2 / (n + 1.2 * (0.25 + 0.75 * length / average)) $$;

-- How often a word or, where that is null, a phrase occurs in a text that has it. With equal weights, `ts_rank_cd` counts the
-- places of a phrase: each has no other words in it.
CREATE FUNCTION occurrences(words tsvector, repeats jsonb, word text, query tsquery) RETURNS double precision
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN word IS NULL THEN greatest(ts_rank_cd('{1,1,1,1}', words, query), 1)
    ELSE coalesce((repeats ->> word)::double precision, 1) END $$;

-- The best chunks for any of the words, best first. `words` has the word of each query, null for a phrase. With `fitting`,
-- only those of these turns.
CREATE FUNCTION search_chunks(project bigint, queries text[], words text[], most integer, fitting bigint[])
  RETURNS TABLE (chunk_id bigint, turn_id bigint, score double precision) LANGUAGE plpgsql STABLE
  SECURITY DEFINER SET search_path = pg_catalog, mementor, pg_temp SET enable_seqscan = off AS $$
DECLARE
  texts double precision;
  average double precision;
BEGIN
  PERFORM require_member(project);
  SELECT sum(u.chunks), sum(u.chunk_words) / nullif(sum(u.chunks), 0) INTO texts, average
    FROM usage u WHERE u.project_id = project;
  RETURN QUERY
    WITH hits AS MATERIALIZED (
      SELECT q.i, c.chunk_id, c.turn_id, c.length, occurrences(c.words, c.repeats, q.word, q.query::tsquery) AS n
      FROM unnest(queries, words) WITH ORDINALITY AS q (query, word, i)
      JOIN chunks c ON c.words @@ q.query::tsquery AND c.project_id + 0 = project),
    rarity AS (SELECT h.i, count(*) AS hits FROM hits h GROUP BY h.i)
    SELECT h.chunk_id, min(h.turn_id), sum(bm25(h.n, h.length, average, texts, r.hits)) AS score
    FROM hits h JOIN rarity r USING (i)
    WHERE fitting IS NULL OR h.turn_id IN (SELECT unnest(fitting))
    GROUP BY h.chunk_id ORDER BY score DESC, h.chunk_id LIMIT most;
END $$;

-- The same for turns as a whole.
CREATE FUNCTION search_turns(project bigint, queries text[], words text[], most integer, fitting bigint[])
  RETURNS TABLE (turn_id bigint, score double precision) LANGUAGE plpgsql STABLE
  SECURITY DEFINER SET search_path = pg_catalog, mementor, pg_temp SET enable_seqscan = off AS $$
DECLARE
  texts double precision;
  average double precision;
BEGIN
  PERFORM require_member(project);
  SELECT sum(u.turns), sum(u.turn_words) / nullif(sum(u.turns), 0) INTO texts, average
    FROM usage u WHERE u.project_id = project;
  RETURN QUERY
    WITH hits AS MATERIALIZED (
      SELECT q.i, t.turn_id, t.length, occurrences(t.words, t.repeats, q.word, q.query::tsquery) AS n
      FROM unnest(queries, words) WITH ORDINALITY AS q (query, word, i)
      JOIN turns t ON t.words @@ q.query::tsquery AND t.project_id + 0 = project),
    rarity AS (SELECT h.i, count(*) AS hits FROM hits h GROUP BY h.i)
    SELECT h.turn_id, sum(bm25(h.n, h.length, average, texts, r.hits)) AS score
    FROM hits h JOIN rarity r USING (i)
    WHERE fitting IS NULL OR h.turn_id IN (SELECT unnest(fitting))
    GROUP BY h.turn_id ORDER BY score DESC, h.turn_id LIMIT most;
END $$;

GRANT EXECUTE ON FUNCTION count_words, turns_with, search_chunks, search_turns TO mementor_member;
