/** Letters, digits and marks that are written from right to left: Hebrew, Arabic, Syriac, Thaana, N'Ko and others. */
const RIGHT_TO_LEFT =
  "\\u0590-\\u05ff\\u0600-\\u06ff\\u0700-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}";
const HAS_ANY = new RegExp(`[${RIGHT_TO_LEFT}]`, "u");
/** From the first such letter to the last, with single spaces and what stands between them; two spaces separate columns. */
const RUN = new RegExp(
  `[${RIGHT_TO_LEFT}](?:(?:[^\\s\\x1b]| (?![\\s\\x1b]))*[${RIGHT_TO_LEFT}\\p{M}])?(?:[.!?…؟،؛]+(?![^\\s\x1b]))?`,
  "gu",
);
/** First strong isolate, and pop directional isolate: neither takes room. */
const [OPEN, CLOSE] = ["\u2068", "\u2069"];

/**
 * Isolates what is written from right to left, so that a terminal leaves what stands beside it in its place: the
 * columns of a list, numbers, punctuation. A text without such letters is unchanged.
 */
export function isolated(text: string): string {
  return HAS_ANY.test(text) ? text.replace(RUN, `${OPEN}$&${CLOSE}`) : text;
}
