import type { Filter } from "../store/filter.ts";
import type { BrowseStore, SearchStore } from "../store/store.ts";

/** Maximum files and words to compare, and how common a word may be: in this many turns and other sessions. */
const COMPARED = { files: 200, touches: 200, words: 48, maxTurns: 60, maxSessions: 6 } as const;
/** Minimum worth of common words. One or two ordinary words may be chance. A name, such as a function's, counts as two words. */
const MIN_WORTH = 3;
const NAME = /\p{L}[_./\d-]\S|\p{Ll}\p{Lu}|\p{Lu}{2}/u;

export interface InCommonDeps {
  browse: Pick<BrowseStore, "fileHistory" | "sessionsOfTurns">;
  search: Pick<SearchStore, "termTurns">;
}

/** Files that a session has in common with the given ones. */
export interface InFiles {
  /** Number of its turns that touched one of them. */
  turns: number;
  /** The touched files, those of the fewest sessions first. */
  files: string[];
  /** Grows with the number of files, and with their rarity among sessions. */
  worth: number;
}

/** Returns the other sessions that touched these files. Sessions with more of the files, and with rarer ones, come first. */
export async function sessionsByFiles(
  files: ReadonlySet<string>,
  ownSession: string,
  filter: Filter,
  { browse }: Pick<InCommonDeps, "browse">,
): Promise<Map<string, InFiles>> {
  const scores = new Map<string, number>();
  const turns = new Map<string, Set<number>>();
  const touched = new Map<string, { path: string; sessions: number }[]>();
  for (const path of [...files].slice(0, COMPARED.files)) {
    const touches = await browse.fileHistory(path, { limit: COMPARED.touches, filter });
    for (const { sessionId, turnId } of touches)
      turns.set(sessionId, (turns.get(sessionId) ?? new Set()).add(turnId));
    const sessions = new Set(touches.map(({ sessionId }) => sessionId));
    sessions.delete(ownSession);
    for (const id of sessions) {
      scores.set(id, (scores.get(id) ?? 0) + 1 / sessions.size);
      touched.set(id, [...(touched.get(id) ?? []), { path, sessions: sessions.size }]);
    }
  }
  return new Map(
    ranked(scores).map((id) => {
      const rarest = (touched.get(id) ?? []).toSorted((a, b) => a.sessions - b.sessions);
      const files = rarest.map(({ path }) => path);
      return [id, { turns: turns.get(id)?.size ?? 0, files, worth: scores.get(id) ?? 0 }];
    }),
  );
}

/**
 * Returns the other sessions with several of these words, each with its words as written. Sessions with rarer words come first.
 * `words` maps each index term to its word.
 */
export async function sessionsByWords(
  words: ReadonlyMap<string, string>,
  ownSession: string,
  filter: Filter,
  { browse, search }: InCommonDeps,
): Promise<Map<string, string[]>> {
  const terms = [...words.keys()].slice(0, COMPARED.words);
  const found = await search.termTurns(terms, COMPARED.maxTurns, filter);
  const scores = new Map<string, number>();
  const shared = new Map<string, string[]>();
  for (const [word, turnIds] of [...found].sort(([, a], [, b]) => a.length - b.length)) {
    const sessions = new Set((await browse.sessionsOfTurns(turnIds)).values());
    sessions.delete(ownSession);
    if (sessions.size > COMPARED.maxSessions) continue;
    for (const id of sessions) {
      scores.set(id, (scores.get(id) ?? 0) + 1 / sessions.size);
      shared.set(id, [...(shared.get(id) ?? []), words.get(word) ?? word]);
    }
  }
  const whole = new Map([...shared].map(([id, all]) => [id, wholeWords(all)]));
  const near = ranked(scores).filter((id) => worthOf(whole.get(id) ?? []) >= MIN_WORTH);
  return new Map(near.map((id) => [id, whole.get(id) ?? []]));
}

function worthOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + (NAME.test(word) ? 2 : 1), 0);
}

/** Removes words that are part of another, such as `bookmark` beside `bookmarks`. */
function wholeWords(words: readonly string[]): string[] {
  return words.filter((word) => !words.some((other) => other.length > word.length && other.includes(word)));
}

function ranked(scores: ReadonlyMap<string, number>): string[] {
  return [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([id]) => id);
}
