import { expect, test } from "bun:test";
import { scoreSettling } from "../../../src/recall/matter/settled.ts";
import type { ScoredSentence } from "../../../src/recall/statement/choose.ts";

const CODE = [
  "// The parser must never drop the sign of a refund.",
  "// We decided that because the ledger sums them.",
];
const RULE = "Refunds must always keep their sign in the ledger.";

test.each(["prompt", "unsure"] as const)("code in a prompt settles nothing: %s", (kind) => {
  const sentences = [...CODE, RULE].map((text, line): ScoredSentence => {
    const place = { start: 0, end: text.length, line, place: 0 };
    return { kind, text, ...place, isHeading: false, isItem: false, score: 0 };
  });
  expect(scoreSettling(sentences, false).map(({ score }) => score > 0)).toEqual([false, false, true]);
});
