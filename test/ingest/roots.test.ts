import { expect, test } from "bun:test";
import { join } from "node:path";
import { TestMemory } from "./memory.ts";

const SHAPES = join(import.meta.dir, "../../fixtures/transcripts/shapes");

test("an ingest asks once for the roots of a directory, however many transcripts come from there", async () => {
  await using memory = await TestMemory.create();
  const asked: string[] = [];
  const rootsOf = (cwd: string) => {
    asked.push(cwd);
    return [cwd];
  };
  await memory.ingest(
    ["paths", "commits", "failed-tools"].map((name) => join(SHAPES, `${name}.jsonl`)),
    { rootsOf, textOnly: true },
  );
  expect(asked.length).toBeGreaterThan(0);
  expect(new Set(asked).size).toBe(asked.length);
});
