/** Suffix of files that are being written. A killed process leaves its file behind. */
export const TEMPORARY = ".tmp";

/** Returns a name beside `path` that no other process uses. */
export function temporaryName(path: string): string {
  return `${path}.${crypto.randomUUID().slice(0, 8)}${TEMPORARY}`;
}
