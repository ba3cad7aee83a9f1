import { basename } from "node:path";
import type { AssetProblem } from "./assets.ts";
import { looksWhole, statsOf } from "./directory.ts";
import { sha256OfFile } from "./sha256.ts";

/** The expected size and hash of a file on disk. */
export interface Expected {
  size: number;
  sha256: string;
}

/** Compares a file on disk with the expected size and hash. A file that does not exist yet is not a problem. */
export async function fileProblem(
  path: string,
  expected: Expected,
  uid: number | null,
): Promise<AssetProblem[]> {
  const found = statsOf(path);
  if (found === null) return [];
  const file = basename(path);
  if (!looksWhole(path, found.size, uid)) return [{ file, problem: "unsafe" }];
  const same = found.size === expected.size && (await sha256OfFile(path)) === expected.sha256;
  return same ? [] : [{ file, problem: "changed" }];
}
