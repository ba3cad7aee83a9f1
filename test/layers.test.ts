import { expect, test } from "bun:test";
import { dirname, join, relative } from "node:path";

/**
 * Folders and files of `src`, lowest layer first; a layer sees only the layers before it. A folder within another that is
 * named here is a folder of its own.
 */
const LAYERS: readonly (readonly string[])[] = [
  ["errors.ts", "constants.ts", "lazily.ts", "texts.d.ts"],
  ["io", "host.ts", "version.ts", "text"],
  ["redact"],
  ["turn"],
  ["domain.ts"],
  ["assets", "config", "ingest/transcript", "embed", "store"],
  ["agents"],
  ["ingest", "recall", "project", "sync"],
  ["setup"],
  ["report"],
  ["user-paths.ts"],
  ["runtime.ts"],
  ["recall/across"],
  ["mcp", "hooks"],
  ["cli"],
  ["build"],
  ["main.ts"],
];

/** Outside `src` there is the manifest, the plugin's marketplace, the pages of the documentation and the licences of packages. */
const TEXTS =
  /^\.\.\/(?:package\.json|\.claude-plugin\/marketplace\.json|\.github\/docs\/[\w-]+\.md|node_modules\/.*LICEN[CS]E[^/]*)$/;

/** Locks between processes are those of an empty database. */
const LOCK = "io/lock.ts";
/** Asks SQLite for the local time, which knows it without a database. */
const CLOCK = "io/local-time.ts";
/** Loads SQLite for these; it runs no statement. */
const LOADER = "io/sqlite.ts";
/** What reads the database of another program. */
const FOREIGN: ReadonlySet<string> = new Set([
  "agents/foreign-database.ts",
  "agents/antigravity/reader.ts",
  "agents/cursor/composer.ts",
  "agents/cursor/editor.ts",
  "agents/cursor/store.ts",
  "agents/codex/agent.ts",
  "agents/opencode/rows.ts",
]);

const SRC = join(import.meta.dir, "..", "src");

function folderOf(path: string): string {
  const [top = "", below = ""] = path.split("/");
  const inner = `${top}/${below}`;
  return LAYERS.flat().includes(inner) ? inner : top;
}

function layerOf(path: string): number {
  return LAYERS.findIndex((names) => names.includes(folderOf(path)));
}

/** Relative imports of a file, as paths below `src`. */
function importsOf(path: string, source: string): string[] {
  const specifiers = source.matchAll(/(?:from\s+|import\s*\(\s*|import\s+)["'](\.{1,2}\/[^"']+)["']/g);
  return [...specifiers].map(([, specifier]) => relative(SRC, join(SRC, dirname(path), specifier ?? "")));
}

/** Imports of every file, types included. */
async function importGraph(): Promise<Map<string, string[]>> {
  const graph = new Map<string, string[]>();
  for await (const path of new Bun.Glob("**/*.ts").scan(SRC)) {
    graph.set(path, importsOf(path, await Bun.file(join(SRC, path)).text()));
  }
  return graph;
}

/** Groups of files that reach each other through imports, each in alphabetical order. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const reachable = new Map([...graph.keys()].map((path) => [path, reachableFrom(path, graph)]));
  const reaches = (from: string, to: string) => reachable.get(from)?.has(to) ?? false;
  const circles = [...graph.keys()]
    .filter((path) => reaches(path, path))
    .map((path) => [...graph.keys()].filter((other) => reaches(path, other) && reaches(other, path)).sort());
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()];
}

function reachableFrom(path: string, graph: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set<string>();
  const waiting = [...(graph.get(path) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    waiting.push(...(graph.get(next) ?? []));
  }
  return found;
}

function breach(path: string, target: string): string | null {
  const [from, to] = [layerOf(path), layerOf(target)];
  if (target.startsWith("..")) return TEXTS.test(target) ? null : `${path} imports ${target}, outside src`;
  if (to < 0) return `${path} imports ${target}, which has no layer`;
  const sameFolder = folderOf(path) === folderOf(target);
  return sameFolder || to < from ? null : `${path} (layer ${from}) imports ${target} (layer ${to})`;
}

test("imports point down the layers, and folders of one layer do not know each other", async () => {
  const breaches: string[] = [];
  for await (const path of new Bun.Glob("**/*.ts").scan(SRC)) {
    if (layerOf(path) < 0) breaches.push(`${path} has no layer`);
    const source = await Bun.file(join(SRC, path)).text();
    breaches.push(...importsOf(path, source).flatMap((target) => breach(path, target) ?? []));
  }
  expect(breaches).toEqual([]);
});

test("two databases, and two ways to sync, know what both are, and not each other; that knows neither of them", async () => {
  const half = (path: string) => path.split("/").slice(1, -1)[0] ?? "both";
  const within = (folder: string, ...paths: string[]) => paths.every((path) => path.startsWith(`${folder}/`));
  const edges = [...(await importGraph())].flatMap(([path, targets]) =>
    targets.flatMap((target) =>
      within("store", path, target) || within("sync", path, target) ? [[path, target]] : [],
    ),
  );
  const offenders = edges.filter(([path = "", target = ""]) => !["both", half(path)].includes(half(target)));
  expect(offenders).toEqual([]);
});

test("no files import each other in a circle, types included", async () => {
  expect(circlesOf(await importGraph()).sort()).toEqual([]);
});

test("a circle of imports is found with all its files, and no others", () => {
  const graph = new Map([
    ["a.ts", ["b.ts"]],
    ["b.ts", ["c.ts", "d.ts"]],
    ["c.ts", ["b.ts"]],
    ["d.ts", []],
    ["e.ts", ["e.ts"]],
  ]);
  expect(circlesOf(graph)).toEqual([["b.ts", "c.ts"], ["e.ts"]]);
});

/** What a file loads at once, and all that these load. */
async function loadedWith(path: string): Promise<Set<string>> {
  const transpiler = new Bun.Transpiler({ loader: "ts" });
  const loaded = new Set([path]);
  for (const each of loaded) {
    if (!each.endsWith(".ts")) continue;
    const imports = transpiler.scanImports(await Bun.file(join(SRC, each)).text());
    for (const { kind, path: target } of imports)
      if (kind === "import-statement" && target.startsWith(".")) loaded.add(join(dirname(each), target));
  }
  return loaded;
}

test.each([
  ["a question", "mcp/search.ts", 20],
  ["an agent's question, of what its session still sees", "agents/claude-code/running-call.ts", 10],
  ["and how far the memory has read that", "store/sqlite/marks.ts", 10],
  ["a prompt", "hooks/prompt-recall.ts", 20],
  ["a file that is opened", "hooks/file-memory.ts", 20],
  ["a session's start", "hooks/session-start.ts", 20],
])("%s waits for no reader of conversations and no rules for secrets", async (_name, path, files) => {
  const loaded = await loadedWith(path);
  const slow = ["agents/list.ts", "redact/scan.ts", "ingest/transcript/thread.ts"];
  expect(loaded.size).toBeGreaterThan(files);
  expect(slow.filter((each) => loaded.has(each))).toEqual([]);
});

test("an agent's format is known in its folder only", async () => {
  // Hooks and settings are Claude Code's too, and need its directory.
  const allowed = new Set(["user-paths.ts agents/claude-code/home.ts"]);
  const offenders: string[] = [];
  for await (const path of new Bun.Glob("**/*.ts").scan(SRC)) {
    if (path.startsWith("agents/")) continue;
    const source = await Bun.file(join(SRC, path)).text();
    for (const target of importsOf(path, source))
      if (/^agents\/.+\//.test(target) && !allowed.has(`${path} ${target}`))
        offenders.push(`${path} ${target}`);
  }
  expect(offenders).toEqual([]);
});

test("only main.ts touches argv, the environment and the exit code", async () => {
  const offenders: string[] = [];
  for await (const path of new Bun.Glob("**/*.ts").scan(SRC)) {
    if (path === "main.ts") continue;
    const source = await Bun.file(join(SRC, path)).text();
    if (/\bprocess\.(argv|env|exit|exitCode)\b|\bBun\.(argv|env)\b/.test(source)) offenders.push(path);
  }
  expect(offenders).toEqual([]);
});

test("SQL stays in store/", async () => {
  const offenders: string[] = [];
  for await (const path of new Bun.Glob("**/*.ts").scan(SRC)) {
    if (path.startsWith("store/") || path === LOCK || path === CLOCK || path === LOADER || FOREIGN.has(path))
      continue;
    const source = await Bun.file(join(SRC, path)).text();
    if (
      /["'`]\s*(select|insert into|update|delete from|create table|pragma)\s/i.test(source) ||
      source.includes("bun:sqlite")
    )
      offenders.push(path);
  }
  expect(offenders).toEqual([]);
});

test("only turn/ looks for the labels in a turn's text", async () => {
  const offenders: string[] = [];
  for await (const path of new Bun.Glob("**/*.ts").scan(SRC)) {
    if (path.startsWith("turn/")) continue;
    const source = await Bun.file(join(SRC, path)).text();
    if (LABEL.test(withoutComments(source))) offenders.push(path);
  }
  expect(offenders).toEqual([]);
});

/** A label of a turn's text, as text or as a regular expression. */
const LABEL = /\[(?:\(\?:)?(?:User|Assistant|Tools|Errors)\b/;

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

test("only io/system.ts renames files: Windows refuses that for a while where somebody has one open", async () => {
  const found: string[] = [];
  for await (const path of new Bun.Glob("**/*.ts").scan(SRC))
    if (/\brename(?:Sync)?\b[^;]*\} from "node:fs/.test(await Bun.file(join(SRC, path)).text()))
      found.push(path);
  expect(found.map((path) => path.replaceAll("\\", "/"))).toEqual(["io/system.ts"]);
});
