import { expect, test } from "bun:test";
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { cursor } from "../../../src/agents/cursor/agent.ts";
import { containerOf } from "../../../src/agents/list.ts";
import { findProject } from "../../../src/io/git/project.ts";
import { TestMemory } from "../../ingest/memory.ts";
import { readAll } from "../../support/read-turns.ts";
import { sessionsOf, sourcesOf, withHome } from "../sources.ts";
import {
  change,
  conversation,
  folderIn,
  globalIn,
  installCommandLine,
  installCursor,
  installEditor,
  PROJECT,
  storeIn,
} from "./home.ts";

/** What an ingest of a project's sources says of those that it passed over, and the sessions that it stored. */
async function ingest(home: string): Promise<{ said: string[]; sessions: string[] }> {
  await using memory = await TestMemory.create();
  const report = await memory.ingest(await sourcesOf(cursor, home, PROJECT), { textOnly: true });
  const said = report.failures.map(({ message }) => message.replaceAll(home, "~"));
  const sessions = (await memory.store.browse.sessions({}, { limit: 20 })).sessions;
  return { said, sessions: sessions.map(({ sessionId }) => sessionId).sort() };
}

const EDITOR = "~/.config/Cursor/User/globalStorage/state.vscdb";

test("an editor's database that is damaged, empty or newer is passed over with a sentence, and costs no other", () =>
  withHome(async (home) => {
    const damage: [(file: string) => void, string][] = [
      [(file) => writeFileSync(file, "not a database at all, but some text"), "damaged"],
      [(file) => truncateSync(file, 0), "empty"],
      [(file) => truncateSync(file, 5000), "cut off"],
      [
        (file) => change(file, (database) => database.run("DROP TABLE cursorDiskKV; DROP TABLE ItemTable")),
        "newer",
      ],
    ];
    for (const [work, name] of damage) {
      rmSync(join(home, ".config"), { recursive: true, force: true });
      installCursor(home);
      work(globalIn(home));
      const { said, sessions } = await ingest(home);
      expect([name, ...said]).toEqual([
        name,
        `cannot read ${EDITOR}: it is damaged, locked, or of an unknown version`,
      ]);
      expect(sessions).toContain(conversation(7));
    }
  }));

test("a conversation whose messages are in a place that is not known is passed over with a sentence", () =>
  withHome(async (home) => {
    installEditor(home);
    change(globalIn(home), (database) =>
      database.run(
        "UPDATE cursorDiskKV SET key = 'messageId' || substr(key, 9) WHERE key LIKE 'bubbleId:%-0001-%'",
      ),
    );
    const { said, sessions } = await ingest(home);
    expect(said).toEqual([
      `cannot read ${EDITOR}/${conversation(1)}: its messages are not where this version of mementor looks for them`,
    ]);
    expect(sessions).toContain(conversation(3));
  }));

test("a session's database that is damaged, empty or newer is passed over with a sentence", () =>
  withHome(async (home) => {
    installCommandLine(home);
    const path = storeIn(home).replace(home, "~");
    const whole = readFileSync(storeIn(home));
    for (const [bytes, reason] of [
      ["no database", "Cursor's database cannot be read"],
      ["", "it is empty, or of an unknown version of Cursor"],
      [whole.subarray(0, 5000), "Cursor's database cannot be read"],
    ] as const) {
      writeFileSync(storeIn(home), bytes);
      expect((await ingest(home)).said).toEqual([`cannot read ${path}: ${reason}`]);
    }
    writeFileSync(storeIn(home), whole);
    change(storeIn(home), (database) => database.run("ALTER TABLE blobs RENAME TO contents"));
    expect((await ingest(home)).said).toEqual([
      `cannot read ${path}: it is empty, or of an unknown version of Cursor`,
    ]);
  }));

/** A process that begins to write to a database and holds its lock. */
const WRITER = `
  const { Database } = await import("bun:sqlite");
  const database = new Database(process.argv[1]);
  database.run("PRAGMA busy_timeout = 0");
  database.run("PRAGMA cache_size = 1");
  database.run("PRAGMA cache_spill = 1");
  database.run("BEGIN EXCLUSIVE");
  database.run("CREATE TABLE filler AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT hex(randomblob(500)) AS x FROM n");
  console.log("locked");
  await Bun.stdin.text();
  database.run("ROLLBACK");
`;

test("a database that is locked is passed over with a sentence, and nobody waits", () =>
  withHome(async (home) => {
    installEditor(home);
    const before = await ingest(home);
    const writer = Bun.spawn([process.execPath, "-e", WRITER, globalIn(home)], {
      stdin: "pipe",
      stdout: "pipe",
    });
    await writer.stdout.getReader().read();
    expect((await ingest(home)).said).toEqual([
      `cannot read ${EDITOR}: it is damaged, locked, or of an unknown version`,
    ]);
    writer.stdin.end();
    // The writer did not have to wait for a reader either.
    expect(await writer.exited).toBe(0);
    expect(await ingest(home)).toEqual(before);
  }));

test("a database that Cursor has open is read with its log, and is left as it is", () =>
  withHome(async (home) => {
    installEditor(home);
    const live = `
      const { Database } = await import("bun:sqlite");
      const database = new Database(process.argv[1]);
      database.run("PRAGMA journal_mode = WAL");
      database.run("PRAGMA wal_autocheckpoint = 0");
      database.run("UPDATE cursorDiskKV SET value = json_set(value, '$.name', 'Live') WHERE key LIKE 'composerData:%-0003-%'");
      console.log("said");
      await Bun.stdin.text();`;
    const other = Bun.spawn([process.execPath, "-e", live, globalIn(home)], {
      stdin: "pipe",
      stdout: "pipe",
    });
    await other.stdout.getReader().read();
    const folder = dirname(globalIn(home));
    const bytes = () =>
      Object.fromEntries(
        readdirSync(folder)
          .sort()
          .map((name) => [name, Bun.hash(readFileSync(join(folder, name)))]),
      );
    const before = bytes();
    const { last } = await readAll(join(globalIn(home), conversation(3)));
    expect(last.sessions.map(({ title }) => title)).toEqual(["Live"]);
    await ingest(home);
    expect(bytes()).toEqual(before);
    other.stdin.end();
    expect(await other.exited).toBe(0);
  }));

test("what a person left by going back stays in the memory, and is marked", () =>
  withHome(async (home) => {
    installEditor(home);
    await using memory = await TestMemory.create();
    const marked = async () => {
      const report = await memory.ingest(await sourcesOf(cursor, home, PROJECT), { textOnly: true });
      expect(report.failures).toEqual([]);
      const hidden = await memory.store.marks.hidden();
      const turns = await memory.store.browse.turnsOf(conversation(1));
      return turns.filter(({ turnId }) => hidden.has(turnId)).map(({ firstWords }) => firstWords);
    };
    const painted = ["Never mind the vents: paint the frames red."];
    expect(await marked()).toEqual(painted);
    // Cursor deletes what was left some time later.
    change(globalIn(home), (database) => {
      database.run(
        "DELETE FROM cursorDiskKV WHERE key LIKE 'bubbleId:%-0001-%' AND value ->> '$.bubbleId' LIKE '%11'",
      );
      database.run(
        "UPDATE cursorDiskKV SET value = json_set(value, '$.lastUpdatedAt', 1784009999000) WHERE key LIKE 'composerData:%-0001-%'",
      );
    });
    expect(await marked()).toEqual(painted);
  }));

test("the summary that took the place of messages is a turn after the last of them, and doubles nothing later", () =>
  withHome(async (home) => {
    installEditor(home);
    await using memory = await TestMemory.create();
    const kinds = async () => {
      const report = await memory.ingest(await sourcesOf(cursor, home, PROJECT), { textOnly: true });
      expect(report.failures).toEqual([]);
      const turns = await memory.store.browse.turnsOf(conversation(1));
      return turns.map(({ firstWords, role }) => [role, firstWords]);
    };
    const before = await kinds();
    const bubble = "c0160000-0000-4000-8000-000000000010";
    const summary = {
      summary: "The vents follow the threshold, which is 20 °C now.",
      includesToolResults: true,
    };
    change(globalIn(home), (database) =>
      database.run(
        "UPDATE cursorDiskKV SET value = json_set(value, '$.lastUpdatedAt', 1784009998000, '$.latestConversationSummary', json(?)) WHERE key = ?",
        [
          JSON.stringify({
            summary: { ...summary, truncationLastBubbleIdInclusive: bubble },
            lastBubbleId: bubble,
          }),
          `composerData:${conversation(1)}`,
        ],
      ),
    );
    const [first, ...rest] = before;
    expect(await kinds()).toEqual([first as string[], ["compaction_summary", summary.summary], ...rest]);
  }));

test("each session is read once, from the fullest of its forms", () =>
  withHome(async (home) => {
    installCursor(home);
    const forms = (await sourcesOf(cursor, home, PROJECT)).map((path) => [
      basename(containerOf(path)),
      cursor.sourceOf(path).agentId ?? cursor.sourceOf(path).sessionId,
    ]);
    expect(forms).toEqual([
      ...[1, 3, 4, 2].map((number) => ["state.vscdb", conversation(number)]),
      ["state.vscdb", conversation(6)],
      ["store.db", conversation(7)],
      [`${conversation(8)}.jsonl`, conversation(8)],
      [`${conversation(18)}.jsonl`, conversation(18)],
      [`${conversation(19)}.jsonl`, conversation(19)],
    ]);
    const transcript = join(
      home,
      ".cursor/projects/home-dev-glasshouse/agent-transcripts",
      conversation(7),
      `${conversation(7)}.jsonl`,
    );
    expect(cursor.stampOf(transcript)).toBeNull();
    rmSync(folderIn(home));
    expect(
      (await sourcesOf(cursor, home, PROJECT))
        .filter((path) => path.includes("state.vscdb"))
        .map((path) => basename(path)),
    ).toEqual([conversation(1), conversation(2)]);
  }));

test("finds the conversations of a window on a workspace of several folders in the first of them", () =>
  withHome(async (home) => {
    const file = join(home, "garden.code-workspace");
    mkdirSync(join(home, "glasshouse"));
    const folders = `[{ "path": "glasshouse" }, /* later */ { "path": "/home/dev/shed" },]`;
    writeFileSync(file, `{\n  // Both belong together.\n  "folders": ${folders},\n}\n`);
    installEditor(home);
    const workspace = `file://${file}`;
    writeFileSync(join(dirname(folderIn(home)), "workspace.json"), JSON.stringify({ workspace }));
    const named = (number: number, identifier: object) => {
      const value = JSON.stringify({ composerId: conversation(number), workspaceIdentifier: identifier });
      change(globalIn(home), (db) => {
        db.run("INSERT INTO cursorDiskKV VALUES (?, ?)", [`composerData:${conversation(number)}`, value]);
      });
    };
    named(31, { id: "f00dfeed", configPath: { fsPath: file } });
    named(32, { id: "f00dfeed" });
    named(33, { id: "gone", configPath: { external: `${workspace}.gone` } });
    const idsIn = async (project: string) =>
      (await sourcesOf(cursor, home, project)).map((path) => basename(path)).sort();
    const inWindow = [3, 4, 6, 31, 32].map(conversation);
    expect(await idsIn(join(home, "glasshouse"))).toEqual(inWindow);
    expect(await idsIn("/home/dev/shed")).toEqual([]);
    rmSync(file);
    expect(await idsIn(join(home, "glasshouse"))).toEqual([]);
  }));

test("variables and platforms move the directories", () => {
  const rootsOf = (platform: NodeJS.Platform, env: Record<string, string> = {}) =>
    cursor.roots({ env, homeDir: "/h", platform });
  expect(rootsOf("linux")).toEqual(["/h/.config/Cursor/User", "/h/.cursor/chats", "/h/.cursor/projects"]);
  expect(rootsOf("linux", { XDG_CONFIG_HOME: "/x", CURSOR_CONFIG_DIR: "/c" })).toEqual([
    "/x/Cursor/User",
    "/c/chats",
    "/c/projects",
  ]);
  expect(rootsOf("darwin")[0]).toBe("/h/Library/Application Support/Cursor/User");
  expect(rootsOf("win32", { APPDATA: "C:\\Roaming" })[0]).toBe(join("C:\\Roaming", "Cursor", "User"));
});

test("the directory of a transcript is found by the name of its folder where such a directory exists", () =>
  withHome(async (home) => {
    installCommandLine(home);
    const from = join(
      home,
      ".cursor/projects/home-dev-glasshouse/agent-transcripts",
      `${conversation(19)}.jsonl`,
    );
    const project = join(home, "green-houses", "two");
    mkdirSync(project, { recursive: true });
    const name = project.slice(1).replace(/[^A-Za-z0-9]+/g, "-");
    const folder = join(home, ".cursor/projects", name, "agent-transcripts");
    mkdirSync(folder, { recursive: true });
    copyFileSync(from, join(folder, basename(from)));
    const environment = { env: {}, homeDir: home, platform: "linux" as const };
    expect(sessionsOf(cursor, findProject(project), environment)).toEqual([join(folder, basename(from))]);
  }));
