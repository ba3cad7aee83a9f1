import { expect, test } from "bun:test";
import { cleanPiece } from "../../src/turn/text.ts";

test.each([
  ["[User] Why?\n\n[Assistant] Because.\n\nIt works.\n\n[Tools] Edit(a.ts)", "Why?\n\nBecause.\n\nIt works."],
  ["half a sentence.\n\n[Tools] Edit(a.ts)\n\n[Errors] exit 1", "half a sentence."],
  ["[Tools] Edit(a.ts)", "Edit(a.ts)"],
  ["[Errors] exit 1\n\nmore of it", "exit 1\n\nmore of it"],
  ["plain", "plain"],
  ["", ""],
])("readable(%p)", (piece, expected) => {
  expect(cleanPiece(piece)).toBe(expected);
});
