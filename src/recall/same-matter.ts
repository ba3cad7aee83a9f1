import type { Filter } from "../store/filter.ts";
import type { BrowseStore, SearchStore } from "../store/store.ts";
import type { StoredTurn } from "../store/stored.ts";
import { folded } from "../text/fold.ts";
import { keywordTerms } from "../text/keywords.ts";
import { turnPrompt } from "./coverage.ts";
import { RANKED_CHARS } from "./read-to-rank.ts";

/**
 * Maximum prompts of a session, words and turns to examine, and maximum sessions that may share a name or words, because a common
 * name does not identify a matter.
 */
const COMPARED = { prompts: 50, words: 48, maxTurns: 200, turns: 80, maxSessions: 6 } as const;
/** Minimum words of a prompt to compare. Shorter ones, such as "go on with the next task", fit any matter. */
const MIN_WORDS = 8;
/** Share of common words from which two prompts are the same. */
const SAME_SHARE = 0.8;

const ADDRESS = /https?:\/\/[^\s<>"'`()[\]{}]+/gi;
const OF_FORGE = /\/(?:issues|pull|pulls|merge_requests|discussions)\/(\d{1,6})\b/i;
/** `#12`, `app#12`, `issue 7`, `PR #7`. A lone `#1` may be a list number. */
const NUMBERED =
  /(?<![&/])#(\d{2,6})\b|\b(?:issues?|PR|pull request|MR|merge request)\s*#?(\d{1,6})\b|\/(?:issues|pull|merge_requests|discussions)\/(\d{1,6})\b/gi;
/** A word that is a name, such as `spotter-4te` or `init.go`. */
const NAME = /[\d_./-]/;

/** The names and prompts that a session shares with the given ones. */
export interface SameMatter {
  /** Issues and pull requests, as `#12`, and URLs in both. */
  names: string[];
  /** True when one of its prompts is the same except for a few words. */
  samePrompt: boolean;
  /** Grows with the number of shared names, and with their rarity among sessions. */
  worth: number;
}

/** Returns the issues, pull requests and URLs that a prompt names: `#12`, `https://docs.example.com/cache`. */
export function promptReferences(prompt: string): string[] {
  const numbers = [...prompt.matchAll(NUMBERED)].map((match) => match.slice(1).find(Boolean));
  const addresses = [...prompt.matchAll(ADDRESS)]
    .map(([address]) => address.replace(/(?<![.,;:!?*])[.,;:!?*]+$/, ""))
    .filter((address) => !OF_FORGE.test(address) && /^https?:\/\/[^/]+\/./i.test(address));
  return [...new Set([...numbers.map((number) => `#${Number(number)}`), ...addresses])];
}

/** Tells whether two prompts ask the same in nearly the same words, and name the same things. */
export function isSamePrompt(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  if (Math.min(a.size, b.size) < MIN_WORDS) return false;
  const own = [...a].filter((word) => !b.has(word));
  const others = [...b].filter((word) => !a.has(word));
  if ([...own, ...others].some((word) => NAME.test(word))) return false;
  const common = a.size - own.length;
  return (2 * common) / (a.size + b.size) >= SAME_SHARE;
}

function wordsOf(prompt: string): Set<string> {
  return new Set(
    folded(prompt)
      .split(/\s+/)
      .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""))
      .filter((word) => word !== ""),
  );
}

/** Returns the prompt of a turn, or the first prompts of a session. */
export async function promptsOf(
  of: { turnId: number } | { sessionId: string },
  { browse, search }: { browse: Pick<BrowseStore, "turnsOf">; search: Pick<SearchStore, "turns"> },
): Promise<string[]> {
  const ids = "turnId" in of ? [of.turnId] : (await browse.turnsOf(of.sessionId)).map(({ turnId }) => turnId);
  const turns = await search.turns(ids.slice(0, COMPARED.prompts), RANKED_CHARS);
  return turns.toSorted((a, b) => ids.indexOf(a.turnId) - ids.indexOf(b.turnId)).flatMap(promptIn);
}

/** Returns the prompt of a turn; none for a summary, which repeats other prompts. */
function promptIn(turn: StoredTurn): string[] {
  return turn.role === "turn" && turn.parts[0]?.kind === "prompt" ? [turnPrompt(turn)] : [];
}

/** Returns the other sessions with a prompt that names the same as these, or repeats the first of these. */
export async function sessionsByMatter(
  prompts: readonly string[],
  ownSession: string,
  filter: Filter,
  search: Pick<SearchStore, "termTurns" | "turns">,
): Promise<Map<string, SameMatter>> {
  const [first = ""] = prompts;
  const wanted = new Set(prompts.flatMap(promptReferences));
  const sessionsOf = new Map<string, Set<string>>();
  const note = (name: string, sessionId: string) =>
    sessionsOf.set(name, (sessionsOf.get(name) ?? new Set()).add(sessionId));
  for (const turn of await turnsWith([first, ...wanted], filter, search)) {
    if (turn.sessionId === ownSession) continue;
    for (const prompt of promptIn(turn)) {
      for (const name of promptReferences(prompt)) if (wanted.has(name)) note(name, turn.sessionId);
      if (isSamePrompt(first, prompt)) note(SAME, turn.sessionId);
    }
  }
  return bySession(sessionsOf);
}

/** Key of the prompt among the names; no name is empty. */
const SAME = "";

function bySession(sessionsOf: ReadonlyMap<string, ReadonlySet<string>>): Map<string, SameMatter> {
  const found = new Map<string, SameMatter>();
  for (const [name, sessions] of sessionsOf) {
    if (sessions.size > COMPARED.maxSessions) continue;
    for (const id of sessions) {
      const { names, samePrompt, worth } = found.get(id) ?? { names: [], samePrompt: false, worth: 0 };
      found.set(id, {
        names: name === SAME ? names : [...names, name],
        samePrompt: samePrompt || name === SAME,
        worth: worth + 1 / sessions.size,
      });
    }
  }
  return new Map([...found].sort(([a, x], [b, y]) => y.worth - x.worth || (a < b ? -1 : 1)));
}

/** Returns the turns with most of the words of these texts, where a word counts more, the fewer turns contain it. */
async function turnsWith(
  texts: readonly string[],
  filter: Filter,
  search: Pick<SearchStore, "termTurns" | "turns">,
): Promise<StoredTurn[]> {
  const terms = texts.flatMap((text) => keywordTerms(text, COMPARED.words));
  if (terms.length === 0) return [];
  const found = await search.termTurns([...new Set(terms)], COMPARED.maxTurns, filter);
  const scores = new Map<number, number>();
  for (const turnIds of found.values())
    for (const id of turnIds) scores.set(id, (scores.get(id) ?? 0) + 1 / turnIds.length);
  const best = [...scores].sort(([a, x], [b, y]) => y - x || b - a).slice(0, COMPARED.turns);
  return search.turns(
    best.map(([id]) => id),
    RANKED_CHARS,
  );
}
