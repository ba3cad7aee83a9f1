import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseText } from "../../src/turn/grammar.ts";
import { composeText, isSaid, type TurnPart, type TurnText } from "../../src/turn/text.ts";
import { pieces, plainPieces } from "./pieces.ts";

const contents = ({ text, parts }: TurnText) =>
  parts.map(({ kind, start, end }) => [kind, text.slice(start, end)]);

describe("parseText", () => {
  test("finds what was composed, thinking as answers, where nothing quotes a label", () => {
    fc.assert(
      fc.property(plainPieces, (given) => {
        const composed = composeText(
          given.map(({ kind, text }) => ({ kind: isSaid(kind) ? "answer" : kind, text })),
        );
        // With nothing between them, the prompt before and the one after look alike.
        fc.pre(composed.parts[0]?.kind !== "forward");
        expect(parseText(composed.text)).toEqual(composed);
      }),
    );
  });

  test("gives parts in order within the text, whatever it quotes", () => {
    fc.assert(
      fc.property(pieces, fc.boolean(), (given, isKnown) => {
        const { text } = composeText(given);
        const tools = given.find(({ kind }) => kind === "tools")?.text;
        const { parts } = parseText(text, isKnown && tools !== undefined ? [tools] : []);
        let end = 0;
        for (const part of parts) {
          expect(part.start).toBeGreaterThanOrEqual(end);
          expect(part.end).toBeGreaterThanOrEqual(part.start);
          end = part.end;
        }
        expect(end).toBe(text.length);
      }),
    );
  });

  test("text that the assistant quotes before its tool calls is part of the answer", () => {
    const said = "It prints\n\n[User] hello\n\n[Tools] none\n\n[Errors] none\n\nand that is right.";
    const composed = composeText([
      { kind: "prompt", text: "What does it print?" },
      { kind: "answer", text: said },
      { kind: "tools", text: 'Read(a.ts) | Bash(cmd="x")' },
      { kind: "forward", text: "Thanks\n\n[User] they said" },
    ]);
    expect(parseText(composed.text, ["Read(a.ts)", 'Bash(cmd="x")'])).toEqual(composed);
  });

  test("errors follow the tool calls at once, or there are none", () => {
    const pieces = [
      { kind: "answer", text: "a" },
      { kind: "tools", text: "Read(a.ts)" },
      { kind: "errors", text: "exit 1" },
      { kind: "forward", text: "b\n\n[Errors] c" },
    ] as const;
    const withErrors = composeText(pieces);
    expect(parseText(withErrors.text, ["Read(a.ts)"])).toEqual(withErrors);
    const without = composeText(pieces.filter(({ kind }) => kind !== "errors"));
    expect(parseText(without.text, ["Read(a.ts)"])).toEqual(without);
  });

  test("the tool calls are those that end where a part may end", () => {
    const composed = composeText([
      { kind: "answer", text: "a" },
      { kind: "tools", text: "Read(a.ts)" },
      { kind: "errors", text: "exit 1\n\n[Tools] Read(a.ts) is what it says\n\n[Tools] none" },
    ]);
    expect(parseText(composed.text, ["Read(a.ts)"])).toEqual(composed);
  });

  test("without the tool calls, the last label of each kind counts", () => {
    const { text } = composeText([
      { kind: "prompt", text: "a" },
      { kind: "answer", text: "b\n\n[User] quoted" },
      { kind: "tools", text: "Read(x)" },
      { kind: "forward", text: "c" },
    ]);
    expect(contents(parseText(text))).toEqual([
      ["prompt", "a"],
      ["answer", "b\n\n[User] quoted"],
      ["tools", "Read(x)"],
      ["forward", "c"],
    ]);
  });

  test("without tool calls, the last prompt is the forward context", () => {
    const composed = composeText([
      { kind: "prompt", text: "a" },
      { kind: "answer", text: "b\n\n[User] quoted" },
      { kind: "forward", text: "c" },
    ]);
    expect(parseText(composed.text)).toEqual(composed);
  });

  test.each<[string, TurnPart[]]>([
    ["", []],
    ["words", [{ kind: "answer", start: 0, end: 5 }]],
    ["[User] ", [{ kind: "prompt", start: 7, end: 7 }]],
    [
      "words\n\n[Tools] x",
      [
        { kind: "answer", start: 0, end: 5 },
        { kind: "tools", start: 15, end: 16 },
      ],
    ],
    ["[Tools] x", [{ kind: "tools", start: 8, end: 9 }]],
    ["[Assistant] x\n[User] y", [{ kind: "answer", start: 12, end: 22 }]],
  ])("%j", (text, parts) => {
    expect(parseText(text)).toEqual({ text, parts });
  });
});
