import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sessionsWithoutTranscript } from "../../src/agents/list.ts";
import { findProject } from "../../src/io/git/project.ts";
import { withHome } from "../agents/sources.ts";
import { TestMemory } from "./memory.ts";

const ID = (n: number) => `105e5510-0000-4000-8000-00000000000${n}`;
const PROJECT = "/home/dev/brewery";
const KEY = ["ghp", "kX9vQ2mLr7TzB4wNcY8sJ1dFgH6pRa3eUoWi"].join("_");

function write(path: string, lines: readonly object[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

const typed = (n: number, at: number, display: string, more: object = {}) => ({
  display,
  pastedContents: {},
  timestamp: 1_780_000_000_000 + at * 60_000,
  project: PROJECT,
  sessionId: ID(n),
  ...more,
});

/** Lists of prompts in a home directory: Claude Code's and Codex's. */
function install(home: string): void {
  write(join(home, ".claude/history.jsonl"), [
    typed(1, 0, "Why does the mash tun leak at the lower valve?"),
    typed(1, 5, `Use ${KEY} for the thermometer. <private>The brewer is in debt.</private>`),
    typed(1, 6, "/model"),
    typed(1, 7, "!make malt"),
    typed(1, 8, "Compare [Pasted text #1 +2 lines] with ours", {
      pastedContents: { 1: { id: 1, type: "text", content: "hops 12 g\nmalt 3 kg" } },
    }),
    typed(2, 9, "Boil the wort for ninety minutes"),
    typed(3, 10, "Another project", { project: "/home/dev/cellar" }),
    { display: "No session is named", timestamp: 1_780_000_000_000, project: PROJECT },
    { display: 7, sessionId: ID(4) },
  ]);
  const codex = [
    { session_id: ID(5), ts: 1_780_001_000, text: "Label the bottles of the amber ale" },
    { session_id: ID(6), ts: 1_780_001_100, text: "Nobody knows where this was" },
  ];
  write(join(home, ".codex/history.jsonl"), codex);
  const state = new Database(join(home, ".codex/state_5.sqlite"));
  state.run("CREATE TABLE threads (id TEXT PRIMARY KEY, cwd TEXT, title TEXT)");
  state.run("INSERT INTO threads VALUES (?, ?, '')", [ID(5), PROJECT]);
  state.close();
}

const lostIn = (home: string) =>
  sessionsWithoutTranscript(findProject(PROJECT), { env: {}, homeDir: home, platform: "linux" });

test("puts in texts that were kept by their hash, and reads nothing else that the list names", () =>
  withHome(async (home) => {
    const paste = (contentHash: string) => ({ 1: { id: 1, type: "text", contentHash } });
    const prompt = "Boil [Pasted text #1 +9 lines] again";
    const hashes = ["0123456789abcdef", "fedcba9876543210", "../../secret", "00000000ffffffff"];
    write(
      join(home, ".claude/history.jsonl"),
      hashes.map((hash, at) => typed(at + 1, at, prompt, { pastedContents: paste(hash) })),
    );
    const cache = join(home, ".claude/paste-cache");
    mkdirSync(cache);
    writeFileSync(join(cache, "0123456789abcdef.txt"), "wort and\nhops");
    writeFileSync(join(cache, "fedcba9876543210.txt"), "x".repeat((4 << 20) + 1));
    writeFileSync(join(home, "secret.txt"), "the recipe");
    const texts = lostIn(home).map(({ prompts: [first] }) => first?.text);
    expect(texts).toEqual(["Boil wort and\nhops again", prompt, prompt, prompt]);
  }));

async function ingest(memory: TestMemory, home: string, paths: readonly string[] = []) {
  const report = await memory.ingest(paths, { textOnly: true, lost: lostIn(home) });
  expect(report.failures).toEqual([]);
  return report;
}

async function wordsIn({ store }: TestMemory): Promise<string[]> {
  const turns = await store.browse.recent(20, {});
  return turns.map(({ promptOnly, firstWords }) => `${promptOnly ? "* " : ""}${firstWords}`).reverse();
}

const LEAK = "* Why does the mash tun leak at the lower valve?";
const BOIL = "* Boil the wort for ninety minutes";
const ALL = [
  LEAK,
  "* Use [redacted:github-token] for the thermometer.",
  "* Compare hops 12 g malt 3 kg with ours",
  BOIL,
  "* Label the bottles of the amber ale",
];

test("prompts of lost sessions are stored redacted, marked, found by search and filters, and told by no hook", () =>
  withHome(async (home) => {
    install(home);
    await using memory = await TestMemory.create();
    await ingest(memory, home);
    const words = await wordsIn(memory);
    expect(words).toEqual(ALL);
    const { store } = memory;
    const { sessions } = await store.browse.sessions({}, { limit: 9 });
    expect(sessions.map(({ client, turns, promptOnly }) => [client, turns, promptOnly])).toEqual([
      ["codex", 1, true],
      ["claude-code", 1, true],
      ["claude-code", 3, true],
    ]);
    const turns = await store.browse.recent(20, {});
    expect([...(await store.marks.hidden())].sort()).toEqual(turns.map(({ turnId }) => turnId).sort());
    expect((await store.browse.recent(20, { from: "codex" })).map(({ firstWords }) => firstWords)).toEqual([
      "Label the bottles of the amber ale",
    ]);
    const [hit] = await store.search.keywordTurns(["wort"], 5, {});
    expect((await store.search.turns([hit?.turnId ?? 0])).map(({ promptOnly }) => promptOnly)).toEqual([
      true,
    ]);
    expect(await store.marks.turnMarks()).toEqual([]);
  }));

test("reading the list again stores nothing twice, and a list that grows is read on", () =>
  withHome(async (home) => {
    install(home);
    await using memory = await TestMemory.create();
    await ingest(memory, home);
    expect((await ingest(memory, home)).turns.inserted).toBe(0);
    write(join(home, ".claude/history.jsonl"), [
      typed(2, 9, "Boil the wort for ninety minutes"),
      typed(2, 20, "And cool it at once"),
    ]);
    expect((await ingest(memory, home)).turns.inserted).toBe(1);
    expect((await wordsIn(memory)).length).toBe(ALL.length + 1);
  }));

test("a transcript that turns up takes the place of its prompts", () =>
  withHome(async (home) => {
    install(home);
    await using memory = await TestMemory.create();
    await ingest(memory, home);
    const transcript = join(home, ".claude/projects/-home-dev-brewery", `${ID(2)}.jsonl`);
    const entry = (n: number, type: string, content: unknown) => ({
      ...{ type, uuid: `${ID(2).slice(0, -2)}a${n}`, sessionId: ID(2), cwd: PROJECT },
      ...{ timestamp: `2026-05-28T20:0${n}:00.000Z`, message: { role: type, content } },
    });
    write(transcript, [
      entry(1, "user", "Boil the wort for ninety minutes"),
      entry(2, "assistant", [{ type: "text", text: "It boils until half past ten." }]),
    ]);
    await ingest(memory, home, [transcript]);
    const words = await wordsIn(memory);
    expect(words).toContain("Boil the wort for ninety minutes");
    expect(words).not.toContain(BOIL);
    expect(words.length).toBe(ALL.length);
    // Deleted again, it was read: the list has nothing to add.
    rmSync(transcript);
    await ingest(memory, home);
    expect((await wordsIn(memory)).length).toBe(ALL.length);
  }));

test("of a session of which something was forgotten or pruned, nothing comes back", () =>
  withHome(async (home) => {
    install(home);
    for (const removal of ["forget", "prune"] as const) {
      await using memory = await TestMemory.create();
      await ingest(memory, home);
      const { store } = memory;
      const [turn] = (await store.browse.recent(20, {})).filter(({ sessionId }) => sessionId === ID(1));
      const plan = await store.forget.plan({ turnIds: [turn?.turnId ?? 0] });
      await store.forget[removal](plan);
      const left = await wordsIn(memory);
      expect(left.length).toBe(ALL.length - 1);
      await ingest(memory, home);
      expect(await wordsIn(memory)).toEqual(left);
    }
  }));

test("what a session said before it was forgotten in another form keeps all of it out", () =>
  withHome(async (home) => {
    install(home);
    await using memory = await TestMemory.create();
    const first = lostIn(home).find(({ sessionId }) => sessionId === ID(1));
    if (first === undefined) throw new Error("no session");
    const other = { ...first, sessionId: ID(9), prompts: first.prompts.slice(0, 1) };
    // The same words in a session of another id, as an import brings them.
    await memory.ingest([], { textOnly: true, lost: [other] });
    await memory.store.forget.forget(await memory.store.forget.plan({ sessionId: ID(9) }));
    await ingest(memory, home);
    expect(
      (await wordsIn(memory)).filter((words) => words.includes("mash tun") || words.includes("hops")),
    ).toEqual([]);
  }));

test("a session of an excluded project stays out", () =>
  withHome(async (home) => {
    install(home);
    await using memory = await TestMemory.create();
    const excludes = { paths: [], projects: ["/home/dev/*"] };
    await memory.ingest([], { excludes, textOnly: true, lost: lostIn(home) });
    expect(await wordsIn(memory)).toEqual([]);
  }));
