import { PrecompiledNormalizer } from "@huggingface/tokenizers";
import * as v from "valibot";
import type { IdTokenizer } from "../embedder.ts";
import { openVocabulary, packVocabulary, type TokenIds, type Vocabulary, withCache } from "./vocabulary.ts";

/**
 * A unigram tokenizer as one block of bytes that is used in place, so that opening 250,000 pieces takes no time. Little-endian:
 * - the header `[magic, pieces, unknown, first, last, 0]`, u32 each;
 * - the score of each piece, f64; the unknown piece has the score of an unknown character;
 * - the vocabulary, as in `vocabulary.ts`.
 */
const MAGIC = 0x4d554e49;
const HEADER_WORDS = 6;
const SCORE_BYTES = 8;

const SPACE = "▁";
/** Difference in log-likelihood between the least likely piece and an unknown character. */
const UNKNOWN_PENALTY = 10;
/** Upper bound of the average characters per token. Text beyond it would be truncated anyway. */
const MAX_CHARS_PER_TOKEN = 32;

/** Builds the block of a unigram tokenizer. */
export function buildUnigram({ vocab, unknown, first, last }: UnigramParts): Uint8Array {
  const header = Uint32Array.of(MAGIC, vocab.length, unknown, first, last, 0);
  const scores = Float64Array.from(vocab, ([, score]) => score);
  scores[unknown] = scores.reduce((least, score) => Math.min(least, score), 0) - UNKNOWN_PENALTY;
  const pieces = packVocabulary(vocab.map(([piece]) => piece));
  return Buffer.concat([new Uint8Array(header.buffer), new Uint8Array(scores.buffer), pieces]);
}

/**
 * Opens a block made by `buildUnigram`, and puts `prefix` before each text. Gives the same ids as `@huggingface/tokenizers` with
 * the same `tokenizer.json`, except when two segmentations of a word are equally likely. The library then decides by rounding,
 * since it sums scores from the start of the text.
 *
 * @throws `TypeError` for any other bytes.
 */
export function openUnigram(bytes: Uint8Array, prefix: string): IdTokenizer {
  const aligned = bytes.byteOffset % SCORE_BYTES === 0 ? bytes : bytes.slice();
  const { buffer, byteOffset } = aligned;
  const header = new Uint32Array(buffer, byteOffset, HEADER_WORDS);
  const [magic, count = 0, unknown = 0, first = 0, last = 0] = header;
  if (magic !== MAGIC) throw new TypeError("not a unigram tokenizer");
  const start = HEADER_WORDS * 4;
  const scores = new Float64Array(buffer, byteOffset + start, count);
  const vocabulary = openVocabulary(aligned.subarray(start + count * SCORE_BYTES));
  const lattice = new Lattice(vocabulary, scores, unknown);
  const idsOf = withCache((word) => lattice.best(word));
  const normalize = createNormalizer();
  return {
    count(text) {
      let count = 0;
      for (const word of words(normalize(text))) count += idsOf(word).length;
      return count;
    },
    encode(text, maxTokens) {
      const head = `${prefix}${text}`.slice(0, maxTokens * MAX_CHARS_PER_TOKEN);
      const ids = [first];
      for (const word of words(normalize(head))) {
        for (const id of idsOf(word)) ids.push(id);
        if (ids.length >= maxTokens) break;
      }
      ids.length = Math.min(ids.length, maxTokens - 1);
      ids.push(last);
      return ids;
    },
  };
}

/** Returns a function that composes characters, replaces compatibility forms and turns each run of blanks into one space. */
function createNormalizer(): (text: string) => string {
  const precompiled = new PrecompiledNormalizer({ type: "Precompiled", precompiled_charsmap: "" });
  return (text) =>
    precompiled.normalize(text.toWellFormed().normalize("NFC")).replace(/ {2,}/g, " ").replaceAll(" ", SPACE);
}

/** Yields the words of a text, each with its leading space. No piece spans two words. */
function* words(text: string): Generator<string> {
  if (text === "") return;
  const spaced = text.startsWith(SPACE) ? text : SPACE + text;
  for (let start = 0; start < spaced.length; ) {
    const next = spaced.indexOf(SPACE, start + 1);
    const end = next < 0 ? spaced.length : next;
    yield spaced.slice(start, end);
    start = end;
  }
}

/** Segments words into their most likely pieces (Viterbi's algorithm). */
class Lattice {
  readonly #vocabulary: Vocabulary;
  readonly #scores: Float64Array;
  readonly #unknown: number;
  readonly #found: Int32Array;

  constructor(vocabulary: Vocabulary, scores: Float64Array, unknown: number) {
    this.#vocabulary = vocabulary;
    this.#scores = scores;
    this.#unknown = unknown;
    this.#found = new Int32Array(vocabulary.longestLength + 1);
  }

  best(word: string): TokenIds {
    const size = word.length + 1;
    const sums = new Float64Array(size).fill(-Infinity);
    const ids = new Int32Array(size);
    const starts = new Int32Array(size);
    sums[0] = 0;
    const offer = (start: number, end: number, id: number, score: number) => {
      const sum = (sums[start] ?? 0) + score;
      if (sum <= (sums[end] ?? 0)) return;
      sums[end] = sum;
      ids[end] = id;
      starts[end] = start;
    };
    for (let start = 0; start < word.length; start++) {
      // The second half of a surrogate pair.
      if (sums[start] === -Infinity) continue;
      const width = (word.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
      const most = this.#vocabulary.prefixes(word, start, this.#found);
      for (let length = 1; length <= most; length++) {
        const id = this.#found[length] ?? -1;
        // A text may contain the literal name of the unknown piece.
        if (id >= 0 && id !== this.#unknown) offer(start, start + length, id, this.#scores[id] ?? 0);
      }
      offer(start, start + width, this.#unknown, this.#scores[this.#unknown] ?? 0);
    }
    return this.#back(ids, starts);
  }

  /** Follows the best pieces back from the end. A run of unknown characters becomes one token. */
  #back(ids: Int32Array, starts: Int32Array): TokenIds {
    const pieces: number[] = [];
    for (let end = ids.length - 1; end > 0; end = starts[end] ?? 0) {
      const id = ids[end] ?? 0;
      if (id !== this.#unknown || pieces.at(-1) !== this.#unknown) pieces.push(id);
    }
    return pieces.reverse();
  }
}

const Special = v.object({ SpecialToken: v.object({ id: v.string() }) });
const Text = v.object({ Sequence: v.object({ id: v.literal("A") }) });

/** The supported form of `tokenizer.json`: pieces with scores, as in the multilingual model's archive. */
const Shape = v.object({
  added_tokens: v.pipe(v.array(v.unknown()), v.length(0)),
  normalizer: v.object({
    type: v.literal("Sequence"),
    normalizers: v.tuple([
      v.object({ type: v.literal("NFC") }),
      v.object({ type: v.literal("Precompiled") }),
      v.object({
        type: v.literal("Replace"),
        pattern: v.object({ Regex: v.literal(" {2,}") }),
        content: v.literal(" "),
      }),
    ]),
  }),
  pre_tokenizer: v.object({
    type: v.literal("Metaspace"),
    replacement: v.literal("▁"),
    prepend_scheme: v.literal("always"),
    split: v.literal(false),
  }),
  post_processor: v.object({
    type: v.literal("TemplateProcessing"),
    single: v.tuple([Special, Text, Special]),
  }),
  model: v.object({
    type: v.literal("Unigram"),
    unk_id: v.pipe(v.number(), v.integer(), v.minValue(0)),
    byte_fallback: v.optional(v.literal(false)),
    vocab: v.array(v.tuple([v.string(), v.number()])),
  }),
});

/** The parts of a unigram tokenizer. */
interface UnigramParts {
  /** The pieces with their scores, by id. */
  vocab: readonly (readonly [piece: string, score: number])[];
  unknown: number;
  /** Ids of the tokens before and after each text. */
  first: number;
  last: number;
}

/** Reads a parsed `tokenizer.json`; null for another form, which only the library can run. */
export function unigramParts(tokenizer: unknown): UnigramParts | null {
  const parsed = v.safeParse(Shape, tokenizer);
  if (!parsed.success) return null;
  const { model, post_processor } = parsed.output;
  const [first, , last] = post_processor.single;
  const idOf = ({ SpecialToken: { id } }: typeof first) => model.vocab.findIndex(([piece]) => piece === id);
  const parts = { vocab: model.vocab, unknown: model.unk_id, first: idOf(first), last: idOf(last) };
  const hasInnerSpace = model.vocab.some(([piece]) => piece.lastIndexOf("▁") > 0);
  return parts.first < 0 || parts.last < 0 || hasInnerSpace ? null : parts;
}

/**
 * Reads a tokenizer like `unigramParts`, for a model that had this form when it was imported. Throws a `TypeError` for another
 * form.
 */
export function requireUnigram(tokenizer: unknown): UnigramParts {
  const parts = unigramParts(tokenizer);
  if (parts !== null) return parts;
  throw new TypeError("tokenizer.json has changed since it was imported");
}
