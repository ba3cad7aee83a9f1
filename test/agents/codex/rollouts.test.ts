import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { codex } from "../../../src/agents/codex/agent.ts";
import { agentOf, isBelowRoots } from "../../../src/agents/list.ts";
import { findProject } from "../../../src/io/git/project.ts";
import { contentsOf } from "../../ingest/contents.ts";
import { TestMemory } from "../../ingest/memory.ts";
import { readAll } from "../../support/read-turns.ts";
import { SCRATCH } from "../../support/scratch.ts";
import { sessionsOf } from "../sources.ts";

const FIXTURES = join(import.meta.dir, "../../../fixtures/agents/codex");
const LEGACY = "rollout-2026-02-01T08-00-00-0199a000-0008-7000-8000-000000000008.jsonl";
const ARCHIVED = join(FIXTURES, "home/.codex/archived_sessions", LEGACY);

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(SCRATCH, "mementor-codex-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const environment = (env: Record<string, string> = {}) => ({
  env,
  homeDir: home,
  platform: "linux" as const,
});

/** Turns by what they say and where they belong, whatever line they are on. */
function said(file: string): unknown[] {
  return (contentsOf(file).turns ?? []).map((turn) => [
    turn[0],
    turn[3],
    ...turn.slice(4, 8),
    ...turn.slice(11),
  ]);
}

describe("a rollout that `codex migrate-rollouts` writes anew in place", () => {
  test("says the same", async () => {
    const before = await readAll(ARCHIVED);
    const after = await readAll(join(FIXTURES, "migrated", LEGACY));
    const words = ({ turns }: typeof before) =>
      turns.map(({ text, promptUuid, mentions, commits, createdAt: _ }) => ({
        text,
        promptUuid,
        mentions,
        commits,
      }));
    expect(words(after)).toEqual(words(before));
  });

  test("keeps its turns, whether all of it was read before or half", async () => {
    const path = join(home, LEGACY);
    const lines = readFileSync(ARCHIVED, "utf8").split("\n");
    for (const count of [lines.length, 20]) {
      await using memory = await TestMemory.create();
      writeFileSync(path, lines.slice(0, count).join("\n"));
      await memory.ingest([path], { textOnly: true });
      copyFileSync(join(FIXTURES, "migrated", LEGACY), path);
      const { files, turns } = await memory.ingest([path], { textOnly: true });
      expect([files.rewritten, turns.inserted]).toEqual([1, count === lines.length ? 0 : 1]);
      expect(said(memory.file)).toHaveLength(2);
    }
  });
});

test("a rollout that `codex archive` moves is not stored twice", async () => {
  await using memory = await TestMemory.create();
  const [from, to] = ["sessions/2026/02/01", "archived_sessions"].map((name) => join(home, ".codex", name));
  for (const folder of [from, to]) mkdirSync(folder ?? "", { recursive: true });
  copyFileSync(ARCHIVED, join(from ?? "", LEGACY));
  await memory.ingest([join(from ?? "", LEGACY)], { textOnly: true });
  const before = said(memory.file);
  renameSync(join(from ?? "", LEGACY), join(to ?? "", LEGACY));
  const { turns } = await memory.ingest([join(to ?? "", LEGACY)], { textOnly: true });
  expect(turns.inserted).toBe(0);
  expect(said(memory.file)).toEqual(before);
});

describe("a rollout that Codex compresses", () => {
  /** Replaces a rollout by its compressed form. */
  function compress(path: string, text = readFileSync(path)): string {
    rmSync(path, { force: true });
    writeFileSync(`${path}.zst`, Bun.zstdCompressSync(text));
    return `${path}.zst`;
  }

  test("says the same, and belongs to the same session and project", async () => {
    const folder = join(home, ".codex/archived_sessions");
    mkdirSync(folder, { recursive: true });
    const path = join(folder, LEGACY);
    copyFileSync(ARCHIVED, path);
    const before = [codex.sourceOf(path), await readAll(path)];
    const compressed = compress(path);
    expect([codex.sourceOf(compressed), await readAll(compressed)]).toEqual(before);
    expect(sessionsOf(codex, findProject("/home/dev/kettle"), environment())).toEqual([compressed]);
  });

  test("keeps its turns, whether all of it was read before or half", async () => {
    const path = join(home, LEGACY);
    const whole = readFileSync(ARCHIVED);
    await using alone = await TestMemory.create();
    await alone.ingest([compress(path, whole)], { textOnly: true });
    const expected = said(alone.file);
    for (const share of [1, 0.9, 0.6, 0.3, 0]) {
      await using memory = await TestMemory.create();
      writeFileSync(path, whole.subarray(0, Math.floor(share * whole.length)));
      await memory.ingest([path], { textOnly: true });
      const compressed = compress(path, whole);
      expect((await memory.ingest([compressed], { textOnly: true })).failures).toEqual([]);
      expect(said(memory.file)).toEqual(expected);
      expect((await memory.ingest([compressed], { textOnly: true })).files.unchanged).toBe(1);
    }
  });

  test("goes on where it stopped when the thread is resumed", async () => {
    await using memory = await TestMemory.create();
    const path = join(home, LEGACY);
    const whole = readFileSync(ARCHIVED);
    const lines = whole.toString().split("\n");
    const compressed = compress(path, Buffer.from(`${lines.slice(0, 20).join("\n")}\n`));
    await memory.ingest([compressed], { textOnly: true });
    writeFileSync(path, whole);
    await memory.ingest([path], { textOnly: true });
    const resumed = said(memory.file);
    expect(resumed).toHaveLength(2);
    const found: string[] = [];
    for await (const file of codex.discover(home)) found.push(file);
    expect(found).toEqual([path]);
    // A list of files may still name the older one.
    writeFileSync(compressed, Bun.zstdCompressSync(Buffer.from(lines.slice(0, 21).join("\n"))));
    expect(codex.stampOf(compressed)).toBeNull();
    await memory.ingest([compressed], { textOnly: true });
    expect(said(memory.file)).toEqual(resumed);
  });

  test("is left for later when it is damaged", async () => {
    await using memory = await TestMemory.create();
    const path = join(home, `${LEGACY}.zst`);
    writeFileSync(path, "not compressed");
    const { failures } = await memory.ingest([path], { textOnly: true });
    expect(failures.map(({ path: failed }) => failed)).toEqual([path]);
    compress(join(home, LEGACY), readFileSync(ARCHIVED));
    await memory.ingest([path], { textOnly: true });
    expect(said(memory.file)).toHaveLength(2);
  });
});

test("a task that is encrypted is no prompt", async () => {
  const name = "rollout-2026-03-04T11-00-07-0199a000-0005-7000-8000-000000000005.jsonl";
  const text = readFileSync(join(FIXTURES, "home/.codex/sessions/2026/03/04", name), "utf8");
  const path = join(home, name);
  writeFileSync(path, text.replace("List the altitudes that the tests use.", "gAAAAABpQ2Fubm90QmVSZWFk"));
  const { turns } = await readAll(path);
  expect(turns.map(({ text: words }) => words)).toEqual([
    '[Assistant] The tests use 0 and 1,200 metres.\n\n[Tools] Bash(cmd="grep -rn metres test/")',
  ]);
});

test("CODEX_HOME says where the rollouts are, unless it is relative", async () => {
  const elsewhere = join(home, "elsewhere");
  cpSync(join(FIXTURES, "home/.codex"), elsewhere, { recursive: true });
  const project = findProject("/home/dev/teapot");
  const found = sessionsOf(codex, project, environment({ CODEX_HOME: elsewhere }));
  expect(found.map((path) => basename(path))).toEqual([
    "rollout-2026-03-05T09-00-00-0199a000-0009-7000-8000-000000000009.jsonl",
  ]);
  expect(sessionsOf(codex, project, environment({ CODEX_HOME: "elsewhere" }))).toEqual([]);
  expect(found.map((path) => isBelowRoots(path, environment({ CODEX_HOME: elsewhere })))).toEqual([true]);
  expect(found.map((path) => isBelowRoots(path, environment()))).toEqual([false]);
});

test("a rollout without a head is read all the same", async () => {
  const path = join(home, LEGACY);
  writeFileSync(path, readFileSync(ARCHIVED, "utf8").split("\n").slice(1).join("\n"));
  const { turns } = await readAll(path);
  const thread = "0199a000-0008-7000-8000-000000000008";
  expect(turns.map(({ sessionId }) => sessionId)).toEqual([thread, thread]);
  expect(codex.sourceOf(path).sessionId).toBe(thread);
});

describe("a rollout that is recognised by what it says", () => {
  const THREAD = "0199a000-0008-7000-8000-000000000008";
  const cwd = "/home/dev/kettle";
  const jsonl = (records: readonly object[]) =>
    `${records.map((record) => JSON.stringify(record)).join("\n")}\n`;

  test.each([
    `rollout-2026-02-02T08-00-00-${THREAD}_2.jsonl`,
    `rollout-2026-02-02T08-00-00-${THREAD}_0199a000-0009-7000-8000-000000000001.jsonl`,
    "a copy.jsonl",
  ])("under the name %s is of its thread", async (name) => {
    const folder = join(home, ".codex/archived_sessions");
    mkdirSync(folder, { recursive: true });
    const path = join(folder, name);
    copyFileSync(ARCHIVED, path);
    expect(agentOf(path).id).toBe("codex");
    expect(codex.sourceOf(path).sessionId).toBe(THREAD);
    expect((await readAll(path)).turns).toHaveLength(2);
    expect(sessionsOf(codex, findProject(cwd), environment())).toEqual([path]);
  });

  test("goes on in a second file of its thread", async () => {
    await using memory = await TestMemory.create();
    const lines = readFileSync(ARCHIVED, "utf8").split("\n");
    const [first, second] = [join(home, LEGACY), join(home, LEGACY.replace(".jsonl", "_2.jsonl"))];
    writeFileSync(first, lines.slice(0, 20).join("\n"));
    writeFileSync(second, [lines[0], ...lines.slice(20)].join("\n"));
    await memory.ingest([first, second], { textOnly: true });
    expect(
      said(memory.file)
        .map((turn) => JSON.stringify(turn))
        .join(),
    ).toContain(THREAD);
    expect(said(memory.file).length).toBeGreaterThanOrEqual(2);
  });

  test.each([
    [
      "that is longer than a megabyte",
      (meta: object) => JSON.stringify({ ...meta, filler: "x".repeat(1_200_000) }),
    ],
    ["that is cut", (meta: object) => JSON.stringify(meta).slice(0, 60)],
  ])("belongs to its project for a first record %s", (_, first) => {
    const folder = join(home, ".codex/archived_sessions");
    mkdirSync(folder, { recursive: true });
    const path = join(folder, LEGACY);
    const meta = { timestamp: "2026-02-01T08:00:00Z", type: "session_meta", payload: { id: THREAD, cwd } };
    const context = { timestamp: "2026-02-01T08:00:01Z", type: "turn_context", payload: { cwd, model: "m" } };
    writeFileSync(path, `${first(meta)}\n${jsonl([context])}`);
    expect(sessionsOf(codex, findProject(cwd), environment())).toEqual([path]);
    expect(codex.sourceOf(path).sessionId).toBe(THREAD);
  });

  test("is read in the oldest form, which has no envelopes", async () => {
    const text = (kind: string, words: string) => [{ type: kind, text: words }];
    const context = `<environment_context>\nCurrent working directory: ${cwd}\nApproval policy: never\n</environment_context>`;
    const path = join(home, `rollout-2025-06-01-${THREAD}.jsonl`);
    writeFileSync(
      path,
      jsonl([
        { id: THREAD, timestamp: "2025-06-01T08:00:00.000Z", instructions: null },
        { record_type: "state" },
        { type: "message", role: "user", content: text("input_text", context) },
        { type: "message", role: "user", content: text("input_text", "Why does the kettle boil over?") },
        { type: "reasoning", summary: text("summary_text", "The lid may be closed.") },
        { type: "function_call", name: "shell", call_id: "c1", arguments: '{"command":["cat","lid.ts"]}' },
        { type: "function_call_output", call_id: "c1", output: "{}" },
        { type: "message", role: "assistant", content: text("output_text", "The lid never opens.") },
      ]),
    );
    const { turns } = await readAll(path);
    expect(turns.map(({ text: words, sessionId }) => [words, sessionId])).toEqual([
      [
        '[User] Why does the kettle boil over?\n\n[Assistant] The lid may be closed.\n\nThe lid never opens.\n\n[Tools] Bash(cmd="cat lid.ts")',
        THREAD,
      ],
    ]);
    expect(codex.startedIn?.(path)).toBe(cwd);
  });

  test("with the editor's context keeps what was typed", async () => {
    const path = join(home, LEGACY);
    const message =
      "# Context from my IDE setup:\n\n## Open tabs:\n- lid.ts\n\n## My request for Codex:\nOpen the lid first.";
    writeFileSync(
      path,
      jsonl([
        { timestamp: "2026-02-01T08:00:00Z", type: "session_meta", payload: { id: THREAD, cwd } },
        { timestamp: "2026-02-01T08:00:01Z", type: "event_msg", payload: { type: "user_message", message } },
        {
          timestamp: "2026-02-01T08:00:02Z",
          type: "event_msg",
          payload: { type: "agent_message", message: "Done." },
        },
      ]),
    );
    const { turns } = await readAll(path);
    expect(turns.map(({ text }) => text)).toEqual(["[User] Open the lid first.\n\n[Assistant] Done."]);
  });
});
