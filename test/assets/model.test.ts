import { expect, test } from "bun:test";
import { join } from "node:path";
import { sha256 } from "../../src/assets/directory.ts";

const MODEL = join(import.meta.dirname, "../../src/assets/model/bge-small-en-v1.5");

test("the model's files are those that its source page names", async () => {
  const page = await Bun.file(join(MODEL, "SOURCE.md")).text();
  const rows = [...page.matchAll(/^\| `([^`]+)` \| `([0-9a-f]{64})` \|$/gm)];
  expect(rows.length).toBe(6);
  for (const [, file = "", hash = ""] of rows)
    expect([file, sha256(await Bun.file(join(MODEL, file)).bytes())]).toEqual([file, hash]);
});
