import { DESCRIPTION_GRAPHEMES } from "../constants.ts";
import { truncateGraphemes } from "../text/graphemes.ts";
import { headline } from "../text/headline.ts";
import { openingOf, sectionsOf } from "./parts.ts";
import type { TurnText } from "./text.ts";

/** How many UTF-16 units of a text are enough to find its first words. */
export const HEAD_CHARS = 2_000;

/**
 * Returns the first words of a turn's prompt that tell it from others, on one line. The text may be only the first
 * `HEAD_CHARS` of the turn's text.
 */
export function firstWords(turn: TurnText): string {
  const [first] = sectionsOf(turn);
  const words = first?.kind === "prompt" ? turn.text.slice(first.start, first.end) : openingOf(turn);
  return truncateGraphemes(headline(words), DESCRIPTION_GRAPHEMES);
}
