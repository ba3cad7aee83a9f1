import { resolve } from "node:path";
import { CHANGED_FILES } from "../constants.ts";
import { statIfExists } from "../io/read.ts";
import type { SearchHit } from "../search/hits.ts";
import type { BrowseStore } from "../store/store.ts";

/**
 * For each turn, the files it touched that were written after it ended; by their times, so without running git. Once it is
 * late, no more turns are looked at.
 */
export async function changedSince(
  hits: readonly SearchHit[],
  root: string,
  browse: Pick<BrowseStore, "filesOf">,
  isLate: () => boolean,
): Promise<Map<number, string[]>> {
  const changed = new Map<number, string[]>();
  for (const { turn } of hits) {
    if (isLate()) break;
    const ended = Date.parse(turn.endedAt ?? turn.createdAt ?? "");
    const files = (await browse.filesOf({ turnId: turn.turnId })).slice(0, CHANGED_FILES.looked);
    const later = files.filter((file) => writtenAt(resolve(root, file)) > ended + CHANGED_FILES.toleranceMs);
    if (later.length > 0) changed.set(turn.turnId, later);
  }
  return changed;
}

function writtenAt(path: string): number {
  const stats = statIfExists(path);
  return stats?.isFile() ? stats.mtimeMs : Number.NEGATIVE_INFINITY;
}
