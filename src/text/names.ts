import { truncateGraphemes } from "./cut.ts";
import { printable } from "./invisible.ts";
import { onOneLine } from "./lines.ts";

/** Words that mean something else where whose a row is stands: who speaks, or which rows are meant. */
const RESERVED = new Set([
  ...["team", "all", "own", "me", "you", "user", "the user", "a user", "note"],
  ...["agent", "an agent", "assistant", "claude", "system", "mementor"],
]);
/** What a name may hold. A bracket or a colon in it would end what names somebody, and begin what they said. */
const OTHERS = /[^\p{L}\p{M}\p{N} ._@+'-]+/gu;
const MAX_GRAPHEMES = 60;

/** Whether a name means something else in mementor's texts, or looks as if it did: in wide letters, say. */
export function isReservedName(name: string): boolean {
  return RESERVED.has(onOneLine(name.normalize("NFKC")).toLowerCase());
}

/**
 * Returns the name of a person or a memory as texts show it, whoever chose it: short, on one line, and nothing else than a
 * name can be read in it.
 */
export function shownName(name: string): string {
  const line = onOneLine(onOneLine(printable(name)).replace(OTHERS, " "));
  // "turn 12" in a text for an agent is that turn.
  const plain = truncateGraphemes(line, MAX_GRAPHEMES).replace(/\b(turns?|show) (?=\d)/gi, "$1-");
  if (plain === "") return "someone without a name";
  return isReservedName(plain) ? `someone called ${plain}` : plain;
}

/** Two letters, or one of a script in which a letter can be a word. */
const MATTER = /\p{L}[\s\S]*\p{L}|[^\P{L}\p{ASCII}]/u;

/** Whether a text can be a title: a choice or an exit such as "8" or "q" names nothing. */
export function namesMatter(text: string): boolean {
  return MATTER.test(text);
}
