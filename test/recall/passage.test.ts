import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { bestPassage } from "../../src/recall/passage.ts";
import { pairStart } from "../../src/text/cut.ts";
import { openFence } from "../../src/text/lines.ts";
import { parseText } from "../../src/turn/grammar.ts";

const text =
  "First we looked at the logs. Nothing was there. The index was missing on invoices. We added it at once. Later we wrote a test.";

describe("passageOf", () => {
  test("gives a short text whole", () => {
    expect(bestPassage(parseText("One thing. Another."), null, [], 100)).toBe("One thing. Another.");
  });

  test("is centred on the words, in whole sentences", () => {
    expect(bestPassage(parseText(text), null, ["index", "invoices"], 60)).toBe(
      "The index was missing on invoices. We added it at once.",
    );
  });

  test("adds a little around a small chunk", () => {
    const start = text.indexOf("The index");
    const chunk = { start, end: text.indexOf("We added") };
    expect(bestPassage(parseText(text), chunk, ["index"], 80)).toBe(
      "The index was missing on invoices. We added it at once. Later we wrote a test.",
    );
  });

  test("takes a sentence that fills the budget", () => {
    const sentence = "The index was missing on invoices. ";
    expect(bestPassage(parseText(text), null, ["index"], sentence.length)).toBe(sentence.trim());
  });

  test("begins with a whole sentence where it cannot begin with the text", () => {
    const start = text.indexOf("We added");
    const chunk = { start, end: text.indexOf("Later") };
    expect(bestPassage(parseText(text), chunk, [], 62)).toBe("We added it at once. Later we wrote a test.");
    expect(bestPassage(parseText(text), chunk, [], 90)).toBe(
      "The index was missing on invoices. We added it at once. Later we wrote a test.",
    );
  });

  test("cuts a sentence that is too long at a word", () => {
    expect(bestPassage(parseText(`${"word ".repeat(50)}end`), null, [], 23)).toBe("word word word word…");
  });

  test("leaves out the list of tools where something was said, and loose ends", () => {
    const said = "The lock was taken twice, so the second writer waited for itself until the test gave up.";
    const turn = `[User] why?\n\n[Assistant] ${said}\n\n2.\n\n[Tools] Read(src/lock.ts) | Bash(cmd="bun test")\n\n[User] thanks`;
    expect(bestPassage(parseText(turn), null, ["lock"], 400)).toBe(`[User] why?\n\n[Assistant] ${said}`);
    const tools = turn.indexOf("[Tools]");
    expect(bestPassage(parseText(turn), { start: tools, end: turn.length }, ["lock"], 400)).toBe(
      `[User] why?\n\n[Assistant] ${said}`,
    );
    const onlyTools = '[User] go\n\n[Tools] Read(src/lock.ts) | Bash(cmd="bun test")';
    expect(bestPassage(parseText(onlyTools), null, ["lock"], 60)).toContain("Read(src/lock.ts)");
  });

  test("shows an error where it has the words and the answer does not", () => {
    const turn =
      '[User] why does it fail, and what can be done about it?\n\n[Assistant] The connection is closed too early.\n\n[Tools] Bash(cmd="bun test")\n\n[Errors] ENOSPC: no space left on device';
    const start = turn.indexOf("[Errors]");
    expect(bestPassage(parseText(turn), { start, end: turn.length }, ["enospc", "device"], 200)).toBe(
      "ENOSPC: no space left on device",
    );
  });

  test("closes and opens code blocks, and repeats no heading", () => {
    const code = "```ts\nconst lock = tryLock(file);\nif (!lock) return null;\nrelease(lock);\n```\n";
    const turn = parseText(
      `[User] how?\n\n[Assistant] Like this, with a lock that is released:\n\n${code}\nThat is all.`,
    );
    const { text } = turn;
    const at = (words: string) => ({ start: text.indexOf(words), end: text.indexOf(words) + words.length });
    expect(bestPassage(turn, at("if (!lock) return null;"), ["null"], 60)).toBe(
      "```\nif (!lock) return null;\nrelease(lock);\n```",
    );
    expect(bestPassage(turn, at("Like this"), ["released"], 100)).toMatch(/^[^`]*(?:```[^`]*```)?$/);
    const twice = parseText(
      "## Plan\n\nFirst the lock, then the test of it.\n\n## Plan\n\nThen the rest of the work.",
    );
    expect(bestPassage(twice, null, [], 200)).toBe(
      "## Plan\n\nFirst the lock, then the test of it.\n\nThen the rest of the work.",
    );
  });

  test("keeps to the budget and splits no surrogate pair, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom("a", " ", ". ", "\n", "漢", "👩", "。", "\n```\n"),
          maxLength: 400,
        }),
        fc.nat(400),
        fc.nat(400),
        fc.integer({ min: 10, max: 90 }),
        (text, a, b, budget) => {
          const [start = 0, end = 0] = [a, b]
            .map((n) => pairStart(text, Math.min(n, text.length)))
            .sort((x, y) => x - y);
          const passage = bestPassage(parseText(text), { start, end }, ["a"], budget);
          expect(passage.length).toBeLessThanOrEqual(budget);
          expect(passage.isWellFormed()).toBe(true);
          expect(openFence(passage)).toBeNull();
        },
      ),
    );
  });
});
