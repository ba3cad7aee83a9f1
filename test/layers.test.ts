import { expect, test } from "bun:test";
import { dirname, join, relative } from "node:path";

/** Folders and files of `src`, lowest layer first; a layer sees only the layers before it. */
const LAYERS: readonly (readonly string[])[] = [
  ["domain.ts", "errors.ts", "constants.ts"],
  ["io.ts", "host.ts", "version.ts", "text"],
  ["assets", "config", "log", "git", "transcript", "chunk", "embed", "store"],
  ["agents"],
  ["ingest", "search", "project", "build"],
  ["import", "report"],
  ["render"],
  ["runtime.ts"],
  ["mcp", "plugin"],
  ["commands", "hooks"],
  ["cli.ts"],
  ["main.ts"],
];

/** Outside `src` there is the manifest and the licences of packages. */
const TEXTS = /^\.\.\/(?:package\.json|node_modules\/.*LICEN[CS]E[^/]*)$/;

const SRC = join(import.meta.dir, "..", "src");

function layerOf(path: string): number {
  const top = path.split("/")[0] ?? "";
  return LAYERS.findIndex((names) => names.includes(top));
}

/** Relative imports of a file, as paths below `src`. */
function importsOf(path: string, source: string): string[] {
  const specifiers = source.matchAll(/(?:from\s+|import\s*\(\s*|import\s+)["'](\.{1,2}\/[^"']+)["']/g);
  return [...specifiers].map(([, specifier]) => relative(SRC, join(SRC, dirname(path), specifier ?? "")));
}

function breach(path: string, target: string): string | null {
  const [from, to] = [layerOf(path), layerOf(target)];
  if (target.startsWith("..")) return TEXTS.test(target) ? null : `${path} imports ${target}, outside src`;
  if (to < 0) return `${path} imports ${target}, which has no layer`;
  const sameFolder = path.split("/")[0] === target.split("/")[0];
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
    if (path.startsWith("store/")) continue;
    const source = await Bun.file(join(SRC, path)).text();
    if (
      /["'`]\s*(select|insert into|update|delete from|create table|pragma)\s/i.test(source) ||
      source.includes("bun:sqlite")
    )
      offenders.push(path);
  }
  expect(offenders).toEqual([]);
});
