/** More commits or pull requests than a person names, even around a long paste. */
const MAX_REFERENCES = 10;

/** Commits and pull requests that a query mentions. */
export interface References {
  /** Lower case, 7 to 40 hex digits. */
  commits: string[];
  prNumbers: number[];
}

const HEAD = 4_000;
const HASH = /(?<![\w-])[0-9a-f]{7,40}(?![\w-])/gi;
const PR =
  /(?:(?<![\w&])#|\b(?:PR|pull request|MR|merge request)\s*#?|\/(?:pull|merge_requests)\/)(\d{1,6})\b/gi;

/** Finds commit hashes (with digits and letters, or 40 long) and pull-request numbers (`#12`, `PR 12`, `.../pull/12`). */
export function references(query: string): References {
  const head = query.slice(0, HEAD);
  const commits = [...head.matchAll(HASH)].map(([hash]) => hash.toLowerCase()).filter(isHash);
  const numbers = [...head.matchAll(PR)].map((match) => Number(match[1])).filter((number) => number > 0);
  return { commits: unique(commits), prNumbers: unique(numbers) };
}

function isHash(text: string): boolean {
  return text.length === 40 || (/\d/.test(text) && /[a-f]/.test(text));
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)].slice(0, MAX_REFERENCES);
}
