import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { chunkText } from "../../../src/ingest/chunk/markdown.ts";
import { parseText } from "../../../src/turn/grammar.ts";
import { composeText, type TurnText } from "../../../src/turn/text.ts";

const words = (text: string): number => text.match(/[\p{L}\p{N}_]{1,8}|[^\s\p{L}\p{N}_]/gu)?.length ?? 0;
const limits = { maxTokens: 32, overlapTokens: 6 };
const contents = (text: string, of = limits): string[] =>
  chunkText(parseText(text), words, of).map((chunk) => chunk.content);

const prose = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "# Title\n",
        "\n\n",
        "\n",
        "- item ",
        "```ts\n",
        "```\n",
        "[Assistant] ",
        ". ",
        "。",
        "1. ",
      ),
      fc.lorem({ maxCount: 12 }),
      fc.string({ maxLength: 40, unit: "grapheme" }),
      fc.string({ maxLength: 200, unit: fc.constantFrom("a", "é", "漢", "👩‍👩‍👧", "한") }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

describe("chunkText", () => {
  test("keeps a short text whole, without the blanks around it", () => {
    expect(chunkText(parseText("\n [User] Fix the CI \n"), words, limits)).toEqual([
      { chunkIndex: 0, content: "[User] Fix the CI", start: 2, end: 19 },
    ]);
    expect(chunkText(parseText(" \n\t"), words, limits)).toEqual([]);
    expect(chunkText(parseText(""), words, limits)).toEqual([]);
  });

  test("cuts before a heading rather than in the middle of what follows", () => {
    const text = `${"one two three four. ".repeat(5)}\n\n## Next\n\n${"five six seven eight. ".repeat(4)}`;
    expect(contents(text, { maxTokens: 40, overlapTokens: 0 })).toEqual([
      "one two three four. ".repeat(5).trim(),
      `## Next\n\n${"five six seven eight. ".repeat(4).trim()}`,
    ]);
  });

  test("cuts before a section rather than before a label that is quoted", () => {
    const turn = composeText([
      { kind: "prompt", text: "Why?" },
      {
        kind: "answer",
        text: `${"one two three. ".repeat(3)}\n\n[Tools] ${"four five six. ".repeat(3).trim()}`,
      },
      { kind: "tools", text: "Read(a.ts) | Read(b.ts) | Read(c.ts)" },
    ]);
    const starts = (given: TurnText) =>
      chunkText(given, words, { maxTokens: 42, overlapTokens: 0 }).map(({ content }) => content.slice(0, 12));
    expect(starts(turn)).toEqual(["[User] Why?\n", "[Tools] Read"]);
    const quoted = turn.text.indexOf("four");
    const fooled = { ...turn, parts: [{ kind: "tools" as const, start: quoted, end: turn.text.length }] };
    expect(starts(fooled)).toEqual(["[User] Why?\n", "[Tools] four"]);
  });

  test("keeps a code fence whole when it fits, whatever is before it", () => {
    const code = `\`\`\`ts\n${"const a = 1;\n".repeat(4)}\`\`\``;
    const chunks = contents(`${"word ".repeat(20)}\n\n${code}\n\n${"more ".repeat(20)}`, {
      maxTokens: 40,
      overlapTokens: 6,
    });
    expect(chunks.some((chunk) => chunk.includes(code))).toBe(true);
  });

  test("keeps a code fence whole after a chunk that is far from full", () => {
    const code = `\`\`\`ts\n${"const a = 1;\n".repeat(5)}\`\`\``;
    expect(contents(`${"word ".repeat(10)}\n\n${code}`, { maxTokens: 40, overlapTokens: 0 })).toEqual([
      "word ".repeat(10).trim(),
      code,
    ]);
  });

  test("cuts a code fence that does not fit between its lines", () => {
    const chunks = contents(`\`\`\`\n${"let value = call(one, two)\n".repeat(20)}\`\`\``, {
      maxTokens: 40,
      overlapTokens: 0,
    });
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks.slice(1, -1).every((chunk) => /^let/.test(chunk) && /\)$/.test(chunk))).toBe(true);
  });

  test("starts the overlap at a sentence", () => {
    const text = "Alpha beta gamma delta. One two three. ".repeat(8);
    const chunks = contents(text, { maxTokens: 32, overlapTokens: 6 });
    expect(
      chunks.slice(1).every((chunk) => chunk.startsWith("One two three.") || chunk.startsWith("Alpha")),
    ).toBe(true);
  });

  test("overlaps by as much as leaves room for one more word", () => {
    expect(contents("a b c d e f", { maxTokens: 4, overlapTokens: 3 })).toEqual([
      "a b c d",
      "b c d e",
      "c d e f",
    ]);
    expect(contents("a b c d e f", { maxTokens: 3, overlapTokens: 3 })).toEqual(["a b c", "d e f"]);
  });

  test("fills a chunk as far as the limit, and at least by half", () => {
    const text = `${"a ".repeat(3)}a.\n\n${"b ".repeat(20)}`;
    expect(contents(text, { maxTokens: 10, overlapTokens: 0 })[0]).toBe("a a a a.");
    expect(contents(text, { maxTokens: 12, overlapTokens: 0 })[0]).toBe(
      `a a a a.\n\n${"b ".repeat(7).trim()}`,
    );
  });

  test("cuts words into single tokens where the limit is only a few", () => {
    expect(contents("a.b.c.d", { maxTokens: 3, overlapTokens: 0 })).toEqual(["a.b", ".c.", "d"]);
  });

  describe("where a text has more tokens than its words together", () => {
    const spaced = (text: string) => words(text) + (text.match(/ /g)?.length ?? 0);
    const cut = (text: string, count: (text: string) => number, overlapTokens: number) =>
      chunkText(parseText(text), count, { maxTokens: 16, overlapTokens }).map(({ content }) => content);
    const letters = "a b c d e f g h i j k l m n o p q r s t u v w x".split(" ");
    const groupsOf = (size: number) =>
      Array.from({ length: letters.length / size }, (_, i) =>
        letters.slice(i * size, (i + 1) * size).join(" "),
      );

    test("takes words off the end until it fits", () => {
      expect(cut(letters.join(" "), spaced, 0)).toEqual(groupsOf(8));
    });

    test("drops the overlap first", () => {
      expect(cut(letters.join(" "), spaced, 4)).toEqual(groupsOf(8));
    });

    test("keeps one word, whatever it has", () => {
      expect(cut(letters.join(" "), (text) => (text.length > 1 ? 17 : 1), 4)).toEqual(letters);
      expect(cut(letters.join(" "), () => 17, 4)).toEqual(letters);
    });
  });

  test("cuts text without spaces between graphemes, after a full stop where there is one", () => {
    const sentence = "これは日本語の文です。";
    const chunks = contents(sentence.repeat(30), { maxTokens: 40, overlapTokens: 0 });
    expect(chunks.join("")).toBe(sentence.repeat(30));
    const family = "👩‍👩‍👧‍👦";
    const families = contents(family.repeat(60), { maxTokens: 40, overlapTokens: 0 });
    expect(families.every((chunk) => chunk.length % family.length === 0)).toBe(true);
  });

  test("takes 300 KB without a space or newline in linear time", () => {
    const countedChars = (length: number): number => {
      let counted = 0;
      const count = (text: string) => {
        counted += text.length;
        return words(text);
      };
      chunkText(parseText("x7".repeat(length / 2)), count, { maxTokens: 256, overlapTokens: 40 });
      return counted;
    };
    expect(countedChars(300_000)).toBeLessThan(11 * countedChars(30_000));
  });

  test("takes 300 KB of blanks and of line feeds", () => {
    expect(contents(`a${" ".repeat(300_000)}b`)).toEqual(["a", "b"]);
    expect(contents(`a${"\n".repeat(300_000)}b`)).toEqual(["a", "b"]);
  });

  test("leaves earlier chunks as they are when text is appended", () => {
    fc.assert(
      fc.property(prose, fc.lorem({ maxCount: 60 }), (text, more) => {
        const before = chunkText(parseText(text), words, limits);
        const after = chunkText(parseText(`${text}\n\n${more}`), words, limits);
        const settled = before.filter((chunk) => words(text.slice(chunk.end)) > 2 * limits.maxTokens);
        expect(after.slice(0, settled.length)).toEqual(settled);
      }),
    );
  });

  test("covers all text in order, within its bounds, as substrings", () => {
    fc.assert(
      fc.property(
        prose,
        fc.integer({ min: 8, max: 64 }),
        fc.integer({ min: 0, max: 8 }),
        (text, maxTokens, overlapTokens) => {
          const chunks = chunkText(parseText(text), words, { maxTokens, overlapTokens });
          let covered = 0;
          chunks.forEach((chunk, index) => {
            expect(chunk.chunkIndex).toBe(index);
            expect(chunk.content).toBe(text.slice(chunk.start, chunk.end));
            expect(chunk.content).toBe(chunk.content.trim());
            expect(words(chunk.content)).toBeLessThanOrEqual(maxTokens);
            expect(text.slice(covered, Math.max(covered, chunk.start)).trim()).toBe("");
            expect(chunk.end).toBeGreaterThan(covered);
            covered = chunk.end;
          });
          expect(text.slice(covered).trim()).toBe("");
        },
      ),
    );
  });
});
