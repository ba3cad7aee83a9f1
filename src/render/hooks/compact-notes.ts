import { COMPACT_NOTES } from "../../constants.ts";
import type { Quote, WorkingState } from "../../project/working-state.ts";
import { truncateGraphemes } from "../../text/graphemes.ts";
import { renderInjected } from "./injected.ts";

/** Renders what a compaction's summary is likely to have lost, the most useful first; null when there is nothing. */
export function renderCompactNotes(state: WorkingState, budget: number): string | null {
  const { files, failure, decisions, open } = state;
  const lines = [
    files.length > 0 ? `- Files worked on last: ${files.map(oneLine).join(", ")}` : null,
    failure && `- Last failure (turn ${failure.turnId}): ${failureText(failure)}`,
    ...open.map((quote) => `- Left open: ${quoted(quote)}`),
    ...decisions.map((quote) => `- Decided: ${quoted(quote)}`),
  ].filter((line) => line !== null);
  const heading =
    "Before the compaction, this session stood here (`mementor show <turn>` prints a whole turn):";
  return renderInjected(heading, lines, budget);
}

function failureText({ command, error }: NonNullable<WorkingState["failure"]>): string {
  const what = truncateGraphemes(oneLine(error), COMPACT_NOTES.errorGraphemes);
  return command === null ? what : `${oneLine(command)}: ${what}`;
}

function quoted({ turnId, text }: Quote): string {
  return `"${truncateGraphemes(oneLine(text), COMPACT_NOTES.sentenceGraphemes)}" (turn ${turnId})`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
