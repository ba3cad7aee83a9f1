import { resolve } from "node:path";
import { statIfExists } from "../io/read.ts";
import type { SearchHit } from "../search/hits.ts";
import type { BrowseStore } from "../store/store.ts";

/** Files of a turn to check. */
const MAX_FILES = 12;
/** After this long, a file was changed by somebody else than the turn's own tool, in ms. */
const TOLERANCE_MS = 2_000;

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
