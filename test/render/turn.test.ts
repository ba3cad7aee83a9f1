import { expect, test } from "bun:test";
import { styleFor } from "../../src/render/style.ts";
import { renderTurn, turnJson } from "../../src/render/turn.ts";
import { composeText } from "../../src/turn/text.ts";
import { aTurn } from "../search/made.ts";

const turn = aTurn({
  turnId: 7,
  ...composeText([
    { kind: "prompt", text: "Why is it slow?" },
    { kind: "thinking", text: "Perhaps the parser.\n\nOr the disk." },
    { kind: "answer", text: "It is the parser." },
  ]),
});
const NOW = new Date("2026-03-04T12:00:00Z");
const below = (text: string) => text.slice(text.indexOf("\n\n") + 2);

test("a turn tells its thinking from its answer", () => {
  expect(below(renderTurn(turn, styleFor({ isTerminal: false }, {}), NOW))).toBe(
    [
      "[User] Why is it slow?",
      "[Assistant, thinking] Perhaps the parser.\n\nOr the disk.",
      "[Assistant] It is the parser.\n",
    ].join("\n\n"),
  );
});

test("a terminal shows each line of thinking dimmed", () => {
  const text = renderTurn(turn, styleFor({ isTerminal: true }, { LANG: "en_US.UTF-8" }), NOW);
  expect(text).toContain(
    "\x1b[2m[Assistant, thinking] Perhaps the parser.\x1b[22m\n\n\x1b[2mOr the disk.\x1b[22m\n\n[Assistant] ",
  );
});

test("JSON has the text as it is stored, and where its parts are", () => {
  const { text, parts } = turnJson(turn);
  expect(parts.map(({ kind, start, end }) => [kind, text.slice(start, end)])).toEqual([
    ["prompt", "Why is it slow?"],
    ["thinking", "Perhaps the parser.\n\nOr the disk."],
    ["answer", "It is the parser."],
  ]);
});
