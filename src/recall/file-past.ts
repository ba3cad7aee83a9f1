import type { LocalBrowseStore, SearchStore } from "../store/store.ts";
import type { StoredTurn } from "../store/stored.ts";
import { type FileFailure, failureOf } from "./file-failure.ts";
import { type FileMatter, type FileStatement, statementsAboutFile } from "./statement/about-file.ts";

/** Statements that are told, and how sure they must be. */
const MAX_STATEMENTS = 2;
/** How much of a turn's end is looked at before its sentences are read: what was said last is there. */
const LOOKED_AT_CHARS = 16_000;
/** Turns whose sentences are read. */
const MAX_READ = 6;
const LEAST_SCORE = 2.3;
const NEARLY = 0.4;

/** What earlier turns say about a file. */
export interface FilePast {
  /** The most useful first. */
  statements: (FileStatement & { turn: StoredTurn })[];
  /** The latest failure that names it and was mended; null when none is known. */
  failure: FileFailure | null;
}

export interface PastDeps {
  browse: Pick<LocalBrowseStore, "failures" | "laterCalls">;
  search: Pick<SearchStore, "turns">;
  /** Weighs the words of the running matter, given the texts of the turns in lower case. */
  wordsIn: (texts: readonly string[]) => ReadonlyMap<string, number>;
}

/** Reads what turns that touched a file say about it. */
export async function filePast(
  path: string,
  turnIds: readonly number[],
  { browse, search, wordsIn }: PastDeps,
): Promise<FilePast> {
  const turns = await search.turns(turnIds);
  const texts = turns.map(({ text }) => text.slice(-LOOKED_AT_CHARS).toLowerCase());
  const matter: FileMatter = { path, words: wordsIn(texts) };
  return {
    statements: chosen(nearest(turns, texts, matter), matter),
    failure: await failureOf(turns, matter, browse),
  };
}

/** The turns that hold most of the running matter, as far as they hold some of it. */
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

/** The best statement of each turn, as far as it is good enough, and nearly as good as the best. */
function chosen(turns: readonly StoredTurn[], matter: FileMatter): FilePast["statements"] {
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
