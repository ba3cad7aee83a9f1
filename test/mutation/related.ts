import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { Glob } from "bun";

const ROOT = resolve(import.meta.dir, "../..");

/** The folders of pure code. */
export const FOLDERS = ["turn", "ingest/chunk", "recall", "text", "ingest/transcript"];

/** Folders whose tests say what the code of a folder must do, beside those of the same name. */
const MORE_TESTS: Readonly<Record<string, readonly string[]>> = {
  turn: ["ingest/transcript", "ingest/chunk"],
  "ingest/transcript": ["agents"],
};

/** Left out: fitted weights, which only `bench:recall` can judge. */
const NOT_MUTATED = new Set(["recall/weights.ts"]);

/** Returns source files, relative to `src`, of a folder, or the file itself. */
export function sourcesOf(only: string): string[] {
  const path = join(ROOT, "src", only);
  if (only.endsWith(".ts")) return existsSync(path) ? [only] : [];
  return found(path, "**/*.ts")
    .map((file) => relative(join(ROOT, "src"), join(ROOT, file)))
    .filter((file) => !NOT_MUTATED.has(file));
}

/** Returns the test files to run for a source file: first those of its name, then the others of its folder. */
export function relatedTests(source: string): { first: string[]; rest: string[] } {
  const folder = FOLDERS.find((name) => source.startsWith(`${name}/`)) ?? source.split("/", 1).join();
  const all = [folder, ...(MORE_TESTS[folder] ?? [])].flatMap((name) =>
    found(join(ROOT, "test", name), "**/*.test.ts"),
  );
  const name = basename(source, ".ts");
  const first = all.filter((file) => basename(file) === `${name}.test.ts` && file.includes(dirname(source)));
  return { first, rest: all.filter((file) => !first.includes(file)) };
}

function found(directory: string, pattern: string): string[] {
  if (!existsSync(directory)) return [];
  const files = [...new Glob(pattern).scanSync({ cwd: directory })];
  return files.map((file) => relative(ROOT, join(directory, file))).sort();
}
