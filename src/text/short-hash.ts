/** Git shows seven digits or more; ten are unique everywhere. */
const HASH_CHARS = 10;

/** The hash of a commit, as long as every list and message shows it. What git itself abbreviated stays as it is. */
export function shortHash(hash: string): string {
  return hash.slice(0, HASH_CHARS);
}
