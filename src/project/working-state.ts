import type { Failure } from "../domain.ts";
import { CUES } from "../statement/cues.ts";
import { type Sentence, sentencesOf } from "../statement/sentences.ts";
import type { TurnFailures } from "../store/contract/types/browse.ts";
import type { StoredTurn } from "../store/contract/types/stored.ts";
import { keywordTerms } from "../text/keywords.ts";
import { textOf } from "../turn/parts.ts";

/** Number of sentences of each kind. */
const MAX_SENTENCES = 3;
const CHARS = { min: 20, max: 420 } as const;

/** The state of a session's work, as far as its last turns show it. */
export interface WorkingState {
  /** The files that it touched last, newest first. */
  files: readonly string[];
  /** The failure that the last turn ended with; null when there is none. */
  failure: LastFailure | null;
  /** Decisions, rules and findings, newest first. */
  settled: Quote[];
  /** Open questions and tasks, newest first. */
  open: Quote[];
}

/** A failed tool call, as far as it is known. */
export interface LastFailure {
  turn: StoredTurn;
  /** The summary of the call; null when it is not known which call failed. */
  command: string | null;
  error: string;
}

/** A sentence of a turn, which says whose it is. */
export interface Quote {
  turn: StoredTurn;
  kind: Sentence["kind"];
  text: string;
}

/** Marks of a sentence that settles something, by how surely one of them does. */
const SETTLES = { decision: 1, reason: 1, firm: 0.7, finding: 0.7, rule: 0.3 } as const;
const SETTLED = 0.9;
const NEVER = ["narration", "guess", "checked", "restated", "lead"] as const;
/** A longer prompt is a pasted plan or report. */
const OWN_PROMPT_CHARS = 1_500;
/** A prompt of fewer words answers what was asked before it. */
const ANSWER_WORDS = 6;
const MAX_WORDS = 40;
/** A sentence that begins with what stands for something named before it says nothing alone. */
const POINTS_BACK = /^(?:it|they|this|these|those|both|same)\b(?! (?:means|settles)\b)/i;
/** A failure that cost a second attempt and nothing else. */
const SLIP = /string to replace|has not been read|modified since|InputValidation|exceeds maximum/i;

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
  const open = quotes.filter(
    ({ turn, kind, text }) =>
      kind !== "prompt" && isOpen(text) && !isAnswered(text, turns[turns.indexOf(turn) - 1]),
  );
  const settled = quotes.filter(({ kind, text }) => !isOpen(text) && settles(text, kind));
  return {
    files,
    failure: lastFailure(turns[0], failures),
    settled: settled.slice(0, MAX_SENTENCES),
    open: open.slice(0, MAX_SENTENCES),
  };
}

/**
 * Returns what was said in a turn, the last sentence first: later ones count more. Pasted plans are left out.
 */
function quotesOf(turn: StoredTurn): Quote[] {
  const kinds = new Set<Sentence["kind"]>(["answer", "narration"]);
  if ((textOf(turn, "prompt")?.length ?? 0) <= OWN_PROMPT_CHARS) kinds.add("prompt");
  return sentencesOf(turn)
    .filter(
      ({ kind, text, isHeading }) =>
        kinds.has(kind) &&
        !isHeading &&
        text.length >= CHARS.min &&
        text.length <= CHARS.max &&
        !NEVER.some((cue) => CUES[cue].test(text)) &&
        !POINTS_BACK.test(text),
    )
    .map(({ kind, text }) => ({ turn, kind, text: text.replaceAll("**", "") }))
    .reverse();
}

function isOpen(text: string): boolean {
  return CUES.question.test(text) || CUES.open.test(text);
}

/** Whether the next turn's prompt answers a question: it has some of its words, or is too short to be about another matter. */
function isAnswered(question: string, next: StoredTurn | undefined): boolean {
  if (next === undefined) return false;
  const prompt = (textOf(next, "prompt") ?? "").toLowerCase();
  const words = keywordTerms(question, MAX_WORDS);
  return prompt.split(/\s+/).length < ANSWER_WORDS || words.some((word) => prompt.includes(word));
}

/** Whether a sentence settles something. Of the user's words only what rules does: the summary keeps what was asked. */
function settles(text: string, kind: Sentence["kind"]): boolean {
  if (kind === "prompt") return CUES.firm.test(text) || CUES.decision.test(text);
  if (kind === "narration") return CUES.decision.test(text);
  let sure = 0;
  for (const [cue, weight] of Object.entries(SETTLES))
    if (CUES[cue as keyof typeof SETTLES].test(text)) sure += weight;
  return sure >= SETTLED;
}

/** The last failure of a turn that was not mended in it. Which call failed is known, or certain because it made only one. */
function lastFailure(turn: StoredTurn | undefined, failures: readonly TurnFailures[]): LastFailure | null {
  const known = failures.find(({ turnId }) => turnId === turn?.turnId);
  if (turn === undefined || known === undefined) return null;
  const last = known.failures.at(-1);
  const failure = last === undefined ? onlyFailure(turn) : failureAt(turn, last);
  return failure === null || SLIP.test(failure.error) ? null : failure;
}

function failureAt(turn: StoredTurn, { start, end, call, mended }: Failure): LastFailure | null {
  if (mended) return null;
  return {
    turn,
    command: call === null ? null : (turn.toolSummary[call] ?? null),
    error: turn.text.slice(start, end),
  };
}

function onlyFailure(turn: StoredTurn): LastFailure | null {
  const error = textOf(turn, "errors")?.trim();
  const [only = null, ...others] = turn.toolSummary;
  return error ? { turn, command: others.length === 0 ? only : null, error } : null;
}
