/** How many words the cache holds, and the longest that it stores; longer words rarely repeat. */
const CACHED_WORDS = 20_000;
const CACHED_WORD_LENGTH = 64;

/** Ids of tokens, in order. */
export type TokenIds = readonly number[];

/** Returns the same function with a memory for the words that it was given last. */
export function cached(tokenize: (word: string) => TokenIds): (word: string) => TokenIds {
  const cache = new Map<string, TokenIds>();
  return (word) => {
    const known = cache.get(word);
    if (known !== undefined) return known;
    const ids = tokenize(word);
    if (word.length > CACHED_WORD_LENGTH) return ids;
    if (cache.size >= CACHED_WORDS) cache.clear();
    cache.set(word, ids);
    return ids;
  };
}
