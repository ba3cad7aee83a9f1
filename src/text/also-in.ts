/** Words that say one thing in other languages than English, as alternatives of an expression. */
export interface OtherWords {
  /** Whole words of languages with spaces between them. */
  words?: string;
  /** Parts of words, or words of scripts without spaces. */
  parts?: string;
}

/** `\b` knows the letters of English only. */
const LETTER = "[\\w\\u00c0-\\u024f\\u0400-\\u045f]";
/** What a text may begin with before its first word: `\W` would take letters of other scripts. */
const OPENING = "[\\s\\u2010-\\u201f\\u3000-\\u3002\\u3008-\\u3011!-\\/:-@\\[-`{-~¡¿«»…]{0,2}";

/**
 * Returns an expression that also matches the words of other languages; with `isFirst` only where a text starts with
 * them.
 */
export function alsoIn(english: RegExp, { words, parts }: OtherWords, isFirst = false): RegExp {
  const start = isFirst ? `^${OPENING}` : "";
  const others = [
    ...(words === undefined ? [] : [`${start}(?<!${LETTER})(?:${words})(?!${LETTER})`]),
    ...(parts === undefined ? [] : [`${start}(?:${parts})`]),
  ];
  return new RegExp([english.source, ...others].join("|"), english.flags);
}
