import type { Failure } from "../domain.ts";
import type { LocalBrowseStore, SearchStore } from "../store/store.ts";
import type { StoredTurn } from "../store/stored.ts";
import { compareTimes } from "../text/when.ts";
import { CUES } from "../turn/cues.ts";
import { type Sentence, splitSentences } from "../turn/sentences.ts";
import {
  type FileMatter,
  type FileStatement,
  fileAliases,
  hasName,
  hasStart,
  statementsAboutFile,
} from "./statement/about-file.ts";

/** Maximum statements to show, and their minimum score. */
const MAX_STATEMENTS = 2;
/** Length of a turn's end to examine before its sentences are read, because the last words matter most. */
const LOOKED_AT_CHARS = 16_000;
/** Maximum turns whose sentences are read. */
const MAX_READ = 6;
const LEAST_SCORE = 2.3;
const NEARLY = 0.4;

/** Statements of earlier turns about a file. */
export interface FilePast {
  /** Statements, most useful first. */
  statements: (FileStatement & { turn: StoredTurn })[];
  /** The latest repaired failure that names the file; null when there is none. */
  failure: FileFailure | null;
}

export interface PastDeps {
  browse: Pick<LocalBrowseStore, "failures" | "laterCalls">;
  search: Pick<SearchStore, "turns">;
  /** Weighs the words of the current subject, given the texts of the turns in lower case. */
  wordsIn: (texts: readonly string[]) => ReadonlyMap<string, number>;
}

/** Reads the statements of turns that touched a file. */
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

/** A failure that names a file, with its cure. */
export interface FileFailure {
  turn: StoredTurn;
  /** The line of its error that names the file. */
  error: string;
  cure: { kind: Sentence["kind"]; text: string; turn: StoredTurn };
}

/** Maximum turns with errors to examine. */
const MAX_FAILED = 4;
const ERROR_CHARS = { min: 20, max: 600 } as const;
/** Minimum number of longer words that a cure shares with the error. */
const SHARED_NAMES = 2;
const CURE_CHARS = { min: 40, max: 300 } as const;
/** A slip of the agent, unrelated to the file. */
const SLIP =
  /string to replace|has not been read|modified since|no such file|file_path|exceeds maximum|InputValidation|unused|not used|FIXABLE|lint|mismatched types|cannot use|undefined:/i;
const NO_ERROR = /^\s*(?:\$|#|ok\b|\?|PASS|\+|-\s)/;
const ERROR = /--- FAIL|\bFAIL\b|panic|expected|Exception|TypeError|ReferenceError|error:|✗|×/i;

/** Returns the latest failure that names the file and has a cure in a turn; null when there is none. */
async function failureOf(
  turns: readonly StoredTurn[],
  matter: FileMatter,
  browse: Pick<LocalBrowseStore, "failures" | "laterCalls">,
): Promise<FileFailure | null> {
  const failed = await browse.failures(turns.map(({ turnId }) => turnId));
  const turnOf = new Map(turns.map((turn) => [turn.turnId, turn]));
  const latest = failed
    .flatMap((each) => {
      const turn = turnOf.get(each.turnId);
      return turn === undefined ? [] : [{ ...each, turn }];
    })
    .sort((a, b) => compareTimes(b.turn.createdAt, a.turn.createdAt))
    .slice(0, MAX_FAILED);
  for (const { turn, failures } of latest)
    for (const failure of failures.toReversed()) {
      const found = await told(turn, failure, matter, { turnOf, browse });
      if (found !== null) return found;
    }
  return null;
}

interface Deps {
  turnOf: ReadonlyMap<number, StoredTurn>;
  browse: Pick<LocalBrowseStore, "laterCalls">;
}

/** Returns a failure with its cure, if both are known and concern the current subject. */
async function told(
  turn: StoredTurn,
  failure: Failure,
  { path, words }: FileMatter,
  deps: Deps,
): Promise<FileFailure | null> {
  const error = lineOf(turn, failure, path);
  const cured = error === null ? null : await curedBy(turn, failure, deps);
  const cure = error === null || cured === null ? null : cureOf(cured, error);
  if (error === null || cured === null || cure === null) return null;
  const lower = `${error} ${cure.text}`.toLowerCase();
  return [...words.keys()].some((form) => hasStart(lower, form))
    ? { turn, error, cure: { kind: cure.kind, text: cure.text, turn: cured } }
    : null;
}

/** Returns the turn in which the failed call succeeded: the same one, or a later one that touched the file. */
async function curedBy(
  turn: StoredTurn,
  { call, mended }: Failure,
  { turnOf, browse }: Deps,
): Promise<StoredTurn | null> {
  if (mended) return turn;
  const command = call === null ? null : (turn.toolSummary[call] ?? null);
  if (command === null) return null;
  const later = await browse.laterCalls(turn.turnId, command, [...turnOf.keys()]);
  const succeeded = later.find(({ failed, turnId }) => !failed && turnOf.has(turnId));
  return succeeded === undefined ? null : (turnOf.get(succeeded.turnId) ?? null);
}

function lineOf({ text }: StoredTurn, { start, end }: Failure, path: string): string | null {
  const [name = ""] = fileAliases(path);
  const error = text.slice(start, end);
  if (SLIP.test(error)) return null;
  const lines = error.split("\n").filter((line) => !NO_ERROR.test(line) && ERROR.test(line));
  const found = lines.find((line) => hasName(line.toLowerCase(), name))?.trim();
  return found === undefined || found.length < ERROR_CHARS.min || found.length > ERROR_CHARS.max
    ? null
    : found;
}

/** Returns the sentence of a turn that explains the error and shares names with it. */
function cureOf(turn: StoredTurn, error: string): Sentence | null {
  const names = new Set(error.match(/[\p{L}_]\w{5,}/gu)?.map((word) => word.toLowerCase()));
  const found = splitSentences(turn).filter(
    ({ kind, text, isHeading }) =>
      (kind === "answer" || kind === "narration") &&
      !isHeading &&
      text.length >= CURE_CHARS.min &&
      text.length <= CURE_CHARS.max &&
      CUES.finding.test(text) &&
      !CUES.question.test(text) &&
      !CUES.narration.test(text) &&
      [...names].filter((name) => text.toLowerCase().includes(name)).length >= SHARED_NAMES,
  );
  return found.at(-1) ?? null;
}
