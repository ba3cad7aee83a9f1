import { onOneLine } from "./one-line.ts";
import { printable } from "./printable.ts";

/** Longer values are cut: a message is one line. */
const MAX_CHARS = 60;

/** Renders a value for a message about it, as JSON on one line: `"abc"`, `3`, `[1,2]`. */
function shownValue(value: unknown): string {
  const text = onOneLine(printable(JSON.stringify(value) ?? "nothing"));
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 1).toWellFormed()}…` : text;
}

/** Says what a value must be, and what it is: `must be true or false, not "1"`. `message` is a schema's. */
export function complaintOf({ message }: { message: string }, given: unknown): string {
  const isEmpty = given === undefined || (typeof given === "string" && given.trim() === "");
  return isEmpty ? message : `${message}, not ${shownValue(given)}`;
}
