import { expect, test } from "bun:test";
import questions from "../../fixtures/marks/questions.json";
import { isSameQuestion } from "../../src/recall/hidden.ts";
import { openBenchEmbedder } from "../bench/memory.ts";

test("vectors tell rephrased questions from other questions about the same turn", async () => {
  const embedder = await openBenchEmbedder();
  const asked = async (text: string) => ({ text, vector: await embedder.embed(text) });
  try {
    const counts = { same: 0, other: 0 };
    for (const { question, same, other } of questions)
      for (const [kind, texts] of [
        ["same", same],
        ["other", other],
      ] as const)
        for (const text of texts)
          if (isSameQuestion(await asked(question), await asked(text))) counts[kind] += 1;
    expect(counts.same).toBeGreaterThanOrEqual(56);
    expect(counts.other).toBeLessThanOrEqual(2);
  } finally {
    await embedder.close();
  }
}, 600_000);
