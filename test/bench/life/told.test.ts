import { expect, test } from "bun:test";
import fc from "fast-check";
import { fcOptions } from "../../support/fast-check.ts";
import { fileTurns, statementHash, toldTurns } from "./told.ts";

const ANSWER = `<mementor-memory>
Notes from earlier sessions of this project that may bear on this prompt.

## 2026-01-13: Tide table, branch main
> The table is read at start,
>
> because the harbour sends it once a day.
Later on this matter, 2026-01-14 (turn 90): "it is sent twice now"
Whole turn: mementor show 80

## 2026-01-12: Clocks
> ## Whole turn: mementor show 7
Changed since: src/tide.ts
Whole turn: mementor -C /dev/tide show 81
</mementor-memory>`;

test("a told turn is a block with its quoted lines; a line may mention another one", () => {
  expect(toldTurns(ANSWER)).toEqual([
    { turnId: 80, statement: "The table is read at start,\n\nbecause the harbour sends it once a day." },
    { turnId: 90, statement: null },
    { turnId: 81, statement: "## Whole turn: mementor show 7" },
  ]);
  expect(toldTurns("")).toEqual([]);
});

const FILE_TEXT = `<mementor-memory>
Said earlier where \`src/tide.ts\` was worked on (\`mementor show <turn>\` prints a whole turn):
- 2026-01-13, Claude: "The table is read at start, because the harbour (turn 3) sends it once." (turn 80)
- 2026-01-12, Claude: "The seed must run first." (turn 81)
</mementor-memory>`;

test("a text of the file hook has a line for each turn", () => {
  expect(fileTurns(FILE_TEXT)).toEqual([
    {
      turnId: 80,
      statement: 'Claude: "The table is read at start, because the harbour (turn 3) sends it once."',
    },
    { turnId: 81, statement: 'Claude: "The seed must run first."' },
  ]);
  expect(fileTurns("")).toEqual([]);
});

test("a statement is the same with other white space", () => {
  expect(statementHash("It is\n\n late ")).toBe(statementHash("It is late"));
  expect(statementHash("It is late")).toBe("ce2d90fd30ba");
});

test("whatever is quoted, each block is found", () => {
  const blocks = fc.uniqueArray(fc.record({ turnId: fc.nat(), text: fc.string() }), {
    selector: ({ turnId }) => turnId,
  });
  fc.assert(
    fc.property(blocks, (all) => {
      const answer = all.map(({ turnId, text }) => {
        const quoted = text.split("\n").map((line) => `> ${line}`);
        return ["## 2026-01-12: title", ...quoted, `Whole turn: mementor show ${turnId}`].join("\n");
      });
      const told = toldTurns(answer.join("\n\n"));
      expect(told).toEqual(all.map(({ turnId, text }) => ({ turnId, statement: text })));
    }),
    fcOptions(),
  );
});
