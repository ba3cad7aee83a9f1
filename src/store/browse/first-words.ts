import { DESCRIPTION_GRAPHEMES } from "../../constants.ts";
import { truncateGraphemes } from "../../text/graphemes.ts";

/** How much of a text is read to find its first words; UTF-16 units. */
export const HEAD_CHARS = 2_000;

/** Returns the start of a turn's prompt on one line, from the head of its text. */
export function firstWords(head: string): string {
  const text = head.replace(/^\[User\]\s*/, "");
  const end = text.search(/\n\n\[(?:Assistant|Tools|Errors|User)\]/);
  const words = (end < 0 ? text : text.slice(0, end)).replace(/\s+/g, " ").trim();
  return truncateGraphemes(words, DESCRIPTION_GRAPHEMES);
}
