/** True for paths: web addresses are resources too. */
export function isPath(column: string): string {
  return `strpos(${column}, '://') = 0`;
}

/** True for files: a pattern such as `cmd/...` or `*.go` is a path, but no file, and so is a directory with known files. */
export function isFile(column: string): string {
  return `(${isPath(column)} AND strpos(${column}, '*') = 0 AND right('/' || ${column}, 4) <> '/...'
    AND NOT EXISTS (SELECT 1 FROM mementor.file_mentions below WHERE below.project_id = :project
      AND below.file_path >= ${column} || '/' AND below.file_path < ${column} || '0'))`;
}

/** True for what a turn is listed with: files and web addresses. */
export function isShown(column: string): string {
  return `(NOT (${isPath(column)}) OR ${isFile(column)})`;
}
