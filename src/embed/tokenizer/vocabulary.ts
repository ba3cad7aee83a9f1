/**
 * A vocabulary as one block of bytes that is used in place, so that opening it takes no time. Little-endian:
 * - the header `[magic, tokens, slots, characters, length of the longest token]`, u32 each;
 * - the slots of the hash table, u32 each: token id + 1, or 0 when empty;
 * - the ends of the tokens, u32 each;
 * - the UTF-16 code units of the tokens.
 */
const MAGIC = 0x4d564f43;
const HEADER_WORDS = 5;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const CONTINUATION = "##";

/** Finds tokens in a text. */
export interface Vocabulary {
  /** Returns the id of a whole token, e.g. `[CLS]`, or -1. */
  id(token: string): number;
  /**
   * Finds the longest token at `start` in `word`. Returns its id, or -1. The next token starts at `start + length()`.
   */
  longest(word: string, start: number): number;
  /** Returns the length in UTF-16 code units of the token that `longest` found last. */
  length(): number;
  /**
   * Finds all tokens at `start` in `word`. Writes their ids into `ids` by length, or -1 for a length without a token. Returns the
   * greatest length that was tried, in UTF-16 code units. `ids` must have room for `longestLength + 1`.
   */
  prefixes(word: string, start: number, ids: Int32Array): number;
  /** Length of the longest token. */
  readonly longestLength: number;
}

/** Builds the block of a WordPiece tokenizer from its `tokenizer.json`. */
export function buildVocabulary(tokenizerJson: string): Uint8Array {
  const vocab: Record<string, number> = JSON.parse(tokenizerJson).model.vocab;
  const tokens: string[] = [];
  for (const [token, id] of Object.entries(vocab)) tokens[id] = token;
  return packVocabulary(tokens);
}

/** Builds the block of these tokens. The index of a token is its id. */
export function packVocabulary(tokens: readonly string[]): Uint8Array {
  const slots = 2 ** Math.ceil(Math.log2(tokens.length * 2));
  const characters = tokens.reduce((sum, token) => sum + token.length, 0);
  const words = HEADER_WORDS + slots + tokens.length;
  const bytes = new Uint8Array(words * 4 + characters * 2);
  const head = new Uint32Array(bytes.buffer, 0, words);
  const text = new Uint16Array(bytes.buffer, words * 4, characters);
  const longest = tokens.reduce((longest, { length }) => Math.max(longest, length), 0);
  head.set([MAGIC, tokens.length, slots, characters, longest]);
  let end = 0;
  tokens.forEach((token, id) => {
    for (let i = 0; i < token.length; i++) text[end++] = token.charCodeAt(i);
    head[HEADER_WORDS + slots + id] = end;
    let slot = hashOf(token, 0, token.length, FNV_OFFSET) & (slots - 1);
    while (head[HEADER_WORDS + slot] !== 0) slot = (slot + 1) & (slots - 1);
    head[HEADER_WORDS + slot] = id + 1;
  });
  return bytes;
}

/**
 * Opens a block made by `buildVocabulary`.
 *
 * @throws `TypeError` for any other bytes.
 */
export function openVocabulary(bytes: Uint8Array): Vocabulary {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const header = new Uint32Array(aligned.buffer, aligned.byteOffset, HEADER_WORDS);
  const [magic, count = 0, slots = 0, characters = 0, longest = 0] = header;
  if (magic !== MAGIC) throw new TypeError("not a vocabulary");
  const at = (word: number) => aligned.byteOffset + word * 4;
  const table = new Uint32Array(aligned.buffer, at(HEADER_WORDS), slots);
  const ends = new Uint32Array(aligned.buffer, at(HEADER_WORDS + slots), count);
  const text = new Uint16Array(aligned.buffer, at(HEADER_WORDS + slots + count), characters);
  return new HashVocabulary(table, ends, text, longest);
}

class HashVocabulary implements Vocabulary {
  readonly #table: Uint32Array;
  readonly #ends: Uint32Array;
  readonly #text: Uint16Array;
  readonly longestLength: number;
  readonly #hashes: Uint32Array;
  readonly #continued = hashOf(CONTINUATION, 0, CONTINUATION.length, FNV_OFFSET);
  #length = 0;

  constructor(table: Uint32Array, ends: Uint32Array, text: Uint16Array, longestLength: number) {
    this.#table = table;
    this.#ends = ends;
    this.#text = text;
    this.longestLength = longestLength;
    this.#hashes = new Uint32Array(longestLength + 1);
  }

  id(token: string): number {
    return this.#find(token, 0, token.length, hashOf(token, 0, token.length, FNV_OFFSET), "");
  }

  longest(word: string, start: number): number {
    const prefix = start === 0 ? "" : CONTINUATION;
    const maxLength = Math.min(word.length - start, this.longestLength - prefix.length);
    this.#hash(word, start, maxLength, start === 0 ? FNV_OFFSET : this.#continued);
    for (let length = maxLength; length > 0; length--) {
      const id = this.#find(word, start, length, this.#hashes[length] ?? 0, prefix);
      if (id < 0) continue;
      this.#length = length;
      return id;
    }
    return -1;
  }

  length(): number {
    return this.#length;
  }

  prefixes(word: string, start: number, ids: Int32Array): number {
    const maxLength = Math.min(word.length - start, this.longestLength);
    this.#hash(word, start, maxLength, FNV_OFFSET);
    for (let length = 1; length <= maxLength; length++)
      ids[length] = this.#find(word, start, length, this.#hashes[length] ?? 0, "");
    return maxLength;
  }

  /** Computes the hash of the text at `start` for each length. */
  #hash(word: string, start: number, maxLength: number, seed: number): void {
    let hash = seed;
    for (let length = 1; length <= maxLength; length++) {
      hash = Math.imul(hash ^ word.charCodeAt(start + length - 1), FNV_PRIME) >>> 0;
      this.#hashes[length] = hash;
    }
  }

  #find(word: string, start: number, length: number, hash: number, prefix: string): number {
    const mask = this.#table.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = (this.#table[slot] ?? 0) - 1;
      if (id < 0) return -1;
      if (this.#equals(id, word, start, length, prefix)) return id;
    }
  }

  #equals(id: number, word: string, start: number, length: number, prefix: string): boolean {
    const begin = id === 0 ? 0 : (this.#ends[id - 1] ?? 0);
    if ((this.#ends[id] ?? 0) - begin !== prefix.length + length) return false;
    for (let i = 0; i < prefix.length; i++) if (this.#text[begin + i] !== prefix.charCodeAt(i)) return false;
    const rest = begin + prefix.length;
    for (let i = 0; i < length; i++) if (this.#text[rest + i] !== word.charCodeAt(start + i)) return false;
    return true;
  }
}

/** 32-bit FNV-1a over UTF-16 code units, starting from `seed`. */
function hashOf(text: string, start: number, end: number, seed: number): number {
  let hash = seed;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), FNV_PRIME) >>> 0;
  return hash;
}

/** Capacity of the cache in words, and the longest word to cache; longer words rarely repeat. */
const CACHED_WORDS = 20_000;
const CACHED_WORD_LENGTH = 64;

/** Token ids in order. */
export type TokenIds = readonly number[];

/** Returns a tokenizer that caches the results for recent words. */
export function withCache(tokenize: (word: string) => TokenIds): (word: string) => TokenIds {
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
