/**
 * Conditions on a column that holds resources. A resource is a file, by its path relative to the project's directory or
 * absolute, or a web address.
 */

/** True for files: web addresses are resources too, but no files. */
export function isFile(column: string): string {
  return `instr(${column}, '://') = 0`;
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
