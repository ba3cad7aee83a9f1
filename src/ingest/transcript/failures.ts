import { TOOL_LIMITS } from "../../constants.ts";
import type { Failure } from "../../domain.ts";
import { partOf } from "../../turn/parts.ts";
import type { TurnText } from "../../turn/text.ts";
import type { EntryError, TurnEntry } from "./transcript.ts";

/** Separates the errors in a turn's text. */
export const ERROR_GAP = "\n";

/** Returns the texts of a turn's errors, each once. Of too many, the last ones. */
export function errorsOf(entries: readonly TurnEntry[]): string[] {
  const errors = entries.flatMap((entry) => entry.errors);
  const last = [...latestByText(errors).keys()].slice(-TOOL_LIMITS.errorsPerTurn);
  return [...new Set(errors.map(({ text }) => text))].filter((text) => last.includes(text));
}

/**
 * Returns the failures behind a turn's errors, the last one last. An error that several calls have in common belongs to
 * the last of them.
 *
 * @param turn the composed text, whose errors are `errors` in the same order.
 */
export function failuresOf(
  turn: TurnText,
  entries: readonly TurnEntry[],
  errors: readonly string[],
  toolSummary: readonly string[],
  mended: ReadonlySet<string>,
): Failure[] {
  const part = partOf(turn, "errors");
  if (part === null) return [];
  const starts = new Map<string, number>();
  let start = part.start;
  for (const text of errors) {
    starts.set(text, start);
    start += text.length + ERROR_GAP.length;
  }
  const summaries = new Map(entries.flatMap(({ calls }) => calls.map(({ id, summary }) => [id, summary])));
  const latest = latestByText(entries.flatMap((entry) => entry.errors));
  return [...latest.values()].flatMap(({ text, callId }): Failure[] => {
    const at = starts.get(text);
    if (at === undefined) return [];
    const call = callId === null ? -1 : toolSummary.indexOf(summaries.get(callId) ?? "");
    return [
      {
        start: at,
        end: at + text.length,
        call: call < 0 ? null : call,
        mended: callId !== null && mended.has(callId),
      },
    ];
  });
}

/** The last error with each text, in the order in which they occurred. */
function latestByText(errors: readonly EntryError[]): Map<string, EntryError> {
  const latest = new Map<string, EntryError>();
  for (const error of errors) {
    latest.delete(error.text);
    latest.set(error.text, error);
  }
  return latest;
}
