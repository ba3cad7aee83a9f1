import * as v from "valibot";

const Special = v.object({ SpecialToken: v.object({ id: v.string() }) });
const Text = v.object({ Sequence: v.object({ id: v.literal("A") }) });

/** The form of `tokenizer.json` that `unigram.ts` reads: pieces with scores, as the multilingual model's archive has it. */
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
export interface UnigramParts {
  /** The pieces with their scores, by id. */
  vocab: readonly (readonly [piece: string, score: number])[];
  unknown: number;
  /** The tokens before and after each text. */
  first: number;
  last: number;
}

/** Reads a parsed `tokenizer.json`; null when it is of another form, and only the library can run it. */
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

/** The same for a tokenizer that was of this form when the model was imported. Throws a `TypeError` for another form. */
export function requireUnigram(tokenizer: unknown): UnigramParts {
  const parts = unigramParts(tokenizer);
  if (parts !== null) return parts;
  throw new TypeError("tokenizer.json has changed since it was imported");
}
