import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Whether git tracks a path of a worktree, or anything under it when it ends in `/`, from the text of its index. Paths
 * in an index of version 4 are cut where they repeat the one before: there a file's `name` is looked for instead.
 */
export function isTracked(gitDir: string | null, path: string, name: string): boolean {
  if (gitDir === null) return false;
  try {
    const index = readFileSync(join(gitDir, "index"));
    const isCut = index.readUInt32BE(4) === 4;
    return index.includes(isCut ? name : path);
  } catch {
    return false;
  }
}
