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

-- The turns with each of the words, null where there are more than `most`.
CREATE FUNCTION turns_with(project bigint, queries text[], most integer) RETURNS TABLE (term bigint, turn_ids json)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, mementor, pg_temp SET enable_seqscan = off AS $$
BEGIN
  PERFORM require_member(project);
  RETURN QUERY SELECT q.i, found.ids FROM unnest(queries) WITH ORDINALITY AS q (query, i)
    CROSS JOIN LATERAL (SELECT CASE WHEN count(*) <= most THEN coalesce(json_agg(f.turn_id ORDER BY f.turn_id), '[]') END AS ids
      FROM (SELECT t.turn_id FROM turns t WHERE t.words @@ q.query::tsquery AND t.project_id + 0 = project
        LIMIT most + 1) f) found;
END $$;

-- How often a word or, where that is null, a phrase occurs in a text that has it. With equal weights, `ts_rank_cd` counts the
-- places of a phrase: each has no other words in it. `repeats` is what a member wrote: anything but a number must not end
-- the searches of others.
CREATE FUNCTION occurrences(words tsvector, repeats jsonb, word text, query tsquery) RETURNS double precision
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT CASE WHEN word IS NULL THEN greatest(ts_rank_cd('{1,1,1,1}', words, query), 1)
    WHEN jsonb_typeof(repeats -> word) = 'number' THEN least(greatest((repeats -> word)::numeric, 1), 1000000)
    ELSE 1 END $$;

-- The best texts for any of the words, best first, by the formula of SQLite's `bm25`: k1 = 1.2, b = 0.75, and no word counts
-- against a text. A text is a `chunk`, or a `turn` as a whole, which has no chunk. `words` has the word of each query, null
-- for a phrase. With `fitting`, only texts of these turns.
CREATE FUNCTION search_words(project bigint, text_kind text, queries text[], words text[], most integer, fitting bigint[])
  RETURNS TABLE (chunk_id bigint, turn_id bigint, score double precision) LANGUAGE plpgsql STABLE
  SECURITY DEFINER SET search_path = pg_catalog, mementor, pg_temp SET enable_seqscan = off AS $$
BEGIN
  PERFORM require_member(project);
  IF text_kind NOT IN ('chunk', 'turn') THEN
    RAISE EXCEPTION 'a text is a chunk or a turn' USING ERRCODE = '22023';
  END IF;
  RETURN QUERY EXECUTE replace($query$
    WITH texts AS (
      SELECT sum(u.KINDs)::double precision AS n, (sum(u.KIND_words) / nullif(sum(u.KINDs), 0))::double precision AS length
      FROM usage u WHERE u.project_id = $1),
    hits AS MATERIALIZED (
      SELECT q.i, x.KIND_id AS id, x.turn_id, x.length, occurrences(x.words, x.repeats, q.word, q.query::tsquery) AS n
      FROM unnest($2, $3) WITH ORDINALITY AS q (query, word, i)
      JOIN KINDs x ON x.words @@ q.query::tsquery AND x.project_id + 0 = $1),
    rarity AS (
      SELECT h.i, greatest(ln((min(t.n) - count(*) + 0.5) / (count(*) + 0.5)), 1e-6) AS weight
      FROM hits h CROSS JOIN texts t GROUP BY h.i)
    SELECT CASE 'KIND' WHEN 'chunk' THEN h.id END, min(h.turn_id),
      sum(r.weight * h.n * 2.2 / (h.n + 1.2 * (0.25 + 0.75 * h.length / t.length))) AS score
    FROM hits h JOIN rarity r USING (i) CROSS JOIN texts t
    WHERE $5 IS NULL OR h.turn_id = ANY ($5)
    GROUP BY h.id ORDER BY score DESC, h.id LIMIT $4 $query$, 'KIND', text_kind)
  USING project, queries, words, most, fitting;
END $$;

GRANT EXECUTE ON FUNCTION count_words, turns_with, search_words TO mementor_member;
