/** True for files: web addresses are resources too, but no files. */
export function isFile(column: string): string {
  return `strpos(${column}, '://') = 0`;
}
