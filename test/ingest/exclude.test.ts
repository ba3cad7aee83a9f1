import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { excludePaths, globTest } from "../../src/ingest/exclude.ts";
import { readAll } from "../support/read-turns.ts";
import { TestMemory } from "./memory.ts";

const SHAPES = join(import.meta.dir, "../../fixtures/transcripts/shapes");

test("a turn tells nothing of an excluded file: no mention, no call, no error", async () => {
  const { steps } = await readAll(join(SHAPES, "failed-tools.jsonl"));
  const turns = steps.flatMap((step) => step.turns);
  const paths = new Set(
    turns.flatMap(({ entries }) => entries.flatMap(({ mentions }) => mentions)).map((m) => m.filePath),
  );
  expect(paths.size).toBeGreaterThan(0);
  for (const path of paths) {
    const without = turns.map((turn) => excludePaths(turn, globTest([path])));
    const texts = without.flatMap(({ entries }) =>
      entries.flatMap(({ mentions, toolSummary, errors }) => [
        ...mentions.map((m) => m.filePath),
        ...toolSummary,
        ...errors,
      ]),
    );
    expect(texts.filter((text) => text.includes(path))).toEqual([]);
  }
  expect(turns.map((turn) => excludePaths(turn, globTest(["nowhere/**"])))).toEqual(turns);
});

test("of a project that is left out nothing is stored, in whatever steps its transcript grows", async () => {
  await using memory = await TestMemory.create();
  const path = join(memory.directory, "left-out.jsonl");
  const lines = readFileSync(join(SHAPES, "two-sessions.jsonl"), "utf8").split(/(?<=\n)/);
  for (let end = 1; end <= lines.length; end++) {
    writeFileSync(path, lines.slice(0, end).join(""));
    const deps = memory.deps({ paths: [], projects: ["/home/ada/shop"] });
    const report = await memory.ingest([path], deps);
    expect(report.turns).toEqual({ inserted: 0, updated: 0 });
  }
  const { files } = await memory.ingest([path]);
  expect(files).toEqual({ read: 0, unchanged: 1, rewritten: 0, failed: 0, excluded: 0 });
  const db = readFileSync(memory.file);
  const log = readFileSync(`${memory.file}-wal`);
  for (const bytes of [db, log]) expect(bytes.includes("second session")).toBe(false);
});
