import { DESCRIPTION_GRAPHEMES } from "../constants.ts";
import { truncateGraphemes } from "../text/graphemes.ts";
import { headline } from "../text/headline.ts";
import { askedOrPasted } from "./asked.ts";
import { openingOf, sectionsOf } from "./parts.ts";
import type { TurnText } from "./text.ts";

/** How many UTF-16 units of a text are enough to find its first words. */
export const HEAD_CHARS = 2_000;

/**
 * Returns the first words of a turn's prompt that tell it from others, on one line, pasted or not: what was forgotten is
 * recognised by them. The text may be only the first `HEAD_CHARS` of the turn's text.
 */
export function firstWords(turn: TurnText): string {
  return truncateGraphemes(headline(promptOf(turn) ?? openingOf(turn)), DESCRIPTION_GRAPHEMES);
}

/** Like `firstWords`, for a reader: what a person asked in their own words; what was only pasted is said to be so. */
export function shownWords(turn: TurnText): string {
  const prompt = promptOf(turn);
  return prompt === null ? firstWords(turn) : truncateGraphemes(askedOrPasted(prompt), DESCRIPTION_GRAPHEMES);
}

function promptOf(turn: TurnText): string | null {
  const [first] = sectionsOf(turn);
  return first?.kind === "prompt" ? turn.text.slice(first.start, first.end) : null;
}
