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

test("a model that runs in this thread leaves time for what else happens, between two texts", async () => {
  const heard: string[] = [];
  setImmediate(() => heard.push("a signal"));
  for await (const { index } of embedInParallel(["a", "b"], 1, async () => new Float32Array(1)))
    heard.push(`text ${index}`);
  expect(heard).toEqual(["a signal", "text 0", "text 1"]);
});
