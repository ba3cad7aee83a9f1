import { expect, test } from "bun:test";
import { embedInParallel } from "../../src/embed/run.ts";

test("texts are embedded in their order, however long they are, and nothing is started for a consumer that stopped", async () => {
  const texts = ["how", "a long answer ".repeat(9), "why", "where it went ".repeat(99), "when"];
  const started: string[] = [];
  const embed = async (text: string) => {
    started.push(text);
    return new Float32Array([text.length]);
  };
  const done: number[] = [];
  for await (const { index, vector } of embedInParallel(texts, 2, embed)) {
    expect(vector[0]).toBe(texts[index]?.length);
    done.push(index);
    if (done.length === 3) break;
  }
  expect(started).toEqual(texts.slice(0, 4));
  expect(done).toEqual([0, 1, 2]);
});
