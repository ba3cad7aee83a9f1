import { truncateGraphemes } from "./cut.ts";
import { printable } from "./invisible.ts";
import { onOneLine } from "./lines.ts";

/** Words with another meaning in the place of an author's name: speakers, or selections of rows. */
const RESERVED = new Set([
  ...["team", "all", "own", "me", "you", "user", "the user", "a user", "note"],
  ...["agent", "an agent", "assistant", "claude", "system", "mementor"],
]);

/**
 * Characters that a name may not contain. A bracket or a colon would look like the end of the name and the start of its author's
 * words.
 */
const OTHERS = /[^\p{L}\p{M}\p{N} ._@+'-]+/gu;

const MAX_GRAPHEMES = 60;

/** Tells whether a name has another meaning in mementor's texts, or looks as if it had, e.g. in full-width letters. */
export function isReservedName(name: string): boolean {
  return RESERVED.has(onOneLine(name.normalize("NFKC")).toLowerCase());
}

/**
 * Returns the name of a person or a memory in displayable form: short, on one line, and never readable as anything but a name,
 * whoever chose it.
 */
export function shownName(name: string): string {
  const line = onOneLine(onOneLine(printable(name)).replace(OTHERS, " "));
  // An agent would read "turn 12" as a reference to that turn.
  const plain = truncateGraphemes(line, MAX_GRAPHEMES).replace(/\b(turns?|show) (?=\d)/gi, "$1-");
  if (plain === "") return "someone without a name";
  return isReservedName(plain) ? `someone called ${plain}` : plain;
}

/** Separates the members whom a row names together. */
const BETWEEN_NAMES = ", ";

/** Returns the names of the members who made a row, each in displayable form. */
export function shownAuthors(authors: string): string {
  return authors.split(BETWEEN_NAMES).map(shownName).join(BETWEEN_NAMES);
}

/** Two letters, or one letter of a script in which single letters can be words. */
const MATTER = /\p{L}[\s\S]*\p{L}|[^\P{L}\p{ASCII}]/u;

/** Tells whether a text can be a title. A choice or an exit, such as "8" or "q", cannot. */
export function namesMatter(text: string): boolean {
  return MATTER.test(text);
}
