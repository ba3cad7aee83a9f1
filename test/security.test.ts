import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");

/** Rows of the table of promises, each with what its last column names. */
const rows = readFileSync(join(ROOT, ".github/SECURITY.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| against") && !line.startsWith("| ---"))
  .map((line) => line.split(" | "))
  .map((cells) => ({
    promise: cells[1] ?? "",
    tests: [...(cells.at(-1) ?? "").matchAll(/`(test\/[^`]+)`/g)].map(([, path = ""]) => path),
  }));

test("each promise names tests that hold it, and each of them exists", () => {
  expect(rows.length).toBeGreaterThan(8);
  expect(rows.filter(({ tests }) => tests.length === 0)).toEqual([]);
  const named = rows.flatMap(({ tests }) => tests);
  const holds = (path: string) =>
    path.endsWith("/")
      ? readdirSync(join(ROOT, path)).some((name) => name.endsWith(".test.ts"))
      : existsSync(join(ROOT, path));
  expect(named.filter((path) => !holds(path))).toEqual([]);
});
