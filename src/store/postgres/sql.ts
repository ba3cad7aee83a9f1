import { FILE_TOOLS, isScript } from "../resources.ts";

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

/** True for paths: web addresses are resources too. */
export function isPath(column: string): string {
  return `strpos(${column}, '://') = 0`;
}

/** True for files, as in a memory's file: see `store/resources.ts`. */
export function isFile(column: string): string {
  const name = `regexp_replace(${column}, '^.*/', '')`;
  return `(${isPath(column)} AND strpos(${column}, '*') = 0 AND right('/' || ${column}, 4) <> '/...'
    AND (strpos(${name}, '.') > 0 OR (left(${column}, 1) <> '/' OR strpos(substr(${column}, 2), '/') > 0)
      AND (${name} <> lower(${name}) OR ${isScript(column, "strpos")} OR EXISTS (SELECT 1 FROM mementor.file_mentions named WHERE named.project_id = :project
        AND named.file_path = ${column} AND named.tool_name IN ${FILE_TOOLS})))
    AND NOT EXISTS (SELECT 1 FROM mementor.file_mentions below WHERE below.project_id = :project
      AND below.file_path >= ${column} || '/' AND below.file_path < ${column} || '0'))`;
}

/** True for what a turn is listed with: files and web addresses. */
export function isShown(column: string): string {
  return `(NOT (${isPath(column)}) OR ${isFile(column)})`;
}

/** Returns a text as PostgreSQL can store it: U+FFFD in place of U+0000 and of half surrogate pairs, so offsets hold. */
export function storable(text: string): string {
  return text.replaceAll("\0", "\ufffd").toWellFormed();
}

/** Returns a value as JSON for a parameter, read in SQL by `?::text::jsonb`. */
export function json(value: unknown): string {
  return JSON.stringify(value, (_, part) => (typeof part === "string" ? storable(part) : part));
}
