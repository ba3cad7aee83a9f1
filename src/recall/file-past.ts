import type { SearchStore } from "../store/store.ts";
import type { StoredTurn } from "../store/stored.ts";
import { type FileMatter, type FileStatement, statementsAboutFile } from "./statement/about-file.ts";

/** Maximum statements to show, and their minimum score. */
const MAX_STATEMENTS = 2;
/** Length of a turn's end to examine before its sentences are read, because the last words matter most. */
const LOOKED_AT_CHARS = 16_000;
/** Maximum turns whose sentences are read. */
const MAX_READ = 6;
const LEAST_SCORE = 2.3;
const NEARLY = 0.4;

/** A statement of an earlier turn about a file. */
export type PastStatement = FileStatement & { turn: StoredTurn };

export interface PastDeps {
  search: Pick<SearchStore, "turns">;
  /** Weighs the words of the current subject, given the texts of the turns in lower case. */
  wordsIn: (texts: readonly string[]) => ReadonlyMap<string, number>;
}

/** Reads the statements of turns that touched a file, most useful first. */
export async function filePast(
  path: string,
  turnIds: readonly number[],
  { search, wordsIn }: PastDeps,
): Promise<PastStatement[]> {
  const turns = await search.turns(turnIds);
  const texts = turns.map(({ text }) => text.slice(-LOOKED_AT_CHARS).toLowerCase());
  const matter: FileMatter = { path, words: wordsIn(texts) };
  return chosen(nearest(turns, texts, matter), matter);
}

/** Returns the turns that contain most of the current subject, without those that contain none of it. */
function nearest(
  turns: readonly StoredTurn[],
  texts: readonly string[],
  { words }: FileMatter,
): StoredTurn[] {
  return turns
    .map((turn, at) => ({ turn, weight: weightIn(texts[at] ?? "", words) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_READ)
    .map(({ turn }) => turn);
}

function weightIn(lower: string, words: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [form, weight] of words) if (lower.includes(form)) sum += weight;
  return sum;
}

/** Returns the best statement of each turn, if it is good enough and nearly as good as the best of all. */
function chosen(turns: readonly StoredTurn[], matter: FileMatter): PastStatement[] {
  const found = turns
    .flatMap((turn) =>
      statementsAboutFile(turn, matter)
        .slice(0, 1)
        .map((best) => ({ ...best, turn })),
    )
    .sort((a, b) => b.score - a.score);
  const least = Math.max(LEAST_SCORE, (found[0]?.score ?? 0) - NEARLY);
  const seen = new Set<string>();
  return found
    .filter(({ text, score }) => score >= least && !seen.has(text) && seen.add(text))
    .slice(0, MAX_STATEMENTS);
}
