import type { LastFailure, Quote, WorkingState } from "../../search/working-state.ts";
import type { StoredTurn } from "../../store/contract/types/stored.ts";
import { truncateGraphemes } from "../../text/graphemes.ts";
import { onOneLine } from "../../text/one-line.ts";
import { type AgentText, joinText, named, tell, textOfRow } from "../agent-text.ts";
import { renderFramed, SHOW_COMMAND } from "./frame.ts";
import { heldOf, renderQuote } from "./quote.ts";

const ERROR_GRAPHEMES = 320;

/** Renders what the summary of a compaction may have lost: what failed last, and what the user ruled; null when nothing. */
export function renderCompactNotes(state: WorkingState, budget: number): AgentText | null {
  const heading = tell`Before the compaction, this session stood here (\`${SHOW_COMMAND} <turn>\` prints a whole turn):`;
  return renderState(heading, state, budget);
}

/** Renders for a subagent what the user of its session ruled so far; null when nothing. */
export function renderSubagentNotes(state: WorkingState, budget: number): AgentText | null {
  const heading = tell`So far in this session (\`${SHOW_COMMAND} <turn>\` prints a whole turn):`;
  return renderState(heading, { ...state, failure: null }, budget);
}

function renderState(heading: AgentText, { files, failure, rules }: WorkingState, budget: number) {
  const lines = [
    ...(failure ? [failureLine(failure)] : []),
    ...rules.map((quote) => tell`- Settled, ${quoted(quote)}`),
  ];
  if (lines.length === 0) return null;
  const worked =
    files.length > 0 ? [tell`- Files worked on last: ${named(files.map(onOneLine).join(", "))}`] : [];
  return renderFramed(heading, [...lines, ...worked], budget);
}

function failureLine({ turn, command, error }: LastFailure): AgentText {
  const what = truncateGraphemes(onOneLine(error), ERROR_GRAPHEMES);
  const words = command === null ? what : `${onOneLine(command)}: ${what}`;
  return textOfRow(
    turn,
    ({ say, whose }) => tell`- Last failure (${sourceOf(turn, whose())}): ${say(words)}`,
  );
}

function quoted(quote: Quote): AgentText {
  const { turn } = quote;
  return textOfRow(turn, ({ say, whose }) => tell`${renderQuote(quote, say)} (${sourceOf(turn, whose())})`);
}

function sourceOf(turn: StoredTurn, whose: readonly AgentText[]): AgentText {
  return joinText([tell`turn ${turn.turnId}`, ...heldOf(turn), ...whose], ", ");
}
