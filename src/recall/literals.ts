/** Maximum numbers or names; more than a person types, even around a long paste. */
const MAX_LITERALS = 20;

/** Parts of a query that texts contain literally, because nobody paraphrases a number or a code identifier. In lower case. */
export interface Literals {
  /** Numbers of at least two digits: counts, versions, error codes. */
  numbers: string[];
  /** Names from code: `parseLine`, `max_age`, `src/cli.ts`, `lint:fix`, `--force`. */
  identifiers: string[];
}

const HEAD = 4_000;
const TOKEN = /[\p{L}\p{N}_.\-/:@#+]+/gu;
const EDGES = /^[.:/]+|(?<![.\-:/])[.\-:/]+$/g;
const NUMBER = /\d[.,]?\d/;
const IDENTIFIER = /\p{Ll}\p{Lu}|_|\p{L}[./:]\p{L}|--|\p{Lu}{2}\p{Ll}|\//u;
/** Minimum length. Shorter tokens are abbreviations such as `e.g.` and `i/o`. */
const MIN_CHARS = 4;

/** Finds the numbers and code identifiers in a query. */
export function findLiterals(query: string): Literals {
  const tokens = [...query.slice(0, HEAD).matchAll(TOKEN)].map(([token]) => token.replace(EDGES, ""));
  const isName = (token: string) =>
    token.length >= MIN_CHARS && !NUMBER.test(token) && IDENTIFIER.test(token);
  return {
    numbers: distinct(tokens.filter((token) => NUMBER.test(token))),
    identifiers: distinct(tokens.filter(isName)),
  };
}

/** Returns the share of the literals that a text in lower case contains. Lower for few literals, 0 for none. */
export function heldShare(literals: readonly string[], lower: string): number {
  return literals.filter((literal) => holds(lower, literal)).length / (literals.length + 1);
}

/** Tells whether a text contains a literal. `319` is not in `1319`. */
function holds(lower: string, literal: string): boolean {
  for (let at = lower.indexOf(literal); at >= 0; at = lower.indexOf(literal, at + 1)) {
    const goesOn = isDigit(lower, at - 1) && isDigit(lower, at);
    const end = at + literal.length;
    if (!goesOn && !(isDigit(lower, end - 1) && isDigit(lower, end))) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

function distinct(tokens: readonly string[]): string[] {
  return [...new Set(tokens.map((token) => token.toLowerCase()))].slice(0, MAX_LITERALS);
}
