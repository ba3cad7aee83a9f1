/** Words of many errors and settings, which say nothing about which one it is. */
const COMMON = new Set(
  "error errors config value return returns import const false configuration found expected tests failed cannot invalid unknown missing".split(
    " ",
  ),
);

/** Returns the longer words of a text in lower case, names of code among them. */
export function namesIn(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}_][\w-]{4,}/gu) ?? [];
  return new Set(words.filter((word) => !COMMON.has(word)));
}
