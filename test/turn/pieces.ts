import fc from "fast-check";
import type { PartContent, PartKind } from "../../src/turn/text.ts";

const ORDER: readonly PartKind[] = [
  "prompt",
  "thinking",
  "narration",
  "answer",
  "tools",
  "errors",
  "forward",
];

const plain = fc
  .array(fc.constantFrom("word", " ", "\n", "\n\n", "漢", "👩", "[x] ", "User]"), {
    minLength: 1,
    maxLength: 12,
  })
  .map((words) => words.join("").trim())
  .filter((text) => text !== "");

const quoting = fc
  .array(fc.constantFrom("word", " ", "\n\n", "[User] ", "[Assistant] ", "[Tools] ", "[Errors] "), {
    minLength: 1,
    maxLength: 12,
  })
  .map((words) => words.join("").trim())
  .filter((text) => text !== "");

function inOrder(text: fc.Arbitrary<string>): fc.Arbitrary<PartContent[]> {
  const said = fc.array(
    fc.record({ kind: fc.constantFrom<PartKind>("thinking", "narration", "answer"), text }),
    {
      maxLength: 4,
    },
  );
  const one = (kind: PartKind) =>
    fc.option(
      text.map((words): PartContent => ({ kind, text: words })),
      { nil: null },
    );
  return fc
    .tuple(one("prompt"), said, one("tools"), one("errors"), one("forward"))
    .map(([prompt, middle, ...rest]) => [prompt, ...middle, ...rest].filter((piece) => piece !== null))
    .filter((found) => found.every(({ kind }) => ORDER.includes(kind)));
}

/** Pieces in the order in which turns have them; their texts quote labels. */
export const pieces = inOrder(quoting);

/** The same with texts that quote no label. */
export const plainPieces = inOrder(plain);
