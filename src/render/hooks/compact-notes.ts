import type { Quote, WorkingState } from "../../project/working-state.ts";
import { truncateGraphemes } from "../../text/graphemes.ts";
import { onOneLine } from "../../text/one-line.ts";
import { type Origin, originOf } from "../origin.ts";
import { renderInjected, SHOW_COMMAND } from "./injected.ts";

/** Maximum length of a sentence and of an error, in grapheme clusters. */
const SENTENCE_GRAPHEMES = 220;
const ERROR_GRAPHEMES = 320;

/** Renders what the summary of a compaction has probably lost, the most useful first; null when there is nothing. */
export function renderCompactNotes(state: WorkingState, budget: number): string | null {
  const { files, failure, decisions, open } = state;
  const lines = [
    files.length > 0 ? `- Files worked on last: ${files.map(onOneLine).join(", ")}` : null,
    failure &&
      `- Last failure (${sourceOf(failure)}${failure.mended ? "; the same call succeeded later" : ""}): ${failureText(failure)}`,
    ...open.map((quote) => `- Left open: ${quoted(quote)}`),
    ...decisions.map((quote) => `- Decided: ${quoted(quote)}`),
  ].filter((line) => line !== null);
  const heading = `Before the compaction, this session stood here (\`${SHOW_COMMAND} <turn>\` prints a whole turn):`;
  return renderInjected(heading, lines, budget);
}

function failureText({ command, error }: NonNullable<WorkingState["failure"]>): string {
  const what = truncateGraphemes(onOneLine(error), ERROR_GRAPHEMES);
  return command === null ? what : `${onOneLine(command)}: ${what}`;
}

function quoted(quote: Quote): string {
  return `"${truncateGraphemes(onOneLine(quote.text), SENTENCE_GRAPHEMES)}" (${sourceOf(quote)})`;
}

/** The turn, and whose it is: an import can carry the id of any session. */
function sourceOf(source: Origin & { turnId: number }): string {
  const origin = originOf(source);
  return origin === null ? `turn ${source.turnId}` : `turn ${source.turnId}, ${onOneLine(origin)}`;
}
