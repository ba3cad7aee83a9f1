import { expect, test } from "bun:test";
import fc from "fast-check";
import { tokenizerJson } from "../../src/build/multilingual/files.ts";
import { openModelTokenizer } from "../../src/embed/models/open.ts";
import { buildUnigram, openUnigram, unigramParts } from "../../src/embed/tokenizer/unigram.ts";
import { fcOptions } from "../support/fast-check.ts";

const SPACE = "▁";
const NO_LIMIT = 1_000_000;
/** The scores are no sums of others, so that no text can be cut in two ways that are equally likely. */
const PIECES = [
  "<s>",
  "<pad>",
  "</s>",
  "<unk>",
  SPACE,
  "a",
  "b",
  "ab",
  `${SPACE}a`,
  "ba",
  "aba",
  "é",
  "한",
  "국",
  "한국",
  "😀",
  "😀a",
];
/** What the build writes of these pieces. */
const JSON_FORM: Record<string, unknown> & { model: { vocab: unknown[] } } = JSON.parse(
  tokenizerJson({
    pieces: PIECES.map((text, i) => ({ text, score: i < 4 ? 0 : -Math.sqrt(100 + 37 * i) })),
    special: { begin: 0, padding: 1, end: 2, unknown: 3 },
  }),
);

const open = (prefix = "") => {
  const parts = unigramParts(JSON_FORM);
  if (parts === null) throw new Error("not the form");
  return openUnigram(buildUnigram(parts), prefix);
};

test("tokens and their count are the library's for any text", () => {
  const [ours, library] = [open(), openModelTokenizer(JSON_FORM, {}, "")];
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(...PIECES.slice(4), " ", "\n", "e\u0301", "ｶﾞ", "～", "\u200b", "x"),
        fc.string({ unit: "binary" }),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (sample) => {
      expect(ours.encode(sample, NO_LIMIT)).toEqual(library.encode(sample, NO_LIMIT));
      expect(ours.count(sample)).toBe(library.count(sample));
    }),
    fcOptions(),
  );
});

test("a limit cuts in front of the last special token, and a prefix stands before each text", () => {
  expect(open().encode("ab ab ab", 4)).toEqual([0, 4, 7, 2]);
  expect(open("b ").encode("한국", NO_LIMIT)).toEqual([0, 4, 6, 4, 14, 2]);
  expect(open().encode("", 512)).toEqual([0, 2]);
});

test("a text that spells a special token's name is not that token", () => {
  expect(open().encode("<unk>", NO_LIMIT)).toEqual([0, 4, 3, 2]);
});

test.each([
  ["another normalizer", { normalizer: { type: "NFKC" } }],
  ["added tokens", { added_tokens: [{ id: 0, content: "<s>" }] }],
  [
    "pieces with a space inside",
    { model: { ...JSON_FORM.model, vocab: [...JSON_FORM.model.vocab, [`a${SPACE}b`, -1]] } },
  ],
  ["no frame", { post_processor: null }],
])("is left to the library: %s", (_, other) => {
  expect(unigramParts({ ...JSON_FORM, ...other })).toBeNull();
});

test("other bytes are refused", () => {
  expect(() => openUnigram(new Uint8Array(64), "")).toThrow("not a unigram tokenizer");
});
