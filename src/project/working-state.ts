import type { Failure } from "../domain.ts";
import type { TurnFailures } from "../store/contract/types/browse.ts";
import type { StoredTurn } from "../store/contract/types/stored.ts";
import { saidIn, textOf } from "../turn/parts.ts";
import { DECISION, GUESS, sentencesOf } from "./statements.ts";

/** Number of sentences of each kind. */
const MAX_SENTENCES = 3;

/** The state of a session's work, as far as its last turns show it. */
export interface WorkingState {
  /** The files that it touched last, newest first. */
  files: readonly string[];
  /** The last failure; null when nothing failed. */
  failure: LastFailure | null;
  /** Decisions in the assistant's words, newest first. */
  decisions: Quote[];
  /** Open questions and tasks, newest first. */
  open: Quote[];
}

/** A failed tool call, as far as it is known. */
export interface LastFailure {
  turnId: number;
  foreign: string | null;
  author: string | null;
  /** The summary of the call; null when it is not known which call failed. */
  command: string | null;
  error: string;
  /** True when the same call succeeded later in the turn. */
  mended: boolean;
}

export interface Quote {
  turnId: number;
  /** Where the turn was imported from; null for what was ingested here. */
  foreign: string | null;
  /** The member of the team who made the turn; null for what was made here. */
  author: string | null;
  text: string;
}

const OPEN =
  /[?？]$|\b(?:todo|still (?:to|needs?|open|missing|fails?)|not yet|remain(?:s|ing)|next(?: step)?(?:,|:| is| I)|left to do)\b/i;

/**
 * Returns the state of a session's work, from its last turns, newest first, what failed in them, and the files that it
 * touched.
 */
export function workingState(
  turns: readonly StoredTurn[],
  failures: readonly TurnFailures[],
  files: readonly string[],
): WorkingState {
  const quotes = turns.flatMap(quotesOf);
  const open = quotes.filter(({ text }) => OPEN.test(text)).slice(0, MAX_SENTENCES);
  const decisions = quotes
    .filter(({ text }) => DECISION.test(text) && !GUESS.test(text) && !OPEN.test(text))
    .slice(0, MAX_SENTENCES);
  return { files, failure: lastFailure(turns, failures), decisions, open };
}

/** Returns the assistant's sentences in a turn, the last one first: later statements count more. */
function quotesOf(turn: StoredTurn): Quote[] {
  const { turnId, foreign, author } = turn;
  return sentencesOf(saidIn(turn) ?? "")
    .map((text) => ({ turnId, foreign, author, text }))
    .reverse();
}

function lastFailure(
  turns: readonly StoredTurn[],
  failures: readonly TurnFailures[],
): WorkingState["failure"] {
  const known = new Map(failures.map((each) => [each.turnId, each.failures]));
  const failed = turns.find(({ turnId }) => known.has(turnId));
  return failed ? failureIn(failed, known.get(failed.turnId) ?? []) : null;
}

/** Returns the last failure of a turn. Which call failed is known, or certain because the turn made only one. */
export function failureIn(turn: StoredTurn, failures: readonly Failure[]): LastFailure | null {
  const { turnId, foreign, author, toolSummary, text } = turn;
  const last = failures.at(-1);
  if (last) {
    const { start, end, call, mended } = last;
    const command = call === null ? null : (toolSummary[call] ?? null);
    return { turnId, foreign, author, command, error: text.slice(start, end), mended };
  }
  const error = textOf(turn, "errors")?.trim();
  const [only = null, ...others] = toolSummary;
  return error
    ? { turnId, foreign, author, command: others.length === 0 ? only : null, error, mended: false }
    : null;
}
