import { CHANGING_TOOLS } from "../constants.ts";

/**
 * Conditions on a column that holds resources. A resource is a file, by its path relative to the project's directory or
 * absolute, or a web address.
 */

/** True for paths: web addresses are resources too. */
export function isPath(column: string): string {
  return `instr(${column}, '://') = 0`;
}

const CHANGING = CHANGING_TOOLS.map((tool) => `'${tool}'`).join(", ");

/** The tools that change files, as a list in SQL. */
export const CHANGES = `(${CHANGING})`;

/** Tools that are called with a file, never with a directory. The others take either, or a whole command. */
export const FILE_TOOLS = `('Read', ${CHANGING})`;

/**
 * True for files of a qualified column: a pattern such as `cmd/...` or `*.go` is a path, but no file, and so is a
 * directory with known files. A name without a dot is one only where a tool for files was called with it, where it has
 * a capital, such as `Makefile`, or where it is a script of the project; and what stands alone behind the root, such as the
 * `/1MB` of a command, never is.
 */
export function isFile(column: string): string {
  const name = `substr(${column}, length(rtrim(${column}, replace(${column}, '/', ''))) + 1)`;
  return `(${isPath(column)} AND instr(${column}, '*') = 0 AND substr('/' || ${column}, -4) <> '/...'
    AND (instr(${name}, '.') > 0 OR (instr(substr(${column}, 1, 1), '/') = 0 OR instr(substr(${column}, 2), '/') > 0)
      AND (${name} <> lower(${name}) OR ${isScript(column, "instr")} OR EXISTS (SELECT 1 FROM file_mentions named
        WHERE named.file_path = ${column} AND named.tool_name IN ${FILE_TOOLS})))
    AND NOT EXISTS (SELECT 1 FROM file_totals below WHERE below.file_path >= ${column} || '/' AND below.file_path < ${column} || '0'))`;
}

/** Directories whose files without an ending are scripts, which often only a shell runs. */
const OF_SCRIPTS = ["bin", "script", "scripts"] as const;

/** True for a path of the project in such a directory. `find` returns the place of a text in another, from 1 on, else 0. */
export function isScript(column: string, find: "instr" | "strpos"): string {
  const places = OF_SCRIPTS.map((directory) => `${find}('/' || ${column}, '/${directory}/') > 0`);
  return `(substr(${column}, 1, 1) <> '/' AND substr(${column}, length(${column})) <> '/' AND (${places.join(" OR ")}))`;
}

/** True for what a turn is listed with: files and web addresses. */
export function isShown(column: string): string {
  return `(NOT (${isPath(column)}) OR ${isFile(column)})`;
}

/** A range of the column's index: everything below a directory, given with its final `/`. */
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
