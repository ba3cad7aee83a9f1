import { MAX_QUERY_TERMS } from "../constants.ts";
import type { Filter } from "../store/filter.ts";
import type { SearchStore } from "../store/store.ts";
import { folded } from "../text/fold.ts";
import { keywordTerms } from "../text/keywords.ts";
import { isStopWord } from "../text/languages.ts";
import { chanceOf, shareOfTexts } from "./common-words.ts";
import { fileHints } from "./file-hints.ts";
import { findLiterals, type Literals } from "./literals.ts";

/** Maximum share and number of turns that contain a rare word. Only rare words are searched. */
export const RARE_SHARE = 0.2;
export const RARE_TURNS = 200;

/** A word of a query with its frequency. */
export interface QueryTerm {
  term: string;
  /** Ids of the turns that contain it; null when there are too many. */
  turnIds: readonly number[] | null;
  /** Inverse document frequency in this memory, in nats; about 0 for a word of most turns. */
  weight: number;
  /**
   * Inverse document frequency over this memory and general developer texts together. Meaningful even for a memory of one turn.
   */
  rarity: number;
  /** Share of general developer texts that contain it. */
  share: number;
}

/** The parts of a query that the indexes can look up. */
export interface QueryParts {
  text: string;
  terms: QueryTerm[];
  phrases: string[];
  fileHints: string[];
  references: References;
  literals: Literals;
}

/**
 * Splits a query into its parts and looks up the rarity of its words in the `turns` matching turns. Very common words are not
 * counted.
 */
export async function queryParts(
  text: string,
  store: Pick<SearchStore, "termTurns">,
  turns: number,
  filter?: Filter,
): Promise<QueryParts> {
  const words = keywordTerms(text, 2 * MAX_QUERY_TERMS);
  const maxTurns = Math.max(RARE_TURNS, Math.floor(turns * RARE_SHARE));
  const found = await store.termTurns(words, maxTurns, filter);
  const terms = words.map((term) => {
    const turnIds = found.get(term) ?? null;
    const share = shareOfTexts(term);
    const frequency = turnIds?.length ?? Math.max(maxTurns, turns / 2);
    return {
      term,
      turnIds,
      weight: weightOf(frequency, turns),
      rarity: wordRarity(share, frequency, turns),
      share,
    };
  });
  return {
    text,
    terms: rarest(terms),
    phrases: findPhrases(text),
    fileHints: fileHints(text),
    references: findReferences(text),
    literals: findLiterals(text),
  };
}

/** Weight of general developer texts, as a number of turns of the memory, and the length of each in such texts. */
const GENERAL_TURNS = 40;
const GENERAL_LENGTH = 2;

/**
 * Returns the rarity of a word, in nats, when `frequency` turns of the memory and `share` of general developer texts contain it.
 */
export function wordRarity(share: number, frequency: number, turns: number): number {
  return weightOf(frequency + GENERAL_TURNS * chanceOf(share, GENERAL_LENGTH), turns + GENERAL_TURNS);
}

function weightOf(frequency: number, turns: number): number {
  return Math.max(0, Math.log(1 + (turns - frequency + 0.5) / (frequency + 0.5)));
}

/** Keeps the rarest words of a long query, in their order. */
function rarest(terms: QueryTerm[]): QueryTerm[] {
  if (terms.length <= MAX_QUERY_TERMS) return terms;
  const kept = new Set([...terms].sort((a, b) => b.weight - a.weight).slice(0, MAX_QUERY_TERMS));
  return terms.filter((term) => kept.has(term));
}

/** Maximum number of distinct phrases of a query for the keyword index. */
const MAX_PHRASES = 16;

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const PAUSE = /[.!?;:。！？][\s)"'`]|\n/;
/** Minimum phrases of two meaningful words; with fewer, phrases with one meaningful word count, too ("not found", "to disk"). */
const ENOUGH_PHRASES = 4;

/** Returns pairs of adjacent words of a query, in lower case. Pairs across punctuation do not count. */
export function findPhrases(query: string): string[] {
  const meaningful = new Set<string>();
  const half = new Set<string>();
  let before: { word: string; end: number } | null = null;
  for (const match of query.matchAll(WORD)) {
    const word = match[0].toLowerCase();
    if (before !== null && !PAUSE.test(query.slice(before.end, match.index + 1))) {
      const functionWords = [before.word, word].filter(isStopWord).length;
      if (functionWords < 2) (functionWords === 0 ? meaningful : half).add(folded(`${before.word} ${word}`));
    }
    if (meaningful.size >= MAX_PHRASES) break;
    before = { word, end: match.index + match[0].length };
  }
  return meaningful.size >= ENOUGH_PHRASES ? [...meaningful] : [...meaningful, ...half].slice(0, MAX_PHRASES);
}

/** Maximum commits or pull requests; more than a person names, even around a long paste. */
const MAX_REFERENCES = 10;

/** Commits and pull requests that a query mentions. */
interface References {
  /** Lower case, 7 to 40 hex digits. */
  commits: string[];
  prNumbers: number[];
}

const HEAD = 4_000;
const HASH = /(?<![\w-])[0-9a-f]{7,40}(?![\w-])/gi;
const PR =
  /(?:(?<![\w&])#|\b(?:PR|pull request|MR|merge request)\s*#?|\/(?:pull|merge_requests)\/)(\d{1,6})\b/gi;

/** Finds commit hashes (with digits and letters, or 40 long) and pull-request numbers (`#12`, `PR 12`, `.../pull/12`). */
export function findReferences(query: string): References {
  const head = query.slice(0, HEAD);
  const commits = [...head.matchAll(HASH)].map(([hash]) => hash.toLowerCase()).filter(isHash);
  const numbers = [...head.matchAll(PR)].map((match) => Number(match[1])).filter((number) => number > 0);
  return { commits: unique(commits), prNumbers: unique(numbers) };
}

function isHash(text: string): boolean {
  return text.length === 40 || (/\d/.test(text) && /[a-f]/.test(text));
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)].slice(0, MAX_REFERENCES);
}
