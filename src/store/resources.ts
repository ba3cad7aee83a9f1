import { CHANGING_TOOLS } from "../constants.ts";

/**
 * Conditions on a column of resources. A resource is a file, by its path relative to the project's directory or absolute, or a
 * web address.
 */

/** Returns the condition that a resource is a path, not a web address. */
export function isPath(column: string): string {
  return `instr(${column}, '://') = 0`;
}

const CHANGING = CHANGING_TOOLS.map((tool) => `'${tool}'`).join(", ");

/** Tools that change files, as a list in SQL. */
export const CHANGES_SQL = `(${CHANGING})`;

/** Tools whose argument is always a file. The argument of others may be a directory or a whole command. */
export const FILE_TOOLS = `('Read', ${CHANGING})`;

/**
 * Returns the condition that a resource in a qualified column is a file. Patterns such as `cmd/...` or `*.go` are paths but not
 * files; neither is a directory with known files. A name without a dot counts only if a file tool used it, if it has a capital,
 * such as `Makefile`, or if it is a script of the project. A single name below the root, such as `/1MB` in a command, never
 * counts.
 */
export function isFile(column: string): string {
  const name = `substr(${column}, length(rtrim(${column}, replace(${column}, '/', ''))) + 1)`;
  return `(${isPath(column)} AND instr(${column}, '*') = 0 AND substr('/' || ${column}, -4) <> '/...'
    AND (instr(${name}, '.') > 0 OR (instr(substr(${column}, 1, 1), '/') = 0 OR instr(substr(${column}, 2), '/') > 0)
      AND (${name} <> lower(${name}) OR ${isScript(column, "instr")} OR EXISTS (SELECT 1 FROM file_mentions named
        WHERE named.file_path = ${column} AND named.tool_name IN ${FILE_TOOLS})))
    AND NOT EXISTS (SELECT 1 FROM file_totals below WHERE below.file_path >= ${column} || '/' AND below.file_path < ${column} || '0'))`;
}

/** Directories whose files without an extension are scripts, which often only a shell runs. */
const OF_SCRIPTS = ["bin", "script", "scripts"] as const;

/**
 * Returns the condition that a path of the project lies in such a directory. `find` returns the 1-based position of a text in
 * another, or 0.
 */
export function isScript(column: string, find: "instr" | "strpos"): string {
  const places = OF_SCRIPTS.map((directory) => `${find}('/' || ${column}, '/${directory}/') > 0`);
  return `(substr(${column}, 1, 1) <> '/' AND substr(${column}, length(${column})) <> '/' AND (${places.join(" OR ")}))`;
}

/** Returns the condition that lists show a resource: files and web addresses. */
export function isShown(column: string): string {
  return `(NOT (${isPath(column)}) OR ${isFile(column)})`;
}

/** Returns a range condition for everything below a directory with a trailing `/`, which can use the column's index. */
export function belowDirectory(column: string, directory: string): { sql: string; params: [string, string] } {
  return {
    sql: `(${column} >= ? AND ${column} < ?)`,
    // The character after "/" is "0".
    params: [directory, `${directory.slice(0, -1)}0`],
  };
}

/** Returns the last segment of a path; null for URLs. */
export function fileName(path: string): string | null {
  if (path.includes("://")) return null;
  return path.split(/[/\\]/).findLast((segment) => segment !== "") ?? null;
}
