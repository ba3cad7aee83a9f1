import type { Filter } from "../filter/filter.ts";
import type { BrowseStore, SearchStore } from "../store/contract/store.ts";

/** How many files and words are compared, and how common a word may be: in so many turns, and in so many other sessions. */
const COMPARED = { files: 24, touches: 200, words: 48, maxTurns: 60, maxSessions: 6 } as const;
/** A single word in common is chance. */
const MIN_WORDS = 2;

export interface InCommonDeps {
  browse: Pick<BrowseStore, "fileHistory" | "sessionsOfTurns">;
  search: Pick<SearchStore, "termTurns">;
}

/** Returns the other sessions that touched these files, those with most and rarest of them first. */
export async function sessionsByFiles(
  files: ReadonlySet<string>,
  ownSession: string,
  filter: Filter,
  { browse }: Pick<InCommonDeps, "browse">,
): Promise<string[]> {
  const scores = new Map<string, number>();
  for (const path of [...files].slice(0, COMPARED.files)) {
    const touches = await browse.fileHistory(path, { limit: COMPARED.touches, filter });
    const sessions = new Set(touches.map(({ sessionId }) => sessionId));
    sessions.delete(ownSession);
    for (const id of sessions) scores.set(id, (scores.get(id) ?? 0) + 1 / sessions.size);
  }
  return ranked(scores);
}

/** Returns the other sessions with several of these words, those with the rarest first, each with its words. */
export async function sessionsByWords(
  words: readonly string[],
  ownSession: string,
  filter: Filter,
  { browse, search }: InCommonDeps,
): Promise<Map<string, string[]>> {
  const found = await search.termTurns(words.slice(0, COMPARED.words), COMPARED.maxTurns, filter);
  const scores = new Map<string, number>();
  const shared = new Map<string, string[]>();
  for (const [word, turnIds] of [...found].sort(([, a], [, b]) => a.length - b.length)) {
    const sessions = new Set((await browse.sessionsOfTurns(turnIds)).values());
    sessions.delete(ownSession);
    if (sessions.size > COMPARED.maxSessions) continue;
    for (const id of sessions) {
      scores.set(id, (scores.get(id) ?? 0) + 1 / sessions.size);
      shared.set(id, [...(shared.get(id) ?? []), word]);
    }
  }
  const near = ranked(scores).filter((id) => (shared.get(id)?.length ?? 0) >= MIN_WORDS);
  return new Map(near.map((id) => [id, shared.get(id) ?? []]));
}

function ranked(scores: ReadonlyMap<string, number>): string[] {
  return [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([id]) => id);
}
