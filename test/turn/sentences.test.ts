import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { splitSentences } from "../../src/turn/sentences.ts";
import { composeText, PART_KINDS } from "../../src/turn/text.ts";
import { fcOptions } from "../support/fast-check.ts";

/** The texts of the sentences of an answer. */
function split(text: string): string[] {
  return splitSentences(composeText([{ kind: "answer", text }])).map((sentence) => sentence.text);
}

describe("sentencesOf", () => {
  test("leaves out what Claude Code writes below an accepted plan", () => {
    const note =
      "If you need specific details from before exiting plan mode (like exact code snippets), read the full transcript at: /tmp/a.jsonl";
    expect(split(`Keep the limit.\n\n\n${note}`)).toEqual(["Keep the limit."]);
  });

  test("says of each sentence where it stands and what it is", () => {
    const turn = composeText([
      { kind: "prompt", text: "Why? Tell me." },
      { kind: "answer", text: "## Cause\n\n- The cache is stale." },
    ]);
    const rest = { line: 0, place: 0, isHeading: false, isItem: false };
    expect(splitSentences(turn)).toEqual([
      { ...rest, kind: "prompt", start: 7, end: 11, text: "Why?" },
      { ...rest, kind: "prompt", start: 12, end: 20, text: "Tell me.", place: 1 },
      { ...rest, kind: "answer", start: 37, end: 42, text: "Cause", isHeading: true },
      { ...rest, kind: "answer", start: 46, end: 65, text: "The cache is stale.", line: 1, isItem: true },
    ]);
  });

  test.each<[string, string, string[]]>([
    ["sentences of a line", "It fails. Why? Nobody knows!", ["It fails.", "Why?", "Nobody knows!"]],
    ["lines without a full stop", "first line\nsecond line", ["first line", "second line"]],
    ["lines of Windows", "First.\r\nSecond.\r\n", ["First.", "Second."]],
    [
      "a full stop within a word",
      "Use v1.2.3 of foo.ts in a.b.c here.",
      ["Use v1.2.3 of foo.ts in a.b.c here."],
    ],
    ["a stop before a lower-case word", "Run go test ./... and wait.", ["Run go test ./... and wait."]],
    [
      "closing signs",
      'He said "stop." **It stopped.** Then `x.` ended.',
      ['He said "stop."', "**It stopped.**", "Then `x.` ended."],
    ],
    [
      "abbreviations",
      "Use a cache, e.g. Redis, cf. Fig. 3 vs. Postgres. It works, with no. 5, too. The answer is no. It fails.",
      [
        "Use a cache, e.g. Redis, cf. Fig. 3 vs. Postgres.",
        "It works, with no. 5, too.",
        "The answer is no.",
        "It fails.",
      ],
    ],
    ["an initial", "Ask J. Doe. She knows.", ["Ask J. Doe.", "She knows."]],
    ["an abbreviation at the end of a line", "Files, folders etc.\nDone.", ["Files, folders etc.", "Done."]],
    ["Chinese", "缓存过期了。为什么？因为时钟错了！", ["缓存过期了。", "为什么？", "因为时钟错了！"]],
    ["Japanese in quotes", "「止めて。」と言った。次へ。", ["「止めて。」", "と言った。", "次へ。"]],
    [
      "Chinese between English",
      "Use UTC。Never local time. Done",
      ["Use UTC。", "Never local time.", "Done"],
    ],
    [
      "list items",
      "- one\n* two\n+ three\n• four\n1. five\n12) six",
      ["one", "two", "three", "four", "five", "six"],
    ],
    ["tasks and nested items", "- [ ] open\n  - [x] done\n- - deep", ["open", "done", "deep"]],
    ["headings", "# One\n### Two ###\n**Three:**\n__Four__", ["One", "Two ###", "**Three:**", "__Four__"]],
    ["quoted lines", "> It failed. Twice.\n>> - nested", ["It failed.", "Twice.", "nested"]],
    ["signs alone", "---\n***\n- \n...\n✅", []],
  ])("splits %s", (_what, text, sentences) => {
    expect(split(text)).toEqual(sentences);
  });

  test.each<[string, string]>([
    ["code", "Before.\n```ts\nconst a = 1;\n```\nAfter."],
    ["code within a list", "Before.\n  ~~~~\n  rm -rf.\n  ~~~~\nAfter."],
    ["a table", "Before.\n| a | b |\n|---|---|\n| one. | two. |\nAfter."],
    ["a drawing", "Before.\n┌──────┐\n│ box  │\n└──────┘\nsrc ├── a.ts\nAfter."],
    ["rules", "Before.\n-----\n=====\nAfter."],
  ])("leaves out %s", (_what, text) => {
    expect(split(text)).toEqual(["Before.", "After."]);
  });

  test("leaves out code that has no end, and what is no conversation", () => {
    expect(split("Before.\n```\nopen")).toEqual(["Before."]);
    const turn = composeText(PART_KINDS.map((kind) => ({ kind, text: `A ${kind}.` })));
    expect(splitSentences(turn).map(({ text }) => text)).toEqual([
      "A prompt.",
      "A note.",
      "A thinking.",
      "A narration.",
      "A answer.",
      "A forward.",
    ]);
  });

  test("tells headings and items from other lines", () => {
    const turn = composeText([{ kind: "answer", text: "# A\n**B**\n- C\n1. D\nE **f** g\n- **H**" }]);
    expect(splitSentences(turn).map(({ text, isHeading, isItem }) => [text, isHeading, isItem])).toEqual([
      ["A", true, false],
      ["**B**", true, false],
      ["C", false, true],
      ["D", false, true],
      ["E **f** g", false, false],
      ["**H**", false, true],
    ]);
  });

  test("looks at the first and the last lines of a long part, and at the start of a long line", () => {
    const sentences = split(Array.from({ length: 1_000 }, (_, i) => `Line ${i}.`).join("\n"));
    expect([sentences.length, sentences[0], sentences[79], sentences[80], sentences.at(-1)]).toEqual([
      160,
      "Line 0.",
      "Line 79.",
      "Line 920.",
      "Line 999.",
    ]);
    expect(split("word ".repeat(1_000)).map(({ length }) => length)).toEqual([1_199]);
  });

  test("knows where code ends whose start lies in the lines left out", () => {
    const lines = Array.from({ length: 400 }, (_, i) => (i === 200 || i === 350 ? "```" : `Line ${i}.`));
    const sentences = split(lines.join("\n"));
    expect(sentences.slice(79, 82)).toEqual(["Line 79.", "Line 351.", "Line 352."]);
  });

  test("offsets are slices of the text, in order, and nothing of a sentence is lost or trimmed", () => {
    const unit = fc.constantFrom(
      ..."ab A.!?。？「」 \n\t`*_#>-|1)[x]│ 漢é".split(""),
      ...["👩", "```", "e.g. ", "\r\n", "etc.", "- ", "## "],
    );
    const piece = fc.record({
      kind: fc.constantFrom(...PART_KINDS),
      text: fc.string({ unit, maxLength: 80 }),
    });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const turn = composeText(pieces);
        let last = 0;
        for (const { kind, start, end, text } of splitSentences(turn)) {
          expect(turn.text.slice(start, end)).toBe(text);
          expect(text).toBe(text.trim());
          expect(text).toMatch(/[\p{L}\p{N}]/u);
          expect(text).not.toContain("\n");
          expect(start).toBeGreaterThanOrEqual(last);
          const of = kind === "unsure" ? "prompt" : kind;
          expect(turn.parts.some((part) => part.kind === of && part.start <= start && end <= part.end)).toBe(
            true,
          );
          last = end;
        }
      }),
      fcOptions(),
    );
  });
});
