/** Longer values are cut: a message is one line. */
const MAX_CHARS = 60;

/**
 * Says what a value must be, and what it is: `must be true or false, not "1"`. `message` is a schema's. Several words
 * of a command line count as one text. Who prints it makes it safe for a terminal.
 */
export function complaintOf({ message }: { message: string }, given: unknown): string {
  const value =
    Array.isArray(given) && given.every((word) => typeof word === "string") ? given.join(" ") : given;
  const isEmpty = value === undefined || (typeof value === "string" && value.trim() === "");
  return isEmpty ? message : `${message}, not ${shown(value)}`;
}

/** Renders a value as JSON on one line: `"abc"`, `3`, `[1,2]`. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS - 3).toWellFormed()}...` : text;
}
