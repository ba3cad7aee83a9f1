/**
 * Conditions on a column that holds resources. A resource is a file, by its path relative to the project's directory or
 * absolute, or a web address.
 */

/** True for paths: web addresses are resources too. */
export function isPath(column: string): string {
  return `instr(${column}, '://') = 0`;
}

/**
 * True for files of a qualified column: a pattern such as `cmd/...` or `*.go` is a path, but no file, and so is a
 * directory with known files.
 */
export function isFile(column: string): string {
  return `(${isPath(column)} AND instr(${column}, '*') = 0 AND substr('/' || ${column}, -4) <> '/...'
    AND NOT EXISTS (SELECT 1 FROM file_totals below WHERE below.file_path >= ${column} || '/' AND below.file_path < ${column} || '0'))`;
}

/** True for what a turn is listed with: files and web addresses. */
export function isShown(column: string): string {
  return `(NOT (${isPath(column)}) OR ${isFile(column)})`;
}

/** A range of the column's index: everything below a directory, given with its final `/`. */
export function isBelow(column: string, directory: string): { sql: string; params: [string, string] } {
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
