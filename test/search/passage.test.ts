import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { passageOf } from "../../src/search/passage.ts";
import { pairStart } from "../../src/text/units.ts";
import { parseText } from "../../src/turn/grammar.ts";

const text =
  "First we looked at the logs. Nothing was there. The index was missing on invoices. We added it at once. Later we wrote a test.";

describe("passageOf", () => {
  test("gives a short text whole", () => {
    expect(passageOf(parseText("One thing. Another."), null, [], 100)).toBe("One thing. Another.");
  });

  test("is centred on the words, in whole sentences", () => {
    expect(passageOf(parseText(text), null, ["index", "invoices"], 60)).toBe(
      "The index was missing on invoices. We added it at once.",
    );
  });

  test("adds a little around a small chunk", () => {
    const start = text.indexOf("The index");
    const chunk = { start, end: text.indexOf("We added") };
    expect(passageOf(parseText(text), chunk, ["index"], 80)).toBe(
      "The index was missing on invoices. We added it at once. Later we wrote a test.",
    );
  });

  test("takes a sentence that fills the budget", () => {
    const sentence = "The index was missing on invoices. ";
    expect(passageOf(parseText(text), null, ["index"], sentence.length)).toBe(sentence.trim());
  });

  test("begins with a whole sentence where it cannot begin with the text", () => {
    const start = text.indexOf("We added");
    const chunk = { start, end: text.indexOf("Later") };
    expect(passageOf(parseText(text), chunk, [], 62)).toBe("We added it at once. Later we wrote a test.");
    expect(passageOf(parseText(text), chunk, [], 90)).toBe(
      "The index was missing on invoices. We added it at once. Later we wrote a test.",
    );
  });

  test("cuts a sentence that is too long at a word", () => {
    expect(passageOf(parseText(`${"word ".repeat(50)}end`), null, [], 23)).toBe("word word word word…");
  });

  test("leaves out the list of tools where something was said, and loose ends", () => {
    const said = "The lock was taken twice, so the second writer waited for itself until the test gave up.";
    const turn = `[User] why?\n\n[Assistant] ${said}\n\n2.\n\n[Tools] Read(src/lock.ts) | Bash(cmd="bun test")\n\n[User] thanks`;
    expect(passageOf(parseText(turn), null, ["lock"], 400)).toBe(`[User] why?\n\n[Assistant] ${said}`);
    const tools = turn.indexOf("[Tools]");
    expect(passageOf(parseText(turn), { start: tools, end: turn.length }, ["lock"], 60)).toContain(
      "Read(src/lock.ts)",
    );
  });

  test("keeps to the budget and splits no surrogate pair, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", " ", ". ", "\n", "漢", "👩", "。"), maxLength: 400 }),
        fc.nat(400),
        fc.nat(400),
        fc.integer({ min: 10, max: 90 }),
        (text, a, b, budget) => {
          const [start = 0, end = 0] = [a, b]
            .map((n) => pairStart(text, Math.min(n, text.length)))
            .sort((x, y) => x - y);
          const passage = passageOf(parseText(text), { start, end }, ["a"], budget);
          expect(passage.length).toBeLessThanOrEqual(budget);
          expect(passage.isWellFormed()).toBe(true);
        },
      ),
    );
  });
});
