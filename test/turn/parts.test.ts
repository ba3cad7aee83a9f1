import { expect, test } from "bun:test";
import { withoutNarration } from "../../src/turn/parts.ts";
import { composeText } from "../../src/turn/text.ts";

test("narration joins the answer beside it, as older programs know it", () => {
  const words = [
    { kind: "prompt", text: "Why?" },
    { kind: "narration", text: "Let me look." },
    { kind: "answer", text: "A typo." },
    { kind: "tools", text: "Read(a.ts)" },
  ] as const;
  const { parts } = composeText(words);
  const older = words.map(({ kind, text }) => ({
    kind: kind === "narration" ? ("answer" as const) : kind,
    text,
  }));
  expect(withoutNarration(parts)).toEqual([...composeText(older).parts]);
});
