import { FILE_TOOLS, isScript } from "../resources.ts";

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
