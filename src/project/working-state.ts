import type { StoredTurn } from "../store/types.ts";
import { saidIn, textOf } from "../turn/parts.ts";

/** Number of sentences of each kind. */
const MAX_SENTENCES = 3;

/** The state of a session's work, as far as its last turns show it. */
export interface WorkingState {
  /** The files that it touched last, newest first. */
  files: readonly string[];
  /** The last failure, with its tool call where that is certain; null when nothing failed. */
  failure: { turnId: number; foreign: string | null; command: string | null; error: string } | null;
  /** Decisions in the assistant's words, newest first. */
  decisions: Quote[];
  /** Open questions and tasks, newest first. */
  open: Quote[];
}

export interface Quote {
  turnId: number;
  /** Where the turn was imported from; null for what was ingested here. */
  foreign: string | null;
  text: string;
}

const SENTENCE = /[^\s](?:[^.!?。！？\n]|[.!?](?=\S))*(?:[.!?。！？]+|(?=\n)|$)/g;
const DECISION =
  /\b(?:decid\w*|chose|choose|chosen|agreed|go(?:ing)? with|settled on|instead of|rather than|because|on purpose)\b/i;
/** Words that mark a guess, which is no decision. */
const GUESS = /^(?:perhaps|maybe|probably|possibly|might)\b|\?$/i;
const OPEN =
  /[?？]$|\b(?:todo|still (?:to|needs?|open|missing|fails?)|not yet|remain(?:s|ing)|next(?: step)?(?:,|:| is| I)|left to do)\b/i;

/** Returns the state of a session's work, from its last turns, newest first, and the files that it touched. */
export function workingState(turns: readonly StoredTurn[], files: readonly string[]): WorkingState {
  const quotes = turns.flatMap(quotesOf);
  const open = quotes.filter(({ text }) => OPEN.test(text)).slice(0, MAX_SENTENCES);
  const decisions = quotes
    .filter(({ text }) => DECISION.test(text) && !GUESS.test(text) && !OPEN.test(text))
    .slice(0, MAX_SENTENCES);
  return { files, failure: lastFailure(turns), decisions, open };
}

/** Returns the assistant's sentences in a turn, the last one first: later statements count more. */
function quotesOf(turn: StoredTurn): Quote[] {
  const { turnId, foreign } = turn;
  const sentences = (saidIn(turn) ?? "").match(SENTENCE) ?? [];
  return sentences
    .map((text) => ({ turnId, foreign, text: text.trim().replace(/^(?:[-*]|\d+\.)\s+/, "") }))
    .reverse();
}

function lastFailure(turns: readonly StoredTurn[]): WorkingState["failure"] {
  for (const turn of turns) {
    const { turnId, foreign, toolSummary } = turn;
    const error = textOf(turn, "errors")?.trim();
    if (!error) continue;
    // A turn does not store which of its calls failed: only a single one is certain.
    const [call = null, ...others] = toolSummary;
    return { turnId, foreign, command: others.length === 0 ? call : null, error };
  }
  return null;
}
