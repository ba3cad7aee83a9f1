import { expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import { describeRead, readAll } from "../../support/read-turns.ts";

const SHAPES = join(import.meta.dir, "../../../fixtures/transcripts/shapes");
const files = [...new Glob("**/*.jsonl").scanSync(SHAPES)]
  .filter((file) => !file.includes("acompact"))
  .sort();

test("there is a fixture for every shape", () => {
  expect(files.length).toBeGreaterThan(35);
});

test.each(files)("%s", async (file) => {
  const expected = await Bun.file(join(SHAPES, file.replace(/\.jsonl$/, ".txt"))).text();
  expect(describeRead(await readAll(join(SHAPES, file)))).toBe(expected);
});

test.each(files)("%s: every line is indexed or skipped", async (file) => {
  const { last } = await readAll(join(SHAPES, file));
  const skipped = Object.values(last.lines.skipped).reduce((sum, count) => sum + count, 0);
  expect(last.lines.indexed + skipped).toBe(last.lines.total);
  expect(last.lines.total).toBe(last.cursor.lineIndex);
});
