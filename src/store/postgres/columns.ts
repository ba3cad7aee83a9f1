/** Columns and joins that several queries share. `t` is a turn, `s` its session. */

/** Who made the turn; null for the caller's own. */
export const AUTHOR = "nullif(t.author, current_user::text)";

/** Where a turn comes from that the caller did not make: `team` for a colleague's, as in a memory that pulled it. */
export const FOREIGN = "CASE WHEN t.author <> current_user::text THEN 'team' END";

/** Joins the session of the turn: members may hold copies of one transcript. */
export const SESSION = `JOIN mementor.sessions s ON s.project_id = t.project_id AND s.author = t.author
  AND s.session_id = t.session_id`;

/**
 * Ids or texts from a parameter made by `json`: rows `j` with `value` and, in the order given, `key`. `OFFSET 0` keeps the
 * conversion out of joins: under row-level security, no index would be asked for a value that is still to be converted.
 */
export const IDS =
  "(SELECT value::bigint, key FROM jsonb_array_elements_text(?::text::jsonb) WITH ORDINALITY AS x (value, key) OFFSET 0) j";
export const TEXTS = "jsonb_array_elements_text(?::text::jsonb) WITH ORDINALITY AS j (value, key)";

/** Turns of the project with the ids of a parameter, in the order given by `j.key`. */
export const TURNS_BY_ID = `${IDS} JOIN mementor.turns t ON t.project_id = :project AND t.turn_id = j.value`;

/** Condition on a turn: of a main conversation. */
export const OF_MAIN = "t.agent_id IS NULL AND NOT t.is_sidechain";

/** The active model of the project, or null. */
export const ACTIVE_MODEL = "(SELECT p.active_model FROM mementor.projects p WHERE p.project_id = :project)";
