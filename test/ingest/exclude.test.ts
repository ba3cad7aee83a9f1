import { expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { excludePaths, globTest } from "../../src/ingest/exclude.ts";
import { readAll } from "../support/read-turns.ts";
import { contentsOf } from "./contents.ts";
import { TestMemory } from "./memory.ts";

const SHAPES = join(import.meta.dir, "../../fixtures/transcripts/shapes");

test("a turn contains nothing of an excluded file: no mention, no call, no error", async () => {
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

test("nothing of an excluded project is stored, however its transcript grows", async () => {
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

test("what comes alone in a later append of a session that is left out is not stored", async () => {
  await using memory = await TestMemory.create();
  const path = join(memory.directory, "left-out.jsonl");
  const sessionId = "5e550000-0000-4000-8000-000000000001";
  const deps = memory.deps({ paths: [], projects: ["/home/ada/secret"] });
  // The boundary ends the last turn: what follows is read without anything that says where the session works.
  const told = readFileSync(join(SHAPES, "compaction.jsonl"), "utf8")
    .split(/(?<=\n)/)
    .slice(0, 4);
  const alone = [
    { type: "pr-link", sessionId, prNumber: 7, prUrl: "https://x/pull/7", prRepository: "a/b" },
    { type: "ai-title", sessionId, aiTitle: "A quiet title" },
    { type: "system", subtype: "compact_boundary", sessionId },
  ].map((entry) => `${JSON.stringify(entry)}\n`);
  let text = "";
  for (const append of [told.join("").replaceAll("/home/ada/shop", "/home/ada/secret"), ...alone, ...alone]) {
    text += append;
    writeFileSync(path, text);
    await memory.ingest([path], deps);
  }
  const { sessions, turns, prLinks, compactions } = contentsOf(memory.file);
  expect({ sessions, turns, prLinks, compactions }).toEqual({
    sessions: [],
    turns: [],
    prLinks: [],
    compactions: [],
  });
  const prompt = told[0]?.replaceAll("00000001-", "00000009-");
  writeFileSync(path, text + prompt + alone[0]);
  await memory.ingest([path], deps);
  const { turns: elsewhere, prLinks: links } = contentsOf(memory.file);
  expect({ turns: elsewhere?.length, links: links?.length }).toEqual({ turns: 1, links: 1 });
});

test("a turn without a directory is excluded with its session", async () => {
  await using memory = await TestMemory.create();
  const path = join(memory.directory, "left-out.jsonl");
  const [prompt = ""] = readFileSync(join(SHAPES, "compaction.jsonl"), "utf8").split(/(?<=\n)/);
  const lost = prompt.replaceAll("00000001-", "00000002-").replace('"cwd":"/home/ada/shop",', "");
  writeFileSync(path, prompt + lost);
  await memory.ingest([path], memory.deps({ paths: [], projects: ["/home/ada/*"] }));
  expect(contentsOf(memory.file).turns).toEqual([]);
});
