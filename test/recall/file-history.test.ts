import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileHistory, filesNamed } from "../../src/recall/file-history.ts";
import type { FileTouch } from "../../src/store/browse.ts";
import type { PathFilter } from "../../src/store/filter.ts";

const CWD = "/nowhere/app";

/** A memory that knows these paths, by their ends. */
function known(...paths: string[]) {
  return {
    findPaths: async ({ exact, suffix }: Pick<PathFilter, "exact" | "suffix">) => {
      const same = paths.filter((path) => exact.includes(path));
      if (same.length > 0 || suffix === null) return same;
      return paths.filter((path) => path.endsWith(suffix));
    },
    files: async ({ below = "" }: { below?: string | undefined }) =>
      paths
        .filter((path) => path.startsWith(below))
        .map((path) => ({ path, touches: 1, changes: 0, lastTime: null })),
  };
}

function touch(turnId: number, createdAt: string | null, ...toolNames: string[]): FileTouch {
  return {
    turnId,
    createdAt,
    toolNames,
    sessionId: "s1",
    client: "claude-code",
    origin: "human",
    sessionTitle: null,
    agentId: null,
    firstWords: "Look",
    title: "Look",
    branch: null,
    foreign: null,
    author: null,
  };
}

test("a path that was typed in full names one file, and is no directory", async () => {
  expect(await filesNamed("src/a.ts", CWD, known("src/a.ts", "lib/src/a.ts"))).toEqual({
    paths: ["src/a.ts"],
    directories: [],
  });
});

test("a name that is no file now does not hide files of the same name", async () => {
  const directory = mkdtempSync(join(tmpdir(), "mementor-files-"));
  const memory = known("a.ts", "src/a.ts");
  const paths = async () => (await filesNamed("a.ts", directory, memory)).paths;
  expect(await paths()).toEqual(["a.ts", "src/a.ts"]);
  writeFileSync(join(directory, "a.ts"), "");
  expect(await paths()).toEqual(["a.ts"]);
  rmSync(directory, { recursive: true });
});

test("the end of a path names at most ten files", async () => {
  const many = Array.from({ length: 12 }, (_, index) => `p${index}/a.ts`);
  expect(await filesNamed("a.ts", CWD, known(...many))).toEqual({
    paths: many.slice(0, 10),
    directories: [],
  });
});

test("a path with known files below it is a directory, with or without a final slash, also where a turn searched it", async () => {
  const memory = known("src/color", "src/color/mix.ts", "lib/src/color/other.ts");
  const directories = async (typed: string) => (await filesNamed(typed, CWD, memory)).directories;
  expect(await directories("src/color")).toEqual(["src/color/"]);
  expect(await directories("src/color/")).toEqual(["src/color/"]);
  expect(await directories("color")).toEqual(["src/color/"]);
  expect(await directories("src/color/mix.ts")).toEqual([]);
});

test("histories are merged: changes first, newer before older, the later turn first, and no more than wanted", async () => {
  const histories: Record<string, FileTouch[]> = {
    "a/x.ts": [touch(3, "2026-03-03", "Edit"), touch(9, "2026-03-09", "Read"), touch(1, null, "Read")],
    "b/x.ts": [touch(5, "2026-03-05", "Read", "Write"), touch(4, "2026-03-03", "MultiEdit")],
  };
  const browse = { fileHistory: async (path: string) => histories[path] ?? [] };
  const merged = await fileHistory(["a/x.ts", "b/x.ts"], { limit: 4, filter: {} }, browse);
  expect(merged.map(({ turnId, path }) => [turnId, path])).toEqual([
    [5, "b/x.ts"],
    [4, "b/x.ts"],
    [3, "a/x.ts"],
    [9, "a/x.ts"],
  ]);
  const byTime = await fileHistory(["a/x.ts", "b/x.ts"], { limit: 4, filter: {}, byTime: true }, browse);
  expect(byTime.map(({ turnId }) => turnId)).toEqual([9, 5, 4, 3]);
});

test("no file has no history", async () => {
  const browse = { fileHistory: async () => [touch(1, null, "Read")] };
  expect(await fileHistory([], { limit: 4, filter: {} }, browse)).toEqual([]);
});
