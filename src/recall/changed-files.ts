import { resolve } from "node:path";
import { statIfExists } from "../io/read.ts";
import type { BrowseStore } from "../store/store.ts";
import type { StoredTurn } from "../store/stored.ts";

/** Maximum number of a turn's files to check. */
const MAX_FILES = 12;
/** Time after the end of a turn in which its own tool may still write a file, in ms. */
const TOLERANCE_MS = 2_000;

/**
 * Returns, for each turn, those of its files that were written after it ended. Compares modification times instead of running
 * git. Checks no more turns once `isLate` is true.
 */
export async function changedSince(
  turns: readonly Pick<StoredTurn, "turnId" | "createdAt" | "endedAt">[],
  root: string,
  browse: Pick<BrowseStore, "filesOf">,
  isLate: () => boolean,
): Promise<Map<number, string[]>> {
  const changed = new Map<number, string[]>();
  for (const turn of turns) {
    if (isLate()) break;
    const ended = Date.parse(turn.endedAt ?? turn.createdAt ?? "");
    const files = (await browse.filesOf({ turnId: turn.turnId })).slice(0, MAX_FILES);
    const later = files.filter((file) => writtenAt(resolve(root, file)) > ended + TOLERANCE_MS);
    if (later.length > 0) changed.set(turn.turnId, later);
  }
  return changed;
}

function writtenAt(path: string): number {
  const stats = statIfExists(path);
  return stats?.isFile() ? stats.mtimeMs : Number.NEGATIVE_INFINITY;
}
