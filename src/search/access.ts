import type { WindowType } from "../domain.ts";
import type { Filter } from "../filter/filter.ts";
import type { LocalSearchStore, SearchStore } from "../store/contract/store.ts";
import { CANDIDATES, type Candidate, candidate, measure } from "./candidates.ts";

/** Number of sessions with the most similar access patterns that contribute their best turn. */
const MAX_SESSIONS = 3;

/**
 * The window of the current session that is compared with other sessions. By `bench:foresight` on two histories, the
 * last 10 and the last 5 turns do equally well (0.683 and 0.909), and `full` no better (0.678 and 0.909).
 */
export const WINDOW: WindowType = "recent_10";

/** The current session, and its access pattern in the window; null without one. */
export interface CurrentSession {
  sessionId: string;
  pattern: Float32Array | null;
}

/**
 * Adds the best turn, by distance to the query, of each session that worked on the same files and URLs as the current
 * one. Does nothing when the current session touched none.
 */
export async function addByAccess(
  found: Map<number, Candidate>,
  { sessionId, pattern }: CurrentSession,
  vector: Float32Array,
  store: LocalSearchStore,
  filter: Filter,
): Promise<void> {
  if (pattern === null) return;
  const sessions = await store.nearestSessions(pattern, MAX_SESSIONS, sessionId, filter);
  for (const [rank, near] of sessions.entries()) {
    const [hit] = await store.nearestChunks(vector, 1, { ...filter, session: near.sessionId });
    if (hit) candidate(found, hit.turnId, "access").accessRank = rank;
  }
  await measure(found, vector, store);
}

/** Adds turns that touched the files which the current session touched last: a session comes back to the same files. */
export async function addBySharedFiles(
  found: Map<number, Candidate>,
  files: readonly string[],
  store: Pick<SearchStore, "turnsByFile">,
  filter: Filter,
): Promise<void> {
  if (files.length === 0) return;
  for (const hit of await store.turnsByFile(files, CANDIDATES.sharedTurns, filter)) {
    candidate(found, hit.turnId, "access").shared = hit.matches;
  }
}
