import { BertNormalizer, BertPreTokenizer } from "@huggingface/tokenizers";
import { lazily } from "../../lazily.ts";
import type { IdTokenizer } from "../embedder.ts";
import { type TokenIds, type Vocabulary, withCache } from "./vocabulary.ts";

/** Longer words become one unknown token (`max_input_chars_per_word` in tokenizer.json). */
const MAX_WORD_CHARACTERS = 100;

/** BERT's tokenizer. Gives the same ids as `@huggingface/tokenizers` with the model's `tokenizer.json`. */
export type WordPieceTokenizer = IdTokenizer;

/**
 * Creates a tokenizer over a vocabulary. The library still normalises and splits the text; only its vocabulary is replaced,
 * because that takes 40 ms to load. Words are cached: no rule of BERT looks across a blank.
 */
export function createTokenizer(vocabulary: Vocabulary): WordPieceTokenizer {
  const special = new Map(
    ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"].map((token) => [token, vocabulary.id(token)]),
  );
  const [unknown, first, last] = ["[UNK]", "[CLS]", "[SEP]"].map((token) => special.get(token) ?? 0);
  const idsOf = withCache((word: string): TokenIds => {
    const ids: number[] = [];
    for (const section of word.split(/(\[(?:PAD|UNK|CLS|SEP|MASK)\])/)) {
      const id = special.get(section);
      if (id !== undefined) ids.push(id);
      else for (const part of split(section)) addPieces(ids, part, vocabulary, unknown ?? 0);
    }
    return ids;
  });

  return {
    count(text) {
      let count = 0;
      for (let end = 0, start = wordStart(text, 0); start < text.length; start = wordStart(text, end)) {
        end = wordEnd(text, start);
        count += idsOf(text.slice(start, end)).length;
      }
      return count;
    },
    encode(text, maxTokens) {
      const ids = [first ?? 0];
      for (const word of blankSeparated(text)) {
        for (const id of idsOf(word)) ids.push(id);
        if (ids.length >= maxTokens) break;
      }
      ids.length = Math.min(ids.length, maxTokens - 1);
      ids.push(last ?? 0);
      return ids;
    },
  };
}

/** Yields the words between ASCII blanks lazily, so that encoding the first 512 tokens does not split megabytes of text. */
function* blankSeparated(text: string): Generator<string> {
  for (let end = 0, start = wordStart(text, 0); start < text.length; start = wordStart(text, end)) {
    end = wordEnd(text, start);
    yield text.slice(start, end);
  }
}

function wordStart(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isBlank(text.charCodeAt(at))) at++;
  return at;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
}

/** In printable ASCII, the library only lower-cases and splits at punctuation. Doing the same here is ten times faster. */
const PRINTABLE_ASCII = /^[!-~]*$/;
const ASCII_PARTS = /[a-z0-9]+|[!-~]/g;

/** Lower-cases a word, strips its accents and splits it at punctuation. */
function split(word: string): readonly string[] {
  if (PRINTABLE_ASCII.test(word)) return word.toLowerCase().match(ASCII_PARTS) ?? [];
  const { normalizer, preTokenizer } = library();
  return preTokenizer.pre_tokenize_text(normalizer.normalize(word));
}

/** Loaded for the first word that needs it: its Unicode tables take milliseconds. */
const library = lazily(() => ({
  normalizer: new BertNormalizer({
    type: "BertNormalizer",
    clean_text: true,
    handle_chinese_chars: true,
    lowercase: true,
  }),
  preTokenizer: new BertPreTokenizer(),
}));

function addPieces(ids: number[], word: string, vocabulary: Vocabulary, unknown: number): void {
  const before = ids.length;
  for (let start = 0; start < word.length; start += vocabulary.length()) {
    const id = isTooLong(word) ? -1 : vocabulary.longest(word, start);
    if (id < 0) {
      ids.length = before;
      ids.push(unknown);
      return;
    }
    ids.push(id);
  }
}

function isTooLong(word: string): boolean {
  return word.length > MAX_WORD_CHARACTERS && Array.from(word).length > MAX_WORD_CHARACTERS;
}
