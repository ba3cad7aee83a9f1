import { expect, test } from "bun:test";
import { join } from "node:path";
import type { IngestProgress } from "../../src/ingest/run.ts";
import { TestMemory } from "./memory.ts";

const SHAPES = join(import.meta.dir, "../../fixtures/transcripts/shapes");

test("a file that nothing mentions any more when its turn to be embedded comes does not hold up the others", async () => {
  await using memory = await TestMemory.create();
  // The second tells of the same prompt without the files of the first.
  const paths = ["paths", "commits"].map((name) => join(SHAPES, `${name}.jsonl`));
  await memory.ingest(paths, { textOnly: true });
  expect((await memory.store.ingest.pendingResources(100)).length).toBeGreaterThan(0);
  await memory.ingest([], { signal: AbortSignal.timeout(5_000) });
  expect(await memory.store.ingest.pendingResources(100)).toEqual([]);
  expect(await memory.store.ingest.hasPendingVectors()).toBe(false);
});

test("the progress says what is ready now, not what was when its page began", async () => {
  await using memory = await TestMemory.create();
  const paths = ["paths", "commits"].map((name) => join(SHAPES, `${name}.jsonl`));
  await memory.ingest(paths, { textOnly: true });
  const { first, rest } = await memory.store.ingest.vectorsReady();
  expect(first.pending).toBeGreaterThan(0);
  const shown: IngestProgress["ready"][] = [];
  await memory.ingest([], { onProgress: ({ ready }) => shown.push(ready) });
  expect(shown.at(-1)).toEqual({ first: { ...first, pending: 0 }, rest: { ...rest, pending: 0 } });
});
