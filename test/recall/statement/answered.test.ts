import { expect, test } from "bun:test";
import { joinBest, scoredSentences } from "../../../src/recall/statement/choose.ts";
import { composeText } from "../../../src/turn/text.ts";

test("a question of the agent is told with the user's answer to it", () => {
  const turn = composeText([
    {
      kind: "prompt",
      text: "Add late ferries to the board.\n\nQuestion: How should a late ferry be shown?\nAnswer: Strike through\nNotes: Blinking text fails the audit",
    },
    { kind: "answer", text: "Done, with a test." },
  ]);
  const words = [
    { form: "ferr", weight: 2 },
    { form: "blink", weight: 3 },
  ];
  expect(joinBest(scoredSentences(turn, { words, total: 5 }), { chars: 400 })?.text).toBe(
    "Question: How should a late ferry be shown? Answer: Strike through. Notes: Blinking text fails the audit",
  );
});
