import { expect, test } from "bun:test";
import fc from "fast-check";
import { fitToWidth, widthOf } from "../../src/text/width.ts";
import { fcOptions } from "../support/fast-check.ts";

test.each<[string, string, number, string]>([
  ["a line that fits", "one two", 10, "one two"],
  ["a longer line", "Looking for the session", 12, "Looking for\nthe session"],
  ["an indent", "  one two three", 10, "  one two\n  three"],
  [
    "a label",
    `Memory    ${"kept ".repeat(8)}`,
    36,
    "Memory    kept kept kept kept kept\n          kept kept kept",
  ],
  ["a question", "Read the conversations? [Y/n/q] ", 20, "Read the\nconversations?\n[Y/n/q] "],
  [
    "a command to copy",
    "    \x1b[2mmementor -C ../customers/northwind/orders show 12\x1b[22m",
    20,
    "    \x1b[2mmementor -C ../customers/northwind/orders show 12\x1b[22m",
  ],
  [
    "a command in quotes",
    "  mementor -C '../a b/c' search 'why two tokens'",
    20,
    "  mementor -C '../a b/c' search 'why two tokens'",
  ],
  [
    "a command of a project",
    "\x1b[2morders: mementor --db /tmp/orders.db show <turn>\x1b[22m",
    20,
    "\x1b[2morders:\x1b[0m\n\x1b[2mmementor --db /tmp/orders.db show <turn>\x1b[22m",
  ],
  [
    "what is said of a command",
    "  mementor show 3 prints it whole",
    20,
    "  mementor show 3\n  prints it whole",
  ],
  ["a list mark", "- one two three four five six", 27, "- one two three four five\n  six"],
  [
    "a path",
    "Wrote /home/me/projects/kettle/.mementor/out.jsonl",
    30,
    "Wrote\n/home/me/projects/kettle/.mementor/out.jsonl",
  ],
  [
    "a path with a label",
    `Hooks     /home/me/${"a/".repeat(20)}settings.json (new)`,
    40,
    `Hooks\n/home/me/${"a/".repeat(20)}settings.json\n          (new)`,
  ],
  [
    "two labels",
    `ok       cleanup      ${"kept ".repeat(14)}`,
    60,
    `ok       cleanup      ${"kept ".repeat(6)}kept\n${" ".repeat(22)}${"kept ".repeat(6)}kept`,
  ],
  [
    "a relative path beside a label",
    `Hooks     me/${"a/".repeat(20)}settings.json`,
    40,
    "Hooks     me/a/a/a/a/a/a…a/settings.json",
  ],
  [
    "a path that fits no more below a label",
    "Would     remove /home/me/.local/share/mementor/bin",
    40,
    "Would     remove\n      /home/me/.local/share/mementor/bin",
  ],
  [
    "the path of a call",
    "  Read(src/components/RemediationHistory.tsx)",
    40,
    "  Read(src/comp…/RemediationHistory.tsx)",
  ],
  [
    "a path in Markdown",
    "**`frontend/src/components/RemediationHistoryCard.tsx`**: it",
    40,
    "**`front…/RemediationHistoryCard.tsx`**:\nit",
  ],
  [
    "a list in one word",
    '  Grep(pattern="listForEvaluation|list-for-evaluation",',
    40,
    '  Grep(pattern="listForEvaluation|\nlist-for-evaluation",',
  ],
  ["a web address", "See https://e.org/a-long-address now", 20, "See\nhttps://e.org/a-long-address\nnow"],
  ["no spaces", "日本語の文章", 4, "日本\n語の\n文章"],
  ["signs of several code points", "日本👩‍💻👩‍💻か\u3099く", 4, "日本\n👩‍💻👩‍💻\nか\u3099く"],
  ["colours", "\x1b[2mone two three\x1b[22m", 8, "\x1b[2mone two\x1b[0m\n\x1b[2mthree\x1b[22m"],
  ["what is drawn over", "\r\x1b[2Kone two three", 8, "\r\x1b[2Kone two three"],
])("fits %s", (_, text, width, shown) => {
  expect(fitToWidth(text, width)).toBe(shown);
});

test("words of a text stay whole, in order, and no line with two of them is too wide", () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  const text = fc.array(fc.tuple(word, fc.constantFrom(" ", "  ", "\n", "\n  ")), { maxLength: 40 });
  fc.assert(
    fc.property(text, fc.integer({ min: 4, max: 60 }), (pieces, width) => {
      const written = pieces.flat().join("");
      const shown = fitToWidth(written, width);
      expect(shown.split(/\s+/).filter(Boolean)).toEqual(written.split(/\s+/).filter(Boolean));
      const tooWide = shown.split("\n").filter((line) => widthOf(line) > width && /\S +\S/.test(line));
      expect(tooWide).toEqual([]);
    }),
    fcOptions(),
  );
});
