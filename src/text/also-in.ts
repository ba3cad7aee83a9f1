/** Words that say one thing in other languages than English, as alternatives of an expression. */
export interface OtherWords {
  /** Whole words of languages with spaces between them. */
  words?: string;
  /** Parts of words, or words of scripts without spaces. */
  parts?: string;
}

/** `\b` knows the letters of English only. */
const LETTER = "[\\w\\u00c0-\\u024f\\u0400-\\u045f]";

/** Returns an expression that also matches the words of other languages; with `isFirst` only where a text starts with them. */
export function alsoIn(english: RegExp, { words, parts }: OtherWords, isFirst = false): RegExp {
  const start = isFirst ? "^\\W{0,2}" : "";
  const others = [
    ...(words === undefined ? [] : [`${start}(?<!${LETTER})(?:${words})(?!${LETTER})`]),
    ...(parts === undefined ? [] : [`${start}(?:${parts})`]),
  ];
  return new RegExp([english.source, ...others].join("|"), english.flags);
}
