import { expect, test } from "bun:test";
import { join, relative } from "node:path";

const SRC = join(import.meta.dir, "../../src");
const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Returns what a file loads as it starts, itself included: neither types nor what it imports later. */
async function loadedBy(path: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(path)) return found;
  found.add(path);
  if (!path.endsWith(".ts")) return found;
  for (const { kind, path: target } of transpiler.scanImports(await Bun.file(join(SRC, path)).text()))
    if (kind === "import-statement" && target.startsWith("."))
      await loadedBy(relative(SRC, join(SRC, path, "..", target)), found);
  return found;
}

test.each([
  "hooks/pre-tool-use.ts",
  "hooks/file-memory.ts",
  "agents/claude-code/running.ts",
  "store/sqlite/browse/file-turns.ts",
])("before a file is read, %s loads neither the redactor nor what finds titles", async (path) => {
  const loaded = [...(await loadedBy(path))];
  expect(loaded.length).toBeGreaterThan(3);
  expect(loaded.filter((each) => /^redact\/redact|^turn\/(?:pasted|title)/.test(each))).toEqual([]);
});

test("to find out whose a file is loads no reader of one", async () => {
  const loaded = [...(await loadedBy("agents/list.ts"))];
  expect(loaded.length).toBeGreaterThan(20);
  expect(loaded.filter((each) => /(?:^|\/)(?:reader|json-lines|records|recorder)\.ts$/.test(each))).toEqual(
    [],
  );
});
