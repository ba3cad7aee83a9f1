import { expect, test } from "bun:test";
import { dirname, join, relative } from "node:path";

const SRC = join(import.meta.dir, "..", "..", "..", "src");

/** Bytes of source that the file of a command may load before the command runs. */
const MAX_BYTES = 272_000;

/** Rooms that take long to load, with their files that are light: names and types, and the head of a database's file. */
const HEAVY = /^(?:store\/(?:sqlite|postgres)|embed|ingest|mcp|sync|report|redact)\//;
const LIGHT = [
  "embed/embedder.ts",
  "embed/models/choose.ts",
  "embed/models/manifest.ts",
  "embed/optional.ts",
].concat(["redact/gate.ts", "store/sqlite/file/head.ts"]);
/** The command for models is about what they are made of. */
const OF_MODELS = "model.ts";

const transpiler = new Bun.Transpiler({ loader: "ts" });

/** Files that a file imports when it is loaded, without types and without what is imported later. */
async function importsOf(file: string): Promise<string[]> {
  const found = transpiler.scanImports(await Bun.file(file).text());
  return found
    .filter(({ kind, path }) => kind === "import-statement" && path.startsWith("."))
    .map(({ path }) => join(dirname(file), path));
}

async function loadedWith(file: string): Promise<Set<string>> {
  const loaded = new Set<string>();
  const waiting = [file];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (loaded.has(next)) continue;
    loaded.add(next);
    if (next.endsWith(".ts")) waiting.push(...(await importsOf(next)));
  }
  return loaded;
}

// Help, completions and suggestions load a command, or all of them: stores, models and readers are imported in "run".
test("the file of a command loads little before the command runs", async () => {
  const heavy: string[] = [];
  for await (const path of new Bun.Glob("*.ts").scan(join(SRC, "cli/commands"))) {
    if (path === "index.ts" || path === "overview.ts") continue;
    const files = [...(await loadedWith(join(SRC, "cli/commands", path)))];
    expect(files.length).toBeGreaterThan(3);
    const bytes = files.reduce((sum, file) => sum + Bun.file(file).size, 0);
    const names = files.map((file) => relative(SRC, file));
    if (bytes > MAX_BYTES) heavy.push(`${path} loads ${bytes} bytes: ${names.join(", ")}`);
    const slow = names.filter((name) => HEAVY.test(name) && !LIGHT.includes(name));
    if (slow.length > 0 && path !== OF_MODELS) heavy.push(`${path} loads ${slow.join(", ")}`);
  }
  expect(heavy).toEqual([]);
});

/** Modules of the runtime, and packages, that each take a part of a millisecond, and that no hook needs at its start. */
const SLOW = [
  ...["node:fs/promises", "node:crypto", "node:os", "node:stream", "node:url", "node:util"],
  ...["valibot", "jsonc-parser"],
];
const QUICK_HOOKS = ["run", "answer", "stop", "pre-tool-use", "session-start"];

test("what every hook loads names no module that is slow to load", async () => {
  const slow: string[] = [];
  // What they load later, but each time.
  const later = ["project/planted.ts", "setup/plugin/directory.ts", "store/sqlite/sqlite.ts"].concat([
    "hooks/prompt-recall.ts",
    "hooks/file-memory.ts",
  ]);
  const entries = ["main.ts", ...QUICK_HOOKS.map((name) => `hooks/${name}.ts`), ...later];
  for (const entry of entries)
    for (const file of await loadedWith(join(SRC, entry))) {
      if (!file.endsWith(".ts")) continue;
      const imports = transpiler.scanImports(await Bun.file(file).text());
      for (const { kind, path } of imports)
        if (kind === "import-statement" && SLOW.includes(path)) slow.push(`${relative(SRC, file)}: ${path}`);
    }
  expect(slow).toEqual([]);
});

test("a trivial prompt loads neither the memory nor the agents", async () => {
  const files = [...(await loadedWith(join(SRC, "hooks/run.ts")))].map((file) => relative(SRC, file));
  expect(
    files.filter((file) =>
      /^(?:agents\/(?!notices)|config|io\/git|project\/|setup\/(?!settings\/hook-)|runtime|store)/.test(file),
    ),
  ).toEqual([]);
});
