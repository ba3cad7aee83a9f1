import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Turn } from "../../src/domain.ts";
import type { SqliteStore } from "../../src/store/sqlite/sqlite.ts";
import { batch, openStore, source, tempDir, turn } from "./builders.ts";
import { facts } from "./contract-support.ts";

const EVENT = "user-prompt-submit";
const DAY = (day: number, hour: number) => `2026-03-0${day}T${String(hour).padStart(2, "0")}:00:00.000Z`;

async function withStore(work: (store: SqliteStore) => Promise<void>): Promise<void> {
  using dir = tempDir();
  const store = await openStore(join(dir.path, "m.db"));
  await store.ingest.write(
    batch([
      turn(0, "[User] one", { mentions: [{ filePath: "src/a.ts", toolName: "Edit" }] }),
      turn(1, "[User] two", { mentions: [{ filePath: "src/b.ts", toolName: "Edit" }] }),
    ]),
  );
  await work(store);
  await store.close();
}

const tell = ({ journal }: SqliteStore, day: number, turnIds: number[]) =>
  journal.recordTold({ sessionId: `d${day}`, event: EVENT, turnIds, time: DAY(day, 10) });

/** What the session of a day did after it was told something. */
async function work({ ingest }: SqliteStore, day: number, facts: Partial<Turn>): Promise<void> {
  const sessionId = `d${day}`;
  const made = turn(0, "[User] go", { sessionId, createdAt: DAY(day, 11), ...facts });
  await ingest.write(batch([made], { source: source({ path: `/t/${sessionId}.jsonl`, sessionId }) }));
}

test("names what was told in each of the last three sessions", () =>
  withStore(async (store) => {
    const inVain = () => store.journal.toldInVain("now");
    await tell(store, 1, [1, 2]);
    await tell(store, 2, [1, 2]);
    expect(await inVain()).toEqual(new Set());
    await tell(store, 3, [1]);
    expect(await inVain()).toEqual(new Set([1]));
    expect(await store.journal.toldInVain("d3")).toEqual(new Set());
    await tell(store, 4, [2]);
    expect(await inVain()).toEqual(new Set());
  }));

test.each<[string, Partial<Turn>, boolean]>([
  ["touched a file of the turn", { mentions: [{ filePath: "src/a.ts", toolName: "Read" }] }, true],
  ["touched another file", { mentions: [{ filePath: "src/b.ts", toolName: "Read" }] }, false],
  ["showed the turn", { toolSummary: ['Bash(cmd="mementor show 1")'] }, true],
  ["showed another turn", { toolSummary: ['Bash(cmd="mementor show 12")'] }, false],
  ["showed a turn through MCP", { toolSummary: ['mcp__mementor__show(turn="1")'] }, true],
  ["showed another turn through MCP", { toolSummary: ['mcp__mementor__show(turn="12")'] }, false],
  [
    "showed some turn through MCP, whose number was not stored",
    { toolSummary: ["mcp__mementor__show"] },
    true,
  ],
  [
    "touched the file before it was told",
    { mentions: [{ filePath: "src/a.ts", toolName: "Edit" }], createdAt: DAY(2, 9) },
    false,
  ],
])("a session that %s", (_what, facts, isEffect) =>
  withStore(async (store) => {
    for (const day of [1, 2, 3]) await tell(store, day, [1]);
    await work(store, 2, facts);
    expect(await store.journal.toldInVain("now")).toEqual(new Set(isEffect ? [] : [1]));
  }),
);

test("what a person pinned is not named", () =>
  withStore(async (store) => {
    for (const day of [1, 2, 3]) await tell(store, day, [1]);
    await store.marks.mark(1, "pin");
    expect(await store.journal.toldInVain("now")).toEqual(new Set());
  }));

test("a note of the user's is not named: it touches no file", () =>
  withStore(async (store) => {
    for (const day of [1, 2, 3]) await tell(store, day, [1]);
    await store.ingest.write(batch([], { sessions: [facts("s1", { client: "note" })] }));
    expect(await store.journal.toldInVain("now")).toEqual(new Set());
  }));
