import { beforeAll, expect, test } from "bun:test";
import { Tokenizer as LibraryTokenizer } from "@huggingface/tokenizers";
import fc from "fast-check";
import tokenizerConfig from "../../src/assets/model/bge-small-en-v1.5/tokenizer_config.json" with {
  type: "json",
};
import { openTokenizer } from "../../src/embed/open.ts";
import type { WordPieceTokenizer } from "../../src/embed/tokenizer/wordpiece.ts";
import { testAssets } from "../support/assets.ts";
import { fcOptions } from "../support/fast-check.ts";

const NO_LIMIT = 1_000_000;
let ours: WordPieceTokenizer;
let library: LibraryTokenizer;

beforeAll(async () => {
  const assets = testAssets();
  ours = await openTokenizer(assets);
  library = new LibraryTokenizer(
    JSON.parse(new TextDecoder().decode(await assets.bytes("tokenizer"))),
    tokenizerConfig,
  );
});

const TEXTS: [string, string][] = [
  ["empty", ""],
  ["sentence", "How do I fix the CI? It's broken: see src/main.ts#L12 (again!)."],
  ["all the blanks", "a\u00a0b\u2003c\u3000d\u000be\u000cf\u0085g\u2028h\ufeffi\r\nj\tk"],
  ["controls", "a\0b\u200bc\u00add\u0007e\ufffdf\ue000g"],
  ["special tokens inside words", "x[SEP]y [CLS][MASK] [sep] [PAD]. [UNK"],
  ["CJK", "認証の不具合を直して𠀀ください、한국어 테스트"],
  ["combining", "e\u0301 e\u0301\u0323 Å ﬁ ß ẞ İ Σς ΌΣΟΣ. ΑΣ\u00ad"],
  ["long words", `${"a".repeat(100)} ${"b".repeat(101)} ${"é".repeat(101)} ${"😀".repeat(60)}`],
  ["signs", "$+<=>^`|~ ¿¡§ ™ € ∑ — “x” …"],
  ["surrogates", "a\ud800b \udc00 \ud83d"],
];

test.each(TEXTS)("tokens are the library's: %s", (_, text) => {
  expect(ours.encode(text, NO_LIMIT)).toEqual(library.encode(text).ids);
});

const WORDS = [
  "the",
  "Fix",
  "src/main.ts",
  "[SEP]",
  "naïve",
  "認",
  "🎉",
  "\n",
  "  ",
  "\u00a0",
  "##ing",
  "don't",
  "Σ",
];
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc
    .array(fc.oneof(fc.constantFrom(...WORDS), fc.string()), { maxLength: 40 })
    .map((parts) => parts.join("")),
);

test("tokens are the library's for any text", () => {
  fc.assert(
    fc.property(text, (sample) => {
      expect(ours.encode(sample, NO_LIMIT)).toEqual(library.encode(sample).ids);
    }),
    fcOptions(4),
  );
});

test("the count is the number of tokens without the special ones", () => {
  fc.assert(
    fc.property(text, (sample) => {
      expect(ours.count(sample)).toBe(library.encode(sample, { add_special_tokens: false }).ids.length);
    }),
    fcOptions(2),
  );
});

test("a limit cuts in front of the last special token", () => {
  expect(ours.encode("one two three four", 4)).toEqual([101, 2028, 2048, 102]);
  expect(ours.encode("", 512)).toEqual([101, 102]);
});
