import type { LastFailure, Quote, WorkingState } from "../../project/working-state.ts";
import type { StoredTurn } from "../../store/contract/types/stored.ts";
import { truncateGraphemes } from "../../text/graphemes.ts";
import { onOneLine } from "../../text/one-line.ts";
import { renderInjected, SHOW_COMMAND } from "./injected.ts";
import { renderQuote, whoseOf } from "./quote.ts";

const ERROR_GRAPHEMES = 320;

/**
 * Renders what the summary of a compaction has probably lost, the most useful first; null when nothing was settled, left
 * open or failed.
 */
export function renderCompactNotes(state: WorkingState, budget: number): string | null {
  const heading = `Before the compaction, this session stood here (\`${SHOW_COMMAND} <turn>\` prints a whole turn):`;
  return renderState(heading, state, budget);
}

/** Renders what a session has settled so far for its subagent; null when it settled nothing. */
export function renderSubagentNotes(state: WorkingState, budget: number): string | null {
  if (state.settled.length === 0) return null;
  const heading = `So far in this session (\`${SHOW_COMMAND} <turn>\` prints a whole turn):`;
  return renderState(heading, { ...state, open: [], failure: null }, budget);
}

function renderState(heading: string, { files, failure, settled, open }: WorkingState, budget: number) {
  const lines = [
    ...(failure ? [failureLine(failure)] : []),
    ...open.map((quote) => `- Left open, ${quoted(quote)}`),
    ...settled.map((quote) => `- Settled, ${quoted(quote)}`),
  ];
  if (lines.length === 0) return null;
  const named = files.length > 0 ? [`- Files worked on last: ${files.map(onOneLine).join(", ")}`] : [];
  return renderInjected(heading, [...lines, ...named], budget);
}

function failureLine({ turn, command, error }: LastFailure): string {
  const what = truncateGraphemes(onOneLine(error), ERROR_GRAPHEMES);
  return `- Last failure (${sourceOf(turn)}): ${command === null ? what : `${onOneLine(command)}: ${what}`}`;
}

function quoted({ turn, kind, text }: Quote): string {
  return `${renderQuote(kind, text, turn)} (${sourceOf(turn)})`;
}

function sourceOf(turn: StoredTurn): string {
  return [`turn ${turn.turnId}`, ...whoseOf(turn)].join(", ");
}
