import { expect, test } from "bun:test";
import fc from "fast-check";
import { fcOptions } from "../../support/fast-check.ts";
import { fileTurns, statementHash, toldTurns } from "./told.ts";

const ANSWER = `<mementor-memory>
Notes from earlier sessions of this project that may bear on this prompt.

1. 2026-01-13, asked: "When is the tide table read?"
> Claude: The table is read at start,
> the user: because the harbour sends it once a day.
commit 0123456789; more: mementor recall --show 80-82
Before that, 2026-01-03, session 5c4e08fc, turn 9
> Claude: It is read each hour.

2. 2026-01-12, session 5c4e08fc, turn 90, every prompt and answer:
> Claude: It is whole.

3. 2026-01-12
> Claude: 1. more: mementor show 7
changed since: src/tide.ts; more: mementor -C /dev/tide show 81
</mementor-memory>`;

test("a told turn is a block with its quoted lines, and the command that shows more", () => {
  expect(toldTurns(ANSWER)).toEqual([
    {
      turnId: 80,
      statement: "Claude: The table is read at start,\nthe user: because the harbour sends it once a day.",
    },
    { turnId: 90, statement: "Claude: It is whole." },
    { turnId: 81, statement: "Claude: 1. more: mementor show 7" },
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
        return ["1. 2026-01-12", ...quoted, `more: mementor show ${turnId}`].join("\n");
      });
      const told = toldTurns(answer.join("\n\n"));
      expect(told).toEqual(all.map(({ turnId, text }) => ({ turnId, statement: text })));
    }),
    fcOptions(),
  );
});
